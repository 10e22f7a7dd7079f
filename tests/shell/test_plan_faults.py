"""A review of a plan that dies before or after any of its writes: the next call ends as if nothing had happened."""

from __future__ import annotations

from pathlib import Path

import pytest

from review_gate.errors import ReviewGateError
from review_gate.plans.machine import Review
from review_gate.shell.plan_folder import PlanFolder
from review_gate.workflows.plan_run import review_plan
from review_gate.workflows.plan_setup import named

PLAN = "# Plan\n\n- `x: any` and `y: any`.\n- Then console.log it. Keep the file.\n"
CHECKS = """\
checks:
  - {id: no_any, pattern: ": any", fix: {action: replace, with: ": unknown"}}
  - {id: no_log, pattern: console.log, fix: {action: remove_sentence}}
"""
OTHER_LINE = "- And z: any of it, by somebody else.\n"
# More than a review of this plan makes.
MOST_WRITES = 12


class DeathError(BaseException):
    """The program is gone."""


class Dying(PlanFolder):
    """A folder in which the program dies at one of its writes, before it or after it."""

    def __init__(self, plan: str, at: int, *, is_before: bool) -> None:
        super().__init__(plan, f"{plan}.locks", "/nowhere")
        self._left = at
        self._is_before = is_before

    def _passes(self) -> bool:
        self._left -= 1
        if self._left == 0 and self._is_before:
            raise DeathError
        return self._left != 0

    def write(self, path: str, data: bytes) -> None:
        survives = self._passes()
        super().write(path, data)
        if not survives:
            raise DeathError

    def change(self, path: str, old: bytes, new: bytes) -> None:
        survives = self._passes()
        super().change(path, old, new)
        if not survives:
            raise DeathError


class Shared(PlanFolder):
    """A folder in which somebody else writes the plan once, while the first fix is on its way."""

    def write(self, path: str, data: bytes) -> None:
        super().write(path, data)
        plan = Path(self.plan)
        if b"begun" in data and "somebody else" not in plan.read_text():
            plan.write_text(plan.read_text() + OTHER_LINE)


class Late(PlanFolder):
    """A folder in which somebody else writes the plan after all checks have passed."""

    def __init__(self, plan: str) -> None:
        super().__init__(plan, f"{plan}.locks", "/nowhere")
        self._looks = 0

    def read_plan(self) -> bytes | None:
        self._looks += 1
        if self._looks > 1:
            Path(self.plan).write_text(OTHER_LINE)
        return super().read_plan()


def folder_with_plan(path: Path) -> Path:
    path.mkdir()
    (path / "plan.md").write_text(PLAN)
    (path / "checks.yaml").write_text(CHECKS)
    (path / "context.yaml").write_text("reviewer_persona: Anybody\n")
    return path


def reviewed(path: Path, folder: PlanFolder | None = None) -> Review:
    return review_plan(folder or named(str(path), {"HOME": str(path)}), lambda *_: None, {}).review


@pytest.fixture
def without_packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder whose settings choose no pack: reading these takes longer than a review."""
    (tmp_path / ".review-gate.yaml").write_text("checks: {packs: []}\nmodels: off\n")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("without_packs")
@pytest.mark.parametrize("is_before", [True, False], ids=["before", "after"])
@pytest.mark.parametrize("at", range(1, MOST_WRITES))
def test_a_review_that_dies_at_a_write_loses_neither_plan_nor_state(tmp_path: Path, at: int, is_before: bool) -> None:
    whole = folder_with_plan(tmp_path / "whole")
    expected = reviewed(whole)
    path = folder_with_plan(tmp_path / "dying")
    try:
        reviewed(path, Dying(str(path / "plan.md"), at, is_before=is_before))
    except DeathError:
        reviewed(path)
    for name in ("plan.md", "state.yaml"):
        assert (path / name).read_bytes() == (whole / name).read_bytes()
    assert expected.state.edits == 2
    assert (path / "plan.approved").exists()


@pytest.mark.usefixtures("without_packs")
def test_what_somebody_else_writes_meanwhile_stays_and_is_reviewed(tmp_path: Path) -> None:
    path = folder_with_plan(tmp_path / "shared")
    review = reviewed(path, Shared(str(path / "plan.md"), str(tmp_path / "locks"), str(tmp_path)))
    plan = (path / "plan.md").read_text()
    assert plan.endswith("- And z: unknown of it, by somebody else.\n")
    assert ": any" not in plan
    assert (review.phase.value, review.state.edits, review.state.retries) == ("approved", 2, {"no_any": 1, "no_log": 1})


@pytest.mark.usefixtures("without_packs")
def test_what_somebody_else_writes_at_the_end_is_not_approved(tmp_path: Path) -> None:
    path = folder_with_plan(tmp_path / "late")
    (path / "plan.md").write_text("# Plan\n")
    with pytest.raises(ReviewGateError, match="the plan was changed by somebody else during the review"):
        reviewed(path, Late(str(path / "plan.md")))
    assert not (path / "plan.approved").exists()
