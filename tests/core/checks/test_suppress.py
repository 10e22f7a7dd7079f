"""Inline suppression: what counts as a directive, what it suppresses, and what is said about a bad one."""

from __future__ import annotations

import pytest
from alarming import alarms, rule
from hypothesis import given
from hypothesis import strategies as st
from suppressing import DIRECTIVE, apply, said

from review_gate.checks.languages import LANGUAGES
from review_gate.checks.suppress import suppressions_in

# What is a directive


COMMENTS = {
    "hash": ("python", "x = eval(y)  # {}"),
    "three slashes": ("rust", "eval(x) /// {}"),
    "block": ("c", "eval(x) /* {} */"),
    "dashes": ("sql", "SELECT eval -- {}"),
    "markup": ("html", "<p>eval</p> <!-- {} -->"),
    "markup in Markdown": ("markdown", "Use eval. <!-- {} -->"),
    "block of PowerShell": ("powershell", "eval <# {} #>"),
    "semicolon, language unknown": ("", "(eval x) ; {}"),
    "after an apostrophe in a word": ("python", "eval(x)  # don't  # {}, isn't it"),
    "after a whole string": ("python", "eval('a', \"b\", r'c')  # {}"),
    "without a space after the colon": ("python", "eval(x)  # review-gate:ignore[no-eval] it is safe"),
}


@pytest.mark.parametrize(("language", "line"), COMMENTS.values(), ids=COMMENTS.keys())
def test_a_directive_in_a_comment_suppresses_the_alarm_on_its_line(language: str, line: str) -> None:
    text = "first\n" + line.replace("{}", DIRECTIVE).replace("{{", "{").replace("}}", "}") + "\nlast\n"
    kept, suppressed = apply(text, language=language)
    assert kept == []
    assert {(alarm.line, alarm.rule) for alarm in suppressed} == {(2, "no-eval")}


NOT_DIRECTIVES = {
    "prose": ("markdown", "Write review-gate: ignore[no-eval] it is safe"),
    "hash in Markdown": ("markdown", "# review-gate: ignore[no-eval] it is safe"),
    "code span": ("markdown", "Write `<!-- review-gate: ignore[no-eval] it is safe -->` above."),
    "code fence": ("markdown", "```html\n<!-- review-gate: ignore[no-eval] it is safe -->\n```"),
    "code fence without end": ("markdown", "```\n<!-- review-gate: ignore -->"),
    "string": ("python", 'x = "# review-gate: ignore[no-eval] it is safe"'),
    "template string": ("javascript", "x = `// review-gate: ignore[no-eval] it is safe`"),
    "docstring": ("python", '"""Example:\n\n    # review-gate: ignore[no-eval] it is safe\n"""'),
    "string that goes on": ("python", "s = 'abc \\\n# review-gate: ignore[no-eval] hi'; eval(z)"),
    "other word": ("python", "# review-gate: ignored files are listed below"),
    "other sentence": ("python", "# review-gate: see the documentation"),
    "words before": ("python", "# please write review-gate: ignore[no-eval] it is safe"),
    "other case": ("python", "# Review-Gate: Ignore"),
    "hidden character": ("python", "# review-gate: ig\u200bnore"),
}


@pytest.mark.parametrize(("language", "text"), NOT_DIRECTIVES.values(), ids=NOT_DIRECTIVES.keys())
def test_what_only_mentions_the_directive_is_none(language: str, text: str) -> None:
    assert [one for one in suppressions_in(text, language) if one.ids != ("a",)] == []


AFTER_STRINGS = {
    "docstring before": '"""Says # and \' too."""\nx = 1  # {}',
    "comment with quotes before": '# not a """ string\nx = 1  # {}',
    "string that goes on before": "x = 'a\\\nword'\ny = 1  # {}",
    "docstring after": 'x = 1  # {}\n"""\n"""',
}


@pytest.mark.parametrize("text", AFTER_STRINGS.values(), ids=AFTER_STRINGS.keys())
def test_a_comment_of_python_beside_strings_still_counts(text: str) -> None:
    assert [one.ids for one in suppressions_in(text.format(DIRECTIVE), "python")] == [("no-eval",)]


def test_a_directive_after_a_closed_fence_counts() -> None:
    text = f"```\ncode\n``` \n<!-- {DIRECTIVE} -->\nUse eval.\n"
    assert [(one.line, one.target) for one in suppressions_in(text, "markdown")] == [(4, 5)]


# Where it applies


ALONE = {
    "hash": ("python", "    # {}"),
    "block": ("c", "  /* {} */"),
    "between tags": ("javascript", "  {/* {} */}"),
    "markup": ("markdown", "<!-- {} -->"),
}


