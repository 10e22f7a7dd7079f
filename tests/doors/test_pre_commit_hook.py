"""The door of `git commit`: what is staged is judged, and nothing else is touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from committing import (
    CONFLICT,
    OPEN_BRACKET,
    assert_refused,
    assert_silent,
    commit,
    refused_files,
    stage,
)
from conftest import MakeRepo, Repo
from installing import install
from scanning import set_config

pytestmark = pytest.mark.usefixtures("same_world")


# Content


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("tool", "#!/usr/bin/env python3\nx = (\n", f"tool:2: {OPEN_BRACKET}"),
        ("c.toml", "a = 1\nb = \n", "c.toml:2: this is not TOML: invalid value [syntax-toml]"),
        (
            "d.yaml",
            "a: [1\nb: 2\n",
            "d.yaml:2: this is not YAML: expected ',' or ']', but got ':', "
            "while parsing a flow sequence that begins in line 1 [syntax-yaml]",
        ),
        ("f.js", b"a\x00b", "f.js: not reviewed: binary [not-reviewed-binary]"),
    ],
    ids=["python by shebang", "toml", "yaml", "source with a NUL"],
)
def test_a_commit_is_refused_with_the_place_of_the_fault(
    gated: Repo, name: str, content: str | bytes, problem: str
) -> None:
    head = gated.head
    stage(gated, {name: content})
    assert_refused(commit(gated, "-m", "A change"), refused_files(problem))
    assert gated.head == head


@pytest.mark.parametrize("lines", [10, 20_000], ids=["little", "more than one file can have here"])
def test_files_of_many_kinds_are_refused_together(gated: Repo, lines: int) -> None:
    sound = "x = 1\n" * lines
    stage(gated, {"a.py": f"{sound}y = (\n", "b.py": sound, "c.toml": "a = \n", "d.yaml": "a: 1\na: 2\n"})
    problems = (
        f"a.py:{lines + 1}: {OPEN_BRACKET}",
        "c.toml:1: this is not TOML: invalid value [syntax-toml]",
        'd.yaml:2: duplicate key "a" [yaml-duplicate-key]',
    )
    assert_refused(commit(gated, "-m", "A change"), refused_files(*problems))


def test_a_commit_of_sound_files_is_silent(gated: Repo) -> None:
    files: dict[str, str | bytes] = {
        "app.py": "print((1))\n",
        "a/b.json": '{"a": 1}\n',
        "c.toml": "a = 1\n",
        "d.yaml": "a: [1]\nb: 2\n",
        "title.rst": "A title\n=======\n",
        "e.c": "int a; // עברית\n",
        "empty.py": "",
        "empty.yaml": "",
    }
    stage(gated, files)
    assert_silent(commit(gated, "-m", "A change"))
    assert gated.git("show", "--name-only", "--format=").split() == sorted(files)


def test_all_faults_are_shown_at_once_worst_first(gated: Repo) -> None:
    stage(gated, {"z.py": "(\n", "m.txt": CONFLICT, "a.bin": b"\0", "n.c": "int a\u200bb;\n"})
    done = commit(gated, "-m", "A change")
    lines = done.stderr.splitlines()
    assert (done.returncode, lines[0]) == (1, "blocked: 3 problems in the staged files")
    assert [line.split(":")[0] for line in lines[1:]] == ["  m.txt", "  z.py", "  n.c", "  a.bin", "  next"]


def test_a_fault_that_was_there_before_is_not_news(repo: Repo) -> None:
    repo.commit("old sins", {"notes.txt": CONFLICT, "e.c": "// \u202e\n"})
    install(repo)
    stage(repo, {"notes.txt": CONFLICT + "more\n", "e.c": "// \u202e\nint a;\n"})
    assert_silent(commit(repo, "-m", "A change"))


def test_a_binary_file_is_a_warning_until_the_configuration_blocks_it(gated: Repo) -> None:
    stage(gated, {"logo.png": b"\x89PNG\0", "more.bin": b"\0"})
    set_config(gated, "hygiene: {binary: block}\n")
    problems = [f"{name}: not reviewed: binary [not-reviewed-binary]" for name in ("logo.png", "more.bin")]
    assert_refused(commit(gated, "-m", "A picture"), refused_files(*problems))
    (gated.path / ".review-gate.yaml").unlink()
    done = commit(gated, "-m", "A picture")
    lines = "".join(f"  {problem}\n" for problem in problems)
    assert (done.returncode, done.stderr) == (0, f"review-gate: 2 warnings in the staged files\n{lines}")


# The index, not the disk


def test_a_sound_file_in_the_index_passes_whatever_is_on_the_disk(gated: Repo) -> None:
    stage(gated, {"new.py": "x = 1\n"})
    gated.write("new.py", "(\n")
    gated.write("app.py", "(\n")
    gated.write("unknown.py", "(\n")
    assert_silent(commit(gated, "-m", "A change"))


def test_a_broken_file_in_the_index_is_refused_whatever_is_on_the_disk(gated: Repo) -> None:
    stage(gated, {"new.py": "(\n"})
    gated.write("new.py", "x = 1\n")
    assert_refused(commit(gated, "-m", "A change"), refused_files(f"new.py:1: {OPEN_BRACKET}"))


@pytest.mark.parametrize("options", [("-a",), ("app.py",)], ids=["-a", "path"])
def test_what_commit_stages_by_itself_is_judged(gated: Repo, options: tuple[str, ...]) -> None:
    gated.write("app.py", "(\n")
    assert_refused(commit(gated, "-m", "A change", *options), refused_files(f"app.py:1: {OPEN_BRACKET}"))
    gated.write("app.py", "x = 2\n")
    assert_silent(commit(gated, "-m", "A change", *options))
    assert gated.git("show", "HEAD:app.py") == "x = 2"


def test_commit_of_a_path_leaves_other_staged_files_out_of_the_judgement(gated: Repo) -> None:
    stage(gated, {"broken.py": "(\n"})
    gated.write("app.py", "x = 2\n")
    assert_silent(commit(gated, "-m", "A change", "app.py"))
    assert gated.git("status", "--porcelain") == "A  broken.py"
    assert commit(gated, "-m", "A change", "-i", "app.py").returncode == 1


def test_an_interactive_patch_commit_is_judged_by_the_hunks_that_were_taken(gated: Repo) -> None:
    lines = "".join(f"x{number} = {number}\n" for number in range(30))
    gated.commit("long", {"long.py": lines})
    gated.write("long.py", "good = 1\n" + lines + "(\n")
    done = gated.run("git", "commit", "--quiet", "--patch", "-m", "A change", stdin="y\nn\n")
    assert done.returncode == 0, done.stderr
    assert gated.git("show", "HEAD:long.py").endswith("x29 = 29")


def test_the_first_commit_of_a_repository_is_judged(make_repo: MakeRepo) -> None:
    repo = make_repo(object_format="sha256")
    install(repo)
    stage(repo, {"app.py": "(\n", "a.yaml": "a: 1\n"})
    assert_refused(commit(repo, "-m", "First"), refused_files(f"app.py:1: {OPEN_BRACKET}"))
    stage(repo, {"app.py": "()\n"})
    assert_silent(commit(repo, "-m", "First"))
    stage(repo, {"app.py": "()\n(\n"})
    assert_refused(commit(repo, "-m", "Second"), refused_files(f"app.py:2: {OPEN_BRACKET}"))


def test_a_commit_in_a_linked_worktree_is_judged(gated: Repo) -> None:
    gated.git("worktree", "add", "--quiet", "../linked")
    linked = Repo(gated.path.parent / "linked", gated.environ)
    stage(linked, {"new.py": "(\n"})
    stage(gated, {"sound.py": "()\n"})
    assert_refused(commit(linked, "-m", "A change"), refused_files(f"new.py:1: {OPEN_BRACKET}"))
    linked.write("new.py", "()\n")
    assert_silent(commit(linked, "-a", "-m", "A change"))
    assert linked.git("show", "--name-only", "--format=") == "new.py"


# Odd entries


def test_a_moved_submodule_is_a_warning(gated: Repo, make_repo: MakeRepo) -> None:
    library = make_repo("library")
    library.commit("a library")
    gated.git("submodule", "--quiet", "add", str(library.path), "lib")
    done = commit(gated, "-m", "A library")
    assert (done.returncode, done.stderr) == (
        0,
        "review-gate: 1 warning in the staged files\n"
        f"  lib: not reviewed: the submodule now points at {library.head[:8]} [not-reviewed-submodule]\n",
    )


def test_a_symbolic_link_is_not_followed(gated: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("(\n")
    (gated.path / "link.py").symlink_to("app.py")
    (gated.path / "away.py").symlink_to("../outside.py")
    gated.git("add", "-A")
    done = commit(gated, "-m", "Links")
    assert (done.returncode, done.stderr) == (
        0,
        "review-gate: 1 warning in the staged files\n"
        "  away.py:1: symbolic link to a place outside the repository [link-outside]\n",
    )


ODD_NAMES = {
    "a\nb.py": ("a\\nb.py", "control character U+000A"),
    "q\"uo'te $(x) `y`.py": ("q\"uo'te $(x) `y`.py", ""),
    "\x1b[31mred.py": ("\\x1b[31mred.py", "control character U+001B"),
    "bidi\u202e.py": ("bidi<U+202E>.py", "hidden bidirectional control U+202E"),
    os.fsdecode(b"invalid\xff.py"): ("invalid\\xff.py", ""),
    "-rf.py": ("-rf.py", ""),
    ":(glob)*.py": (":(glob)*.py", ""),
}


def test_broken_files_with_odd_names_are_refused_and_their_names_cannot_harm(gated: Repo) -> None:
    stage(gated, dict.fromkeys(ODD_NAMES, "(\n"))
    broken = [f"  {shown}:1: {OPEN_BRACKET}" for shown, _ in ODD_NAMES.values()]
    hidden = sorted(f"  {shown}: {what} in the file's name" for shown, what in ODD_NAMES.values() if what)
    done = commit(gated, "-m", "A change")
    lines = done.stderr.split("\n")
    assert (done.returncode, sorted(line for line in lines if OPEN_BRACKET in line)) == (1, sorted(broken))
    assert sorted(line.partition(": what you see")[0] for line in lines if "in the file's name" in line) == sorted(
        hidden
    )
    stage(gated, dict.fromkeys(ODD_NAMES, "()\n"))
    done = commit(gated, "-m", "A change")
    assert (done.returncode, OPEN_BRACKET in done.stderr, done.stderr.count("in the file's name")) == (1, False, 3)


def test_a_file_over_the_limit_is_refused_unread(gated: Repo) -> None:
    gated.write(".git/info/exclude", ".review-gate.yaml\n")
    set_config(gated, "limits: {max_file_bytes: 1000}\n")
    stage(gated, {"big.txt": "x" * 1001, "fits.txt": "x" * 1000})
    done = commit(gated, "-m", "Big")
    assert done.returncode == 1
    assert [line.split(": not reviewed: ")[0] for line in done.stderr.splitlines()[1:-1]] == ["  big.txt"]
    assert "1,001" in done.stderr


# Nothing is touched


def state_of(repo: Repo) -> dict[str, object]:
    """Every file of the work tree with content and times, the index, the stashes and the refs."""
    paths = [path for path in sorted(repo.path.rglob("*")) if ".git" not in path.relative_to(repo.path).parts]
    files = {str(path): (path.lstat().st_mtime_ns, path.lstat().st_ino, path.lstat().st_mode) for path in paths}
    contents = {str(path): path.read_bytes() for path in paths if path.is_file()}
    index = repo.git("ls-files", "--stage"), repo.git("status", "--porcelain", "--untracked-files=all")
    return {"files": files, "contents": contents, "index": index, "refs": repo.git("for-each-ref"), "head": repo.head}


def go_on_working(repo: Repo) -> None:
    """Changes that are not in the index: of a file that is staged, of one that is not, and a new file."""
    repo.write("partly.py", "x = 2\n")
    repo.write("app.py", "unstaged (\n")
    repo.write("untracked/file.txt", "mine\n")


@pytest.mark.parametrize("broken", ["staged.py", "message"])
def test_a_refused_commit_leaves_the_work_tree_and_the_index_as_they_were(gated: Repo, broken: str) -> None:
    stage(gated, {"staged.py": "(\n" if broken == "staged.py" else "()\n", "partly.py": "x = 1\n"})
    go_on_working(gated)
    before = state_of(gated)
    assert commit(gated, "-m", "wip").returncode == 1
    assert state_of(gated) == before


def test_a_commit_that_passes_leaves_unstaged_and_untracked_files_as_they_were(gated: Repo) -> None:
    stage(gated, {"staged.py": "()\n", "partly.py": "x = 1\n"})
    go_on_working(gated)
    before = state_of(gated)
    assert_silent(commit(gated, "-m", "A change"))
    after = state_of(gated)
    assert (after["files"], after["contents"]) == (before["files"], before["contents"])
    assert gated.git("status", "--porcelain", "--untracked-files=all").split("\n") == [
        "M app.py",
        " M partly.py",
        "?? untracked/file.txt",
    ]
    assert gated.git("stash", "list") == ""
