"""Which matches in a changed text count: those that the change brought about."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterator, Mapping, Sequence

from review_gate.checks.applies import Page, applies
from review_gate.checks.judge import needs_structure
from review_gate.checks.languages import language_of
from review_gate.checks.match import lines_of
from review_gate.checks.readings import NUL
from review_gate.checks.rule import ADDED_LINES, BY_SENTENCE, MARKER, WHOLE_FILE, Hit, Rule

# The numbers of the lines that a change adds, as ranges; an empty one is a place behind which lines are gone.
Added = Sequence[range]

# A change farther away than so many lines does not reach into the sentence or the comment of a match, takes no
# suppression from it, and is not looked at by its pattern.
REACH_IN_LINES = 20


class NewRanges(list[range]):
    """The lines that a change adds to a file, in order, and whether lines are gone that held a NUL or a suppression.

    Of a merge `sides` holds those that are new to each parent, and the others are new to all.
    """

    drop_nul = False
    drop_marker = False
    sides: Sequence[Added] = ()


class Side:
    """What a text was before a change; a merge has several such sides."""

    __slots__ = ("found", "page", "ranges")

    def __init__(self, ranges: Ranges) -> None:
        self.ranges = ranges
        # None when it was binary or not there.
        self.page: Page | None = None
        # What was found in it, None when nobody can tell.
        self.found: Sequence[Hit] | None = None


class Ranges:
    """The lines of a text that are new to one version, by the numbers that git gives them."""

    def __init__(self, added: Added, numbers: Sequence[int]) -> None:
        self._added = added
        self._ranges = [one for one in added if one]
        self._starts = [one.start for one in self._ranges]
        self._gaps = [one.start for one in added if not one]
        self._numbers = numbers

    def is_new(self, line: int) -> bool:
        """Whether a line is new."""
        number = self._number(line)
        index = bisect_right(self._starts, number) - 1
        return index >= 0 and number in self._ranges[index]

    def touch(self, first: int, last: int) -> bool:
        """Whether one of some lines is new, or lines are gone between two of them."""
        low, high = (self._number(first) if first > 0 else 0), self._number(last)
        index = bisect_right(self._starts, high) - 1
        is_added = index >= 0 and self._ranges[index].stop > low
        return is_added or bisect_left(self._gaps, low) < bisect_left(self._gaps, high)

    def kept_runs(self, count: int) -> list[tuple[int, int]]:
        """First and last of the lines, of so many, that are not new and stood together before."""
        runs, free = [], 1
        for one in self._added:
            # An empty range is a place: what is gone stood behind that line.
            runs.append((free, one.start - 1 if one else one.start))
            free = one.stop if one else one.start + 1
        runs.append((free, max(self._numbers[-1] if self._numbers else count, free)))
        lines = [
            self._lines_numbered(first, last) if self._numbers else (first, min(last, count)) for first, last in runs
        ]
        return [(first, last) for first, last in lines if first <= last]

    def _lines_numbered(self, first: int, last: int) -> tuple[int, int]:
        return bisect_left(self._numbers, first) + 1, bisect_right(self._numbers, last)

    def _number(self, line: int) -> int:
        return self._numbers[min(line, len(self._numbers)) - 1] if self._numbers else line


class NewLines:
    """The lines of a text that a change adds; this one is of a text in which all of them count."""

    # What the text was before, once that is known.
    sides: Sequence[Side] = ()
    is_before_known = False

    def is_new(self, line: int) -> bool:
        """Whether a line is new."""
        return True

    def hold(self, hit: Hit) -> bool:
        """Whether a match counts because of where it is."""
        return True

    def may_concern(self, hit: Hit) -> bool:
        """Whether a match in old lines may count only since the change, by what now stands around it."""
        return False

    def ask_for_before(self, hits: Sequence[Hit]) -> bool:
        """Whether what the text was before decides about one of some matches."""
        return False


class _SomeLines(NewLines):
    """The same where only some lines are new."""

    def __init__(self, page: Page, text: str, added: Added, over_lines: Container[str]) -> None:
        self._page = page
        self._added = added
        # The ids of checks whose patterns see other lines than those of the match.
        self._over_lines = over_lines
        numbers = numbers_of_git(page, text)
        self._ranges = Ranges(added, numbers)
        self.sides = [Side(Ranges(one, numbers)) for one in getattr(added, "sides", ())] or [Side(self._ranges)]
        if page.moved_from:
            self.sides[0].page, self.is_before_known = page.where_it_was(), True
        self._may_lose_suppression = self._may_lack_directive()

    def is_new(self, line: int) -> bool:
        return self._ranges.is_new(line)

    def hold(self, hit: Hit) -> bool:
        return self._touch(hit) or self._holds_whatever_changed(hit.rule)

    def may_concern(self, hit: Hit) -> bool:
        if self._page.moved_from:
            return self._may_lose_suppression
        depends = self._may_lose_suppression or needs_structure(hit) or hit.rule.id in self._over_lines
        first, last = hit.line - REACH_IN_LINES, hit.end_line + REACH_IN_LINES
        return depends and any(side.ranges.touch(first, last) for side in self.sides)

    def ask_for_before(self, hits: Sequence[Hit]) -> bool:
        if self.is_before_known:
            return False
        old = [hit for hit in hits if not self._touch(hit)]
        return bool(old) and (self._may_be_read_anew() or any(map(self.may_concern, old)))

    def _touch(self, hit: Hit) -> bool:
        """Whether a match is in new lines, or between two of its lines others are gone."""
        return self._ranges.touch(hit.line, hit.end_line)

    def _may_lack_directive(self) -> bool:
        """Whether a suppression may be gone, or be none any more, or speak of another line."""
        before, has_marker = self.sides[0].page, MARKER in self._page.data
        if before is not None:
            # What opens a comment depends on the language, and nothing else has changed.
            return has_marker and before.language != self._page.language
        # In UTF-16 the mark looks different to git.
        return has_marker or bool(self._page.wide) or getattr(self._added, "drop_marker", True)

    def _may_be_read_anew(self) -> bool:
        """Whether the text may have been binary before, or in another language that its name does not tell."""
        was_binary = getattr(self._added, "drop_nul", True) and NUL not in self._page.data
        return was_binary or self._page.language != language_of(self._page.path)

    def _holds_whatever_changed(self, rule: Rule) -> bool:
        """Whether a check is for whole files, not for added lines too, or never had a look at these lines."""
        is_for_all = WHOLE_FILE in rule.places and ADDED_LINES not in rule.places
        return is_for_all or self._is_first_look(rule)

    def _is_first_look(self, rule: Rule) -> bool:
        """Whether a check did not look at the text as it was, or saw other parts and sentences in it."""
        return self.is_before_known and all(self._is_unseen(rule, side.page) for side in self.sides)

    def _is_unseen(self, rule: Rule, before: Page | None) -> bool:
        if before is None:
            return True
        is_read_anew = before.language != self._page.language and (rule.parts or rule.match_rule in BY_SENTENCE)
        return bool(is_read_anew) or not applies(rule, before)


def new_lines(page: Page, text: str, added: Mapping[str, Added], over_lines: Container[str] = frozenset()) -> NewLines:
    """The lines of a page that count: of a changed file those that are new, of any other all."""
    if not page.is_change or page.is_new:
        return NewLines()
    return _SomeLines(page, text, added.get(page.path, NewRanges()), over_lines)


def new_to_each(sides: Sequence[Added]) -> Added:
    """The lines of a merge that no parent has, with those that are new to each."""
    if len(sides) == 1:
        return sides[0]
    lines = sides[0]
    for others in sides[1:]:
        lines = overlap(lines, others)
    found = NewRanges(lines)
    found.sides = sides
    found.drop_nul = any(getattr(side, "drop_nul", True) for side in sides)
    found.drop_marker = any(getattr(side, "drop_marker", True) for side in sides)
    return found


def overlap(ours: Added, theirs: Added) -> list[range]:
    """The lines that are in both of two lists, each of them in order."""
    found, at = [], 0
    for one in ours:
        while at < len(theirs) and theirs[at].stop <= one.start:
            at += 1
        for other in theirs[at:]:
            if other.start >= one.stop:
                break
            found.append(range(max(one.start, other.start), min(one.stop, other.stop)))
    gaps = {one.start for one in ours if not one} & {one.start for one in theirs if not one}
    return sorted([*(lines for lines in found if lines), *(range(gap, gap) for gap in gaps)], key=lambda one: one.start)


def numbers_of_git(page: Page, text: str) -> list[int]:
    """The numbers that git gives to our lines, none where they are the same: for git only the byte LF ends a line."""
    if page.wide:
        # Characters such as U+010A hold that byte too.
        return _counted(page.wide, [len(part.encode(page.codec)) for part in _between(text)])
    if text.count("\r") == text.count("\r\n"):
        return []
    return _counted(page.data, [len(part.encode("utf-8", "surrogateescape")) for part in _between(text)])


def _between(text: str) -> Iterator[str]:
    """What lies between the starts of our lines."""
    at = 0
    for start, _ in lines_of(text):
        yield text[at:start]
        at = start


def _counted(data: bytes, lengths: Sequence[int]) -> list[int]:
    """How many lines git has begun after each of some lengths of bytes."""
    numbers = []
    at, number = 0, 1
    for length in lengths:
        number += data.count(b"\n", at, at + length)
        at += length
        numbers.append(number)
    return numbers
