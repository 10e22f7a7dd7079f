"""Uncommitted content as a tree: the one that git itself would commit, and nothing else is changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeRepo, Repo

from review_gate.errors import MisuseError
from review_gate.gate.record import EMPTY_TREES
from review_gate.shell.repository import open_repository
from review_gate.shell.uncommitted import uncommitted_subject

pytestmark = pytest.mark.usefixtures("same_world")

CANARY = "touch {}; cat"
LONG_AGO = (1_000_000_000, 1_000_000_000)


def tree_of(repo: Repo) -> str:
    return uncommitted_subject(open_repository(str(repo.path))).tree


def committed_tree(repo: Repo) -> str:
    """The tree of the commit that a user would make now."""
    repo.git("add", "-A")
    repo.git("commit", "--quiet", "--no-verify", "--allow-empty", "-m", "all of it")
    return repo.git("rev-parse", "HEAD^{tree}")


def looks(repo: Repo) -> dict[str, object]:
    """All of a work tree, its index and its refs, down to the times of files."""
    files = [Path(folder, name) for folder, _, names in os.walk(repo.path) for name in names if "/.git" not in folder]
    found: dict[str, object] = {str(path): (path.lstat().st_mtime_ns, path.lstat().st_mode) for path in files}
    index = repo.path / ".git/index"
    found["index"] = (index.read_bytes(), index.stat().st_mtime_ns) if index.exists() else None
    found["refs"] = repo.git("for-each-ref") + repo.git("symbolic-ref", "HEAD")
    found["status"] = repo.git("--no-optional-locks", "status", "--porcelain", "-uall")
    found["scratch"] = os.listdir(scratch) if (scratch := repo.path / ".git/review-gate/tmp").exists() else []
    return found


def staged_and_not(repo: Repo) -> None:
    repo.write("app.py", "staged\n")
    repo.git("add", "app.py")
    repo.write("app.py", "and changed again\n")
    repo.write("unknown.py", "new\n")
    repo.write("staged.py", "staged\n")
    repo.git("add", "staged.py")
    (repo.path / "staged.py").unlink()


def modes(repo: Repo) -> None:
    (repo.path / "app.py").chmod(0o755)
    repo.write("run.sh", "#!/bin/sh\n").chmod(0o755)
    (repo.path / "link").symlink_to("nowhere")


def kinds(repo: Repo) -> None:
    repo.commit("before", {"file": "1\n", "folder/a": "1\n", "linked/b": "1\n", "to-link": "1\n"})
    (repo.path / "link").symlink_to("file")
    repo.git("add", "-A")
    (repo.path / "file").unlink()
    repo.write("file/inside", "a folder now\n")
    (repo.path / "folder/a").unlink()
    (repo.path / "folder").rmdir()
    repo.write("folder", "a file now\n")
    (repo.path / "linked").rename(repo.path / "moved")
    (repo.path / "linked").symlink_to("moved")
    (repo.path / "to-link").unlink()
    (repo.path / "to-link").symlink_to("app.py")
    (repo.path / "link").unlink()
    repo.write("link", "a file now\n")


def deletions(repo: Repo) -> None:
    repo.commit("before", {"a": "1\n", "b": "2\n", "deep/er/c": "3\n"})
    repo.git("rm", "--quiet", "--cached", "a")
    (repo.path / "b").unlink()
    repo.git("mv", "deep/er/c", "d")


def ignored(repo: Repo) -> None:
    repo.write(".gitignore", "*.log\nbuild/\n")
    repo.write("sub/.gitignore", "!kept.log\n/own\n")
    for name in ("a.log", "build/x", "sub/kept.log", "sub/own", "sub/deep/own", "hidden"):
        repo.write(name, f"{name}\n")
    (repo.path / ".git/info").mkdir(exist_ok=True)
    (repo.path / ".git/info/exclude").write_text("hidden\n")
    repo.write("tracked.log", "1\n")
    repo.git("add", "--force", "tracked.log")
    repo.write("tracked.log", "2\n")


def line_ends(repo: Repo) -> None:
    repo.git("config", "core.autocrlf", "true")
    repo.write(".gitattributes", "*.bat eol=crlf\n*.raw -text\n*.u16 working-tree-encoding=UTF-16LE\n*.id ident\n")
    for name in ("app.py", "a.txt", "b.bat", "c.raw"):
        repo.write(name, b"one\r\ntwo\r\n")
    repo.write("d.u16", "words\n".encode("utf-16-le"))
    repo.write("e.id", "$Id: something $\n")


def names(repo: Repo) -> None:
    for name in ("two\nlines", "tab\there", "caf\u00e9", ":(top)x", "-n", 'quo"te', "back\\slash", " blank ", "HEAD"):
        repo.write(name, "1\n")
    Path(os.fsdecode(os.fsencode(repo.path) + b"/no-utf8-\xff")).write_text("1\n")


def sparse(repo: Repo) -> None:
    repo.commit("before", {"in/a": "1\n", "out/b": "1\n"})
    repo.git("sparse-checkout", "set", "--sparse-index", "in")
    repo.write("in/a", "2\n")
    repo.write("in/new", "1\n")


def submodule(repo: Repo) -> None:
    inner = Repo(repo.path / "inner", repo.environ)
    repo.git("init", "--quiet", "inner")
    inner.commit("one", {"a": "1\n"})
    repo.commit("with it", {"nested": "a file\n"})
    (repo.path / "nested").unlink()
    repo.git("init", "--quiet", "nested")
    Repo(repo.path / "nested", repo.environ).commit("one", {"c": "1\n"})
    inner.commit("two", {"a": "2\n"})
    inner.write("a", "3\n")
    repo.git("init", "--quiet", "other")
    Repo(repo.path / "other", repo.environ).commit("one", {"b": "1\n"})


def nothing(_: Repo) -> None:
    pass


STATES: dict[str, Callable[[Repo], None]] = {
    state.__name__: state
    for state in (
        nothing,
        staged_and_not,
        modes,
        kinds,
        deletions,
        ignored,
        line_ends,
        names,
        sparse,
        submodule,
    )
}


@pytest.mark.parametrize("state", STATES.values(), ids=STATES.keys())
def test_the_tree_is_the_one_that_git_would_commit_and_nothing_changes(
    repo: Repo, state: Callable[[Repo], None]
) -> None:
    state(repo)
    before = looks(repo)
    found = uncommitted_subject(open_repository(str(repo.path)))
    assert looks(repo) == before
    assert (found.commit, found.base, found.base_label) == (None, repo.head, "HEAD")
    assert found.tree == committed_tree(repo)


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_before_the_first_commit_everything_is_new(make_repo: MakeRepo, object_format: str) -> None:
    repo = make_repo(object_format=object_format)
    repo.write("a", "1\n")
    before = looks(repo)
    found = uncommitted_subject(open_repository(str(repo.path)))
    assert looks(repo) == before
    assert (found.base in EMPTY_TREES, found.base_label) == (True, "the empty tree")
    assert len(found.base) == len(found.tree)
    assert found.tree == committed_tree(repo)


def test_the_index_that_git_gives_a_hook_is_the_one_that_counts(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write("app.py", "changed\n")
    repo.write("skipped", "1\n")
    repo.git("add", "-A")
    (repo.path / ".git/index").rename(repo.path / ".git/next-index")
    (repo.path / "skipped").unlink()
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/next-index")
    found = tree_of(repo)
    repo.git("add", "-A", GIT_INDEX_FILE=".git/next-index")
    assert found == repo.git("write-tree", GIT_INDEX_FILE=".git/next-index")


def test_a_linked_work_tree_is_the_one_that_counts(repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "--quiet", "../linked", "-b", "linked")
    linked = Repo(tmp_path / "linked", repo.environ)
    linked.write("here", "1\n")
    repo.write("there", "1\n")
    assert tree_of(linked) == committed_tree(linked)
    (tmp_path / "linked/below").mkdir()
    linked.write("more", "1\n")
    found = uncommitted_subject(open_repository(str(tmp_path / "linked/below")))
    assert found.tree == committed_tree(linked)


def test_a_file_that_was_changed_in_the_moment_of_the_index_is_seen(repo: Repo) -> None:
    repo.git("config", "core.trustctime", "false")
    path = repo.write("app.py", "print('hullo')\n")
    os.utime(path, LONG_AGO)
    repo.git("add", "app.py")
    path.write_text("print('hallo')\n")
    # Same size, same time, and the index is no younger: only the content tells.
    os.utime(path, LONG_AGO)
    os.utime(repo.path / ".git/index", LONG_AGO)
    assert tree_of(repo) == committed_tree(repo)
    assert repo.git("show", "HEAD:app.py") == "print('hallo')"


def refusal(repo: Repo) -> tuple[str, str, str]:
    with pytest.raises(MisuseError) as caught:
        tree_of(repo)
    assert not list((repo.path / ".git/review-gate/tmp").glob("*"))
    return caught.value.what, caught.value.why, caught.value.next_step


def test_an_index_with_conflicts_is_refused(repo: Repo) -> None:
    repo.branch_off("side", "side", {"app.py": "side\n"})
    repo.commit("main", {"app.py": "main\n"})
    assert repo.run("git", "merge", "side").returncode == 1
    assert refusal(repo) == (
        "the index holds unresolved conflicts",
        "what would be committed is not decided yet",
        "resolve them and git add, then review-gate spawn-code-review --uncommitted",
    )


@pytest.mark.parametrize("key", ["clean", "process"])
def test_no_filter_is_started_and_what_the_user_added_is_taken_as_it_is(repo: Repo, key: str) -> None:
    canary, name = repo.path.parent / "canary", "evil"
    repo.commit("before", {".gitattributes": f"*.big filter={name}\n", "old.big": "1\n", "same.big": "1\n"})
    repo.git("config", f"filter.{name}.{key}", CANARY.format(canary))
    repo.git("config", f"filter.{name}.required", "true")
    repo.write("old.big", "2\n")
    repo.write("plain.txt", "1\n")
    (repo.path / "link.big").symlink_to("plain.txt")
    assert refusal(repo) == (
        f"old.big would go through the filter {name!r} on its way into git",
        "that is a program of your settings, which a review does not start; only git add does",
        "git add -- old.big, then review-gate spawn-code-review --uncommitted",
    )
    assert not canary.exists()


def test_a_filtered_file_that_was_added_is_reviewed_as_the_filter_made_it(repo: Repo) -> None:
    canary = repo.path.parent / "canary"
    repo.commit("before", {".gitattributes": "*.big filter=short\n"})
    repo.git("config", "filter.short.clean", f"touch '{canary}'; cut -c1-3")
    path = repo.write("a.big", "a long line\n")
    os.utime(path, LONG_AGO)
    repo.git("add", "a.big")
    repo.write("b.txt", "1\n")
    (repo.path / "link.big").symlink_to("b.txt")
    canary.unlink()
    found = tree_of(repo)
    assert not canary.exists()
    assert found == committed_tree(repo)
    assert repo.git("show", "HEAD:a.big") == "a l"


def test_no_program_of_the_repository_is_started(repo: Repo) -> None:
    canary = repo.path.parent / "canary"
    script = repo.path.parent / "script"
    script.write_text(f"#!/bin/sh\ntouch '{canary}'\n")
    script.chmod(0o755)
    repo.git("config", "core.fsmonitor", str(script))
    repo.git("config", "diff.external", str(script))
    repo.git("config", "diff.evil.textconv", str(script))
    hooks = repo.path / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-index-change", "pre-commit"):
        (hooks / name).symlink_to(script)
    inner = Repo(repo.path / "inner", repo.environ)
    repo.git("init", "--quiet", "inner")
    inner.commit("one", {".gitattributes": "* filter=evil\n", "a": "1\n"})
    repo.run("git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "add", "inner")
    inner.git("config", "filter.evil.clean", f"touch '{canary}'; cat")
    inner.write("a", "2\n")
    repo.write("app.py", "changed\n")
    repo.write(".gitattributes", "*.py diff=evil\n")
    canary.unlink(missing_ok=True)
    assert len(tree_of(repo)) == 40
    assert not canary.exists()
