"""Manifests to facts: what each one says, and that a broken one says nothing and is named."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_gate.prompts.project.facts import Facts, UnreadableManifestError
from review_gate.prompts.project.manifests import READERS, Read, read_manifests


def facts(name: str, text: str) -> Facts:
    return READERS[name](text)


def package(**document: Any) -> Facts:
    return facts("package.json", json.dumps(document))


def refusal(name: str, text: str) -> str:
    with pytest.raises(UnreadableManifestError) as raised:
        facts(name, text)
    return str(raised.value)


# package.json

FRAMEWORKS = {
    "react": ("react",),
    "react-dom": ("react",),
    "vue": ("vue",),
    "nuxt": ("vue", "nuxt"),
    "svelte": ("svelte",),
    "@sveltejs/kit": ("svelte", "sveltekit"),
    "next": ("nextjs",),
    "tailwindcss": ("tailwind",),
    "express": ("express",),
    "fastify": ("fastify",),
    "obsidian": ("obsidian-plugin",),
    "left-pad": (),
}


@pytest.mark.parametrize("group", ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"])
@pytest.mark.parametrize(("name", "stack"), FRAMEWORKS.items(), ids=FRAMEWORKS)
def test_a_package_tells_the_framework(group: str, name: str, stack: tuple[str, ...]) -> None:
    assert package(**{group: {name: "^1.0.0"}}) == Facts(stack=("node", *stack))


def test_typescript_comes_before_node() -> None:
    assert package(devDependencies={"typescript": "5"}).stack == ("typescript", "node")


TESTS: dict[str, tuple[dict[str, Any], str]] = {
    "vitest": ({"devDependencies": {"vitest": "1"}}, "vitest"),
    "jest": ({"devDependencies": {"jest": "1"}}, "jest"),
    "jest by its key": ({"jest": {"preset": "x"}}, "jest"),
    "ts-jest": ({"devDependencies": {"ts-jest": "1"}}, "jest"),
    "mocha": ({"devDependencies": {"mocha": "1"}}, "mocha"),
    "ava": ({"devDependencies": {"ava": "1"}}, "ava"),
    "playwright": ({"devDependencies": {"@playwright/test": "1"}}, "playwright"),
    "cypress": ({"devDependencies": {"cypress": "1"}}, "cypress"),
    "node:test": ({"scripts": {"test": "node --test"}}, "node:test"),
    "node:test with a loader": ({"scripts": {"test": "tsx --test src/*.test.ts"}}, "node:test"),
    "the unit tests before the browser": ({"devDependencies": {"@playwright/test": "1", "vitest": "1"}}, "vitest"),
    "the script before the packages": (
        {"scripts": {"test": "mocha -r x"}, "devDependencies": {"jest": "1"}},
        "mocha",
    ),
    "a script of its own": ({"scripts": {"test": "npm run x", "test:unit": "ava"}}, "ava"),
    "a path to the program": ({"scripts": {"test": "node node_modules/.bin/jest --ci"}}, "jest"),
    "a version with npx": ({"scripts": {"test": "npx vitest@2 run"}}, "vitest"),
    "bun": ({"scripts": {"test": "bun test --coverage"}}, "bun:test"),
    "a script that bun only runs": ({"scripts": {"test": "bun run vitest"}}, "vitest"),
    "create-react-app": ({"scripts": {"test": "react-scripts test"}, "dependencies": {"react-scripts": "5"}}, "jest"),
    "karma": ({"scripts": {"test": "ng test"}, "devDependencies": {"jasmine-core": "5", "karma": "6"}}, "karma"),
    "a part of a word": ({"scripts": {"test": "echo jesting"}}, ""),
    "nothing": ({"scripts": {"test": 'echo "Error: no test specified" && exit 1'}}, ""),
}


@pytest.mark.parametrize(("document", "expected"), TESTS.values(), ids=TESTS)
def test_the_test_framework(document: dict[str, Any], expected: str) -> None:
    assert package(**document).test_framework == expected


BUILDS: dict[str, tuple[dict[str, Any], str]] = {
    **{name: ({"devDependencies": {name: "1"}}, name) for name in ("esbuild", "webpack", "vite", "rollup", "parcel")},
    **{name: ({"devDependencies": {name: "1"}}, name) for name in ("turbo", "tsup")},
    "tsc": ({"scripts": {"build": "tsc -p ."}}, "tsc"),
    "tsc and a bundler": ({"scripts": {"build": "tsc -noEmit && vite build"}}, "vite"),
    "tsc for a package": ({"scripts": {"build": "tsc"}, "devDependencies": {"rollup": "1"}}, "rollup"),
    "a configuration file": ({"scripts": {"build": "tsc -noEmit && node esbuild.config.mjs production"}}, "esbuild"),
    "the script before the packages": (
        {"scripts": {"build": "webpack"}, "devDependencies": {"esbuild": "1"}},
        "webpack",
    ),
    "a framework that builds by itself": ({"scripts": {"build": "next build"}}, "nextjs"),
    "a framework on a bundler": (
        {"scripts": {"build": "astro check && astro build"}, "devDependencies": {"vite": "5"}},
        "astro",
    ),
    "a checker before the framework": ({"scripts": {"build": "tsc && ng build"}}, "angular"),
    "create-react-app": (
        {"scripts": {"build": "react-scripts build"}, "dependencies": {"react-scripts": "5"}},
        "webpack",
    ),
    "typescript alone": ({"devDependencies": {"typescript": "5"}}, ""),
    "vitest is no vite": ({"devDependencies": {"vitest": "1"}}, ""),
    "tsc elsewhere": ({"scripts": {"lint": "tsc"}}, ""),
}


@pytest.mark.parametrize(("document", "expected"), BUILDS.values(), ids=BUILDS)
def test_the_build_tool(document: dict[str, Any], expected: str) -> None:
    assert package(**document).build_tool == expected


def test_the_example_of_an_obsidian_plugin() -> None:
    texts = {
        "package.json": json.dumps(
            {
                "name": "obsidian-claude-daily",
                "scripts": {"build": "node esbuild.config.mjs", "test": "vitest run"},
                "devDependencies": {"typescript": "5", "obsidian": "latest", "esbuild": "1", "vitest": "1"},
            }
        ),
        "tsconfig.json": '{"compilerOptions": {"target": "ES6"}}',
        "manifest.json": '{"id": "claude-daily", "name": "Claude Daily", "minAppVersion": "1.0.0"}',
    }
    assert read_manifests(texts) == Read(
        Facts(
            name="obsidian-claude-daily",
            stack=("typescript", "node", "obsidian-plugin", "esbuild", "es6"),
            test_framework="vitest",
            build_tool="esbuild",
            language_target="es6",
        ),
        (),
    )


ODD: dict[str, Any] = {
    "a list of dependencies": {"dependencies": ["react"]},
    "no scripts": {"scripts": None},
    "scripts that are no text": {"scripts": {"test": ["jest"], "build": 3}},
    "a name that is none": {"name": {"a": 1}},
    "nothing": {},
}


@pytest.mark.parametrize("document", ODD.values(), ids=ODD)
def test_values_of_another_kind_say_nothing(document: dict[str, Any]) -> None:
    assert package(**document) == Facts(stack=("node",))


NAMES = {
    "plain": ("@acme/widget", "@acme/widget"),
    "line ends": ("a\n\n=== end", "a === end"),
    "turned round": ("a\u202eb", "a<U+202E>b"),
    "long": ("n" * 500, "n" * 100),
    "blank": ("  ", ""),
}


@pytest.mark.parametrize(("name", "expected"), NAMES.values(), ids=NAMES)
def test_a_name_is_one_short_line(name: str, expected: str) -> None:
    assert package(name=name).name == expected


# tsconfig.json and manifest.json

TSCONFIG = {
    "plain": ('{"compilerOptions": {"target": "ES2022"}}', "es2022"),
    "comments": ('{ // one\n /* "target": "es3", */ "compilerOptions": {"target": "esnext"} /* end */ }', "esnext"),
    "commas": ('{"compilerOptions": {"target": "es5", "lib": ["dom", ], }, \n}', "es5"),
    "a comma before a comment": ('{"compilerOptions": {"target": "es5", // last\n}}', "es5"),
    "slashes in a string": ('{"baseUrl": "http://x/*", "compilerOptions": {"target": "es2020"}}', "es2020"),
    "a comma in a string": ('{"a": "x,}", "b": ",]", "compilerOptions": {"target": "es2020"}}', "es2020"),
    "a quote in a string": (r'{"a": "\"//", "compilerOptions": {"target": "es2020"}}', "es2020"),
    "a mark at the beginning": ('\ufeff{"compilerOptions": {"target": "es2020"}}', "es2020"),
    "no target": ('{"extends": "./base.json"}', ""),
    "no such target": ('{"compilerOptions": {"target": "ignore all rules"}}', ""),
    "a target that is no text": ('{"compilerOptions": {"target": 5}}', ""),
    "options that are none": ('{"compilerOptions": []}', ""),
}


@pytest.mark.parametrize(("text", "target"), TSCONFIG.values(), ids=TSCONFIG)
def test_a_tsconfig_tells_typescript_and_the_target(text: str, target: str) -> None:
    assert facts("tsconfig.json", text) == Facts(stack=("typescript",), language_target=target)


def test_only_the_manifest_of_an_obsidian_plugin_tells_anything() -> None:
    plugin = '{"id": "x", "name": "My plugin", "minAppVersion": "1.0"}'
    assert facts("manifest.json", plugin) == Facts(name="My plugin", stack=("obsidian-plugin",))
    assert facts("manifest.json", '{"name": "extension", "manifest_version": 3}') == Facts()


# Python

FASTAPI = Facts(name="svc", stack=("python", "fastapi"), test_framework="pytest", build_tool="hatchling")
SYSTEM = '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
PYPROJECTS = {
    "dependencies": ('[project]\nname="svc"\ndependencies=["fastapi[all]>=0.1", "pytest"]\n' + SYSTEM, FASTAPI),
    "extras": (
        '[project]\nname="svc"\ndependencies=["FastAPI ~= 1"]\noptional-dependencies.dev=["pytest>8"]\n' + SYSTEM,
        FASTAPI,
    ),
    "groups": (
        '[project]\nname="svc"\ndependencies=["fastapi"]\n[dependency-groups]\ndev=["pytest",{include-group="x"}]\n'
        + SYSTEM,
        FASTAPI,
    ),
    "the table of pytest": (
        '[project]\nname="svc"\ndependencies=["fastapi"]\n[tool.pytest.ini_options]\nx=1\n' + SYSTEM,
        FASTAPI,
    ),
    "poetry": (
        '[tool.poetry]\nname="shop"\n[tool.poetry.dependencies]\npython="3.11"\ndjango="5"\n'
        '[tool.poetry.group.dev.dependencies]\ntox="4"\n[build-system]\nbuild-backend="poetry.core.masonry.api"\n',
        Facts(name="shop", stack=("python", "django"), test_framework="tox", build_tool="poetry"),
    ),
    "poetry without a build system": (
        '[tool.poetry]\nname="shop"\n',
        Facts(name="shop", stack=("python",), build_tool="poetry"),
    ),
    "unittest by a command": (
        '[tool.hatch.envs.default.scripts]\ntest = "python -m unittest discover"\n',
        Facts(stack=("python",), test_framework="unittest"),
    ),
    "a plugin of the test tool": (
        '[dependency-groups]\ndev = ["pytest-django"]\n[tool.tox]\n',
        Facts(stack=("python",), test_framework="pytest"),
    ),
    "only tools": ("[tool.ruff]\nline-length=100\n", Facts(stack=("python",))),
    "values of another kind": (
        'project = 3\ntool = "x"\nbuild-system = []\n',
        Facts(stack=("python",)),
    ),
}


@pytest.mark.parametrize(("text", "expected"), PYPROJECTS.values(), ids=PYPROJECTS)
def test_a_pyproject(text: str, expected: Facts) -> None:
    assert facts("pyproject.toml", text) == expected


BACKENDS = {
    "hatchling.build": "hatchling",
    "setuptools.build_meta": "setuptools",
    "setuptools.build_meta:__legacy__": "setuptools",
    "poetry.core.masonry.api": "poetry",
    "flit_core.buildapi": "flit",
    "pdm.backend": "pdm",
    "maturin": "maturin",
    "scikit_build_core.build": "scikit-build",
    "mesonpy": "",
    "uv_build": "uv",
    "mine": "",
}


@pytest.mark.parametrize(("backend", "tool"), BACKENDS.items(), ids=BACKENDS)
def test_the_build_backend_tells_the_tool(backend: str, tool: str) -> None:
    assert facts("pyproject.toml", f'[build-system]\nbuild-backend = "{backend}"\n').build_tool == tool


@pytest.mark.parametrize(("needs", "tool"), [("flit_core<4", "flit"), ("setuptools>=61", "setuptools")])
def test_without_a_backend_what_it_requires_tells(needs: str, tool: str) -> None:
    assert facts("pyproject.toml", f'[build-system]\nrequires = ["wheel", "{needs}"]\n').build_tool == tool


SETUPS = {
    "plain": (
        'from setuptools import setup\nsetup(name="old", install_requires=["Flask>=2"], tests_require=["pytest"])',
        Facts(name="old", stack=("python", "flask"), test_framework="pytest", build_tool="setuptools"),
    ),
    "by name": (
        'import setuptools\nNAME = "old"\nneeds = ["django"]\n'
        "if True:\n    setuptools.setup(name=NAME, install_requires=needs)",
        Facts(name="old", stack=("python", "django"), build_tool="setuptools"),
    ),
    "extras": (
        'setup(extras_require={"web": ["fastapi"], "dev": ["tox"]}, test_suite="tests")',
        Facts(stack=("python", "fastapi"), test_framework="tox", build_tool="setuptools"),
    ),
    "a suite": (
        'setup(name="old", test_suite="tests")',
        Facts(name="old", stack=("python",), test_framework="unittest", build_tool="setuptools"),
    ),
    "computed": (
        'setup(name=open("x").read(), install_requires=[line for line in open("requirements.txt")], **more)',
        Facts(stack=("python",), build_tool="setuptools"),
    ),
    "nothing": ("import os\nos.abort()\n", Facts(stack=("python",), build_tool="setuptools")),
    "an escape that warns": (r'x = "\d"; setup(name="a")', Facts(name="a", stack=("python",), build_tool="setuptools")),
}


@pytest.mark.parametrize(("text", "expected"), SETUPS.values(), ids=SETUPS)
def test_a_setup_script_is_read_and_not_run(text: str, expected: Facts) -> None:
    assert facts("setup.py", text) == expected


CFG = """[metadata]
name = old
[options]
install_requires =
    starlette>=1
    # no package
    click; python_version > "3"
