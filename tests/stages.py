"""Repositories at a stage that many tests begin with, made once by the program itself and then copied.

A copy costs no process; `review-gate install`, a review and a push cost twenty and more.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from conftest import Repo, in_git_config, make_world, place_repo

from review_gate.shell.sealed import seal, unsealed

# It tells of the files that lie beside it, so each repository has its own.
INDEX = "repo/.git/index"


class Stage(NamedTuple):
    """A folder with a home, a repository and its remote, and what is in it beyond a first commit."""

    root: Path
    added: tuple[str, ...]


def install(repo: Repo) -> None:
    """Our hooks, as `gated` has them."""
    done = repo.gate("install")
    assert done.returncode == 0, done.stderr


def record_and_push(repo: Repo) -> None:
    """The first commit on the remote, without a state file."""
    from pushing import publish

    publish(repo)


def review_and_push(repo: Repo) -> None:
    """The first commit on the remote, with all that a review leaves."""
    repo.review()
    done = repo.push("--quiet", "--set-upstream", "origin", "main")
    assert done.returncode == 0, done.stderr


STEPS: dict[str, tuple[Callable[[Repo], object], ...]] = {
    "gated": (install,),
    "opened": (install, record_and_push),
    "published": (install, review_and_push),
}


@cache
def stage(root: Path, templates: Path, name: str) -> Stage:
    """A repository that went through the steps of a stage."""
    repo = place_repo(root, make_world(root), templates, start="first")
    before = contents(root)
    for step in STEPS[name]:
        step(repo)
    after = contents(root)
    added = (path for path in after if path not in before or before[path] != after[path])
    return Stage(root, tuple(path for path in added if path != INDEX))


def contents(root: Path) -> dict[str, bytes | None]:
    """Every file and folder of a repository and its remote; a folder has no content."""
    found = [path for part in ("repo", "repo.git") for path in sorted((root / part).rglob("*"))]
    return {str(path.relative_to(root)): None if path.is_dir() else path.read_bytes() for path in found}


def bring_to(repo: Repo, stage: Stage) -> None:
    """Add to a repository with a first commit what a stage has more."""
    root = repo.path.parent
    for path in stage.added:
        target = root / path
        if (stage.root / path).is_dir():
            target.mkdir(exist_ok=True)
        else:
            shutil.copy2(stage.root / path, target)
            localize(target, stage.root, root)


def localize(file: Path, old: Path, new: Path) -> None:
    """Let a copied file with paths in it speak of the place where it is now."""
    if file.name == "config":
        before, after = (in_git_config(str(root / "repo.git")) for root in (old, new))
        file.write_text(file.read_text().replace(before, after))
    elif file.name == "install.json":
        file.write_text(moved(file.read_text(), old, new))
    elif file.name == "policy.json":
        file.write_bytes(seal(json.loads(moved(json.dumps(unsealed(file.read_bytes())), old, new))))


def moved(document: str, old: Path, new: Path) -> str:
    """JSON with other paths."""
    before, after = (json.dumps(str(root))[1:-1] for root in (old, new))
    return document.replace(before, after)
