"""Fixes change what they say and nothing else, and come to an end."""

from __future__ import annotations

import pytest
from fixing import finder, found, paragraph, regex, rule, sentence
from hypothesis import given, settings
from hypothesis import strategies as st

from review_gate.checks import fix
from review_gate.checks.fix import Change, applied, fixed
from review_gate.checks.fix_rounds import COMES_BACK, fix_until_stable
from review_gate.checks.rule import Hit, Rule

REWRITES = {
    "a literal": ("a eval b", rule("eval", "parse"), "a parse b"),
    "a literal without escapes": ("a", rule("a", r"\1\n\g<0>"), r"\1\n\g<0>"),
    "a group": ("x: any, y", regex(r"(\w+): any", r"\1: unknown"), "x: unknown, y"),
    "the whole match": ("ab", regex(r"a", r"<\g<0>>"), "<a>b"),
    "what stands before": ("foo1 bar1", regex(r"(?<=bar)1", "2"), "foo1 bar2"),
    "the end of a line": ("a a\r\na a\r\n", regex(r"a$", "b"), "a b\r\na b\r\n"),
    "a line end, CRLF": ("a\r\nb", rule("a\nb", "c\nd\ne"), "c\r\nd\r\ne"),
    "behind a byte order mark": ("\ufeffa", rule("a", "b"), "\ufeffb"),
    "beside bytes that are no UTF-8": ("\udcffa\udc80", rule("a", "b"), "\udcffb\udc80"),
    "a sentence": ("One is. Use eval. Two.", sentence("eval"), "One is. Two."),
    "a paragraph": ("One.\n\nUse eval. So.\n\nTwo.", paragraph("eval"), "One.\n\nTwo."),
    "all sentences": ("- eval is. eval too.\n- b\n", sentence("eval"), "- b\n"),
}


@pytest.mark.parametrize(("text", "check", "expected"), REWRITES.values(), ids=REWRITES)
def test_a_fix_rewrites(text: str, check: Rule, expected: str) -> None:
    done = fixed(text, found(text, check))
    assert done.text == expected
    assert done.left == ()


def hidden(text: str, check: Rule) -> list[Hit]:
    """A match that shows only to somebody who sees through the writing."""
    return [Hit(check, line=1, column=1, start=0, end=1, text=text[:1], is_hidden=True)]


LEAVES_ALONE = {
    "a check without fix": ("eval", Rule("a", "eval"), fix.NO_FIX),
    "text in UTF-16": ("\udcff\udcfee\0v\0", rule("e", "x"), fix.NOT_TEXT),
    "what stays as it is": ("eval", regex("(eval)", r"\1"), fix.NO_CHANGE),
    "an unknown group": (
        "eval",
        regex("eval", r"\1"),
        "the replacement is no template for the pattern: no such group",
    ),
    "a giant": ("a" * 2_000, regex("(a+)", r"\1" * 1_000), fix.TOO_LONG),
    "a sentence within emphasis": ("**Keep. Use eval.** So.", sentence("eval"), fix.BREAKS),
    "the head of a table": ("| eval |\n| - |\n| b |\n", sentence("eval"), fix.BREAKS),
}


@pytest.mark.parametrize(("text", "check", "reason"), LEAVES_ALONE.values(), ids=LEAVES_ALONE)
def test_a_fix_leaves_alone(text: str, check: Rule, reason: str) -> None:
    done = fixed(text, found(text, check))
    assert (done.text, done.changes) == (text, ())
    assert {left.reason for left in done.left} == {reason}


def test_a_hidden_match_is_left_to_a_person() -> None:
    done = fixed("\uff45val", hidden("\uff45val", rule("eval", "x")))
    assert (done.text, [left.reason for left in done.left]) == ("\uff45val", [fix.HIDDEN])


