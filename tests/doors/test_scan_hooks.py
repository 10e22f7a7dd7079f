"""The check engine at the doors of git: staged lines, the message, and the hook id for pre-commit."""

from __future__ import annotations

import json

import pytest
from committing import assert_refused, assert_silent, commit, refused_files, refused_message, stage
from conftest import MakeRepo, Repo, Result
from framework import MANIFEST, SCAN, manager, output
from scanning import CHECKS, CONFIG, EVAL, TODO, check_file, put_checks, ready, seen, settings, warm

BAD = 'x = eval("1")\n'
FOUND = "app.py:1: eval runs anything [no-eval]"


@pytest.fixture
def checked(gated: Repo) -> Repo:
    """A gated repository with a check that blocks and one that warns."""
    return ready(gated, EVAL, TODO)


def staged(repo: Repo, files: dict[str, str | bytes], *options: str) -> Result:
    stage(repo, files)
    return commit(repo, "-m", "A change", *options)


# What is staged


def test_a_finding_that_matters_blocks_the_commit(checked: Repo) -> None:
    before = checked.head
    assert_refused(staged(checked, {"app.py": BAD}), refused_files(FOUND))
    assert checked.head == before
    assert_silent(staged(checked, {"app.py": "x = 1\n"}))


def test_a_warning_is_shown_and_the_commit_is_made(checked: Repo) -> None:
    done = staged(checked, {"app.py": "# TODO\n"})
    assert (done.returncode, done.stderr) == (
        0,
        "review-gate: 1 warning in the staged files\n  app.py:1: do it or drop it [todo]\n",
    )
    both = staged(checked, {"app.py": "# TODO\n" + BAD + "# TODO again\n"})
    assert both.returncode == 1
    assert both.stderr.splitlines()[:3] == [
        "blocked: 1 problem in the staged files",
        "  app.py:2: eval runs anything [no-eval]",
        "  app.py:3: do it or drop it [todo]",
    ]


def test_the_end_of_a_merge_answers_only_for_lines_that_no_side_has(checked: Repo) -> None:
    old = "one = 1\n" * 5
    checked.commit("old", {"app.py": old, "both.py": old})
    checked.branch_off("side", "theirs", {"app.py": "theirs = 1\n", "both.py": old + BAD, "theirs.py": BAD})
    checked.commit("ours", {"app.py": "ours = 1\n", "both.py": BAD + old})
    assert checked.run("git", "merge", "--quiet", "side").returncode == 1
    # Merged by git: a line of each side; resolved by hand: one of nobody.
    checked.write("theirs.py", BAD + "more = 1\n")
    stage(checked, {"app.py": "both = 1\n" + BAD})
    assert_refused(commit(checked, "--no-edit"), refused_files(FOUND.replace(":1:", ":2:")))
    assert seen(checked, "--staged") == ["app.py:2"]
    stage(checked, {"app.py": "both = 1\n"})
    assert_silent(commit(checked, "-m", "Merge the side"))


def test_what_is_staged_counts_and_not_the_disk(checked: Repo) -> None:
    stage(checked, {"app.py": BAD})
    checked.write("app.py", "fine = 1\n")
    assert_refused(commit(checked, "-m", "A change"), refused_files(FOUND))
    stage(checked, {"app.py": "fine = 1\n"})
    checked.write("app.py", BAD)
    assert_silent(commit(checked, "-m", "A change"))
    assert_refused(commit(checked, "-a", "-m", "All of it"), refused_files(FOUND))
    assert_refused(commit(checked, "-m", "One file", "app.py"), refused_files(FOUND))


