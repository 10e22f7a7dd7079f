"""Which lines are new, as git counts them, whatever the repository configures."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import MakeRepo, Repo
from opening import git_of

from review_gate.checks.new_lines import overlap
from review_gate.shell.added_lines import MOST_NAMED, AddedLines

# Name, old version, new version and the lines that are new.
CHANGES: dict[str, tuple[bytes, bytes, list[int]]] = {
    "appended": (b"1\n2\n", b"1\n2\n3\n", [3]),
    "changed": (b"1\n2\n3\n", b"1\nx\n3\n", [2]),
    "deleted": (b"1\n2\n3\n", b"1\n3\n", []),
    # Other algorithms call other lines of this one new.
    "algorithm": (b"a\nb\nc\na\nb\nb\na\n", b"c\nb\na\nb\na\nc\n", [3, 6]),
    "several": (b"1\n2\n3\n4\n5\n6\n", b"1\nx\n3\n4\ny\nz\n6\n", [2, 5, 6]),
    "no newline before": (b"1\n2", b"1\n2\n3\n", [2, 3]),
    "crlf": (b"1\r\n2\r\n", b"1\r\n2\r\n3\r\n", [3]),
    "nul": (b"1\0\n2\n", b"1\0\n2\n3\n", [3]),
    "looks like a hunk": (b"1\n", b"1\n@@ -1 +7,9 @@\n+++ b/x\ndiff --git a/x b/x\n", [2, 3, 4]),
    "-dash": (b"1\n", b"1\n2\n", [2]),
    "*": (b"1\n", b"1\n2\n", [2]),
    "new\nline": (b"1\n", b"1\n2\n", [2]),
    ":(top)x": (b"1\n", b"1\n2\n", [2]),
    "ünï": (b"1\n", b"1\n2\n", [2]),
}
EXPECTED = {name: lines for name, (_, _, lines) in CHANGES.items()}
STAGED = ("diff-index", "--cached", "HEAD")
EXTERNAL = "sh -c 'echo ran >> ../ran; cat \"$2\"' --"


@pytest.fixture
def changed(make_repo: MakeRepo) -> Repo:
    """A repository in which all changes are staged."""
    repo = make_repo()
    repo.commit("old", {name: old for name, (old, _, _) in CHANGES.items()})
    for name, (_, new, _) in CHANGES.items():
        repo.write(name, new)
    repo.git("add", "-A")
    return repo


def added(repo: Repo, *names: str, compare: tuple[str, ...] = STAGED) -> dict[str, list[int]]:
    found = AddedLines(git_of(repo), compare)(names)
    return {name: [line for one in ranges for line in one] for name, ranges in found.items()}


def test_new_lines_are_those_that_git_shows(changed: Repo) -> None:
    assert added(changed, *CHANGES) == EXPECTED
    changed.git("commit", "--quiet", "-m", "new")
    assert added(changed, *CHANGES, compare=("diff-tree", "HEAD~1", "HEAD")) == EXPECTED


def test_a_name_stands_for_nothing_but_itself(changed: Repo) -> None:
    for name in ("*", ":(top)x", "new\nline", "-dash"):
        assert added(changed, name) == {name: [2]}


def test_nothing_that_the_repository_configures_changes_the_answer(changed: Repo) -> None:
    for name, value in {
        "diff.external": EXTERNAL,
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "diff.algorithm": "histogram",
        "diff.context": "9",
        "diff.interHunkContext": "9",
        "diff.colorMoved": "zebra",
        "diff.renames": "copies",
        "diff.relative": "true",
        "diff.submodule": "log",
        "diff.ignoreSubmodules": "all",
        "diff.wsErrorHighlight": "all",
        "diff.suppressBlankEmpty": "true",
        "diff.orderFile": "order",
        "color.ui": "always",
        "core.quotePath": "true",
        "core.whitespace": "trailing-space",
        "core.pager": EXTERNAL,
        "core.fsmonitor": EXTERNAL,
        "diff.own.textconv": EXTERNAL,
        "diff.own.command": EXTERNAL,
        "diff.own.binary": "true",
        "diff.own.xfuncname": "^(.*)$",
        "diff.own.algorithm": "histogram",
    }.items():
        changed.git("config", name, value)
    changed.write("order", "ünï\n-dash\n")
    for attributes in ("* diff=own\n", "* -diff\n", "* binary\n", "* text eol=crlf\n"):
        changed.write(".gitattributes", attributes)
        assert added(changed, *CHANGES) == EXPECTED, attributes
    assert not (changed.path.parent / "ran").exists()


def test_a_changed_mode_adds_no_line_and_a_changed_type_adds_all(make_repo: MakeRepo) -> None:
    repo = make_repo()
    repo.commit("old", {"mode": "1\n", "to link": "1\n2\n", "kept": "1\n"})
    (repo.path / "from link").symlink_to("nowhere")
    repo.commit("link", {"other": "1\n"})
    os.chmod(repo.path / "mode", 0o755)
    for name in ("to link", "from link"):
        (repo.path / name).unlink()
    (repo.path / "to link").symlink_to("somewhere")
    repo.write("from link", "1\n2\n")
    repo.write("kept", "1\n2\n")
    repo.git("add", "-A")
    expected = {"mode": [], "to link": [1], "from link": [1, 2], "kept": [2]}
    assert added(repo, "mode", "to link", "from link", "kept") == expected


def test_renamed_new_and_deleted_files_and_submodules_stand_beside_the_others(
    make_repo: MakeRepo, tmp_path: Path
) -> None:
    other = make_repo("other")
    first = other.commit("one")
    other.commit("two")
    repo = make_repo()
    repo.git("clone", "--quiet", str(other.path), "part")
    repo.git("-C", "part", "checkout", "--quiet", first)
    repo.commit("old", {"a": "1\n2\n3\n4\n", "gone": "1\n", "z": "1\n"})
    repo.git("mv", "a", "b")
    repo.git("rm", "--quiet", "gone")
    repo.git("-C", "part", "checkout", "--quiet", "main")
    repo.write("new", "1\n")
    repo.write("z", "1\n2\n")
    repo.git("add", "-A")
    repo.git("config", "diff.submodule", "log")
    names = ("a", "b", "gone", "part", "new", "z")
    expected = {"a": [], "b": [1, 2, 3, 4], "gone": [], "part": [1], "new": [1], "z": [2]}
    assert added(repo, *names) == expected
    assert added(repo, *names, *(f"more-{number}" for number in range(MOST_NAMED))) == expected


def test_it_is_known_of_each_file_whether_a_nul_or_a_suppression_went(make_repo: MakeRepo) -> None:
    repo = make_repo("gone")
    mark = "# review-gate: ignore[a] b\n"
    before: dict[str, str | bytes] = {"binary": b"\0\n1\n", "marked": f"{mark}1\n", "plain": "2\n1\n", "stays": mark}
    repo.commit("before", before)
    for name in before:
        repo.write(name, f"{mark}1\n" if name == "stays" else "1\n")
    repo.git("add", "-A")
    found = AddedLines(git_of(repo), ("diff-index", "--cached", "HEAD"))(list(before))
    assert {name for name, one in found.items() if one.drop_nul} == {"binary"}
    assert {name for name, one in found.items() if one.drop_marker} == {"marked"}


@pytest.mark.parametrize(
    ("ours", "theirs", "both"),
    [
        ([], [range(1, 3)], []),
        ([range(1, 3)], [range(3, 5)], []),
        ([range(1, 9)], [range(2, 4), range(6, 20)], [2, 3, 6, 7, 8]),
        ([range(1, 2), range(4, 8), range(9, 10)], [range(1, 5), range(7, 10)], [1, 4, 7, 9]),
        ([range(3, 3)], [range(1, 9)], []),
    ],
)
def test_lines_are_new_that_are_new_to_both(ours: list[range], theirs: list[range], both: list[int]) -> None:
    assert [line for lines in overlap(ours, theirs) for line in lines] == both
    assert [line for lines in overlap(theirs, ours) for line in lines] == both
