"""The record of a plan's last review: its times, its damages, and that the text alone says how a marker counts."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from freezegun import freeze_time

from review_gate.errors import ReviewGateError
from review_gate.plans.outcome import PersonQuestion
from review_gate.plans.schema import Answer
from review_gate.shell.plan_folder import PlanFolder
from review_gate.workflows.plan_record import (
    Reviewed,
    begin_review,
    record_of,
    reviewed_on_record,
    standing_now,
)
from review_gate.workflows.plan_run import AskPerson
from review_gate.workflows.plan_setup import named

MOMENT, LATER, EARLIER = "2026-03-01T12:00:00Z", "2027-01-01T00:00:00Z", "2020-01-01T00:00:00Z"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlanFolder:
    (tmp_path / ".review-gate.yaml").write_text("checks: {packs: []}\nmodels: off\n")
    (tmp_path / "checks.yaml").write_text("checks: [{id: no_eval, pattern: eval(}]\n")
    (tmp_path / "context.yaml").write_text("reviewer_persona: Anybody\n")
    (tmp_path / "plan.md").write_text("# Plan\n\nDo it well.\n")
    monkeypatch.chdir(tmp_path)
    return named(str(tmp_path), {"XDG_CACHE_HOME": str(tmp_path / "cache")})


def nobody(*_: object) -> None:
    return None


def review(folder: PlanFolder, ask: AskPerson = nobody) -> Reviewed:
    return reviewed_on_record(folder, ask, {})


def told(folder: PlanFolder) -> str:
    return "{}: {}".format(*standing_now(folder).standing)


def use_eval(folder: PlanFolder) -> None:
    Path(folder.plan).write_text("Use eval(x).\n")


@freeze_time(MOMENT)
def test_a_review_that_is_going_on_is_told_with_its_time(folder: PlanFolder) -> None:
    use_eval(folder)
    asked: list[str] = []

    def look(*_: object) -> Answer | None:
        with freeze_time(LATER):
            asked.append(told(folder))
        return None

    review(folder, look)
    assert asked == [f"missing: a review of it is going on since {MOMENT}"]


def interrupt(_: PersonQuestion) -> Answer | None:
    raise KeyboardInterrupt


def fail(_: PersonQuestion) -> Answer | None:
    raise ReviewGateError("the disk is on fire", why="it is hot", next_step="run")


@pytest.mark.parametrize(
    ("ask", "error", "said", "reason"),
    [
        (interrupt, KeyboardInterrupt, "edits and answers so far are kept", "it was interrupted"),
        (fail, ReviewGateError, "the disk is on fire", "the disk is on fire"),
    ],
)
def test_a_review_that_failed_is_told_as_such(
    folder: PlanFolder, ask: AskPerson, error: type[BaseException], said: str, reason: str
) -> None:
    use_eval(folder)
    with pytest.raises(error, match=said):
        review(folder, ask)
    assert told(folder) == f"missing: the last review ended: ERROR, {reason}"


def _changed(folder: PlanFolder, change: Callable[[dict[str, object]], object]) -> bytes:
    record = json.loads(Path(folder.record).read_bytes())
    change(record)
    return json.dumps(record).encode()


DAMAGES: dict[str, Callable[[PlanFolder], bytes]] = {
    "nothing": lambda _: b"",
    "a half": lambda folder: Path(folder.record).read_bytes()[:-20],
    "another version": lambda folder: _changed(folder, lambda record: record.update(version=2)),
    "a field too many": lambda folder: _changed(folder, lambda record: record.update(more=1)),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_record_is_as_good_as_none(folder: PlanFolder, damage: Callable[[PlanFolder], bytes]) -> None:
    use_eval(folder)
    review(folder)
    assert told(folder) == "missing: the review waits for an answer"
    damaged = damage(folder)
    assert damaged != Path(folder.record).read_bytes()
    Path(folder.record).write_bytes(damaged)
    assert (record_of(folder), told(folder)) == (None, "missing: the plan was not approved")
    review(folder)
    assert told(folder) == "missing: the review waits for an answer"


def test_records_are_for_nobody_else(folder: PlanFolder) -> None:
    review(folder)
    assert [os.stat(path).st_mode & 0o777 for path in (folder.records, folder.record)] == [0o700, 0o600]


def test_a_process_that_does_not_begin_in_time_is_ended(folder: PlanFolder) -> None:
    with pytest.raises(ReviewGateError, match="in the background did not begin within 0 seconds, and was ended"):
        begin_review(folder, None, folder.plan, os.environ, seconds=0)
    assert (record_of(folder), folder.is_under_way()) == (None, False)
