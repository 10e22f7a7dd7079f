"""Inline suppression: what counts as a directive, what it suppresses, and what is said about a bad one."""

from __future__ import annotations

import pytest
from alarming import alarms, rule
from hypothesis import given
from hypothesis import strategies as st

from review_gate.checks.alarm import Alarm
from review_gate.checks.languages import LANGUAGES
from review_gate.checks.rule import Rule
from review_gate.checks.suppress import apply_suppressions, suppressions_in

KNOWN = ("no-eval", "no-exec", "no_print")
DIRECTIVE = "review-gate: ignore[no-eval] it is safe"


def apply(
    text: str,
    *rules: Rule,
    language: str = "python",
    ran: tuple[str, ...] | None = None,
    lines: range = range(1, 1000),
) -> tuple[list[Alarm], list[Alarm]]:
    """What stays and what is suppressed of the alarms for a text."""
    return apply_suppressions(
        alarms(text, *rules),
        suppressions_in(text, language),
        file="src/app.py",
        known_ids=KNOWN,
        ran_ids=ran,
        looked_at=lines.__contains__,
    )


def said(text: str, *rules: Rule, language: str = "python") -> list[tuple[int, str, str]]:
    """Line, rule and message of what stays."""
    return [(one.line, one.rule, one.message) for one in apply(text, *rules, language=language)[0]]


# What is a directive


COMMENTS = {
    "hash": ("python", "x = eval(y)  # {}"),
    "hash without a space": ("shell", "eval x #{}"),
    "two hashes": ("yaml", "a: eval  ## {}"),
    "slashes": ("javascript", "eval(x) // {}"),
    "three slashes": ("rust", "eval(x) /// {}"),
    "block": ("c", "eval(x) /* {} */"),
    "block before code": ("c", "/* {} */ eval(x)"),
    "documentation block": ("java", "eval(x) /** {} */"),
    "dashes": ("sql", "SELECT eval -- {}"),
    "markup": ("html", "<p>eval</p> <!-- {} -->"),
    "markup in Markdown": ("markdown", "Use eval. <!-- {} -->"),
    "template": ("html", "{{ eval }} {{# {} #}}"),
    "block of PowerShell": ("powershell", "eval <# {} #>"),
    "semicolon, language unknown": ("", "(eval x) ; {}"),
    "percent, language unknown": ("", "eval % {}"),
    "apostrophe, language unknown": ("", "eval x ' {}"),
    "block of ML, language unknown": ("", "eval x (* {} *)"),
    "in plain text": ("text", "eval  # {}"),
    "after an apostrophe in a word": ("python", "eval(x)  # don't  # {}, isn't it"),
    "after a lifetime": ("rust", "fn eval(x: &'a str) {{ // {}, isn't it"),
    "after a whole string": ("python", "eval('a', \"b\", r'c')  # {}"),
    "after an escaped quote": ("python", "eval('it\\'s')  # {}"),
    "without a space after the colon": ("python", "eval(x)  # review-gate:ignore[no-eval] it is safe"),
    "with a colon before the reason": ("python", "eval(x)  # review-gate: ignore[no-eval]: it is safe"),
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
    "code span of two": ("markdown", "Write `` <!-- review-gate: ignore[x] `a` --> `` above."),
    "code fence": ("markdown", "```html\n<!-- review-gate: ignore[no-eval] it is safe -->\n```"),
    "code fence of tildes": ("markdown", "~~~~\n~~~\n<!-- review-gate: ignore -->\n~~~~"),
    "code fence in a list": ("markdown", "- ```\n  <!-- review-gate: ignore -->\n  ```"),
    "code fence in a quote": ("markdown", "> ```\n> <!-- review-gate: ignore -->\n> ```"),
    "code fence without end": ("markdown", "```\n<!-- review-gate: ignore -->"),
    "string": ("python", 'x = "# review-gate: ignore[no-eval] it is safe"'),
    "raw string": ("python", "x = r'# review-gate: ignore[no-eval] it is safe'"),
    "template string": ("javascript", "x = `// review-gate: ignore[no-eval] it is safe`"),
    "bare string": ("python", "x = 'review-gate: ignore'"),
    "bare string, language unknown": ("", "x = 'review-gate: ignore'"),
    "docstring": ("python", '"""Example:\n\n    # review-gate: ignore[no-eval] it is safe\n"""'),
    "docstring with quotes": ("python", "'''It's \"\"\" and \\''' so\n# review-gate: ignore\n'''"),
    "docstring without end": ("python", "x = '''\n# review-gate: ignore"),
    "other word": ("python", "# review-gate: ignored files are listed below"),
    "other word with underline": ("python", "# review-gate: ignore_me"),
    "other sentence": ("python", "# review-gate: see the documentation"),
    "other comment mark": ("python", "// review-gate: ignore"),
    "product": ("c", "a * review-gate: ignore"),
    "words before": ("python", "# please write review-gate: ignore[no-eval] it is safe"),
    "other case": ("python", "# Review-Gate: Ignore"),
    "hidden character": ("python", "# review-gate: ig\u200bnore"),
    "far to the right": ("python", f"{'x' * 5_000}  # review-gate: ignore"),
    "a flood before it": ("python", "# review-gate: ignore[a] b  " * 20 + "# review-gate: ignore"),
}


