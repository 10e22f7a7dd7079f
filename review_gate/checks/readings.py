"""What the bytes of a file may say: no encoding must be a way around the checks."""

from __future__ import annotations

from review_gate.checks.applies import Page
from review_gate.reviewers.text import is_binary

UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
NUL = b"\0"
_SAMPLE = 65_536
_OF_TEXT = bytes(range(32, 127)) + b"\t\n\r\f"
# Text that was blown up with NUL bytes, or written in two or four bytes each, has hardly anything else.
_MOST_OTHERS = 0.1


def readings_of(page: Page) -> list[Page]:
    """The texts that a file can be read as, the likeliest first; none when it is binary."""
    readings = []
    if page.data.startswith(UTF_16_MARKS):
        readings.append(_from_utf_16(page))
    if NUL not in page.data:
        return [*readings, page]
    if page.language:
        readings.append(page)
    bare = page.data.replace(NUL, b"")
    if _is_text(bare):
        readings.append(page.read_as(bare))
    return readings if readings or is_binary(page.data) else [page]


def _from_utf_16(page: Page) -> Page:
    reading = page.read_as(page.data.decode("utf-16", "replace").encode("utf-8", "replace"))
    reading.wide = page.data
    return reading


def _is_text(data: bytes) -> bool:
    sample = data[:_SAMPLE]
    return bool(sample) and len(sample.translate(None, _OF_TEXT)) <= _MOST_OTHERS * len(sample)
