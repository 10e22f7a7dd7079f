"""Whether the files that decide what is looked for are the ones that a review is about."""

from __future__ import annotations

import os

from review_gate.checks.limits import MAX_FILE_BYTES
from review_gate.shell.files import UnsafeFileError, read_plain_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.repository import Repository

FOLDERS = ("checks", "rules", ".claude/rules")
SUFFIXES = (".yaml", ".yml", ".md")
CLAUDE = "CLAUDE.md"


def differing_check_files(repository: Repository, tree: str, baseline: str | None) -> list[str]:
    """The project's files with checks, and its baseline, that a tree has in another version than the disk."""
    committed = _in_tree(repository, tree, baseline)
    names = {*committed, *_on_disk(repository.top, baseline)}
    with repository.git.objects() as objects:
        return [
            name
            for name in sorted(names)
            if _content(repository.top, name)
            != (found.data if (found := objects.read(committed.get(name, "?"))) else None)
        ]


def _in_tree(repository: Repository, tree: str, baseline: str | None) -> dict[str, str]:
    """Path and blob of each such file in a tree."""
    wanted = [*FOLDERS, CLAUDE, *([baseline] if baseline else [])]
    listed = repository.git.run("ls-tree", "-r", "-z", "--full-tree", tree, "--", *wanted)
    entries = (entry.partition("\t") for entry in listed.decode("utf-8", "surrogateescape").split("\0") if entry)
    return {path: header.split(" ")[2] for header, _, path in entries if counts(path, baseline)}


def _on_disk(top: str, baseline: str | None) -> list[str]:
    names = [
        f"{folder}/{name}"
        for folder in FOLDERS
        if os.path.isdir(os.path.join(top, folder))
        for name in os.listdir(os.path.join(top, folder))
    ]
    others = [name for name in (CLAUDE, baseline) if name and os.path.isfile(os.path.join(top, name))]
    return [*filter(lambda name: counts(name, baseline), names), *others]


def counts(path: str, baseline: str | None) -> bool:
    """Whether a file of the project is one of them."""
    folder, _, name = path.rpartition("/")
    return path in (CLAUDE, baseline) or (folder in FOLDERS and name.lower().endswith(SUFFIXES))


def _content(top: str, name: str) -> bytes | None:
    try:
        return read_plain_file(os.path.realpath(os.path.join(top, name)), MAX_FILE_BYTES)
    except UnsafeFileError:
        return None