@pytest.mark.parametrize(("language", "line"), ALONE.values(), ids=ALONE.keys())
def test_a_directive_on_a_line_of_its_own_is_about_the_next_line(language: str, line: str) -> None:
    text = "\n".join(["eval", line.replace("{}", "review-gate: ignore[no-eval] safe"), "eval", "eval", ""])
    kept, suppressed = apply(text, language=language)
    assert [(alarm.line, alarm.rule) for alarm in kept] == [(1, "no-eval"), (4, "no-eval")]
    # Its own line holds the id, and so the pattern.
    assert [alarm.line for alarm in suppressed] == [2, 3]


def test_a_directive_in_a_block_comment_is_about_the_next_line_of_code() -> None:
    assert [one[0] for one in said(f"eval()\n/*\n * {DIRECTIVE} */\neval()\neval()\n", language="java")] == [1, 5]


def test_a_directive_after_code_is_not_about_the_next_line() -> None:
    assert [one[0] for one in said(f"eval(x)  # {DIRECTIVE}\neval(y)\n")] == [2]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_lines_are_counted_with_any_line_end(end: str) -> None:
    text = end.join(["x", f"# {DIRECTIVE}", "eval(x)", "eval(y)"])
    assert [one[0] for one in said(text)] == [4]


def test_directives_above_one_another_are_all_about_the_line_below() -> None:
    text = f"# {DIRECTIVE}\n# review-gate: ignore[no-exec] also safe\neval(exec(x))\n"
    kept, suppressed = apply(text, rule(pattern="eval("), rule("no-exec", "exec("))
    assert kept == []
    assert [(alarm.line, alarm.rule) for alarm in suppressed] == [(3, "no-eval"), (3, "no-exec")]


def test_two_directives_on_one_line_have_a_reason_each() -> None:
    line = "eval(exec(x))  # review-gate: ignore[no-eval] safe  # review-gate: ignore[no-exec] harmless"
    first, second = suppressions_in(line, "python")
    assert [(one.ids, one.reason) for one in (first, second)] == [(("no-eval",), "safe"), (("no-exec",), "harmless")]
    alone = "# review-gate: ignore[no-eval] safe  # review-gate: ignore[no-exec] harmless"
    assert [one.target for one in suppressions_in(alone, "python")] == [2, 2]


def test_several_ids_share_a_reason() -> None:
    text = "eval(exec(x))  # review-gate: ignore[no-eval ,no-exec] both are safe\n"
    kept, suppressed = apply(text, rule(pattern="eval("), rule("no-exec", "exec("))
    assert kept == []
    assert [alarm.rule for alarm in suppressed] == ["no-eval", "no-exec"]


def test_another_check_on_the_same_line_stays() -> None:
    text = f"eval(exec(x))  # {DIRECTIVE}\n"
    assert said(text, rule(pattern="eval("), rule("no-exec", "exec(")) == [(1, "no-exec", "exec( is dangerous")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("/* review-gate: ignore[no-eval] because */", "because"),
        ("<!-- review-gate: ignore[no-eval] because -->", "because"),
        ("<!-- review-gate: ignore[no-eval] because --> text", "because"),
        ("// review-gate: ignore[no-eval] - because [1], see x  ", "because [1], see x"),
    ],
)
def test_the_end_of_the_comment_is_not_part_of_the_reason(line: str, reason: str) -> None:
    (one,) = suppressions_in(line, "")
    assert one.reason == reason


# Whatever is written


WORDS = st.sampled_from(
    [
        *("review-gate:", "ignore", "[", "]", "no-eval", "*", ",", "because", "eval(", "x", "{", "}", " ", "\u200b"),
        *("#", "//", "/*", "*/", "<!--", "-->", "--", ";", "REM ", "\n", "\r\n", "\r"),
        *("'", '"', "`", "```", '"""', "'''", "\\"),
    ]
)


@given(st.lists(WORDS, max_size=40).map("".join), st.sampled_from(["", "text", *LANGUAGES]))
def test_no_text_makes_an_alarm_vanish_without_a_named_reason(text: str, language: str) -> None:
    found = suppressions_in(text, language)
    kept, suppressed = apply(text, rule(pattern="eval("), language=language)
    assert len([alarm for alarm in kept if alarm.hit]) + len(suppressed) == len(alarms(text, rule(pattern="eval(")))
    for alarm in suppressed:
        by = [one for one in found if alarm.line in (one.line, one.target) and alarm.rule in one.ids]
        assert any(one.problem is None and any(map(str.isalnum, one.reason)) for one in by)
