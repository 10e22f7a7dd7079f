"""What models are shown of a repository: all names as far as they fit, what describes it, and its largest sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from review_gate.checks.languages import LANGUAGES, language_of
from review_gate.models import Frozen
from review_gate.pipeline.exhibit import CUT_LINE, FileText, harmless
from review_gate.ports import NotShown, Withheld

MOST_CHARACTERS = 200_000
MOST_OF_DOCUMENTS = 70_000
MOST_OF_LISTING = 40_000
MOST_LISTED = 2_000
# Of one file a model gets so much; then more of them are shown.
PER_FILE = 16_000
# Less of a file is not worth its heading.
LEAST = 1_000
# A larger file is data.
LARGEST = 400_000
UNKNOWN_SIZE = -1
DOCUMENTS = (
    *("readme", "claude.md", "agents.md", "gemini.md", "architecture", "design", "contributing"),
    *("pyproject.toml", "setup.cfg", "setup.py", "package.json", "go.mod", "cargo.toml", "pom.xml", "build.gradle"),
    *("gemfile", "composer.json", "cmakelists.txt", "makefile", "justfile", "dockerfile", "docker-compose"),
    *(".gitlab-ci.yml", ".travis.yml", "azure-pipelines.yml", "jenkinsfile"),
)
DOCUMENT, SOURCE = "document", "source"
_NO_CODE = {"markdown", "text", "json", "yaml", "toml", "xml", "html", "css", "ini"}
_CODE = frozenset(LANGUAGES) - _NO_CODE
# Written by others or by programs.
_FOREIGN = re.compile(
    r"(?:^|/)(?:vendor|node_modules|third_party|dist|build|target|site-packages|generated)/"
    r"|(?:\.min\.js|_pb2\.py|\.pb\.go|\.d\.ts|\.generated\.ts|\.g\.dart)$"
)
_TEST = re.compile(
    r"(?:^|[/._-])(?:tests?|specs?|__tests__|testdata|fixtures?|examples?|benchmarks?)(?:[/._-]|$)", re.I
)


class TreeFile(NamedTuple):
    """One file of a commit."""

    path: str
    oid: str
    size: int


class Outlook(Frozen):
    """What was shown of a commit, and what was not: printed beside the drafts."""

    commit: str
    files: int
    listed: int
    characters: int = 0
    shown: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    not_shown: tuple[NotShown, ...] = ()
    withheld: tuple[Withheld, ...] = ()


class Region(NamedTuple):
    """The repository as models are shown it, the files in it, and those of which only the beginning is there."""

    text: str
    shown: tuple[str, ...]
    cut: tuple[str, ...]


def listed_files(files: Sequence[TreeFile]) -> list[TreeFile]:
    """The files whose names are shown: all, or those nearest to the top."""
    kept: list[TreeFile] = []
    room = MOST_OF_LISTING
    for file in sorted(files, key=lambda one: (one.path.count("/"), one.path))[:MOST_LISTED]:
        room -= len(listing_line(file)) + 1
        if room < 0:
            break
        kept.append(file)
    return sorted(kept, key=lambda one: one.path)


def listing_line(file: TreeFile) -> str:
    """A file as the list names it; a name with line ends is still one line."""
    size = f" ({file.size} bytes)" if file.size != UNKNOWN_SIZE else ""
    return one_line(file.path) + size


def one_line(path: str) -> str:
    """A path without line ends."""
    return path.replace("\n", " ").replace("\r", " ")


def chosen_files(files: Sequence[TreeFile]) -> dict[str, TreeFile]:
    """The files to read, by what is known of their sizes: documents, then the largest sources, tests last."""
    documents = list(_fitting(_documents(files), MOST_OF_DOCUMENTS))
    room = MOST_CHARACTERS - sum(map(_room, documents))
    return {file.path: file for file in (*documents, *_fitting(_sources(files), room))}


def about(path: str) -> str:
    """Whether a file describes the repository or is code of it."""
    return DOCUMENT if _rank(path) < len(DOCUMENTS) else SOURCE


def _documents(files: Iterable[TreeFile]) -> list[TreeFile]:
    found = [file for file in files if about(file.path) == DOCUMENT]
    return sorted(found, key=lambda file: (_rank(file.path), file.path))


def _rank(path: str) -> int:
    """The place of a file among those that describe a repository, which lie at its top."""
    if path.startswith(".github/workflows/"):
        return len(DOCUMENTS) - 1
    starts = (number for number, start in enumerate(DOCUMENTS) if "/" not in path and path.lower().startswith(start))
    return next(starts, len(DOCUMENTS))


def _sources(files: Iterable[TreeFile]) -> list[TreeFile]:
    own = [file for file in files if language_of(file.path) in _CODE and not _FOREIGN.search(file.path)]
    code = [file for file in own if about(file.path) == SOURCE]
    return sorted(code, key=lambda file: (_TEST.search(file.path) is not None, -file.size, file.path))


def _fitting(files: Iterable[TreeFile], room: int) -> Iterator[TreeFile]:
    for file in files:
        if file.size <= LARGEST and _room(file) <= room:
            room -= _room(file)
            yield file


def _room(file: TreeFile) -> int:
    return PER_FILE if file.size == UNKNOWN_SIZE else min(file.size, PER_FILE) + len(file.path)


def region(listing: Sequence[str], unlisted: int, files: Iterable[FileText], nonce: str) -> Region:
    """The repository as models are shown it; nothing in it can close it."""
    lines = [f"<<<repository {nonce}", f"=== the files of the repository | {len(listing)} files"]
    lines += [harmless(line, nonce) for line in listing]
    lines += [f"[cut here: {unlisted} more files are not listed]"] if unlisted else []
    room = MOST_CHARACTERS - sum(len(line) + 1 for line in lines)
    shown, cut = list[str](), list[str]()
    for file in files:
        part, hidden = _part(file, min(PER_FILE, room), nonce)
        if hidden and room < LEAST:
            continue
        lines += part
        room -= sum(len(line) + 1 for line in part)
        shown.append(file.path)
        cut += [file.path] if hidden else []
    return Region("\n".join([*lines, f"repository {nonce}>>>", ""]), tuple(shown), tuple(cut))


def _part(file: FileText, room: int, nonce: str) -> tuple[list[str], int]:
    """The lines of a file that fit, and how many more it has."""
    shown = [f"=== file {harmless(file.path, nonce)} | {file.about}"]
    room -= len(shown[0])
    for number, line in enumerate(file.lines, start=1):
        text = harmless(f"{number:>5} {line}", nonce)
        room -= len(text) + 1
        if room < 0:
            hidden = len(file.lines) - number + 1
            return [*shown, CUT_LINE.format(hidden)], hidden
        shown.append(text)
    return shown, 0
