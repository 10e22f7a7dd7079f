"""review-gate run: what is previewed and asked, which loops run, and how staged content is reviewed."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
from typing import Any

import pytest
from conftest import TIMEOUT, MakeRepo, Repo
from running import hide_state, nothing_recorded, plan_of, refusal, report_of, statuses


def kept(report: dict[str, Any]) -> list[int]:
    return [loop["loop"] for loop in report["loops"] if loop["kept"]]


# The preview, the question and the answer.

PREVIEW = """\
review of commit {head} against the empty tree (4b825dc6)
scope: changed files, 2 changed: app.py, tox.ini
loop 1  compilation + basic checks
  syntax: Python, JSON, YAML and TOML files parse [git objects]
  conflict-markers: no merge conflict was committed [git objects]
  hygiene: no hidden characters; files can be read and are not too large [git objects]
loop 2  standards compliance
  checks: added lines and messages keep to the checks of this project, its user and the chosen packs [git objects]
  build-reviewer: all files, by 9 patterns, because of every change [git objects, optional]
  test-reviewer: all files, by 4 patterns, because of files in source, medium risk (30) [git objects, optional]
loop 3  security + performance
  security-checks: added lines and messages hold no secret, no dangerous call, nothing aimed at reviewers [git objects]
  security-reviewer: all files, by 4 patterns, because of every change, files in ci [git objects, optional]
