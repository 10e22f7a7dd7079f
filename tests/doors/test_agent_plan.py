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


def test_a_plan_that_changed_after_its_approval_is_refused(session: Session, plan: Path) -> None:
    approve(session, plan)
    plan.write_text(TEXT + "3. And drop the table.\n")
    assert leave(session, plan, plan.read_text()).startswith("blocked: the plan was changed after it was approved\n")


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


@pytest.mark.parametrize("place", ["HOME/.claude", "HOME/of-claude"])
def test_a_plan_without_checks_is_refused_and_only_the_user_writes_them(repo: Repo, place: str) -> None:
    folder = Path(place.replace("HOME", repo.environ["HOME"]))
    session = Session(Repo(repo.path, repo.environ | {"CLAUDE_CONFIG_DIR": str(folder)}))
    plan = folder / "plans/a-plan.md"
    plan.parent.mkdir(parents=True)
    plan.write_text(TEXT)
    refusal = leave(session, plan)
    assert refusal.startswith("blocked: the approval of this plan cannot be read: No checks found (no checks.yaml, ")
    assert refusal.endswith(
        f"  next:  ask the user: write {plan.parent}/checks.yaml, or choose packs in .review-gate.yaml: "
        "checks: {packs: [plan]}"
    )
    for name in ("plans/checks.yaml", "plans/context.yaml", "checks/global-checks.yaml", "reviewers.yaml"):
        assert " is what plans are judged by\n" in session.tool("Write", file_path=str(folder / name), content="x")
        assert " is what plans are judged by\n" in session.shell(f"echo 'checks: []' > {folder / name}")
    assert session.tool("Write", file_path=str(plan), content="x") == ""
    assert session.tool("Write", file_path="docs/checks.yaml", content="x") == ""


TABLE = "| If you write... | STOP because... |\n|---|---|\n| `Read the rates` | they are read already |\n"


@pytest.mark.parametrize("place", ["HOME/.claude", "HOME/of-claude"])
def test_a_plan_of_claude_code_goes_by_the_rules_of_the_project_that_is_worked_on(repo: Repo, place: str) -> None:
    folder = Path(place.replace("HOME", repo.environ["HOME"]))
    session = Session(Repo(repo.path, repo.environ | {"CLAUDE_CONFIG_DIR": str(folder)}))
    plan = folder / "plans/a-plan.md"
    plan.parent.mkdir(parents=True)
    plan.write_text(TEXT)
    repo.write(".review-gate.yaml", "models: off\n")
    repo.write("CLAUDE.md", TABLE)
    asked = session.repo.gate("expert-review", str(plan))
    assert "Pattern 'Read the rates' found. they are read already" in asked.stdout, asked.stderr
    repo.write("CLAUDE.md", TABLE.replace("Read the rates", "Drop"))
    approve(session, plan)
    assert leave(session, plan) == ""
    repo.write("CLAUDE.md", TABLE)
    assert leave(session, plan).startswith("blocked: the checks were changed after the plan was approved")


def test_what_was_answered_in_a_review_is_not_written_by_an_agent(session: Session, plan: Path) -> None:
    state = plan.with_name("a-wild-gadget.state.yaml")
    words = f"blocked: {state} is what was answered in the review of a plan\n"
    assert session.tool("Write", file_path=str(state), content="{}").startswith(words)
    assert session.shell(f"echo x > {state}").startswith(words)
    assert session.tool("Write", file_path=str(plan.with_name("state.yaml")), content="{}") == ""
    plan.with_name("plan.md").write_text(TEXT)
    assert session.tool("Write", file_path=str(plan.with_name("state.yaml")), content="{}").startswith("blocked: ")
