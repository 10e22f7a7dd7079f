"""What the Markdown parser says of a text, with places that count characters."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Event = tuple[str, object, int, int]

START, END = "Start", "End"
_LONE_CR = re.compile(r"\r(?!\n)")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# [\u0800-\uffff] would take 4 ms to compile.
_SAME_WIDTH = re.compile("[\0-\x7f]+|[\x80-\u07ff]+|[^\0-\u07ff\U00010000-\U0010ffff]+|[\U00010000-\U0010ffff]+")


def events(text: str, first: int, *, has_footnotes: bool = False) -> Iterator[Event]:
    """Start or End with a tag and the span of its block, or "" with another event and its span."""
    import pyromark

    options = pyromark.Options
    wanted = (
        options.ENABLE_TABLES
        | options.ENABLE_TASKLISTS
        | options.ENABLE_STRIKETHROUGH
        | options.ENABLE_YAML_STYLE_METADATA_BLOCKS
    )
    if has_footnotes:
        wanted |= options.ENABLE_FOOTNOTES
    # The parser takes a lone CR for a line end in some places only.
    plain = _LONE_CR.sub("\n", _LONE_SURROGATE.sub("x", text[first:]))
    found: Iterable[tuple[object, dict[str, int]]]
    found = pyromark.events_with_range(plain, options=wanted)  # type: ignore[assignment]  # plain data
    runs = _Runs(plain, first)
    low, high, shift = runs.run_at(0)
    for event, span in found:
        start, end = span["start"], span["end"]
        if low <= start and end < high:
            start, end = start + shift, end + shift
        else:
            low, high, shift = runs.run_at(start)
            start, end = runs.character(start), runs.character(end)
        if isinstance(event, dict):
            kind, tag = next(iter(event.items()))
            if kind in (START, END):
                yield kind, tag, start, end
                continue
        yield "", event, start, end


class _Runs:
    """Runs of characters that are of one width in UTF-8, whose bytes the parser counts."""

    def __init__(self, text: str, first: int) -> None:
        found = [match.span() for match in _SAME_WIDTH.finditer(text)] or [(0, 0)]
        self.widths = [len(text[start : start + 1].encode()) or 1 for start, _ in found]
        lengths = ((end - start) * width for (start, end), width in zip(found, self.widths, strict=True))
        self.bytes = list(accumulate(lengths, initial=0))
        self.characters = [start + first for start, _ in found]

    def character(self, offset: int) -> int:
        """The place of the character at an offset in bytes."""
        at = self._at(offset)
        return self.characters[at] + (offset - self.bytes[at]) // self.widths[at]

    def run_at(self, offset: int) -> tuple[int, int, int]:
        """The bytes of a run of ASCII, its end with it, and what to add to their offsets; none in another run."""
        at = self._at(offset)
        low, high = self.bytes[at], self.bytes[at + 1]
        return low, high + 1 if self.widths[at] == 1 else low, self.characters[at] - low

    def _at(self, offset: int) -> int:
        return min(bisect_right(self.bytes, offset), len(self.widths)) - 1


def name_of(tag: object) -> str:
    """The name of a tag, which can have details."""
    return next(iter(tag)) if isinstance(tag, dict) else str(tag)


def kind_of(tag: object) -> str:
    """The name of a tag, with the two kinds of code apart."""
    if isinstance(tag, dict) and isinstance(tag.get("CodeBlock"), dict):
        return "FencedCode"
    return name_of(tag)
