"""Which test command a project has, judged from the files at its top and the names of its tests."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from review_gate.models import Frozen

# A requirement or a key of that name, or of a plugin's; `pytest.ini` is neither.
NEEDS_PYTEST = r"""(?:^\s*|["'])pytest(?![\w.])"""
PYTEST, GO, CARGO, MAKE = ("pytest",), ("go", "test", "./..."), ("cargo", "test"), ("make", "test")
# A rule for `test`, perhaps among other targets; `test:=` and `test = a:b` set a variable of that name.
MAKE_RULE = r"^(?:[^\s:=#]+ +)*test(?: +[^\s:=#]+)* *::?(?!:?=)"
# The most specific first: a command, the file that speaks of it, and what has to stand in that file.
SIGNS = (
    *((PYTEST, name, "") for name in ("pytest.ini", "conftest.py", "tests/conftest.py")),
    (PYTEST, "pyproject.toml", rf"^\[tool\.pytest|{NEEDS_PYTEST}"),
    (PYTEST, "tox.ini", r"^\[pytest\]|^(?:commands *=|[ \t]).*\bpytest\b"),
    (PYTEST, "setup.cfg", r"^\[tool:pytest\]"),
    *((PYTEST, f"requirements{name}.txt", NEEDS_PYTEST) for name in ("", "-dev", "-test", "/dev", "/test")),
    *((PYTEST, f"{name}-requirements.txt", NEEDS_PYTEST) for name in ("dev", "test")),
    (GO, "go.mod", ""),
    (CARGO, "Cargo.toml", r"^\[(?:package|workspace)\]"),
    *((MAKE, name, MAKE_RULE) for name in ("GNUmakefile", "makefile", "Makefile")),
)
# What is read to find out; nothing of it is ever run to find out.
TELLING_FILES = (*(name for _, name, _ in SIGNS), "package.json")
# Where the names of files tell.
TEST_FOLDERS = ("tests", "test")
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
    found: dict[tuple[str, ...], str] = {}
    for argv, because in (
        *_signs(files, (PYTEST,)),
        *_names(test_files),
        *_npm(files),
        *_signs(files, (GO, CARGO, MAKE)),
    ):
        found.setdefault(argv, because)
    return tuple(FoundTests(argv=argv, because=because) for argv, because in found.items())


def _signs(files: Mapping[str, str], commands: Sequence[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], str]]:
    for argv, name, pattern in SIGNS:
        if argv in commands and name in files and re.search(pattern, files[name], re.MULTILINE):
            yield argv, name


def _names(test_files: Sequence[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    return ((PYTEST, name) for name in test_files if PYTEST_FILE.fullmatch(name))


def _npm(files: Mapping[str, str]) -> Iterator[tuple[tuple[str, ...], str]]:
    try:
        package = json.loads(files.get("package.json", "null"))
    except (ValueError, RecursionError):
        return
    scripts = package.get("scripts") if isinstance(package, dict) else None
    script = scripts.get("test") if isinstance(scripts, dict) else None
    if isinstance(script, str) and script.strip() and NPM_PLACEHOLDER not in script:
        yield ("npm", "test"), "package.json"
