"""Commands and the disk: found tests are only offered, and a result is always of the reviewed commit."""

from __future__ import annotations

import json
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from conftest import Repo
from running import MARK, PATIENCE, configure, outcome, report_of, said, sh, statuses, times_run

from review_gate.shell.ledger_entry import WHOLE_REVIEWS

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


def test_a_modified_file_is_refused_where_commands_run_and_only_there(repo: Repo) -> None:
    configure(repo, sh(MARK, loop=2))
    repo.write("app.py", "print('changed')\n")
    assert said(repo.gate("run", "--yes")) == (
        1,
        "blocked: 1 file is modified in the work tree, and the plan runs commands there\n"
        "  why:   the commands would test the disk, and the result would be recorded for the commit\n"
        "  next:  review-gate run --isolate (a temporary checkout of HEAD), or --staged, or commit first\n",
    )
    assert times_run(repo) == 0
    done = repo.gate("run", "--yes", "--loops", "1")
    assert done.returncode == 0
    assert done.stderr.endswith(
        "note: 1 file is modified in the work tree; the review is of the commit, not of the disk\n"
    )


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
    configure(repo, syntax=off, conflict_markers=off, hygiene=off)
    assert said(repo.gate("run", "--yes")) == (
        1,
        "blocked: nobody would look at this change: every reviewer is switched off and no command is meant for it\n"
        "  why:   a reviewer that saw nothing has not voted\n"
        "  next:  switch one on, or add a command, in .review-gate.yaml (review-gate config show)\n",
    )


def test_a_failure_is_not_hidden_by_a_review_against_another_base_nor_by_many_of_them(repo: Repo) -> None:
    repo.commit("tests", {"Makefile": "test:\n\tfalse\n"})
    repo.commit("more", {"b.py": "b = 1\n"})
    assert report_of(repo, "--tests", "--base", "HEAD~1")["decision"]["reason"] == "failed"
    for _ in range(WHOLE_REVIEWS + 2):
        report = report_of(repo, "--scope", "all")
        assert (statuses(report)[3], report["ship_allowed"]) == ("failed", False)
    report = report_of(repo, "--base", "HEAD~1")
    assert statuses(report)[3] == "failed"
    assert report["decision"]["message"].startswith("Loop 4 failed: tests: exit code ")
    assert repo.gate("verify").returncode == 1


def test_a_loop_that_is_not_asked_for_keeps_the_newest_real_result_of_this_content(repo: Repo) -> None:
    configure(repo, sh('exit "$CODE"', loop=4))
    repo.commit("more", {"b.py": "b = 1\n"})
    assert report_of(repo, CODE="0")["ship_allowed"]
    assert not report_of(repo, "--base", "HEAD~1", CODE="1")["ship_allowed"]
    report = report_of(repo, "--loops", "1", CODE="0")
    assert (statuses(report)[3], report["ship_allowed"]) == ("failed", False)
    assert report_of(repo, "--base", "HEAD~1", CODE="0")["loops"][3]["status"] == "passed"
    assert statuses(report_of(repo, "--loops", "1", CODE="0"))[3] in ("passed", "not_run")
    assert report_of(repo, CODE="0")["ship_allowed"]


def test_a_failed_staged_review_is_not_hidden_by_a_run_on_the_commit_without_the_tests(repo: Repo) -> None:
    repo.commit("tests", {"Makefile": "test:\n\tfalse\n"})
    repo.write("c.py", "c = 1\n")
    repo.git("add", "c.py")
    assert repo.gate("run", "--yes", "--staged", "--tests").returncode == 1
    repo.git("commit", "--quiet", "-m", "staged")
    assert (statuses(report_of(repo))[3], repo.gate("verify").returncode) == ("failed", 1)


def test_a_loop_that_could_not_finish_elsewhere_does_not_hold_this_one_back(repo: Repo) -> None:
    tool = repo.path.parent / "tool"
    configure(repo, {"name": "check", "run": [str(tool)], "loop": 4, "when_changed": ["*.t"]}, files={"a.t": "x\n"})
    repo.commit("more", {"b.py": "b = 1\n"})
    assert statuses(report_of(repo, "--scope", "all"))[3] == "incomplete"
    assert statuses(report_of(repo, "--base", "HEAD~1"))[3] == "nothing_to_run"


def test_an_isolated_run_forgets_no_work_tree_that_is_away(repo: Repo, tmp_path: Path) -> None:
    configure(repo, sh("true"))
    repo.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "disk"))
    (tmp_path / "disk").rename(tmp_path / "away")
    repo.review("--isolate")
    (tmp_path / "away").rename(tmp_path / "disk")
    assert Repo(tmp_path / "disk", repo.environ).git("status", "--porcelain") == ""


