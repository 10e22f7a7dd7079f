"""A plan is carried out only when exactly its text was approved."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Repo
from deciding import Session

TEXT = "# Plan\n\n1. Read the rates once.\n2. Test the empty list.\n"


@pytest.fixture
def session(repo: Repo) -> Session:
    repo.write(".review-gate.yaml", "models: {use: off}\nchecks: {packs: [plan]}\n")
    return Session(repo)


@pytest.fixture
def plan(session: Session) -> Path:
    path = Path(session.repo.environ["HOME"]) / ".claude/plans/a-wild-gadget.md"
    path.parent.mkdir(parents=True)
    path.write_text(TEXT)
    return path


def approve(session: Session, plan: Path) -> None:
    done = session.repo.gate("expert-review", str(plan))
    assert done.returncode == 0, done.stdout + done.stderr


def leave(session: Session, plan: Path, text: str = TEXT) -> str:
    return session.tool("ExitPlanMode", plan=text, planFilePath=str(plan))


def test_a_plan_that_nobody_reviewed_is_refused_with_what_to_type(session: Session, plan: Path) -> None:
    assert leave(session, plan) == (
        "blocked: the plan was not approved\n"
        "  why:   only a plan whose very text was approved may be carried out\n"
        f"  next:  review-gate expert-review {plan}"
    )


def test_the_approved_plan_is_carried_out(session: Session, plan: Path) -> None:
    approve(session, plan)
    assert leave(session, plan) == ""


def test_a_plan_that_changed_after_its_approval_is_refused(session: Session, plan: Path) -> None:
    approve(session, plan)
    plan.write_text(TEXT + "3. And drop the table.\n")
    assert leave(session, plan, plan.read_text()).startswith("blocked: the plan was changed after it was approved\n")


def test_another_text_than_that_of_the_approved_file_is_refused(session: Session, plan: Path) -> None:
    approve(session, plan)
    assert leave(session, plan, TEXT + "3. And drop the table.\n") == (
        "blocked: the plan is not the text that its file holds\n"
        "  why:   only a plan whose very text was approved may be carried out\n"
        f"  next:  write it to {plan}, then review-gate expert-review {plan}"
    )


def test_an_approval_that_an_agent_made_up_counts_for_nothing(session: Session, plan: Path) -> None:
    approve(session, plan)
    (marker,) = plan.parent.glob("*.approved")
    marker.write_text('{"version": 1}')
    assert leave(session, plan).startswith("blocked: the marker is not one that a review has written\n")


def test_a_plan_without_a_text_or_a_file_is_refused(session: Session, plan: Path) -> None:
    assert session.tool("ExitPlanMode").startswith("blocked: the plan was not sent along")
    assert session.tool("ExitPlanMode", plan=TEXT).startswith(
        "blocked: nobody can say that this plan was approved: the agent names no file of it\n"
    )
    gone = plan.with_name("gone.md")
    assert leave(session, gone).startswith(
        f"blocked: nobody can say that this plan was approved: its file {gone} is not there\n"
    )


def test_a_plan_that_is_no_text_is_refused(session: Session, plan: Path) -> None:
    plan.write_bytes(b"\xff\xfe\x00")
    assert leave(session, plan).startswith("blocked: ")
