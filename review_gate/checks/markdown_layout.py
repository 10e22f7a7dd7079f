"""Blocks and inline stretches of a Markdown text, from the events of pulldown-cmark."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from itertools import accumulate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyromark.event import Event

    ByteEvent = tuple[Event, int, int]

# What a stretch of characters is.
WORDS = 0
CODE_SPAN = 1
CODE_BLOCK = 2
TAG = 3
COMMENT = 4
HIDDEN = 5

_INLINE_TAGS = frozenset({"Emphasis", "Strong", "Strikethrough", "Link", "Image", "Superscript", "Subscript"})
_UNSEEN_TAGS = frozenset({"Strikethrough", "Image"})
_HTML_COMMENT = re.compile(r"<!--(?:-?>|(?s:.*?)(?:-->|\Z))")
_HTML_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*+)[^<>]*+>")
_TAGS_WITHIN_A_SENTENCE = frozenset(
    ("a", "abbr", "b", "cite", "code", "del", "em", "i", "ins", "kbd", "mark", "q", "s", "small", "span", "strong", "u")
)
# What stands in these is struck out or not shown, and a style may hide it.
_HIDING_TAGS = frozenset(("del", "s", "script", "strike", "style", "template"))
_HIDING_ATTRIBUTES = re.compile(r"\s(?:hidden|style)(?![\w-])", re.IGNORECASE)
_TAG_NAME = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*+)")
_EMPTY_TAGS = frozenset(("br", "hr", "img", "input", "wbr"))
_ADDRESS = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]{0,20}://\S*[\w/]")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_LONE_CR = re.compile(r"\r(?!\n)")
_HARD_BREAK = re.compile(r"\\(?=[\r\n])")
_MARKERS = "*_~"
# Between words: markers of emphasis, quotes, brackets and line ends are blanks, the rest (addresses) is no word.
_BLANK_BETWEEN = frozenset(_MARKERS + "<>()[]! \t\r\n")


class Layout:
    """Sorted blocks that hold sentences, and sorted stretches that say what a character is."""

    __slots__ = ("_block_ends", "_block_starts", "_ends", "_kinds", "_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._block_starts = array("L")
        self._block_ends = array("L")
        self._starts = array("L")
        self._ends = array("L")
        self._kinds = bytearray()

    def add_block(self, start: int, end: int) -> None:
        """One more block, behind all others."""
        if start < end:
            self._block_starts.append(start)
            self._block_ends.append(end)

    def add_stretch(self, start: int, end: int, kind: int) -> None:
        """One more stretch, behind all others; words that touch are one."""
        if self._ends and self._ends[-1] == start and self._kinds[-1] == kind == WORDS:
            self._ends[-1] = end
        elif start < end:
            self._starts.append(start)
            self._ends.append(end)
            self._kinds.append(kind)

    def moved(self, to: array[int] | None, by: int) -> Layout:
        """The layout with its offsets turned from bytes to characters, and moved behind a byte order mark."""
        if to is None and not by:
            return self
        for offsets in (self._block_starts, self._block_ends, self._starts, self._ends):
            for at, offset in enumerate(offsets):
                offsets[at] = (to[offset] if to else offset) + by
        return self

    def stretch_at(self, index: int) -> tuple[int, int, int] | None:
        """Start, end and kind of the stretch that holds a character."""
        at = bisect_right(self._starts, index) - 1
        return (self._starts[at], self._ends[at], self._kinds[at]) if at >= 0 and index < self._ends[at] else None

    def block_at(self, index: int) -> tuple[int, int] | None:
        """The block of prose that holds a character; None in code and between blocks."""
        found = self.stretch_at(index)
        if found and found[2] == COMMENT:
            return found[:2]
        at = bisect_right(self._block_starts, index) - 1
        return (self._block_starts[at], self._block_ends[at]) if at >= 0 and index < self._block_ends[at] else None

    def blocks(self) -> list[tuple[int, int]]:
        """All blocks of prose."""
        return list(zip(self._block_starts, self._block_ends, strict=True))

    def masked(self, start: int, end: int) -> str:
        """A stretch of the text, as long as it is, in which only the words that a reader sees can be read."""
        pieces = []
        at = max(0, bisect_right(self._starts, start) - 1)
        while start < end:
            begin, until, kind = self._stretch(at, start, end)
            pieces.append(_between(self.text, start, begin))
            pieces.append(_readable(self.text[begin:until], kind))
            start, at = until, at + 1
        return "".join(pieces)

    def _stretch(self, at: int, start: int, end: int) -> tuple[int, int, int]:
        """One stretch, cut to what lies between two offsets."""
        if at >= len(self._starts) or self._starts[at] >= end:
            return end, end, WORDS
        return max(self._starts[at], start), max(min(self._ends[at], end), start), self._kinds[at]


def layout_of(text: str) -> Layout:
    """The layout of a Markdown text without lone surrogates; front matter is code."""
    mark = 1 if text.startswith("\ufeff") else 0
    body = _LONE_CR.sub("\n", text[mark:])  # which the parser takes for a line end only in a paragraph
    layout = Layout(text)
    builder = _Builder(layout, body)
    for event, start, end in _events(body):
        builder.take(event, start, end)
    builder.close()
    return layout.moved(None if body.isascii() else _characters(body), mark)


def _events(text: str) -> Iterator[ByteEvent]:
    from pyromark import Options, events_with_range

    options = (
        Options.ENABLE_TABLES
        | Options.ENABLE_TASKLISTS
        | Options.ENABLE_STRIKETHROUGH
        | Options.ENABLE_FOOTNOTES
        | Options.ENABLE_YAML_STYLE_METADATA_BLOCKS
    )
    for event, place in events_with_range(text, options=options):
        yield event, place["start"], place["end"]


def _characters(text: str) -> array[int]:
    """For each byte of the UTF-8 form, and for its end, the number of characters before it."""
    return array("L", accumulate((byte & 0xC0 != 0x80 for byte in text.encode()), initial=0))


class _Builder:
    """Collects inline events into blocks: whatever stands between two block events is one."""

    def __init__(self, layout: Layout, text: str) -> None:
        self._layout = layout
        self._data = text.encode()
        self._start = -1
        self._end = -1
        self._skip_to = 0
        self._unseen = 0  # images and struck-out stretches that are open
        self._hiding = _Hiding()

    def take(self, event: Event, start: int, end: int) -> None:
        name, value = next(iter(event.items())) if isinstance(event, dict) else (event, None)
        if start < self._skip_to or name == "Rule":
            self.close()
        elif name in ("Start", "End"):
            self._border(name, value, start, end)
        else:
            self._inline(name, start, end)

    def close(self) -> None:
        if self._start >= 0:
            self._layout.add_block(self._start, self._end)
        self._start = self._end = -1
        self._unseen = 0
        self._hiding = _Hiding()

    def _border(self, name: str, tag: object, start: int, end: int) -> None:
        kind = next(iter(tag)) if isinstance(tag, dict) else str(tag)
        if kind in _INLINE_TAGS:
            self._grow(start, end)
            if kind in _UNSEEN_TAGS:
                self._unseen += 1 if name == "Start" else -1
            return
        self.close()
        if name == "Start" and (kind == "CodeBlock" or (kind == "MetadataBlock" and start == 0)):
            self._layout.add_stretch(start, end, CODE_BLOCK)
            self._skip_to = end
        elif name == "Start" and kind == "HtmlBlock":
            self._html(start, end)
            self._skip_to = end

    def _inline(self, name: str, start: int, end: int) -> None:
        self._grow(start, end)
        if name == "Text":
            self._layout.add_stretch(start, end, HIDDEN if self._unseen or self._hiding.is_on else WORDS)
        elif name == "Code":
            self._layout.add_stretch(start, end, CODE_SPAN)
        elif name == "InlineHtml":
            self._hiding.pass_tag(self._data[start:end].decode("latin-1"))
            self._layout.add_stretch(start, end, COMMENT if self._data.startswith(b"<!--", start) else TAG)

    def _grow(self, start: int, end: int) -> None:
        self._start = start if self._start < 0 else min(self._start, start)
        self._end = max(self._end, end)

    def _html(self, start: int, end: int) -> None:
        """Comments are blocks of their own, and so is what stands between two tags that are no part of a sentence."""
        html = self._data[start:end].decode("latin-1")  # a character for a byte
        at = 0
        for comment in _HTML_COMMENT.finditer(html):
            self._html_blocks(html, start, at, comment.start())
            self._layout.add_stretch(start + comment.start(), start + comment.end(), COMMENT)
            at = comment.end()
        self._html_blocks(html, start, at, len(html))

    def _html_blocks(self, html: str, offset: int, start: int, end: int) -> None:
        at = start
        for tag in _HTML_TAG.finditer(html, start, end):
            if tag[1].lower() in _TAGS_WITHIN_A_SENTENCE:
                continue
            self._html_text(html, offset, at, tag.start())
            self._layout.add_stretch(offset + tag.start(), offset + tag.end(), TAG)
            at = tag.end()
        self._html_text(html, offset, at, end)

    def _html_text(self, html: str, offset: int, start: int, end: int) -> None:
        self._layout.add_block(offset + start, offset + end)
        at = start
        hiding = _Hiding()
        for tag in _HTML_TAG.finditer(html, start, end):
            self._layout.add_stretch(offset + at, offset + tag.start(), HIDDEN if hiding.is_on else WORDS)
            self._layout.add_stretch(offset + tag.start(), offset + tag.end(), TAG)
            hiding.pass_tag(tag[0])
            at = tag.end()
        self._layout.add_stretch(offset + at, offset + end, HIDDEN if hiding.is_on else WORDS)


class _Hiding:
    """Whether a tag is open that hides its words; the tags of one name are counted until it is closed."""

    def __init__(self) -> None:
        self._name = ""
        self._open = 0

    @property
    def is_on(self) -> bool:
        return self._open > 0

    def pass_tag(self, tag: str) -> None:
        found = _TAG_NAME.match(tag)
        name = found[2].lower() if found else ""
        if found is None or name in _EMPTY_TAGS or (self.is_on and name != self._name):
            return
        if found[1]:
            self._open = max(0, self._open - 1)
        elif self.is_on or name in _HIDING_TAGS or _HIDING_ATTRIBUTES.search(tag):
            self._name = name
            self._open += 1


def without_entities(text: str) -> str:
    """The words of a text with &rsquo; and the like as the characters that they stand for."""
    from html import unescape

    return _ENTITY.sub(lambda found: unescape(found[0]), text)


def without_addresses(text: str) -> str:
    """The words of an address are no words of the sentence."""
    return _ADDRESS.sub(lambda found: "X" * len(found[0]), text) if "://" in text else text


def _readable(text: str, kind: int) -> str:
    if kind in (CODE_SPAN, CODE_BLOCK):
        return "X" * len(text)
    return without_addresses(text) if kind == WORDS else " " * len(text)


def _between(text: str, start: int, end: int) -> str:
    gap = _HARD_BREAK.sub(" ", text[start:end])
    if "](" in gap:
        return " " * len(gap)  # the target of a link
    if gap and not gap.strip(_MARKERS) and text[start - 1 : start].isalnum() and text[end : end + 1].isalnum():
        return "X" * len(gap)  # **Not**e is one word
    return "".join(" " if character in _BLANK_BETWEEN else "X" for character in gap)
