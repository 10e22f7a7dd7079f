"""What the bytes of a file may say: no encoding must be a way around the checks."""

from __future__ import annotations

from review_gate.checks.applies import Page
from review_gate.checks.languages import language_of
from review_gate.reviewers.text import BEGINNING, is_binary

UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
# What a file begins with -> how it is written; the first that fits counts.
_CODECS = {
    b"\xff\xfe\0\0": "utf-32-le",
    b"\0\0\xfe\xff": "utf-32-be",
    b"\xff\xfe": "utf-16-le",
    b"\xfe\xff": "utf-16-be",
}
_FIRST_OF_MARKS = {mark[:1] for mark in _CODECS}
NUL = b"\0"
# What stands for a codec where NUL bytes were left out.
WITHOUT_NUL = "without NUL"
# As much as most binary files need to be told.
_GLANCE = 1_000
_ASCII = bytes(range(128))
_NO_CONTROLS = bytes(range(32, 127)) + bytes(range(128, 256)) + b"\t\n\r\f" + NUL
# Text that was blown up with NUL bytes, or written in two or four bytes each, has hardly anything else, least of all
# the control characters that numbers in binary files look like.
_MOST_OTHERS = 0.1
_MOST_CONTROLS = 0.01
# Blanks and line ends alone are more than this in two bytes each, in any language.
_LEAST_NULS = 0.05


def may_be_read_otherwise(data: bytes) -> bool:
    """Whether bytes may be something else than one text in UTF-8."""
    # A number: `in` raises and drops an error for every sequence of bytes, which takes longer than the look.
    return 0 in data or data[:1] in _FIRST_OF_MARKS


def is_plainly_binary(path: str, data: bytes) -> bool:
    """Whether a file is binary at a glance: it has NUL and other control characters, no mark and no known language.

    What is not told so quickly, `readings_of` tells.
    """
    return (
        _has_many_controls(data)
        and is_binary(data)
        and not data.startswith(tuple(_CODECS))
        and not language_of(path, data)
    )


def readings_of(page: Page) -> list[Page]:
    """The texts that a file can be read as, the likeliest first; none when it is binary."""
    if not may_be_read_otherwise(page.data):
        return [page]
    has_nul = 0 in page.data
    mark = next((mark for mark in _CODECS if page.data.startswith(mark)), b"")
    readings = [_decoded(page, mark, _CODECS[mark])] if mark else []
    if not has_nul:
        return [*readings, page]
    if page.language:
        readings += [_decoded(page, b"", codec) for codec in _codecs_by_nul(page.data) if not readings]
        readings.append(page)
    if page.language or _is_text_with_nul(page.data):
        readings.append(_without_nul(page, mark))
    return readings if readings or is_binary(page.data) else [page]


def is_binary_by_beginning(path: str, data: bytes) -> bool:
    """Whether a file is binary whatever follows on its first bytes."""
    return not readings_of(Page(path, data[:BEGINNING]))


def _decoded(page: Page, mark: bytes, codec: str) -> Page:
    wide = page.data[len(mark) :]
    reading = page.read_as(wide.decode(codec, "replace").encode("utf-8", "replace"))
    reading.wide, reading.codec = wide, codec
    return reading


def _without_nul(page: Page, mark: bytes) -> Page:
    reading = page.read_as(page.data[len(mark) :].replace(NUL, b""))
    reading.codec = WITHOUT_NUL
    return reading


def _codecs_by_nul(data: bytes) -> list[str]:
    """How a text without a mark may be written: in UTF-16 the bytes of ASCII are NUL at every other place only."""
    sample = data[:BEGINNING]
    first, second = sample[::2].count(NUL), sample[1::2].count(NUL)
    if min(first, second) or max(first, second) < _LEAST_NULS * len(sample):
        return []
    return ["utf-16-le" if second else "utf-16-be"]


def _is_text_with_nul(data: bytes) -> bool:
    if _has_many_controls(data):
        return False
    sample = data[:BEGINNING]
    size = len(sample) - sample.count(NUL)
    controls = len(sample.translate(None, _NO_CONTROLS))
    if not size or controls > _MOST_CONTROLS * size:
        return False
    return controls + len(sample.translate(None, _ASCII)) <= _MOST_OTHERS * size


def _has_many_controls(data: bytes) -> bool:
    """Whether the first bytes alone hold too many control characters for a text, however the rest looks."""
    return len(data[:_GLANCE].translate(None, _NO_CONTROLS)) > _MOST_CONTROLS * BEGINNING
