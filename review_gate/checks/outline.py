"""The structure of a Markdown text, and where removals would change more of it than they take away."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from review_gate.checks.markdown import END, events, kind_of
from review_gate.checks.text_blocks import EMPHASIS, Span

_HOLDERS = ("BlockQuote", "Table", "TableHead", "TableRow", "Item")
_LEAVES = ("Paragraph", "Heading", "TableCell", "FencedCode", "CodeBlock", "HtmlBlock", "MetadataBlock", "Rule")
_BLOCKS = frozenset(["List", *_HOLDERS, *_LEAVES])
_PARTS = (*EMPHASIS, "Code", "InlineHtml", "Link", "Image")
# These are there even when nothing is in them.
_VISIBLE = ("Rule", "FencedCode", "Heading", "Item")
# What stands at the ends of a leaf and is not of it: blanks, marks of quotations, escapes.
_AROUND = " \t\r\n\f\v>\\"
_BLANKS = re.compile(r"[ \t]*")
_SKIPPED = re.compile(r"[ \t\r\n\f\v>\\]*")


class Holder:
    """A block around others; one in a list knows that list, and the number that it starts with."""

    __slots__ = ("is_empty", "kind", "list", "number", "start")

    def __init__(self, kind: str, start: int, list_: int = -1, number: int | None = None) -> None:
        self.kind = kind
        self.start = start
        self.list = list_
        self.number = number
        self.is_empty = True


class Leaf:
    """A block with text: where that is, its parts with marks of their own, and the blocks around it."""

    __slots__ = ("end", "kind", "parts", "path", "start")

    def __init__(self, kind: str, path: tuple[Holder, ...]) -> None:
        self.kind = kind
        self.path = path
        self.start = self.end = -1
        self.parts: list[tuple[str, int, int]] = []

    def hold(self, start: int, end: int) -> None:
        """Take a piece of text."""
        if start < end:
            self.start = start if self.start < 0 else min(start, self.start)
            self.end = max(end, self.end)


class Seen(NamedTuple):
    """A leaf as it is compared: first and last character, kind, blocks around it, how many of them the last one shares.

    `numbers` are those that its lists start with, for lists that it is the first of.
    """

    first: int
    last: int
    kind: str
    holders: tuple[str, ...]
    shared: int
    parts: tuple[tuple[str, int, int], ...]
    numbers: tuple[int | None, ...]

    def is_like(self, other: Seen) -> bool:
        """Whether the other one is what was to be expected; that a list goes on with another is no harm."""
        fits = all(new in (None, old) for old, new in zip(self.numbers, other.numbers, strict=False))
        return self[:6] == other[:6] and fits


def leaves_of(text: str, first: int) -> list[Leaf]:
    """All leaves, in order."""
    reader = _Reader(text)
    for kind, tag, start, end in events(text, first):
        reader.take(kind, tag, start, end)
    reader.close()
    return reader.leaves


class _Reader:
    """Makes leaves from the events of the Markdown parser."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.leaves: list[Leaf] = []
        self.holders: list[Holder] = []
        self.lists: list[tuple[int, int | None]] = []
        self.leaf: Leaf | None = None
        self.span = (0, 0)

    def take(self, kind: str, tag: object, start: int, end: int) -> None:
        """Go on by one event."""
        name = kind_of(tag)
        if name in _BLOCKS:
            self.close()
            if kind == END:
                self._leave(name)
            else:
                self._enter(name, tag, start, end)
            if name == "Rule":
                self.close()
        elif kind != END and name != "TaskListMarker":
            self._text(name, start, end)

    def _enter(self, name: str, tag: object, start: int, end: int) -> None:
        if name == "List":
            number = tag["List"] if isinstance(tag, dict) else None
            self.lists.append((start, number))
        elif name == "Item":
            at, number = self.lists[-1]
            self.holders.append(Holder("Item" if number is None else "Numbered", start, at, number))
        elif name in _HOLDERS:
            self.holders.append(Holder(name, start))
        else:
            level = str(tag["Heading"]["level"]) if isinstance(tag, dict) and name == "Heading" else ""
            self.leaf = Leaf(name + level, tuple(self.holders))
            self.span = start, end
            if name == "HtmlBlock":
                self.leaf.hold(start, end)

    def _text(self, name: str, start: int, end: int) -> None:
        if self.leaf is None:
            # The text of a bullet in a tight list is in no paragraph of its own.
            self.leaf = Leaf("Paragraph", tuple(self.holders))
        self.leaf.hold(start, end)
        if name in _PARTS:
            self.leaf.parts.append((name, start, end))

    def _leave(self, name: str) -> None:
        if name == "List":
            self.lists.pop()
        elif name in _HOLDERS:
            holder = self.holders.pop()
            if name == "Item" and holder.is_empty:
                empty = Leaf("Item", (*self.holders, holder))
                mark = self._mark_of(holder)
                empty.hold(mark, mark + 1)
                self._add(empty)

    def _mark_of(self, item: Holder) -> int:
        """Where the mark of an item is, which can be indented."""
        found = _BLANKS.match(self.text, item.start)
        return found.end() if found else item.start

    def close(self) -> None:
        """End the leaf that is being read."""
        leaf, self.leaf = self.leaf, None
        if leaf is None:
            return
        if leaf.start < 0 and leaf.kind.startswith(_VISIBLE):
            leaf.hold(*self.span)
        if leaf.start >= 0:
            self._add(leaf)

    def _add(self, leaf: Leaf) -> None:
        self.leaves.append(leaf)
        for holder in self.holders:
            holder.is_empty = False


