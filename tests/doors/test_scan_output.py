"""review-gate scan of standard input, its formats, exit codes and options, and the count on a terminal."""

from __future__ import annotations

import os
import pty
import subprocess

import pytest
from conftest import Repo
from scanning import CHECKS, EVAL, TODO, put_checks, ready, refused, report, scan, seen

pytestmark = pytest.mark.usefixtures("same_world")
BAD = 'x = eval("1")\n'


@pytest.fixture
def checked(repo: Repo) -> Repo:
    """A repository with the checks no-eval and todo."""
    return ready(repo, EVAL, TODO)


# Standard input


def test_standard_input_is_scanned_under_the_name_it_is_given(checked: Repo) -> None:
    put_checks(checked, EVAL, {"id": "py", "pattern": "x", "languages": ["python"]})
    assert seen(checked, "-", stdin=BAD) == ["standard input:1"]
    assert seen(checked, "-", "--stdin-filename", "new/name.py", stdin=BAD) == ["new/name.py:1 py", "new/name.py:1"]
    assert seen(checked, "-", stdin="") == []


def test_more_standard_input_than_the_limit_is_not_a_pass(checked: Repo) -> None:
    put_checks(checked, EVAL, max_file_bytes=1000)
    found = report(checked, "-", "--stdin-filename", "big.py", stdin=" " * 1000 + BAD)
    assert found["failures"] == ["big.py: it is larger than checks.max_file_bytes (1000)"]
    assert scan(checked, "-", stdin=" " * 1001).returncode == 1
    assert seen(checked, "-", stdin=BAD) == ["standard input:1"]


def test_closed_standard_input_is_misuse(checked: Repo) -> None:
    done = checked.run("sh", "-c", "review-gate scan - <&-")
    assert (done.returncode, done.stderr.splitlines()[0]) == (2, "error: standard input is closed")


# Output and exit codes


def test_the_mildest_finding_that_fails_is_chosen(checked: Repo) -> None:
    for text, options, code in (
        ("", [], 0),
        (BAD, [], 1),
        ("# TODO\n", [], 1),
        ("# TODO\n", ["--fail-on", "warning"], 1),
        ("# TODO\n", ["--fail-on", "major"], 0),
        (BAD, ["--fail-on", "major"], 1),
        (BAD, ["--fail-on", "critical"], 0),
        (BAD, ["--fail-on", "never"], 2),
    ):
        assert scan(checked, "-", *options, stdin=text).returncode == code, (text, options)


REFUSED = (
    (["-", "app.py"], "- stands alone", "review-gate scan - < FILE"),
    (["-", "--fix"], "standard input cannot be fixed", "review-gate scan --fix FILE"),
    (["--baseline", "b", "--no-baseline"], "--baseline and --no-baseline contradict", "give one of them"),
    (
        ["--update-baseline", "--fix"],
        "--update-baseline takes findings for known, --fix mends them",
        "review-gate scan --fix, then review-gate scan --all --update-baseline",
    ),
    (
        ["--update-baseline", "--checks", CHECKS],
        "--update-baseline needs all checks",
        "review-gate scan --all --update-baseline",
    ),
    (["--jobs", "-1"], "--jobs is below 0", "review-gate scan --jobs 2"),
)


def test_options_that_do_not_go_together_are_refused(checked: Repo) -> None:
    for arguments, what, next_step in REFUSED:
        said = refused(scan(checked, *arguments))
        assert said.startswith(f"error: {what}\n")
        assert said.endswith(f"  next:  {next_step}\n")


def test_the_count_of_files_is_shown_on_a_terminal_only(checked: Repo) -> None:
    # A file at the limit of its time makes the scan long enough to be worth a count.
    put_checks(checked, {"id": "slow", "pattern": "(a|aa)+$", "match_rule": "regex"}, seconds_per_file=0.7)
    checked.write("a.txt", "a" * 60 + "b\n")
    ours, theirs = pty.openpty()
    done = subprocess.run(
        ["review-gate", "scan"],
        cwd=checked.path,
        env=checked.environ,
        stdout=subprocess.PIPE,
        stderr=theirs,
        check=False,
    )
    os.close(theirs)
    screen = os.read(ours, 65536).decode()
    os.close(ours)
    assert "\r\x1b[Kscanned " in screen
    assert " of 4 files" in screen
    assert screen.endswith("\r\x1b[K")
    assert done.returncode == 1
    assert scan(checked).stderr == ""
