"""The search in one text within limits: which texts get a process of their own, and what comes back from it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from alarming import Noting, rule

from review_gate.checks.alarm import ScanResult
from review_gate.checks.applies import Page
from review_gate.checks.engine import MOST_PLACES, PIECE
from review_gate.checks.long_texts import LONG_BLANK, LONG_LINE, LONG_TEXT
from review_gate.checks.plan import plan_of
from review_gate.checks.rule import Rule
from review_gate.checks.scan import Scan
from review_gate.checks.search import MOST_SLOW_SECONDS, NEVER_SLOW
from review_gate.checks.watch import TooSlowError, Watch

WORDS = rule("words", r"\w+_old", match_rule="regex")
OVER_LINES = rule("over-lines", r"old\n[\s\S]+\nend", match_rule="regex")
TOUCHING = rule("touching", r"[a-m]+[n-z]", match_rule="regex")
TWICE = rule("twice", r"\b(\w+)\s+\1\b", match_rule="regex")
ANYTHING = rule("anything", r"\b(\w)\W+\1\b", match_rule="regex")
RAW = rule("raw", r"old\r\n+", match_rule="regex")
LITERAL = rule("literal", "_old")
LITERALS = rule("literals", "_old\nold")
BOUND = [r"\w{1,999}_old", r"\w{3}_old", r"(?:\w|x)?_old"]
UNBOUND = [r"\w*_old", r"\w{1,}_old", r"\w{1,1000}_old", r"(?:\w{2}){2,}_old", r"\w{,40000}_old"]
SHORT_LINES = "x = 1\n" * (LONG_TEXT // 6 + 1)
BLANK_LINES = "\n" * 2 * LONG_BLANK


class Leaving(Noting):
    """Counts what is left to work of its own, and leaves it undone: some patterns look at a long line for a second."""

    def bounded(self, work: Callable[[], bytes]) -> bytes:
        self.times += 1
        raise TooSlowError(2)


def scanned(watch: Watch, text: str, *rules: Rule, path: str = "a.py", texts: int = 1) -> ScanResult:
    scan = Scan(plan_of(rules), judge=lambda asked: [hits for hits, _, _ in asked], watch=watch)
    for number in range(texts):
        scan.look_at(Page(f"{number or ''}{path}", text.encode("utf-8", "surrogateescape")))
    return scan.finish()


@pytest.mark.parametrize(
    ("text", "check", "times"),
    [
        ("_old " + "a" * LONG_LINE, WORDS, 1),
        ("x\n" * 9 + "_old " + "a" * LONG_LINE + "\nx\n" * 9, WORDS, 1),
        ("_\u017fold _old " + "é" * LONG_LINE, WORDS, 1),
        ("_\uff4fld " + "a" * LONG_LINE, WORDS, 1),
        ("_old " + "a" * (LONG_LINE - 5), WORDS, 0),
        ("_old\n" + "x = 1\n" * LONG_LINE, WORDS, 0),
        ("_old\n" + "x = 1\n" * PIECE, WORDS, 1),
        ("_old\n" + "x = 1\n" * PIECE, LITERAL, 0),
        ("a" * 2 * LONG_LINE, WORDS, 0),
        ("_old " + "a" * LONG_LINE, LITERAL, 0),
        ("_old\nold" + SHORT_LINES, LITERALS, 0),
        ("old\n" + SHORT_LINES + "end", OVER_LINES, 1),
        ("old\n" + "x\n" * LONG_LINE + "end", OVER_LINES, 0),
        (SHORT_LINES, TOUCHING, 0),
        (SHORT_LINES, RAW, 0),
        (SHORT_LINES, TWICE, 0),
        (SHORT_LINES + BLANK_LINES, TWICE, 1),
        (SHORT_LINES + BLANK_LINES, RAW, 1),
        (SHORT_LINES, ANYTHING, 1),
        ("_old " + "a" * LONG_LINE, rule("words", r"\w+_old", match_rule="regex", languages=["go"]), 0),
        *(("_old " + "a" * LONG_LINE, rule("bound", one, match_rule="regex"), 0) for one in BOUND),
        *(("_old " + "a" * LONG_LINE, rule("unbound", one, match_rule="regex"), 1) for one in UNBOUND),
    ],
    ids=[
        *("long line", "long line among others", "outside ascii", "look-alike"),
        *(
            "line that is not long",
            "short lines",
            "very many lines",
            "very many lines for a literal",
            "no needle",
            "literal",
            "literal of two lines",
        ),
        *("over many lines", "over fewer lines", "without needle", "line ends as they are"),
        *(
            "over few blanks",
            "over many blanks",
            "line ends as they are over blanks",
            "over anything",
            "other language",
        ),
        *BOUND,
        *UNBOUND,
    ],
)
def test_only_patterns_on_very_much_text_get_a_process_of_their_own(text: str, check: Rule, times: int) -> None:
    watch = Leaving()
    scanned(watch, text, check)
    assert watch.times == times


@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["without mark", "with mark"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_what_comes_back_is_what_was_found(mark: str, end: str) -> None:
    middle = f"é a_old b_\uff4fld {end}old{end}\udcff c_old{end} x_old {end}end"
    few, many = [f"{mark}{middle} {'.' * length}" for length in (9, LONG_LINE)]
    watch = Noting()
    found = [scanned(watch, text, WORDS, OVER_LINES, RAW, LITERAL).alarms for text in (few, many)]
    assert watch.times == 1
    told = [
        [(alarm.place(), *(getattr(alarm.hit, name) for name in ("start", "end", "end_line", "text"))) for alarm in one]
        for one in found
    ]
    assert told[0] == told[1]
    assert len(told[0]) > 5


def test_a_flood_is_told_as_such_wherever_it_is_seen() -> None:
    result = scanned(Noting(), "_old" * (MOST_PLACES + 1), WORDS)
    assert result.failures == [
        "a.py: its checks could match at more than 1000000 places (checks.exclude leaves a file out)"
    ]


def test_places_of_checks_that_do_not_look_at_a_text_are_no_flood_in_it() -> None:
    others = [rule(f"go-{number}", "new", languages=["go"]) for number in range(5)]
    result = scanned(Noting(), "new\n" * (MOST_PLACES // 5 + 1) + "_old\n", *others, LITERAL)
    assert (result.failures, [alarm.rule for alarm in result.alarms]) == ([], ["literal"])
    assert scanned(Noting(), "new\n" * (MOST_PLACES // 5 + 1), *others, path="a.go").failures


def test_a_flood_beside_checks_that_do_not_look_is_one() -> None:
    others = [rule(f"go-{number}", "_old", languages=["go"]) for number in range(5)]
    assert scanned(Noting(), "_old" * (MOST_PLACES + 1), *others, WORDS).failures


class Slow(Watch):
    """Ends every search, and says how long it took."""

    def __init__(self, cost: float, error: Exception) -> None:
        self.error = error
        self.cost = cost
        self.spent = 0.0

    def used(self) -> float:
        return self.spent

    def __exit__(self, *_: object) -> None:
        self.spent += self.cost
        raise self.error


def test_the_time_counts_that_searches_really_took() -> None:
    result = scanned(Slow(MOST_SLOW_SECONDS, TooSlowError(2)), "_old", WORDS, texts=3)
    assert result.failures == [
        "a.py: looking at it took longer than 2 seconds",
        "1a.py, 2a.py: given up, because too many checks are too slow",
    ]


def test_texts_that_nobody_tried_are_not_counted_as_looked_at_and_all_of_them_are_known() -> None:
    result = scanned(Slow(MOST_SLOW_SECONDS, TooSlowError(2)), "_old", WORDS, texts=6)
    assert result.failures[1:] == ["1a.py, 2a.py, 3a.py and 2 more: given up, because too many checks are too slow"]
    assert list(result.failed) == ["a.py", "1a.py", "2a.py", "3a.py", "4a.py", "5a.py"]
    assert (result.files, result.not_looked_at) == (1, 6)


def test_in_a_text_that_nobody_tried_no_suppression_is_called_unused() -> None:
    text = "_old  # review-gate: ignore[literal] it is ours\n"
    result = scanned(Slow(MOST_SLOW_SECONDS, TooSlowError(2)), text, WORDS, LITERAL, texts=3)
    assert result.alarms == []


@pytest.mark.parametrize(
    ("error", "said"),
    [(TooSlowError(2), "took longer than 2 seconds"), (MemoryError(), "needs too much memory")],
    ids=["time", "memory"],
)
def test_a_text_is_not_called_slow_for_want_of_memory(error: Exception, said: str) -> None:
    assert scanned(Slow(1, error), "_old", WORDS).failures == [f"a.py: looking at it {said}"]


class Counting(Watch):
    """Counts how often a limit was set."""

    times = 0

    def __enter__(self) -> Watch:
        self.times += 1
        return self


@pytest.mark.parametrize(
    ("text", "checks", "times"),
    [
        ("an _old word", (LITERAL,), 0),
        ("an _old word" + " " * NEVER_SLOW, (LITERAL,), 1),
        ("an _old word", (LITERAL, WORDS), 1),
    ],
)
def test_a_limit_is_set_unless_all_that_is_sought_are_literals_in_a_short_text(
    text: str, checks: tuple[Rule, ...], times: int
) -> None:
    watch = Counting()
    assert scanned(watch, text, *checks).alarms
    assert watch.times == times
