"""What pyproject.toml, setup.cfg and requirements.txt say about a project, and which packages tell what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from review_gate.prompts.project.facts import Facts, UnreadableManifestError, known, mapping, plain_name, words
from review_gate.prompts.project.toml_document import toml_document

_FRAMEWORKS: Mapping[str, tuple[str, ...]] = {
    name: (name,)
    for name in (
        *("fastapi", "django", "flask", "starlette", "litestar", "aiohttp", "tornado", "sanic", "celery"),
        *("sqlalchemy", "pydantic", "click", "typer", "streamlit", "numpy", "pandas", "torch", "tensorflow"),
    )
}
_TEST_TOOLS = ("pytest", "tox", "nox")
_BUILD_TOOLS = ("hatchling", "setuptools", "poetry", "flit", "pdm", "maturin", "scikit-build", "meson", "uv")
_NAME = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)")
_RUNS_UNITTEST = re.compile(r"-m\s+unittest\b|\bunittest\s+discover\b")
_LINES = re.compile(r"[\n;,]+")


def python_facts(name: str, packages: Iterable[str], *, build_tool: str = "", test_framework: str = "") -> Facts:
    """What follows from the packages that a Python project needs."""
    found = [one for one in map(package_name, packages) if one]
    # Whoever needs pytest-django needs pytest, which often stands nowhere else.
    tests = next((tool for tool in _TEST_TOOLS if any(one == tool or one.startswith(f"{tool}-") for one in found)), "")
    return Facts(
        name=plain_name(name),
        stack=("python", *known(found, _FRAMEWORKS)),
        test_framework=test_framework or tests,
        build_tool=build_tool,
    )


def package_name(requirement: str) -> str:
    """The name in a requirement, written as package indexes compare names; empty where it names none."""
    found = _NAME.match(requirement)
    return re.sub(r"[-_.]+", "-", found[1]).casefold() if found else ""


def pyproject_toml(text: str) -> Facts:
    """What a pyproject.toml says."""
    document = toml_document(text)
    tools = mapping(document, "tool")
    named = mapping(document, "project").get("name") or mapping(tools, "poetry").get("name")
    # A table of a test tool says that it is used even where no list of packages names it.
    by_table = next((tool for tool in _TEST_TOOLS if tool in tools), "")
    facts = python_facts(plain_name(named), _packages(document), build_tool=_build_tool(document))
    by_command = "unittest" if _RUNS_UNITTEST.search(text) else ""
    return facts.model_copy(update={"test_framework": _pytest_first(facts.test_framework, by_table) or by_command})


def _pytest_first(*found: str) -> str:
    return next((tool for tool in _TEST_TOOLS if tool in found), "")


def _packages(document: Mapping[str, object]) -> Iterator[str]:
    yield from words(mapping(document, "project").get("dependencies"))
    pdm = mapping(document, "tool", "pdm", "dev-dependencies")
    for groups in (mapping(document, "project", "optional-dependencies"), mapping(document, "dependency-groups"), pdm):
        for listed in groups.values():
            yield from words(listed)
    poetry = mapping(document, "tool", "poetry")
    yield from mapping(poetry, "dependencies")
    yield from mapping(poetry, "dev-dependencies")
    for group in mapping(poetry, "group").values():
        yield from mapping(group, "dependencies")


def _build_tool(document: Mapping[str, object]) -> str:
    """The tool behind [build-system]; without that, pip takes setuptools, unless another one has its own table."""
    system = mapping(document, "build-system")
    backend = system.get("build-backend")
    names = [backend] if isinstance(backend, str) else []
    names += [package_name(one) for one in words(system.get("requires"))]
    if not names:
        names = [tool for tool in ("poetry", "flit", "pdm") if tool in mapping(document, "tool")]
    return next((tool for name in names for tool in _BUILD_TOOLS if _is_of(tool, name)), "")


def _is_of(tool: str, name: str) -> bool:
    """`poetry.core.masonry.api` and `poetry-core` are of poetry."""
    return re.split(r"[._-]", name)[0] == tool or name.replace("_", "-").startswith(f"{tool}-")


def setup_cfg(text: str) -> Facts:
    """What a setup.cfg says; one without metadata configures only tools, and those are tools of Python."""
    import configparser

    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        number = getattr(error, "lineno", None)
        raise UnreadableManifestError(f"it is no configuration file{f' in line {number}' if number else ''}") from None
    extras = parser["options.extras_require"].values() if parser.has_section("options.extras_require") else ()
    listed = [parser.get("options", key, fallback="") for key in ("install_requires", "tests_require")]
    by_table = "pytest" if parser.has_section("tool:pytest") else ""
    name = parser.get("metadata", "name", fallback="")
    return python_facts(
        name,
        (line for value in (*listed, *extras) for line in _LINES.split(value)),
        build_tool="setuptools" if name else "",
        test_framework=by_table,
    )


def requirements_txt(text: str) -> Facts:
    """What a requirements.txt says; options and addresses in it are no packages."""
    lines = (line.strip() for line in text.splitlines())
    return python_facts("", (line for line in lines if line and not line.startswith(("#", "-", "http", "git+", "."))))