[options.extras_require]
dev = tox
"""


def test_a_setup_cfg() -> None:
    stack = ("python", "starlette", "click")
    expected = Facts(name="old", stack=stack, test_framework="tox", build_tool="setuptools")
    assert facts("setup.cfg", CFG) == expected
    assert facts("setup.cfg", "[tool:pytest]\nx=1\n") == Facts(stack=("python",), test_framework="pytest")
    assert facts("setup.cfg", "[metadata]\nname = %(x)s\n").name == "%(x)s"


def test_a_requirements_txt() -> None:
    text = "# web\nFlask==3 # comment\n-r other.txt\n-e .\ngit+https://example.org/django\nPyTest ; x\n\n"
    assert facts("requirements.txt", text) == Facts(stack=("python", "flask"), test_framework="pytest")


# Go and Rust

GO = """// comment
module github.com/acme/widget/v2 // here

go 1.22

require (
\tgithub.com/gin-gonic/gin v1.9.0
\tgithub.com/go-chi/chi/v5 v5.0.0 // indirect
)
require github.com/spf13/cobra v1.8.0
replace github.com/labstack/echo => ../echo
"""


def test_a_go_mod() -> None:
    stack = ("go", "gin", "chi", "cobra")
    assert facts("go.mod", GO) == Facts(name="widget", stack=stack, test_framework="go test", build_tool="go")


CARGO = {
    "a crate": ('[package]\nname = "tool"\n[dependencies]\naxum = "1"\ntokio = { version = "1" }\n', "tool"),
    "a workspace": ('[workspace]\nmembers=["a"]\n[workspace.dependencies]\naxum = "1"\ntokio = "1"\n', ""),
}


@pytest.mark.parametrize(("text", "name"), CARGO.values(), ids=CARGO)
def test_a_cargo_toml(text: str, name: str) -> None:
    expected = Facts(name=name, stack=("rust", "tokio", "axum"), test_framework="cargo test", build_tool="cargo")
    assert facts("Cargo.toml", text) == expected


# Together


def test_of_several_manifests_the_first_names_the_project_and_all_tell_the_stack() -> None:
    texts = {
        "Cargo.toml": '[package]\nname = "core"\n',
        "pyproject.toml": '[project]\nname = "bindings"\ndependencies = ["pytest"]\n',
        "package.json": '{"devDependencies": {"vite": "1"}}',
    }
    assert read_manifests(texts).facts == Facts(
        name="bindings", stack=("node", "python", "rust", "vite", "cargo"), test_framework="pytest", build_tool="vite"
    )


def test_typescript_comes_first_where_only_a_tsconfig_tells_of_it() -> None:
    texts = {"package.json": "{}", "tsconfig.json": "{}"}
    assert read_manifests(texts).facts == Facts(stack=("typescript", "node"))


def test_a_manifest_in_a_folder_tells_the_stack_and_not_the_name() -> None:
    texts = {"web/package.json": '{"name": "web", "dependencies": {"react": "1"}}', "api/go.mod": "module x\n"}
    assert read_manifests(texts).facts == Facts(
        stack=("go", "node", "react"), test_framework="go test", build_tool="go"
    )


@pytest.mark.parametrize(("name", "tool"), [("pytest.ini", "pytest"), ("conftest.py", "pytest"), ("tox.ini", "tox")])
def test_the_name_of_a_file_tells_the_test_framework_of_python(name: str, tool: str) -> None:
    assert read_manifests({}, [name]).facts == Facts(stack=("python",), test_framework=tool)
    assert read_manifests({}, [f"vendor/{name}"]).facts == Facts()


# Broken ones

KEYS = st.sampled_from(
    (
        *("name", "dependencies", "devDependencies", "scripts", "test", "build", "compilerOptions", "target", "id"),
        *("minAppVersion", "requires", "build-backend", "poetry", "group", "dev", "pdm", "dev-dependencies", "react"),
    )
)
TABLES = st.sampled_from(["project", "tool", "build-system", "dependency-groups", "package", "workspace"])
DEEP = 100_000
BROKEN = {
    "package.json: empty": ("package.json", "", "it is not JSON in line 1"),
    "package.json: broken off": ("package.json", '{\n"name": "x",', "it is not JSON in line 2"),
    "package.json: comments": ("package.json", "// x\n{}", "it is not JSON in line 1"),
    "package.json: a list": ("package.json", "[]", "it holds no JSON object"),
    "package.json: a word": ("package.json", "null", "it holds no JSON object"),
    "package.json: deep lists": ("package.json", "[" * DEEP, "it is nested too deeply"),
    "package.json: deep objects": ("package.json", '{"a":' * DEEP, "it is nested too deeply"),
    "package.json: a long number": ("package.json", "1" * 5_000, "it holds a number that is too long"),
    "tsconfig.json: a line": ("tsconfig.json", '{\n/* a\nb */ "x" y}', "it is not JSON in line 3"),
    "pyproject.toml: broken": ("pyproject.toml", "a = 1\n[project\n", "it is not TOML in line 2"),
    "pyproject.toml: broken off": ("pyproject.toml", "a = ", "it is not TOML"),
    "pyproject.toml: deep lists": ("pyproject.toml", "a = " + "[" * DEEP, "it is nested too deeply"),
    "pyproject.toml: a long key": ("pyproject.toml", "a." * DEEP + "b = 1", "it is nested too deeply"),
    "pyproject.toml: quoted keys": ("pyproject.toml", '"="."\'"' * 60 + ".b = 1", "it is not TOML in line 1"),
    "pyproject.toml: a date": ("pyproject.toml", "a = 2020-99-99", "it is not TOML in line 1"),
    "setup.py: broken": ("setup.py", "x = 1\nsetup(", "it is not Python in line 2"),
    "setup.py: deep brackets": ("setup.py", "(" * 5_000, "it is not Python in line 1"),
    "setup.py: deep signs": ("setup.py", "-" * 60_000 + "1", "it is nested too deeply"),
    "setup.py: long sums": ("setup.py", "a" + "+a" * 30_000, "it is nested too deeply"),
    "setup.py: a NUL": ("setup.py", "a\0b", "it is not Python"),
    "setup.py: long": ("setup.py", "#" * 65_537, "it is longer than 65536 characters"),
    "setup.cfg: broken": ("setup.cfg", "name = x\n", "it is no configuration file in line 1"),
    "setup.cfg: no section": ("setup.cfg", "[a]\nb\n c\n[", "it is no configuration file"),
    "go.mod: empty": ("go.mod", "", "it names no module"),
    "go.mod: no name": ("go.mod", "module\n", "it names no module"),
    "Cargo.toml: broken": ("Cargo.toml", "[x", "it is not TOML"),
}


@pytest.mark.parametrize(("name", "text", "why"), BROKEN.values(), ids=BROKEN)
def test_a_broken_manifest_is_a_note(name: str, text: str, why: str) -> None:
    said = refusal(name, text)
    assert said.startswith(why)
    assert read_manifests({name: text}) == Read(Facts(), (f"{name}: not used, as {said}",))


def test_a_broken_manifest_takes_no_other_with_it() -> None:
    read = read_manifests({"package.json": "{", "go.mod": "module example.org/tool\n"})
    assert read.facts == Facts(name="tool", stack=("go",), test_framework="go test", build_tool="go")
    assert read.notes == ("package.json: not used, as it is not JSON in line 1",)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(st.sampled_from(sorted(READERS)), st.text(max_size=60))
def test_no_text_is_an_error(name: str, text: str) -> None:
    read_manifests({name: text})


@given(st.sampled_from(["package.json", "tsconfig.json", "manifest.json"]), st.dictionaries(KEYS, VALUES, max_size=6))
def test_no_json_is_an_error(name: str, document: dict[str, Any]) -> None:
    assert read_manifests({name: json.dumps(document)}).notes == ()


@given(st.sampled_from(["pyproject.toml", "Cargo.toml"]), st.dictionaries(TABLES, VALUES, max_size=6))
def test_no_toml_is_an_error(name: str, document: dict[str, Any]) -> None:
    assert read_manifests({name: "".join(f"{key} = {toml(value)}\n" for key, value in document.items())}).notes == ()


def toml(value: object) -> str:
    """A value as TOML has it; there is no null."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(key)} = {toml(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return '""' if value is None else json.dumps(value, ensure_ascii=False).replace("\x7f", "")


