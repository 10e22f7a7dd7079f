"""The tests' own PATH: nobody is asked because a machine happens to have a program."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from conftest import Repo, clean_world
from plain_path import ASKED


def program(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)


@pytest.mark.parametrize("name", ASKED)
def test_a_program_that_could_be_asked_is_not_found_and_its_neighbours_are(tmp_path: Path, name: str) -> None:
    program(tmp_path / "bin" / name)
    program(tmp_path / "bin/neighbour")
    environ = {**os.environ, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    path = clean_world(tmp_path / "home", environ)["PATH"]
    assert shutil.which(name, path=path) is None
    assert shutil.which("neighbour", path=path) is not None
    assert shutil.which("git", path=path) is not None


def test_no_test_finds_one_of_them(repo: Repo) -> None:
    assert [shutil.which(name, path=repo.environ["PATH"]) for name in ASKED] == [None] * len(ASKED)
