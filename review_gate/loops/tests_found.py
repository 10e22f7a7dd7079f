"""Which test command a project has, judged from the files at its top and the names of its tests."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from review_gate.models import Frozen

REQUIREMENTS = (
    "requirements.txt",
    "requirements-dev.txt",
    "requirements-test.txt",
    "dev-requirements.txt",
    "test-requirements.txt",
    "requirements/dev.txt",
    "requirements/test.txt",
)
# What is read to find out; nothing of it is ever run to find out.
TELLING_FILES = (
    "pytest.ini",
    "pyproject.toml",
    "tox.ini",
    "setup.cfg",
    "conftest.py",
    "tests/conftest.py",
    *REQUIREMENTS,
    "package.json",
    "go.mod",
    "Cargo.toml",
    "Makefile",
    "makefile",
    "GNUmakefile",
)
# Where the names of files tell.
TEST_FOLDERS = ("tests", "test")
# A requirement or a key of that name, or of a plugin's; `pytest.ini` is neither.
PYTEST_NEEDED = re.compile(r"""(?:^\s*|["'])pytest(?![\w.])""", re.MULTILINE)
PYTEST_FILE = re.compile(r"(?:.*/)?(?:test_[^/]*|[^/]*_test)\.py")
NPM_PLACEHOLDER = "no test specified"


class FoundTests(Frozen):
    """A test command and the file that gave it away."""

    argv: tuple[str, ...]
    because: str

    @property
    def command(self) -> str:
        """The command as one would type it."""
        return " ".join(self.argv)


def find_tests(files: Mapping[str, str], test_files: Sequence[str] = ()) -> tuple[FoundTests, ...]:
    """Every test command the files speak of, the most specific first.

    `files` maps names to their text; of `test_files`, those in the folders for tests, the names are enough.
    """
    found = (_pytest(files, test_files), *(finder(files) for finder in (_npm, _go, _cargo, _make)))
    return tuple(one for one in found if one is not None)


def _pytest(files: Mapping[str, str], test_files: Sequence[str]) -> FoundTests | None:
    because = next(_speaking_of_pytest(files, test_files), None)
    return FoundTests(argv=("pytest",), because=because) if because else None


def _speaking_of_pytest(files: Mapping[str, str], test_files: Sequence[str]) -> Iterator[str]:
    marks = {"pyproject.toml": "[tool.pytest", "tox.ini": "[pytest]", "setup.cfg": "[tool:pytest]"}
    yield from (name for name in ("pytest.ini", "conftest.py", "tests/conftest.py") if name in files)
    yield from (name for name, mark in marks.items() if mark in files.get(name, ""))
    yield from (name for name in ("pyproject.toml", *REQUIREMENTS) if PYTEST_NEEDED.search(files.get(name, "")))
    yield from ("tox.ini" for commands in _tox_commands(files) if re.search(r"\bpytest\b", commands))
    yield from (name for name in test_files if PYTEST_FILE.fullmatch(name))


def _tox_commands(files: Mapping[str, str]) -> list[str]:
    if "tox.ini" not in files:
        return []
    import configparser

    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(files["tox.ini"])
    except configparser.Error:
        return []
    return [parser.get(section, "commands", fallback="") for section in parser.sections()]


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
    if "Cargo.toml" not in files:
        return None
    import tomllib

    try:
        manifest = tomllib.loads(files["Cargo.toml"])
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
    if not manifest.keys() & {"package", "workspace"}:
        return None
    return FoundTests(argv=("cargo", "test"), because="Cargo.toml")


def _make(files: Mapping[str, str]) -> FoundTests | None:
    for name in ("GNUmakefile", "makefile", "Makefile"):
        if any(_is_test_rule(line) for line in files.get(name, "").splitlines()):
            return FoundTests(argv=("make", "test"), because=name)
    return None


def _is_test_rule(line: str) -> bool:
    """Whether a line of a makefile begins a rule for `test`, perhaps among other targets."""
    targets, colon, rest = line.partition(":")
    # A tab begins a recipe; `test:=`, `test::=` and `test = a:b` set a variable of that name.
    is_rule = bool(colon) and not line.startswith("\t") and not rest.lstrip(":").startswith("=")
    return is_rule and not {"#", "="} & set(targets) and "test" in targets.split()
