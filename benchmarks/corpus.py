"""A large body of real text: the source archive of Django, as a plain folder and as repositories with rules in them."""

from __future__ import annotations

import os
import shutil
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.repositories import Repo, empty_repository
from benchmarks.rule_sets import BenchRule, checks_file
from benchmarks.world import FailedToRunError, World, run_checked
from review_gate.reviewers.text import is_binary

# A release with long support: the same text for years.
REQUIREMENT = "django==5.2.*"
DOWNLOAD = ("-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", REQUIREMENT, "--dest")
# A busy machine must not make a scan give up. No shipped packs: what is looked for is what the other programs look for.
SETTINGS = "version: 1\nchecks: {packs: [], seconds_per_file: 60}\n"


def corpus(world: World) -> Path:
    """The folder with the files, downloaded by the first run that needs it."""
    folder = world.root / "django"
    if not folder.exists():
        scratch = world.work / "download"
        run_checked((sys.executable, *DOWNLOAD, str(scratch)), world.root, world.installing_environ)
        archive = next(scratch.glob("*.tar.gz"), None)
        if archive is None:
            raise FailedToRunError(f"{REQUIREMENT}: pip downloaded no source archive")
        with tarfile.open(archive) as opened:
            opened.extractall(scratch, filter="data")
        next(path for path in scratch.iterdir() if path.is_dir()).rename(folder)
    return folder


def text_size(folder: Path) -> tuple[int, float]:
    """How many text files there are, and how many megabytes they have."""
    texts = [data for path in folder.rglob("*") if path.is_file() and not is_binary(data := path.read_bytes())]
    return len(texts), sum(map(len, texts)) / 1e6


def corpus_repository(world: World, name: str, rules: Sequence[BenchRule]) -> Repo:
    """A repository of these files with rules of its own; all of them share the files on disk."""
    repo = Repo(world.work / name, world.work / "tree", world.environ)
    if repo.path.exists():
        return repo
    _fill(repo, world)
    repo.write(rule_files(rules))
    repo.git("add", "--force", *rule_files(rules))
    return repo


def rule_files(rules: Sequence[BenchRule]) -> dict[str, str]:
    """What a repository needs to have these checks and no others."""
    return {".review-gate.yaml": SETTINGS, "checks/rules.yaml": checks_file(rules)}


def _fill(repo: Repo, world: World) -> None:
    first = repo.remote
    if not first.exists():
        _make_first(world, first.name)
    clone = ("git", "clone", "--quiet", "--shared", "--no-checkout", str(first), str(repo.path))
    run_checked(clone, world.work, world.environ)
    shutil.copytree(first, repo.path, dirs_exist_ok=True, copy_function=os.link, ignore=lambda *_: {".git"})
    repo.git("read-tree", "HEAD")


def _make_first(world: World, name: str) -> None:
    repo = empty_repository(world, name)
    shutil.copytree(corpus(world), repo.path, dirs_exist_ok=True)
    # Also what the project itself ignores: every program sees the same files.
    repo.git("add", "--all", "--force")
    repo.git("commit", "--quiet", "--message", "Everything")
