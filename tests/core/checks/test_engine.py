"""The engine finds exactly what a plain loop over checks and lines finds, only faster."""

from __future__ import annotations

import os
import random
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import random_patterns as made

from review_gate.checks.applies import Page
from review_gate.checks.automaton import SAMPLE, finder, one_by_one, rare_end
from review_gate.checks.engine import Engine, FloodError
from review_gate.checks.judge import judged
from review_gate.checks.match import find, occurrences
from review_gate.checks.plan import plan_of
from review_gate.checks.possessive import tree_for_text
from review_gate.checks.program import from_program, program_for_text, program_of
from review_gate.checks.rule import BY_SENTENCE, NEGATION_AWARE, PRESCRIPTIVE, REGEX, Hit, Rule
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

Place = tuple[str, int, int, int, int, int, str, bool]


def places(hits: Sequence[Hit]) -> list[Place]:
    return sorted(
        (hit.rule.id, hit.start, hit.end, hit.line, hit.column, hit.end_line, hit.text, hit.is_hidden) for hit in hits
    )


def slowly(rules: Sequence[Rule], data: bytes) -> list[Place]:
    text = data.decode("utf-8", "surrogateescape")
    return places([hit for rule in rules for hit in occurrences(rule, text)])


def engine_for(rules: Sequence[Rule], *, is_large: bool = False) -> Engine:
    return Engine(rules, [sought_for(rule) for rule in rules], is_large=is_large)


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


def test_the_way_without_automaton_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "review_gate.checks.engine.finder", lambda needles, *, is_large: lambda data: list(one_by_one(needles, data))
    )
    for number in range(100):
        chance = random.Random(SEED * 31 + number)
        rules, data = made.rules(chance, 5), made.text(chance)
        assert places(engine_for(rules).hits(data)) == slowly(rules, data)


@pytest.mark.parametrize("hits", ["few", "many"])
def test_the_way_over_one_occurrence_to_all_finds_the_same(hits: str) -> None:
    letters = "aZ" if hits == "many" else "abcdeXYZ"
    for number in range(40):
        chance = random.Random(SEED * 57 + number)
        needles = list({"".join(chance.choices(letters, k=chance.randint(3, 18))) for _ in range(12)})
        sought = [needle.encode() for needle in needles]
        found = finder(sought, is_large=True)
        for _ in range(3 * SAMPLE):
            # Needles that overlap, and parts of some.
            parts = [chance.choice([*needles, *letters])[chance.randint(0, 2) :] for _ in range(chance.randint(0, 6))]
            data = "".join(parts if chance.random() < 0.5 else chance.choices(letters, k=40)).encode()
            assert sorted(found(data)) == sorted(one_by_one(sought, data)), (needles, data)


def test_a_long_text_is_looked_for_by_its_rarest_end() -> None:
    assert rare_end(b"pdb.set_trace()") == b"db.set_trace()"
    assert rare_end(b"XXX") == b"XXX"


@pytest.mark.parametrize("error", [ImportError, OSError])
def test_an_automaton_that_cannot_be_loaded_is_done_without(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    class Broken:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "ahocorasick_rs":
                raise error("wrong ELF class")

    monkeypatch.delitem(sys.modules, "ahocorasick_rs", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])
    assert finder([b"b"], is_large=False)(b"abc") == [(0, 1, 2)]


# These begin with a whole word, so that the engine walks over words.
WALKING = [r"\b(\w+)\s+\1\b", r"\b(\w+)\W+\1\b", r"\b(\w+) \1$", r"\b\w+[.!]", r"\b(\w+)-+\1"]
WORDS = ["a", "a", "b", "ab", "aé", "é", "_a", "\uff41", "\u200b"]
BETWEEN = [" ", " ", "  ", "\n", "\r\n", "\n\n", ".", "!", "-", "\t", "\x1c"]


@pytest.mark.parametrize("pattern", WALKING)
def test_a_walk_over_words_misses_nothing(pattern: str) -> None:
    rules = [Rule("walking", pattern, match_rule=REGEX)]
    engine = engine_for(rules)
    assert sys.version_info < (3, 11, 5) or sought_for(rules[0]).walks
    chance = random.Random(SEED)
    for _ in range(400):
        data = "".join(chance.choices([*WORDS, *BETWEEN], k=chance.randint(0, 40))).encode()
        data += chance.choice([b"", b"\xff", b"\xc3"])
        assert places(engine.hits(data)) == slowly(rules, data), data
    for data in (b"b a.", b"a.", b"b\nab a a", b"a a", b"b a-a", b"b a.a"):
        assert places(engine.hits(data)) == slowly(rules, data), data


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


