"""Commands and the disk: found tests are only offered, and a result is always of the reviewed commit."""

from __future__ import annotations

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from conftest import Repo
from running import MARK, configure, outcome, report_of, said, sh, times_run

TRAPS: dict[str, str | bytes] = {
    "conftest.py": "open('../canary-conftest', 'w')\n",
    "pytest.ini": "[pytest]\n",
    "Makefile": "$(shell touch ../canary-make)\ntest:\n\ttouch ../canary-target\n",
    "package.json": '{"scripts": {"test": "touch ../canary-npm", "pretest": "touch ../canary-npm"}}\n',
    "setup.py": "open('../canary-setup', 'w')\n",
    "sitecustomize.py": "open('../canary-site', 'w')\n",
    "review_gate.py": "open('../canary-shadow', 'w')\n",
    "json.py": "open('../canary-json', 'w')\n",
    "sh": "#!/bin/sh\ntouch ../canary-sh\n",
    "git": "#!/bin/sh\ntouch ../canary-git\n",
}


def canaries(repo: Repo) -> list[str]:
    return sorted(name for name in os.listdir(repo.path.parent) if name.startswith("canary"))


def test_a_plain_run_executes_nothing_of_the_repository(repo: Repo) -> None:
    repo.commit("traps", TRAPS)
    for name in ("sh", "git"):
        (repo.path / name).chmod(0o755)
    for options in (["--plan-only"], ["--yes"], ["--yes", "--isolate"], ["--yes", "--scope", "all"]):
        done = repo.gate("run", *options)
        assert done.returncode == 0, done.stderr
        assert "found pytest (pytest.ini), not run: accept it with --tests, or set test_command" in done.stdout
    assert canaries(repo) == []


def test_found_tests_run_when_the_option_or_the_configuration_accepts_them(repo: Repo) -> None:
    makefile = {"Makefile": f"test:\n\t@{MARK}\n"}
    repo.commit("tests", dict(makefile))
    report = report_of(repo, "--tests")
    assert (outcome(report, "tests")[0], times_run(repo)) == ("passed", 1)
    assert report["loops"][3]["note"] == "tests found in Makefile: make test"
    configure(repo, test_command="auto")
    assert (outcome(report_of(repo), "tests")[0], times_run(repo)) == ("passed", 2)
    configure(repo, test_command="off")
    assert report_of(repo, "--tests")["loops"][3]["status"] == "nothing_to_run"
    configure(repo, test_command=["sh", "-c", f"{MARK}; exit 1"])
    report = report_of(repo)
    assert (outcome(report, "tests")[0], report["loops"][3]["note"]) == (
        "failed",
        "test command from the configuration",
    )
    assert times_run(repo) == 3


# The disk and the commit.


def test_files_git_does_not_know_are_mentioned_where_commands_can_see_them(repo: Repo) -> None:
    configure(repo, sh("test -e stray"))
    repo.write("stray", "x")
    done = repo.gate("run", "--yes")
    assert "note: 1 file is not known to git; commands can see them, the commit does not have them\n" in done.stderr
    assert done.returncode == 0
    assert repo.gate("run", "--yes", "--isolate").returncode == 1


def test_isolated_commands_see_the_commit_and_the_checkout_is_gone_afterwards(repo: Repo) -> None:
    configure(repo, sh('pwd > "$OUT"; git rev-parse HEAD >> "$OUT"; cat app.py >> "$OUT"; touch junk; exit $CODE'))
    out = repo.path.parent / "out"
    committed = (repo.path / "app.py").read_text()
    repo.write("app.py", "dirty\n")
    for code in ("0", "1"):
        done = repo.gate("run", "--yes", "--isolate", OUT=str(out), CODE=code)
        assert done.returncode == int(code)
        assert "[temporary checkout]" in done.stderr
        folder, head, content = out.read_text().split("\n", 2)
        assert (head, content) == (repo.head, committed)
        assert folder != str(repo.path)
        assert not os.path.exists(os.path.dirname(folder))
        assert repo.git("worktree", "list").count("\n") == 0
    assert (repo.path / "app.py").read_text() == "dirty\n"
    assert not (repo.path / "junk").exists()


