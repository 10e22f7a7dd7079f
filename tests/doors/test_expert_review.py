"""review-gate expert-review on real folders: checked, mended, asked about, approved; and everybody's edits survive."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import select
import subprocess
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from conftest import TIMEOUT, Repo, Result
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


def test_what_can_be_mended_is_and_the_rest_is_asked(folder: Folder) -> None:
    result = folder.review()
    assert (result.returncode, result.stdout) == (
        1,
        "[As Senior security engineer]: Pattern 'eval(' found. it runs whatever it is given\n"
        "L5: eval(\n"
        f"next:  review-gate expert-review {folder.path} --answer approve (or abort, or replace=TEXT)\n",
    )
    assert folder.read("plan.md") == PLAN.replace(": any", ": unknown").replace("Then console.log the result. ", "")


def test_an_approved_instance_opens_the_way_and_the_marker_is_for_this_text(folder: Folder) -> None:
    folder.review()
    result = folder.review("--answer", "approve")
    assert (result.returncode, result.stdout) == (
        0,
        "APPROVED\n"
        "Reviewer: Senior security engineer\n"
        "Checks: 2 passed\n"
        "Edits: 2\n"
        "  - L3: : any → : unknown (no_any_type)\n"
        "  - L4: removed: Then console.log the result. (no_console_log)\n"
        "Not asked: Senior security engineer; the checks alone approved.\n",
    )
    assert folder.review("--status").stdout.startswith("approved: approved by checks at ")
    folder.write("plan.md", folder.read("plan.md") + "More.\n")
    stale = folder.review("--status")
    assert (stale.returncode, stale.stdout) == (1, "stale: the plan was changed after it was approved\n")


def test_an_edited_plan_loses_its_marker_as_soon_as_it_is_reviewed(folder: Folder) -> None:
    folder.write("plan.md", "# Plan\n")
    folder.review()
    folder.write("plan.md", "# Plan\n\nUse eval(x).\n")
    assert folder.review().returncode == 1
    assert not (folder.path / "plan.approved").exists()


def test_other_words_take_the_place_of_the_match(folder: Folder) -> None:
    folder.review()
    result = folder.review("--answer", "replace=json.loads(")
    assert result.stdout.startswith("APPROVED\n")
    assert "- Load data with json.loads(text).\n" in folder.read("plan.md")


def test_who_aborts_is_told_what_is_left(folder: Folder) -> None:
    folder.review()
    result = folder.review("--answer", "abort")
    assert (result.returncode, result.stdout) == (
        1,
        "INCOMPLETE\nReviewer: Senior security engineer\nReason: user aborted\nEdits: 2\nUnresolved: [no_eval]\n",
    )


def test_an_answer_counts_for_the_question_that_was_asked(folder: Folder) -> None:
    folder.review()
    folder.write("plan.md", folder.read("plan.md") + "And exec(y).\n")
    told = folder.review("--answer", "approve")
    assert told.returncode == 1
    assert told.stderr == "warning: the answer was not used: it is to another question than the one that is asked now\n"
    assert folder.review("--answer", "approve").returncode == 0


def test_a_question_for_programs_has_its_options(folder: Folder) -> None:
    told = document(folder.review("--format", "json"))
    assert (told["verdict"], told["unresolved"]) == ("asking", ["no_eval"])
    assert [one["answer"] for one in told["question"].pop("options")] == ["approve", "abort", "replace=TEXT"]
    assert told["question"] == {
        "voice": PERSONA,
        "check": "no_eval",
        "pattern": "eval(",
        "reason": "it runs whatever it is given",
        "explanation": "",
        "line": 5,
        "matched": "eval(",
        "instead": "",
        "not_mended_because": "",
    }


def on_terminal(repo: Repo, folder: Folder, said: bytes) -> tuple[int, str]:
    """A review on a terminal where somebody types this when asked: its exit code, and what was shown."""
    ours, theirs = pty.openpty()
    argv = ["review-gate", "expert-review", str(folder.path)]
    # As in any locale but that of C, where Python is less strict.
    environ = repo.environ | {"NO_COLOR": "1", "PYTHONIOENCODING": "utf-8:strict"}
    with subprocess.Popen(argv, cwd=repo.path, env=environ, stdin=theirs, stdout=theirs, stderr=theirs) as child:
        os.close(theirs)
        screen = b""
        while b"to put in its place: " not in screen and select.select([ours], [], [], TIMEOUT)[0]:
            screen += os.read(ours, 4096)
        os.write(ours, said)
        with contextlib.suppress(OSError):
            # Until nobody has the other side any more.
            while select.select([ours], [], [], TIMEOUT)[0]:
                screen += os.read(ours, 4096)
        code = child.wait(TIMEOUT)
    os.close(ours)
    return code, screen.decode(errors="replace")


TYPED: dict[str, tuple[bytes, tuple[int, str, str]]] = {
    "the first choice": (b"1\n", (0, "APPROVED", "eval(text)")),
    "other words": (b"json.loads(\n", (0, "APPROVED", "json.loads(text)")),
}


@pytest.mark.parametrize(("said", "expected"), TYPED.values(), ids=TYPED)
def test_on_a_terminal_a_choice_is_typed(
    folder: Folder, repo: Repo, said: bytes, expected: tuple[int, str, str]
) -> None:
    code, shown, left = expected
    found, screen = on_terminal(repo, folder, said)
    assert found == code, screen
    assert shown in screen
    assert f"- Load data with {left}.\n" in folder.read("plan.md")


def test_a_check_that_must_not_come_back_rejects_the_plan(folder: Folder) -> None:
    again = {"id": "again", "pattern": "foo", "fix": {"action": "replace", "with": "a foo"}, "reason": "no"}
    folder.write("checks.yaml", json.dumps({"checks": [{**again, "reject_if_persists": True}]}))
    folder.write("plan.md", "Use foo.\n")
    result = folder.review()
    assert (result.returncode, result.stdout) == (
        1,
        "REJECTED\n"
        "Reviewer: Senior security engineer\n"
        "Check: again\n"
        "Reason: Pattern 'foo' reappeared after fix (reject_if_persists)\n"
        "Edits before rejection: 1\n"
        "L1: no\n",
    )


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


SETUP_ERRORS: dict[str, tuple[str, str | None, str]] = {
    "no plan": ("plan.md", None, "plan.md not found at {}/plan.md"),
    "no checks": (
        "checks.yaml",
        None,
        "No checks found (no checks.yaml, no CLAUDE.md Anti-Patterns Table, no context.yaml checks)",
    ),
    "a malformed context": ("context.yaml", "[", "{}/context.yaml:1: "),
}


@pytest.mark.parametrize(("name", "text", "reason"), SETUP_ERRORS.values(), ids=SETUP_ERRORS)
def test_what_keeps_a_review_from_beginning_is_an_error(
    folder: Folder, name: str, text: str | None, reason: str
) -> None:
    (folder.path / name).unlink() if text is None else folder.write(name, text)
    result = folder.review()
    assert result.returncode == 2
    assert result.stdout.startswith(f"ERROR\nReason: {reason.format(folder.path)}")
    assert document(folder.review("--format", "json"))["verdict"] == "error"


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


def test_a_session_is_found_by_its_id(folder: Folder, repo: Repo) -> None:
    home = Path(repo.environ["HOME"])
    session = Folder(repo, home / ".claude/sessions/20260101-ab12")
    session.write("plan.md", "# Plan\n")
    result = repo.gate("expert-review", "Review: session://20260101-ab12")
    assert result.stdout.startswith("APPROVED\n")
    assert (session.path / "plan.approved").exists()


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
