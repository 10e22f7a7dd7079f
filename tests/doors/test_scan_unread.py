"""review-gate scan of folders that cannot be read: each is named, and the scan has not passed."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from scanning import EVAL, ready, report, scan

from review_gate.shell.listing import unopened_folders

pytestmark = pytest.mark.usefixtures("same_world")
BAD = 'x = eval("1")\n'
DENIED = "it cannot be read: Permission denied"
TOO_LONG = "it cannot be read: File name too long"
# The superuser without the rights that open every folder.
POWERS = "-dac_override,-dac_read_search"
POWERLESS = ("setpriv", "--bounding-set", POWERS, "--inh-caps", POWERS)
needs_locks = pytest.mark.skipif(
    os.geteuid() == 0 and shutil.which("setpriv") is None, reason="the superuser can read everything"
)
LEVELS, NAME = 30, "d" * 200


@pytest.fixture
def checked(repo: Repo) -> Repo:
    return ready(repo, EVAL)


@pytest.fixture
def plain(tmp_path: Path, world: dict[str, str]) -> Repo:
    """A folder that belongs to no repository, with one file that is fine."""
    place = Repo(tmp_path / "plain", world)
    place.write("mine.yaml", json.dumps({"checks": [EVAL]}))
    place.write("fine.py", "x = 1\n")
    return place


@contextmanager
def locked(folder: Path, mode: int = 0) -> Iterator[None]:
    """A folder that nobody may read meanwhile."""
    folder.chmod(mode)
    yield
    folder.chmod(0o755)


def powerless(place: Repo, *arguments: str) -> dict[str, Any]:
    """The report of a scan by somebody for whom locks count."""
    before = POWERLESS if os.geteuid() == 0 else ()
    done = place.run(*before, "review-gate", "scan", "--format", "json", *arguments)
    assert (done.returncode, done.stderr) == (1, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def go_deep(place: Repo, name: str = NAME, levels: int = LEVELS) -> str:
    """Make a folder in a folder and so on, by default one whose path no system call takes, and a file in the last."""
    here = os.open(place.path, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(name, dir_fd=here)
        inner = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    with os.fdopen(os.open("bad.py", os.O_CREAT | os.O_WRONLY, dir_fd=here), "w") as file:
        file.write(BAD)
    os.close(here)
    return "/".join([name] * levels)


@needs_locks
def test_locked_folder_of_a_repository_is_named_by_a_scan(checked: Repo) -> None:
    checked.write("src/locked/bad.py", BAD)
    checked.write("src/fine.py", "x = 1\n")
    with locked(checked.path / "src/locked"):
        assert powerless(checked, "src")["failures"] == [f"src/locked/: {DENIED}"]


@needs_locks
def test_locked_folder_outside_a_repository_is_named_by_a_scan(plain: Repo) -> None:
    plain.write("src/locked/bad.py", BAD)
    with locked(plain.path / "src/locked"):
        found = powerless(plain, "--checks", "mine.yaml")
    assert (found["failures"], found["notes"]) == ([f"src/locked/: {DENIED}"], [])


@needs_locks
def test_files_of_a_folder_that_can_be_listed_and_not_entered_are_named(checked: Repo, plain: Repo) -> None:
    for place in (checked, plain):
        place.write("locked/bad.py", BAD)
        options = ("--checks", "mine.yaml") if place is plain else ()
        with locked(place.path / "locked", 0o444):
            assert powerless(place, *options)["failures"] == [f"locked/bad.py: {DENIED}"]


def test_folders_too_deep_for_a_path_are_named_outside_a_repository(plain: Repo) -> None:
    path = go_deep(plain)
    (failure,) = report(plain, "--checks", "mine.yaml")["failures"]
    assert failure.endswith(f"/: {TOO_LONG}")
    assert path.startswith(failure.removesuffix(f"/: {TOO_LONG}"))
    assert scan(plain, "--checks", "mine.yaml").returncode == 1


@pytest.mark.parametrize(
    ("said", "folders"),
    [
        ("warning: unable to access 'a/.gitignore': Permission denied\n", {}),
        ("warning: could not open directory 'it's': odd/': No such device\n", {"it's': odd/": "No such device"}),
        (
            "warning: could not open directory 'a/': Permission denied\n"
            "warning: unable to access 'c': Permission denied\n"
            "warning: could not open directory 'b/': Permission denied\n",
            {"a/": DENIED, "b/": DENIED},
        ),
        ("warning: could not open directory 'aaaaaa\n", {"aaaaaa": TOO_LONG}),
    ],
    ids=[
        "something else",
        "quotes in it",
        "several",
        "cut",
    ],
)
def test_what_git_says_of_folders_is_understood(said: str, folders: dict[str, str]) -> None:
    expected = {name: why if why.startswith("it ") else f"it cannot be read: {why}" for name, why in folders.items()}
    assert dict(unopened_folders(said.encode())) == expected
