"""What a round showed of each file, and whether words that a finding quotes stand there, are old, or are gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

from review_gate.consensus.current import groups_now
from review_gate.consensus.schema import Issue, Request, ShownGroup
from review_gate.consensus.show import BUDGET
from review_gate.pipeline.exhibit import FileText, exhibits
from review_gate.ports import NotShown

# By file; of all files together under None.
Lines = Mapping[str | None, Counter[str]]
Kept = TypeVar("Kept")
# Before the text of a line come its number, a blank, and its sign.
SIGN = 7
# So many lines are hidden of a file that is not shown at all.
ALL_LINES = 10**9
# So many lines on each side of where lines are gone belong to the same place.
NEAR = 5
# What closes the regions of a text that no model is shown; no line has it, since there it is written out.
NO_NONCE = "\0"


class Shown(NamedTuple):
    """The lines of each file without numbers and signs: those that are there, and those that were taken away."""

    here: Lines
    gone: Lines
    # Files of which nobody saw everything, and how many lines of each are not shown.
    hidden: Mapping[str, int]
    # The lines that are there, one after the other.
    order: Mapping[str | None, Sequence[str]]
    # Of a change the lines that are there and were before it: out of view they are what they were.
    around: Lines
    # Of how many lines of each file some or all is not shown, for what looks like a secret in them.
    withheld: Mapping[str, int]

    @property
    def sides(self) -> tuple[Lines, Lines]:
        """Both kinds of lines; what was there and is taken away now has moved from one to the other."""
        return self.here, self.gone

    @property
    def paths(self) -> tuple[str, ...]:
        """All files of which something was shown."""
        return tuple(path for path in self.here if path is not None)


def shown_in(request: Request) -> Shown:
    """The lines of each file as a round showed them."""
    withheld = {one.path: one.lines for one in request.withheld if one.path is not None}
    return _shown(groups_now(request), request.not_shown, is_change=bool(request.subject.tree))._replace(
        withheld=withheld
    )


def shown_of(files: Sequence[FileText]) -> Shown:
    """The lines of a change as a round would show them."""
    found, not_shown = exhibits(files, NO_NONCE, BUDGET)
    return _shown([ShownGroup(text=one.text, files=one.files) for one in found], not_shown, is_change=True)


def _shown(groups: Sequence[ShownGroup], not_shown: Sequence[NotShown], *, is_change: bool) -> Shown:
    files = [file for group in groups for file in group.files]
    here: dict[str | None, Counter[str]] = {path: Counter() for path in (None, *(file.path for file in files))}
    gone: dict[str | None, Counter[str]] = {path: Counter() for path in here}
    around: dict[str | None, Counter[str]] = {path: Counter() for path in here}
    order: dict[str | None, list[str]] = {path: [] for path in here}
    for group in groups:
        for path, line in _lines(group):
            side = gone if line[SIGN] == "-" else here
            words = _words(line[SIGN + 1 :])
            # A text has no signs, and nothing of it is ever out of view.
            sides = [side, around] if line[SIGN] == " " and is_change else [side]
            for known in (path, None):
                for lines in sides:
                    lines[known][words] += 1
                order[known] += [words] if side is here else []
    cut = {file.path: file.hidden_lines for file in files if file.hidden_lines}
    return Shown(here, gone, cut | {file.path: ALL_LINES for file in not_shown}, order, around, {})


def _lines(group: ShownGroup) -> Iterator[tuple[str, str]]:
    # By its token, since a path may hold whatever divides a heading.
    files = {file.token: file.path for file in group.files}
    path = ""
    for line in group.text.split("\n"):
        # No line of a file begins so: there its number stands, or blanks.
        if line.startswith(("=== ", "<<<")):
            path = files.get(line.rpartition(" ")[2], "")
        elif path and line[SIGN : SIGN + 1] in ("+", "-", " "):
            yield path, line


def still_stands(issue: Issue, before: Shown, now: Shown) -> bool:
    """Whether what a finding is about is as it was; so it is, too, where nobody can tell."""
    quoted = quoted_lines(issue.quote)
    if not quoted or _is_hidden(issue.file, now):
        return True
    return all(_remains(line, issue.file, before, now) or _has_moved(line, before, now) for line in quoted)


def stands_again(issue: Issue, then: Shown, before: Shown, now: Shown) -> bool:
    """Whether what a finding was about is there as often as then, in whichever file, after some of it was gone."""
    counts = [
        tuple(_count(line, shown[None]) for shown in sides)
        for line in quoted_lines(issue.quote)
        for sides in zip(then.sides, before.sides, now.sides, strict=True)
        if _has(line, sides[0][None])
    ]
    return all(was <= is_now for was, _, is_now in counts) and any(between < was for was, between, _ in counts)


def is_out_of_sight(issue: Issue, before: Shown, now: Shown) -> bool:
    """Whether what a finding is about may be where nobody sees it any more: whoever found it cannot take it back."""
    if quoted_lines(issue.quote) and _is_seen(issue, now):
        return False
    # One whose file is gone may have gone to any other.
    is_there = issue.file is not None and bool(now.here.get(issue.file))
    paths = now.hidden.keys() & {issue.file} if is_there else now.hidden.keys()
    # What was out of sight in the last round stays so.
    was_unheard = issue.standing == "unheard"
    is_hidden = any(was_unheard or now.hidden[path] > before.hidden.get(path, 0) for path in paths)
    return is_hidden or _may_be_withheld(issue, before, now)


def _may_be_withheld(issue: Issue, before: Shown, now: Shown) -> bool:
    """Whether its words may stand where something is taken for a secret by now: behind its beginning much may stand."""
    is_known = issue.file is not None and bool(now.here.get(issue.file))
    paths = now.withheld.keys() & {issue.file} if is_known else now.withheld.keys()
    # Whatever was seen until the last round is withheld only where more is than was then.
    was_withheld = issue.standing == "unheard" and not _is_seen(issue, before)
    return any(was_withheld or now.withheld[path] > before.withheld.get(path, 0) for path in paths)


def _is_seen(issue: Issue, shown: Shown) -> bool:
    """Whether all words that a finding quotes are shown."""
    lines = quoted_lines(issue.quote)
    return all(any(_has(line, _of(issue.file, side)) for side in shown.sides) for line in lines)


def remain(quote: str, file: str | None, before: Shown, now: Shown) -> bool:
    """Whether each line of a quote that stood in a round stands in another in the same way."""
    return all(_remains(line, file, before, now) for line in quoted_lines(quote))


def is_old(issue: Issue, before: Shown, now: Shown) -> bool:
    """Whether a finding can only be about lines that were shown in an earlier round already."""
    if _is_hidden(issue.file, before) or _is_hidden(issue.file, now):
        return False
    sides = [(_of(issue.file, old), _of(issue.file, new)) for old, new in zip(before.sides, now.sides, strict=True)]
    quoted = quoted_lines(issue.quote)
    if not quoted:
        return all(old == new for old, new in sides)
    orders = _of(issue.file, before.order), _of(issue.file, now.order)
    return all(_is_old_line(line, sides) and _is_in_place(line, *orders) for line in quoted) and not any(
        _is_near_a_gap(line, *orders) for line in quoted
    )


def may_be_the_same(one: Issue, other: Issue) -> bool:
    """Whether two findings may be about the same words, in a file that may have another name now.

    One that does not say which words it is about may be about any of its file.
    """
    is_one_file = one.file == other.file or None in (one.file, other.file)
    lines, others = quoted_lines(one.quote), quoted_lines(other.quote)
    if not lines or not others:
        return is_one_file
    return any(line == word or (is_one_file and (line in word or word in line)) for line in lines for word in others)


def quoted_lines(quote: str) -> list[str]:
    """The lines of a quote without what is only space."""
    return [_words(line) for line in quote.split("\n") if line.strip()]


def _is_old_line(line: str, sides: list[tuple[Counter[str], Counter[str]]]) -> bool:
    # Wherever it stands now: a part of a line may be meant in a new one, although it stands in an old one too.
    places = [(old[other], new[other]) for old, new in sides for other in new if line in other]
    return bool(places) and all(now <= before for before, now in places)


def _is_in_place(line: str, before: Sequence[str], now: Sequence[str]) -> bool:
    """Whether it stands among the lines that did not change where it stood: what was moved past others is new."""
    was, is_now = Counter(before), Counter(now)
    both = [[one for one in lines if was[one] == is_now[one]] for lines in (before, now)]
    apart: Counter[str] = Counter()
    for old, new in zip(*both, strict=True):
        if (line in old or line in new) and (old != new or apart):
            return False
        for one, number in ((old, 1), (new, -1)):
            apart[one] += number
            if not apart[one]:
                del apart[one]
    return True


def _is_near_a_gap(line: str, before: Sequence[str], now: Sequence[str]) -> bool:
    """Whether lines are gone near it with nothing in their place: what they leave undone can only be told of others."""
    added = Counter(now) - Counter(before)
    known = Counter(pairwise(_between_ends(before)))
    for at, pair in enumerate(pairwise(_between_ends(now))):
        if not any(one in added for one in pair) and known[pair] <= 0:
            near = now[max(at - NEAR, 0) : at + NEAR]
            if any(line in other for other in near):
                return True
        known[pair] -= 1
    return False


def _between_ends(lines: Sequence[str]) -> list[str]:
    # No line has such words.
    return ["\n", *lines, "\n"]


def _remains(line: str, file: str | None, before: Shown, now: Shown) -> bool:
    stood = [_of(file, new) for old, new in zip(before.sides, now.sides, strict=True) if _has(line, _of(file, old))]
    return not stood or any(_has(line, lines) for lines in stood) or _is_out_of_view(line, file, before, now)


def _is_out_of_view(line: str, file: str | None, before: Shown, now: Shown) -> bool:
    """Whether a line that stood around a change is too far from it now; one that changed would be shown as gone."""
    return _has(line, _of(file, before.around)) and not any(_has(line, _of(file, side)) for side in now.sides)


def _has_moved(line: str, before: Shown, now: Shown) -> bool:
    """Whether a line stands as often as before, in whichever file: one that went elsewhere is not mended."""
    sides = zip(before.sides, now.sides, strict=True)
    return any(0 < _count(line, old[None]) <= _count(line, new[None]) for old, new in sides)


def _count(line: str, lines: Counter[str]) -> int:
    return sum(number for other, number in lines.items() if line in other)


def _has(line: str, lines: Counter[str]) -> bool:
    return line in lines or any(line in other for other in lines)


def _of(file: str | None, lines: Mapping[str | None, Kept]) -> Kept:
    """The lines of a file; of all files where it is not known which is meant, or where it has another name now."""
    return lines.get(file, lines[None])


def _is_hidden(file: str | None, shown: Shown) -> bool:
    return file in shown.hidden if file is not None else bool(shown.hidden)


def _words(line: str) -> str:
    return " ".join(line.split())
