"""The commit message as git makes it: from an editor, by clean-up modes, after a conflict."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from committing import (
    CONFLICT,
    SCISSORS,
    WIP,
    assert_refused,
    assert_silent,
    commit,
    refused_message,
    stage,
)
from conftest import Repo, Result

pytestmark = pytest.mark.usefixtures("same_world")


@pytest.fixture
def editor(tmp_path: Path) -> Callable[[str], str]:
    """Make a GIT_EDITOR that puts text before what git offers."""

    def make(text: str) -> str:
        typed, script = tmp_path / "typed", tmp_path / "editor.sh"
        typed.write_text(text)
        script.write_text(f'cat {shlex.quote(str(typed))} "$1" > "$1.new" && mv "$1.new" "$1"\n')
        return f"sh {shlex.quote(str(script))}"

    return make


Editor = Callable[[str], str]


def edited(repo: Repo, typed: str, editor: Editor, *options: str, settings: tuple[str, ...] = ()) -> Result:
    stage(repo, {"new.py": "()\n"})
    return repo.run("git", *settings, "commit", "--quiet", *options, GIT_EDITOR=editor(typed))


def test_a_message_from_the_editor_is_judged_without_its_comments(gated: Repo, editor: Editor) -> None:
    refused = edited(gated, "# fixup! in a comment\nwip\n# a comment\n", editor)
    assert refused.returncode == 1
    assert refused.stderr.endswith(refused_message(WIP.format("main").replace("message:1", "message:2")))
    passed = edited(gated, "# wip\nA change\n", editor)
    assert passed.returncode == 0, passed.stderr
    assert gated.git("log", "-1", "--format=%B") == "A change"


def test_a_number_sign_is_a_comment_in_the_editor_and_a_subject_after_m(gated: Repo, editor: Editor) -> None:
    refused = edited(gated, "#12 Fix it\n", editor)
    assert refused.returncode == 1
    assert "the commit message has no subject [empty-subject]" in refused.stderr
    assert_silent(commit(gated, "-m", "#12 Fix it"))
    assert gated.git("log", "-1", "--format=%s") == "#12 Fix it"


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ((), ()),
        (("-v",), ()),
        (("-v",), ("-c", "commit.cleanup=scissors")),
        ((), ("-c", "commit.cleanup=scissors")),
        ((), ("-c", "commit.verbose=true")),
        (("-v",), ("-c", "core.commentChar=;")),
    ],
    ids=["plain", "-v", "-v scissors", "scissors", "commit.verbose", "-v commentChar"],
)
def test_what_git_cuts_off_is_not_judged(
    gated: Repo, editor: Editor, options: tuple[str, ...], settings: tuple[str, ...]
) -> None:
    gated.write("notes.md", f"{CONFLICT}wip\nfixup! x\n{SCISSORS}\n")
    gated.write(".review-gate.yaml", "conflict_markers: {enabled: false}\n")
    done = edited(gated, "A change\n\nBecause.\n", editor, *options, settings=settings)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert gated.git("log", "-1", "--format=%B") == "A change\n\nBecause."


@pytest.mark.parametrize(
    ("options", "settings"),
    [((), ()), (("-v",), ()), (("-v",), ("-c", "commit.cleanup=scissors"))],
    ids=["plain", "-v", "-v scissors"],
)
def test_what_git_keeps_is_judged(
    gated: Repo, editor: Editor, options: tuple[str, ...], settings: tuple[str, ...]
) -> None:
    done = edited(gated, f"A change\n\n{CONFLICT}", editor, *options, settings=settings)
    assert done.returncode == 1
    assert "message:4: conflict marker in the commit message [leftover-text]" in done.stderr


@pytest.mark.parametrize("mode", ["verbatim", "whitespace"])
def test_instructions_of_git_that_a_cleanup_mode_would_keep_are_refused(gated: Repo, editor: Editor, mode: str) -> None:
    done = edited(gated, "A change\n", editor, settings=("-c", f"commit.cleanup={mode}"))
    assert done.returncode == 1
    assert "git's own instructions, which this clean-up mode keeps in the commit message [leftover-text]" in done.stderr


# What a conflict leaves in the message


MERGE, PICK, REVERT, SQUASH = "merge other", "cherry-pick other", "revert --no-edit HEAD~1", "merge --squash other"
NO_EDIT, IN_EDITOR = "git commit --no-edit", "GIT_EDITOR=true git commit"
FINISHES = [
    (MERGE, "", NO_EDIT),
    (MERGE, "", IN_EDITOR),
    (MERGE, "", "GIT_EDITOR=: git commit"),
    (MERGE, "", "GIT_EDITOR=true git merge --continue"),
    (MERGE, "", "GIT_EDITOR=: git merge --continue"),
    (MERGE, "", f"{NO_EDIT} --cleanup=strip"),
    (MERGE, "", f"{IN_EDITOR} --cleanup=verbatim"),
    (MERGE, "", 'git commit -F "$(git rev-parse --git-path MERGE_MSG)"'),
    (MERGE, "commit.cleanup=strip", NO_EDIT),
    (MERGE, "commit.cleanup=whitespace", IN_EDITOR),
    (MERGE, "commit.cleanup=scissors", NO_EDIT),
    (MERGE, "commit.cleanup=scissors", IN_EDITOR),
    (MERGE, "commit.status=false", IN_EDITOR),
    (MERGE, "core.commentChar=;", NO_EDIT),
    (MERGE, "core.commentChar=;", IN_EDITOR),
    (MERGE, "core.commentChar=auto", NO_EDIT),
    (MERGE, "core.commentChar=auto", IN_EDITOR),
    (PICK, "", NO_EDIT),
    (PICK, "", "git cherry-pick --continue"),
    (PICK, "commit.cleanup=whitespace", "git cherry-pick --continue"),
    (REVERT, "", NO_EDIT),
    (REVERT, "", "git revert --continue"),
    (SQUASH, "", NO_EDIT),
    (SQUASH, "", IN_EDITOR),
]


def resolve_conflict(repo: Repo, operation: str, setting: str) -> None:
    """Leave a conflict of both branches resolved and staged, to be committed."""
    repo.branch_off("other", "theirs", {"app.py": "print('theirs')\n"})
    repo.commit("ours", {"app.py": "print('ours')\n"})
    if setting:
        repo.git("config", *setting.split("="))
    assert repo.run("git", *operation.split()).returncode == 1
    stage(repo, {"app.py": "print('both')\n"})


@pytest.mark.parametrize(("operation", "setting", "finish"), FINISHES)
def test_the_list_of_conflicts_is_refused_exactly_where_git_keeps_it(
    gated: Repo, tmp_path: Path, operation: str, setting: str, finish: str
) -> None:
    resolve_conflict(gated, operation, setting)
    # Git itself says what it keeps, in a twin of the repository that has no hooks.
    shutil.copytree(gated.path, tmp_path / "twin", symlinks=True)
    twin = Repo(tmp_path / "twin", gated.environ)
    twin.git("config", "core.hooksPath", "/dev/null")
    assert twin.run("sh", "-c", finish).returncode == 0
    is_kept = " Conflicts:\n" in twin.git("log", "-1", "--format=%B")
    done = gated.run("sh", "-c", finish)
    assert (done.returncode, "[leftover-text]" in done.stderr) == ((1, True) if is_kept else (0, False)), done.stderr


def test_the_next_step_after_a_commit_with_an_index_of_its_own_says_to_repeat_it(gated: Repo) -> None:
    gated.commit("file")
    gated.write("file.txt", "changed\n")
    for words in (["--all"], ["file.txt"]):
        done = commit(gated, *words, "-m", "wip")
        step = 'the same git commit, with -e -F "$(git rev-parse --git-path COMMIT_EDITMSG)" for the message'
        assert done.stderr.split("next:  ")[1] == f"{step}\n"


def test_the_next_step_after_a_refused_amend_amends(gated: Repo) -> None:
    step = commit(gated, "--amend", "-m", "wip").stderr.split("next:  ")[1]
    assert step == 'git commit --amend -e -F "$(git rev-parse --git-path COMMIT_EDITMSG)"\n'
    gated.git("config", "core.editor", "sed -i s/wip/finished/")
    assert gated.run("sh", "-c", step).returncode == 0
    assert gated.git("log", "--format=%s") == "finished"


def test_a_list_of_conflicts_is_refused_with_its_line_and_a_next_step_that_works(gated: Repo) -> None:
    gated.git("switch", "--quiet", "-c", "topic")
    kept = "git's list of conflicts, which this clean-up mode keeps in the commit message [leftover-text]"
    done = commit(gated, "--allow-empty", "-m", "ok\n\n# Conflicts:\n#\tm.py")
    assert_refused(done, refused_message(f"message:3: {kept}"))
    gated.git("switch", "--quiet", "main")
    resolve_conflict(gated, MERGE, "")
    done = commit(gated, "--no-edit")
    assert_refused(done, refused_message(f"message:3: {kept}"))
    retry = gated.run("sh", "-c", done.stderr.split("next:  ")[1], GIT_EDITOR="true")
    assert retry.returncode == 0, retry.stderr
    assert gated.git("log", "-1", "--format=%B") == "Merge branch 'other'"
    assert len(gated.git("log", "-1", "--format=%P").split()) == 2
