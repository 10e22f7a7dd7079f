"""The baseline: old findings are known by their content, as often as they were there, and nothing else is hidden."""

from __future__ import annotations

import json
from typing import Any

import pytest
from alarming import alarms, rule
from hypothesis import given
from hypothesis import strategies as st

from review_gate.checks.alarm import Alarm
from review_gate.checks.baseline import Baseline, Comparison, baseline_of, read_baseline
from review_gate.errors import ConfigError

OLD = "import os\neval(x)\n\neval(y)\neval(x)\n"
SECRET = rule("api-key", "sk-1234567890", category="secrets")


def known(text: str = OLD, file: str = "src/app.py") -> Baseline:
    return read_baseline(baseline_of(alarms(text, file=file)).text().encode())


def new_lines(baseline: Baseline, found: list[Alarm]) -> list[int]:
    return [alarm.line for alarm in baseline.without_known(found).new]


def left_of(compared: Comparison) -> int:
    """How many entries did not occur as often as they say."""
    return sum(map(bool, compared.left.values()))


# The file


def test_the_file_has_one_sorted_entry_a_line_and_no_text_of_the_code() -> None:
    found = [*alarms(OLD, file="src/z.py"), *alarms("exec(1)\n", rule("no-exec", "exec"), file="a b.py")]
    assert baseline_of(found).text() == (
        '{"version": 1, "findings": [\n'
        '{"rule": "no-exec", "file": "a b.py", "digest": "492748cf63f9ac5895ef", "count": 1},\n'
        '{"rule": "no-eval", "file": "src/z.py", "digest": "8406784a785edec8bd6f", "count": 1},\n'
        '{"rule": "no-eval", "file": "src/z.py", "digest": "d2deed787116bb78781c", "count": 2}\n'
        "]}\n"
    )


@given(st.text(min_size=1), st.integers(1, 1_000_000))
def test_any_file_name_survives_writing_and_reading(file: str, count: int) -> None:
    counts = {(file, "no-eval", "0" * 20): count}
    text = Baseline(counts).text()
    assert text.isascii()
    assert read_baseline(text.encode()).counts == counts


# What is known


SAME = {
    "lines above": "# a\n# b\n" + OLD,
    "other indentation": OLD.replace("eval(x)", "  eval(x)"),
    "other order": "eval(y)\neval(x)\neval(x)\n",
    "CRLF": OLD.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME.keys())
def test_old_findings_are_known_wherever_they_moved(text: str) -> None:
    assert new_lines(known(), alarms(text)) == []


def test_one_more_of_the_same_is_new() -> None:
    compared = known().without_known(alarms(OLD + "eval(x)\n"))
    assert ([alarm.line for alarm in compared.new], compared.known, left_of(compared)) == ([6], 3, 0)


def test_a_changed_line_is_new_and_its_entry_stale() -> None:
    compared = known().without_known(alarms(OLD.replace("eval(y)", "eval(z)")))
    assert ([alarm.line for alarm in compared.new], compared.known, left_of(compared)) == ([4], 2, 1)


def test_the_same_line_in_another_file_is_new() -> None:
    assert new_lines(known(), alarms(OLD, file="src/other.py")) == [2, 4, 5]


def test_a_finding_of_another_check_on_a_known_line_is_new() -> None:
    text = "eval('sk-1234567890')\n"
    new = known(text).without_known(alarms(text, rule(), SECRET)).new
    assert [alarm.rule for alarm in new] == ["api-key"]


def test_a_new_secret_on_the_line_of_a_known_one_is_new() -> None:
    text = "key = 'sk-1234567890'\n"
    baseline = baseline_of(alarms(text, SECRET))
    other = rule("api-key", "sk-0987654321", category="secrets")
    assert new_lines(baseline, alarms(text.replace("sk-1234567890", "sk-0987654321"), other)) == [1]


def test_a_match_on_many_lines_is_known_by_all_of_them() -> None:
    key = "BEGIN\nabcdefgh\nEND"
    baseline = baseline_of(alarms(key, rule("key", key)))
    assert new_lines(baseline, alarms(f"\n{key}", rule("key", key))) == []
    other = "BEGIN\nhgfedcba\nEND"
    assert new_lines(baseline, alarms(other, rule("key", other))) == [1]


def test_a_check_that_may_not_persist_is_neither_recorded_nor_known() -> None:
    forbidden = alarms("eval(x)\n", rule(reject_if_persists=True))
    assert baseline_of(forbidden).counts == {}
    assert new_lines(known("eval(x)\n"), forbidden) == [1]


# Renames and updates


