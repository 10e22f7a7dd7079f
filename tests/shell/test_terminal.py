"""The question to the person at the terminal."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys

# Each question opens standard input anew: the first read of a stream takes longest to begin, so a key that comes right
# behind the question falls before it a few times in these.
QUESTIONS = 6_000
ASKS = f"""
import os, signal, sys
os.login_tty(0)
# A shell's background job, and so what it starts, ignores interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
from review_gate.shell.terminal import ask
for number in range({QUESTIONS}):
    sys.stdin = open(0, closefd=False)
    try:
        ask(f"<{{number}}>")
    except KeyboardInterrupt:
        continue
    sys.exit("an interrupt was taken for an answer")
"""
PATIENCE = 20.0


def test_an_interrupt_is_never_lost_however_early_it_comes() -> None:
    ours, theirs = pty.openpty()
    child = subprocess.Popen([sys.executable, "-c", ASKS], stdin=theirs)
    os.close(theirs)
    try:
        for number in range(QUESTIONS):
            screen = ""
            while f"<{number}>" not in screen:
                assert select.select([ours], [], [], PATIENCE)[0], f"nothing follows {screen!r}"
                screen += os.read(ours, 4096).decode()
            os.write(ours, b"\x03")
        assert child.wait(PATIENCE) == 0
    finally:
        child.kill()
        child.wait()
        os.close(ours)
