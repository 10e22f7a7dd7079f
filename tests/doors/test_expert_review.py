"""review-gate expert-review on real folders: checked, mended, asked about, approved; and everybody's edits survive."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo, Result
from filelock import FileLock

from review_gate.plans.target import Target
from review_gate.shell.plan_folder import folder_of

PLAN = """\
# Plan

- Type the reply as `x: any` and the list as `y: any`.
- Then console.log the result. Keep the file.
- Load data with eval(text).
"""
CHECKS = """\
checks:
  - id: no_any_type
    pattern: ": any"
    match_rule: regex
    fix: {action: replace, with: ": unknown"}
    reason: Use proper TypeScript types instead of any
  - id: no_console_log
    pattern: console.log
    fix: {action: remove_sentence}
    reason: Use proper logging in production code
  - id: no_eval
    pattern: eval(
    reason: it runs whatever it is given
"""
PERSONA = "Senior security engineer"


class Folder:
    """A folder with a plan."""

    def __init__(self, repo: Repo, path: Path) -> None:
        self._repo = repo
        self.path = path
        self.write("context.yaml", f"reviewer_persona: {PERSONA}\n")
        self.write("checks.yaml", CHECKS)
        self.write("plan.md", PLAN)

    def write(self, name: str, text: str) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        (self.path / name).write_text(text)

    def read(self, name: str) -> str:
        return (self.path / name).read_text()

    def review(self, *options: str) -> Result:
        return self._repo.gate("expert-review", str(self.path), *options)


@pytest.fixture
def folder(repo: Repo) -> Folder:
    repo.commit("settings", {".review-gate.yaml": "checks: {packs: []}\n"})
    return Folder(repo, repo.path / "plans/one")


def document(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_an_answer_counts_for_the_question_that_was_asked(folder: Folder) -> None:
    folder.review()
    folder.write("plan.md", folder.read("plan.md") + "And exec(y).\n")
    told = folder.review("--answer", "approve")
    assert told.returncode == 1
    assert told.stderr == "warning: the answer was not used: it is to another question than the one that is asked now\n"
    assert folder.review("--answer", "approve").returncode == 0


def test_checks_that_undo_each_other_end_the_review_and_are_named(folder: Folder) -> None:
    folder.write(
        "checks.yaml",
        "checks:\n"
        "  - {id: no_tabs, pattern: tabs, fix: {action: replace, with: blanks}}\n"
        "  - {id: no_blanks, pattern: blanks, fix: {action: replace, with: tabs}}\n",
    )
    folder.write("plan.md", "Indent with tabs.\n")
    result = folder.review()
    assert "Reason: fixes undo each other: no_tabs, no_blanks\n" in result.stdout
    assert result.returncode == 1


def make_link(path: Path) -> None:
    path.symlink_to("elsewhere.md")


UNREADABLE: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "a link": ("plan.md", make_link, "it is a symbolic link"),
}


@pytest.mark.parametrize("options", [(), ("--status",)], ids=["review", "status"])
@pytest.mark.parametrize(("name", "make", "reason"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_no_plain_file_is_an_error_for_people_and_programs(
    folder: Folder, name: str, make: Callable[[Path], object], reason: str, options: tuple[str, ...]
) -> None:
    (folder.path / name).unlink(missing_ok=True)
    make(folder.path / name)
    result = folder.review("--format", "json", *options)
    told = document(result)
    assert (result.returncode, told["verdict"]) == (2, "error")
    assert told["reason"].startswith(f"{folder.path / name}: {reason}")
    assert result.stderr.startswith(f"error: {told['reason']}\n")


def test_a_malformed_state_begins_anew_with_a_warning(folder: Folder) -> None:
    folder.write("state.yaml", "edits: many\n")
    result = folder.review()
    assert result.stderr.endswith("; the state was malformed, so the review begins anew\n")
    assert "edits: 2\n" in folder.read("state.yaml")


def test_a_context_that_is_missing_is_made_and_the_usual_panel_reviews(folder: Folder) -> None:
    (folder.path / "context.yaml").unlink()
    folder.write("plan.md", "# Plan\n")
    result = folder.review()
    assert "Reviewer: Senior Technical Reviewer, Claude\n" in result.stdout
    assert "Not asked: Senior Technical Reviewer; the checks alone approved.\n" in result.stdout
    assert folder.read("context.yaml").startswith("# Who reviews, ")


def test_a_session_that_is_a_link_leads_nowhere(folder: Folder, repo: Repo) -> None:
    sessions = Path(repo.environ["HOME"]) / ".claude/sessions"
    sessions.mkdir(parents=True)
    (sessions / "elsewhere").symlink_to(folder.path)
    result = repo.gate("expert-review", "session://elsewhere")
    assert (result.returncode, result.stdout) == (2, f"ERROR\nReason: {sessions}/elsewhere is a link\n")


def test_an_edit_that_was_counted_and_not_made_is_made_by_the_next_call(folder: Folder) -> None:
    folder.review()
    mended, state = folder.read("plan.md"), folder.read("state.yaml")
    folder.write("plan.md", PLAN)
    (folder.path / "state.yaml").unlink()
    begun = {"check": "no_any_type", "before": sha256(PLAN.encode()).hexdigest(), "after": "0" * 64}
    history = [{"check": "no_any_type", "fix": ": any → : unknown", "line": 3}]
    killed = {"edits": 1, "retries": {"no_any_type": 1}, "history": history, "begun": begun}
    folder.write("state.yaml", json.dumps(killed))
    folder.review()
    assert (folder.read("plan.md"), folder.read("state.yaml")) == (mended, state)


def test_two_reviews_of_one_plan_do_not_edit_it_at_once(folder: Folder, repo: Repo) -> None:
    plan = folder.path / "plan.md"
    lock = folder_of(Target(path=str(plan)), repo.environ).lock
    Path(lock).parent.mkdir(parents=True, exist_ok=True)
    with FileLock(lock):
        told = folder.review()
    assert told.returncode == 1
    assert told.stdout == f"ERROR\nReason: another review of {plan} is going on\n"
    assert told.stderr.splitlines()[0] == f"blocked: another review of {plan} is going on"
    assert folder.read("plan.md") == PLAN
    assert folder.review().returncode == 1
    assert sorted(path.name for path in folder.path.iterdir()) == [
        "checks.yaml",
        "context.yaml",
        "plan.md",
        "state.yaml",
    ]
