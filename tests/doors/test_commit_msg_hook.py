"""The commit hooks follow the configuration, and the message keeps its rules."""

from __future__ import annotations

import shlex
import sys

import pytest
from committing import (
    CONFLICT,
    SCISSORS,
    WIP,
    assert_refused,
    assert_silent,
    commit,
    refused_files,
    refused_message,
    stage,
)
from conftest import Repo
from scanning import set_config

pytestmark = pytest.mark.usefixtures("same_world")


# Configuration


def test_an_edited_configuration_counts_from_the_next_commit_on(gated: Repo) -> None:
    stage(gated, {"template.json": "{{ not json }}\n"})
    problem = "template.json:1: this is not JSON: expecting property name enclosed in double quotes [syntax-json]"
    assert_refused(commit(gated, "-m", "A template"), refused_files(problem))
    gated.write(".review-gate.yaml", "syntax: {exclude: ['template.*']}\n")
    assert_silent(commit(gated, "-m", "A template"))
    gated.write(".review-gate.yaml", "syntax: {exclude: []}\n")
    stage(gated, {"template.json": "{{ still not json }}\n"})
    assert_refused(commit(gated, "-m", "A template"), refused_files(problem))
    gated.write(".review-gate.yaml", "syntax: {enabled: false}\n")
    assert_silent(commit(gated, "-m", "A template"))


@pytest.mark.parametrize(
    ("section", "files"),
    [
        ("syntax", {"a.py": "(\n", "b.yaml": "a: [\n"}),
        ("conflict_markers", {"a.txt": CONFLICT}),
        ("hygiene", {"a.c": "// \u202e", "b.bin": b"\0"}),
    ],
    ids=["syntax", "conflict_markers", "hygiene"],
)
def test_a_reviewer_that_is_switched_off_is_silent(gated: Repo, section: str, files: dict[str, str | bytes]) -> None:
    stage(gated, files)
    assert commit(gated, "-m", "A change").returncode == 1
    set_config(gated, f"{section}: {{enabled: false}}\nchecks: {{packs: []}}\n")
    assert_silent(commit(gated, "-m", "A change"))


# The message


LONG = "A subject that goes on and on and on, well past the seventy-two characters which"
TOO_LONG = f"message:1: the subject is {len(LONG)} characters long, the limit is 72 [subject-too-long]"
FIXUP = 'message:1: "fixup!" commit on the protected branch {} [fixup-subject]'
EMPTY = "message: the commit message has no subject [empty-subject]"


@pytest.mark.parametrize(
    ("branch", "message", "problem"),
    [
        ("main", "fixup! A change", FIXUP),
        ("release/1.x", "[WIP] half of it", WIP),
    ],
)
def test_unfinished_work_is_refused_on_a_protected_branch_only(
    gated: Repo, message: str, problem: str, branch: str
) -> None:
    gated.git("switch", "--quiet", "-C", branch)
    assert_refused(commit(gated, "--allow-empty", "-m", message), refused_message(problem.format(branch)))
    gated.git("switch", "--quiet", "-c", "topic")
    assert_silent(commit(gated, "--allow-empty", "-m", message))
    gated.git("switch", "--quiet", "--detach")
    assert_silent(commit(gated, "--allow-empty", "-m", message))


@pytest.mark.parametrize("rebase", [["-i"], ["--apply"]], ids=["merge backend", "apply backend"])
def test_a_branch_stays_protected_while_it_is_rebased(gated: Repo, rebase: list[str]) -> None:
    gated.branch_off("other", "theirs", {"app.py": "theirs = 1\n"})
    gated.commit("ours", {"app.py": "ours = 1\n"})
    for branch, is_protected in (("main", True), ("--detach", False)):
        gated.git("switch", "--quiet", branch)
        assert gated.run("git", "rebase", *rebase, "other", GIT_SEQUENCE_EDITOR="true").returncode == 1
        gated.git("reset", "--quiet", "--hard")
        done = commit(gated, "--allow-empty", "-m", "WIP")
        assert (done.returncode, done.stderr) == ((1, refused_message(WIP.format("main"))) if is_protected else (0, ""))
        gated.git("rebase", "--abort")


def test_reword_on_a_protected_branch_follows_its_rules_and_can_be_mended(gated: Repo) -> None:
    gated.commit("second")
    editors = {"GIT_SEQUENCE_EDITOR": "sed -i s/^pick/reword/", "GIT_EDITOR": "sed -i s/second/WIP/"}
    done = gated.run("git", "rebase", "-i", "HEAD~1", **editors)
    step = 'git commit --amend -e -F "$(git rev-parse --git-path COMMIT_EDITMSG)"'
    assert done.returncode == 1
    assert f"  {WIP.format('main')}\n  next:  {step}\n" in done.stderr
    assert gated.run("sh", "-c", step, GIT_EDITOR="sed -i s/WIP/Finished/").returncode == 0
    gated.git("rebase", "--continue")
    assert gated.git("log", "--format=%s", "main") == "Finished\nfirst"


def test_a_rebase_of_which_nobody_can_say_what_it_rebases_is_said(gated: Repo) -> None:
    gated.git("switch", "--quiet", "--detach")
    (gated.path / ".git/rebase-merge").mkdir()
    (gated.path / ".git/rebase-merge/head-name").symlink_to("/dev/zero")
    assert_refused(
        commit(gated, "--allow-empty", "-m", "WIP"),
        f"blocked: {gated.path}/.git/rebase-merge/head-name cannot be read: it is a symbolic link\n"
        "  why:   it names the branch that is being rebased, and other rules hold on a protected one\n"
        "  next:  git rebase --abort\n",
    )