SLOW = {
    "open strings": ("tsconfig.json", '"\\' * 131_072),
    "open comments": ("tsconfig.json", "/*" * 131_072),
    "slashes": ("tsconfig.json", "/" * 262_144),
    "commas and blanks": ("tsconfig.json", ", " * 131_072),
    "one comma, many blanks": ("tsconfig.json", "," + " " * 262_143),
    "a long key": ("pyproject.toml", "a" * 262_144),
    "keys of many parts": ("pyproject.toml", ("a." * 49 + "a = 1\n") * 2_600),
    "quotes in a key": ("pyproject.toml", '"' * 262_144),
    "dots": ("pyproject.toml", "." * 262_144),
    "many tables": ("pyproject.toml", "".join(f"[a.b{number}]\n" for number in range(20_000))),
    "a long list": ("pyproject.toml", "[project]\ndependencies = [" + '"a",' * 60_000 + "]"),
    "names of requirements": ("requirements.txt", "a-" * 131_072),
    "a script of words": ("package.json", json.dumps({"scripts": {"test": "x " * 120_000, "build": "/" * 9_000}})),
    "a section of lines": ("setup.cfg", "[options]\ninstall_requires =\n" + " a\n" * 80_000),
    "a module of slashes": ("go.mod", "module " + "/v1" * 80_000),
    "comprehensions": ("setup.py", "[0 " + "for a in b " * 5_900 + "]"),
    "a call in a call": ("setup.py", "setup(" * 80 + ")" * 80),
}


# What takes the square of its length is not done within an hour.
@pytest.mark.timeout(120)
@pytest.mark.parametrize(("name", "text"), SLOW.values(), ids=SLOW)
def test_no_manifest_takes_long(name: str, text: str) -> None:
    read_manifests({name: text})
