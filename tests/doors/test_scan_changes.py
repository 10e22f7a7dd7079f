"""review-gate scan over what is staged and over commits: added lines only, from git's objects and not from the disk."""

from __future__ import annotations

import os

import pytest
from conftest import MakeRepo, Repo
from scanning import EVAL, TODO, put_checks, ready, refused, report, scan, seen

pytestmark = pytest.mark.usefixtures("same_world")
BAD = 'x = eval("1")\n'
OLD = f"first = 1\n{BAD}last = 1\n"


@pytest.fixture
def checked(repo: Repo) -> Repo:
    """A repository in which old.py was bad before."""
    ready(repo, EVAL, TODO)
    repo.commit("old", {"old.py": OLD})
    return repo


def staged(repo: Repo, files: dict[str, str | bytes]) -> list[str]:
    """What a scan says of these files, staged."""
    for name, content in files.items():
        repo.write(name, content)
    repo.git("add", "-A")
    return seen(repo, "--staged")


# Added lines


@pytest.mark.parametrize(
    ("new", "lines"),
    [
        (OLD.replace("last = 1", "last = 2"), []),
        (BAD + OLD, [1]),
        (OLD + BAD, [4]),
        (OLD + BAD.rstrip("\n"), [4]),
        (f"first = 1\nlast = 1\n{BAD}", [3]),
        (OLD.replace("\n", "\r\n"), [2]),
        (OLD.replace(BAD, ""), []),
        (OLD.replace('"1"', '"2"'), [2]),
        (OLD.replace("\n", "\r"), [2]),
    ],
    ids=["elsewhere", "in front", "behind", "no newline", "moved", "crlf", "removed", "changed", "cr"],
)
def test_only_lines_that_are_new_are_judged(checked: Repo, new: str, lines: list[int]) -> None:
    assert staged(checked, {"old.py": new.encode()}) == [f"old.py:{line}" for line in lines]
    checked.git("commit", "--quiet", "-m", "new")
    assert seen(checked, "--diff", "HEAD~1..HEAD") == [f"old.py:{line}" for line in lines]


def test_a_file_that_only_moved_is_not_new_and_one_with_other_content_or_a_copy_is(checked: Repo) -> None:
    checked.git("mv", "old.py", "renamed.py")
    assert seen(checked, "--staged") == []
    assert staged(checked, {"second.py": OLD}) == ["second.py:2"]
    (checked.path / "second.py").unlink()
    assert staged(checked, {"renamed.py": OLD + "more = 1\n"}) == ["renamed.py:2"]


def test_a_file_that_moved_under_a_check_or_out_of_an_excluded_folder_is_looked_at(checked: Repo) -> None:
    checked.write("checks/jobs.yaml", "checks:\n  - {id: no-all, pattern: write-all, include: ['jobs/*.yml']}\n")
    checked.write(".review-gate.yaml", "version: 1\nchecks: {packs: [], exclude: [vendor/**]}\n")
    checked.commit("old", {"a.yml": "permissions: write-all\n", "vendor/b.py": BAD})
    (checked.path / "jobs").mkdir()
    checked.git("mv", "a.yml", "jobs/a.yml")
    checked.git("mv", "vendor/b.py", "b.py")
    found = [(one["file"], one["rule"]) for one in report(checked, "--staged")["findings"]]
    assert found == [("b.py", "no-eval"), ("jobs/a.yml", "no-all")]


def test_modes_deletions_and_submodules_have_no_lines_to_judge_and_a_link_has_its_target(
    checked: Repo, make_repo: MakeRepo
) -> None:
    other = make_repo("other")
    other.commit("one", {"bad.py": BAD})
    checked.commit("more", {"to-link.py": BAD, "gone.py": BAD})
    os.chmod(checked.path / "old.py", 0o755)
    (checked.path / "to-link.py").unlink()
    (checked.path / "to-link.py").symlink_to("eval(x)")
    checked.git("rm", "--quiet", "gone.py")
    checked.git("clone", "--quiet", str(other.path), "part")
    assert staged(checked, {"app.py": BAD}) == ["app.py:1", "to-link.py:1"]
    assert seen(checked, "--staged", "old.py", "gone.py") == []


def test_attributes_cannot_hide_a_file(checked: Repo) -> None:
    for attributes in ("*.py -diff\n", "*.py binary\n", "*.py diff=own\n", "*.py export-ignore filter=own\n"):
        checked.write(".gitattributes", attributes)
        assert staged(checked, {"old.py": OLD + BAD}) == ["old.py:4"], attributes


