"""What the names and words of manifests say about a project: one table, file -> regex -> stack; nothing is parsed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from review_gate.reviewers.text import visible

LONGEST_NAME = 100
GENERIC = "generic"
# By name, the parts of a stack of which each asks for that specialist.
SPECIALISTS: Mapping[str, frozenset[str]] = {
    "typescript-node": frozenset({"typescript", "node"}),
    "obsidian-plugin": frozenset({"obsidian-plugin"}),
    "react": frozenset({"react", "nextjs", "react-native"}),
    "python": frozenset({"python", "fastapi"}),
    "python-fastapi": frozenset({"fastapi"}),
    "go": frozenset({"go"}),
    "rust": frozenset({"rust"}),
}


class Manifest(NamedTuple):
    """How one manifest is read: what its name says, where it names the project, and how a package is written in it."""

    stack: tuple[str, ...]
    # With one group.
    name: str = r"(?!)"
    # {} is the name of a package.
    package: str = r"(?!){}"
    # By package, what it stands for in the stack.
    stack_of: Mapping[str, str] = {}
    # Whichever of them comes first in the table is taken.
    tests: Mapping[str, str] = {}
    builds: Mapping[str, str] = {}
    test_framework: str = ""
    build_tool: str = ""


class Facts(NamedTuple):
    """What is known about a project; empty is not said."""

    name: str = ""
    stack: tuple[str, ...] = ()
    test_framework: str = ""
    build_tool: str = ""


def _same(*names: str) -> dict[str, str]:
    return {name: name for name in names}


# `name` among the plain keys at the top, before the first object: an author has a name too.
_JSON_NAME = r'\A\s*\{(?:\s*"[\w$-]+"\s*:\s*(?:"[^"\\\n]*"|[\w.]+)\s*,)*?\s*"name"\s*:\s*"([^"\\\n]+)"'
_TOML_NAME = r"""^name[ \t]*=[ \t]*["']([^"'\n]+)["']"""
_BUNDLERS = ("esbuild", "webpack", "vite", "rollup", "parcel", "turbo", "tsup")
_NODE = Manifest(
    ("node",),
    name=_JSON_NAME,
    package=r'"{}"\s*:',
    stack_of={
        "typescript": "typescript",
        "react": "react",
        "react-dom": "react",
        "react-native": "react-native",
        "next": "nextjs",
        "nuxt": "vue",
        **_same("preact", "vue", "svelte", "astro", "express", "fastify", "koa", "hono", "electron"),
        "@sveltejs/kit": "svelte",
        "@angular/core": "angular",
        "solid-js": "solid",
        "tailwindcss": "tailwind",
        "@nestjs/core": "nestjs",
        "obsidian": "obsidian-plugin",
    },
    tests={
        **_same("vitest", "jest", "mocha", "ava"),
        "ts-jest": "jest",
        "react-scripts": "jest",
        "karma": "karma",
        "@playwright/test": "playwright",
        "cypress": "cypress",
    },
    builds={**_same(*_BUNDLERS), "react-scripts": "webpack", "next": "nextjs", "@angular/cli": "angular"},
)
_PYTHON = Manifest(
    ("python",),
    name=_TOML_NAME,
    # A requirement in a list, a key of a table, a line of its own, or a plugin such as pytest-django.
    package=r"""(?:^|["'\s,\[]|\btool[.:]){}(?:-[\w-]+)?(?=[\s"'\[\]<>=~!;,.]|$)""",
    stack_of=_same(
        *("fastapi", "django", "flask", "starlette", "litestar", "aiohttp", "tornado", "celery", "sqlalchemy"),
        *("pydantic", "click", "typer", "streamlit", "numpy", "pandas", "torch", "tensorflow"),
    ),
    tests=_same("pytest", "tox", "nox", "unittest"),
    builds={
        **_same("hatchling", "poetry", "flit", "pdm", "maturin"),
        "flit_core": "flit",
        "uv_build": "uv",
        "setuptools": "setuptools",
    },
)
# In the order in which they are asked for the name of the project.
MANIFESTS: Mapping[str, Manifest] = {
    "package.json": _NODE,
    "tsconfig.json": Manifest(("typescript",)),
    # Browsers and web applications have a manifest.json too.
    "manifest.json": Manifest((), name=_JSON_NAME, package=r'"{}"\s*:', stack_of={"minAppVersion": "obsidian-plugin"}),
    "pyproject.toml": _PYTHON,
    "setup.cfg": _PYTHON._replace(name=r"^name[ \t]*=[ \t]*(\S+)", build_tool="setuptools"),
    "setup.py": _PYTHON._replace(name=r"""\bname[ \t]*=[ \t]*["']([^"'\n]+)["']""", build_tool="setuptools"),
    "requirements.txt": _PYTHON._replace(name=r"(?!)"),
    "pytest.ini": Manifest(("python",), test_framework="pytest"),
    "conftest.py": Manifest(("python",), test_framework="pytest"),
    "tox.ini": Manifest(("python",), test_framework="tox"),
    "go.mod": Manifest(
        ("go",),
        name=r"^module[ \t]+(?:\S*?/)??([^\s/]+)(?:/v\d+)?[ \t]*(?://.*)?$",
        package=r"^[ \t]*(?:require[ \t]+)?{}(?:/v\d+)?[ \t]+v",
        stack_of={
            "github.com/gin-gonic/gin": "gin",
            "github.com/labstack/echo": "echo",
            "github.com/gofiber/fiber": "fiber",
            "github.com/go-chi/chi": "chi",
            "github.com/spf13/cobra": "cobra",
            "google.golang.org/grpc": "grpc",
        },
        test_framework="go test",
        build_tool="go",
    ),
    "Cargo.toml": Manifest(
        ("rust",),
        name=_TOML_NAME,
        package=r"^(?:\[[\w.-]*dependencies\.)?{}(?:[ \t]*=|\.|\])",
        stack_of=_same("tokio", "axum", "actix-web", "rocket", "warp", "clap", "serde", "tauri", "bevy", "leptos"),
        test_framework="cargo test",
        build_tool="cargo",
    ),
}
_TARGET = re.compile(r'(?<!//)(?<!// )"target"\s*:\s*"(es(?:3|5|6|20\d\d|next))"', re.IGNORECASE)
_NODE_TEST = re.compile(r'"test[\w:-]*"\s*:\s*"[^"\n]*\s--test\b')
WORKSPACE_FILE = "pnpm-workspace.yaml"
_HAS_PARTS = re.compile(r'"workspaces"\s*:|^\[(?:tool\.uv\.)?workspace\]', re.MULTILINE)


def has_parts(texts: Mapping[str, str], paths: Iterable[str]) -> bool:
    """Whether the files at the top say that the project is made of several packages."""
    return WORKSPACE_FILE in paths or any(_HAS_PARTS.search(text) for text in texts.values())


def facts_of(texts: Mapping[str, str]) -> Facts:
    """What is known from the texts of manifests, by path; of names and tools, what the first one says that says any."""
    found = [_facts(path, texts[path]) for path in sorted(texts, key=_place)]
    stack = [part for one in found for part in one.stack]
    target = next(iter(_TARGET.findall(texts.get("tsconfig.json", ""))), "").casefold()
    ordered = [*sorted(stack, key=lambda part: part != "typescript"), *(one.build_tool for one in found), target]
    return Facts(
        name=next((one.name for one in found if one.name), ""),
        stack=tuple(part for part in dict.fromkeys(ordered) if part),
        test_framework=next((one.test_framework for one in found if one.test_framework), ""),
        build_tool=next((one.build_tool for one in found if one.build_tool), ""),
    )


def _place(path: str) -> tuple[int, str, int]:
    folder, _, name = path.rpartition("/")
    return path.count("/"), folder, list(MANIFESTS).index(name)


def _facts(path: str, text: str) -> Facts:
    """What one manifest says; one in a folder of the project does not say how the whole is called."""
    manifest = MANIFESTS[path.rpartition("/")[2]]
    packages = _packages(manifest, text)
    named = None if "/" in path else re.search(manifest.name, text, re.MULTILINE)
    stack = [part for package, part in manifest.stack_of.items() if package in packages]
    is_node_test = manifest is _NODE and _NODE_TEST.search(text) is not None
    return Facts(
        name=plain_name(named[1]) if named else "",
        stack=(*manifest.stack, *stack),
        test_framework="node:test" if is_node_test else _first(manifest.tests, packages) or manifest.test_framework,
        build_tool=_first(manifest.builds, packages) or manifest.build_tool,
    )


def _packages(manifest: Manifest, text: str) -> frozenset[str]:
    known = sorted({*manifest.stack_of, *manifest.tests, *manifest.builds}, key=len, reverse=True)
    words = f"({'|'.join(map(re.escape, known))})"
    found = re.findall(manifest.package.replace("{}", words), text, re.MULTILINE | re.IGNORECASE) if known else []
    # `minAppVersion` is no package, and has capitals.
    return frozenset(known) & {*found, *(word.casefold() for word in found)}


def _first(table: Mapping[str, str], packages: frozenset[str]) -> str:
    return next((tool for package, tool in table.items() if package in packages), "")


def plain_name(text: str) -> str:
    """A name from a file as one short line."""
    return visible(" ".join(text.split()))[:LONGEST_NAME]


def specialists(stack: Iterable[str]) -> tuple[str, ...]:
    """The specialists that the domain reviewer is made of, the general ones first; the generic one for other stacks."""
    parts = frozenset(stack)
    return tuple(name for name, needs in SPECIALISTS.items() if needs & parts) or (GENERIC,)
