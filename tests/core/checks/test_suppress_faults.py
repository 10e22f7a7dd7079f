"""Directives that are faulty or of no use: they suppress nothing, and their alarm says what is wrong."""

from __future__ import annotations

import pytest
from alarming import rule
from suppressing import DIRECTIVE, apply, said

# What is wrong with it


FAULTS = {
    "no reason": (
        "eval(x)  # review-gate: ignore[no-eval]",
        "suppression-without-reason",
        "the suppression of no-eval gives no reason; write: review-gate: ignore[no-eval] why it is fine here",
    ),
    "no brackets": (
        "eval(x)  # review-gate: ignore",
        "suppression-malformed",
        "ignore names no check, and nothing suppresses all of them; write: review-gate: ignore[id] why it is fine here",
    ),
    "capital letters": (
        "eval(x)  # Review-Gate: Ignore[no-eval] fine",
        "suppression-malformed",
        "Review-Gate: Ignore is not in small letters; write: review-gate: ignore[no-eval] why it is fine here",
    ),
    "star": (
        "eval(x)  # review-gate: ignore[*] fine",
        "suppression-malformed",
        "* is not the id of one check; write: review-gate: ignore[id, other-id] why it is fine here",
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


def test_an_alarm_about_a_directive_shows_only_the_directive() -> None:
    (about,) = [one for one in apply('key = "hunter2-hunter2"  # review-gate: ignore[no-eval]')[0] if not one.hit]
    assert (about.column, about.evidence, about.match) == (28, "review-gate: ignore[no-eval]", about.evidence)
    assert about.source_line == about.evidence
    assert about.mark == (0, len(about.evidence))


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