@pytest.mark.parametrize(("language", "text"), NOT_DIRECTIVES.values(), ids=NOT_DIRECTIVES.keys())
def test_what_only_mentions_the_directive_is_none(language: str, text: str) -> None:
    assert [one for one in suppressions_in(text, language) if one.ids != ("a",)] == []


AFTER_STRINGS = {
    "docstring before": '"""Says # and \' too."""\nx = 1  # {}',
    "comment with quotes before": '# not a """ string\nx = 1  # {}',
    "string with a hash before": 'x = \'#"""\'\ny = 1  # {}',
    "string without end before": "x = '\ny = 1  # {}",
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
    "inside a block": ("java", "   * {}"),
    "end of a block": ("java", "   * {} */"),
    "between tags": ("javascript", "  {/* {} */}"),
    "markup": ("markdown", "<!-- {} -->"),
    "REM": ("", "rem {}"),
    "dots": ("text", ".. {}"),
}


@pytest.mark.parametrize(("language", "line"), ALONE.values(), ids=ALONE.keys())
def test_a_directive_on_a_line_of_its_own_is_about_the_next_line(language: str, line: str) -> None:
    text = "\n".join(["eval", line.replace("{}", "review-gate: ignore[no-eval] safe"), "eval", "eval", ""])
    kept, suppressed = apply(text, language=language)
    assert [(alarm.line, alarm.rule) for alarm in kept] == [(1, "no-eval"), (4, "no-eval")]
    # Its own line holds the id, and so the pattern.
    assert [alarm.line for alarm in suppressed] == [2, 3]


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


def test_a_match_on_many_lines_is_suppressed_on_its_first() -> None:
    text = "# review-gate: ignore[no-eval] safe\neval(\nexec\n)\n"
    assert apply(text, rule(pattern="eval(\nexec"))[0] == []


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


# What is wrong with it


