"""What a run remembers of earlier reviews of the same content, and what it never hides."""

from __future__ import annotations

import json
import threading

from conftest import Repo
from running import configure, report_of, sh, statuses, written_numbers

from review_gate.shell.ledger_entry import WHOLE_REVIEWS


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


def test_a_loop_that_could_not_finish_elsewhere_does_not_hold_this_one_back(repo: Repo) -> None:
    tool = repo.path.parent / "tool"
    configure(repo, {"name": "check", "run": [str(tool)], "loop": 4, "when_changed": ["*.t"]}, files={"a.t": "x\n"})
    repo.commit("more", {"b.py": "b = 1\n"})
    assert statuses(report_of(repo, "--scope", "all"))[3] == "incomplete"
    assert statuses(report_of(repo, "--base", "HEAD~1"))[3] == "nothing_to_run"


def test_the_worst_findings_of_a_loop_are_the_ones_that_are_kept(repo: Repo) -> None:
    flood = {"findings": "pattern", "pattern": "(?P<message>note .*)", "severity": "warning", "loop": 2}
    configure(repo, sh("seq -f 'note %g' 250", **flood), sh("exit 1", loop=2) | {"name": "strict"})
    assert report_of(repo, "--loops", "2")["counts"]["major"] == 1
    report = report_of(repo, "--loops", "1")
    assert (report["loops"][1]["kept"], report["counts"]["major"], report["verdict"]) == (True, 1, "needs_fixes")


def test_loops_in_which_nobody_looked_do_not_add_up_to_a_review(repo: Repo) -> None:
    off = {"enabled": False}
    configure(repo, syntax=off, conflict_markers=off, hygiene=off, checks=off)
    assert repo.gate("run", "--yes", "--loops", "1").returncode == 0
    report = report_of(repo, "--loops", "2,3,4")
    assert statuses(report) == ["nothing_to_run"] * 4
    assert (report["ship_allowed"], report["decision"]["reason"]) == (False, "incomplete")
    assert repo.gate("verify").returncode == 1


def test_another_reviewer_s_pass_in_the_same_loop_does_not_end_a_failure(repo: Repo) -> None:
    configure(repo, {"name": "e2e", "loop": 4, "run": ["true"]}, files={"Makefile": "test:\n\tfalse\n"})
    assert not report_of(repo, "--tests")["ship_allowed"]
    report = report_of(repo)
    assert (statuses(report)[3], report["decision"]["reason"]) == ("failed", "failed")
    assert report["loops"][3]["note"].endswith("; failed earlier and did not run since: tests")
    assert [(one["id"], one["status"], one["is_kept"]) for one in report["loops"][3]["reviewers"]] == [
        ("e2e", "passed", False),
        ("tests", "failed", True),
    ]
    repo.write("Makefile", "test:\n\ttrue\n")
    repo.git("commit", "--quiet", "--all", "-m", "mended")
    assert report_of(repo)["ship_allowed"], "another content, another story"


def test_a_command_that_is_left_out_against_another_base_still_fails(repo: Repo) -> None:
    check = sh("! grep BAD notes.txt", loop=1, when_changed=["*.py"])
    configure(repo, check, files={"notes.txt": "fine\n", "b.py": "b = 1\n"})
    repo.review()
    repo.commit("notes", {"notes.txt": "BAD\n"})
    assert not report_of(repo)["ship_allowed"]
    assert statuses(report_of(repo, "--base", "HEAD~1"))[0] == "failed"
    assert repo.gate("verify").returncode == 1


def test_a_run_that_ends_last_does_not_hide_what_another_one_found_meanwhile(repo: Repo) -> None:
    wait = 'test -z "$WAIT" || { echo 1 > ../waits; while ! test -e ../go; do sleep 0.01; done; }'
    configure(repo, sh(wait, name="slow", loop=2), sh("! test -e ../broken", loop=4))
    assert report_of(repo)["ship_allowed"]
    reports = []
    slow = threading.Thread(target=lambda: reports.append(report_of(repo, "--loops", "2", WAIT="yes")))
    slow.start()
    written_numbers(repo.path.parent / "waits", 1)
    repo.write("../broken", "")
    assert not report_of(repo, "--loops", "4")["ship_allowed"]
    repo.write("../go", "")
    slow.join()
    assert (statuses(reports[0])[3], reports[0]["decision"]["reason"]) == ("failed", "failed")
    assert repo.gate("verify").returncode == 1


def test_a_failure_outlives_the_record_that_it_was_found_in(repo: Repo) -> None:
    repo.commit("tests", {"Makefile": "test:\n\tfalse\n"})
    report_of(repo, "--tests")
    report_of(repo)
    for ref in repo.git("for-each-ref", "--format=%(refname)", "refs/review-gate").split():
        document = json.loads(repo.git("cat-file", "blob", ref))
        del document["reviews"][0]
        done = repo.run("git", "hash-object", "-w", "--stdin", stdin=json.dumps(document))
        repo.git("update-ref", ref, done.stdout.strip())
    assert statuses(report_of(repo))[3] == "failed"
    assert repo.gate("verify").returncode == 1


def test_a_failure_comes_back_with_its_content(repo: Repo) -> None:
    repo.commit("tests", {"Makefile": "test:\n\tfalse\n"})
    assert not report_of(repo, "--tests")["ship_allowed"]
    repo.git("commit", "--quiet", "--amend", "-m", "other words")
    assert statuses(report_of(repo))[3] == "failed"
    repo.git("reset", "--quiet", "--soft", "HEAD~1")
    assert statuses(report_of(repo, "--staged"))[3] == "failed"
    repo.git("commit", "--quiet", "-m", "yet other words")
    assert repo.gate("verify").returncode == 1
    report = report_of(repo, "--loops", "1")
    assert statuses(report)[1:3] == ["not_run", "not_run"], "a pass is kept for the same commit only"


def test_a_failure_closes_the_gate_for_every_commit_of_the_content(repo: Repo) -> None:
    repo.review()
    repo.write("Makefile", "test:\n\tfalse\n")
    repo.git("add", "Makefile")
    repo.review("--staged")
    repo.git("commit", "--quiet", "-m", "tests")
    first = repo.head
    assert repo.gate("verify").returncode == 0
    assert not report_of(repo, "--tests")["ship_allowed"]
    repo.git("commit", "--quiet", "--amend", "-m", "other words")
    for commit in ("HEAD", first):
        answer = json.loads(repo.gate("verify", commit, "--format", "json").stdout)
        assert (answer["allowed"], answer["reason"]) == (False, "failed")


def test_nothing_is_reviewed_where_there_is_no_commit_above_the_base(repo: Repo) -> None:
    repo.git("push", "--quiet", "--set-upstream", "origin", "main")
    done = repo.gate("run", "--yes", "--allow-empty")
    assert done.returncode == 1
    assert "blocked: nothing to review: refs/remotes/origin/main already has HEAD\n" in done.stderr
