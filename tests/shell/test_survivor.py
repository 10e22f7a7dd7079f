"""Whoever is killed without a word leaves nothing behind that it started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from running import is_running, wait_until_gone, written_numbers

# Two commands with a child each, one of which lets nobody ask it to end; one more has ended, and its number is free.
STARTER = """
import sys, threading
from review_gate.shell.process import Commands
commands = Commands()
def run(script):
    commands.run(["/bin/sh", "-c", script], directory=".", environ={}, seconds=60, max_output=9)
run("exit 0")
for script in ("sleep 60 & echo $$ $! >> {0}; wait", "trap '' TERM HUP; sleep 60 & echo $$ $! >> {0}; wait"):
    threading.Thread(target=run, args=(script.format(sys.argv[1]),), daemon=True).start()
print(flush=True)
sys.stdin.read()
"""
# A command may write its numbers a moment before the one that started it tells them on.
TELLING_SECONDS = 0.5
pytestmark = pytest.mark.skipif(not hasattr(os, "posix_spawn"), reason="the system cannot start it")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "ended"])
def test_commands_end_with_whoever_started_them(tmp_path: Path, number: int) -> None:
    argv = [sys.executable, "-c", STARTER, str(tmp_path / "pids")]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path) as starter:
        pids = written_numbers(tmp_path / "pids", 4)
        assert all(map(is_running, pids))
        (survivor,) = (pid for pid in children_of(starter.pid) if pid not in pids)
        time.sleep(TELLING_SECONDS)
        starter.send_signal(number)
    assert wait_until_gone(*pids, survivor) == []


def test_it_knows_no_setting_and_holds_no_folder(tmp_path: Path) -> None:
    argv = [sys.executable, "-c", STARTER, str(tmp_path / "pids")]
    environ = os.environ | {"ANTHROPIC_API_KEY": "secret"}
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path, env=environ) as starter:
        pids = written_numbers(tmp_path / "pids", 4)
        (survivor,) = (pid for pid in children_of(starter.pid) if pid not in pids)
        assert b"secret" not in Path(f"/proc/{survivor}/environ").read_bytes()
        assert os.readlink(f"/proc/{survivor}/cwd") == "/"
        time.sleep(TELLING_SECONDS)
        starter.kill()
    assert wait_until_gone(*pids, survivor) == []


def children_of(parent: int) -> list[int]:
    """The processes that a process has started and not waited for."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(folder.name))
    return found
