"""The source around findings, from the reviewed tree: what is on disk may be something else by now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from review_gate.checks.rule import REDACTED_CATEGORIES
from review_gate.errors import GitError
from review_gate.models import Finding, Snippet
from review_gate.shell.git import Git, ObjectReader

LINES_AROUND = 3
MOST_IN_LINE = 400
MOST_FILES = 500
MAX_FILE_BYTES = 2_000_000
# Git itself knows no longer path on any system that we support, but a command may name anything as a file.
MAX_PATH_BYTES = 4_096

LookAt = Callable[[str, bytes], None]


def read_snippets(
    git: Git, tree: str, findings: Sequence[Finding], *, shown: int, look_at: LookAt
) -> tuple[Snippet, ...]:
    """Some lines around the place of each finding that is shown, if it is in a text file without a known secret.

    Whoever calls gets to look at each file as a whole, and may find that it should not be quoted.

    The page is as good without them, so an object database that fails here takes nothing away from the report.
    """
    places = _places(findings, shown)
    try:
        with git.objects() as reader:
            return tuple(_snippets(reader, tree, places, look_at))
    except GitError:
        return ()


def text_files(reader: ObjectReader, tree: str, paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """The text files among some paths of a tree, each with all that it says."""
    for path in paths[:MOST_FILES]:
        data = _text_in(reader, tree, path)
        if data is not None:
            yield path, data


def _places(findings: Sequence[Finding], shown: int) -> dict[str, list[int]]:
    """The lines to show, by file.

    A file with a secret is not quoted at all: its finding, shown or not, tells where the secret begins, not where it
    ends.
    """
    secret = {finding.file for finding in findings if finding.category in REDACTED_CATEGORIES}
    places: dict[str, list[int]] = {}
    for finding in findings[:shown]:
        if finding.file and finding.line and finding.file not in secret:
            places.setdefault(finding.file, []).append(finding.line)
    return places


def _snippets(reader: ObjectReader, tree: str, places: dict[str, list[int]], look_at: LookAt) -> Iterator[Snippet]:
    for path in list(places)[:MOST_FILES]:
        data = _text_in(reader, tree, path)
        if data is None:
            continue
        look_at(path, data)
        lines = data.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n")
        for number in dict.fromkeys(places[path]):
            if number <= len(lines):
                yield cut_out(path, lines, number)


def _text_in(reader: ObjectReader, tree: str, path: str) -> bytes | None:
    """A text file in the tree, None for anything else."""
    if not _is_path(path):
        return None
    # One at a time: paths of any length, all at once, would not fit into the buffer of a pipe.
    found = reader.read(f"{tree}:{path}", limit=MAX_FILE_BYTES)
    if found is None or found.kind != "blob" or found.is_cut or b"\0" in found.data:
        return None
    return found.data


def _is_path(path: str) -> bool:
    """Whether git can be asked for a path: a reviewer's answer may hold what no file name can."""
    # Git would take these from where it stands, and ends itself when that leads out of the repository.
    if path.startswith(("./", "../")):
        return False
    try:
        return "\0" not in path and len(path.encode("utf-8", "surrogateescape")) <= MAX_PATH_BYTES
    except UnicodeEncodeError:
        return False


def cut_out(path: str, lines: Sequence[str], number: int) -> Snippet:
    """A line and those around it."""
    first = max(1, number - LINES_AROUND)
    around = lines[first - 1 : number + LINES_AROUND]
    return Snippet(file=path, line=number, first=first, lines=tuple(_shortened(around)))


def _shortened(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        text = line.removesuffix("\r")
        yield text if len(text) <= MOST_IN_LINE else text[: MOST_IN_LINE - 1] + "…"
