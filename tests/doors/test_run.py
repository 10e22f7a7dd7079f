"""review-gate run: what is previewed, asked, reviewed against which base, recorded and reported."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from conftest import TIMEOUT, MakeRepo, Repo, Result

from review_gate.gate.record import EMPTY_TREES
from review_gate.gate.state_view import OUR_FIELDS, SEED_FIELDS

EMPTY = EMPTY_TREES[0]
BROKEN = "def broken(:\n"
FAILING = "commands:\n  - {name: %s, loop: %d, run: [sh, -c, 'exit 1']}\n"


def plan_of(repo: Repo, *options: str) -> dict[str, Any]:
    done = repo.gate("run", "--plan-only", "--format", "json", *options)
    assert done.returncode == 0, done.stderr
    plan: dict[str, Any] = json.loads(done.stdout)
    return plan


def base_of(repo: Repo, *options: str) -> tuple[str, str]:
    subject = plan_of(repo, *options)["subject"]
    return subject["base"], subject["base_label"]


def report_of(repo: Repo, *options: str) -> dict[str, Any]:
    done = repo.gate("run", "--yes", "--format", "json", *options)
    assert done.returncode in (0, 1), done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def statuses(report: dict[str, Any]) -> list[str]:
    return [loop["status"] for loop in report["loops"]]


def kept(report: dict[str, Any]) -> list[int]:
    return [loop["loop"] for loop in report["loops"] if loop["kept"]]


def publish(repo: Repo, branch: str = "main") -> str:
    """Push HEAD past any gate, with an upstream; its id."""
    repo.git("push", "--quiet", "--no-verify", "--set-upstream", "origin", f"HEAD:refs/heads/{branch}")
    return repo.head


def was_recorded(repo: Repo) -> bool:
    return bool(repo.git("for-each-ref", "refs/review-gate")) or repo.state_file.exists()


def refusal(done: Result) -> tuple[int, str]:
    """Exit code and the last three lines of standard error, where a refusal stands."""
    assert "Traceback" not in done.stderr
    return done.returncode, "\n".join(done.stderr.splitlines()[-3:])


# The preview, the question and the answer.

PREVIEW = """\
review of commit {head} against the empty tree (4b825dc6)
scope: changed files, 2 changed: app.py, tox.ini
loop 1  compilation + basic checks
  syntax: Python, JSON, YAML and TOML files parse [git objects]
  conflict-markers: no merge conflict was committed [git objects]
  hygiene: no hidden characters; files can be read and are not too large [git objects]
