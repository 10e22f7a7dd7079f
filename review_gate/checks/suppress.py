"""Inline suppression: `review-gate: ignore[id] reason` in a comment on the line of an alarm, or directly above it."""

from __future__ import annotations

from review_gate.checks.alarm import LONG_LINE, Alarm
from review_gate.checks.comments import comment_before
from review_gate.reviewers.text import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence

    from review_gate.checks.comments import Comment

MARKER = "review-gate:"
WORD = "ignore"

WITHOUT_REASON = "suppression-without-reason"
MALFORMED = "suppression-malformed"
UNKNOWN_ID = "suppression-unknown-id"
UNUSED = "suppression-unused"
# What the alarms about suppressions themselves are, for reports that explain each rule.
ABOUT = {
    WITHOUT_REASON: (
        "major",
        "A suppression must say why the finding is fine; without a reason it suppresses nothing.",
    ),
    MALFORMED: ("major", "A suppression must name its checks in brackets; a malformed one suppresses nothing."),
    UNKNOWN_ID: ("warning", "A suppression names a check that does not exist, so it suppresses nothing."),
    UNUSED: ("warning", "A suppression names a check that finds nothing there, so it can be deleted."),
}
CATEGORY = "suppression"

# A directive that is not among the first ones of its line, or far to the right in it, suppresses nothing.
PER_LINE = 20
FURTHEST = 5_000
GUESSES = 3
_SHOWN = 40
_LONGEST_ID = 100
_NOT_LETTERS_OF_IDS = "._-"
_SMALL = {capital: capital + ord("a") - ord("A") for capital in range(ord("A"), ord("Z") + 1)}
_HOW = "review-gate: ignore[{}] why it is fine here"


class Suppression:
    """One directive: `ids` are suppressed on `line`, where it stands, and on `target`, which it is about.

    `problem` is the rule that it breaks and what is wrong, and then it suppresses nothing.
    """

    __slots__ = (
        "column",
        "end_column",
        "head",
        "ids",
        "is_alone",
        "is_in_template",
        "line",
        "problem",
        "reason",
        "target",
    )

    def __init__(self, line: int, column: int, head: str, *, is_alone: bool) -> None:
        self.line = line
        self.target = line
        self.column = column
        self.end_column = column + len(head)
        self.head = head
        self.is_alone = is_alone
        self.is_in_template = False
        self.ids: tuple[str, ...] = ()
        self.reason = ""
        self.problem: tuple[str, str] | None = None

    def holds(self, alarm: Alarm) -> bool:
        """Whether an alarm is about the directive's own words."""
        return alarm.line == self.line and self.column <= alarm.column < self.end_column

    def alarm(self, file: str, rule: str, message: str) -> Alarm:
        """An alarm about the directive; it quotes only the directive, since its line may hold a secret."""
        shown = visible(self.head[:_SHOWN])
        return Alarm(
            rule,
            ABOUT[rule][0],
            message,
            file=file,
            line=self.line,
            column=self.column,
            match=shown,
            evidence=shown,
            mark=(0, len(shown)),
            source_line=self.head[:LONG_LINE],
        )

    def __repr__(self) -> str:
        return f"Suppression({', '.join(self.ids)} on {self.target}, {self.reason!r}, {self.problem})"


def suppressions_in(text: str, language: str) -> list[Suppression]:
    """Every directive of a text, the malformed ones too, in order."""
    if MARKER not in _in_small_letters(text):
        return []
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    marked = [number for number, line in enumerate(_in_small_letters(text).split("\n"), 1) if MARKER in line]
    found = [one for number in marked for one in _on_line(lines[number - 1], number, language)]
    found = _in_comments(found, text, lines, language) if found else []
    _aim(found)
    return found


def apply_suppressions(
    alarms: Iterable[Alarm],
    suppressions: Sequence[Suppression],
    *,
    file: str,
    known_ids: Collection[str],
    ran_ids: Container[str] | None = None,
    looked_at: Callable[[int], bool] = lambda _: True,
    is_elsewhere: Callable[[str], bool] = lambda _: False,
) -> tuple[list[Alarm], list[Alarm]]:
    """The alarms of one file that stay, with those about the suppressions themselves, and the suppressed ones.

    `known_ids` are all checks of this scan, `ran_ids` those that looked at this file (none given: all), `looked_at`
    tells of a line whether it was looked at, and `is_elsewhere` of an id whether a check of other scans has it.
    """
    if not suppressions:
        return list(alarms), []
    kept, suppressed, used = _sorted_out(alarms, _by_place(suppressions))
    known = frozenset(known_ids)
    seen = [one for one in suppressions if looked_at(one.line)]
    kept += _faults(seen, file, known, is_elsewhere)
    aimed = [one for one in seen if looked_at(one.target)]
    kept += _unused(aimed, used, file, known, known if ran_ids is None else ran_ids)
    return kept, suppressed


