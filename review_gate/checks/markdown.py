"""What the Markdown parser says of a text, with places that count characters."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Event = tuple[str, object, int, int]

START, END = "Start", "End"
_LONE_CR = re.compile(r"\r(?!\n)")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# Bytes of UTF-8 that begin no character, and how many bytes apart the characters are counted once for all.
_CONTINUATIONS = bytes(range(0x80, 0xC0))
_COUNTED = 256


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
    character = _character_at(plain)
    for event, place in found:
        start, end = character(place["start"]) + first, character(place["end"]) + first
        kind = name_of(event)
        if isinstance(event, dict) and kind in (START, END):
            yield kind, event[kind], start, end
        else:
            yield "", event, start, end


def _character_at(text: str) -> Callable[[int], int]:
    """A function from an offset in the UTF-8 form of a text to the offset of that character."""
    if text.isascii():
        return int
    data = text.encode()
    counts = [0]
    for place in range(0, len(data), _COUNTED):
        counts.append(counts[-1] + _characters(data[place : place + _COUNTED]))

    def character(offset: int) -> int:
        row = offset // _COUNTED
        return counts[row] + _characters(data[row * _COUNTED : offset])

    return character


def _characters(data: bytes) -> int:
    return len(data.translate(None, _CONTINUATIONS))


def name_of(tag: object) -> str:
    """The name of a tag, which can have details."""
    return next(iter(tag)) if isinstance(tag, dict) else str(tag)


def kind_of(tag: object) -> str:
    """The name of a tag, with the two kinds of code apart."""
    if isinstance(tag, dict) and isinstance(tag.get("CodeBlock"), dict):
        return "FencedCode"
    return name_of(tag)
