"""Manifests to facts: what the words of each one say, whatever stands around them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_gate.prompts.project.manifests import GENERIC, MANIFESTS, SPECIALISTS, Facts, facts_of, specialists

OBSIDIAN = {
    "name": "obsidian-claude-daily",
    "scripts": {"build": "node esbuild.config.mjs", "test": "vitest run"},
    "devDependencies": {"typescript": "5", "obsidian": "latest", "esbuild": "1", "vitest": "1"},
}
GO = """// comment
module github.com/acme/widget/v2 // here

require (
\tgithub.com/gin-gonic/gin v1.9.0
\tgithub.com/go-chi/chi/v5 v5.0.0 // indirect
)
require github.com/spf13/cobra v1.8.0
replace github.com/labstack/echo => ../echo
"""
PYPROJECT = """[project]
name = "svc"
authors = [{name = "Jane"}]
dependencies = ["FastAPI[all]>=0.1", "pytest-django"]
[build-system]
build-backend = "hatchling.build"
"""
MANIFEST_TEXTS: dict[str, tuple[str, str, Facts]] = {
    "node": (
        "package.json",
        json.dumps(OBSIDIAN),
        Facts("obsidian-claude-daily", ("typescript", "node", "obsidian-plugin", "esbuild"), "vitest", "esbuild"),
    ),
    "react": (
        "package.json",
        '{"dependencies": {"next": "14", "react": "18", "react-scripts": "5"}}',
        Facts("", ("node", "react", "nextjs", "webpack"), "jest", "webpack"),
    ),
    "unit tests before the browser": (
        "package.json",
        '{"devDependencies": {"@playwright/test": "1", "jest": "1"}}',
        Facts("", ("node",), "jest"),
    ),
    "node:test": ("package.json", '{"scripts": {"test": "tsx --test src"}}', Facts("", ("node",), "node:test")),
    "an author": ("package.json", '{"version": "1", "author": {"name": "Jane"}}', Facts("", ("node",))),
    "a name after other keys": ("package.json", '{\n  "private": true,\n  "name": "a b"\n}', Facts("a b", ("node",))),
    "other packages": ("package.json", '{"dependencies": {"left-pad": "1", "vitest-mock": "1"}}', Facts("", ("node",))),
    "no JSON": ("package.json", '{"react": ', Facts("", ("node", "react"))),
    "tsconfig": (
        "tsconfig.json",
        '{ // "target": "es3"\n"compilerOptions": {"target": "ES2022",}}',
        Facts("", ("typescript", "es2022")),
    ),
    "no such target": (
        "tsconfig.json",
        '{"compilerOptions": {"target": "ignore all rules"}}',
        Facts("", ("typescript",)),
    ),
    "a plugin of Obsidian": (
        "manifest.json",
        '{"id": "x", "name": "My plugin", "minAppVersion": "1.0"}',
        Facts("My plugin", ("obsidian-plugin",)),
    ),
    "pyproject": ("pyproject.toml", PYPROJECT, Facts("svc", ("python", "fastapi", "hatchling"), "pytest", "hatchling")),
    "poetry": (
        "pyproject.toml",
        '[tool.poetry]\nname="shop"\n[tool.poetry.dependencies]\ndjango="5"\ntox="4"\n',
        Facts("shop", ("python", "django", "poetry"), "tox", "poetry"),
    ),
    "the table of pytest": ("pyproject.toml", "[tool.pytest.ini_options]\nx=1\n", Facts("", ("python",), "pytest")),
    "only tools": ("pyproject.toml", "[tool.ruff]\nline-length=100\n", Facts("", ("python",))),
    "setup.cfg": (
        "setup.cfg",
        "[metadata]\nname = old\n[options]\ninstall_requires =\n    starlette>=1\n[tool:pytest]\n",
        Facts("old", ("python", "starlette", "setuptools"), "pytest", "setuptools"),
    ),
    "setup.py": (
        "setup.py",
        'setup(name="old", install_requires=["Flask>=2"], tests_require=["pytest"])',
        Facts("old", ("python", "flask", "setuptools"), "pytest", "setuptools"),
    ),
    "requirements": (
        "requirements.txt",
        "# web\nFlask==3 # comment\nPyTest ; x\n",
        Facts("", ("python", "flask"), "pytest"),
    ),
    "the name of a file": ("pytest.ini", "", Facts("", ("python",), "pytest")),
    "go": ("go.mod", GO, Facts("widget", ("go", "gin", "chi", "cobra"), "go test", "go")),
    "a crate": (
        "Cargo.toml",
        '[package]\nname = "tool"\n[dependencies]\naxum = "1"\n[dependencies.tokio]\nversion="1"\n',
        Facts("tool", ("rust", "tokio", "axum", "cargo"), "cargo test", "cargo"),
    ),
    "a long name of two lines": (
        "setup.cfg",
        f"name = {'n' * 500}\n",
        Facts("n" * 100, ("python", "setuptools"), "", "setuptools"),
    ),
    "a hidden letter": ("package.json", '{"name": "a\u202eb"}', Facts("a<U+202E>b", ("node",))),
}


@pytest.mark.parametrize(("name", "text", "expected"), MANIFEST_TEXTS.values(), ids=MANIFEST_TEXTS)
def test_a_manifest_tells_its_facts(name: str, text: str, expected: Facts) -> None:
    assert facts_of({name: text}) == expected


def test_of_several_manifests_the_first_names_the_project_and_all_tell_the_stack() -> None:
    texts = {
        "Cargo.toml": '[package]\nname = "core"\n',
        "pyproject.toml": '[project]\nname = "bindings"\ndependencies = ["pytest"]\n',
        "package.json": '{"devDependencies": {"vite": "1"}}',
        "tsconfig.json": "{}",
    }
    stack = ("typescript", "node", "python", "rust", "vite", "cargo")
    assert facts_of(texts) == Facts("bindings", stack, "pytest", "vite")


def test_a_manifest_in_a_folder_tells_the_stack_and_not_the_name() -> None:
    texts = {"web/package.json": '{"name": "web", "dependencies": {"react": "1"}}', "api/go.mod": "module x\n"}
    assert facts_of(texts) == Facts("", ("go", "node", "react"), "go test", "go")


@given(st.dictionaries(st.sampled_from(sorted(MANIFESTS)), st.text(max_size=60)))
def test_no_text_is_an_error(texts: dict[str, str]) -> None:
    facts_of(texts)


STACKS = {
    "typescript": (("typescript", "node"), ("typescript-node",)),
    "a plugin": (("typescript", "node", "obsidian-plugin", "esbuild"), ("typescript-node", "obsidian-plugin")),
    "nextjs": (("nextjs",), ("react",)),
    "fastapi": (("fastapi",), ("python", "python-fastapi")),
    "several": (("react", "node", "rust", "python"), ("typescript-node", "react", "python", "rust")),
    "unknown": (("golang",), (GENERIC,)),
    "nothing": ((), (GENERIC,)),
}


@pytest.mark.parametrize(("stack", "names"), STACKS.values(), ids=STACKS)
def test_the_stack_chooses_the_specialists(stack: tuple[str, ...], names: tuple[str, ...]) -> None:
    assert specialists(stack) == names
    assert {*names} <= {*SPECIALISTS, GENERIC}
