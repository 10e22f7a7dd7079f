"""Merge conflict markers that were committed by mistake."""

from __future__ import annotations

from review_gate.reviewers.problem import Problem, ReviewedFile
from review_gate.reviewers.text import capped, decode_anyhow, is_binary, quote, split_lines, unseen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    # Line number from 1 and the line itself.
    Marker = tuple[int, str]

START, BASE, MIDDLE, END = "<<<<<<<", "|||||||", "=======", ">>>>>>>"


def review(file: ReviewedFile) -> list[Problem]:
    """One problem per new conflict block, and one per new marker that is left of a block."""
    if file.data is None or file.is_link or not _may_hold_markers(file.data) or is_binary(file.data):
        return []
    markers = markers_in(split_lines(decode_anyhow(file.data)))
    fresh = dict(unseen([marker for marker in markers if marker[1] != MIDDLE], split_lines(decode_anyhow(file.old))))
    is_rest = file.path.lower().endswith(".rst")
    return capped(
        _problem(group)
        for group in conflicts_in(markers)
        if any(number in fresh for number, _ in group) and not (is_rest and _is_underline(group))
    )


def markers_in(lines: list[str]) -> list[Marker]:
    """The lines that are conflict markers of git's usual size: seven signs, then a space or the end of the line."""
    return [
        (number, line)
        for number, line in enumerate(lines, 1)
        if line == MIDDLE or (line[:7] in (START, BASE, END) and line[7:8] in ("", " "))
    ]


def conflicts_in(markers: list[Marker]) -> Iterator[list[Marker]]:
    """The markers of each complete block together, each leftover alone; a lone ======= is a heading."""
    block: list[Marker] = []
    for marker in markers:
        if marker[1].startswith(START):
            yield from _leftovers(block)
            block = [marker]
        elif not block:
            yield from _leftovers([marker])
        else:
            block.append(marker)
            if marker[1].startswith(END):
                yield from [block] if _is_complete(block) else _leftovers(block)
                block = []
    yield from _leftovers(block)


def _is_complete(block: list[Marker]) -> bool:
    return any(line == MIDDLE for _, line in block)


def _leftovers(markers: list[Marker]) -> Iterator[list[Marker]]:
    return ([marker] for marker in markers if marker[1] != MIDDLE)


def _is_underline(group: list[Marker]) -> bool:
    # reStructuredText lets any of these signs underline a title, and titles of seven letters exist; git adds a label.
    return len(group) == 1 and len(group[0][1]) == len(START)


def _may_hold_markers(data: bytes) -> bool:
    return b"<<<<<<<" in data or b">>>>>>>" in data or b"|||||||" in data


def _problem(group: list[Marker]) -> Problem:
    first, last = group[0], group[-1]
    if len(group) > 1:
        message = f"unresolved merge conflict, lines {first[0]} to {last[0]}"
    else:
        message = "leftover of a merge conflict"
    return Problem(
        "conflict-marker",
        "critical",
        message,
        line=first[0],
        column=1,
        evidence=quote(first[1]),
        recommendation="resolve the conflict and remove the marker lines, "
        "or list the file under `conflict_markers.exclude` if it is about conflicts",
    )
