"""What the Markdown parser says of a text, with places that count characters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_LONE_CR = re.compile(r"\r(?!\n)")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def events(text: str, first: int) -> Iterator[tuple[str, object, int, int]]:
    """Start or End or "" with a tag and a span; every character is given to the parser as one byte."""
    import pyromark

    options = pyromark.Options
    wanted = (
        options.ENABLE_TABLES
        | options.ENABLE_TASKLISTS
        | options.ENABLE_STRIKETHROUGH
        | options.ENABLE_YAML_STYLE_METADATA_BLOCKS
    )
    # The parser takes a lone CR for a line end in some places only.
    plain = _LONE_CR.sub("\n", _NOT_ASCII.sub("x", text[first:]))
    found: Iterable[tuple[object, dict[str, int]]]
    found = pyromark.events_with_range(plain, options=wanted)  # type: ignore[assignment]  # plain data
    for event, place in found:
        start, end = place["start"] + first, place["end"] + first
        kind = name_of(event)
        if isinstance(event, dict) and kind in ("Start", "End"):
            yield kind, event[kind], start, end
        else:
            yield "", event, start, end


def name_of(tag: object) -> str:
    """The name of a tag, which can have details."""
    return next(iter(tag)) if isinstance(tag, dict) else str(tag)


def kind_of(tag: object) -> str:
    """The name of a tag, with the two kinds of code apart."""
    if isinstance(tag, dict) and isinstance(tag.get("CodeBlock"), dict):
        return "FencedCode"
    return name_of(tag)