HIDDEN = {
    "zero-width": ("ev\u200bal(x)", "ev\u200bal("),
    "not assigned and never drawn": ("ev\u2065a\ufff0l\U000e0080(x)", "ev\u2065a\ufff0l\U000e0080("),
    "soft hyphen": ("e\u00adval(x)", "e\u00adval("),
    "bidi": ("e\u202eval(x)", "e\u202eval("),
    "full-width": ("\uff45\uff56\uff41\uff4c(x)", "\uff45\uff56\uff41\uff4c("),
    "mathematical": ("\U0001d41e\U0001d42f\U0001d41a\U0001d425(x)", "\U0001d41e\U0001d42f\U0001d41a\U0001d425("),
    "tag characters": ("ev\U000e0061al(x)", "ev\U000e0061al("),
    "variation selector": ("eva\ufe0fl(x)", "eva\ufe0fl("),
}


@pytest.mark.parametrize(("line", "matched"), HIDDEN.values(), ids=HIDDEN)
@pytest.mark.parametrize(
    "rule", [Rule("eval", "eval("), Rule("eval", r"\beval\(", match_rule=REGEX)], ids=["literal", "regex"]
)
def test_hidden_text_is_seen_through(rule: Rule, line: str, matched: str) -> None:
    data = f"fine\nx = {line}\n".encode()
    (hit,) = engine_for([rule]).hits(data)
    assert (hit.line, hit.column, hit.text, hit.is_hidden) == (2, 5, matched, True)


ODD_LITERALS = {
    "full-width colon": ("\u7981\u6b62\uff1a\u5220", "\u7981\u200b\u6b62\uff1a\u5220"),
    "raised two": ("O(n\u00b2)", "O(n\u200b\u00b2)"),
    "two that is not raised, beside a trick": ("O(n\u00b2)", "O\u200b(n2)"),
    "micro sign": ("10 \u00b5m", "10\u200b \u00b5m"),
    "variation selector": ("\u26a0\ufe0f TODO", "\u26a0\ufe0f T\u200bODO"),
    "variation selector and a look-alike": ("\u26a0\ufe0f TODO", "\u26a0\ufe0f \uff34ODO"),
    "no-break space": ("SELECT\u00a0*", "SE\u200bLECT *"),
    "full-width letters": ("\uff45val", "\uff45v\u200bal"),
    "two lines": ("a\uff1a\nb", "a\u200b\uff1a\nb"),
    "ligature": ("\ufb01le", "\ufb01\u200ble"),
}


@pytest.mark.parametrize("match_rule", ["literal", PRESCRIPTIVE, NEGATION_AWARE])
@pytest.mark.parametrize(("pattern", "text"), ODD_LITERALS.values(), ids=ODD_LITERALS)
def test_tricks_are_seen_through_where_the_pattern_itself_has_look_alikes(
    pattern: str, text: str, match_rule: str
) -> None:
    rules = [Rule("a", pattern, match_rule=match_rule)]
    hits = engine_for(rules).hits(f"x {text} y".encode())
    assert [(hit.text, hit.is_hidden) for hit in hits] == [(text, True)]
    assert places(hits) == slowly(rules, f"x {text} y".encode())


SAME_TO_READERS = {
    "no-break space and blank": ("SELECT\u00a0*", "SELECT *"),
    "micro sign and Greek mu": ("10 \u00b5m", "10 \u03bcm"),
    "with a variation selector and without": ("\u26a0\ufe0f TODO", "\u26a0 TODO"),
    "zero-width space and none": ("ev\u200bal", "eval"),
    "two lines": ("a\u00a0b\nc", "a b\nc"),
}


@pytest.mark.parametrize(("pattern", "text"), SAME_TO_READERS.values(), ids=SAME_TO_READERS)
def test_a_literal_is_found_as_it_looks_in_a_plain_text(pattern: str, text: str) -> None:
    rules = [Rule("a", pattern)]
    for found in (text, pattern):
        hits = engine_for(rules).hits(f"x {found} y".encode())
        assert [(hit.text, hit.is_hidden) for hit in hits] == [(found, False)]
        assert places(hits) == slowly(rules, f"x {found} y".encode())


TOLD_APART = {
    "full-width comma": ("\uff0c", "a, b\u200b"),
    "full-width colon behind a word": ("TODO\uff1a", "TODO: \u200b"),
    "ligature": ("\ufb01", "file\u200b"),
    "raised two": ("O(n\u00b2)", "O(n2) \uff1a"),
    "no-break space before a sign": ("\u00a0:", "a : b \u200b"),
    "zero-width space at the end": ("a\u200b", "a b"),
    "nothing that is drawn": ("\u200b", "a b \u00ad"),
}


