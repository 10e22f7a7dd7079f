"""Which test command a project has, judged from the files at its top."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping

from review_gate.models import Frozen

# What is read to find out; nothing of it is ever run to find out.
TELLING_FILES = (
    "pytest.ini",
    "pyproject.toml",
    "tox.ini",
    "setup.cfg",
    "conftest.py",
    "tests/conftest.py",
    "package.json",
    "go.mod",
    "Cargo.toml",
    "Makefile",
    "makefile",
    "GNUmakefile",
)
NPM_PLACEHOLDER = "no test specified"


class FoundTests(Frozen):
    """A test command and the file that gave it away."""

    argv: tuple[str, ...]
    because: str

    @property
    def command(self) -> str:
        """The command as one would type it."""
        return " ".join(self.argv)


def find_tests(files: Mapping[str, str]) -> tuple[FoundTests, ...]:
    """Every test command the files speak of, the most specific first; `files` maps names to their text."""
    finders = (_pytest, _npm, _go, _cargo, _make)
    return tuple(found for finder in finders if (found := finder(files)) is not None)


def _pytest(files: Mapping[str, str]) -> FoundTests | None:
    marks = {"pyproject.toml": "[tool.pytest", "tox.ini": "[pytest]", "setup.cfg": "[tool:pytest]"}
    for name in ("pytest.ini", "conftest.py", "tests/conftest.py"):
        if name in files:
            return FoundTests(argv=("pytest",), because=name)
    for name, mark in marks.items():
        if mark in files.get(name, ""):
            return FoundTests(argv=("pytest",), because=name)
    return None


def _npm(files: Mapping[str, str]) -> FoundTests | None:
    try:
        package = json.loads(files.get("package.json", "null"))
    except (ValueError, RecursionError):
        return None
    scripts = package.get("scripts") if isinstance(package, dict) else None
    script = scripts.get("test") if isinstance(scripts, dict) else None
    if not isinstance(script, str) or not script.strip() or NPM_PLACEHOLDER in script:
        return None
    return FoundTests(argv=("npm", "test"), because="package.json")


def _go(files: Mapping[str, str]) -> FoundTests | None:
    return FoundTests(argv=("go", "test", "./..."), because="go.mod") if "go.mod" in files else None


def _cargo(files: Mapping[str, str]) -> FoundTests | None:
    try:
        manifest = tomllib.loads(files.get("Cargo.toml", ""))
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
    if not manifest.keys() & {"package", "workspace"}:
        return None
    return FoundTests(argv=("cargo", "test"), because="Cargo.toml")


def _make(files: Mapping[str, str]) -> FoundTests | None:
    for name in ("GNUmakefile", "makefile", "Makefile"):
        # `test:=`, `test::=` and `test:::=` set a variable of that name.
        lines = [line for line in files.get(name, "").splitlines() if line.startswith("test:")]
        if any(not line[len("test") :].lstrip(":").startswith("=") for line in lines):
            return FoundTests(argv=("make", "test"), because=name)
    return None
