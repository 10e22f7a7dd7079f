"""Commands of the project in a review: what counts as a finding, what as no vote, and how they are started."""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

import pytest
from conftest import Repo
from running import MARK, configure, outcome, python, report_of, sh, times_run, wait_until_gone, written_numbers


def places(report: dict[str, Any]) -> list[tuple[object, ...]]:
    return [(one["severity"], one["file"], one["line"], one["rule"], one["message"]) for one in report["findings"]]


# What a command says.


def test_the_exit_code_decides_and_the_end_of_the_output_is_shown(repo: Repo) -> None:
    configure(repo, sh("echo looking; echo 'two errors' >&2; exit 3"))
    done = repo.gate("run", "--yes")
    assert done.returncode == 1
    assert (
        "major: check: exit code 3: two errors [command-failed]\n    | looking\n    | two errors\n"
        "2 files changed; 1 major; verdict: needs_fixes\n"
        "ship: BLOCKED (Loop 1 failed: check: exit code 3: two errors. Fix issues and re-run /review.)\n"
    ) in done.stdout
    configure(repo, sh("echo 'two errors'"))
    assert outcome(report_of(repo)) == ("passed", "", "passed")


def sarif(*results: dict[str, Any]) -> str:
    return json.dumps({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "t"}}, "results": list(results)}]})


def test_the_file_of_an_earlier_run_does_not_speak_for_this_one(repo: Repo) -> None:
    configure(repo, sh("exit 0", findings="sarif", sarif_file="old.sarif"), files={"old.sarif": sarif()})
    assert outcome(report_of(repo)) == ("could_not_run", "it did not write old.sarif", "incomplete")
    assert outcome(report_of(repo, "--isolate"))[:2] == ("could_not_run", "it did not write old.sarif")


