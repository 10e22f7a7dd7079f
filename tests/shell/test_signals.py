"""Runs that are interrupted or killed end with all they started, and say what is true of the record."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import TIMEOUT, Repo
from running import (
    configure,
    hide_state,
    nothing_recorded,
    report_of,
    wait_until_gone,
    written_numbers,
)


def sleeper(script: str = "", name: str = "slow") -> dict[str, Any]:
    """A command that notes its process and a child of it, and never ends."""
    run = f"{script} sleep 60 & echo $$ $! > $OUT/{name}; wait; sleep 61"
    return {"name": name, "run": ["sh", "-c", run]}


# A shell's background job, as the tests may be one, ignores interrupts, and so does what it starts.
START = """
import os, signal, sys
for name in ("SIGINT", "SIGTERM", "SIGHUP"):
    signal.signal(getattr(signal, name), signal.SIG_IGN if name == sys.argv[1] else signal.SIG_DFL)
os.execvp("review-gate", ["review-gate", "run", "--yes", *sys.argv[2:]])
"""


def start(repo: Repo, *options: str, ignored: str = "none", **environ: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-IS", "-c", START, ignored, *options],
        cwd=repo.path,
        # TMPDIR: a checkout that an interrupted run leaves behind must not stay on the machine.
        env=repo.environ | {"OUT": str(repo.path.parent), "TMPDIR": str(repo.path.parent)} | environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(
    ("number", "options"),
    [
        (signal.SIGTERM, []),
        (signal.SIGINT, ["--isolate"]),
        pytest.param(signal.SIGHUP, [], marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, [], marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, ["--isolate"], marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, ["--isolate"], marks=pytest.mark.slow),
    ],
)
def test_a_signal_ends_the_run_its_commands_and_their_children(
    repo: Repo, number: signal.Signals, options: list[str]
) -> None:
    configure(repo, sleeper(), sleeper("trap '' TERM INT HUP;", "stubborn"))
    run = start(repo, *options)
    pids = [pid for name in ("slow", "stubborn") for pid in written_numbers(repo.path.parent / name, 2)]
    time.sleep(0.3)
    assert repo.gate("verify").returncode == 1, "a review that is not finished opens nothing"
    run.send_signal(number)
    _, errors = run.communicate(timeout=30)
    assert (run.returncode, errors.splitlines()[-1]) == (130, "interrupted: nothing was recorded")
    assert "Traceback" not in errors
    assert wait_until_gone(*pids) == []
    assert nothing_recorded(repo)
    assert repo.git("worktree", "list").count("\n") == 0
    assert repo.gate("verify").returncode == 1


def children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    found: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        # A thread may end meanwhile.
        with contextlib.suppress(OSError):
            found += map(int, path.read_text().split())
    return found


def wait_for_parser(pid: int) -> int:
    """The process that parses YAML for a run, once it is there."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        for child in children_of(pid):
            # A child that has ended since the list was made has no command line any more.
            with contextlib.suppress(OSError):
                if b"\0syntax\0" in Path(f"/proc/{child}/cmdline").read_bytes():
                    return child
        time.sleep(0.01)
    raise AssertionError("no parser was started")


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_a_signal_ends_the_embedded_reviewers_too(repo: Repo, number: signal.Signals) -> None:
    """These files take a minute to parse, and twice as long as the run is waited for."""
    slow = "".join(f"k{line}: [{', '.join(['{a: [b, c]}'] * 40)}]\n" for line in range(3_000))
    configure(repo, limits={"yaml_seconds": 600}, files={f"f{count}.yaml": slow for count in range(60)})
    run = start(repo)
    parser = wait_for_parser(run.pid)
    time.sleep(1.0)
    run.send_signal(number)
    _, errors = run.communicate(timeout=30)
    assert (run.returncode, errors.splitlines()[-1]) == (130, "interrupted: nothing was recorded")
    assert wait_until_gone(parser) == []
    assert nothing_recorded(repo)


def test_a_signal_while_the_review_is_recorded_comes_too_late(repo: Repo) -> None:
    fake = repo.path.parent / "bin/git"
    fake.parent.mkdir()
    fake.write_text(
        "#!/bin/sh\n"
        'case "$*" in *update-ref*) for name in INT TERM HUP; do kill -$name $PPID; done; touch $OUT/sent;; esac\n'
        f'exec {shutil.which("git", path=repo.environ["PATH"])} "$@"\n'
    )
    fake.chmod(0o755)
    run = start(repo, PATH=f"{fake.parent}{os.pathsep}{repo.environ['PATH']}")
    output, _ = run.communicate(timeout=TIMEOUT)
    assert (repo.path.parent / "sent").exists()
    assert (run.returncode, output.splitlines()[-1]) == (
        0,
        f"ship: approved (Commit {repo.head[:8]} passed its review.)",
    )


def test_a_signal_after_the_review_was_recorded_does_not_deny_it(repo: Repo) -> None:
    """The result is longer than a pipe holds, and nobody reads it."""
    hide_state(repo)
    repo.commit("many", {"bad.txt": "\u200bx\n", **{f"bad{count}.json": "{" for count in range(1_000)}})
    run = start(repo, "--format", "json")
    end = time.monotonic() + TIMEOUT
    while not repo.state_file.exists() and time.monotonic() < end:
        time.sleep(0.01)
    # While it records it hears no signal.
    while run.poll() is None and time.monotonic() < end:
        run.send_signal(signal.SIGTERM)
        time.sleep(0.1)
    _, errors = run.communicate(timeout=30)
    said = "interrupted: the review itself was recorded; review-gate status shows it"
    assert (run.returncode, errors.splitlines()[-1]) == (130, said)
    assert repo.git("for-each-ref", "refs/review-gate") != ""


def test_a_killed_run_records_nothing_and_the_next_one_works(repo: Repo) -> None:
    configure(repo, {"name": "slow", "run": ["sh", "-c", "[ -e $OUT/open ] || { echo $$ > $OUT/pid; exec sleep 60; }"]})
    run = start(repo)
    (pid,) = written_numbers(repo.path.parent / "pid", 1)
    run.kill()
    run.communicate()
    os.killpg(pid, signal.SIGKILL)
    assert nothing_recorded(repo)
    assert repo.gate("verify").returncode == 1
    (repo.path.parent / "open").touch()
    assert report_of(repo, OUT=str(repo.path.parent))["decision"]["allowed"]
