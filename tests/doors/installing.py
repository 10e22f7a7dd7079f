"""Steps of the tests about installation."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

from conftest import Repo, Result
from refusals import missing

from review_gate.shell.repository import open_repository
from review_gate.workflows import install as workflow
from review_gate.workflows.doctor import examine
from review_gate.workflows.uninstall import uninstall as take_out

PROJECT = Path(__file__).resolve().parents[2]
HOOKS = ("pre-commit", "commit-msg", "pre-push")
RECORDER = '#!/bin/sh\n{ echo "$#"; printf "%s\\n" "$@"; echo --; cat; } >> "$RECORD"\n'
NO_REF_LIST = """\
blocked: git's list of pushed refs is missing
  why:   the pre-push hook reads it from standard input and never guesses
  next:  git push, or review-gate verify
"""


def install(repo: Repo, *, with_watcher: bool = False) -> workflow.Installed:
    """What `review-gate install` does, without 0.4 s for a new process that imports the same modules."""
    return workflow.install(open_repository(str(repo.path)), with_watcher=with_watcher)


def uninstall(repo: Repo) -> list[str]:
    """What `review-gate uninstall` does."""
    return take_out(open_repository(str(repo.path)))


def complaints(repo: Repo) -> list[tuple[str, str]]:
    """What the doctor says is wrong, each with its next step."""
    return [(found.what, found.next_step) for found in examine(open_repository(str(repo.path))).complaints]


def typed_install(repo: Repo) -> Result:
    """`review-gate install`, typed by a user."""
    done = repo.gate("install")
    assert done.returncode == 0, done.stderr
    return done


def assert_gated(repo: Repo) -> None:
    done = repo.push("origin", "HEAD:refs/heads/probe")
    assert (done.returncode, done.stderr.split("error: ")[0]) == (1, missing(repo.head))
    assert repo.remote_ref("refs/heads/probe") is None


def assert_not_gated(repo: Repo) -> None:
    done = repo.push("--quiet", "origin", "HEAD:refs/heads/probe")
    assert done.returncode == 0, done.stderr
    assert repo.remote_ref("refs/heads/probe") == repo.head


def content_of(path: Path) -> bytes:
    if path.is_symlink():
        return os.fsencode(os.readlink(path))
    return b"" if path.is_dir() else path.read_bytes()


def snapshot(*folders: Path) -> dict[str, tuple[str, bytes]]:
    """Every path below some folders with its mode and its content; a link counts by where it points."""
    found = {}
    for path in sorted(path for folder in folders for path in folder.rglob("*")):
        found[str(path)] = (stat.filemode(path.lstat().st_mode), content_of(path))
    return found


def hooks_in(repo: Repo) -> set[str]:
    """The names in the hooks directory, without git's samples."""
    return {path.name for path in (repo.path / ".git/hooks").iterdir() if path.suffix != ".sample"}


def hook_file(repo: Repo, hook: str, text: str, mode: int = 0o755) -> Path:
    """A hook that somebody else put into the hooks directory."""
    path = repo.write(f".git/hooks/{hook}", text)
    path.chmod(mode)
    return path


def venv_at(path: Path) -> Path:
    """The interpreter of this test run under another path, which can be deleted."""
    path.symlink_to(Path(sys.executable).parent.parent)
    return path / "bin" / Path(sys.executable).name


def change_line(path: Path, start: str, line: str) -> None:
    """Replace the lines of a shim that start in a certain way."""
    lines = [line if old.startswith(start) else old for old in path.read_text().split("\n")]
    path.write_text("\n".join(lines))
