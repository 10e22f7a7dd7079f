"""The order of a run, the result of a loop, and what state file and ledger keep of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from builders import BASE, COMMIT, TREE, empty_loop, finding, loop_result, reviewer_result, run_report, subject

from review_gate.gate.record import read_document
from review_gate.gate.state_view import MAX_STATE_BYTES, read_state
from review_gate.loops.report import LOOPS, LoopResult, RunReport, not_run
from review_gate.loops.run import run_loops
from review_gate.loops.state import ledger_review, loop_state, stored_loop
from review_gate.models import Finding, Severity, Verdict, verdict_of
from review_gate.ports import Outcome, Reviewer
from review_gate.severity import RANKS

GOOD = Outcome()
BAD = Outcome(findings=(finding(),))
WARNED = Outcome(findings=(finding(severity="warning"),))
ABSENT = Outcome(could_not_run="mypy was not found")


class Scripted:
    """A reviewer that says what the test wrote for it, and remembers being asked."""

    def __init__(self, name: str, outcome: Outcome, *, is_required: bool = True) -> None:
        self.id = name
        self.is_required = is_required
        self.was_asked = False
        self._outcome = outcome

    def review(self) -> Outcome:
        self.was_asked = True
        return self._outcome


class Recorder:
    """A progress display that keeps a list."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def loop_started(self, number: int, title: str, reviewers: tuple[str, ...]) -> None:
        self.told.append(f"loop {number} ({title}): {', '.join(reviewers)}")

    def reviewer_finished(self, reviewer: str, status: str, seconds: float) -> None:
        self.told.append(f"{reviewer} {status} {seconds}")

    def files_done(self, done: int, total: int) -> None:
        self.told.append(f"{done} of {total}")

    def loop_finished(self, number: int, status: str) -> None:
        self.told.append(f"loop {number} {status}")


def ask_each(reviewers: Sequence[Reviewer]) -> list[tuple[Outcome, float]]:
    return [(reviewer.review(), 0.12345) for reviewer in reviewers]


def run(
    *reviewers: tuple[int, Scripted],
    requested: Sequence[int] = LOOPS,
    notes: dict[int, str] | None = None,
    progress: Recorder | None = None,
) -> tuple[LoopResult, ...]:
    by_loop = {number: [one for loop, one in reviewers if loop == number] for number in LOOPS}
    return run_loops(by_loop.__getitem__, requested, notes or {}, dispatch=ask_each, progress=progress or Recorder())


def statuses(loops: Sequence[LoopResult]) -> list[str]:
    return [loop.status for loop in loops]


