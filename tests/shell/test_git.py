"""Facts from git: objects by the thousand, changed paths of any name, and a git that is not there."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import subprocess
import zlib
from pathlib import Path

import pytest
from conftest import MakeRepo, Repo
from opening import git_of

from review_gate.errors import GitError
from review_gate.shell.changes import begin_staged_changes, changed_between
from review_gate.shell.git import Git, clean_environment, first_line
from review_gate.shell.repository import open_repository, repository_of_hook
from review_gate.shell.subject import touched_files, work_tree_state

ODD_NAMES = [
    "with space.txt",
    "line\nend.txt",
    "tab\tand quote\".txt",
    "--output=pwned",
    "-",
    "esc\x1b[2J.txt",
    "$(touch pwned).txt",
    "naïve ü 漢字.txt",
    "invalid \udcff utf-8.txt",
    "back\\slash",
    "n" * 255,
    "deep/er/and/deeper.txt",
    ":(top)magic",
    "HEAD",
]  # fmt: skip


def blobs(repo: Repo, *contents: bytes) -> list[str]:
    """The ids of new blobs, made by one git process."""
    stream = b"".join(b"blob\ndata %d\n%s\n" % (len(content), content) for content in contents)
    subprocess.run(["git", "fast-import", "--quiet"], cwd=repo.path, env=repo.environ, input=stream, check=True)
    whole = (b"blob %d\0%s" % (len(content), content) for content in contents)
    return [hashlib.sha1(data, usedforsecurity=False).hexdigest() for data in whole]


def test_a_thousand_objects_come_back_in_order(repo: Repo) -> None:
    contents = [b"object %d\n" % number * (number % 7) for number in range(1_000)]
    ids = blobs(repo, *contents)
    with git_of(repo).objects() as objects:
        read = list(objects.read_all(ids))
    assert [(item.oid, item.kind, item.data) for item in read if item] == [
        (oid, "blob", content) for oid, content in zip(ids, contents, strict=True)
    ]


def test_what_is_missing_is_none_and_the_next_answer_is_still_right(repo: Repo) -> None:
    asked = ["0" * 40, "HEAD", "no such name", "HEAD:no/file", "", "HEAD^{tree}", "refs/heads/main^{commit}", "HEAD~99"]
    with git_of(repo).objects() as objects:
        kinds = [item.kind if item else None for item in objects.read_all(asked)]
    assert kinds == [None, "commit", None, None, None, "tree", "commit", None]


@pytest.mark.parametrize("name", ["HEAD\nHEAD", "HEAD\n", "\n", "x\nHEAD:app.py"])
def test_a_line_end_in_a_name_never_shifts_the_answers(repo: Repo, name: str) -> None:
    """One request must be one answer, or the next commit is judged by the records of another."""
    with git_of(repo).objects() as objects:
        with contextlib.suppress(ValueError, GitError):
            objects.read(name)
        after = objects.read("HEAD^{tree}")
    assert after is not None
    assert after.kind == "tree"


def test_a_large_object_is_read_whole_between_small_ones(repo: Repo) -> None:
    large = b"0123456789abcdef" * 2_000_000
    ids = blobs(repo, b"before", large, b"")
    with git_of(repo).objects() as objects:
        read = [item.data for item in objects.read_all([*ids, ids[0]]) if item]
    assert read == [b"before", large, b"", b"before"]


def test_a_damaged_object_is_an_error_and_not_an_empty_answer(repo: Repo) -> None:
    (oid,) = blobs(repo, b"content")
    path = repo.path / ".git/objects" / oid[:2] / oid[2:]
    path.chmod(stat.S_IRUSR | stat.S_IWUSR)
    path.write_bytes(b"not zlib")
    with git_of(repo).objects() as objects:
        try:
            found = objects.read(oid)
        except GitError:
            found = None
    assert found is None


@pytest.mark.parametrize(
    "rest", [b" more", b"\n" + b"0" * 40 + b" blob 5\nforged\n", b"\nHEAD missing"], ids=["more", "an answer", "a word"]
)
def test_what_a_damaged_object_adds_never_passes_for_an_answer(repo: Repo, rest: bytes) -> None:
    """Git 2.39 prints all of a loose blob that is longer than its header says, and calls it as long as the header."""
    sound, damaged = (repo.run("git", "hash-object", "-w", "--stdin", stdin=text).stdout.strip() for text in "ab")
    path = repo.path / ".git/objects" / damaged[:2] / damaged[2:]
    path.chmod(0o644)
    path.write_bytes(zlib.compress(b"blob 3\0new" + rest))
    for names in ([damaged, sound], [sound, damaged], [damaged, "HEAD"], [damaged]):
        with pytest.raises(GitError, match="do not fit the questions"), git_of(repo).objects() as objects:
            list(objects.read_all(names))


def test_without_git_on_the_path_the_error_says_so(tmp_path: Path) -> None:
    """The search uses this process's own PATH, so it is changed for a moment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(tmp_path))
        for call in (lambda: Git(str(tmp_path)).run("version"), lambda: Git(str(tmp_path)).objects()):
            with pytest.raises(GitError) as refusal:
                call()
            assert (refusal.value.what, refusal.value.next_step) == ("git was not found on PATH", "install git")