FAULTS = {
    "no reason": (
        "eval(x)  # review-gate: ignore[no-eval]",
        "suppression-without-reason",
        "the suppression of no-eval gives no reason; write: review-gate: ignore[no-eval] why it is fine here",
    ),
    "punctuation for a reason": (
        "eval(x)  # review-gate: ignore[no-eval] -- ...",
        "suppression-without-reason",
        "the suppression of no-eval gives no reason; write: review-gate: ignore[no-eval] why it is fine here",
    ),
    "another directive for a reason": (
        "eval(x)  # review-gate: ignore[no-eval]  # review-gate: ignore[no-eval] it is safe",
        "suppression-without-reason",
        "the suppression of no-eval gives no reason; write: review-gate: ignore[no-eval] why it is fine here",
    ),
    "no brackets": (
        "eval(x)  # review-gate: ignore",
        "suppression-malformed",
        "ignore names no check, and nothing suppresses all of them; write: review-gate: ignore[id] why it is fine here",
    ),
    "no brackets but a reason": (
        "eval(x)  # review-gate: ignore this is fine",
        "suppression-malformed",
        "ignore names no check, and nothing suppresses all of them; write: review-gate: ignore[id] why it is fine here",
    ),
    "another word": (
        "eval(x)  # review-gate: ignore-next-line[no-eval] fine",
        "suppression-malformed",
        "ignore names no check, and nothing suppresses all of them; write: review-gate: ignore[id] why it is fine here",
    ),
    "empty brackets": (
        "eval(x)  # review-gate: ignore[] fine",
        "suppression-malformed",
        "the brackets lack an id; write: review-gate: ignore[id] why it is fine here",
    ),
    "a comma too many": (
        "eval(x)  # review-gate: ignore[no-eval,] fine",
        "suppression-malformed",
        "the brackets lack an id; write: review-gate: ignore[id] why it is fine here",
    ),
    "star": (
        "eval(x)  # review-gate: ignore[*] fine",
        "suppression-malformed",
        "* is not the id of one check; write: review-gate: ignore[id, other-id] why it is fine here",
    ),
    "id and star": (
        "eval(x)  # review-gate: ignore[no-eval, no-*] fine",
        "suppression-malformed",
        "no-* is not the id of one check; write: review-gate: ignore[id, other-id] why it is fine here",
    ),
    "no comma": (
        "eval(x)  # review-gate: ignore[no-eval no-exec] fine",
        "suppression-malformed",
        "no-eval no-exec is not the id of one check; write: review-gate: ignore[id, other-id] why it is fine here",
    ),
    "open bracket": (
        "eval(x)  # review-gate: ignore[no-eval fine",
        "suppression-malformed",
        "the bracket after ignore is not closed; write: review-gate: ignore[id] why it is fine here",
    ),
    "misspelt id": (
        "eval(x)  # review-gate: ignore[no-evil] fine",
        "suppression-unknown-id",
        "there is no check no-evil; did you mean no-eval?",
    ),
    "strange id": (
        "eval(x)  # review-gate: ignore[zzz] fine",
        "suppression-unknown-id",
        "there is no check zzz (review-gate checks list)",
    ),
    "about suppressions": (
        "eval(x)  # review-gate: ignore[suppression-unused] fine",
        "suppression-unknown-id",
        "suppression-unused is about suppressions and cannot be suppressed itself",
    ),
    "terminal escapes for an id": (
        "eval(x)  # review-gate: ignore[\x1b[31m] fine",
        "suppression-malformed",
        "<U+001B>[31m is not the id of one check; write: review-gate: ignore[id, other-id] why it is fine here",
    ),
}


@pytest.mark.parametrize(("line", "id", "message"), FAULTS.values(), ids=FAULTS.keys())
def test_a_faulty_directive_suppresses_nothing_and_says_what_is_wrong(line: str, id: str, message: str) -> None:
    kept, _ = apply(line, rule(pattern="eval(x"))
    about = [alarm for alarm in kept if alarm.rule.startswith("suppression")]
    assert [(alarm.rule, alarm.message) for alarm in about] == [(id, message)]
    is_misspelt = id == "suppression-unknown-id"
    assert about[0].severity == ("warning" if is_misspelt else "major")
    is_repeated = line.count("ignore[no-eval] it is safe")
    assert [alarm.rule for alarm in kept if alarm.hit] == ([] if is_repeated else ["no-eval"])


def test_only_the_unknown_one_of_several_ids_is_without_effect() -> None:
    assert said("eval(x)  # review-gate: ignore[no-eval, no-exc] fine", rule(pattern="eval(")) == [
        (1, "suppression-unknown-id", "there is no check no-exc; did you mean no-exec?")
    ]


def test_guesses_are_made_for_the_first_unknown_ids_only() -> None:
    text = "# review-gate: ignore[no-evil] fine\n" * 5
    messages = [message for _, _, message in said(text)]
    assert (
        messages
        == ["there is no check no-evil; did you mean no-eval?"] * 3
        + ["there is no check no-evil (review-gate checks list)"] * 2
    )