def test_staged_commands_see_the_index_and_not_the_disk(repo: Repo) -> None:
    configure(repo, sh("grep staged app.py"))
    repo.write("app.py", "staged = 1\n")
    repo.git("add", "app.py")
    repo.write("app.py", "disk = 1\n")
    assert outcome(report_of(repo, "--staged"))[0] == "passed"
    assert repo.git("worktree", "list").count("\n") == 0


SLOW = 'touch "$PLACE/begun"; while ! [ -e "$PLACE/go" ]; do sleep 0.01; done'


def report_while_committing(repo: Repo, *options: str) -> dict[str, Any]:
    """The report of a run during which somebody makes a commit: the command waits until that has happened."""
    place = repo.path.parent
    with ThreadPoolExecutor() as pool:
        running = pool.submit(report_of, repo, *options, PLACE=str(place))
        end = time.monotonic() + 60
        while not (place / "begun").exists() and time.monotonic() < end:
            time.sleep(0.01)
        repo.commit("meanwhile", {"meanwhile.py": "x = 1\n"})
        (place / "go").touch()
        return running.result()


def test_a_commit_made_while_a_command_runs_takes_no_part_in_the_result(repo: Repo) -> None:
    configure(repo, sh(SLOW))
    reviewed = repo.head
    report = report_while_committing(repo)
    moved = f"its result does not count: HEAD moved to {repo.head[:8]} while it ran"
    assert outcome(report) == ("could_not_run", moved, "incomplete")
    assert report["commit"] == reviewed != repo.head
    assert json.loads(repo.state_file.read_text())["head_commit"] == reviewed
    assert repo.git("for-each-ref", "--format=%(refname)", "refs/review-gate") == f"refs/review-gate/commits/{reviewed}"
    assert repo.gate("verify").returncode == 1


def test_an_isolated_command_does_not_mind_a_commit_made_meanwhile(repo: Repo) -> None:
    configure(repo, sh(SLOW))
    reviewed = repo.head
    report = report_while_committing(repo, "--isolate")
    assert (outcome(report)[0], report["commit"]) == ("passed", reviewed)
    assert repo.head != reviewed
    assert repo.gate("verify", reviewed).returncode == 0
    assert repo.gate("verify").returncode == 1


def test_a_command_that_changes_tracked_files_has_not_tested_the_commit(repo: Repo) -> None:
    configure(repo, sh("echo '# formatted' >> app.py"))
    assert outcome(report_of(repo)) == (
        "could_not_run",
        "1 file is no longer as committed, so it did not test what is reviewed",
        "incomplete",
    )


def test_a_configuration_on_disk_that_is_not_the_reviewed_one_is_said(repo: Repo) -> None:
    said = "note: .review-gate.yaml on disk, which decides how this review is made, is not the one under review\n"
    configure(repo)
    assert said not in repo.gate("run", "--plan-only").stdout
    repo.write(".review-gate.yaml", "hygiene: {enabled: false}\n")
    assert said in repo.gate("run", "--plan-only").stdout
    (repo.path / ".review-gate.yaml").unlink()
    assert said in repo.gate("run", "--plan-only").stdout


def test_a_run_in_which_nobody_looks_is_refused(repo: Repo) -> None:
    off = {"enabled": False}
    configure(repo, syntax=off, conflict_markers=off, hygiene=off, checks=off)
    assert said(repo.gate("run", "--yes")) == (
        1,
        "blocked: nobody would look at this change: every reviewer is switched off and no command is meant for it\n"
        "  why:   a reviewer that saw nothing has not voted\n"
        "  next:  switch one on, or add a command, in .review-gate.yaml (review-gate config show)\n",
    )


def test_the_state_file_stays_out_of_commits_without_any_installation(repo: Repo) -> None:
    repo.review()
    assert repo.git("status", "--porcelain") == ""
    repo.git("add", "--force", str(repo.state_file))
    repo.git("commit", "--quiet", "-m", "by force")
    state = ".claude/skills/code-review/loop-state.json"
    said = f"note: {state} is committed, and this run changes it: git rm --cached {state}\n"
    assert said in repo.gate("run", "--plan-only").stdout
