"""A replacement by a regex is what re.sub makes of the text that the pattern is compared with."""

from __future__ import annotations

import re

import pytest
from comparing import is_for_raw_text, is_for_whole_text, occurrences, with_plain_line_ends
from fixing import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from review_gate.checks import fix
from review_gate.checks.fix import fixed
from review_gate.checks.fix_rounds import fix_until_stable
from review_gate.checks.rule import Hit, Rule

REWRITES = {
    "a group that looks at the next line": ("foo\nbar\n", regex(r"foo(?:(?=\n(bar))|)", r"fu-\g<1>"), "fu-bar\nbar\n"),
    "a group of the line before, CRLF": ("a\r\nb\r\n", regex(r"(?<=\n)(b)(?=\n|\Z)", r"<\1>"), "a\r\n<b>\r\n"),
    "blanks before a CR": ("a  \r\nb \n", regex(r"[ \t]+(?=\r)", ""), "a\r\nb \n"),
    "CRLF by LF": ("a  \r\nb\r\n", regex(r"\r\n", r"\n"), "a  \nb\n"),
    "CR alone": ("a\rb\r\n", regex(r"\r(?!\n)", r"\r\n"), "a\r\nb\r\n"),
    "CR in a group": ("a\r\nb\r\n", regex(r"(a)(\r\n)(b)", r"\3\2\1"), "b\r\na\r\n"),
}


@pytest.mark.parametrize(("text", "check", "expected"), REWRITES.values(), ids=REWRITES)
def test_a_regex_that_looks_over_line_ends_rewrites(text: str, check: Rule, expected: str) -> None:
    done = fixed(text, occurrences(check, text))
    assert (done.text, done.left) == (expected, ())


def test_a_hit_of_another_text_is_not_replaced() -> None:
    hit = Hit(regex("(a)b", r"\1"), line=1, column=1, start=0, end=2, text="ab")
    done = fixed("ac", [hit])
    assert (done.text, [left.reason for left in done.left]) == ("ac", [fix.GONE])


def test_line_ends_of_another_kind_are_replaced_once() -> None:
    check = regex(r"\r\n", r"\n")
    done = fix_until_stable("a\r\nb\r\n", lambda text, _: occurrences(check, text))
    assert (done.text, len(done.changes)) == ("a\nb\n", 2)


# The law.

LETTERS = ["a", "b", "(a)", "(a|b)", "[^b]", "(.)", r"(\w)", r"(\w)+?"]
OTHERS = ["b", "(b)?", "(b)*?", "a??", "(.)"]
IN_A_LINE = ["^", "$", "(?=(a)?)", "(?=(b))", "(?!a)", "(?<=a)", "(?<!b)", r"(?=\s?(b)?)", "(?=[^a]*(a)?)", r"\b"]
OVER_LINES = [r"\n", r"(\n)?", r"(?=\n(b)?)", r"(?<=\n)", r"(?<!\n)", r"(?s:.)", r"(?s:(?=.*?(b)))", r"\Z", r"\A"]
WITH_CR = [r"\r", r"(\r)?", r"(?=\r)", r"(?!\r)", r"(?<=\r)", r"[\r\n]", r"(\r\n)", r"(?=[\r\n]+(b)?)"]
LINE_ENDS = ["\n", "\r\n", "\r"]
TEXTS = st.tuples(
    st.sampled_from(["", "\ufeff"]), st.lists(st.sampled_from([*"aabb", " ", *LINE_ENDS]), max_size=14).map("".join)
).map("".join)


def patterns(*kinds: list[str]) -> st.SearchStrategy[str]:
    """Regexes with a letter, so that they cannot match nothing."""
    items = st.one_of(*map(st.sampled_from, [OTHERS, *kinds]))
    around = [st.lists(items, max_size=size).map("".join) for size in (1, 3)]
    return st.tuples(around[0], st.sampled_from(LETTERS), around[1]).map("".join)


def template_for(pattern: str) -> str:
    """All groups of a pattern, told apart."""
    return r"<\g<0>" + "".join(f"|\\{number}" for number in range(1, re.compile(pattern).groups + 1)) + ">"


def replaced(check: Rule, text: str) -> str:
    """What re.sub makes of the text with plain line ends, or as it is where the pattern is for that."""
    mark, body = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
    body = body if is_for_raw_text(check) else with_plain_line_ends(body)
    pieces = [body] if is_for_whole_text(check) else body.split("\n")
    new = template_for(check.pattern)
    return mark + "\n".join(re.sub(check.pattern, new, piece, flags=re.MULTILINE) for piece in pieces)


@pytest.mark.parametrize(
    "kinds", [(IN_A_LINE,), (IN_A_LINE, OVER_LINES), (IN_A_LINE, OVER_LINES, WITH_CR)], ids=["line", "whole", "raw"]
)
def test_a_replacement_is_what_re_sub_makes(kinds: tuple[list[str], ...]) -> None:
    @settings(max_examples=1_000, deadline=None)
    @given(patterns(*kinds), TEXTS)
    @example(r"a(?=\n(b)?)", "a\nb")
    @example(r"[ab](?:(?=\r\n(a))|)", "b\r\na")
    def law(pattern: str, text: str) -> None:
        check = regex(pattern, template_for(pattern))
        done = fixed(text, occurrences(check, text))
        assert done.left == ()
        after = done.text if is_for_raw_text(check) else with_plain_line_ends(done.text)
        assert after == replaced(check, text)

    law()
