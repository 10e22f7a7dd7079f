"""What the bytes of a file may say: no encoding must be a way around the checks."""

from __future__ import annotations

from review_gate.checks.applies import Page
from review_gate.reviewers.text import is_binary

UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
NUL = b"\0"
# As much as git looks at.
_SAMPLE = 8_000
_ASCII = bytes(range(128))
_NO_CONTROLS = bytes(range(32, 127)) + bytes(range(128, 256)) + b"\t\n\r\f" + NUL
# Text that was blown up with NUL bytes, or written in two or four bytes each, has hardly anything else, least of all
# the control characters that numbers in binary files look like.
_MOST_OTHERS = 0.1
_MOST_CONTROLS = 0.01


def readings_of(page: Page) -> list[Page]:
    """The texts that a file can be read as, the likeliest first; none when it is binary."""
    readings = []
    if page.data.startswith(UTF_16_MARKS):
        readings.append(_from_utf_16(page))
    if NUL not in page.data:
        return [*readings, page]
    if page.language:
        readings.append(page)
    if _is_text_with_nul(page.data):
        readings.append(page.read_as(page.data.replace(NUL, b"")))
    return readings if readings or is_binary(page.data) else [page]


def _from_utf_16(page: Page) -> Page:
    reading = page.read_as(page.data.decode("utf-16", "replace").encode("utf-8", "replace"))
    reading.wide = page.data
    return reading


def _is_text_with_nul(data: bytes) -> bool:
    sample = data[:_SAMPLE]
    size = len(sample) - sample.count(NUL)
    controls = len(sample.translate(None, _NO_CONTROLS))
    if not size or controls > _MOST_CONTROLS * size:
        return False
    return controls + len(sample.translate(None, _ASCII)) <= _MOST_OTHERS * size
