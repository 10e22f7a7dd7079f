"""Blocks and inline stretches of a Markdown text, from the events of pulldown-cmark."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from functools import lru_cache

from review_gate.checks.markdown import END, START, events, name_of

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
# What stands between these is code, or struck out or not shown.
_CODE_TAGS = ("code", "kbd", "samp", "tt")
_HIDING_TAGS = ("del", "s", "script", "strike", "style", "template")
_HIDING_ATTRIBUTES = re.compile(r"\s(?:hidden|style)(?![\w-])", re.IGNORECASE)
_ADDRESS = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]{0,20}://\S*[\w/]")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
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

    def masked(self, start: int, end: int, *, shows_hidden: bool = False) -> str:
        """A stretch of the text, as long as it is, in which only the words that a reader sees can be read."""
        pieces = []
        at = max(0, bisect_right(self._starts, start) - 1)
        while start < end:
            begin, until, kind = self._stretch(at, start, end)
            pieces.append(_between(self.text, start, begin))
            pieces.append(_readable(self.text[begin:until], WORDS if shows_hidden and kind == HIDDEN else kind))
            start, at = until, at + 1
        return "".join(pieces)

    def _stretch(self, at: int, start: int, end: int) -> tuple[int, int, int]:
        """One stretch, cut to what lies between two offsets."""
        if at >= len(self._starts) or self._starts[at] >= end:
            return end, end, WORDS
        return max(self._starts[at], start), max(min(self._ends[at], end), start), self._kinds[at]


def layout_of(text: str) -> Layout:
    """The layout of a Markdown text; front matter is code."""
    layout = Layout(text)
    builder = _Builder(layout)
    for kind, tag, start, end in events(text, 1 if text.startswith("\ufeff") else 0, has_footnotes=True):
        builder.take(kind, name_of(tag), start, end)
    builder.close()
    return layout


class _Builder:
    """Collects inline events into blocks: whatever stands between two block events is one."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._text = layout.text
        self._first = 1 if layout.text.startswith("\ufeff") else 0
        self._start = -1
        self._end = -1
        self._skip_to = 0
        self._unseen = 0  # images and struck-out stretches that are open
        self._tag = ""  # what makes code of the words, or hides them
        self._kind = WORDS

    def take(self, kind: str, name: str, start: int, end: int) -> None:
        if start < self._skip_to or name == "Rule":
            self.close()
        elif kind:
            self._border(kind, name, start, end)
        else:
            self._inline(name, start, end)

    def close(self) -> None:
        if self._start >= 0:
            self._layout.add_block(self._start, self._end)
        self._start = self._end = -1
        self._unseen = 0
        self._tag, self._kind = "", WORDS

    def _pass_tag(self, name: str, tag: str) -> None:
        """Note what a tag makes of the words behind it, up to the next one that closes it."""
        if tag.startswith("</"):
            if name == self._tag:
                self._tag, self._kind = "", WORDS
        elif not self._tag and not tag.endswith("/>"):
            is_hiding = name in _HIDING_TAGS or _HIDING_ATTRIBUTES.search(tag)
            kind = HIDDEN if is_hiding else CODE_SPAN if name in _CODE_TAGS else WORDS
            self._tag, self._kind = (name, kind) if kind else ("", WORDS)

    def _border(self, kind: str, name: str, start: int, end: int) -> None:
        if name in _INLINE_TAGS:
            self._grow(start, end)
            if name in _UNSEEN_TAGS:
                self._unseen += 1 if kind == START else -1
            return
        self.close()
        if kind == END:
            return
        if name == "CodeBlock" or (name == "MetadataBlock" and start == self._first):
            self._layout.add_stretch(start, end, CODE_BLOCK)
            self._skip_to = end
        elif name == "HtmlBlock":
            self._html(start, end)
            self._skip_to = end

    def _inline(self, name: str, start: int, end: int) -> None:
        self._grow(start, end)
        if name == "Text":
            self._layout.add_stretch(start, end, HIDDEN if self._unseen else self._kind)
        elif name == "Code":
            self._layout.add_stretch(start, end, CODE_SPAN)
        elif name == "InlineHtml":
            if tag := _HTML_TAG.fullmatch(self._text, start, end):
                self._pass_tag(tag[1].lower(), tag[0])
            self._layout.add_stretch(start, end, COMMENT if self._text.startswith("<!--", start) else TAG)

    def _grow(self, start: int, end: int) -> None:
        self._start = start if self._start < 0 else min(self._start, start)
        self._end = max(self._end, end)

    def _html(self, start: int, end: int) -> None:
        """Comments are blocks of their own, and so is what stands between two tags that are no part of a sentence."""
        at = start
        for comment in _HTML_COMMENT.finditer(self._text, start, end):
            self._html_blocks(at, comment.start())
            self._layout.add_stretch(*comment.span(), COMMENT)
            at = comment.end()
        self._html_blocks(at, end)

    def _html_blocks(self, start: int, end: int) -> None:
        at = start
        for tag in _HTML_TAG.finditer(self._text, start, end):
            if tag[1].lower() in _TAGS_WITHIN_A_SENTENCE:
                continue
            self._html_text(at, tag.start())
            self._layout.add_stretch(*tag.span(), TAG)
            at = tag.end()
        self._html_text(at, end)

    def _html_text(self, start: int, end: int) -> None:
        self._layout.add_block(start, end)
        at = start
        for tag in _HTML_TAG.finditer(self._text, start, end):
            self._layout.add_stretch(at, tag.start(), self._kind)
            self._layout.add_stretch(*tag.span(), TAG)
            self._pass_tag(tag[1].lower(), tag[0])
            at = tag.end()
        self._layout.add_stretch(at, end, self._kind)
        self._tag, self._kind = "", WORDS


def without_entities(text: str) -> str:
    """The words of a text with &rsquo; and the like as the characters that they stand for."""
    return _ENTITY.sub(lambda found: _character(found[0]), text)


@lru_cache(maxsize=1024)  # a text has few of them, and one of them often
def _character(entity: str) -> str:
    from html import unescape

    return unescape(entity)


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
