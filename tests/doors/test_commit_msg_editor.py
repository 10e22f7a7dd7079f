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
        ((), ("-c", "commit.cleanup=scissors")),
        (("-v",), ("-c", "core.commentChar=;")),
    ],
    ids=["plain", "scissors", "-v commentChar"],
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


def test_what_git_keeps_is_judged(gated: Repo, editor: Editor) -> None:
    done = edited(gated, f"A change\n\n{CONFLICT}", editor, "-v")
    assert done.returncode == 1
    assert "message:4: conflict marker in the commit message [leftover-text]" in done.stderr


def test_instructions_of_git_that_a_cleanup_mode_would_keep_are_refused(gated: Repo, editor: Editor) -> None:
    done = edited(gated, "A change\n", editor, settings=("-c", "commit.cleanup=verbatim"))
    assert done.returncode == 1
    assert "git's own instructions, which this clean-up mode keeps in the commit message [leftover-text]" in done.stderr


def twin_of(repo: Repo, place: Path) -> Repo:
    """A copy of a repository that has no hooks, where git itself says what it keeps."""
    shutil.copytree(repo.path, place / "twin", symlinks=True)
    twin = Repo(place / "twin", repo.environ)
    twin.git("config", "core.hooksPath", "/dev/null")
    return twin


# What a conflict leaves in the message


MERGE, PICK, REVERT, SQUASH = "merge other", "cherry-pick other", "revert --no-edit HEAD~1", "merge --squash other"
NO_EDIT, IN_EDITOR = "git commit --no-edit", "GIT_EDITOR=true git commit"
FINISHES = [
    (MERGE, "", NO_EDIT),
    (MERGE, "", IN_EDITOR),
    (MERGE, "", "GIT_EDITOR=true git merge --continue"),
    (MERGE, "", f"{IN_EDITOR} --cleanup=verbatim"),
    (MERGE, "commit.cleanup=scissors", IN_EDITOR),
    (MERGE, "core.commentChar=auto", NO_EDIT),
    (PICK, "", "git cherry-pick --continue"),
    (REVERT, "", "git revert --continue"),
    (SQUASH, "", NO_EDIT),
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
    twin = twin_of(gated, tmp_path)
    assert twin.run("sh", "-c", finish).returncode == 0
    is_kept = " Conflicts:\n" in twin.git("log", "-1", "--format=%B")
    done = gated.run("sh", "-c", finish)
    assert (done.returncode, "[leftover-text]" in done.stderr) == ((1, True) if is_kept else (0, False)), done.stderr


# What git keeps although it looks like something that it drops


KEY = "AKIA" + "QX7J4LM2NB5VCZ6T"
COMMENT = f"A change\n\n# {KEY}\n"
INSTRUCTED = f"{COMMENT}# Please enter the commit message for your changes.\n"
CUT = f"A change\n\n{SCISSORS}\n# Do not modify or remove the line above.\n{KEY}\n"
AUTO = "git -c core.commentChar=auto"
KEPT = {
    "auto, no editor": (COMMENT, f"{AUTO} commit -F M --cleanup=strip"),
    "auto, an editor, old instructions": (INSTRUCTED, f"GIT_EDITOR=true {AUTO} commit -e -F M"),
    "an editor that does nothing": (INSTRUCTED, "GIT_EDITOR=: git commit -F M"),
    "an option before an alias": (COMMENT, "git -c alias.c='commit --cleanup=whitespace' c -e -F M"),
}  # fmt: skip


@pytest.mark.parametrize(("message", "command"), KEPT.values(), ids=KEPT)
def test_a_secret_that_git_keeps_is_found_whatever_its_line_looks_like(
    gated: Repo, tmp_path: Path, message: str, command: str
) -> None:
    stage(gated, {"new.py": "()\n"})
    gated.write("M", message)
    twin = twin_of(gated, tmp_path)
    assert twin.run("sh", "-c", command, EDITOR="true").returncode == 0
    assert KEY in twin.git("log", "-1", "--format=%B")
    done = gated.run("sh", "-c", command, EDITOR="true")
    assert done.returncode == 1
    assert "[secret-aws-access-key]" in done.stderr


def test_what_git_calls_ignored_is_cut_off_also_where_git_would_keep_it(gated: Repo) -> None:
    stage(gated, {"new.py": "()\n"})
    gated.write("M", CUT)
    assert_silent(commit(gated, "-v", "-e", "-F", "M", GIT_EDITOR="true"))
    assert gated.git("log", "-1", "--format=%B") == "A change"
    assert (gated.path / "M").read_text() == CUT


def test_a_file_that_is_not_of_git_is_judged_whole_and_left_alone(gated: Repo) -> None:
    gated.write("M", CUT)
    done = gated.gate("hook", "commit-msg", "M", GIT_EDITOR="vi")
    assert done.returncode == 1
    assert "[secret-aws-access-key]" in done.stderr
    assert "scissors line that git will not cut at" in done.stderr
    assert (gated.path / "M").read_text() == CUT


@pytest.mark.parametrize(
    ("option", "setting"), [("-vs", "core.commentChar=#"), ("--cleanup=scissors", "core.commentChar=auto")]
)
def test_the_next_step_typed_after_commit_v_leaves_nothing_of_git_in_the_message(
    gated: Repo, editor: Editor, setting: str, option: str
) -> None:
    gated.git("config", *setting.split("="))
    done = edited(gated, "fixup! the right thing\n", editor, option)
    assert done.returncode == 1
    retry = gated.run("sh", "-c", done.stderr.split("next:  ")[1], GIT_EDITOR="sed -i '1s/fixup! the/The/'")
    assert retry.returncode == 0, retry.stderr
    message = gated.git("log", "-1", "--format=%B").partition("\n\nSigned-off-by: ")[0]
    assert message == "The right thing"


@pytest.mark.parametrize(
    ("options", "setting"),
    [
        ("-v", "core.commentChar=auto"),
        ("-vv --amend", "core.commentChar=#"),
        ("-v --cleanup=scissors", "commit.verbose=true"),
        ("-v --template=template", "core.commentChar=#"),
    ],
)
def test_the_diff_of_commit_v_is_not_blamed_for_what_it_shows(
    gated: Repo, editor: Editor, setting: str, options: str
) -> None:
    gated.write("template", "# What? Why?\n")
    gated.commit("old", {"old.py": f"key = '{KEY}'\n"})
    gated.git("config", *setting.split("="))
    stage(gated, {"old.py": "key = read()\n"})
    done = edited(gated, "A change\n\n", editor, *options.split())
    assert (done.returncode, KEY in gated.git("log", "-1", "--format=%B")) == (0, False), done.stderr


def test_comments_are_looked_at_where_the_options_of_git_are_not_seen(gated: Repo) -> None:
    message = gated.path / ".git/COMMIT_EDITMSG"
    message.write_text(COMMENT)
    done = gated.gate("hook", "commit-msg", ".git/COMMIT_EDITMSG", GIT_EDITOR="vi")
    assert done.returncode == 1
    assert done.stderr.count("[") == done.stderr.count("message:3: An AWS access key id") == 1
    assert message.read_text() == COMMENT
    message.write_text(INSTRUCTED.replace(KEY, "a comment"))
    assert_silent(gated.gate("hook", "commit-msg", ".git/COMMIT_EDITMSG", GIT_EDITOR="vi"))


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