loop 4  integration + e2e (nothing to run; found pytest (tox.ini), not run: accept it with --tests, or set test_command)
change: a small change of type feature; domains: ci (1), configuration (1), source (1)
risk: medium (30 of 100): 1 file in ci (+25), 1 file in configuration (+5)
not design-auditor: not files in ui
not performance-reviewer: not files in database, nor files in api, nor files in background-work, nor files in data-and-ml, nor files in ui, nor high risk
not finance-sme: not files in finance
models: none is asked (anthropic: ANTHROPIC_API_KEY is not set; claude: claude is not on PATH; codex: codex is not on PATH; gemini: gemini is not on PATH)
estimate: no earlier run to judge by
"""  # noqa: E501 - as it is printed


def test_plan_only_shows_the_preview_and_runs_and_records_nothing(repo: Repo) -> None:
    repo.commit("second", {"tox.ini": "[pytest]\n"})
    done = repo.gate("run", "--plan-only")
    assert (done.returncode, done.stderr, done.stdout) == (0, "", PREVIEW.format(head=repo.head[:8]))
    repo.commit("third", {".review-gate.yaml": "commands:\n  - {name: mark, run: [touch, canary]}\n"})
    plan = plan_of(repo)
    assert [one["id"] for one in plan["loops"][0]["reviewers"]] == ["syntax", "conflict-markers", "hygiene", "mark"]
    assert not (repo.path / "canary").exists()
    assert nothing_recorded(repo)


def test_a_plan_has_no_form_for_findings(repo: Repo) -> None:
    for form in ("sarif", "junit", "github", "markdown", "html"):
        assert refusal(repo.gate("run", "--plan-only", "--format", form)) == (
            2,
            f"error: --plan-only has no form for --format {form}\n"
            "  why:   a plan has no findings yet, and an empty report would look like a passed review\n"
            "  next:  review-gate run --plan-only --format json",
        )


def test_an_incomplete_run_does_not_boast_of_an_earlier_approval(repo: Repo) -> None:
    hide_state(repo)
    config = {"commands": [{"name": "check", "loop": 2, "run": ["sh", "-c", "[ ! -e ../gone ] || kill -KILL $$"]}]}
    repo.commit("second", {".review-gate.yaml": json.dumps(config)})
    repo.review()
    (repo.path / "../gone").touch()
    done = repo.gate("run", "--yes")
    assert (done.returncode, done.stdout.splitlines()[-2:]) == (
        1,
        [
            "2 files changed; no findings; verdict: incomplete",
            f"ship: approved by an earlier review, not by this run (Commit {repo.head[:8]} passed its review.)",
        ],
    )


# A shell's background job ignores interrupts, and nohup hangups, and so does what they start; a terminal does not.
LOGIN = """
import os, signal, sys
os.login_tty(0)
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)
os.execvp("review-gate", ["review-gate", "run", *sys.argv[1:]])
"""


def on_terminal(repo: Repo, answer: bytes | signal.Signals, *options: str) -> tuple[int, str]:
    """Exit code and screen of a run on a terminal of its own, where the question is answered with keys or a signal."""
    ours, theirs = pty.openpty()
    argv = [sys.executable, "-IS", "-c", LOGIN, *options]
    child = subprocess.Popen(argv, cwd=repo.path, env=repo.environ | {"TERM": "dumb"}, stdin=theirs)
    os.close(theirs)
    screen = b""
    try:
        while piece := _read(ours):
            screen += piece
            if answer and b"Proceed with review?" in screen:
                os.write(ours, answer) if isinstance(answer, bytes) else child.send_signal(answer)
                answer = b""
        return child.wait(TIMEOUT), screen.decode().replace("\r\n", "\n")
    finally:
        child.kill()
        child.wait()
        os.close(ours)


def _read(terminal: int) -> bytes:
    assert select.select([terminal], [], [], TIMEOUT)[0], "nothing more appears on the terminal"
    try:
        return os.read(terminal, 4096)
    except OSError:
        # Linux: the last one on the other side of a terminal has left.
        return b""


def test_on_a_terminal_yes_starts_the_review(repo: Repo) -> None:
    code, screen = on_terminal(repo, b" Y \n")
    assert code == 0
    assert "Proceed with review? (yes/no) " in screen
    assert "ship: approved" in screen
    assert not nothing_recorded(repo)


@pytest.mark.parametrize("answer", [b"no\n", b"tests\n", b"\x04"], ids=["no", "tests", "^D"])
def test_on_a_terminal_anything_but_yes_starts_nothing(repo: Repo, answer: bytes) -> None:
    code, screen = on_terminal(repo, answer)
    assert code == 1
    assert "blocked: the review was not started\n  why:   the answer was not yes\n  next:  review-gate run\n" in screen
    assert nothing_recorded(repo)


@pytest.mark.parametrize("answer", [b"\x03", signal.SIGHUP], ids=["^C", "SIGHUP"])
def test_on_a_terminal_an_interrupt_at_the_question_ends_with_130(repo: Repo, answer: bytes | signal.Signals) -> None:
    code, screen = on_terminal(repo, answer)
    assert code == 130
    assert "interrupted: nothing was recorded" in screen
    assert "Traceback" not in screen
    assert nothing_recorded(repo)


def test_on_a_terminal_found_tests_run_when_they_are_accepted(repo: Repo) -> None:
    repo.commit("second", {"Makefile": "test:\n\t@touch ../canary\n"})
    code, screen = on_terminal(repo, b"tests\n")
    assert "Proceed with review? (yes/no/tests) " in screen
    assert code == 0
    assert (repo.path / "../canary").exists()
    assert "loop 4  pass: tests (tests found in Makefile: make test)" in screen
    second = screen.partition("Proceed with review?")[2]
    assert "loop 4  integration + e2e (tests found in Makefile: make test)\n  tests: make test [work tree]\n" in second
    assert "Proceed" not in second


# Some of the loops.


@pytest.mark.parametrize("text", ["", "1,9", "1_0"])
def test_what_is_no_list_of_loops_is_refused(repo: Repo, text: str) -> None:
    assert refusal(repo.gate("run", "--yes", f"--loops={text}")) == (
        2,
        f"error: --loops {text!r} is not a list of loops\n"
        "  why:   there are four of them, 1 to 4\n"
        "  next:  review-gate run --loops 1,2",
    )


def test_results_are_kept_only_for_the_same_commit_base_and_policy(repo: Repo) -> None:
    hide_state(repo)
    repo.commit("second", {".review-gate.yaml": "commands:\n  - {name: fine, loop: 2, run: ['true']}\n"})
    repo.review()
    again = report_of(repo, "--loops", "1")
    assert (kept(again), statuses(again)[1]) == ([2, 3, 4], "passed")
    assert kept(report_of(repo, "--loops", "1", "--base", "HEAD~1")) == []
    repo.commit(
        "policy", {".review-gate.yaml": "commands:\n  - {name: fine, loop: 2, run: ['true', 'x']}\n"}, "--amend"
    )
    assert kept(report_of(repo, "--loops", "1")) == []
    repo.review()
    (repo.path / ".review-gate.yaml").write_text("commands: []\n")
    changed = report_of(repo, "--loops", "1")
    assert (kept(changed), changed["decision"]["reason"]) == ([], "incomplete")


def test_a_kept_failure_stays_a_failure_until_its_loop_runs_again(repo: Repo) -> None:
    repo.commit("second", {".review-gate.yaml": "commands:\n  - {name: gate, loop: 2, run: [test, -e, .git/open]}\n"})
    assert statuses(report_of(repo)) == ["passed", "failed", "not_run", "not_run"]
    partial = report_of(repo, "--loops", "1,3,4")
    assert (statuses(partial), kept(partial)) == (["passed", "failed", "passed", "nothing_to_run"], [2])
    assert partial["decision"]["reason"] == "failed"
    (repo.path / ".git/open").touch()
    last = report_of(repo, "--loops", "2")
    assert (statuses(last)[1], kept(last), last["decision"]["allowed"]) == ("passed", [1, 3, 4], True)


# Staged content.


def test_before_the_first_commit_the_index_can_be_reviewed_already(make_repo: MakeRepo) -> None:
    repo = make_repo("unborn")
    repo.write("app.py", "x = 1\n")
    repo.git("add", "app.py")
    repo.review("--staged")
    repo.git("commit", "--quiet", "-m", "first")
    assert repo.gate("verify").returncode == 0


def test_an_index_that_is_no_tree_or_holds_nothing_new_is_refused(repo: Repo) -> None:
    assert refusal(repo.gate("run", "--yes", "--staged")) == (
        1,
        "blocked: nothing to review: nothing is staged\n"
        "  why:   an empty change is not a passed review\n"
        "  next:  git add, then review-gate run --staged",
    )
    repo.git("switch", "--quiet", "--create", "other")
    repo.commit("theirs", {"app.py": "theirs\n"})
    repo.git("switch", "--quiet", "main")
    repo.commit("ours", {"app.py": "ours\n"})
    assert repo.run("git", "merge", "other").returncode == 1
    code, text = refusal(repo.gate("run", "--yes", "--staged"))
    assert code == 2
    assert text.startswith("error: the index cannot be reviewed: ")
    assert text.endswith("  next:  resolve them and git add, then review-gate run --staged")


@pytest.mark.parametrize("other", [["--base", "HEAD"], ["--scope", "all"]], ids=["base", "scope"])
def test_staged_goes_with_no_other_subject(repo: Repo, other: list[str]) -> None:
    code, text = refusal(repo.gate("run", "--yes", "--staged", *other))
    assert code == 2
    assert text.startswith("error: --staged reviews the index against HEAD")
