"""Many checks over many texts, without git: which lines count, what is binary, what was too slow."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from alarming import rule

from review_gate.checks.alarm import ScanResult
from review_gate.checks.applies import Page
from review_gate.checks.languages import language_of
from review_gate.checks.plan import plan_of
from review_gate.checks.room import Room
from review_gate.checks.rule import Rule
from review_gate.checks.scan import KEPT_BYTES, MOST_HITS, Scan

EVAL = rule()


def page(data: bytes | str, path: str = "app.py", **changes: Any) -> Page:
    content = data.encode() if isinstance(data, str) else data
    return Page(path, content, language_of(path), **changes)


def scanned(*pages: Page, rules: Sequence[Rule] = (EVAL,), **options: Any) -> ScanResult:
    scan = Scan(plan_of(rules), **options)
    for one in pages:
        scan.look_at(one)
    return scan.finish()


def lines(result: ScanResult) -> list[int]:
    return [alarm.line for alarm in result.alarms]


def adding(*ranges: range) -> Any:
    def added_of(paths: Sequence[str]) -> Mapping[str, Sequence[range]]:
        return dict.fromkeys(paths, ranges)

    return added_of


# Lines that count


@pytest.mark.parametrize(
    ("text", "ranges", "expected"),
    [
        ("eval\neval\neval\n", [range(2, 3)], [2]),
        ("eval\neval\neval\n", [range(1, 1), range(1, 2), range(3, 4)], [1, 3]),
        ("eval\neval\neval\n", [range(3, 3)], []),
        ("eval\r\neval\r\n", [range(2, 3)], [2]),
        ("eval\reval\reval\r", [range(1, 2)], [1, 2, 3]),
    ],
    ids=[
        "one",
        "several",
        "deleted",
        "crlf",
        "cr",
    ],
)
def test_of_a_changed_file_the_new_lines_count_by_the_numbers_of_git(
    text: str, ranges: list[range], expected: list[int]
) -> None:
    assert lines(scanned(page(text, is_change=True), added_of=adding(*ranges))) == expected


def test_a_new_file_counts_whole_and_git_is_not_asked() -> None:
    def added_of(_: Sequence[str]) -> Mapping[str, Sequence[range]]:
        raise AssertionError("nobody needs to know")

    assert lines(scanned(page("eval\neval\n", is_change=True, is_new=True), added_of=added_of)) == [1, 2]


def test_git_is_asked_only_about_changed_files_with_something_in_them() -> None:
    asked: list[str] = []

    def added_of(paths: Sequence[str]) -> Mapping[str, Sequence[range]]:
        asked.extend(paths)
        return {}

    scanned(
        page("eval\n", "bad.py", is_change=True),
        page("fine\n", "good.py", is_change=True),
        page("eval\n", "new.py", is_change=True, is_new=True),
        page("eval\n", "whole.py"),
        added_of=added_of,
    )
    assert asked == ["bad.py"]


def test_what_is_found_in_other_lines_is_kept_where_somebody_wants_it() -> None:
    text = "eval\neval  # review-gate: ignore[no-eval] fine\neval\n"
    scan = Scan(plan_of([EVAL]), added_of=adding(range(3, 4)), keeps_old=True)
    scan.look_at(page(text, is_change=True))
    result = scan.finish()
    assert lines(result) == [3]
    assert [alarm.line for alarm in scan.old] == [1]
    assert result.suppressed == 0


# Encodings and binary files


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_searched_as_the_text_it_is(encoding: str) -> None:
    data = ("\ufeff" + "# \u010a \u0a0d \U0001f600\neval\neval\n").encode(encoding)
    assert lines(scanned(page(data))) == [2, 3]
    # Two characters of the first line hold a byte that ends a line for git: our line 3 is its line 5.
    for number, expected in ((3, []), (4, [2]), (5, [3])):
        changed = scanned(page(data, is_change=True), added_of=adding(range(number, number + 1)))
        assert lines(changed) == expected


def test_suppression_in_the_first_line_counts_in_utf_16() -> None:
    data = "\ufeff# review-gate: ignore[call] known\neval\n".encode("utf-16-le")
    result = scanned(page(data), rules=[rule(id="call")])
    assert (result.alarms, result.suppressed) == ([], 1)


def test_binary_files_are_named_and_counted() -> None:
    result = scanned(*(page(b"\x89PNG\0eval", f"{name}.png") for name in "abcde"), page("eval", "a.py"))
    assert (result.files, lines(result)) == (1, [1])
    assert result.notes == ["binary and not looked at: a.png, b.png, c.png and 2 more"]
    assert scanned(page(b"\0", "a.png"), page(b"\0", "b\n.png")).notes == [
        "binary and not looked at: a.png, b<U+000A>.png"
    ]


@pytest.mark.parametrize("name", ["app.py", "Dockerfile"])
def test_a_nul_does_not_take_a_file_of_text_away_from_the_checks(name: str) -> None:
    assert lines(scanned(page(b"\0\neval\0\n", name))) == [2]


def test_a_suppression_in_one_reading_of_a_file_hides_nothing_in_another() -> None:
    result = scanned(page(b"e\0val  # review-gate: ignore[other] why\n", "app.py"))
    assert sorted(alarm.rule for alarm in result.alarms) == ["no-eval", "suppression-unknown-id"]


@pytest.mark.parametrize("first", ["eval", "eval  # review-gate: ignore[no-eval] known"], ids=["found", "suppressed"])
def test_a_finding_in_one_reading_of_a_file_hides_none_in_another(first: str) -> None:
    result = scanned(page(f"{first}\nx = 1\nev\0al\n"))
    assert lines(result) == ([1, 3] if first == "eval" else [3])
    assert result.suppressed == scanned(page(first)).suppressed
    wide = b"\xff\xfe" + f"{first}\nx = 1\nev\0al\n".encode("utf-16-le")
    assert lines(scanned(page(wide))) == lines(result)


def test_nul_bytes_in_plain_text_hide_nothing_and_binary_numbers_make_no_text() -> None:
    assert lines(scanned(page(b"\0eval caf\xc3\xa9 " + b"text " * 20 + b"\n", "secrets"))) == [1]
    assert lines(scanned(page("eval\n".encode("utf-32-le"), "notes"))) == [1]
    catalog = b"\xde\x12\x04\x95" + b"\x05\0\0\0\x1c\0\0\0" * 20 + b"eval and other messages\0" * 40
    assert scanned(page(catalog, "django.mo")).notes == ["binary and not looked at: django.mo"]


def test_bytes_that_are_not_utf_8_are_no_obstacle() -> None:
    result = scanned(page(b"\xff\xfa eval \xe9\n\xc3\neval\n"))
    assert lines(result) == [1, 3]
    assert result.alarms[0].column == 4


# Much text


def test_texts_are_settled_before_too_many_are_kept() -> None:
    asked: list[list[str]] = []

    def added_of(paths: Sequence[str]) -> Mapping[str, Sequence[range]]:
        asked.append(list(paths))
        return dict.fromkeys(paths, (range(1, 2),))

    text = "eval" + " " * (KEPT_BYTES // 2) + "\n"
    result = scanned(*(page(text, f"{name}.py", is_change=True) for name in "abcd"), added_of=added_of)
    assert asked == [["a.py", "b.py"], ["c.py", "d.py"]]
    assert [alarm.file for alarm in result.alarms] == ["a.py", "b.py", "c.py", "d.py"]


def test_flood_of_matches_is_reported_in_part_and_fails_the_scan() -> None:
    flood = page("eval " * MOST_HITS + "\neval\n", "flood.py")
    result = scanned(page("eval", "a.py"), flood)
    assert len(result.alarms) == MOST_HITS + 1
    assert result.failures == [
        "flood.py: more than 10000 matches, so the others are not reported (checks.exclude leaves a file out)"
    ]
    changed = page(flood.data, "flood.py", is_change=True)
    assert lines(scanned(changed, added_of=adding(range(2, 3)))) == [2]


def test_a_suppression_in_capital_letters_is_called_malformed_and_suppresses_nothing() -> None:
    result = scanned(page("eval(x)  # Review-Gate: Ignore[no-eval] known\n"), rules=[rule(pattern="eval(")])
    assert sorted(alarm.rule for alarm in result.alarms) == ["no-eval", "suppression-malformed"]


PORTION = 1_000


def test_of_more_findings_than_a_scan_keeps_the_first_are_reported_and_it_has_not_passed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("review_gate.checks.scan.Room", lambda: Room(2 * PORTION))
    texts = [page("eval\n" * (PORTION // 2), f"{number}.py") for number in range(9)]
    result = scanned(*texts)
    assert len(result.alarms) == 5 * PORTION // 2
    unseen = [f"{number}.py" for number in range(5, 9)]
    assert (result.files, list(result.unseen), list(result.failed), result.not_looked_at) == (5, unseen, unseen, 4)
    assert result.failures == [
        "4 files: more than 100000 findings are in the others; "
        "scan fewer files (checks.exclude), or with fewer checks (checks.disable)"
    ]


def test_what_another_process_could_not_look_at_is_counted_with_our_own() -> None:
    ours, theirs = ScanResult(), scanned(page("eval\n"))
    ours.fail("a.py: it is slow", "a.py")
    for path in ("a.py", "b.py"):
        theirs.fail(f"{path}: it is slow", path)
    theirs.unseen["c.py"] = None
    theirs.given_up.append("d.py")
    scan = Scan(plan_of([EVAL]))
    scan.result = ours
    scan.take(pickle.loads(pickle.dumps(theirs)))
    assert (ours.failures, list(ours.failed)) == (["a.py: it is slow"] * 2 + ["b.py: it is slow"], ["a.py", "b.py"])
    assert (ours.not_looked_at, list(ours.unseen), ours.given_up) == (2, ["c.py"], ["d.py"])
    assert (ours.files, lines(ours)) == (1, [1])


def test_of_a_very_long_line_a_finding_keeps_the_part_around_it() -> None:
    result = scanned(page("x" * 5_000 + "eval" + "y" * 5_000))
    assert [alarm.source_line for alarm in result.alarms] == ["x" * 200 + "eval" + "y" * 200]
