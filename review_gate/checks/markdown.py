"""What the Markdown parser says of a text, with places that count characters."""

from __future__ import annotations

import re
from array import array
from itertools import accumulate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    Event = tuple[str, object, int, int]

START, END = "Start", "End"
_LONE_CR = re.compile(r"\r(?!\n)")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# 1 for a byte of UTF-8 that begins a character, else 0.
_BEGINS = bytes(not 0x80 <= byte < 0xC0 for byte in range(256))


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
    places = _characters(plain, first)
    for event, span in found:
        start, end = places[span["start"]], places[span["end"]]
        if isinstance(event, dict):
            kind, tag = next(iter(event.items()))
            if kind in (START, END):
                yield kind, tag, start, end
                continue
        yield "", event, start, end


def _characters(text: str, first: int) -> Sequence[int]:
    """For each byte of the UTF-8 form of a text, and for its end, where that is when the text begins at `first`."""
    if text.isascii():
        return range(first, first + len(text) + 1)
    return array("L", accumulate(text.encode().translate(_BEGINS), initial=first))


def name_of(tag: object) -> str:
    """The name of a tag, which can have details."""
    return next(iter(tag)) if isinstance(tag, dict) else str(tag)


def kind_of(tag: object) -> str:
    """The name of a tag, with the two kinds of code apart."""
    if isinstance(tag, dict) and isinstance(tag.get("CodeBlock"), dict):
        return "FencedCode"
    return name_of(tag)