loop 2  standards compliance (nothing to run)
loop 3  security + performance (nothing to run)
loop 4  integration + e2e (nothing to run; found pytest (tox.ini), not run: accept it with --tests, or set test_command)
estimate: no earlier run to judge by
"""
SUMMARY = """\
loop 1  pass: syntax, conflict-markers, hygiene
loop 2  pass (nothing to run)
loop 3  pass (nothing to run)
loop 4  pass (nothing to run; found pytest (tox.ini), not run: accept it with --tests, or set test_command)
2 files reviewed; no findings; verdict: pass
ship: approved (Commit {head} passed its review.)
"""


def test_preview_goes_to_standard_error_and_the_result_to_standard_output(repo: Repo) -> None:
    repo.commit("second", {"tox.ini": "[pytest]\n"})
    preview, summary = (text.format(head=repo.head[:8]) for text in (PREVIEW, SUMMARY))
    done = repo.gate("run", "--yes")
    assert (done.returncode, done.stderr, done.stdout) == (0, preview, summary)


def test_plan_only_shows_the_preview_and_runs_and_records_nothing(repo: Repo) -> None:
    repo.commit("second", {"tox.ini": "[pytest]\n"})
    done = repo.gate("run", "--plan-only")
    assert (done.returncode, done.stderr, done.stdout) == (0, "", PREVIEW.format(head=repo.head[:8]))
    repo.commit("third", {".review-gate.yaml": "commands:\n  - {name: mark, run: [touch, canary]}\n"})
    plan = plan_of(repo)
    assert [one["id"] for one in plan["loops"][0]["reviewers"]] == ["syntax", "conflict-markers", "hygiene", "mark"]
    assert not (repo.path / "canary").exists()
    assert not was_recorded(repo)


def test_without_a_terminal_and_without_yes_nothing_starts(repo: Repo) -> None:
    done = repo.gate("run")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "error: the review was not confirmed\n"
        "  why:   there is no terminal to ask on, and --yes was not given\n"
        "  next:  review-gate run --yes, or --plan-only to see what it would do\n"
    )
    assert not was_recorded(repo)


def on_terminal(repo: Repo, answer: bytes, *options: str) -> tuple[int, str]:
    """Exit code and screen of a run on a terminal of its own, where the question is answered with these keys."""
    ours, theirs = pty.openpty()
    login = "import os, sys; os.login_tty(0); os.execvp('review-gate', ['review-gate', 'run', *sys.argv[1:]])"
    argv = [sys.executable, "-c", login, *options]
    child = subprocess.Popen(argv, cwd=repo.path, env=repo.environ | {"TERM": "dumb"}, stdin=theirs)
    os.close(theirs)
    screen = b""
    try:
        while piece := _read(ours):
            screen += piece
            if answer and b"Proceed with review?" in screen:
                os.write(ours, answer)
                answer = b""
        return child.wait(TIMEOUT), screen.decode().replace("\r\n", "\n")
    finally:
        child.kill()
        child.wait()
        os.close(ours)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:
        # Linux: the last one on the other side of a terminal has left.
        return b""


def test_on_a_terminal_yes_starts_the_review(repo: Repo) -> None:
    for answer in (b"yes\n", b" Y \n"):
        code, screen = on_terminal(repo, answer)
        assert code == 0
        assert "Proceed with review? (yes/no) " in screen
        assert "ship: approved" in screen
        assert was_recorded(repo)


@pytest.mark.parametrize(
    "answer", [b"no\n", b"\n", b"maybe\n", b"tests\n", b"\x04"], ids=["no", "", "?", "tests", "^D"]
)
def test_on_a_terminal_anything_but_yes_starts_nothing(repo: Repo, answer: bytes) -> None:
    code, screen = on_terminal(repo, answer)
    assert code == 1
    assert "blocked: the review was not started\n  why:   the answer was not yes\n  next:  review-gate run\n" in screen
    assert not was_recorded(repo)


def test_on_a_terminal_ctrl_c_at_the_question_ends_with_130(repo: Repo) -> None:
    code, screen = on_terminal(repo, b"\x03")
    assert code == 130
    assert "interrupted: nothing was recorded" in screen
    assert "Traceback" not in screen
    assert not was_recorded(repo)


def test_on_a_terminal_found_tests_run_when_they_are_accepted(repo: Repo) -> None:
    repo.commit("second", {"Makefile": "test:\n\t@touch ../canary\n"})
    code, screen = on_terminal(repo, b"tests\n")
    assert "Proceed with review? (yes/no/tests) " in screen
    assert code == 0
    assert (repo.path / "../canary").exists()
    assert "loop 4  pass: tests (tests found in Makefile: make test)" in screen


def test_on_a_terminal_yes_does_not_ask(repo: Repo) -> None:
    code, screen = on_terminal(repo, b"", "--yes")
    assert code == 0
    assert "Proceed" not in screen


# What is reviewed: the base.


def test_before_the_first_push_everything_is_reviewed(repo: Repo) -> None:
    assert base_of(repo) == (EMPTY, "the empty tree")


def test_the_base_is_what_the_upstream_has(repo: Repo) -> None:
    first = publish(repo)
    repo.commit("second")
    repo.commit("third")
    assert base_of(repo) == (first, "refs/remotes/origin/main")


def test_without_an_upstream_the_base_is_what_the_remote_s_default_branch_has(repo: Repo) -> None:
    first = publish(repo, "stable")
    repo.commit("second")
    publish(repo, "other")
    repo.git("fetch", "--quiet")
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/stable")
    repo.git("switch", "--quiet", "--create", "feature", "--no-track", first)
    repo.commit("mine")
    assert base_of(repo) == (first, "refs/remotes/origin/stable")


def test_the_base_of_a_rebased_branch_is_the_newer_of_upstream_and_default_branch(repo: Repo) -> None:
    publish(repo)
    repo.git("switch", "--quiet", "--create", "feature")
    repo.commit("mine", {"mine.txt": "mine\n"})
    publish(repo, "feature")
    repo.git("switch", "--quiet", "main")
    newest = repo.commit("theirs", {"theirs.txt": "theirs\n"})
    publish(repo)
    repo.git("switch", "--quiet", "feature")
    repo.git("rebase", "--quiet", "main")
    assert base_of(repo) == (newest, "refs/remotes/origin/main")
    assert plan_of(repo)["files"] == ["mine.txt"]


def test_an_upstream_that_is_gone_or_local_is_no_base(repo: Repo) -> None:
    first = publish(repo)
    repo.commit("not pushed yet")
    repo.git("switch", "--quiet", "--create", "feature", "--track", "main")
    repo.commit("mine")
    assert base_of(repo) == (first, "refs/remotes/origin/main")
    repo.git("branch", "--set-upstream-to", "origin/main")
    repo.git("config", "branch.feature.merge", "refs/heads/deleted")
    assert base_of(repo) == (first, "refs/remotes/origin/main")


@pytest.mark.parametrize("kind", ["branch", "tag"])
def test_a_local_name_cannot_stand_in_for_the_remote_s(repo: Repo, kind: str) -> None:
    first = publish(repo)
    repo.commit("second")
    for name in ("origin/main", "remotes/origin/main", "refs/remotes/origin/main"):
        repo.git(kind, name, "HEAD")
    assert base_of(repo) == (first, "refs/remotes/origin/main")


def test_a_detached_head_is_reviewed_against_the_default_branch(repo: Repo) -> None:
    first = publish(repo)
    repo.commit("second")
    repo.git("checkout", "--quiet", "--detach")
    assert base_of(repo) == (first, "refs/remotes/origin/main")
    assert report_of(repo)["decision"]["allowed"]


def test_a_named_base_is_taken_at_its_merge_base(repo: Repo) -> None:
    first = repo.head
    repo.commit("side", {"side.txt": "x\n"})
    repo.git("branch", "side")
    repo.git("reset", "--quiet", "--hard", first)
    repo.commit("second")
    repo.git("tag", "--annotate", "-m", "v1", "v1", first)
    for name in ("side", "HEAD~1", first[:9], "v1", "refs/heads/side"):
        assert base_of(repo, "--base", name) == (first, name)
    repo.commit("configured", {".review-gate.yaml": "base: HEAD~1\n"})
    assert base_of(repo)[1] == "HEAD~1"


@pytest.mark.parametrize(
    "name", ["nowhere", "--output=pwned", "-", "", "HEAD:app.py", "HEAD..HEAD", "a\x1b[2Jb", "HEAD\n"]
)
def test_a_base_that_is_no_commit_is_refused(repo: Repo, name: str) -> None:
    repo.commit("second")
    code, text = refusal(repo.gate("run", "--yes", f"--base={name}"))
    assert code == 2
    assert re.fullmatch(
        r"error: the base .* is not a commit here\n"
        r"  why:   the review needs to know what changed since when\n"
        r"  next:  git fetch, or name another --base",
        text,
    )
    assert sorted(os.listdir(repo.path)) == [".git", "app.py", "file.txt"]


def test_a_base_without_common_history_is_refused(repo: Repo) -> None:
    tree = repo.git("rev-parse", "HEAD^{tree}")
    repo.git("branch", "stranger", repo.git("commit-tree", tree, "-m", "stranger"))
    assert refusal(repo.gate("run", "--yes", "--base", "stranger")) == (
        2,
        "error: HEAD and 'stranger' have no common history\n"
        "  why:   a review covers the commits between a base and HEAD\n"
        "  next:  review-gate run --scope all",
    )


def test_a_shallow_clone_without_the_base_says_how_to_get_it(repo: Repo, tmp_path: Path) -> None:
    publish(repo)
    repo.git("switch", "--quiet", "--create", "feature")
    for number in range(3):
        repo.commit(f"change {number}")
    publish(repo, "feature")
    url = f"file://{tmp_path / 'repo.git'}"
    repo.git("clone", "--quiet", "--depth", "1", "--branch", "feature", url, str(tmp_path / "shallow"))
    shallow = Repo(tmp_path / "shallow", repo.environ)
    shallow.git("fetch", "--quiet", "--depth", "1", "origin", "main:refs/remotes/origin/main")
    shallow.git("branch", "--unset-upstream")
    shallow.git("update-ref", "-d", "refs/remotes/origin/feature")
    shallow.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    expected = (
        2,
        "error: this is a shallow clone, and the base lies beyond its edge\n"
        "  why:   without the base nobody can say what changed\n"
        "  next:  git fetch --unshallow",
    )
    assert refusal(shallow.gate("run", "--yes")) == expected
    assert refusal(shallow.gate("run", "--yes", "--base", "origin/main")) == expected
    shallow.git("fetch", "--quiet", "--unshallow", "origin", "main")
    shallow.review("--base", "origin/main")


# Nothing to review.


def test_an_empty_change_is_nothing_to_review_and_leaves_no_trace(repo: Repo) -> None:
    publish(repo)
    assert refusal(repo.gate("run", "--yes")) == (
        1,
        "blocked: nothing to review: HEAD is refs/remotes/origin/main\n"
        "  why:   an empty change is not a passed review\n"
        "  next:  commit something first",
    )
    repo.git("commit", "--quiet", "--allow-empty", "-m", "empty")
    assert refusal(repo.gate("run", "--yes")) == (
        1,
        "blocked: nothing to review: HEAD and refs/remotes/origin/main have the same content\n"
        "  why:   an empty change is not a passed review\n"
        "  next:  review-gate run --allow-empty to record these commits as reviewed all the same",
    )
    assert not was_recorded(repo)
    assert repo.gate("verify").returncode == 1
    assert report_of(repo, "--allow-empty")["decision"]["allowed"]
    assert was_recorded(repo)


def test_scope_all_reviews_the_whole_tree(repo: Repo) -> None:
    repo.commit("broken", {"old.py": BROKEN})
    publish(repo)
    repo.commit("second", {"new.py": "new = 1\n"})
    assert report_of(repo)["findings"] == []
    plan = plan_of(repo, "--scope", "all")
    assert (plan["subject"]["base"], plan["files"]) == (EMPTY, ["app.py", "new.py", "old.py"])
    assert [one["file"] for one in report_of(repo, "--scope", "all")["findings"]] == ["old.py"]


# Some of the loops.


@pytest.mark.parametrize("text", ["", "0", "5", "1,9", "one", "1;2", "1,", "-1", "1.0", "1_0"])
def test_what_is_no_list_of_loops_is_refused(repo: Repo, text: str) -> None:
    assert refusal(repo.gate("run", "--yes", f"--loops={text}")) == (
        2,
        f"error: --loops {text!r} is not a list of loops\n"
        "  why:   there are four of them, 1 to 4\n"
        "  next:  review-gate run --loops 1,2",
    )


def test_a_part_of_the_loops_does_not_open_the_gate_and_the_rest_completes_it(repo: Repo) -> None:
    first = report_of(repo, "--loops", "1")
    assert statuses(first) == ["passed", "not_run", "not_run", "not_run"]
    assert (first["ship_allowed"], first["decision"]["reason"]) == (False, "incomplete")
    rest = report_of(repo, "--loops", "4,2,3,2")
    assert (statuses(rest), kept(rest)) == (["passed"] + ["nothing_to_run"] * 3, [1])
    assert rest["decision"]["allowed"]


def test_results_are_kept_only_for_the_same_commit_base_and_policy(repo: Repo) -> None:
    repo.write(".git/info/exclude", ".claude\n")
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
    assert (statuses(partial), kept(partial)) == (["passed", "failed", "nothing_to_run", "nothing_to_run"], [2])
    assert partial["decision"]["reason"] == "failed"
    (repo.path / ".git/open").touch()
    last = report_of(repo, "--loops", "2")
    assert (statuses(last)[1], kept(last), last["decision"]["allowed"]) == ("passed", [1, 3, 4], True)


# Staged content.


def test_the_index_is_reviewed_and_its_commit_inherits_the_result(repo: Repo) -> None:
    repo.write("new.py", "staged = 1\n")
    repo.git("add", "new.py")
    repo.write("new.py", BROKEN)
    tree = repo.git("write-tree")
    done = repo.gate("run", "--yes", "--staged")
    assert done.stderr.startswith(f"review of staged tree {tree[:8]} against HEAD ({repo.head[:8]})\n")
    assert done.stdout.endswith(
        f"ship: the staged tree {tree[:8]} passed; a commit of exactly this tree on this HEAD inherits the result\n"
    )
    assert json.loads(repo.state_file.read_text())["head_commit"] == tree
    repo.git("commit", "--quiet", "--no-verify", "-m", "as staged")
    assert repo.gate("verify", "--range", "HEAD~1..HEAD").returncode == 0
    assert repo.gate("verify").returncode == 1, "the commit below was never reviewed"


def test_a_staged_defect_fails_whatever_the_disk_holds(repo: Repo) -> None:
    repo.write("new.py", BROKEN)
    repo.git("add", "new.py")
    repo.write("new.py", "fine = 1\n")
    report = report_of(repo, "--staged")
    assert [(one["file"], one["line"]) for one in report["findings"]] == [("new.py", 1)]
    assert (report["commit"], report["decision"], report["ship_allowed"]) == (None, None, False)


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


# What is written down and reported.


def test_the_state_file_has_exactly_the_fields_of_the_seed_and_ours(repo: Repo) -> None:
    repo.review()
    state = json.loads(repo.state_file.read_text())
    assert set(state) == set(SEED_FIELDS) | set(OUR_FIELDS) == {
        "head_commit", "timestamp", "loop_1_passed", "loop_2_passed", "loop_3_passed", "loop_4_passed", "ship_allowed",
        "blockers", "loop_details", "version", "base_commit", "tree", "policy", "reviewers", "decision",
    }  # fmt: skip
    assert state["loop_details"] == {f"loop_{number}": {"passed": True, "issues": []} for number in (1, 2, 3, 4)}
    assert (state["head_commit"], state["base_commit"], state["ship_allowed"]) == (repo.head, EMPTY, True)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", state["timestamp"])
    assert [one["status"] for one in state["reviewers"]] == ["passed"] * 3 + ["nothing_to_run"] * 3
    assert state["decision"]["loops"] == {
        "loop_1": "passed", "loop_2": "nothing to run", "loop_3": "nothing to run", "loop_4": "nothing to run",
    }  # fmt: skip
    entry = json.loads(repo.git("cat-file", "blob", f"refs/review-gate/commits/{repo.head}"))
    assert (entry["subject"], entry["reviews"][0]["id"]) == (repo.head, state["decision"]["record"])


def test_the_state_of_a_failed_run_lists_blockers_and_issues(repo: Repo) -> None:
    repo.commit("bad", {"bad.json": '{"a": 1,}\n', "bom.txt": "\ufeffx\n", "app.py": BROKEN})
    assert repo.gate("run", "--yes").returncode == 1
    state = json.loads(repo.state_file.read_text())
    assert [state[f"loop_{number}_passed"] for number in (1, 2, 3, 4)] == [False] * 4
    assert [blocker.split(": ")[0] for blocker in state["blockers"]] == ["app.py:1", "bad.json:1"]
    issues = state["loop_details"]["loop_1"]["issues"]
    assert {(one["severity"], one["file"], one["line"]) for one in issues[:2]} == {
        ("error", "app.py", 1),
        ("error", "bad.json", 1),
    }
    assert repo.gate("verify").stdout.startswith("blocked: Loop 1 failed: app.py:1: ")


def test_findings_are_reported_worst_first_and_only_the_first_failing_loop_speaks(repo: Repo) -> None:
    repo.commit("bad", {"z.py": BROKEN, "a.bin": b"\0\1\2", ".review-gate.yaml": FAILING % ("later", 2)})
    done = repo.gate("run", "--yes")
    assert done.returncode == 1
    lines = [line for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert lines[:4] == [
        "loop 1  FAIL: conflict-markers, hygiene",
        *(f"loop {number}  - (not run: loop 1 did not pass)" for number in (2, 3, 4)),
    ]
    assert [line.split(": ")[:2] for line in lines[4:6]] == [["critical", "z.py:1:12"], ["warning", "a.bin"]]
    assert lines[6] == "4 files reviewed; 1 critical, 1 warning; verdict: fail"
    assert lines[7].startswith("ship: BLOCKED (Loop 1 failed: z.py:1: ")


@pytest.mark.parametrize(("maximum", "shown"), [(1, 1), (2, 2), (3, 3)])
def test_as_many_findings_are_shown_as_the_configuration_says(repo: Repo, maximum: int, shown: int) -> None:
    config = f"limits: {{max_findings: {maximum}}}\n"
    repo.commit("bad", {"a.py": BROKEN, "b.py": BROKEN, "c.py": BROKEN, ".review-gate.yaml": config})
    text = repo.gate("run", "--yes").stdout
    assert len(re.findall(r"^critical: ", text, re.MULTILINE)) == shown
    assert ("more findings; --format json has them all" in text) is (shown < 3)


def test_every_format_is_whole_and_has_the_same_exit_code(repo: Repo) -> None:
    repo.commit("bad", {"bad.py": BROKEN})
    results = {form: repo.gate("run", "--yes", "--format", form) for form in ("json", "sarif", "junit", "github")}
    assert {done.returncode for done in results.values()} == {1}
    assert json.loads(results["json"].stdout)["findings"][0]["file"] == "bad.py"
    log = json.loads(results["sarif"].stdout)
    assert log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "bad.py"
    suites = ElementTree.fromstring(results["junit"].stdout)
    assert suites.find(".//failure") is not None
    assert results["github"].stdout.startswith("::error ")
    assert refusal(repo.gate("run", "--yes", "--format", "xml"))[0] == 2


def test_a_reader_that_goes_away_is_no_traceback(repo: Repo) -> None:
    done = repo.run("sh", "-c", "review-gate run --yes | true")
    assert "Traceback" not in done.stderr


def test_the_estimate_comes_from_earlier_runs(repo: Repo) -> None:
    assert plan_of(repo)["estimate_seconds"] is None
    repo.review()
    assert plan_of(repo)["estimate_seconds"] >= 0
    assert re.search(
        r"^estimate: about \d+\.\d s, by earlier runs$", repo.gate("run", "--plan-only").stdout, re.MULTILINE
    )
