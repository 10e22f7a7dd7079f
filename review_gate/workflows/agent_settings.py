"""An agent's settings read and written for installation: what is wrong with them is one error, and changes nothing."""

from __future__ import annotations

import os
import shlex
import stat

from review_gate.errors import ReviewGateError
from review_gate.shell.agent_places import Place
from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file

MAX_TEXT_BYTES = 1_000_000


def read_settings(place: Place) -> bytes | None:
    """The settings, None where there is no file."""
    try:
        return place.read()
    except UnsafeFileError as error:
        raise unusable(place, str(error)) from None


def unusable(place: Place, reason: str) -> ReviewGateError:
    """The error for settings in which nothing can be changed."""
    return ReviewGateError(
        f"{place.shown} cannot be used: {reason}",
        why="the hooks are added to what is there, and a file that cannot be understood is left as it is",
        next_step=f"mend {shlex.quote(place.shown)}, then the same command again",
    )


def refuse_read_only(place: Place) -> None:
    """A file that may not be written is not replaced by another one, either."""
    real = place.real(place.file)
    if os.path.exists(real) and not stat.S_IMODE(os.stat(real).st_mode) & 0o222:
        raise ReviewGateError(
            f"{place.shown} is read-only",
            why="somebody wants it to stay as it is",
            next_step=f"chmod u+w {shlex.quote(place.shown)}, then the same command again",
        )


def replace_settings(place: Place, expected: bytes | None, data: bytes | None, scratch: str) -> None:
    """Put other bytes into the settings, or remove them, if they are still what was read."""
    real = place.real(place.file)
    if place.read() != expected:
        raise ReviewGateError(
            f"{place.shown} was changed in this moment",
            why="somebody else writes to it, and nothing of theirs may get lost",
            next_step="the same command again",
        )
    if data == expected:
        return
    if data is None:
        os.unlink(real)
        return
    mode = stat.S_IMODE(os.stat(real).st_mode) if os.path.exists(real) else None
    replace_file(real, data, scratch=scratch, mode=mode)


def read_shipped(place: Place, path: str) -> bytes | None:
    """A command, skill or subagent that lies beside the settings; an UnsafeFileError where something else does."""
    return read_plain_file(place.real(path), MAX_TEXT_BYTES)