def test_a_text_does_not_grow_without_bound() -> None:
    text = "a" * 6_000
    done = fixed(text, found(text, rule("a", "b" * 4_000)))
    assert len(done.text) <= len(text) + fix.MAX_GROWTH
    assert {left.reason for left in done.left} == {fix.TOO_MUCH}


def test_changes_say_where_what_and_why() -> None:
    text = "One is.\nUse eval here. Bad any is.\nLast foo.\n"
    done = fixed(text, found(text, sentence("eval"), rule("any", "one"), sentence("foo")))
    assert done.text == "One is.\nBad one is.\n"
    assert done.changes == (
        Change(8, 23, 2, ("eval",), "Use eval here. ", ""),
        Change(27, 30, 2, ("any",), "any", "one"),
        Change(35, 45, 3, ("foo",), "Last foo.\n", ""),
    )


OVERLAPS = {
    "the first by place": ("abc", [rule("bc", "2"), rule("ab", "1")], "1c", "bc", "ab"),
}


@pytest.mark.parametrize(("text", "checks", "expected", "loser", "winner"), OVERLAPS.values(), ids=OVERLAPS)
def test_of_two_fixes_that_overlap_one_waits(
    text: str, checks: list[Rule], expected: str, loser: str, winner: str
) -> None:
    done = fixed(text, found(text, *checks))
    assert done.text == expected
    assert [(left.hit.rule.id, left.reason) for left in done.left] == [(loser, f"it overlaps the fix of {winner}")]


ROUNDS = {
    "one round": ("eval eval", [rule("eval", "x")], "x x"),
    "what overlapped comes next": ("abbc", [rule("ab", "a"), rule("bc", "c")], "ac"),
    "a fix that makes another match": ("a", [rule("a", "b"), rule("b", "c")], "c"),
    "a paragraph, sentence by sentence": (
        "X.\n\nA foo. B bar. C foo.\n\nY.\n",
        [sentence("foo"), sentence("bar")],
        "X.\n\nY.\n",
    ),
}


@pytest.mark.parametrize(("text", "checks", "expected"), ROUNDS.values(), ids=ROUNDS)
def test_rounds_go_on_until_nothing_is_left(text: str, checks: list[Rule], expected: str) -> None:
    done = fix_until_stable(text, finder(*checks))
    assert (done.text, done.left) == (expected, ())


CIRCLES = {
    "a replacement with the pattern in it": (
        "a foo b bar",
        [rule("foo", "foobar"), rule("b ", "c ")],
        "a foo c bar",
        ["foo"],
    ),
    "two that undo each other": (
        "colour x",
        [rule("colour", "color"), rule("color", "colour"), rule("x", "y")],
        "colour y",
        ["colour"],
    ),
    "a ring behind a good fix": ("z", [rule("z", "a"), rule("a", "b"), rule("b", "a")], "a", ["a"]),
}


@pytest.mark.parametrize(("text", "checks", "expected", "left"), CIRCLES.values(), ids=CIRCLES)
def test_fixes_that_go_in_circles_are_not_applied(
    text: str, checks: list[Rule], expected: str, left: list[str]
) -> None:
    done = fix_until_stable(text, finder(*checks))
    assert done.text == expected
    assert [(one.hit.rule.id, one.reason) for one in done.left] == [(name, COMES_BACK) for name in left]


def test_lines_of_later_rounds_are_those_of_the_text_as_it_was() -> None:
    text = "bad\n\nA.\n\nfoo\n"
    done = fix_until_stable(text, finder(paragraph("bad"), rule("foo", "bar\nbaz"), rule("baz", "qux")))
    assert done.text == "A.\n\nbar\nqux\n"
    assert [(change.line, change.rule) for change in done.changes] == [(1, "bad"), (5, "foo"), (5, "baz")]


# Laws.

