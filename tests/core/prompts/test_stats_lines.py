"""What counts as a line of the audit log, and what of it comes back."""

from __future__ import annotations

import json

import pytest
from auditing import DAY, entry, raw
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from review_gate.prompts.history.audit import LONGEST_LINE, keyed_hash, line_of, read_line
from review_gate.prompts.history.tally import Tally

SEED = b"""{"timestamp": "2026-02-24T14:32:01Z", "project": "obsidian-claude-daily", "trigger": "!!!",
"mode": "subscription", "original_prompt_hash": "a3f8c2...", "reviewers_active": ["domain_sme", "security", "clarity",
"testing"], "findings_count": 4, "severity_max": "minor", "conflicts": 0, "outcome": "approved", "cost":
{"input_tokens": 8240, "output_tokens": 2100, "usd": 0.00}, "duration_ms": 6200}"""
SOUND = {
    "what we write": line_of(entry()),
    "the seed's own example": SEED,
    "with a field of a later version": raw(language="en"),
    "without a cost": raw(cost=None),
    "with an unknown price": raw(cost={"input_tokens": 1, "output_tokens": 1, "usd": None}),
    "with a price in whole dollars": raw(cost={"input_tokens": 1, "output_tokens": 1, "usd": 1}),
    "with parts of a second": raw(timestamp="2026-02-24T14:32:01.123456Z"),
    "at the limit of length": line_of(entry()).rstrip().ljust(LONGEST_LINE),
}
DAMAGED = {
    "not JSON": b"\x00\xff\n",
    "broken off": line_of(entry())[:-20],
    "null": b"null",
    "invalid UTF-8": line_of(entry()).replace(b"obsidian", b"\xff\xfe"),
    "half a surrogate": line_of(entry()).replace(b"obsidian", b"\\ud800"),
    "a BOM": b"\xef\xbb\xbf" + line_of(entry()),
    "NaN for a price": line_of(entry()).replace(b"0.04", b"NaN"),
    "a number of 6,000 digits": line_of(entry()).replace(b"6200", b"9" * 6000),
    "a text for a number": raw(duration_ms="6200"),
    "true for a number": raw(duration_ms=True),
    "a million findings": raw(findings_count=10**6),
    "deeply nested": b"[" * 60_000,
    "longer than any line": line_of(entry()).rstrip().ljust(LONGEST_LINE + 1),
    "an unknown outcome": raw(outcome="lost"),
    "an unknown reviewer": raw(reviewers_active=["astrology"]),
    "another version": raw(version=2),
    "another day": raw(timestamp="2026-02-23T14:32:01Z"),
    "local time": raw(timestamp="2026-02-24T14:32:01+02:00"),
}


@pytest.mark.parametrize("line", SOUND.values(), ids=SOUND)
def test_a_sound_line_is_read(line: bytes) -> None:
    assert read_line(line, DAY) is not None


@pytest.mark.parametrize("line", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_line_changes_no_figure_and_is_counted(line: bytes) -> None:
    alone, beside = Tally(), Tally()
    alone.add(DAY, [line_of(entry())])
    beside.add(DAY, [line, line_of(entry()), b"", b"\r"])
    assert beside.result() == alone.result().model_copy(update={"damaged_lines": 1})


def test_every_field_comes_back_as_it_was_written() -> None:
    written = entry(
        reviewers_failed=("testing",), is_cached=True, dropped=3, reason="timeout", outcome="not_reviewed", conflicts=2
    )
    assert read_line(line_of(written), DAY) == written


@given(st.binary(max_size=300))
def test_no_bytes_at_all_break_the_reader(line: bytes) -> None:
    read_line(line, DAY)


@given(st.text(), st.text())
def test_any_name_can_be_written_and_read_back(project: str, reason: str) -> None:
    made = entry(project=project, reason=reason)
    read = read_line(line_of(made), DAY)
    assert read is not None
    assert (read.project, read.reason) == (made.project, made.reason)
    assert line_of(made).count(b"\n") == 1


def test_a_name_that_is_no_unicode_is_written_as_an_escape() -> None:
    assert entry(project="caf\udce9" + "x" * 300).project == "caf\\udce9" + "x" * 191


@pytest.mark.parametrize(
    "timestamp", ["2026-02-30T14:32:01Z", "2026-02-24", "2026-02-24T14:32:01+00:00", "../x", "2026-02-24T14:32:01Z\n"]
)
def test_an_entry_has_a_real_time_in_utc(timestamp: str) -> None:
    with pytest.raises(ValidationError):
        entry(timestamp=timestamp)


def test_the_same_prompt_has_the_same_hash_for_one_key_only() -> None:
    one, other = b"1" * 32, b"2" * 32
    assert keyed_hash(one, "prompt") == keyed_hash(one, "prompt") != keyed_hash(other, "prompt")
    assert len(keyed_hash(one, "\udc80")) == 32


def test_the_line_holds_the_fields_of_the_seed_under_their_names() -> None:
    assert [*json.loads(line_of(entry()))][: len(json.loads(SEED))] == [*json.loads(SEED)]