def test_the_loop_that_failed_is_named_and_not_one_that_never_ran(repo: Repo) -> None:
    configure(repo, sh('exit "$CODE"', loop=3))
    report = report_of(repo, "--loops", "3", CODE="1")
    assert report["decision"]["message"].startswith("Loop 3 failed: check: exit code 1")
    report = report_of(repo, "--loops", "3", CODE="0")
    assert (report["decision"]["reason"], report["decision"]["message"]) == (
        "incomplete",
        "Loop 1 has no result. Re-run /review.",
    )


def test_the_worst_findings_of_a_loop_are_the_ones_that_are_kept(repo: Repo) -> None:
    flood = {"findings": "pattern", "pattern": "(?P<message>note .*)", "severity": "warning", "loop": 2}
    configure(repo, sh("seq -f 'note %g' 250", **flood), sh("exit 1", loop=2) | {"name": "strict"})
    assert report_of(repo, "--loops", "2")["counts"]["major"] == 1
    report = report_of(repo, "--loops", "1")
    assert (report["loops"][1]["kept"], report["counts"]["major"], report["verdict"]) == (True, 1, "needs_fixes")


def test_loops_in_which_nobody_looked_do_not_add_up_to_a_review(repo: Repo) -> None:
    off = {"enabled": False}
    configure(repo, syntax=off, conflict_markers=off, hygiene=off)
    assert repo.gate("run", "--yes", "--loops", "1").returncode == 0
    report = report_of(repo, "--loops", "2,3,4")
    assert statuses(report) == ["nothing_to_run"] * 4
    assert (report["ship_allowed"], report["decision"]["reason"]) == (False, "incomplete")
    assert repo.gate("verify").returncode == 1


def test_a_checkout_that_a_killed_run_left_is_cleared_away_by_the_next(repo: Repo, tmp_path: Path) -> None:
    configure(repo, sh('pwd > "$OUT"; echo $PPID >> "$OUT"; test -z "$WAIT" || sleep 60'))
    out, temporary = tmp_path / "out", tmp_path / "tmp"
    temporary.mkdir()
    environ = repo.environ | {"OUT": str(out), "WAIT": "yes", "TMPDIR": str(temporary)}
    argv = ["review-gate", "run", "--yes", "--isolate"]
    with subprocess.Popen(argv, cwd=repo.path, env=environ, stderr=subprocess.DEVNULL) as run:
        end = time.monotonic() + PATIENCE
        while not out.exists() or out.read_text().count("\n") < 2:
            assert time.monotonic() < end
            time.sleep(0.02)
        run.kill()
    left = Path(out.read_text().split("\n")[0])
    assert left.is_dir()
    assert repo.gate("run", "--yes", "--isolate", OUT=str(out), WAIT="", TMPDIR=str(temporary)).returncode == 0
    assert list(temporary.iterdir()) == []
    assert repo.git("worktree", "list").count("\n") == 0


def test_nothing_but_our_own_checkouts_is_ever_cleared_away(repo: Repo, tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    shop = Repo(temporary / "review-gate-4000000-shop" / "checkout", repo.environ)
    shop.path.parent.mkdir(parents=True)
    repo.git("clone", "--quiet", str(repo.path), str(shop.path))
    configure(shop, sh("true"))
    linked = temporary / "review-gate-4000001-linked" / "checkout"
    shop.git("worktree", "add", "--quiet", "--detach", str(linked))
    (temporary / "review-gate-4000002-notes").mkdir()
    (temporary / "review-gate-4000003-other").mkdir()
    (temporary / "review-gate-4000003-other/.review-gate-owner").write_text("4000003 \n/another/repository/.git")
    before = sorted(temporary.rglob("*"))
    assert shop.gate("run", "--yes", "--isolate", TMPDIR=str(temporary)).returncode == 0
    left = set(before) - set(temporary.rglob("*"))
    assert left == set()
    assert linked.is_dir()


def test_the_state_file_stays_out_of_commits_without_any_installation(repo: Repo) -> None:
    repo.review()
    assert repo.git("status", "--porcelain") == ""
    repo.git("add", "--force", str(repo.state_file))
    repo.git("commit", "--quiet", "-m", "by force")
    state = ".claude/skills/code-review/loop-state.json"
    said = f"note: {state} is committed, and this run changes it: git rm --cached {state}\n"
    assert said in repo.gate("run", "--plan-only").stdout


def test_a_run_without_the_tests_does_not_hide_that_they_failed(repo: Repo) -> None:
    repo.commit("tests", {"Makefile": "test:\n\tfalse\n"})
    assert report_of(repo, "--tests")["decision"]["reason"] == "failed"
    report = report_of(repo)
    assert (report["loops"][3]["status"], report["loops"][3]["kept"]) == ("failed", True)
    assert report["decision"]["reason"] == "failed"
