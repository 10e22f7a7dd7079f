"""The real Claude Code in a terminal: its status line is ours, and what is typed there reaches our hooks."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Iterator

from claude_code import PROGRAM, agent_environ, installed
from conftest import Repo
from running import PATIENCE
from scripted import Part, Script, playing, say, text_in

ROWS_AND_COLUMNS = (40, 120)
# Orders to the terminal, and the blanks that some of them stand for.
ORDERS = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9]|[=>78])|\s")


class Terminal:
    """A session before which a person sits."""

    def __init__(self, master: int) -> None:
        self._master = master
        self._shown = ""

    def wait_for(self, words: str) -> None:
        """Look at the screen until it shows certain words."""
        wanted, until = re.sub(r"\s", "", words), time.monotonic() + PATIENCE
        while wanted not in ORDERS.sub("", self._shown):
            assert time.monotonic() < until, self._shown
            if select.select([self._master], [], [], 1)[0]:
                self._shown += os.read(self._master, 65_536).decode(errors="replace")

    def type(self, text: str) -> None:
        """Type a line; the key that sends it comes by itself, or it would be part of what is pasted."""
        self._shown = ""
        os.write(self._master, text.encode())
        self.wait_for(text)
        self._shown = ""
        os.write(self._master, b"\r")


@contextlib.contextmanager
def terminal(repo: Repo, script: Script) -> Iterator[Terminal]:
    """The program on a terminal, of a user who has been asked everything that is asked only once."""
    known = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": ["dummy"], "rejected": []},
        "projects": {str(repo.path): {"hasTrustDialogAccepted": True}},
    }
    with open(os.path.join(repo.environ["HOME"], ".claude.json"), "w", encoding="utf-8") as file:
        json.dump(known, file)
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *ROWS_AND_COLUMNS, 0, 0))
    environ = {**agent_environ(repo.environ, script.url), "TERM": "xterm-256color"}
    argv = [PROGRAM, "--permission-mode", "default"]
    child = subprocess.Popen(
        argv, cwd=repo.path, env=environ, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
    )
    os.close(slave)
    try:
        yield Terminal(master)
    finally:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        os.close(master)


def test_the_status_line_tells_that_the_commit_was_not_reviewed(repo: Repo) -> None:
    with playing(Part([])) as script, terminal(installed(repo), script) as screen:
        screen.wait_for("ok repo | main | not reviewed")


def test_the_status_line_tells_that_it_was(repo: Repo) -> None:
    installed(repo).review()
    with playing(Part([])) as script, terminal(repo, script) as screen:
        screen.wait_for("ok repo | main | reviewed")


def test_a_typed_ship_is_told_what_the_gate_says(repo: Repo) -> None:
    with playing(Part([say("It is blocked, as I see.")])) as script, terminal(installed(repo), script) as screen:
        screen.wait_for("ok repo | main | not reviewed")
        screen.type("/ship ")
        screen.wait_for("It is blocked, as I see.")
        assert "Ship gate: BLOCKED. Show the user the blockers" in text_in(script.requests[-1]["messages"])
