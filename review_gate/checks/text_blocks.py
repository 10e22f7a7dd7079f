"""The blocks of a text: which characters are prose, which are lines of code, and what stands around each."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import groupby

from review_gate.checks.languages import is_prose
from review_gate.checks.markdown import END, START, events, kind_of

Span = tuple[int, int]
BYTE_ORDER_MARK = "\ufeff"
LINE_END = re.compile(r"\r\n|\r|\n")
# Prose and a cell of a table are cut into sentences; a line and the head of a table are one each.
PROSE, LINE, CELL, HEAD = "prose", "line", "cell", "head"
NOWHERE = -1
EMPHASIS = ("Emphasis", "Strong", "Strikethrough")
_OPAQUE = ("Code", "InlineHtml", "Link", "Image")
_LEAVES = {"Paragraph": PROSE, "Heading": PROSE, "TableCell": CELL, "TableHead": HEAD}
_FENCED = ("FencedCode", "MetadataBlock")
_LINED = (*_FENCED, "CodeBlock", "HtmlBlock")
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)")
# At the end of a block this breaks no line, but whoever wrote it wanted that and no text.
_VAIN_BREAK = re.compile(r"(?<=[^\s\\])[ \t]+\\\Z")
_INLINE = ("Text", "SoftBreak", "HardBreak", *EMPHASIS, *_OPAQUE)


class Lines:
    """Where the lines of a text begin and end; a byte order mark belongs to none of them."""

    def __init__(self, text: str) -> None:
        first = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
        ends = [(match.start(), match.end()) for match in LINE_END.finditer(text)]
        self.text = text
        self.starts = [first, *(after for _, after in ends)]
        self.ends = [*(before for before, _ in ends), len(text)]

    def __len__(self) -> int:
        return len(self.starts)

    def number(self, place: int) -> int:
        """The line that a character stands on, from 0."""
        return max(0, bisect_right(self.starts, place) - 1)

    def span(self, number: int) -> Span:
        """A line without its end."""
        return self.starts[number], self.ends[number]

    def after(self, number: int) -> int:
        """Where the next line begins."""
        return self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)

    def content(self, number: int) -> str:
        """The text of a line."""
        return self.text[self.starts[number] : self.ends[number]]

    def end_near(self, place: int) -> str:
        """The kind of line end that is used around a place: that of its line, else of the line before."""
        number = self.number(place)
        if number + 1 == len(self.starts):
            number -= 1
        return self.text[self.ends[number] : self.starts[number + 1]] if number >= 0 else "\n"


class Leaf:
    """A piece of text without blocks inside: `paragraph` is all that goes with it, `inline` its marked-up parts."""

    __slots__ = ("end", "inline", "kind", "paragraph", "start")

    def __init__(self, kind: str, start: int, end: int, paragraph: Span | None = None) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.paragraph = paragraph or (start, end)
        self.inline: list[tuple[int, int, str]] = []


class Frame:
    """A block with marks of its own around what it holds; without its content the marks mean nothing."""

    __slots__ = ("content", "end", "is_item", "leaf", "start")

    def __init__(self, start: int, end: int, *, is_item: bool = False) -> None:
        self.start = start
        self.end = end
        self.is_item = is_item
        self.content: Span | None = None
        self.leaf: Leaf | None = None

    def hold(self, span: Span) -> None:
        """Take a piece into the content."""
        self.content = span if self.content is None else (min(span[0], self.content[0]), max(span[1], self.content[1]))


class Blocks:
    """The leaves in order; frames with the inner ones first; the first and last lines within fences."""

    def __init__(self, lines: Lines, language: str) -> None:
        self.leaves: list[Leaf] = []
        self.frames: list[Frame] = []
        self.fence_tops: set[int] = set()
        self.fence_bottoms: set[int] = set()
        if is_prose(language):
            _Reader(lines, self).read()
        else:
            self.leaves = lined_leaves(lines, 0, len(lines.text))
        self.leaves.sort(key=lambda leaf: leaf.start)


def lined_leaves(lines: Lines, start: int, end: int, marks: str = " \t") -> list[Leaf]:
    """One leaf for each line of a stretch of code; what stands between blank lines is a paragraph."""
    spans = []
    for number in range(lines.number(start), lines.number(max(start, end - 1)) + 1):
        first, last = lines.span(number)
        piece = lines.text[max(first, start) : min(last, end)]
        last = max(first, start) + len(piece.rstrip())
        spans.append((last - len(piece.rstrip().lstrip(marks)), last))
    leaves = []
    for is_text, run in groupby(spans, key=lambda span: span[0] < span[1]):
        together = list(run)
        if is_text:
            leaves += [Leaf(LINE, *span, (together[0][0], together[-1][1])) for span in together]
    return leaves


def trimmed(text: str, start: int, end: int) -> Span:
    """A span without blanks at its ends."""
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip(" \t\r\n\f\v"))
    return start, max(start, start + len(piece.strip(" \t\r\n\f\v")))


class _Reader:
    """Makes leaves and frames from the events of the Markdown parser."""

    def __init__(self, lines: Lines, blocks: Blocks) -> None:
        self.text = lines.text
        self.lines = lines
        self.blocks = blocks
        self.open: list[Frame] = []
        self.leaf: Leaf | None = None
        self.table: Span | None = None
        # Where HTML tags of this leaf are open, by name.
        self.tags: dict[str, list[int]] = {}
        self.is_in_lines = False

    def read(self) -> None:
        """Go through the whole text."""
        for kind, tag, start, end in events(self.text, self.lines.starts[0]):
            name = kind_of(tag)
            if name in _INLINE:
                if kind != END and not self.is_in_lines:
                    self._inline(name, start, end)
            elif name == "TableCell" and self.leaf is not None and self.leaf.kind == HEAD:
                continue
            elif kind == START:
                self._begin(name, start, end)
            elif kind == END:
                self._finish(name, start, end)
        self._close_leaf()

    def _begin(self, name: str, start: int, end: int) -> None:
        self._close_leaf()
        if name == "Table":
            self.table = trimmed(self.text, start, end)
        elif name == "Item":
            self.open.append(Frame(start, end, is_item=True))
        elif name in _LINED:
            self.is_in_lines = True
            self._lined(start, end, is_fenced=name in _FENCED)
        elif name in _LEAVES:
            kind = _LEAVES[name]
            # Prose is what the parser shows of it: no marks of a heading, no definition of a link.
            self.leaf = Leaf(kind, NOWHERE, NOWHERE) if kind == PROSE else Leaf(kind, *trimmed(self.text, start, end))

    def _inline(self, name: str, start: int, end: int) -> None:
        if self.leaf is None:
            # The text of a bullet in a tight list is in no paragraph of its own.
            self.leaf = Leaf(PROSE, NOWHERE, NOWHERE)
        leaf = self.leaf
        if name in EMPHASIS or name in _OPAQUE:
            leaf.inline.append((start, end, name))
        if name == "InlineHtml":
            self._html(leaf, start, end)
        if leaf.kind == PROSE and start < end:
            leaf.end = max(leaf.end, end)
            if leaf.start == NOWHERE:
                # The parser leaves the backslash of an escape out.
                leaf.start = start - 1 if start and self.text[start - 1] == "\\" else start

    def _html(self, leaf: Leaf, start: int, end: int) -> None:
        """What stands between two tags of HTML goes with them."""
        found = _TAG.match(self.text, start, end)
        if found and not found[1]:
            self.tags.setdefault(found[2].lower(), []).append(start)
        elif found and (opened := self.tags.get(found[2].lower())):
            leaf.inline.append((opened.pop(), end, "Html"))

    def _finish(self, name: str, start: int, end: int) -> None:
        leaf = self.leaf
        self._close_leaf()
        if name in _LINED:
            self.is_in_lines = False
        elif name == "Item":
            self._close_item()
        elif name == "Table" and self.table:
            self._frame(*self.table, None)
            self.table = None
        elif name == "Heading":
            self._frame(*trimmed(self.text, start, end), leaf)

    def _close_leaf(self) -> None:
        leaf, self.leaf = self.leaf, None
        self.tags = {}
        if leaf is None or leaf.start >= leaf.end:
            return
        leaf.start, leaf.end = trimmed(self.text, leaf.start, leaf.end)
        if leaf.kind == PROSE and self.text[leaf.end - 1] == "\\":
            leaf.end = self._before_vain_break(leaf)
        leaf.paragraph = self.table or (leaf.start, leaf.end)
        self.blocks.leaves.append(leaf)
        self._hold(leaf.paragraph)
        if self.open and self.open[-1].leaf is None and self.open[-1].content == leaf.paragraph:
            self.open[-1].leaf = leaf

    def _before_vain_break(self, leaf: Leaf) -> int:
        """Where the words of a leaf end that has a backslash behind them."""
        line = max(leaf.start, self.lines.starts[self.lines.number(leaf.end - 1)])
        found = _VAIN_BREAK.search(self.text[line : leaf.end])
        return line + found.start() if found else leaf.end

    def _close_item(self) -> None:
        item = self.open.pop()
        if item.content is None:
            return
        item.end = item.content[1]
        if item.leaf is not None:
            item.leaf.paragraph = (item.start, item.end)
        self.blocks.frames.append(item)
        self._hold((item.start, item.end))

    def _frame(self, start: int, end: int, leaf: Leaf | None) -> None:
        frame = Frame(start, end)
        if leaf is not None and leaf.start != NOWHERE:
            frame.hold((leaf.start, leaf.end))
            leaf.paragraph = (start, end)
        self.blocks.frames.append(frame)
        self._hold((start, end))

    def _lined(self, start: int, end: int, *, is_fenced: bool) -> None:
        start, end = trimmed(self.text, start, end)
        first, last = self.lines.number(start), self.lines.number(max(start, end - 1))
        marks = " \t>" if ">" in self.text[self.lines.starts[first] : start] else " \t"
        frame = Frame(start, end)
        if is_fenced:
            start = self.lines.after(first)
            self.blocks.fence_tops.add(first + 1)
            if last > first and self._closes(first, last):
                end = self.lines.ends[last - 1]
                self.blocks.fence_bottoms.add(last - 1)
        leaves = lined_leaves(self.lines, start, end, marks) if start < end else []
        for leaf in leaves:
            frame.hold((leaf.start, leaf.end))
        self.blocks.leaves += leaves
        self.blocks.frames.append(frame)
        self._hold((frame.start, frame.end))

    def _closes(self, first: int, last: int) -> bool:
        opening, closing = (self.lines.content(number).lstrip(" \t>") for number in (first, last))
        opening = opening.lstrip("0123456789.)-+* \t") or opening
        return closing.startswith(opening[:3]) or (opening.startswith("---") and closing.startswith("..."))

    def _hold(self, span: Span) -> None:
        if self.open:
            self.open[-1].hold(span)