LETTERS = st.sampled_from(
    [*"aab. \n-", "\r\n", "\r", "> ", "- ", "a. ", "\n\n", "```\n", "*", "|", "é", "\udcff", "\udcc3\udca9"]
)
TEXTS = (
    st.lists(LETTERS, max_size=30)
    .map("".join)
    .map(lambda text: text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape"))
)
PATTERNS = st.sampled_from(["a", "b", "aa", "ab", "a.", "é", " ", "a\nb", "-"])
NEW = st.sampled_from(["", "a", "b", "ab", "ba", "aa", "é", "b\n", ". "])
ACTIONS = st.sampled_from(["replace", "replace", "remove_sentence", "remove_paragraph"])
CHECKS = st.lists(
    st.builds(lambda pattern, new, action: rule(pattern, new, action=action), PATTERNS, NEW, ACTIONS), max_size=3
)


def unique(checks: list[Rule]) -> list[Rule]:
    """Checks with ids of their own."""
    return [Rule(str(number), check.pattern, fix=check.fix) for number, check in enumerate(checks)]


@settings(max_examples=300, deadline=None)
@given(TEXTS, CHECKS)
def test_only_the_reported_spans_differ(text: str, checks: list[Rule]) -> None:
    done = fixed(text, found(text, *unique(checks)))
    assert applied(text, done.changes) == done.text
    for change, following in zip(done.changes, done.changes[1:], strict=False):
        assert change.end <= following.start
    for change in done.changes:
        assert text[change.start : change.end] == change.before != change.after


def bytes_of(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


@settings(max_examples=300, deadline=None)
@given(TEXTS, CHECKS)
def test_bytes_outside_the_spans_stay(text: str, checks: list[Rule]) -> None:
    done = fixed(text, found(text, *unique(checks)))
    rest, at = bytes_of(done.text), 0
    for change in done.changes:
        kept = bytes_of(text[at : change.start]) + bytes_of(change.after)
        assert rest.startswith(kept)
        rest, at = rest[len(kept) :], change.end
    assert rest == bytes_of(text[at:])


@settings(max_examples=400, deadline=None)
@given(TEXTS, CHECKS)
def test_fixing_twice_changes_nothing_more(text: str, checks: list[Rule]) -> None:
    find = finder(*unique(checks))
    once = fix_until_stable(text, find)
    twice = fix_until_stable(once.text, find)
    assert (twice.text, twice.changes) == (once.text, ())


@settings(max_examples=200, deadline=None)
@given(TEXTS, CHECKS)
def test_no_match_is_forgotten(text: str, checks: list[Rule]) -> None:
    find = finder(*unique(checks))
    done = fix_until_stable(text, find)
    assert len(done.left) == len(find(done.text))


@settings(max_examples=200, deadline=None)
@given(TEXTS.map(lambda text: text.replace("\r", "")), CHECKS, st.sampled_from(["\r\n", "\r"]))
def test_line_ends_are_kept(text: str, checks: list[Rule], end: str) -> None:
    find = finder(*unique(checks))
    other = fix_until_stable(text.replace("\n", end), find).text
    assert other == fix_until_stable(text, find).text.replace("\n", end if "\n" in text else "\n")


@settings(max_examples=200, deadline=None)
@given(TEXTS, CHECKS)
def test_a_sentence_or_paragraph_taken_away_holds_its_match(text: str, checks: list[Rule]) -> None:
    # A blank can stand between two sentences, and the mark of a bullet stays where others are below it.
    hits = found(text, *(check for check in unique(checks) if check.pattern not in " -"))
    for change in fixed(text, hits).changes:
        names = {hit.rule.id for hit in hits if change.start < hit.end and hit.start < change.end}
        assert set(change.rules) <= names


def test_byte_order_mark_stays_when_a_check_matches_it() -> None:
    hit = Hit(rule("\ufeff", ""), line=1, column=1, start=0, end=1, text="\ufeff")
    done = fixed("\ufeffa", [hit])
    assert (done.text, [left.reason for left in done.left]) == ("\ufeffa", [fix.MARK])
