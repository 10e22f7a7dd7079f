"""What of a line an alarm shows: the match is marked, nothing hidden stays hidden, and no secret is shown."""

from __future__ import annotations

import pytest
from alarming import alarms, rule
from hypothesis import given
from hypothesis import strategies as st

from review_gate.checks.alarm import Alarm

SECRET = rule("api-key", "sk-1234567890", category="secrets")


def marked(alarm: Alarm) -> str:
    """The evidence with the marked part in brackets."""
    assert alarm.mark is not None
    start, end = alarm.mark
    return f"{alarm.evidence[:start]}[{alarm.evidence[start:end]}]{alarm.evidence[end:]}"


SHOWN = {
    "indented": ("\t  x = eval(y)  ", "x = [eval](y)"),
    "control characters": ("\x1b[31m eval\x00", "<U+001B>[31m [eval]<U+0000>"),
    "not UTF-8": ("\udcff eval", "<U+DCFF> [eval]"),
    "long line": ("a" * 500 + "eval" + "b" * 500, f"...{'a' * 80}[eval]{'b' * 76}..."),
    "start of a long line": ("eval" + "b" * 500, f"[eval]{'b' * 156}..."),
}


@pytest.mark.parametrize(("line", "shown"), SHOWN.values(), ids=SHOWN.keys())
def test_evidence_is_the_line_with_its_match_marked(line: str, shown: str) -> None:
    (alarm,) = alarms(line)
    assert marked(alarm) == shown


def test_a_secret_is_shown_by_its_beginning_only() -> None:
    (alarm,) = alarms("key = 'sk-1234567890'  # prod", SECRET)
    assert (marked(alarm), alarm.match) == ("key = '[sk-1…]'  # prod", "sk-1…")


def test_a_short_secret_is_not_shown_at_all() -> None:
    (alarm,) = alarms("pin = 12345678", rule(pattern="12345678", category="secrets"))
    assert (marked(alarm), alarm.match) == ("pin = […]", "…")


def test_another_check_does_not_show_the_secret_on_its_line() -> None:
    text = "eval('sk-1234567890', 'sk-1234567890')"
    assert [marked(alarm) for alarm in alarms(text, rule(), SECRET)] == [
        "[eval]('sk-1…', 'sk-1…')",
        "eval('[sk-1…]', 'sk-1…')",
        "eval('sk-1…', '[sk-1…]')",
    ]


def test_a_match_with_a_secret_in_it_does_not_show_it() -> None:
    first, _ = alarms("eval('sk-1234567890')", rule(pattern="eval('sk-1234567890')"), SECRET)
    assert (marked(first), first.match) == ("[eval('sk-1…')]", "eval('sk-1…')")
    _, second = alarms("x = sk-1234567890 + 1", rule(pattern="7890 +"), SECRET)
    assert (marked(second), second.match) == ("x = [sk-1… +] 1", "sk-1… +")


def test_overlapping_secrets_are_one() -> None:
    first, second = alarms("sk-1234567890abc", SECRET, rule("other", "67890abc", category="secrets"))
    assert [marked(first), marked(second)] == ["[sk-1…]"] * 2


def test_a_secret_on_a_further_line_of_a_match_is_not_shown() -> None:
    first, _ = alarms("eval(\nsk-1234567890)", rule(pattern="eval(\nsk-1234567890)"), SECRET)
    assert first.match == "eval(…"


def test_a_secret_on_many_lines_is_shown_on_none_of_them() -> None:
    text = "a BEGIN\nabcdefghij\nklmnopqrst END b"
    key = rule("key", "BEGIN\nabcdefghij\nklmnopqrst END", category="secrets")
    found = alarms(text, rule("x", "cde"), rule("y", "nop"), rule("z", "b", severity="info"), key)
    assert {alarm.evidence for alarm in found} == {"a …", "abcd…", "klmn… b"}
    assert {alarm.match for alarm in found} == {"BEGI…", "abcd…", "klmn…", "b"}


@given(st.text(alphabet="ab \t", max_size=400), st.text(alphabet="ab \t", max_size=400))
def test_no_alarm_on_a_line_shows_its_secret(before: str, after: str) -> None:
    text = f"{before}sk-1234567890{after}"
    for alarm in alarms(text, SECRET, rule("a", "a"), rule("b", "0b"), rule("space", " ")):
        assert not set(alarm.evidence + alarm.match) & set("234567890")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"reason": "It is\n  dangerous.\n"}, "It is dangerous."),
        ({"reason": " \n"}, '"eval" is not wanted here'),
        ({"reason": "a\x1bb"}, "a<U+001B>b"),
    ],
    ids=["block", "nothing", "control characters"],
)
def test_the_message_is_the_reason_on_one_line(changes: dict[str, str], message: str) -> None:
    (alarm,) = alarms("eval", rule(**changes))
    assert alarm.message == message


@pytest.mark.parametrize(
    ("fix", "words"),
    [
        (None, None),
        (("replace", "x\x1b"), "replace with x<U+001B>"),
        (("replace", ""), "remove it"),
        (("remove_sentence", ""), "remove the sentence"),
        (("remove_paragraph", ""), "remove the paragraph"),
    ],
)
def test_the_fix_is_said_in_words(fix: tuple[str, str] | None, words: str | None) -> None:
    (alarm,) = alarms("eval", rule(fix=fix))
    assert alarm.fix == words
