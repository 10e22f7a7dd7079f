"""What the context of a prompt needs of a project's folder: a few small files, and names, read within limits.

Nothing is run, git included. No link leads out of the folder, and whatever is no plain file of a fair size is left out
with a note: a prompt is never kept waiting, nor shown what the project does not hold.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from review_gate.prompts.project.context import ProjectContext
from review_gate.prompts.project.context_builder import ProjectFiles, project_context
from review_gate.prompts.project.listing import Listing, safe_path
from review_gate.prompts.project.manifests import READERS
from review_gate.prompts.project.members import PNPM, member_folders
from review_gate.prompts.settings import ContextSettings
from review_gate.shell.files import UnsafeFileError, is_plainly_below, read_plain_file
from review_gate.shell.folder_walk import Deadline, walked

SECONDS = 0.5
MOST_BYTES = 262_144
MOST_TEXT_BYTES = 1_000_000
# Claude Code reads either.
CLAUDE_MD = ("CLAUDE.md", ".claude/CLAUDE.md")
# Of so many folders manifests are read, where there is none at the top or those at the top name their parts.
MOST_INNER = 12
PARTS = "manifests of its parts"
OUT_OF_TIME = "not read, as reading the project took too long"
ABSOLUTE = "it is not a path in the project"
OUTSIDE = "it leads out of the project"
GIT_FOLDER = "it belongs to git"
MISSING = "there is no such file"
BEHIND_LINK = "its folder is a link, or lies behind one"
NOT_TEXT = "it is not UTF-8 at byte {}"
BINARY = "it is not a text"
NOTE = "{}: not read, as {}"


class _Text(NamedTuple):
    """The text of a file, or why it is not read; neither where there is no such file."""

    text: str | None = None
    why_not: str = ""


def context_of(folder: str, settings: ContextSettings, clock: Callable[[], float] = time.monotonic) -> ProjectContext:
    """What reviewers are told about the project in a folder."""
    files, listing = read_project(folder, settings, clock)
    return project_context(files, listing, settings)


def read_project(
    folder: str, settings: ContextSettings, clock: Callable[[], float] = time.monotonic
) -> tuple[ProjectFiles, Listing]:
    """The files and names of the project in a folder; what tells most is read first."""
    deadline = Deadline(clock, SECONDS)
    reading = _Reading(os.path.abspath(folder), deadline)
    claude_md = reading.first(CLAUDE_MD) if settings.include_claude_md else None
    manifests = reading.manifests((*READERS, PNPM)) if settings.include_package_json else {}
    extras = reading.extras(settings.extra_files)
    listing = walked(reading.top, settings.structure_depth, deadline)
    if settings.include_package_json:
        manifests |= reading.parts(_of_members(manifests, listing) if manifests else _inner(listing.paths))
    found = ProjectFiles(
        folder=os.path.basename(reading.top),
        manifests=manifests,
        claude_md=claude_md,
        extra_files=extras,
        notes=tuple(reading.notes),
    )
    return found, listing


def _inner(paths: Iterable[str]) -> list[str]:
    """The manifests in the folders of a project that has none at its top."""
    named = (path for path in paths if path.count("/") == 1 and path.rpartition("/")[2] in READERS)
    return list(named)[:MOST_INNER]


def _of_members(manifests: Mapping[str, str], listing: Listing) -> list[str]:
    """What may be a manifest of a part that the project names."""
    folders = member_folders(manifests, listing.paths)[:MOST_INNER]
    return [f"{folder}{name}" for folder in folders for name in READERS]


class _Reading:
    """Files of one folder, with notes on those that are not read."""

    def __init__(self, top: str, deadline: Deadline) -> None:
        self.top = top
        self.notes: list[str] = []
        self._deadline = deadline

    def first(self, paths: Iterable[str]) -> str | None:
        """The text of the first of some files that is there."""
        for path in paths:
            found = self._noted(path, lambda name: _text(self.top, _followed(self.top, name), MOST_TEXT_BYTES))
            if found is not None:
                return found
        return None

    def manifests(self, paths: Iterable[str]) -> dict[str, str]:
        """The texts of those manifests that are there."""
        found = {path: self._noted(path, lambda name: _text(self.top, name, MOST_BYTES)) for path in paths}
        return {path: text for path, text in found.items() if text is not None}

    def parts(self, paths: Iterable[str]) -> dict[str, str]:
        """The texts of those manifests of parts that are there; how many there are is not known before."""
        found: dict[str, str] = {}
        for path in paths:
            if self._deadline.is_over():
                self.notes.append(f"{PARTS}: {OUT_OF_TIME}")
                break
            found |= self.manifests([path])
        return found

    def extras(self, paths: Iterable[str]) -> dict[str, str]:
        """The texts of files that the settings name."""
        found = {path: self._noted(path, self._extra) for path in dict.fromkeys(paths)}
        return {path: text for path, text in found.items() if text is not None}

    def _extra(self, path: str) -> _Text:
        refused = _refusal(path)
        if refused:
            return _Text(why_not=refused)
        found = _text(self.top, path, MOST_TEXT_BYTES)
        return _Text(why_not=MISSING) if found == _Text() else found

    def _noted(self, path: str, read: Callable[[str], _Text]) -> str | None:
        if self._deadline.is_over():
            self.notes.append(f"{safe_path(path)}: {OUT_OF_TIME}")
            return None
        found = read(path)
        if found.why_not:
            self.notes.append(NOTE.format(safe_path(path), found.why_not))
        return found.text


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
    if not os.path.islink(path) or not target.endswith(".md"):
        return name
    try:
        inner = os.path.relpath(target, os.path.realpath(top))
    except ValueError:
        # On another drive, to which no relative path leads.
        return name
    return name if _refusal(inner) else inner


def _text(top: str, name: str, most: int) -> _Text:
    try:
        if not is_plainly_below(top, name):
            return _Text(why_not=BEHIND_LINK)
        data = read_plain_file(os.path.join(top, name), most)
    except UnsafeFileError as error:
        return _Text(why_not=str(error))
    except (OSError, ValueError) as error:
        return _Text(why_not=f"it cannot be read: {getattr(error, 'strerror', None) or 'its name is none'}")
    return _Text() if data is None else _decoded(data)


def _decoded(data: bytes) -> _Text:
    if b"\0" in data:
        return _Text(why_not=BINARY)
    try:
        return _Text(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return _Text(why_not=NOT_TEXT.format(error.start))