def test_checks_for_whole_files_and_for_added_lines_keep_to_their_scope(checked: Repo) -> None:
    put_checks(
        checked,
        {"id": "whole", "pattern": "eval(", "scope": ["whole_file"]},
        {"id": "added", "pattern": "eval(", "scope": ["added_lines"]},
        {"id": "both", "pattern": "eval(", "scope": ["added_lines", "whole_file"]},
        {"id": "message", "pattern": "eval(", "scope": ["commit_message"]},
        {"id": "plan", "pattern": "eval(", "scope": ["plan", "prompt"]},
    )
    checked.git("add", "-A")
    checked.git("commit", "--quiet", "-m", "checks")
    found = staged(checked, {"old.py": OLD + BAD})
    assert found == ["old.py:2 whole", "old.py:4 added", "old.py:4 both", "old.py:4 whole"]
    new = report(checked, "old.py")
    assert [one["rule"] for one in new["findings"]] == ["both", "whole", "both", "whole"]
    assert new["notes"] == ["1 check looks at added lines only, so at nothing here (--staged or --diff)"]
    places = {"plan": "plan", "prompt": "plan", "commit-message": "message"}
    for place, rule in places.items():
        assert seen(checked, "-", "--as", place, stdin=BAD) == [f"standard input:1 {rule}"]


def test_a_match_over_several_lines_counts_when_one_of_them_is_new(checked: Repo) -> None:
    put_checks(checked, {"id": "pair", "pattern": r"first = \d\nx", "match_rule": "regex"})
    assert staged(checked, {"old.py": OLD.replace("first = 1", "first = 2")}) == ["old.py:1 pair"]
    assert staged(checked, {"old.py": OLD.replace('"1"', '"2"')}) == ["old.py:1 pair"]
    assert staged(checked, {"old.py": OLD + "more\n"}) == []


# What is staged


def test_a_file_with_a_conflict_is_named_and_the_others_are_judged(checked: Repo) -> None:
    checked.branch_off("side", "theirs", {"app.py": "theirs = 1\n"})
    checked.commit("ours", {"app.py": "ours = 1\n"})
    assert checked.run("git", "merge", "side").returncode == 1
    checked.write("old.py", OLD + BAD)
    checked.git("add", "old.py")
    found = report(checked, "--staged")
    assert found["failures"] == ["app.py: it has a conflict that is not resolved, so no staged version"]
    assert [one["line"] for one in found["findings"]] == [4]
    assert report(checked, "--staged", "old.py")["failures"] == []


def test_paths_narrow_a_change_and_a_wrong_one_is_refused(checked: Repo) -> None:
    found = staged(checked, {"a.py": BAD, "src/b.py": BAD, "srcs.py": BAD})
    assert found == ["a.py:1", "src/b.py:1", "srcs.py:1"]
    assert seen(checked, "--staged", "src") == ["src/b.py:1"]
    assert seen(checked, "--staged", "a.py", "src/b.py") == ["a.py:1", "src/b.py:1"]
    assert seen(checked, "--staged", str(checked.path)) == found
    assert seen(checked, "--staged", "old.py", "a.py") == ["a.py:1"]
    assert refused(scan(checked, "--staged", "old.py", "app.py")) == (
        "error: none of the files that are named is staged\n"
        "  why:   a scan of nothing would look like a passed one\n"
        "  next:  the same without --staged (whole files), or review-gate scan --diff A..B (what commits add)\n"
    )
    assert refused(scan(checked, "--staged", "a.yp")) == (
        "error: a.yp: there is no such file or folder\n"
        "  why:   a scan of nothing would look like a passed one\n"
        "  next:  review-gate scan PATH, with a path that exists\n"
    )


# Ranges


@pytest.fixture
def forked(checked: Repo) -> Repo:
    """main has one bad commit of its own, side two."""
    checked.git("branch", "start")
    checked.git("switch", "--quiet", "--create", "side")
    checked.commit("one", {"one.py": BAD})
    checked.commit("two", {"two.py": BAD})
    checked.git("switch", "--quiet", "main")
    checked.commit("drift", {"drift.py": BAD + "drift = 1\n"})
    return checked


RANGES: tuple[tuple[str, list[str]], ...] = (
    ("start..side", ["one.py:1", "two.py:1"]),
    ("main...side", ["one.py:1", "two.py:1"]),
    ("side..main", ["drift.py:1"]),
    ("start", ["drift.py:1"]),
    ("side...", ["drift.py:1"]),
    ("main..main", []),
    ("start..:/^two", ["one.py:1", "two.py:1"]),
)