def test_an_alarm_about_a_directive_shows_only_the_directive() -> None:
    (about,) = [one for one in apply('key = "hunter2-hunter2"  # review-gate: ignore[no-eval]')[0] if not one.hit]
    assert (about.column, about.evidence, about.match) == (28, "review-gate: ignore[no-eval]", about.evidence)
    assert about.source_line == about.evidence
    assert about.mark == (0, len(about.evidence))


def test_a_long_directive_is_cut_in_its_alarm() -> None:
    (about,) = apply(f"# review-gate: ignore[{'a' * 200}] fine")[0]
    assert about.evidence == "review-gate: ignore[" + "a" * 20
    assert about.message.startswith("a" * 40 + " is not the id of one check")


# Unused


def test_an_unused_directive_is_reported() -> None:
    kept, suppressed = apply(f"x = 1  # {DIRECTIVE}", rule(pattern="eval("))
    assert suppressed == []
    assert [(alarm.rule, alarm.severity, alarm.line, alarm.column, alarm.message) for alarm in kept] == [
        ("suppression-unused", "warning", 1, 10, "no-eval finds nothing here: delete this suppression")
    ]


def test_each_unused_id_is_named() -> None:
    text = "# review-gate: ignore[no-eval, no-exec] fine\neval(x)\n"
    assert said(text, rule(pattern="eval(")) == [
        (1, "suppression-unused", "no-exec finds nothing on line 2: delete no-exec from this suppression")
    ]


@pytest.mark.parametrize("text", [f"x = 1  # {DIRECTIVE}", f"# {DIRECTIVE}\nx = 1"], ids=["same line", "line above"])
def test_the_words_of_a_directive_are_suppressed_but_do_not_use_it(text: str) -> None:
    kept, suppressed = apply(text)
    assert [alarm.rule for alarm in kept] == ["suppression-unused"]
    assert [alarm.rule for alarm in suppressed] == ["no-eval"]


def test_the_second_of_two_equal_directives_is_unused() -> None:
    text = f"# {DIRECTIVE}\neval(x)  # {DIRECTIVE}\n"
    assert said(text, rule(pattern="eval(")) == [
        (2, "suppression-unused", "no-eval finds nothing here: delete this suppression")
    ]


def test_a_directive_is_not_unused_where_its_check_did_not_run() -> None:
    assert apply(f"x = 1  # {DIRECTIVE}", rule(pattern="eval("), ran=("no-exec",)) == ([], [])


@pytest.mark.parametrize("lines", [range(2, 3), range(1, 2)], ids=["directive is old", "its target is old"])
def test_a_directive_is_not_unused_when_a_line_of_it_was_not_looked_at(lines: range) -> None:
    text = f"# {DIRECTIVE}\nx = 1\n"
    assert apply(text, rule(pattern="eval("), lines=lines) == ([], [])
    assert len(apply(text, rule(pattern="eval("), lines=range(1, 3))[0]) == 1


def test_a_faulty_directive_on_an_old_line_is_left_alone() -> None:
    text = "# review-gate: ignore\nx = 1\n"
    assert apply(text, lines=range(2, 3)) == ([], [])
    assert [alarm.rule for alarm in apply(text, lines=range(1, 2))[0]] == ["suppression-malformed"]


def test_a_check_that_may_not_persist_cannot_be_suppressed() -> None:
    text = f"eval(x)  # {DIRECTIVE}"
    kept, suppressed = apply(text, rule(pattern="eval(", reject_if_persists=True))
    assert suppressed == []
    assert [alarm.message for alarm in kept] == [
        "eval( is dangerous (ignore[no-eval] has no effect: this check cannot be suppressed)"
    ]


def test_a_text_without_directives_is_left_alone() -> None:
    kept, suppressed = apply("eval(x)\n")
    assert [alarm.rule for alarm in kept] == ["no-eval"]
    assert suppressed == []


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
