"""A block of ours between two marks in a Markdown file that belongs to somebody else."""

from __future__ import annotations

from review_gate.registration.document import DocumentError

BEGIN = "<!-- review-gate: begin -->"
END = "<!-- review-gate: end -->"


def with_block(text: str, block: str) -> str:
    """The text with the block at its end, or in the place of an earlier one."""
    line_end = "\r\n" if "\r\n" in text else "\n"
    lines = [BEGIN, *block.strip("\n").split("\n"), END]
    new = line_end.join(lines) + line_end
    place = _place(text)
    if place is not None:
        return text[: place[0]] + new + text[place[1] :]
    if not text:
        return new
    gap = line_end if text.endswith("\n") else line_end * 2
    return text + gap + new


def without_block(text: str) -> str:
    """The text without the block and the empty line above it."""
    place = _place(text)
    if place is None:
        return text
    above = text[: place[0]]
    for gap in ("\r\n\r\n", "\n\n"):
        if above.endswith(gap):
            above = above[: -len(gap) // 2]
            break
    return above + text[place[1] :]


def block_in(text: str) -> str | None:
    """The block as it stands there, without its marks."""
    place = _place(text)
    if place is None:
        return None
    return text[place[0] : place[1]].replace("\r\n", "\n").partition("\n")[2].rpartition(END)[0]


def _place(text: str) -> tuple[int, int] | None:
    """Where the block starts and ends; a DocumentError where that cannot be told."""
    begins, ends = text.count(BEGIN), text.count(END)
    if not begins and not ends:
        return None
    start, end = text.find(BEGIN), text.find(END)
    if begins != 1 or ends != 1 or end < start or (start and text[start - 1] != "\n"):
        raise DocumentError(f"the marks {BEGIN} and {END} do not stand around one block")
    line = text.find("\n", end)
    return start, len(text) if line < 0 else line + 1