def test_a_range_is_what_its_commits_change(forked: Repo) -> None:
    for named, expected in RANGES:
        assert seen(forked, "--diff", named) == expected, named


NOT_A_COMMIT = (
    "error: {!r} is not a commit here\n"
    "  why:   a range compares two commits\n"
    "  next:  review-gate scan --diff main...HEAD, with names that git log knows\n"
)


def test_a_range_that_names_no_commit_is_refused(checked: Repo) -> None:
    for named, wrong in (
        ("nowhere..HEAD", "nowhere"),
        ("HEAD..nowhere", "nowhere"),
        ("HEAD..HEAD..HEAD", "HEAD..HEAD"),
        ("", ""),
        ("HEAD^{tree}", "HEAD^{tree}"),
        (":/nobody said this", ":/nobody said this"),
        ("^HEAD", "^HEAD"),
    ):
        assert refused(scan(checked, "--diff", named)) == NOT_A_COMMIT.format(wrong)
    assert refused(scan(checked, "--diff=--output=pwned")) == NOT_A_COMMIT.format("--output=pwned")
    assert not (checked.path / "pwned").exists()
    tree = checked.git("rev-parse", "HEAD^{tree}")
    lone = checked.git("commit-tree", "-m", "lone", tree)
    assert refused(scan(checked, "--diff", f"{lone}...HEAD")) == (
        "error: the two commits have no common history\n"
        "  why:   three dots mean: since they parted\n"
        "  next:  review-gate scan --diff A..B, with two dots\n"
    )


# Old findings


def test_a_repeated_known_line_is_a_new_finding_and_a_moved_one_is_not(checked: Repo) -> None:
    assert scan(checked, "--update-baseline").returncode == 0
    checked.git("add", "-A")
    checked.git("commit", "--quiet", "-m", "known")
    assert staged(checked, {"old.py": OLD + BAD}) == ["old.py:4"]
    assert staged(checked, {"old.py": f"first = 1\nlast = 1\n{BAD}"}) == []
    assert staged(checked, {"old.py": BAD + BAD + OLD.replace(BAD, "")}) == ["old.py:2"]


def test_suppressions_are_called_unused_only_where_lines_were_looked_at(checked: Repo) -> None:
    unused = "x = 1  # review-gate: ignore[no-eval] it was here once\n"
    checked.commit("unused", {"app.py": unused})
    assert staged(checked, {"app.py": unused + "y = 2\n"}) == []
    assert staged(checked, {"app.py": unused + unused}) == ["app.py:2 suppression-unused"]
    assert seen(checked, "app.py") == ["app.py:1 suppression-unused", "app.py:2 suppression-unused"]
    reasoned = BAD.rstrip("\n") + "  # review-gate: ignore[no-eval] a constant\n"
    assert staged(checked, {"app.py": unused + reasoned}) == []
    assert report(checked, "--staged")["summary"]["suppressed"] == 1
    assert staged(checked, {"app.py": unused + BAD.rstrip("\n") + "  # review-gate: ignore[no-eval]\n"}) == [
        "app.py:2",
        "app.py:2 suppression-without-reason",
    ]


def test_old_lines_count_that_a_change_makes_a_finding_or_shows_to_a_check_for_the_first_time(gated: Repo) -> None:
    python = {"id": "sys", "pattern": "system(", "languages": ["python"], "reason": "a shell"}
    code = {"id": "code", "pattern": "FOO", "scope": ["code"], "reason": "no"}
    ready(gated, EVAL, python, code)
    far, allowed = "x = 1\n" * 40, "# review-gate: ignore[no-eval] a constant\n"
    commented = f"/*\nFOO();\n*/\n{far}FOO();\n"
    before = {"s.py": allowed + BAD, "tool": f"# helper\n{far}system(a)\n", "a.js": commented}
    binary = b"\x00\x01\xff\n" + BAD.encode()
    gated.commit("before", {**before, "data": binary})
    gated.write("s.py", BAD)
    gated.write("tool", "#!/usr/bin/env python3\n" + before["tool"])
    gated.write("a.js", f"FOO();\n{far}FOO();\n")
    gated.write("data", "text\n" + BAD)
    gated.git("add", "-A")
    expected = ["a.js:1 code", "data:2 no-eval", "s.py:1 no-eval", "tool:43 sys"]
    assert [f"{one['file']}:{one['line']} {one['rule']}" for one in report(gated, "--staged")["findings"]] == expected
    done = gated.run("git", "commit", "-m", "Change what stands around")
    assert [line.split(": ")[0].strip() for line in done.stderr.splitlines()[1:5]] == [
        one.split(" ", maxsplit=1)[0] for one in expected
    ]
