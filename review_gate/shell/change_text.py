"""A change as a reviewer reads it: each file's new and old lines with some context, from objects alone."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from review_gate.gate.record import EMPTY_TREES
from review_gate.models import Subject
from review_gate.pipeline.exhibit import FileText
from review_gate.shell.added_lines import PLAIN
from review_gate.shell.change_facts import MOST_LARGE, large_files, without
from review_gate.shell.changes import EXECUTABLE_MODE, LINK_MODE, SUBMODULE_MODE, Change
from review_gate.shell.git import Git

CONTEXT_LINES = 12
# `-a`: attributes of the repository must not hide a file; what is binary shows by itself.
_PATCH = ("-r", "-p", f"-U{CONTEXT_LINES}", "-a", "--raw", "-z", "--no-renames", "--no-ext-diff", "--no-textconv")
BINARY = "it is binary"
SUBMODULE = "it is a submodule, whose commits are reviewed in its own repository"
# More text than this no model is shown; the files behind it are listed.
MOST_BYTES = 8_000_000
TOO_MUCH = "it is larger than a model can be shown"
_NUL = b"\0"
MOST_MESSAGES = 50
LONGEST_MESSAGE = 4_000
# Nothing, then the message: between names there is never nothing.
_MARKED = "--format=%x00%B"
# What stands before the text of each line that is shown.
_BEFORE_TEXT = re.compile(r" *[0-9]* [+ -]")


def changed_texts(git: Git, subject: Subject, changes: Sequence[Change]) -> list[FileText]:
    """Every changed file, those too that have nothing to read."""
    large = large_files(git, changes)
    patches = dict(_patches(git, subject, large)) if len(large) <= MOST_LARGE else {}
    unseen = frozenset(large)
    found: list[FileText] = []
    left = MOST_BYTES
    for change in changes:
        patch = patches.get(change.path, b"") if change.path not in unseen and patches else None
        text = _file_text(change, patch, left)
        left -= sum(map(len, text.lines))
        found.append(text)
    return found


def _patches(git: Git, subject: Subject, large: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Path and patch of each file, from raw entries that are followed by their patches in the same order."""
    arguments = (*_PATCH, "--no-color", *PLAIN, subject.base, subject.tree, *without(large))
    raw, _, patches = git.run("diff-tree", *arguments).partition(b"\0\0")
    fields = raw.split(_NUL)
    pieces = iter(_pieces(patches))
    for header, path in zip(fields[0::2], fields[1::2], strict=False):
        # A file that becomes a link is one entry with two patches: gone, and new.
        whole = b"".join(next(pieces, b"") for _ in range(2 if header[-1:] == b"T" else 1))
        yield os.fsdecode(path), whole


def _pieces(patches: bytes) -> Iterator[bytes]:
    start = 0 if patches.startswith(b"diff --git ") else -1
    while start >= 0:
        # Every line of content begins with a sign, so only git's own headings begin like this.
        end = patches.find(b"\ndiff --git ", start)
        yield patches[start:] if end < 0 else patches[start : end + 1]
        start = end + 1 if end >= 0 else -1


def _file_text(change: Change, patch: bytes | None, left: int) -> FileText:
    about = _about(change)
    if change.mode == SUBMODULE_MODE:
        return FileText(change.path, about, (), SUBMODULE)
    if patch is None:
        return FileText(change.path, about, (), TOO_MUCH)
    body = _body(patch)
    if _NUL in body:
        return FileText(change.path, about, (), BINARY)
    if len(body) > left:
        return FileText(change.path, about, (), TOO_MUCH)
    return FileText(change.path, about, tuple(_numbered(body.decode("utf-8", "replace").split("\n"))))


def _about(change: Change) -> str:
    """What became of a file, as far as no line of it tells."""
    if change.oid is None:
        return "deleted"
    what = "new" if change.old_oid is None else "changed"
    if change.mode == LINK_MODE:
        return f"{what} symbolic link"
    was, is_now = change.old_mode == EXECUTABLE_MODE, change.mode == EXECUTABLE_MODE
    return what if was == is_now else f"{what} and executable" if is_now else f"{what} and no longer executable"


def _body(patch: bytes) -> bytes:
    """A patch from its first hunk on."""
    start = patch.find(b"\n@@ ")
    return patch[start + 1 :] if start >= 0 else b""


def _numbered(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a patch, each with its number in the new version."""
    number = 0
    for line in lines:
        if line.startswith("@@ "):
            number = int(line.split(" ")[2].partition(",")[0].lstrip("+"))
            yield "..."
        elif line.startswith("-"):
            yield f"{'':>6} {line}"
        elif line.startswith(("+", " ")):
            yield f"{number:>6} {line}"
            number += 1


def with_stand_ins(lines: Sequence[str], secret: Mapping[str, str]) -> tuple[tuple[str, ...], int]:
    """The lines of a file as they are shown, with others for some of them, and how many were changed so."""
    shown: list[str] = []
    for line in lines:
        before = _BEFORE_TEXT.match(line)
        at = before.end() if before else 0
        shown.append(line[:at] + secret.get(line[at:], line[at:]))
    return tuple(shown), sum(one != other for one, other in zip(shown, lines, strict=True))


def commit_messages(git: Git, subject: Subject) -> tuple[str, ...]:
    """What the commits of a change say of it, newest first; nothing for what is only staged."""
    said = _log(git, subject, "-z", "--format=%B", most=MOST_MESSAGES + 1).decode("utf-8", "replace").split("\0")
    return tuple(message.strip() for message in said if message.strip())


def as_shown(messages: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """The messages as models are shown them, and whether something of them is cut off."""
    shown = tuple(message[:LONGEST_MESSAGE] for message in messages[:MOST_MESSAGES])
    return shown, len(messages) > MOST_MESSAGES or any(len(message) > LONGEST_MESSAGE for message in messages)


def messages_by_path(git: Git, subject: Subject) -> dict[str, tuple[str, ...]]:
    """The same for each file: what the commits that touch it say, a merge for what it brings to any of its sides."""
    found: dict[str, list[str]] = {}
    fields = iter(os.fsdecode(_log(git, subject, "-z", "-m", "-r", "--name-only", "--no-renames", _MARKED)).split("\0"))
    message = ""
    for field in fields:
        if not field:
            # No name is empty: here begins a commit, whose message may be.
            message = next(fields, "")
        else:
            found.setdefault(field.removeprefix("\n"), []).append(message)
    return {path: tuple(messages) for path, messages in found.items()}


def _log(git: Git, subject: Subject, *options: str, most: int = MOST_MESSAGES) -> bytes:
    if subject.commit is None:
        return b""
    since = [] if subject.base in EMPTY_TREES else [f"^{subject.base}"]
    return git.run("log", f"--max-count={most}", *options, "--end-of-options", subject.commit, *since)