def _sorted_out(
    alarms: Iterable[Alarm], by_place: dict[tuple[int, str], Suppression]
) -> tuple[list[Alarm], list[Alarm], set[tuple[Suppression, str]]]:
    """What stays, what is suppressed, and which directives were needed for that, with the id they name."""
    kept: list[Alarm] = []
    suppressed: list[Alarm] = []
    used = set()
    for alarm in alarms:
        directive = by_place.get((alarm.line, alarm.rule))
        if directive and not directive.holds(alarm) and alarm.line == directive.target:
            used.add((directive, alarm.rule))
        may_stay = alarm.hit is None or not alarm.hit.rule.reject_if_persists
        if directive and not may_stay:
            alarm.message += f" (ignore[{alarm.rule}] has no effect: this check cannot be suppressed)"
        (suppressed if directive and may_stay else kept).append(alarm)
    return kept, suppressed, used


def _by_place(suppressions: Iterable[Suppression]) -> dict[tuple[int, str], Suppression]:
    """Line and id -> the directive that suppresses it; of two that say the same the first counts."""
    found: dict[tuple[int, str], Suppression] = {}
    for one in suppressions:
        if one.problem is None:
            for name in one.ids:
                found.setdefault((one.target, name), one)
    for one in suppressions:
        # A line of its own is suppressed too, or its reason could not name what it is about.
        if one.problem is None:
            for name in one.ids:
                found.setdefault((one.line, name), one)
    return found


def _faults(
    suppressions: Iterable[Suppression], file: str, known_ids: Collection[str], is_elsewhere: Callable[[str], bool]
) -> Iterator[Alarm]:
    guesses = GUESSES
    for one in suppressions:
        if one.problem is not None:
            yield one.alarm(file, *one.problem)
            continue
        for name in one.ids:
            if name not in known_ids and not is_elsewhere(name):
                yield one.alarm(file, UNKNOWN_ID, _unknown(name, known_ids if guesses > 0 else ()))
                guesses -= 1


def _unknown(name: str, known_ids: Collection[str]) -> str:
    shown = visible(name[:_SHOWN])
    if name in ABOUT:
        return f"{shown} is about suppressions and cannot be suppressed itself"
    from difflib import get_close_matches

    near = get_close_matches(name, sorted(known_ids), 1)
    return f"there is no check {shown}" + (f"; did you mean {near[0]}?" if near else " (review-gate checks list)")


def _unused(
    suppressions: Iterable[Suppression],
    used: Container[tuple[Suppression, str]],
    file: str,
    known_ids: Container[str],
    ran_ids: Container[str],
) -> Iterator[Alarm]:
    for one in suppressions:
        for name in one.ids if one.problem is None else ():
            if (one, name) not in used and name in known_ids and name in ran_ids:
                yield one.alarm(file, UNUSED, _useless(one, name))


def _useless(one: Suppression, name: str) -> str:
    where = "here" if one.target == one.line else f"on line {one.target}"
    what = "this suppression" if len(one.ids) == 1 else f"{name} from this suppression"
    return f"{name} finds nothing {where}: delete {what}"


def _in_comments(found: list[Suppression], text: str, lines: list[str], language: str) -> list[Suppression]:
    """The directives that are not in a string, a docstring or a code block."""
    from itertools import accumulate

    from review_gate.checks.structure import structure_of

    structure = structure_of(text, language)
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    # The grammar of HTML knows no comments of templates.
    return [
        one for one in found if one.is_in_template or structure.is_in_comment(starts[one.line - 1] + one.column - 1)
    ]


def _aim(found: list[Suppression]) -> None:
    """Point each directive on a line of its own at the next line that is not another of them."""
    target = 0
    following = 0
    for one in reversed(found):
        if one.is_alone:
            target = target if following == one.line + 1 else one.line + 1
            one.target, following = target, one.line