def test_a_message_without_a_subject_is_refused(gated: Repo) -> None:
    signed = "Signed-off-by: A Developer <dev@example.org>"
    done = commit(gated, "--allow-empty", "--allow-empty-message", "-m", signed)
    assert done.returncode == 1
    assert "the commit message has no subject [empty-subject]" in done.stderr


def test_a_long_subject_is_a_warning(gated: Repo) -> None:
    done = commit(gated, "--allow-empty", "-m", LONG)
    assert (done.returncode, done.stderr) == (0, f"review-gate: 1 warning in the commit message\n  {TOO_LONG}\n")
    assert_silent(commit(gated, "--allow-empty", "-m", LONG[:72]))
    assert_silent(commit(gated, "--allow-empty", "-m", f"Short\n\n{LONG}"))


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        (f"Merge\n\n{CONFLICT}", "message:4: conflict marker in the commit message [leftover-text]"),
        (
            f"Subject\n\n{SCISSORS}\ndiff --git a b",
            "message:3: scissors line that git will not cut at: what follows stays in the commit message "
            "[leftover-text]",
        ),
    ],
    ids=["conflict", "scissors"],
)
def test_text_that_was_not_meant_to_stay_is_refused(gated: Repo, message: str, problem: str) -> None:
    assert_refused(commit(gated, "--allow-empty", "-m", message), refused_message(problem))


@pytest.mark.parametrize(
    ("rule", "message", "problem"),
    [
        ("too_long", LONG, TOO_LONG),
        ("empty", "", EMPTY),
    ],
    ids=["too_long", "empty"],
)
def test_each_rule_can_block_warn_or_be_off(gated: Repo, rule: str, message: str, problem: str) -> None:
    options = ("--allow-empty", "--allow-empty-message", "-m", message)
    set_config(gated, f"commit_message: {{{rule}: block}}\n")
    assert_refused(commit(gated, *options), refused_message(problem))
    set_config(gated, f"commit_message: {{{rule}: warn}}\n")
    warned = commit(gated, *options)
    assert (warned.returncode, warned.stderr) == (0, f"review-gate: 1 warning in the commit message\n  {problem}\n")
    set_config(gated, f"commit_message: {{{rule}: off}}\n")
    assert_silent(commit(gated, *options))


def test_the_protected_branches_and_the_length_come_from_the_configuration(gated: Repo) -> None:
    set_config(gated, "commit_message: {protected_branches: ['hot*'], max_subject: 0}\n")
    assert_silent(commit(gated, "--allow-empty", "-m", f"wip {LONG}"))
    gated.git("switch", "--quiet", "-c", "hot/fix")
    assert_refused(commit(gated, "--allow-empty", "-m", "wip"), refused_message(WIP.format("hot/fix")))


def test_the_next_step_of_a_refused_message_works(gated: Repo) -> None:
    stage(gated, {"new.py": "()\n", "below/it.py": "()\n"})
    here = Repo(gated.path / "below", gated.environ)
    done = commit(here, "-m", "wip: the right thing", "-m", "A long explanation.")
    editor = f"{shlex.quote(sys.executable)} -c " + shlex.quote(
        "import sys; p = sys.argv[1]; t = open(p).read(); open(p, 'w').write(t.replace('wip: the', 'The'))"
    )
    retry = here.run("sh", "-c", done.stderr.split("next:  ")[1], GIT_EDITOR=editor)
    assert retry.returncode == 0, retry.stderr
    assert gated.git("log", "-1", "--format=%B") == "The right thing\n\nA long explanation."


# The review of what is staged


def review_staged(repo: Repo) -> str:
    """A passing review of the index; what commit-msg says of it."""
    done = repo.gate("run", "--staged", "--yes")
    assert done.returncode == 0, done.stderr
    tree, head = repo.git("write-tree")[:8], repo.head[:8]
    return f"review-gate: the staged tree {tree} passed its review; a commit of it on {head} inherits the result\n"


def test_a_commit_of_a_reviewed_index_is_told_so_and_may_be_pushed(gated: Repo) -> None:
    gated.review()
    gated.git("push", "--quiet", "origin", "main")
    stage(gated, {"new.py": "()\n"})
    notice = review_staged(gated)
    done = commit(gated, "-m", "A reviewed change")
    assert (done.returncode, done.stderr) == (0, notice)
    assert gated.push("--quiet", "origin", "main").returncode == 0


def test_a_commit_of_something_else_than_the_reviewed_index_is_told_nothing(gated: Repo) -> None:
    stage(gated, {"new.py": "()\n"})
    review_staged(gated)
    gated.write("new.py", "((), ())\n")
    assert_silent(commit(gated, "-a", "-m", "Another change"))


def test_a_review_of_the_index_is_not_promised_to_an_amended_commit(gated: Repo) -> None:
    # Git does not tell a hook about --amend, so the notice names the parent that the review was made against.
    gated.commit("second")
    stage(gated, {"new.py": "()\n"})
    notice = review_staged(gated)
    done = commit(gated, "--amend", "-m", "Amended")
    assert (done.returncode, done.stderr) in [(0, ""), (0, notice)]
    assert gated.gate("verify").returncode == 1
