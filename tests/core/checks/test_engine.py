"""The engine finds exactly what a plain loop over checks and lines finds, only faster."""

from __future__ import annotations

import os
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import random_patterns as made
from comparing import Place, engine_for, places, slowly

from review_gate.checks.applies import Page
from review_gate.checks.engine import FloodError
from review_gate.checks.judge import judged
from review_gate.checks.match import find
from review_gate.checks.plan import plan_of
from review_gate.checks.possessive import tree_for_text
from review_gate.checks.program import from_program, program_for_text, program_of
from review_gate.checks.rule import BY_SENTENCE, NEGATION_AWARE, PRESCRIPTIVE, REGEX, Rule
from review_gate.checks.scan import Scan
from review_gate.checks.sought import (
    LINES,
    NEEDLED,
    RAW_TEXT,
    TOUCHED,
    WHOLE_TEXT,
    Sought,
    sought_for,
    sought_from_plain,
)

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


def test_every_kind_of_search_takes_part_in_the_random_comparison() -> None:
    chance = random.Random(SEED)
    kinds = {sought_for(rule).kind for _ in range(100) for rule in made.rules(chance, 5)}
    assert {NEEDLED, TOUCHED, LINES, WHOLE_TEXT, RAW_TEXT, "literal"} == kinds


# These begin with a whole word, so that the engine walks over words.
WALKING = [r"\b(\w+)\s+\1\b", r"\b(\w+)\W+\1\b", r"\b(\w+) \1$", r"\b\w+[.!]", r"\b(\w+)-+\1"]
WORDS = ["a", "a", "b", "ab", "aé", "é", "_a", "\uff41", "\u200b"]
BETWEEN = [" ", " ", "  ", "\n", "\r\n", "\n\n", ".", "!", "-", "\t", "\x1c"]


@pytest.mark.parametrize("pattern", WALKING)
def test_a_walk_over_words_misses_nothing(pattern: str) -> None:
    rules = [Rule("walking", pattern, match_rule=REGEX)]
    engine = engine_for(rules)
    assert sys.version_info < (3, 11, 5) or sought_for(rules[0]).walk_program
    chance = random.Random(SEED)
    for _ in range(400):
        data = "".join(chance.choices([*WORDS, *BETWEEN], k=chance.randint(0, 40))).encode()
        data += chance.choice([b"", b"\xff", b"\xc3"])
        assert places(engine.hits(data)) == slowly(rules, data), data
    for data in (b"b a.", b"a.", b"b\nab a a", b"a a", b"b a-a", b"b a.a"):
        assert places(engine.hits(data)) == slowly(rules, data), data


LONG = {
    "many line ends": (r"\r\n", b"x = 1\r\n" * 9_000, 9_000),
    "a long word before a match": (r"\b\w+\s=\s\w", b"A" * 500_000 + b" = x\n", 1),
}


@pytest.mark.parametrize(("pattern", "data", "count"), LONG.values(), ids=LONG)
def test_the_time_of_a_search_goes_with_the_length_of_the_text(pattern: str, data: bytes, count: int) -> None:
    # The square of it would take longer than any test may.
    assert len(engine_for([Rule("long", pattern, match_rule=REGEX)]).hits(data * 10)) == count * 10


REAL_RULES = [
    Rule("todo", "TODO"),
    Rule("def", r"^\s*def \w+\(self", match_rule=REGEX),
    Rule("repeated", r"\b(\w+)\s+\1\b", match_rule=REGEX),
    Rule("caseless", r"(?i)\bimport\s+(re|os)\b", match_rule=REGEX),
    Rule("long", r".{115,}", match_rule=REGEX),
    Rule("blank", r"[ \t]+$", match_rule=REGEX),
    Rule("not", r"\bassert\b(?!.*==)", match_rule=REGEX),
    Rule("two-lines", r"\)\n\n\ndef ", match_rule=REGEX),
    Rule("number", r"\b\d{3,}\b", match_rule=REGEX),
    Rule("either", r"(?:return|yield) (?:None|True|False)$", match_rule=REGEX),
    Rule("quoted", r"""(["'])(?:(?!\1).)*\1""", match_rule=REGEX),
    Rule("email", r"[\w.]+@[\w.]+", match_rule=REGEX),
    Rule("dash", "—"),
]
REAL_SENTENCES = [
    Rule("used", "import", match_rule=PRESCRIPTIVE),
    Rule("is", "is", match_rule=NEGATION_AWARE),
    Rule("said", "return", scope=("comments", "prose")),
]


HERE = Path(__file__).parents[3]
STANDARD_LIBRARY = Path(os.__file__).parent
REAL_FILES = {
    "this one": [path for folder in ("review_gate", "tests", "docs") for path in sorted((HERE / folder).rglob("*.*"))],
    # Written by hundreds of people in thirty years, with texts in many languages and encodings.
    "Python's own": [*sorted(STANDARD_LIBRARY.glob("test/*.py")), *sorted(STANDARD_LIBRARY.rglob("*.txt"))],
}


