"""A text in the editor of the person at the terminal."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

USUAL = "vi" if os.name != "nt" else "notepad"


def edited_by_person(text: str, environ: Mapping[str, str]) -> str | None:
    """What the person makes of a text; None where the editor failed or left nothing."""
    command = next((environ[name] for name in ("VISUAL", "EDITOR") if environ.get(name, "").strip()), USUAL)
    try:
        with tempfile.TemporaryDirectory(prefix="review-gate-") as folder:
            path = os.path.join(folder, "prompt.md")
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            # The user's own variable, which may name options too, as git takes it. Its screen is the terminal, also
            # where our result goes into a file.
            with _without_interrupts():
                done = subprocess.run([*shlex.split(command), path], stdout=sys.stderr, check=False)
            with open(path, encoding="utf-8", newline="") as file:
                edited = file.read()
    except (OSError, ValueError):
        return None
    return edited if done.returncode == 0 and edited.strip() else None


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """While an editor is open Ctrl-C is a key of its own: the terminal tells us too, and we do not take it away."""
    # A function and not SIG_IGN, which the editor would inherit.
    previous = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
