"""What providers make of waits, statuses and messages, and how one is chosen."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from fakes import ScriptedProvider

from review_gate.ports import Failure
from review_gate.shell.providers.anthropic_api import seconds_to_wait
from review_gate.shell.providers.complaints import Complaints, in_one_line
from review_gate.shell.providers.deadline import Retries
from review_gate.shell.providers.symptoms import kind_of_status, kind_of_words
from review_gate.workflows.models import choose

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
WAITS = {
    "0": 0.0,
    "1": 1.0,
    " 30 ": 30.0,
    "1.5": 1.5,
    "86400": 86_400.0,
    "Fri, 02 Jan 2026 03:04:35 GMT": 30.0,
    "Fri, 02 Jan 2026 03:04:35": 30.0,
    "Fri, 02 Jan 2026 04:04:35 +0100": 30.0,
    "Thu, 01 Jan 2026 00:00:00 GMT": 0.0,
    "": None,
    "soon": None,
    "-1": None,
    "nan": None,
    "99999999999999999999": None,
    "Fri, 99 Jan 2026 03:04:35 GMT": None,
}


@pytest.mark.parametrize(("header", "seconds"), WAITS.items(), ids=[header[:40] for header in WAITS])
def test_a_wait_is_read_from_seconds_or_a_date(header: str, seconds: float | None) -> None:
    assert seconds_to_wait(header, NOW) == seconds


def test_waits_double_up_to_a_limit() -> None:
    longest = Retries(first_wait=0.5, longest_wait=8.0, jitter=lambda: 1.0)
    shortest = Retries(first_wait=0.5, longest_wait=8.0, jitter=lambda: 0.0)
    assert [longest.wait_after(tries) for tries in range(1, 8)] == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]
    assert [shortest.wait_after(tries) for tries in (1, 2, 9)] == [0.25, 0.5, 4.0]


MESSAGES: dict[str, Failure] = {
    "Not logged in · Please run /login": "not_logged_in",
    "unexpected status 401 Unauthorized: no": "not_logged_in",
    "Claude usage limit reached. Please log in to upgrade": "quota",
    "API Error: 400 Your credit balance is too low": "quota",
    "RESOURCE_EXHAUSTED": "quota",
    "API Error: 529 overloaded_error": "overloaded",
    "We're currently experiencing high demand": "overloaded",
    "error code 400: bad": "refused",
    "Incomplete response returned, reason: max_output_tokens": "truncated",
    "getaddrinfo ENOTFOUND api.example.org": "unreachable",
    "request timed out": "timeout",
    "TypeError: x is not a function at index.js:401": "crashed",
    "": "crashed",
}


@pytest.mark.parametrize(("words", "kind"), MESSAGES.items())
def test_a_message_says_what_is_wrong(words: str, kind: Failure) -> None:
    assert kind_of_words(words) == kind


def test_a_status_says_what_is_wrong() -> None:
    told = [kind_of_status(status) for status in (302, 400, 401, 408, 429, 500)]
    assert told == ["unreachable", "refused", "not_logged_in", "overloaded", "quota", "overloaded"]


SECRET = "correct-horse-battery"
ENVIRON = {"MY_API_KEY": SECRET, "OTHER_TOKEN": f"{SECRET}-staple", "A_PASSWORD": "short", "PLAIN": "some-plain-value"}


def test_a_complaint_shows_no_secret_and_no_escape() -> None:
    raw = f"{SECRET}-staple \x1b]0;title\x07sk-ant-REDACTED Bearer abcdefgh12345 \u202esome-plain-value"
    said = Complaints(ENVIRON, {}).about("refused", f"no:\n {raw} AIzaSyA0123456789abcdefghijkl", raw=f"{raw}\n\x9b1m")
    assert said.why == "no: *** *** Bearer *** <U+202E>some-plain-value ***"
    assert said.raw == "*** *** Bearer *** <U+202E>some-plain-value\n\\x9b1m"
    assert SECRET not in repr(Complaints(ENVIRON, {}))


def test_a_complaint_has_a_length_that_can_be_read_and_a_secret_at_the_cut_stays_hidden() -> None:
    for padding in range(360, 420):
        said = in_one_line("x" * padding + SECRET + "y" * 100_000, [SECRET])
        assert len(said) == 400
        assert "corr" not in said


def test_the_first_usable_provider_is_chosen_and_the_others_are_told() -> None:
    nested = ScriptedProvider(["{}"], name="nested", environ={"REVIEW_GATE_REVIEWING": "1"})
    first, second = ScriptedProvider(["{}"], name="first"), ScriptedProvider(["{}"], name="second")
    chosen, passed_over = choose(["nested", "unknown", "first", "second"], [second, first, nested])
    assert chosen is first
    assert passed_over == [
        (
            "nested",
            "REVIEW_GATE_REVIEWING is set: this was started by a reviewer, and a reviewer must not start reviewers",
        ),
        ("unknown", "there is no provider of this name"),
    ]