def test_a_git_that_hangs_is_stopped(tmp_path: Path) -> None:
    slow = tmp_path / "git"
    slow.write_text("#!/bin/sh\nexec sleep 600\n")
    slow.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        with pytest.raises(GitError, match=r"^git status did not end within 1 seconds$"):
            Git(str(tmp_path)).try_run("status", seconds=1)


def test_an_error_of_git_is_told_in_its_own_words(repo: Repo) -> None:
    with pytest.raises(GitError) as refusal:
        git_of(repo).run("cat-file", "blob", "nothing")
    assert refusal.value.what == "git cat-file failed: fatal: Not a valid object name nothing"
    assert first_line(b"") == "no error text"
    assert first_line(b"hint: by the way\nwarning: so\nfatal: it is\n") == "fatal: it is"
    assert first_line(b"hint: nothing else\n") == "hint: nothing else"
    assert first_line("erster\nzweiter \xff".encode("latin-1")) == "erster"


def test_changed_paths_of_any_name_come_back_byte_for_byte(repo: Repo) -> None:
    base = repo.head
    for name in ODD_NAMES:
        path = Path(os.fsdecode(os.fsencode(repo.path / name)))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{len(name)}\n")
    repo.git("add", "--all")
    assert sorted(change.path for change in begin_staged_changes(git_of(repo))()[1]) == sorted(ODD_NAMES)
    repo.git("commit", "--quiet", "-m", "odd")
    changes = changed_between(git_of(repo), base, repo.head)
    assert sorted(change.path for change in changes) == sorted(ODD_NAMES)
    assert {change.old_oid for change in changes} == {None}


def test_every_kind_of_change_is_told_apart(repo: Repo) -> None:
    repo.commit("before", {"old.txt": "old\n", "kind.txt": "k\n", "mode.sh": "echo\n", "same.txt": "same\n"})
    base = repo.head
    (repo.path / "kind.txt").unlink()
    (repo.path / "kind.txt").symlink_to("app.py")
    (repo.path / "mode.sh").chmod(0o755)
    repo.git("rm", "--quiet", "old.txt")
    repo.git("mv", "same.txt", "moved.txt")
    repo.commit("after", {"app.py": "print('changed')\n"})
    changes = {change.path: change for change in changed_between(git_of(repo), base, repo.head)}
    assert {
        path: (change.old_oid is not None, change.oid is not None, change.mode) for path, change in changes.items()
    } == {
        "app.py": (True, True, "100644"),
        "kind.txt": (True, True, "120000"),
        "mode.sh": (True, True, "100755"),
        "moved.txt": (False, True, "100644"),
        "old.txt": (True, False, "000000"),
        "same.txt": (True, False, "000000"),
    }
    assert [path for path, change in changes.items() if not change.has_content] == ["old.txt", "same.txt"]
    assert changes["moved.txt"].old_oid is None
    assert changes["mode.sh"].old_oid == changes["mode.sh"].oid


def test_an_option_like_revision_is_never_taken_as_an_option(repo: Repo) -> None:
    evil = f"--output={repo.path / 'pwned'}"
    repo.git("update-ref", f"refs/heads/{evil}", "HEAD")
    assert changed_between(git_of(repo), evil, "HEAD") == []
    assert not (repo.path / "pwned").exists()


def test_modified_and_unknown_files_are_counted_and_the_state_file_is_not(repo: Repo) -> None:
    state = ".claude/skills/code-review/loop-state.json"
    repo.write(state, "{}")
    assert work_tree_state(git_of(repo), state) == (0, 0)
    repo.write("app.py", "changed")
    repo.write("new\nfile", "x")
    repo.write("folder/a", "x")
    repo.write("folder/b", "x")
    assert work_tree_state(git_of(repo), state) == (1, 3)


def test_staged_and_unstaged_changes_are_both_seen_without_running_a_filter(repo: Repo) -> None:
    repo.commit("two", {"b.py": "b = 1\n", ".gitattributes": "*.py filter=evil\n"})
    repo.git("config", "filter.evil.clean", "touch canary; cat")
    repo.git("config", "filter.evil.process", "touch canary")
    repo.git("config", "filter.evil.required", "true")
    repo.write("app.py", "print('other')\n")
    assert touched_files(git_of(repo)) == 1
    assert not (repo.path / "canary").exists()


def test_git_s_own_variables_are_taken_out_and_no_others() -> None:
    environ = {"GIT_DIR": "x", "GIT_INDEX_FILE": "y", "GITHUB_TOKEN": "kept", "PATH": "p", "DIGIT_": "kept"}
    assert clean_environment(environ) == {"GITHUB_TOKEN": "kept", "PATH": "p", "DIGIT_": "kept"}


def test_a_hook_finds_its_repository_as_git_itself_does(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo()
    repo.commit("first")
    linked = tmp_path / "linked"
    repo.git("worktree", "add", "--quiet", str(linked))
    with pytest.MonkeyPatch.context() as patch:
        for top in (repo.path, linked):
            patch.chdir(top)
            by_hook, by_git = repository_of_hook({}), open_repository(".")
            assert (by_hook.top, by_hook.git_dir, by_hook.common_dir) == (by_git.top, by_git.git_dir, by_git.common_dir)
            assert by_git.common_dir == str(repo.path / ".git")
