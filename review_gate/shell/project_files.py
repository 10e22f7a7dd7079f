"""What the context of a prompt needs of a project's folder: a few small files, and names, read within limits.

Nothing is run, git included. No link leads out of the folder, and whatever is no plain file of a fair size is left out
with a note: a prompt is never kept waiting, nor shown what the project does not hold.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable

from review_gate.prompts.project.context import ProjectContext, ProjectFiles, project_context
from review_gate.prompts.project.listing import safe_path
from review_gate.prompts.project.manifests import MANIFESTS, has_parts
from review_gate.prompts.settings import ContextSettings
from review_gate.shell.files import UnsafeFileError, is_plainly_below, lies_in, read_plain_file
from review_gate.shell.folder_walk import Deadline, walked

SECONDS = 0.5
MOST_BYTES = 262_144
MOST_TEXT_BYTES = 1_000_000
# Claude Code reads either.
CLAUDE_MD = ("CLAUDE.md", ".claude/CLAUDE.md")
# So many manifests below the top are read, where there is none at the top or those at the top name parts.
MOST_INNER = 12
# packages/ui/package.json
PARTS_DEPTH = 3
OUT_OF_TIME = "not read, as reading the project took too long"
ABSOLUTE = "it is not a path in the project"
OUTSIDE = "it leads out of the project"
GIT_FOLDER = "it belongs to git"
MISSING = "there is no such file"
BEHIND_LINK = "its folder is a link, or lies behind one"
NOT_TEXT = "it is not UTF-8 at byte {}"
BINARY = "it is not a text"
NOTE = "{}: not read, as {}"


def context_of(folder: str, settings: ContextSettings, clock: Callable[[], float] = time.monotonic) -> ProjectContext:
    """What reviewers are told about the project in a folder; what tells most is read first."""
    reading = _Reading(os.path.abspath(folder), Deadline(clock, SECONDS))
    claude_md: dict[str, str] = {}
    for path in CLAUDE_MD if settings.include_claude_md else ():
        claude_md = claude_md or reading.texts([path], MOST_TEXT_BYTES)
    manifests = reading.texts(MANIFESTS, MOST_BYTES) if settings.include_package_json else {}
    extras = reading.texts(dict.fromkeys(settings.extra_files), MOST_TEXT_BYTES, is_named=True)
    listing = walked(reading.top, settings.structure_depth, reading.deadline)
    if settings.include_package_json and (not manifests or has_parts(manifests, listing.paths)):
        below = walked(reading.top, PARTS_DEPTH, reading.deadline).paths
        inner = [path for path in below if "/" in path and path.rpartition("/")[2] in MANIFESTS]
        manifests |= reading.texts(inner[:MOST_INNER], MOST_BYTES)
    files = ProjectFiles(
        folder=os.path.basename(reading.top),
        manifests=manifests,
        claude_md=next(iter(claude_md.values()), None),
        extra_files=extras,
        notes=tuple(reading.notes),
    )
    return project_context(files, listing, settings)


class _Reading:
    """Files of one folder, with notes on those that are not read."""

    def __init__(self, top: str, deadline: Deadline) -> None:
        self.top = top
        self.deadline = deadline
        self.notes: list[str] = []

    def texts(self, paths: Iterable[str], most: int, *, is_named: bool = False) -> dict[str, str]:
        """The texts of those files that are there, by path; those that the settings name have to be there."""
        found: dict[str, str] = {}
        for path in paths:
            if self.deadline.is_over():
                self.notes.append(f"{safe_path(path)}: {OUT_OF_TIME}")
                break
            try:
                text = _text(self.top, path, most)
                if text is not None:
                    found[path] = text
                elif is_named:
                    raise UnsafeFileError(MISSING)
            except UnsafeFileError as error:
                self.notes.append(NOTE.format(safe_path(path), error))
        return found


def _text(top: str, path: str, most: int) -> str | None:
    """The text of a file of a project, None where there is none; an UnsafeFileError says why it is not read."""
    refused = _refusal(path)
    if refused:
        raise UnsafeFileError(refused)
    name = _followed(top, path) if path in CLAUDE_MD else path
    if not is_plainly_below(top, name):
        raise UnsafeFileError(BEHIND_LINK)
    data = read_plain_file(os.path.join(top, name), most)
    if data is None:
        return None
    if b"\0" in data:
        raise UnsafeFileError(BINARY)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnsafeFileError(NOT_TEXT.format(error.start)) from None


def _refusal(path: str) -> str:
    """Why a path of the settings names nothing that may be read, empty where it may."""
    parts = path.replace("\\", "/").split("/")
    if "\0" in path or os.path.isabs(path) or parts[0] in ("", "~") or ":" in parts[0]:
        return ABSOLUTE
    if ".." in parts:
        return OUTSIDE
    # Folders of git hold addresses with passwords; some file systems take other spellings for the same name.
    return GIT_FOLDER if any(part.casefold().rstrip(". ") == ".git" for part in parts) else ""


def _followed(top: str, name: str) -> str:
    """The file that a link at the top leads to, if that is a Markdown file of the project: many link AGENTS.md."""
    path = os.path.join(top, name)
    target = os.path.realpath(path)
    is_inside = lies_in(target, top) and target.endswith(".md")
    return os.path.relpath(target, os.path.realpath(top)) if os.path.islink(path) and is_inside else name