@pytest.mark.parametrize("name", REAL_FILES)
def test_a_real_repository_gives_what_the_plain_loop_gives(name: str) -> None:
    rules = [*REAL_RULES, *REAL_SENTENCES]
    scan = Scan(plan_of(rules), judge=lambda questions: [judged(*question) for question in questions], is_large=True)
    expected: dict[str, list[Place]] = {}
    for path in REAL_FILES[name][::24]:
        data = path.read_bytes()
        if b"\0" not in data and len(data) < 30_000:
            page = Page(str(path), data)
            scan.look_at(page)
            text = data.decode("utf-8", "surrogateescape")
            expected[str(path)] = places([hit for rule in rules for hit in find(rule, text, page.language)])
    alarms = scan.finish().alarms
    for file, hits in expected.items():
        assert places([alarm.hit for alarm in alarms if alarm.file == file and alarm.hit]) == hits, file
    assert len({hit[0] for hits in expected.values() for hit in hits}) >= 10


def test_a_part_of_a_plan_looks_for_its_checks_as_the_whole_does() -> None:
    rules = [Rule("one", "a"), Rule("two", r"b\d+", match_rule=REGEX), Rule("three", "c")]
    plan = plan_of(rules)
    part = plan.only(lambda rule: rule.id != "one")
    assert list(part.rules) == rules[1:]
    # The very same: working it out anew takes longer than most scans.
    assert all(ours is theirs for ours, theirs in zip(part.sought, plan.sought[1:], strict=True))


def test_the_plan_of_a_check_survives_its_plain_form() -> None:
    chance = random.Random(SEED)
    for rule in made.rules(chance, 200):
        sought = sought_for(rule)
        again = sought_from_plain(rule, sought.plain(lambda code: [code]), lambda code: code)
        assert [getattr(again, name) for name in Sought.__slots__ if name != "_regex"] == [
            list(value) if isinstance(value, tuple) else value
            for value in (getattr(sought, name) for name in Sought.__slots__ if name != "_regex")
        ]


@pytest.mark.parametrize("program", [program_of, program_for_text])
def test_a_regex_from_its_program_matches_as_the_compiled_one_does(program: Callable[[str], list[object]]) -> None:
    chance = random.Random(SEED)
    for _ in range(300):
        pattern, text = made.regex(chance), made.text(chance).decode("utf-8", "surrogateescape")
        loaded = from_program(pattern, program(pattern))
        assert loaded is not None
        wanted = re.compile(pattern, re.MULTILINE)
        assert (loaded.flags, loaded.groupindex) == (wanted.flags, wanted.groupindex)
        assert [(m.span(), m.groups()) for m in loaded.finditer(text)] == [
            (m.span(), m.groups()) for m in wanted.finditer(text)
        ]


@pytest.mark.parametrize(
    "program",
    [
        [],
        [1],
        [40, 1, {}, "AAAA"],
        ["x", 0, {}, ""],
        [40, 0, {"a": 9}, "////"],
        [40, 0, {}, "%"],
        [40, -1, {}, "AQAAAA=="],
    ],
    ids=str,
)
def test_a_program_that_is_damaged_is_not_used(program: list[object]) -> None:
    assert from_program("a+", program) is None


@pytest.mark.parametrize(
    ("pattern", "hastened"),
    [
        (r"\b(\w+)\s+\1\b", 1),
        (r"(\w+)\s+x", 2),
        (r"\d+ \W+\w", 2),
        (r"\S+\s", 1),
        (r"[\w.]+@", 0),
        (r"\w+\s*x", 1),
        (r"\s+[^x]", 0),
        (r"\w+[a-z]", 0),
        (r"\w+\d", 0),
        (r"\w+?\s", 0),
        (r"(?a)\W+\w", 0),
        (r"(?i)\w+\s", 0),
        (r"\w+(?:\s|x)y", 0),
    ],
)
def test_a_repeat_that_nothing_after_it_can_take_from_is_never_tried_shorter(pattern: str, hastened: int) -> None:
    assert str(tree_for_text(pattern)).count("POSSESSIVE_REPEAT") == hastened


def test_no_character_is_both_blank_and_part_of_a_word() -> None:
    everything = "".join(map(chr, range(0x110000)))
    blank, word, digit = (set(re.findall(kind, everything)) for kind in (r"\s", r"\w", r"\d"))
    assert blank == set(filter(str.isspace, everything))
    assert word == {"_", *filter(str.isalnum, everything)}
    assert not blank & word
    assert digit <= word


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
    scan = Scan(plan_of(PROSE_RULES), judge=lambda questions: [judged(*question) for question in questions])
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
