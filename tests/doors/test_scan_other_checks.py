"""Scans with checks that somebody named: other checks stay known, and next steps name the same files."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from conftest import Repo, Result
from scanning import CONFIG, check_file, put_checks, refused, report, scan, seen, settings

C = {"id": "c", "pattern": "CCC"}
WHY = "a check that cannot be read would find nothing, and nobody would notice"


def next_step(done: Result) -> str:
    return (done.stdout + done.stderr).rpartition("  next:  ")[2].removesuffix("\n")


def typed(repo: Repo, command: str) -> Result:
    """What happens when a next step is typed."""
    return repo.gate(*shlex.split(command)[1:])


# Suppressions

SUPPRESSED = "x = eval(y)  # review-gate: ignore[{}] it is a constant\n"


@pytest.mark.parametrize("name", ["python-eval", "plan-somehow", "no-eval", "off"])
def test_a_suppression_of_a_check_that_this_scan_does_not_look_for_is_no_mistake(repo: Repo, name: str) -> None:
    put_checks(repo, {"id": "no-eval", "pattern": "eval("}, {"id": "off", "pattern": "OFF"}, disable=["off"])
    repo.write("mine.yaml", check_file(C))
    repo.write("a.py", SUPPRESSED.format(f"no-eval, {name}"))
    for options in (["a.py"], ["--checks", "mine.yaml", "a.py"], ["--plan", ".", "a.py"]):
        assert seen(repo, *options) == [], options


def test_a_suppression_of_no_check_at_all_is_still_named_where_all_checks_are_known(repo: Repo) -> None:
    put_checks(repo)
    repo.write("mine.yaml", check_file(C))
    repo.write("a.py", SUPPRESSED.format("no-eval, pyton-eval"))
    assert seen(repo, "a.py") == ["a.py:1 suppression-unknown-id"]
    assert seen(repo, "--checks", "mine.yaml", "a.py") == []


def test_the_hooks_know_the_checks_that_are_off_too(repo: Repo) -> None:
    put_checks(repo, {"id": "word", "pattern": "BAD", "scope": ["commit_message"]}, {"id": "off", "pattern": "OFF"})
    repo.write(CONFIG, settings(disable=["off"]))
    repo.gate("install")
    repo.write("a.py", "x = 1  # review-gate: ignore[off, python-eval] on purpose\n")
    repo.git("add", "a.py")
    message = "Add x\n\n// review-gate: ignore[off, python-eval] on purpose\n"
    done = repo.run("git", "commit", "-m", message)
    assert (done.returncode, "suppression" in done.stdout + done.stderr) == (0, False)


# Next steps


def test_the_next_step_of_a_scan_with_named_checks_explains_one_of_them(repo: Repo) -> None:
    repo.write("my checks.yaml", check_file(C))
    repo.write("x.txt", "CCC\n")
    done = scan(repo, "--checks", "my checks.yaml", "x.txt")
    assert next_step(done) == "review-gate checks explain c --checks 'my checks.yaml'"
    assert typed(repo, next_step(done)).stdout.startswith("c: ")


def test_an_error_in_a_file_that_was_named_is_shown_again_by_the_next_step(repo: Repo) -> None:
    repo.write("my plan/plan.md", "CCC\n")
    repo.write("my plan/context.yaml", "- a\n")
    repo.write("r.yaml", "checks: [{id: c}]\n")
    for options, edited in ((["--checks", "r.yaml"], "r.yaml"), (["--plan", "my plan"], "my plan/context.yaml")):
        told = refused(scan(repo, *options))
        listing = f"review-gate checks list {shlex.join(options)}"
        assert told.endswith(f"  why:   {WHY}\n  next:  edit {edited}:1, then: {listing}\n")
        assert typed(repo, listing).stderr == told


# What cannot be scanned


def test_the_folder_of_git_is_not_scanned_and_a_file_in_it_is(repo: Repo) -> None:
    put_checks(repo)
    repo.commit("one", {"a": "a\n"})
    for folder in (".git", ".git/refs", str(repo.path / ".git")):
        assert refused(scan(repo, folder)) == (
            f"error: {folder}: this is git's own folder, which is not scanned\n"
            "  why:   no file of the work tree is in there\n"
            "  next:  review-gate scan PATH, with a folder of the work tree\n"
        )
    assert scan(repo, "--as", "commit-message", ".git/COMMIT_EDITMSG").returncode == 0


def test_a_bare_repository_says_that_its_own_checks_are_not_read(repo: Repo, tmp_path: Path) -> None:
    put_checks(repo)
    repo.commit("one", {"a.py": "a\n"})
    repo.commit("two", {"a.py": "eval(x)\n"})
    repo.git("clone", "--bare", "--quiet", ".", str(tmp_path / "bare"))
    bare = Repo(tmp_path / "bare", repo.environ)
    note = "the checks and settings of this repository are not read: it is bare, so it has no files"
    assert note in report(bare, "--diff", "HEAD~1..HEAD")["notes"]
    assert note not in report(repo, "--diff", "HEAD~1..HEAD")["notes"]
    bare.write("mine.yaml", check_file({"id": "no-eval", "pattern": "eval("}))
    found = report(bare, "--checks", "mine.yaml", "--diff", "HEAD~1..HEAD")
    assert (len(found["findings"]), note in found["notes"]) == (1, False)
