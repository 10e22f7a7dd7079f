"""The current folder, which may be gone while a shell is still in it."""

from __future__ import annotations

import os

from review_gate.errors import MisuseError


def see_current_folder() -> None:
    """Raise an error that says what to do where the current folder is gone: paths start from it."""
    try:
        os.getcwd()
    except FileNotFoundError:
        raise MisuseError(
            "the current folder is gone",
            why="it was deleted or moved while this shell was in it, and paths start from it",
            next_step="cd to a folder that exists, then the same command again",
        ) from None
