"""Hidden text is seen through, and what only looks like a trick is left alone."""

from __future__ import annotations

import pytest
from comparing import engine_for, places, slowly

from review_gate.checks.rule import NEGATION_AWARE, PRESCRIPTIVE, REGEX, Rule

HIDDEN = {
    "zero-width": ("ev\u200bal(x)", "ev\u200bal("),
    "bidi": ("e\u202eval(x)", "e\u202eval("),
    "full-width": ("\uff45\uff56\uff41\uff4c(x)", "\uff45\uff56\uff41\uff4c("),
    "tag characters": ("ev\U000e0061al(x)", "ev\U000e0061al("),
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
    "variation selector and a look-alike": ("\u26a0\ufe0f TODO", "\u26a0\ufe0f \uff34ODO"),
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
    "with a variation selector and without": ("\u26a0\ufe0f TODO", "\u26a0 TODO"),
}


@pytest.mark.parametrize(("pattern", "text"), SAME_TO_READERS.values(), ids=SAME_TO_READERS)
def test_a_literal_is_found_as_it_looks_in_a_plain_text(pattern: str, text: str) -> None:
    rules = [Rule("a", pattern)]
    for found in (text, pattern):
        hits = engine_for(rules).hits(f"x {found} y".encode())
        assert [(hit.text, hit.is_hidden) for hit in hits] == [(found, False)]
        assert places(hits) == slowly(rules, f"x {found} y".encode())


ODD_ONES = {
    "a Kelvin sign": (r"(?i)kick\w", "\u212aickz", "\u212aickz"),
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


def test_broken_bytes_are_no_character_when_ascii_parts_them() -> None:
    data = b"a\xc3(\xa9\n"
    rules = [Rule("a", r"[\udc80-\udcff]", match_rule=REGEX), Rule("b", r"[\u200b\u00e9\U0001f600]", match_rule=REGEX)]
    hits = engine_for(rules).hits(data)
    assert {hit.rule.id for hit in hits} == {"a"}
    assert places(hits) == slowly(rules, data)


@pytest.mark.parametrize(("pattern", "text"), [("...", "wait\u2026"), ("TM", "name\u2122"), ("1/2", "\u00bd")])
def test_a_sign_that_stands_for_several_is_no_trick(pattern: str, text: str) -> None:
    assert engine_for([Rule("a", pattern)]).hits(text.encode()) == []


# Many different ones are sought together: among few characters outside ASCII, and among more than can be looked at.
MANY_LOOK_ALIKES = "".join(map(chr, range(0x1D400, 0x1D4FF)))
MANY = {
    "few others": f"why? {MANY_LOOK_ALIKES} eval? {'plain? ' * 1000}\n\u212f\uff56al(x) ?\udc80e\u200bval(",
    "many others": MANY_LOOK_ALIKES + "\u00e9\u4e00?" * 11_000 + "\n\u212f\uff56al(x)\r\n?e\u200bval(",
}


@pytest.mark.parametrize("text", MANY.values(), ids=MANY)
def test_many_different_look_alikes_are_seen_through(text: str) -> None:
    rules = [Rule("eval", "eval("), Rule("over", r"al\(x\)\s", match_rule=REGEX), Rule("d", "HIJK"), Rule("q", "?")]
    data = text.encode("utf-8", "surrogateescape")
    hits = engine_for(rules).hits(data)
    assert places(hits) == slowly(rules, data)
    assert [hit.rule.id for hit in hits if hit.is_hidden] == ["d", "d", "d", "d", "eval", "eval"]