class Removals:
    """Stretches of a text that are to go, in order and apart."""

    def __init__(self, text: str, spans: Sequence[Span]) -> None:
        self.text = text
        self.starts = [start for start, _ in spans]
        self.ends = [end for _, end in spans]
        self._gone = [0, *accumulate(end - start for start, end in spans)]
        self._moved = [start - gone for start, gone in zip(self.starts, self._gone, strict=False)]

    def result(self) -> str:
        """The text without them."""
        kept = zip([0, *self.ends], [*self.starts, len(self.text)], strict=True)
        return "".join(self.text[start:end] for start, end in kept)

    def outline(self, leaves: Iterable[Leaf], *, is_after: bool = False) -> list[Seen]:
        """The leaves by what is left of them; those of the text after the removals by where that was before."""
        seen: list[Seen] = []
        last: tuple[Holder, ...] = ()
        begun: set[int] = set()
        for leaf in leaves:
            span = self._left_of(leaf.start, leaf.end, is_after)
            if span is None:
                continue
            parts = ((name, self._left_of(start, end, is_after)) for name, start, end in leaf.parts)
            whole = tuple((name, *found) for name, found in parts if found)
            numbers = tuple(None if holder.list in begun else holder.number for holder in leaf.path)
            shared = sum(1 for one, other in zip(leaf.path, last, strict=False) if one is other)
            seen.append(Seen(*span, leaf.kind, tuple(holder.kind for holder in leaf.path), shared, whole, numbers))
            begun.update(holder.list for holder in leaf.path)
            last = leaf.path
        return seen

    def _left_of(self, start: int, end: int, is_after: bool) -> Span | None:
        """The first and the last character of a stretch that stay and say something."""
        if is_after:
            start, end = self._before(start), self._before(end - 1) + 1
        first = self._first(start, end)
        return (first, self._last(first, end)) if first < end else None

    def _before(self, place: int) -> int:
        return place + self._gone[bisect_right(self._moved, place)]

    def _first(self, place: int, end: int) -> int:
        while place < end:
            index = bisect_right(self.starts, place)
            if index and place < self.ends[index - 1]:
                place = self.ends[index - 1]
                continue
            stop = min(end, self.starts[index]) if index < len(self.starts) else end
            found = _SKIPPED.match(self.text, place, stop)
            if found is None or found.end() < stop:
                return found.end() if found else place
            place = stop
        return end

    def _last(self, first: int, end: int) -> int:
        place = end - 1
        while place > first:
            index = bisect_right(self.starts, place)
            if index and place < self.ends[index - 1]:
                place = self.starts[index - 1] - 1
            elif self.text[place] in _AROUND:
                place -= 1
            else:
                break
        return place

    def blamed(self, expected: Sequence[Seen], actual: Sequence[Seen], *, is_strict: bool) -> set[int]:
        """Which of them change what stands around them; not strict: of a run of changes only the first is looked at."""
        return {
            index
            for before, low, high, is_first in _differences(expected, actual)
            if is_first or is_strict
            for index in self._near(before, low, high)
        }

    def _near(self, before: int, low: int, high: int) -> Sequence[int]:
        """The removals within a difference and in the gap before it, else the next ones."""
        inside = range(bisect_right(self.ends, before), bisect_right(self.starts, high))
        if inside:
            return inside
        after = bisect_left(self.starts, high)
        return [index for index in (after - 1, after) if 0 <= index < len(self.starts)]


def _differences(expected: Sequence[Seen], actual: Sequence[Seen]) -> Iterator[tuple[int, int, int, bool]]:
    """Where two outlines differ: the end of what is before, first and last character, and whether a run begins."""
    old, new, before, is_first = 0, 0, -1, True
    while old < len(expected) or new < len(actual):
        pair = [*expected[old : old + 1], *actual[new : new + 1]]
        least = min(one.last for one in pair)
        is_like = len(pair) == 2 and pair[0].is_like(pair[1])
        if not is_like:
            yield before, min(one.first for one in pair), max(one.last for one in pair), is_first
        # One cause can put all that follows into another block, or make one of it.
        is_first = is_like or (len(pair) == 2 and pair[0].last == pair[1].last and pair[0].holders == pair[1].holders)
        before = least if is_first else before
        old += old < len(expected) and expected[old].last == least
        new += new < len(actual) and actual[new].last == least
