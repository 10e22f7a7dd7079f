"""The engine finds exactly what a plain loop over checks and lines finds, only faster."""

from __future__ import annotations

import json
import os
import random
import re
import warnings

import pytest
import random_patterns as made
from comparing import engine_for, places, slowly

from review_gate.checks.applies import Page
from review_gate.checks.engine import FloodError, find
from review_gate.checks.plan import plan_from_plain, plan_of
from review_gate.checks.rule import BY_SENTENCE, REGEX, Rule
from review_gate.checks.scan import Scan
from review_gate.checks.sought import regex_of

# A longer soak: ROUNDS=200000 SEED=7 pytest tests/core/checks/test_engine.py -k random
ROUNDS = int(os.environ.get("ROUNDS", "600"))
SEED = int(os.environ.get("SEED", "1"))


@pytest.mark.parametrize("part", range(4))
def test_random_checks_on_random_texts_give_what_the_plain_loop_gives(part: int) -> None:
    for number in range(part, ROUNDS, 4):
        chance = random.Random(SEED * 1_000_003 + number)
        # One check alone has texts without any of its needles, which five together hardly have.
        rules = made.rules(chance, 1 if number % 3 == 0 else 5)
        engine = engine_for(rules, is_large=bool(number % 2))
        for _ in range(8):
            data = made.text(chance)
            found, expected = places(engine.hits(data)), slowly(rules, data)
            assert found == expected, (number, [rule.pattern for rule in rules], data, set(found) ^ set(expected))


LONG = {
    "many line ends": (r"\r\n", b"x = 1\r\n" * 9_000, 9_000),
    "a long word before a match": (r"\b\w+\s=\s\w", b"A" * 500_000 + b" = x\n", 1),
}


@pytest.mark.parametrize(("pattern", "data", "count"), LONG.values(), ids=LONG)
def test_the_time_of_a_search_goes_with_the_length_of_the_text(pattern: str, data: bytes, count: int) -> None:
    # The square of it would take longer than any test may.
    assert len(engine_for([Rule("long", pattern, match_rule=REGEX)]).hits(data * 10)) == count * 10


def test_a_plan_survives_its_plain_form() -> None:
    plan = plan_of(made.rules(random.Random(SEED), 200))
    again = plan_from_plain(json.loads(json.dumps(plan.plain())))
    assert again is not None
    assert [tuple_of(one) for one in again.sought] == [tuple_of(one) for one in plan.sought]
    assert [tuple_of(one) for one in again.rules] == [tuple_of(one) for one in plan.rules]


def tuple_of(value: object) -> object:
    return tuple(map(tuple_of, value)) if isinstance(value, list | tuple) else value


def test_the_regex_package_finds_what_python_finds() -> None:
    chance, compared = random.Random(SEED), 0
    for _ in range(400):
        pattern, text = made.regex(chance), made.text(chance).decode("utf-8", "surrogateescape")
        # What `re` takes for a blank, or for the same letter in another case, differs here and there outside ASCII.
        text = text.encode("ascii", "ignore").decode().translate({0x1C: None})
        if pattern.isascii():
            compared += 1
            wanted = [match.span() for match in re.finditer(pattern, text, re.MULTILINE)]
            assert [match.span() for match in regex_of(pattern).finditer(text)] == wanted, (pattern, text)
    assert compared > 100


@pytest.mark.parametrize("pattern", [r"a{e}", r"x{,2}y", r"[[:alpha:]]b", r"a{,}b", r"(?x) a [ #] b # c"])
def test_what_only_the_regex_package_reads_otherwise_means_what_it_means_in_python(pattern: str) -> None:
    text = "a{e} b xxy y :]b l]b aaab {1} a b a#b"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = [match.span() for match in re.finditer(pattern, text)]
    assert [match.span() for match in regex_of(pattern).finditer(text)] == wanted


@pytest.mark.parametrize("before", [r"(?<=\s)", r"(?<=\W)", "(?<=[^a])", r"(?<!\w)(?<=\n)", r"(?<![a-z])(?<=[^a])"])
def test_what_stands_before_a_match_is_looked_for_in_its_own_line(before: str) -> None:
    rules = [Rule("a", f"{before}foobar", match_rule=REGEX)]
    data = b"a\nfoobar\n b\nx foobar\n"
    assert places(engine_for(rules).hits(data)) == slowly(rules, data)


def test_a_regex_can_ask_for_carriage_returns() -> None:
    rules = [Rule("crlf", r"\r\n", match_rule=REGEX), Rule("cr", r"\r(?!\n)", match_rule=REGEX)]
    hits = engine_for(rules).hits(b"a\r\nb\nc\rd\r\n")
    assert [(hit.rule.id, hit.line, hit.text) for hit in hits] == [
        ("crlf", 1, "\r\n"),
        ("crlf", 4, "\r\n"),
        ("cr", 3, "\r"),
    ]


def test_a_check_that_is_switched_off_is_not_looked_for() -> None:
    rules = [Rule("a", "a"), Rule("b", r"b+", match_rule=REGEX)]
    engine = engine_for(rules)
    engine.switch_off(rules[1])
    assert [hit.rule.id for hit in engine.hits(b"ab")] == ["a"]


PROSE = (
    "We use eval here. We don't use\neval there, but we run exec.\n\n- never eval\n- eval\n\n```\neval not\n```\n",
    "Unlike eval, JSON.parse is safe. Eval cannot go wrong!  `not` eval; do not forget eval.\r\n\r\nuse e\u200bval",
    "# Do not\n\neval\n\n| eval | not |\n|---|---|\n| not eval | `eval` |\n\n> eval\n> is not used.\n",
)
PROSE_RULES = [
    Rule(f"{name}-{index}", pattern, match_rule=name, scope=scope)
    for name in (*BY_SENTENCE, "literal", REGEX)
    for index, (pattern, scope) in enumerate(
        (("eval", ()), ("exec", ()), ("eval", ("prose",)), ("eval", ("code",)), ("not", ("comments", "prose")))
    )
]


@pytest.mark.parametrize("language", ["markdown", "text", "python", ""])
@pytest.mark.parametrize("text", PROSE)
def test_a_scan_reports_exactly_what_the_plain_definition_finds_whatever_the_match_rule(
    text: str, language: str
) -> None:
    scan = Scan(plan_of(PROSE_RULES))
    scan.look_at(Page("text", text.encode(), language))
    found = places([alarm.hit for alarm in scan.finish().alarms if alarm.hit])
    assert found == places([hit for rule in PROSE_RULES for hit in find(rule, text, language)])
    assert found


def test_a_match_over_the_seam_of_two_pieces_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("review_gate.checks.engine.PIECE", 7)
    for number in range(150):
        chance = random.Random(SEED * 77 + number)
        rules, data = made.rules(chance, 5), made.text(chance)
        assert places(engine_for(rules).hits(data)) == slowly(rules, data)


def test_a_flood_of_places_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("review_gate.checks.engine.MOST_PLACES", 10)
    engine = engine_for([Rule("a", "a")])
    assert len(engine.hits(b"a" * 10)) == 10
    with pytest.raises(FloodError):
        engine.hits(b"a" * 11)
