"""Whether the files that decide what is looked for are the ones that a review is about."""

from __future__ import annotations

import os

from review_gate.checks.limits import MAX_FILE_BYTES
from review_gate.shell.files import UnsafeFileError, own_name, read_plain_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.repository import Repository

FOLDERS = ("checks", "rules", ".claude/rules")
SUFFIXES = (".yaml", ".yml", ".md")
CLAUDE = "CLAUDE.md"


def differing_check_files(repository: Repository, tree: str, baseline: str | None) -> list[str]:
    """The project's files with checks, and its baseline, that a tree has in another version than the disk."""
    found = _on_disk(repository.top, baseline)
    committed = _in_tree(repository, tree, found, baseline)
    if not committed and not found:
        return []
    with repository.git.objects() as objects:
        return [
            name
            for name in sorted({*committed, *found})
            if _content(repository.top, name)
            != (held.data if (held := objects.read(committed.get(name, "?"))) else None)
        ]


def _in_tree(repository: Repository, tree: str, found: set[str], baseline: str | None) -> dict[str, str]:
    """Path and blob of each such file in a tree."""
    wanted = [*FOLDERS, CLAUDE, *([baseline] if baseline else []), *found]
    listed = repository.git.run("ls-tree", "-r", "-z", "--full-tree", tree, "--", *wanted)
    entries = (entry.partition("\t") for entry in listed.decode("utf-8", "surrogateescape").split("\0") if entry)
    return {path: header.split(" ")[2] for header, _, path in entries if path in found or counts(path, baseline)}


def _on_disk(top: str, baseline: str | None) -> set[str]:
    """The files on disk, and for a link what it leads to as well."""
    names = [
        f"{folder}/{name}"
        for folder in FOLDERS
        if os.path.isdir(os.path.join(top, folder))
        for name in os.listdir(os.path.join(top, folder))
    ]
    others = [name for name in (CLAUDE, baseline) if name and os.path.isfile(os.path.join(top, name))]
    found = [*filter(lambda name: counts(name, baseline), names), *others]
    links = {name for name in found if os.path.islink(os.path.join(top, name))}
    return {*links, *(own_name(os.path.join(top, name), top, name) for name in found)}


def counts(path: str, baseline: str | None) -> bool:
    """Whether a file of the project is one of them."""
    folder, _, name = path.rpartition("/")
    return path in (CLAUDE, baseline) or (folder in FOLDERS and name.lower().endswith(SUFFIXES))


def _content(top: str, name: str) -> bytes | None:
    """A file as git keeps it: of a link where it leads to."""
    path = os.path.join(top, name)
    try:
        return os.fsencode(os.readlink(path)) if os.path.islink(path) else read_plain_file(path, MAX_FILE_BYTES)
    except UnsafeFileError:
        return None