ONE_LOOP: dict[str, tuple[list[Scripted], str, tuple[str, ...]]] = {
    "nobody": ([], "nothing_to_run", ()),
    "all pass": ([Scripted("a", GOOD), Scripted("b", GOOD)], "passed", ()),
    "a warning passes": ([Scripted("a", WARNED)], "passed", ()),
    "one finds something": ([Scripted("a", GOOD), Scripted("b", BAD)], "failed", ("app.py:3: invalid syntax",)),
    "a required one could not run": (
        [Scripted("a", GOOD), Scripted("b", ABSENT)], "incomplete", ("b could not run: mypy was not found",),
    ),
    "an optional one could not run": ([Scripted("a", GOOD), Scripted("b", ABSENT, is_required=False)], "passed", ()),
    "only an optional one, and it could not run": ([Scripted("a", ABSENT, is_required=False)], "nothing_to_run", ()),
    "what was found weighs more than who was absent": (
        [Scripted("a", ABSENT), Scripted("b", BAD)],
        "failed",
        ("app.py:3: invalid syntax", "a could not run: mypy was not found"),
    ),
    "an optional one finds something": (
        [Scripted("a", BAD, is_required=False)], "failed", ("app.py:3: invalid syntax",),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("reviewers", "status", "blockers"), ONE_LOOP.values(), ids=ONE_LOOP.keys())
def test_the_result_of_a_loop_follows_from_its_reviewers(
    reviewers: list[Scripted], status: str, blockers: tuple[str, ...]
) -> None:
    first = run(*((1, one) for one in reviewers))[0]
    assert (first.status, first.blockers) == (status, blockers)
    assert [one.id for one in first.reviewers] == [one.id for one in reviewers]


@pytest.mark.parametrize("stopper", LOOPS)
@pytest.mark.parametrize(("outcome", "status"), [(BAD, "failed"), (ABSENT, "incomplete")], ids=["failed", "incomplete"])
def test_the_first_loop_that_does_not_pass_ends_the_run(stopper: int, outcome: Outcome, status: str) -> None:
    reviewers = {number: Scripted(f"r{number}", outcome if number == stopper else GOOD) for number in LOOPS}
    loops = run(*reviewers.items())
    assert statuses(loops) == ["passed"] * (stopper - 1) + [status] + ["not_run"] * (4 - stopper)
    assert [number for number, one in reviewers.items() if one.was_asked] == list(range(1, stopper + 1))
    assert {loop.note for loop in loops[stopper:]} <= {f"not run: loop {stopper} did not pass"}


def test_a_loop_without_reviewers_says_so_and_keeps_its_note() -> None:
    loops = run((1, Scripted("a", GOOD)), notes={4: "found pytest, not run"})
    assert statuses(loops) == ["passed", "nothing_to_run", "nothing_to_run", "nothing_to_run"]
    assert [loop.note for loop in loops] == ["", "nothing to run", "nothing to run", "found pytest, not run"]


def test_loops_that_were_not_requested_are_not_run_and_a_failure_above_them_does_not_matter() -> None:
    loops = run((1, Scripted("a", BAD)), (2, Scripted("b", GOOD)), requested=[2])
    assert statuses(loops) == ["not_run", "passed", "not_run", "not_run"]
    assert loops[0].note == loops[3].note == "not requested, and no earlier result to keep"


def test_who_is_added_to_a_loop_looks_after_the_others_and_replaces_their_word() -> None:
    first, missing = Scripted("a", GOOD), Scripted("m", WARNED)
    progress, dispatched = Recorder(), []

    def dispatch(reviewers: Sequence[Reviewer]) -> list[tuple[Outcome, float]]:
        dispatched.append([one.id for one in reviewers])
        return ask_each(reviewers)

    loops = run_loops(
        {1: [first, Scripted("b", GOOD)], 2: [], 3: [], 4: []}.__getitem__,
        LOOPS,
        {},
        dispatch=dispatch,
        progress=progress,
        added_to={1: [missing, Scripted("a", BAD)], 2: [], 3: [], 4: []}.__getitem__,
    )
    assert dispatched == [["a", "b"], ["m", "a"]]
    assert [(one.id, one.status) for one in loops[0].reviewers] == [("b", "passed"), ("m", "passed"), ("a", "failed")]
    assert statuses(loops) == ["failed", "not_run", "not_run", "not_run"]
    assert progress.told == [
        "loop 1 (compilation + basic checks): a, b",
        "loop 1 (reviewers that were missing): m, a",
        "loop 1 failed",
    ]


def test_a_loop_in_which_nobody_gave_an_opinion_is_an_empty_one() -> None:
    asking = Scripted("gaps", Outcome(detail="nobody is missing", is_vote=False))
    absent = Scripted("a", ABSENT, is_required=False)
    (loop, *_) = run((1, asking), (1, absent))
    assert (loop.status, [one.status for one in loop.reviewers]) == ("nothing_to_run", ["passed", "could_not_run"])


def test_progress_is_told_of_every_loop_that_runs_and_of_no_other() -> None:
    progress = Recorder()
    run((1, Scripted("a", GOOD)), (1, Scripted("b", GOOD)), (3, Scripted("c", BAD)), progress=progress)
    assert progress.told == [
        "loop 1 (compilation + basic checks): a, b",
        "loop 1 passed",
        "loop 3 (security + performance): c",
        "loop 3 failed",
    ]


def test_a_reviewer_s_part_keeps_its_seconds_detail_and_findings() -> None:
    cut = Outcome(findings=(finding(severity="info"),), detail="its output was cut")
    (one,) = run((1, Scripted("a", cut)))[0].reviewers
    assert (one.seconds, one.detail, one.status, len(one.findings)) == (0.123, "its output was cut", "passed", 1)


VERDICTS = {
    "nothing": ([], Verdict.PASS),
    "info": (["info"], Verdict.PASS),
    "warning": (["info", "warning"], Verdict.PASS_WITH_WARNINGS),
    "major": (["warning", "major"], Verdict.NEEDS_FIXES),
    "critical": (["major", "critical", "info"], Verdict.FAIL),
}


@pytest.mark.parametrize(("words", "verdict"), VERDICTS.values(), ids=VERDICTS.keys())
def test_severity_counts_alone_decide_the_verdict(words: list[str], verdict: Verdict) -> None:
    assert verdict_of(Severity(word) for word in words) is verdict
    assert verdict_of(Severity(word) for word in reversed(words)) is verdict
    assert verdict.is_passing is (verdict in (Verdict.PASS, Verdict.PASS_WITH_WARNINGS))


def test_findings_and_blockers_are_listed_worst_first() -> None:
    mixed = [
        finding(severity="info", file="a.py"),
        finding(severity="critical", file="z.py", line=9),
        finding(severity="major", file="b.py", line=20),
        finding(severity="major", file="b.py", line=3),
        finding(severity="major", file=None, line=None, reviewer="types"),
        finding(severity="warning"),
    ]
    loops = run(
        (1, Scripted("a", Outcome(findings=tuple(mixed[:3])))), (1, Scripted("b", Outcome(findings=tuple(mixed[3:]))))
    )
    assert [(one.severity.value, one.file, one.line) for one in run_report(loops=loops).findings] == [
        ("critical", "z.py", 9),
        ("major", None, None),
        ("major", "b.py", 3),
        ("major", "b.py", 20),
        ("warning", "app.py", 3),
        ("info", "a.py", 3),
    ]
    assert loops[0].blockers == (
        "z.py:9: invalid syntax",
        "types: invalid syntax",
        "b.py:3: invalid syntax",
        "b.py:20: invalid syntax",
    )


SHIPS: dict[str, tuple[list[LoopResult], bool]] = {
    "all passed": ([loop_result(number=number) for number in LOOPS], True),
    "nothing to run anywhere": ([empty_loop(number) for number in LOOPS], False),
    "one loop with somebody in it": ([loop_result(), empty_loop(2), empty_loop(3), empty_loop(4)], True),
    "one failed": ([loop_result(), loop_result(number=2, status="failed"), empty_loop(3), empty_loop(4)], False),
    "one incomplete": (
        [loop_result(), loop_result(number=2, status="incomplete"), empty_loop(3), empty_loop(4)],
        False,
    ),
    "one not run": ([loop_result(), not_run(2, ""), empty_loop(3), empty_loop(4)], False),
    "one missing": ([loop_result(), empty_loop(2), empty_loop(3)], False),
    "none at all": ([], False),
}


@pytest.mark.parametrize(("loops", "ships"), SHIPS.values(), ids=SHIPS.keys())
def test_a_run_has_passed_only_when_all_four_loops_are_open(loops: list[LoopResult], ships: bool) -> None:
    assert run_report(loops=tuple(loops)).has_passed_all is ships


def test_the_requested_loops_alone_decide_whether_a_partial_run_went_well() -> None:
    report = run_report(loops=(loop_result(), *(not_run(number, "") for number in (2, 3, 4))), requested=(1,))
    assert report.has_passed_requested
    assert not report.has_passed_all


def failed_report(*findings: Finding, **changes: Any) -> RunReport:
    loop = loop_result(
        status="failed", reviewers=(reviewer_result(status="failed", findings=findings),), blockers=("app.py:3: bad",)
    )
    return run_report(
        loops=(loop, *(not_run(number, "not run: loop 1 did not pass") for number in (2, 3, 4))), **changes
    )


def test_the_state_file_says_what_the_run_found_in_the_seed_s_words() -> None:
    report = failed_report(finding(), finding(severity="warning", file=None, line=None), finding(severity="info"))
    state = json.loads(loop_state(report).to_json())
    assert state["loop_details"]["loop_1"] == {
        "passed": False,
        "issues": [
            {"severity": "error", "message": "invalid syntax", "file": "app.py", "line": 3},
            {"severity": "warning", "message": "invalid syntax"},
        ],
    }
    assert state["decision"] == {
        "record": "1d" * 16,
        "loops": {"loop_1": "failed", "loop_2": "not run", "loop_3": "not run", "loop_4": "not run"},
    }
    assert (state["ship_allowed"], state["blockers"]) == (False, ["app.py:3: bad"])


def test_the_state_of_staged_content_names_the_tree_and_no_commit() -> None:
    state = json.loads(loop_state(run_report(subject=subject(commit=None))).to_json())
    assert (state["head_commit"], state["tree"], state["base_commit"]) == (TREE, TREE, BASE)


def test_a_loop_without_reviewers_is_named_in_the_state_so_that_it_looks_like_no_review() -> None:
    state = json.loads(loop_state(run_report()).to_json())
    assert [entry["id"] for entry in state["reviewers"]] == ["syntax", None, None, None]
    assert state["reviewers"][1] == {"id": None, "loop": 2, "status": "nothing_to_run", "detail": "nothing to run"}
    assert state["decision"]["loops"]["loop_2"] == "nothing to run"


def test_twenty_thousand_long_findings_leave_a_state_and_a_record_that_the_gate_reads() -> None:
    many = tuple(finding(message="m" * 5_000, evidence="e" * 5_000, line=line) for line in range(1, 20_001))
    blockers = tuple(f"app.py:{line}: {'b' * 5_000}" for line in range(1, 20_001))
    report = failed_report(*many)
    loop = report.loops[0].model_copy(update={"blockers": blockers})
    report = report.model_copy(update={"loops": (loop, *report.loops[1:])})
    state = loop_state(report).to_json()
    assert len(state) < MAX_STATE_BYTES // 4
    assert not read_state(state).ship_allowed
    assert json.loads(state)["blockers"][-1] == "and 19900 more"
    review = json.loads(json.dumps(ledger_review(report)))
    assert review["counts"]["major"] == 20_000
    (record,) = read_document(json.dumps({"version": 1, "subject": COMMIT, "reviews": [review]}).encode(), COMMIT)
    assert record.has_failed


def test_a_loop_comes_back_from_a_record_as_it_was() -> None:
    report = failed_report(finding(), finding(severity="warning"))
    review = json.loads(json.dumps(ledger_review(report)))
    assert [stored_loop(entry) for entry in review["loop_results"]] == list(report.loops)


def test_who_passed_without_a_word_comes_back_by_name() -> None:
    talkative = reviewer_result(id="types", seconds=2.0, findings=(finding(severity="warning"),))
    optional = reviewer_result(id="lint", is_required=False, seconds=1.0)
    loop = loop_result(reviewers=(reviewer_result(id="syntax", seconds=3.0), talkative, optional))
    (entry, *_) = json.loads(json.dumps(ledger_review(run_report(loops=(loop,)))))["loop_results"]
    assert entry["passed_silently"] == ["syntax"]
    kept = stored_loop(entry)
    assert kept is not None
    assert kept.reviewers == (talkative, optional, reviewer_result(id="syntax", seconds=0.0))


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"number": 1},
        {"number": 1, "status": "passed", "extra": 1},
        {"number": 1, "status": "approved"},
        {"number": 1, "status": "passed", "passed_silently": 3},
    ],
    ids=["null", "a list", "nothing", "half", "an unknown field", "an unknown status", "names that are none"],
)
def test_what_is_no_loop_result_is_not_kept(data: object) -> None:
    assert stored_loop(data) is None


def test_the_file_of_a_not_reviewed_finding_is_listed() -> None:
    report = failed_report(finding(rule="not-reviewed-binary", severity="warning", file="a.bin"), finding())
    assert ledger_review(report)["not_reviewed"] == ["a.bin"]


@pytest.mark.parametrize("severity", Severity)
def test_what_blocks_is_exactly_what_keeps_a_verdict_from_passing(severity: Severity) -> None:
    assert severity.is_blocking is not verdict_of([severity]).is_passing
    assert RANKS[severity.rank] == severity