def test_known_and_suppressed_findings_do_not_block(checked: Repo) -> None:
    checked.commit("old", {"old.py": BAD})
    assert checked.gate("scan", "--update-baseline").returncode == 0
    assert_silent(staged(checked, {"new.py": BAD.rstrip("\n") + "  # review-gate: ignore[no-eval] a constant\n"}))
    checked.git("mv", "old.py", "moved.py")
    assert_silent(staged(checked, {}))
    assert_refused(staged(checked, {"moved.py": BAD + BAD}), refused_files("moved.py:2: eval runs anything [no-eval]"))
    checked.write(".review-gate-baseline.json", "{")
    done = commit(checked, "-m", "A change")
    assert done.returncode == 1
    assert done.stderr.startswith("blocked: .review-gate-baseline.json cannot be used: ")


def test_a_check_that_could_not_run_blocks_the_commit(checked: Repo) -> None:
    put_checks(
        checked, {"id": "slow", "pattern": "(a|aa)+$", "match_rule": "regex"}, seconds_per_file=0.2, max_file_bytes=1000
    )
    checked.git("add", "-A")
    warm(checked)
    done = staged(checked, {"app.py": "# " + "a" * 60 + "b\n", "big.py": "#" * 1001})
    assert_refused(
        done,
        "blocked: 2 problems in the staged files\n"
        "  could not run: checks: app.py: the check slow took longer than 0.2 seconds\n"
        "  could not run: checks: big.py: it is larger than checks.max_file_bytes (1000)\n"
        "  next:  exclude those files from the reviewer or raise its limit in .review-gate.yaml, git commit again\n",
    )


def test_a_bad_check_file_blocks_every_commit_with_its_place(checked: Repo) -> None:
    stage(checked, {"app.py": "x = 2\n"})
    checked.write(CHECKS, "checks:\n  - {id: a, pattern: x, severty: major}\n")
    done = commit(checked, "-m", "A change")
    assert done.returncode == 1
    assert done.stderr.startswith(f"blocked: {CHECKS}:2: ")
    assert "severty" in done.stderr.splitlines()[0]
    assert done.stderr.splitlines()[-1].startswith("  next:  ")
    checked.write(CHECKS, check_file(EVAL))
    assert_silent(commit(checked, "-m", "A change"))
    checked.write(CONFIG, settings(disable=["no-evil"]))
    stage(checked, {"app.py": "x = 3\n"})
    assert commit(checked, "-m", "A change").stderr == (
        "blocked: checks.disable names no-evil, and there is no such check; did you mean no-eval?\n"
        "  why:   a misspelt name leaves the check as it was, and nobody would notice\n"
        "  next:  correct checks.disable (review-gate config show), then: review-gate checks list\n"
    )


def test_switched_off_and_excluded_the_checks_stay_silent(checked: Repo) -> None:
    put_checks(checked, EVAL, exclude=["vendor/**"])
    assert_silent(staged(checked, {"vendor/bad.py": BAD}))
    put_checks(checked, EVAL, enabled=False)
    assert_silent(staged(checked, {"app.py": BAD}))


# The message

WORDS = {"id": "no-blame", "pattern": "stupid", "scope": ["commit_message"], "reason": "be kind"}
KIND = "message:{}: be kind [no-blame]"


@pytest.fixture
def worded(gated: Repo) -> Repo:
    """A gated repository with checks for messages."""
    ready(gated, WORDS, TODO | {"scope": ["commit_message"]}, EVAL)
    stage(gated, {"app.py": "x = 1\n"})
    return gated


def test_a_message_is_judged_by_the_checks_for_messages_only(worded: Repo) -> None:
    assert_refused(commit(worded, "-m", "A stupid change"), refused_message(KIND.format(1)))
    assert_refused(commit(worded, "-m", "A change", "-m", "It was\nstupid"), refused_message(KIND.format(4)))
    done = commit(worded, "-m", "Use eval(", "-m", "TODO")
    assert (done.returncode, done.stderr) == (
        0,
        "review-gate: 1 warning in the commit message\n  message:3: do it or drop it [todo]\n",
    )