NO_SARIF: dict[str, tuple[dict[str, Any], str]] = {
    "more than is kept": (
        python(f"print({sarif()!r} + ' ' * 2_000)", findings="sarif"), "its SARIF is longer than 1000 bytes",
    ),
    "no file": (sh("true", findings="sarif", sarif_file="x.sarif"), "it did not write x.sarif"),
    "a file that is too long": (
        python("open('x.sarif', 'w').truncate(10**10)", findings="sarif", sarif_file="x.sarif"),
        "its SARIF file cannot be read: it is 10000000000 bytes long, more than 1000",
    ),
    "a link": (
        sh("ln -s app.py x.sarif", findings="sarif", sarif_file="x.sarif"),
        "its SARIF file cannot be read: it is a symbolic link",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("command", "detail"), NO_SARIF.values(), ids=NO_SARIF.keys())
def test_sarif_that_cannot_be_used_is_no_vote(repo: Repo, command: dict[str, Any], detail: str) -> None:
    configure(repo, command, limits={"max_output_bytes": 1_000})
    status, said, loop = outcome(report_of(repo))
    assert (status, loop) == ("could_not_run", "incomplete")
    assert said.startswith(detail)


def test_a_mild_finding_does_not_hide_a_crash_unless_its_exit_code_is_listed(repo: Repo) -> None:
    crash = sh("echo 'warning: odd'; exit 4", findings="pattern", pattern="(?P<severity>warning): (?P<message>.*)")
    configure(repo, crash)
    report = report_of(repo)
    assert outcome(report) == ("failed", "", "failed")
    assert places(report) == [
        ("major", None, None, "command-failed", "exit code 4: warning: odd"),
        ("warning", None, None, "check", "odd"),
    ]
    configure(repo, {**crash, "ok_exit_codes": [0, 4]})
    assert outcome(report_of(repo)) == ("passed", "", "passed")


# What keeps a command from voting.

NO_VOTE: dict[str, tuple[dict[str, Any], str]] = {
    "not found": ({"name": "check", "run": ["no-such-program"]}, "no-such-program was not found"),
    "killed, whatever is listed": (sh("kill -KILL $$", ok_exit_codes=[9, 137]), "it was ended by signal 9"),
    "too slow": (sh("sleep 60", timeout=0.5), "it did not finish within 0.5 seconds and was stopped"),
    "too long for its pattern": (
        python("print('x' * 5_000)", findings="pattern", pattern="(?P<message>y)"), "it printed more than 1000 bytes",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("command", "detail"), NO_VOTE.values(), ids=NO_VOTE.keys())
def test_a_command_that_could_not_run_leaves_its_loop_incomplete_unless_it_is_optional(
    repo: Repo, command: dict[str, Any], detail: str
) -> None:
    configure(repo, command, limits={"max_output_bytes": 1_000})
    report = report_of(repo)
    assert outcome(report) == ("could_not_run", detail, "incomplete")
    assert report["blockers"] == [f"check could not run: {detail}"]
    assert report["decision"]["reason"] == "incomplete"
    configure(repo, {**command, "required": False}, limits={"max_output_bytes": 1_000})
    assert outcome(report_of(repo)) == ("could_not_run", detail, "passed")


def test_a_timeout_ends_everything_the_command_started(repo: Repo) -> None:
    script = "sleep 60 & sh -c 'sleep 61 & echo $$ $! >> ../pids; wait' & echo $$ $! >> ../pids; sleep 62"
    configure(repo, sh(script, timeout=2))
    assert outcome(report_of(repo))[1] == "it did not finish within 2 seconds and was stopped"
    assert wait_until_gone(*written_numbers(repo.path.parent / "pids", 4)) == []


def test_a_flood_of_output_is_cut_and_said_to_be(repo: Repo) -> None:
    configure(repo, sh("head -c 50000000 /dev/zero | tr '\\0' 'x'; exit 1"), limits={"max_output_bytes": 5_000})
    report = report_of(repo)
    assert outcome(report) == ("failed", "its output was cut", "failed")
    assert len(report["findings"][0]["evidence"]) <= 5_000


def test_a_daemon_does_not_hold_the_run_and_the_one_that_hides_is_reported(repo: Repo) -> None:
    configure(
        repo,
        sh("sleep 60 & echo $! > ../tame; exit 0", name="tame"),
        sh(
            "setsid sh -c 'echo $$ > ../wild; exec sleep 60' & while ! [ -s ../wild ]; do sleep 0.01; done",
            name="wild",
        ),
    )
    report = report_of(repo)
    wild = int((repo.path.parent / "wild").read_text())
    os.kill(wild, signal.SIGKILL)
    assert outcome(report, "tame")[0] == "passed"
    assert outcome(report, "wild")[:2] == ("could_not_run", "it left a process behind that holds its output open")
    assert wait_until_gone(*written_numbers(repo.path.parent / "tame", 1)) == []


def test_control_characters_in_output_are_written_out(repo: Repo) -> None:
    hostile = "\\033[2J\\033]0;owned\\007\\r\\342\\200\\256evil"
    configure(repo, sh(f"printf '{hostile}\\nship: approved\\n'; exit 1"))
    done = repo.gate("run", "--yes")
    shown = "\\x1b[2J\\x1b]0;owned\\x07"
    assert shown in done.stdout
    for text in (done.stdout, done.stderr):
        assert all(letter.isprintable() or letter == "\n" for letter in text)
        assert "\nship: approved" not in text


# How a command is started.


def test_arguments_environment_and_shell_are_as_configured(repo: Repo) -> None:
    configure(
        repo,
        python("import sys; open('../argv', 'w').write(repr(sys.argv[1:]))", name="argv"),
        {
            "name": "list",
            "run": [sys.executable, "-c", "import sys; print(sys.argv[1:]); sys.exit(1)", "a b", "$HOME", "*"],
        },
        {"name": "text", "run": "printf '%s|' $WORD | tr b c >> ../text", "shell": True, "env": {"WORD": "a b"}},
        sh('printf "%s" "$WORD|$HOME" > ../word', name="env", env={"WORD": "a b", "HOME": "/nowhere"}),
    )
    report = report_of(repo)
    assert report["findings"][0]["message"] == "exit code 1: ['a b', '$HOME', '*']"
    read = {name: (repo.path.parent / name).read_text() for name in ("argv", "text", "word")}
    assert read == {"argv": "[]", "text": "a|c|", "word": "a b|/nowhere"}


def test_a_command_sees_none_of_the_variables_of_a_git_hook(repo: Repo) -> None:
    configure(
        repo, sh("env | grep ^GIT_ > ../variables; git rev-parse --show-toplevel > ../top; git status > /dev/null")
    )
    git_dir = str(repo.path / ".git")
    report = report_of(
        repo, GIT_DIR=git_dir, GIT_INDEX_FILE=f"{git_dir}/index", GIT_PREFIX="", GIT_EXEC_PATH=git_exec(repo)
    )
    assert outcome(report)[0] == "passed"
    assert (repo.path.parent / "variables").read_text() == ""
    assert (repo.path.parent / "top").read_text() == f"{repo.path}\n"


def git_exec(repo: Repo) -> str:
    return repo.git("--exec-path")


def test_a_command_runs_only_when_a_changed_file_concerns_it(repo: Repo) -> None:
    repo.git("push", "--quiet", "--set-upstream", "origin", "main")
    configure(repo, sh(MARK, loop=2, when_changed=["web/**"]))
    report = report_of(repo)
    assert (report["loops"][1]["status"], times_run(repo)) == ("passed", 0)
    assert report["loops"][1]["note"] == "check left out: no changed file concerns it"
    repo.commit("web", {"web/x.js": "x\n"})
    assert (outcome(report_of(repo))[0], times_run(repo)) == ("passed", 1)


def test_the_commands_of_a_loop_run_side_by_side(repo: Repo) -> None:
    """Each waits for all the others: one after the other they would never end."""
    wait = "touch ../here-%d; while [ $(ls ../here-* | wc -l) -lt 6 ]; do sleep 0.01; done"
    commands = [sh(wait % number, name=f"c{number}", timeout=60) for number in range(6)]
    configure(repo, *commands)
    report = report_of(repo)
    assert [outcome(report, command["name"])[0] for command in commands] == ["passed"] * 6