def _on_line(line: str, number: int, language: str) -> Iterator[Suppression]:
    """The directives on one line; a flood of them is cut short."""
    places: list[tuple[int, Comment]] = []
    small = _in_small_letters(line)
    at = small.find(MARKER, 0, FURTHEST)
    while at >= 0 and len(places) < PER_LINE:
        is_one = _is_directive(line, at) or _is_meant(small, at)
        comment = comment_before(line, at, language) if is_one else None
        if comment is not None:
            places.append((at, comment))
        at = small.find(MARKER, at + 1, FURTHEST)
    ends = [*(comment.start for _, comment in places[1:]), len(line)]
    for (at, comment), end in zip(places, ends, strict=False):
        yield _parsed(line[:end], number, at, comment, is_first=places[0][1].is_first)


def without_directive(line: str, language: str) -> str:
    """A line as it was before a comment with a directive was written behind it."""
    at = line.find(MARKER, 0, FURTHEST)
    while at >= 0:
        comment = comment_before(line, at, language)
        if comment is not None and _is_directive(line, at):
            closer = comment.closer or "\n"
            return line[: comment.start] + line[at:].partition(closer)[2]
        at = line.find(MARKER, at + 1, FURTHEST)
    return line


def _is_directive(line: str, at: int) -> bool:
    """Whether the marker stands there and the word `ignore` follows, and not `ignored` or `ignores`."""
    rest = _behind_marker(line, at)
    after = rest[len(WORD) : len(WORD) + 1]
    return line.startswith(MARKER, at) and rest.startswith(WORD) and not (after.isalnum() or after == "_")


def _is_meant(small: str, at: int) -> bool:
    """Whether a line in small letters has a directive with brackets there; without them capitals may begin prose."""
    return _behind_marker(small, at).startswith(f"{WORD}[")


def _behind_marker(line: str, at: int) -> str:
    return line[at + len(MARKER) : at + len(MARKER) + _SHOWN].lstrip(" \t")


def _in_small_letters(text: str) -> str:
    """A text with small letters in ASCII; others may become several, and every place would move."""
    return text.lower() if text.isascii() else text.translate(_SMALL)


def _parsed(line: str, number: int, at: int, comment: Comment, *, is_first: bool) -> Suppression:
    """The directive that begins at a place of a line."""
    text, _, behind = line[at:].partition(comment.closer or "\n")
    is_alone = is_first and behind.strip(" \t") in ("", "}")
    word_end = _in_small_letters(text).index(WORD) + len(WORD)
    names, bracket, reason = text[word_end + 1 :].partition("]")
    has_names = text[word_end : word_end + 1] == "[" and bool(bracket)
    head = text[: word_end + len(names) + 2] if has_names else text[:word_end]
    found = Suppression(number, at + 1, head, is_alone=is_alone)
    found.end_column = at + len(text) + 1
    found.is_in_template = comment.closer == "#}"
    if not has_names:
        found.problem = MALFORMED, _no_names(text[word_end:])
        return found
    found.ids = tuple(dict.fromkeys(name.strip(" \t") for name in names.split(",")))
    found.reason = reason.strip(" \t:-")
    found.problem = _problem(found) or _capitals(found)
    return found


def _capitals(one: Suppression) -> tuple[str, str] | None:
    beginning = one.head.partition("[")[0]
    if beginning.islower():
        return None
    names = visible(", ".join(one.ids))
    return MALFORMED, f"{visible(beginning)} is not in small letters; write: {_HOW.format(names)}"


def _no_names(rest: str) -> str:
    if rest.startswith("["):
        return f"the bracket after ignore is not closed; write: {_HOW.format('id')}"
    return f"ignore names no check, and nothing suppresses all of them; write: {_HOW.format('id')}"


def _problem(one: Suppression) -> tuple[str, str] | None:
    bad = next((name for name in one.ids if not _is_id(name)), None)
    if bad == "":
        return MALFORMED, f"the brackets lack an id; write: {_HOW.format('id')}"
    if bad is not None:
        word = visible(bad[:_SHOWN])
        return MALFORMED, f"{word} is not the id of one check; write: {_HOW.format('id, other-id')}"
    if not any(map(str.isalnum, one.reason)):
        names = visible(", ".join(one.ids))
        return WITHOUT_REASON, f"the suppression of {names} gives no reason; write: {_HOW.format(names)}"
    return None


def _is_id(name: str) -> bool:
    letters = name.translate(dict.fromkeys(map(ord, _NOT_LETTERS_OF_IDS)))
    return name[:1].isalnum() and name.isascii() and letters.isalnum() and len(name) <= _LONGEST_ID