@pytest.mark.parametrize(("pattern", "text"), TOLD_APART.values(), ids=TOLD_APART)
def test_a_literal_of_a_look_alike_leaves_what_it_looks_like_alone(pattern: str, text: str) -> None:
    rules = [Rule("a", pattern)]
    assert engine_for(rules).hits(text.encode()) == []
    assert slowly(rules, text.encode()) == []


NAMED = {
    "raised two": (r"O\(n\u00b2\)", "O(n\u200b\u00b2)"),
    "full-width colon as it is": ("\u7981\u6b62\uff1a\\w", "\u7981\u200b\u6b62\uff1a\u5220"),
    "in a range": (r"no[\uff00-\uff5e]+", "n\u200bo\uff1a\uff0c"),
    "in a whole text": ("a\u00b2\\nb", "\uff41\u00b2\nb"),
    "with a line end as it is": ("a\u00b2\\r\\n", "\uff41\u00b2\r\n"),
    "and another way to say it": ("a b|c\u00a0d", "a\u00a0b"),
}


@pytest.mark.parametrize(("pattern", "text"), NAMED.values(), ids=NAMED)
def test_a_regex_finds_the_look_alikes_that_it_names_beside_other_tricks(pattern: str, text: str) -> None:
    rules = [Rule("a", pattern, match_rule=REGEX)]
    hits = engine_for(rules).hits(text.encode())
    assert [(hit.text, hit.is_hidden) for hit in hits] == [(text, True)]
    assert places(hits) == slowly(rules, text.encode())


def test_a_regex_that_names_what_is_not_drawn_takes_no_emoji_for_a_letter() -> None:
    rules = [Rule("a", r"[a-z]\ufe0f", match_rule=REGEX)]
    assert engine_for(rules).hits("\u2139\ufe0f \u200b".encode()) == []
    assert slowly(rules, "\u2139\ufe0f \u200b".encode()) == []


ODD_ONES = {
    "a separator that only text takes for blank": (r"\s\d", "a\x1c1", "\x1c1"),
    "a dotless i": (r"(?i)file\(", "f\u0131le(", "f\u0131le("),
    "a Kelvin sign": (r"(?i)kick\w", "\u212aickz", "\u212aickz"),
    "no letter of ASCII": (r"[\u4e00-\u9fff]", "a\u4e2d", "\u4e2d"),
    "a dotted capital I before a needle": (r"(?i:\u0130st)\u00e9", "\u0130ST\u00e9", "\u0130ST\u00e9"),
    "a dotted capital I found as a small one": (r"(?i)\u0130zin verilen", "izin verilen", "izin verilen"),
    "a Roman numeral in a name": (r"exit\(", "e\u217at(0)", "e\u217at("),
    "bytes that are not UTF-8": (r"[\udc80-\udcff]", "a\udcc3(", "\udcc3"),
    "carriage returns, hidden": (r"eval(?:\r?\n)?\(", "ev\u200bal(x)", "ev\u200bal("),
}


@pytest.mark.parametrize(("pattern", "text", "matched"), ODD_ONES.values(), ids=ODD_ONES)
def test_what_is_odd_is_found_by_one_check_alone(pattern: str, text: str, matched: str) -> None:
    rules = [Rule("a", pattern, match_rule=REGEX)]
    data = text.encode("utf-8", "surrogateescape")
    hits = engine_for(rules).hits(data)
    assert [hit.text for hit in hits] == [matched]
    assert places(hits) == slowly(rules, data)


@pytest.mark.parametrize("data", [b"a\xc3(\xa9\n", b"\xe2a\x80b\x8b", b"\xf0\x9f-\x98\x80"])
def test_broken_bytes_with_ascii_between_them_are_no_character(data: bytes) -> None:
    rules = [Rule("a", r"[\udc80-\udcff]", match_rule=REGEX), Rule("b", r"[\u200b\u00e9\U0001f600]", match_rule=REGEX)]
    hits = engine_for(rules).hits(data)
    assert {hit.rule.id for hit in hits} == {"a"}
    assert places(hits) == slowly(rules, data)


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


@pytest.mark.parametrize(("pattern", "text"), [("...", "wait\u2026"), ("TM", "name\u2122"), ("1/2", "\u00bd")])
def test_a_sign_that_stands_for_several_is_no_trick(pattern: str, text: str) -> None:
    assert engine_for([Rule("a", pattern)]).hits(text.encode()) == []


def test_a_match_that_shows_anyway_is_not_told_twice() -> None:
    (hit,) = engine_for([Rule("eval", "eval")]).hits("eval \u200b\n".encode())
    assert not hit.is_hidden


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
