"""review-gate statusline: a line about the project, or about the review of a prompt that goes on or has just ended."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from prompting import NOTHING, ONE_GUARD, TASK, Desk, answer
from running import PATIENCE

LONG_AGO = 1_000_000_000


@pytest.fixture
def desk(repo: Repo) -> Desk:
    return Desk(repo).claude(ONE_GUARD)


def line(desk: Desk, payload: object = None, **environ: str) -> str:
    """What the status line shows for what Claude Code says."""
    text = payload if isinstance(payload, str) else None if payload is None else json.dumps(payload)
    done = desk.run("statusline", stdin=text, **environ)
    assert (done.returncode, done.stderr, done.stdout[-1:], done.stdout.count("\n")) == (0, "", "\n", 1)
    return done.stdout[:-1]


def told(folder: Path, **changes: Any) -> dict[str, Any]:
    """What Claude Code 2.1 says to a status line, of which two fields matter."""
    return {"cwd": str(folder), "workspace": {"current_dir": str(folder), "project_dir": str(folder)}, **changes}


def status_file(desk: Desk) -> Path:
    (path,) = (desk.cache / "prompt-status").iterdir()
    return path


def test_normally_it_tells_the_project_and_its_branch(desk: Desk) -> None:
    assert line(desk, told(desk.repo.path)) == "ok repo | main"
    assert line(desk) == "ok repo | main"
    desk.repo.git("switch", "--quiet", "--create", "feature/prices")
    assert line(desk) == "ok repo | feature/prices"


def test_the_folder_that_is_told_counts_and_not_the_one_that_it_is_started_in(desk: Desk, tmp_path: Path) -> None:
    desk.repo.commit("a folder", {"src/deep/app.py": "x = 1\n"})
    here = desk.repo.path
    desk.repo.path = tmp_path
    for payload in (told(here / "src/deep"), {"cwd": str(here)}, told(here, cwd="/nowhere")):
        assert line(desk, payload) == "ok repo | main"


def test_reviews_in_rounds_that_are_not_over_are_counted(desk: Desk) -> None:
    for number in (1, 2):
        desk.repo.write(f".git/review-gate/rounds/r{number}/state.json", "{}")
    shown = line(desk)
    assert shown == "ok repo | main | 2 open reviews"


def test_the_hooks_of_claude_are_told_about_once_they_were_installed(desk: Desk) -> None:
    assert desk.repo.gate("install", "--claude").returncode == 0
    assert line(desk) == "ok repo | main | hooks never heard of"
    for age, words in ((630, "heard 1"), (7_300, "heard 2 h ago")):
        desk.repo.write(".git/review-gate/heard/claude", f"{time.time() - age:.0f}\n")
        assert line(desk).startswith(f"ok repo | main | hooks {words}")
    for minutes, words in ((200, "heard 2 h ago"), (30, "not heard of since ")):
        session = told(desk.repo.path, cost={"total_duration_ms": minutes * 60_000})
        assert line(desk, session).startswith(f"ok repo | main | hooks {words}")
    desk.repo.write(".git/review-gate/heard/claude", "1700000000\n")
    assert line(desk) == "ok repo | main | hooks not heard of since 2023-11-14 22:13 UTC"


def test_while_a_prompt_is_reviewed_it_tells_by_how_many(desk: Desk) -> None:
    desk.claude({"*": "hang"})
    child = subprocess.Popen(
        ["review-gate", "prompt-review", TASK],
        cwd=desk.repo.path,
        env=desk.repo.environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while len(desk.calls()) < 1:
            assert child.poll() is None
        assert line(desk, told(desk.repo.path / ".git")) == "... Reviewing prompt (4 reviewers)..."
        assert line(desk) == "... Reviewing prompt (4 reviewers)..."
    finally:
        child.terminate()
        child.wait(PATIENCE)
    assert line(desk) == "ok repo | main"


def test_after_a_review_it_tells_for_a_while_what_was_found(desk: Desk) -> None:
    desk.review(TASK)
    assert line(desk) == "ok Review complete | 1 finding"
    path = status_file(desk)
    path.write_text(f"reviewed 1 {LONG_AGO}\n")
    assert line(desk) == "ok repo | main"
    desk.claude({"*": NOTHING})
    desk.review("another prompt")
    assert line(desk) == "ok Review complete | 0 findings"


def test_the_questions_of_a_session_are_under_review_until_they_are_merged(desk: Desk) -> None:
    name = desk.document(TASK, CLAUDECODE="1")["id"]
    assert line(desk) == "... Reviewing prompt (4 reviewers)..."
    said = {"security": {**answer(), "reviewer_role": "security"}}
    desk.review("merge", name, "-", stdin=json.dumps(said))
    assert line(desk) == "ok Review complete | 0 findings"


def test_of_a_review_that_came_to_nothing_it_tells_nothing(desk: Desk) -> None:
    desk.claude({"*": 401})
    desk.review(TASK)
    assert line(desk) == "ok repo | main"


def test_a_review_in_one_project_says_nothing_of_another(desk: Desk, tmp_path: Path) -> None:
    desk.review(TASK)
    other = tmp_path / "other"
    other.mkdir()
    assert line(desk, told(other)) == "ok other"


def test_outside_of_a_repository_there_is_the_folder_alone(desk: Desk, tmp_path: Path) -> None:
    outside = tmp_path / "out side"
    outside.mkdir()
    assert line(desk, told(outside)) == "ok out side"
    (outside / ".git").write_text("gitdir: /nowhere\n")
    assert line(desk, told(outside)) == "ok out side"


def test_a_detached_head_is_told_by_its_commit_and_a_worktree_by_its_own_branch(desk: Desk) -> None:
    desk.repo.git("worktree", "add", "--quiet", "-b", "side", "../side")
    assert line(desk, told(desk.repo.path.parent / "side")) == "ok side | side"
    desk.repo.git("switch", "--quiet", "--detach")
    assert line(desk) == f"ok repo | {desk.repo.head[:8]}"


def test_a_repository_without_a_commit_has_a_branch(desk: Desk, tmp_path: Path) -> None:
    new = tmp_path / "new"
    desk.repo.git("init", "--quiet", str(new))
    assert line(desk, told(new)) == "ok new | main"


HOSTILE = {"an escape": "a\x1b[31mb", "a line end": "a\nb", "bidi": "a\u202eb", "no UTF-8": "a\udcffb"}
SHOWN = {"an escape": "a\\x1b[31mb", "a line end": "a\\nb", "bidi": "a<U+202E>b", "no UTF-8": "a\\xffb"}


def test_a_name_does_nothing_to_the_terminal(desk: Desk, tmp_path: Path) -> None:
    for kind, name in HOSTILE.items():
        folder = tmp_path / name
        folder.mkdir()
        desk.repo.path = folder
        assert line(desk) == f"ok {SHOWN[kind]}"


GARBAGE = {
    "nothing": "",
    "no JSON": "{",
    "a list": "[]",
    "bytes": "\udcff\0",
    "other types": '{"cwd": 3, "workspace": []}',
    "a folder that is not there": '{"cwd": "/no/such/folder"}',
    "a folder that cannot be": '{"cwd": "a\\u0000b"}',
    "half a character": '{"cwd": "\\ud800"}',
    "far too much": '{"cwd": "' + "x" * 200_000 + '"}',
}


def test_garbage_on_standard_input_is_as_good_as_nothing(desk: Desk) -> None:
    for name, payload in GARBAGE.items():
        assert (name, line(desk, payload)) == (name, "ok repo | main")


STATES = [
    "",
    "reviewing",
    "reviewing x 9999999999",
    "reviewing 4 soon",
    "dancing 4 9999999999",
    "reviewed 1 2 3",
    "\xff",
]


def test_a_damaged_note_of_a_review_is_not_shown(desk: Desk) -> None:
    desk.review(TASK)
    for state in STATES:
        status_file(desk).write_bytes(state.encode("latin-1"))
        assert (state, line(desk)) == (state, "ok repo | main")


def test_without_a_home_or_a_head_there_is_still_a_line(desk: Desk) -> None:
    assert line(desk, HOME="", XDG_CACHE_HOME="") == "ok repo | main"
    head = desk.repo.path / ".git/HEAD"
    head.unlink()
    os.mkfifo(head)
    assert line(desk).startswith("ok repo")


def test_where_the_gate_is_installed_it_tells_whether_the_commit_was_reviewed(repo: Repo) -> None:
    repo.gate("install")
    desk = Desk(repo)
    assert line(desk, told(repo.path)) == "ok repo | main | not reviewed"
    repo.review()
    assert line(desk, told(repo.path)) == "ok repo | main | reviewed"
    repo.commit("broken", {"app.py": "print('hello'\n"})
    assert line(desk, told(repo.path)) == "ok repo | main | not reviewed"
    assert repo.gate("run", "--yes").returncode == 1
    assert line(desk, told(repo.path)) == "ok repo | main | review failed"
    repo.state_file.write_text("{")
    assert line(desk, told(repo.path)) == "ok repo | main | review state unreadable"


def test_where_nothing_is_to_be_pushed_no_review_is_missed(repo: Repo) -> None:
    repo.push("-u", "origin", "main")
    repo.gate("install")
    assert line(Desk(repo), told(repo.path)) == "ok repo | main"
