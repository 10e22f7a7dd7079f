"""review-gate scan over files and folders: which are looked at, how they are called, what it ends with."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import pytest
from conftest import MakeRepo, Repo
from scanning import CHECKS, EVAL, TODO, check_file, put_checks, ready, refused, report, scan, seen, settings, warm

from review_gate.cli.scan import add_arguments, usual_arguments
from review_gate.shell.parallel import WORTH_FILES
from review_gate.workflows.scan import MANY_FILES

pytestmark = pytest.mark.usefixtures("same_world")
BAD = 'x = eval("1")\n'


@pytest.fixture
def checked(repo: Repo) -> Repo:
    """A repository with the checks no-eval and todo."""
    return ready(repo, EVAL, TODO)


# What is named


def test_the_files_that_were_named_are_looked_at_each_once(checked: Repo) -> None:
    everything = ["bad.py:1", "src/deep/one.py:1", "src/two.py:1"]
    for name in ("bad.py", "src/two.py", "src/deep/one.py"):
        checked.write(name, BAD)
    for named, expected in (
        (["bad.py"], ["bad.py:1"]),
        (["src"], ["src/deep/one.py:1", "src/two.py:1"]),
        (["src/two.py", "bad.py"], ["bad.py:1", "src/two.py:1"]),
        (["src/two.py", "./src/two.py", "src"], ["src/deep/one.py:1", "src/two.py:1"]),
        (["app.py"], []),
        ([], everything),
        (["--all"], everything),
    ):
        assert seen(checked, *named) == expected, named


def test_a_repository_inside_is_left_out_and_told_and_can_be_named(checked: Repo) -> None:
    for name in ("lib/inner", "vendor/other", "b"):
        checked.git("init", "--quiet", name)
        checked.write(f"{name}/bad.py", BAD)
        checked.git("-C", name, "add", "-A")
        checked.git("-C", name, "commit", "--quiet", "--no-verify", "-m", "inner")
    put_checks(checked, EVAL, TODO, exclude=["vendor/**"])
    assert scan(checked, "--all").stdout == (
        "note: left out: 2 repositories inside this one, first b; review-gate scan b looks at it\n"
        "no problems; 3 files, 2 checks\n"
    )
    assert scan(checked, "lib").stdout == (
        "note: left out: 1 repository inside this one, lib/inner; review-gate scan lib/inner looks at it\n"
        "note: no file was looked at: there is none, or git ignores it, or checks.exclude leaves it out\n"
        "no problems; 0 files, 2 checks\n"
    )
    assert seen(checked, "lib/inner") == ["lib/inner/bad.py:1"]


def test_a_folder_holds_what_git_tracks_and_what_it_does_not_ignore(checked: Repo) -> None:
    for name in ("new.py", "ignored.py", "build/out.py", "kept.py"):
        checked.write(name, BAD)
    checked.git("add", "kept.py")
    checked.write(".gitignore", "ignored.py\nbuild/\nkept.py\n")
    assert seen(checked) == ["kept.py:1", "new.py:1"]
    assert seen(checked, "ignored.py") == ["ignored.py:1"]
    assert scan(checked, "build").stdout == (
        "note: no file was looked at: there is none, or git ignores it, or checks.exclude leaves it out\n"
        "no problems; 0 files, 2 checks\n"
    )


def test_a_file_with_checks_is_not_searched_for_them_however_it_is_named(checked: Repo) -> None:
    checked.write("sub/mine.yaml", check_file(EVAL))
    checked.write("sub/other.yaml", check_file(EVAL))
    inner = Repo(checked.path / "sub", checked.environ)
    found = ["checks/own.yaml:1", "sub/other.yaml:1"]
    for name in ("sub/mine.yaml", "./sub/mine.yaml", "sub/../sub/mine.yaml", str(checked.path / "sub/mine.yaml")):
        assert seen(checked, "--checks", name, ".") == found, name
    assert seen(inner, "--checks", "./mine.yaml", "--all") == found
    outside = Repo(checked.path.parent, checked.environ)
    assert seen(outside, "--checks", "./repo/sub/mine.yaml", "repo/sub") == ["repo/sub/other.yaml:1"]


def test_links_in_a_folder_are_left_out_and_a_link_that_is_named_is_followed(checked: Repo, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "far.py").write_text(BAD)
    (checked.path / "link.py").symlink_to(outside / "far.py")
    (checked.path / "folder").symlink_to(outside)
    (checked.path / "gone.py").symlink_to("nowhere")
    assert seen(checked) == []
    checked.git("add", "-A")
    assert seen(checked) == []
    assert seen(checked, "link.py") == ["link.py:1"]
    assert seen(checked, "folder") == ["folder/far.py:1"]


NAMES = ("-", "-dash.py", ":(glob)x.py", "new\nline.py", "tab\t.py", "with blank.py", "ünï.py", "*.py", "a'b\"c.py")


def test_any_name_can_be_scanned(checked: Repo) -> None:
    for name in NAMES:
        checked.write(name, BAD)
    expected = sorted(f"{name}:1" for name in NAMES)
    assert seen(checked) == expected
    assert seen(checked, "--", *NAMES) == expected
    checked.git("add", "-A")
    assert seen(checked, "--all") == expected
    assert seen(checked, "--staged") == expected
    assert seen(checked, "--staged", "--", *NAMES) == expected
    checked.commit("names", dict.fromkeys(NAMES, BAD + BAD))
    checked.commit("more", dict.fromkeys(NAMES, BAD * 3))
    assert seen(checked, "--diff", "HEAD~1..HEAD") == sorted(f"{name}:3" for name in NAMES)


def test_behind_two_dashes_one_dash_is_a_file_and_elsewhere_standard_input(checked: Repo) -> None:
    checked.write("-", BAD)
    assert seen(checked, "--", "-", stdin="fine = 1\n") == ["-:1"]
    assert seen(checked, "--fail-on", "major", "--", "app.py", "-") == ["-:1"]
    assert seen(checked, "-", stdin="\n" + BAD) == ["standard input:2"]
    assert seen(checked, "./-") == ["-:1"]
    (checked.path / "-").unlink()
    assert refused(scan(checked, "--", "-", stdin=BAD)).startswith("error: ./-: there is no such file or folder\n")


def test_a_name_that_is_not_utf_8_is_shown_safely_in_every_format(checked: Repo) -> None:
    name = os.fsdecode(b"caf\xe9.py")
    checked.write(name, BAD)
    checked.git("add", "-A")
    for arguments in ([name], [], ["--staged"]):
        assert "caf" in report(checked, *arguments)["findings"][0]["file"]
        assert scan(checked, *arguments).stdout.startswith("caf\\xe9.py:1:5  major  no-eval")
    for form in ("sarif", "junit", "github"):
        assert scan(checked, "--format", form).returncode == 1


def test_several_processes_find_what_one_finds(checked: Repo) -> None:
    put_checks(checked, EVAL, TODO, max_file_bytes=1000)
    for number in range(20):
        checked.write(f"{number:02}.py", f"# {number}\n" * number + BAD + "# TODO\n")
        checked.write(f"large-{number:02}.py", "#" * 1001)
        checked.write(f"image-{number:02}.png", b"\x89PNG\0")
    checked.write("quiet.py", BAD.rstrip("\n") + "  # review-gate: ignore[no-eval] a constant\n")
    checked.write(os.fsdecode(b"caf\xe9.py"), BAD.encode() + b"# \xff TODO\n")
    alone = report(checked, "--jobs", "1")
    assert (len(alone["findings"]), len(alone["failures"]), alone["summary"]["suppressed"]) == (42, 20, 1)
    assert report(checked, "--jobs", "3") == alone


# Where a scan takes place


def test_what_one_process_found_before_others_join_in_is_told_once(checked: Repo) -> None:
    for number in range(MANY_FILES):
        checked.write(f"tracked/{number}.py", BAD)
    checked.git("add", "tracked")
    # So many that, with the processors to do it, several processes look at them.
    for number in range(2 * WORTH_FILES):
        checked.write(f"other/{number}.py", "")
    found = report(checked)
    assert len(found["findings"]) == MANY_FILES
    assert found["summary"]["files"] == MANY_FILES + 2 * WORTH_FILES + 3


def test_in_a_subfolder_paths_are_relative_to_it_and_reports_to_the_top(checked: Repo) -> None:
    checked.write("bad.py", BAD)
    checked.write("src/inner.py", BAD)
    inner = Repo(checked.path / "src", checked.environ)
    assert seen(inner) == ["src/inner.py:1"]
    assert seen(inner, "inner.py", "../bad.py") == ["bad.py:1", "src/inner.py:1"]
    assert seen(inner, "--all") == ["bad.py:1", "src/inner.py:1"]
    checked.git("add", "-A")
    assert seen(inner, "--staged") == ["bad.py:1", "src/inner.py:1"]
    assert seen(inner, "--staged", ".") == ["src/inner.py:1"]
    assert seen(inner, "-", "--stdin-filename", "inner.py", stdin=BAD) == ["src/inner.py:1"]


def test_before_the_first_commit_a_scan_works(make_repo: MakeRepo) -> None:
    repo = put_checks(make_repo())
    warm(repo)
    repo.write("bad.py", BAD)
    assert seen(repo) == ["bad.py:1"]
    assert seen(repo, "--staged") == []
    repo.git("add", "-A")
    assert seen(repo, "--staged") == ["bad.py:1"]
    assert "'HEAD' is not a commit here" in refused(scan(repo, "--diff", "HEAD"))


def test_outside_a_repository_named_checks_and_those_of_the_folder_are_used(
    tmp_path: Path, world: dict[str, str]
) -> None:
    place = Repo(tmp_path / "plain", world)
    place.write("bad.py", BAD)
    place.write("sub/bad.py", BAD)
    place.write("mine.yaml", check_file(EVAL))
    assert seen(place, "--checks", "mine.yaml", ".") == ["bad.py:1", "sub/bad.py:1"]
    assert seen(place, "--checks", "mine.yaml", "--all") == ["bad.py:1", "sub/bad.py:1"]
    user = Path(world["XDG_CONFIG_HOME"]) / "review-gate/config.yaml"
    user.parent.mkdir(parents=True)
    user.write_text(settings())
    place.write(CHECKS, check_file(EVAL, TODO))
    place.write(".review-gate.yaml", settings(disable=["todo"]))
    assert seen(place, "-", stdin=BAD + "TODO\n") == ["standard input:1"]
    assert refused(scan(place, "--staged")) == (
        "error: this is not a git repository\n"
        "  why:   --staged and --diff ask git what changed\n"
        "  next:  review-gate scan PATH\n"
    )


def test_in_a_bare_repository_a_range_can_be_scanned_and_files_cannot(checked: Repo) -> None:
    checked.commit("bad", {"bad.py": BAD})
    checked.git("push", "--quiet", "origin", "main")
    bare = Repo(checked.path.parent / "repo.git", checked.environ)
    mine = ["--checks", str(checked.write("mine.yaml", check_file(EVAL)))]
    assert seen(bare, *mine, "--diff", "main~1..main") == ["bad.py:1"]
    for arguments in ([], ["--all"], ["--staged"]):
        assert refused(scan(bare, *mine, *arguments)) == (
            "error: a bare repository has no files to scan\n"
            "  why:   it has no work tree and nothing is staged in it\n"
            "  next:  review-gate scan --diff A..B\n"
        )


def test_a_repository_that_git_does_not_trust_is_not_taken_for_a_plain_folder(checked: Repo) -> None:
    inner = Repo(checked.path / "src", checked.environ | {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"})
    checked.write("src/inner.py", BAD)
    assert "git does not trust this repository" in refused(scan(inner))


# The command line


@pytest.mark.parametrize("what", ["--staged", "--all"])
@pytest.mark.parametrize("jobs", [(), ("--jobs", "007")], ids="/".join)
@pytest.mark.parametrize("paths", [(), ("a b", "c/d", ".")], ids="/".join)
def test_the_usual_command_lines_mean_what_the_parser_makes_of_them(
    what: str, jobs: tuple[str, ...], paths: tuple[str, ...]
) -> None:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    add_arguments(parser)
    arguments = [what, *jobs, *paths]
    usual = usual_arguments(arguments)
    assert usual is not None
    assert vars(usual) == vars(parser.parse_args(arguments))


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["a", "--staged"],
        ["--staged", "--all"],
        ["--staged", "-"],
        ["--staged", "--jobs", "-1"],
        ["--all", "--format", "json"],
    ],
    ids=" ".join,
)
def test_all_other_command_lines_are_left_to_the_parser(arguments: list[str]) -> None:
    assert usual_arguments(arguments) is None


def test_a_folder_behind_a_link_has_files_of_their_own_names(repo: Repo) -> None:
    ready(repo, EVAL | {"include": ["src/**"]})
    repo.write("src/deep/bad.py", 'x = eval("1")\n')
    (repo.path / "alias").symlink_to("src")
    for named in ("src", "alias", "alias/deep", "alias/deep/bad.py"):
        assert seen(repo, named) == ["src/deep/bad.py:1"], named