def after_rename(baseline: Baseline, found: list[Alarm], *gone: str, new: tuple[str, ...] = ()) -> list[str]:
    """The files of what is new when some files are gone, and all others, or only some, may be these under new names."""
    renamed = baseline.renamed(found, is_gone=gone.__contains__, is_new=lambda file: not new or file in new)
    return [alarm.file for alarm in renamed.without_known(found).new]


def test_a_renamed_file_brings_nothing_back() -> None:
    assert after_rename(known(), alarms(OLD, file="lib/app.py"), "src/app.py") == []


def test_a_renamed_file_hides_only_as_many_as_were_there() -> None:
    found = [*alarms("eval(y)\n", file="a.py"), *alarms("eval(y)\n", file="b.py")]
    assert after_rename(known(), found, "src/app.py") == ["b.py"]


def test_a_file_that_was_there_before_is_no_renamed_one() -> None:
    found = [*alarms(OLD, file="before.py"), *alarms("eval(y)\n", file="new.py")]
    assert after_rename(known(), found, "src/app.py", new=("new.py",)) == ["before.py"] * 3


def test_the_findings_of_a_copied_file_are_new() -> None:
    found = [*alarms(OLD), *alarms(OLD, file="copy.py")]
    assert after_rename(known(), found) == ["copy.py"] * 3


def test_only_entries_of_files_that_were_looked_at_are_stale_and_those_of_files_that_are_gone() -> None:
    old = baseline_of(alarm for file in ("a.py", "b.py", "c.py") for alarm in alarms("eval(x)\n", file=file))
    found = alarms("eval(x)\n", file="d.py")
    left = old.renamed(found, is_gone={"c.py"}.__contains__, is_new={"d.py"}.__contains__).without_known(found).left
    assert old.stale(left, looked_at=lambda _: False, is_gone=lambda _: False) == 0
    assert old.stale(left, looked_at={"a.py"}.__contains__, is_gone=lambda _: False) == 1
    assert old.stale(left, looked_at={"a.py", "d.py"}.__contains__, is_gone={"c.py"}.__contains__) == 2


def test_an_update_drops_what_is_gone_and_keeps_what_was_not_looked_at() -> None:
    old = baseline_of([*alarms(OLD, file="a.py"), *alarms(OLD, file="b.py")])
    updated = baseline_of(alarms("eval(y)\n", file="a.py"), old, looked_at={"a.py"}.__contains__)
    assert {(file, count) for (file, _, _), count in updated.counts.items()} == {("a.py", 1), ("b.py", 2), ("b.py", 1)}
    fresh = alarms("eval(y)\n", file="a.py")
    assert baseline_of(fresh, old).text() == baseline_of(fresh).text()


def test_an_entry_that_a_merge_left_twice_counts_once() -> None:
    entry = '{"rule": "r", "file": "f", "digest": "00000000000000000000", "count": %d}'
    data = '{"version": 1, "findings": [' + ",".join(entry % count for count in (1, 3, 2)) + "]}"
    assert read_baseline(data.encode()).counts == {("f", "r", "0" * 20): 3}


# Files that cannot be used


def document(**changes: Any) -> bytes:
    entry = {"rule": "r", "file": "f", "digest": "0" * 20, "count": 1, **changes}
    kept = {key: value for key, value in entry.items() if value is not ...}
    return json.dumps({"version": 1, "findings": [kept]}).encode()


BROKEN = {
    "conflict markers": (b"<<<<<<< HEAD\n{}\n", "not JSON at character 0"),
    "too little": (b'{"version": 1}', "it is not an object with exactly version and findings"),
    "version": (b'{"version": 2, "findings": []}', "its version is not 1, the only one this review-gate knows"),
    "field missing": (document(file=...), "entry 1 is not an object with exactly rule, file, digest, count"),
    "short digest": (document(digest="00"), "the digest of entry 1 is not 20 digits of 0-9 a-f"),
    "no count": (document(count=0), "the count of entry 1 is not a number from 1 to 1000000"),
    "deep": (b"[" * 100_000, "nested too deeply"),
}


@pytest.mark.parametrize(("data", "why"), BROKEN.values(), ids=BROKEN.keys())
def test_a_baseline_that_cannot_be_understood_is_an_error(data: bytes, why: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_baseline(data, "old\x1b.json")
    assert caught.value.what == f"old<U+001B>.json cannot be used: {why}"
    assert caught.value.why == "without it nobody can tell old findings from new ones"
    assert caught.value.next_step == (
        "mend the file, or review-gate scan --all --update-baseline to take every present finding for known"
    )