def test_a_check_that_is_too_slow_for_a_message_is_what_has_to_be_mended(gated: Repo) -> None:
    slow = {"id": "slow", "pattern": "(a|aa)+$", "match_rule": "regex", "scope": ["commit_message"]}
    ready(gated, slow, seconds_per_file=0.2)
    done = commit(gated, "--allow-empty", "-m", "A change", "-m", "a" * 60 + "b")
    assert_refused(
        done,
        "blocked: 1 problem in the commit message\n"
        "  could not run: checks: message: the check slow took longer than 0.2 seconds\n"
        "  next:  mend, or put into checks.disable of .review-gate.yaml, the check that is named; "
        'git commit -e -F "$(git rev-parse --git-path COMMIT_EDITMSG)"\n',
    )


def test_lines_that_git_drops_are_not_judged(worded: Repo) -> None:
    worded.write("../message", "A change\n\n# stupid\n# ------------------------ >8 ------------------------\nstupid\n")
    for mode, place in (("strip", 5), ("verbatim", 3), ("whitespace", 3)):
        done = commit(worded, "-F", "../message", f"--cleanup={mode}")
        assert done.stderr.startswith("blocked: ")
        assert KIND.format(place) in done.stderr
    done = commit(worded, "-e", "-F", "../message", "--cleanup=scissors", GIT_EDITOR="true")
    assert KIND.format(3) in done.stderr
    assert KIND.format(5) not in done.stderr
    worded.write("../message", "A change\n\n# stupid\n")
    assert_silent(commit(worded, "-F", "../message", "--cleanup=strip"))


# The hook id for pre-commit


def framed(repo: Repo, ours: Repo, *args: str) -> Repo:
    """A repository in which pre-commit runs our scan and nothing else."""
    revision = ours.commit("manifest", {".pre-commit-hooks.yaml": MANIFEST.read_bytes()})
    hook: dict[str, object] = {"id": f"{SCAN}-system"} | ({"args": list(args)} if args else {})
    config = {"repos": [{"repo": str(ours.path), "rev": revision, "hooks": [hook]}]}
    repo.commit("configure", {".pre-commit-config.yaml": json.dumps(config), "old.py": BAD})
    manager(repo, "install")
    return repo


def test_pre_commit_hands_the_changed_files_to_a_scan(repo: Repo, make_repo: MakeRepo, same_world: None) -> None:
    framed(ready(repo, EVAL, TODO), make_repo("ours"))
    stage(repo, {"app.py": BAD, "-dash.py": BAD, "--no-baseline": "eval(", "image.png": b"\x89PNG\0eval("})
    stage(repo, {"wide.txt": BAD.encode("utf-16")})
    done = commit(repo, "-m", "A change")
    assert done.returncode == 1
    for name in ("-dash.py:1:5", "--no-baseline:1:1", "app.py:1:5", "wide.txt:1:5"):
        assert f"{name}  major  no-eval  eval runs anything\n" in output(done)
    assert "4 problems in 4 files (4 major); 4 files, 2 checks\n" in output(done)
    stage(repo, {"app.py": "x = 1\n", "-dash.py": "x = 1\n", "--no-baseline": "x", "wide.txt": "x"})
    assert commit(repo, "-m", "A change").returncode == 0
    everything = repo.run("pre-commit", "run", "--all-files")
    assert everything.returncode == 1
    assert "old.py:1:5  major  no-eval" in everything.stdout


def test_behind_pre_commit_a_scan_can_keep_to_added_lines(repo: Repo, make_repo: MakeRepo, same_world: None) -> None:
    framed(ready(repo, EVAL, TODO), make_repo("ours"), "--staged", "--fail-on", "major", "--")
    assert staged(repo, {"old.py": BAD + "# TODO\n"}).returncode == 0
    done = staged(repo, {"old.py": BAD + "# TODO\n" + BAD})
    assert done.returncode == 1
    assert "old.py:3:5  major  no-eval" in output(done)
    assert "old.py:1:5" not in output(done)
    repo.git("reset", "--quiet", "--hard")
    checked_out = repo.run("pre-commit", "run", "--all-files")
    assert (checked_out.returncode, "none of the files that are named is staged" in checked_out.stdout) == (1, True)
