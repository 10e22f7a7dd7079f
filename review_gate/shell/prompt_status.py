"""What a status line shows of prompt review: a small file for each project, which is wrong by itself after a while."""

from __future__ import annotations

import os
import sys
import time

from review_gate.shell.cache_folder import cache_folder
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.own_folder import is_own_folder, make_own_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = "prompt-status"
MAX_BYTES = 200
REVIEWING, REVIEWED = "reviewing", "reviewed"
# Who asks a session's subagents hears of them when all have answered.
LONGEST_REVIEW = 300.0
SHOWN_SECONDS = 60.0


class Standing:
    """That a prompt is being reviewed by so many reviewers, or was, with so many findings."""

    __slots__ = ("count", "state")

    def __init__(self, state: str, count: int) -> None:
        self.state = state
        self.count = count


def tell_reviewing(environ: Mapping[str, str], top: str, reviewers: int) -> None:
    """A review begins."""
    _write(environ, top, f"{REVIEWING} {reviewers} {time.time() + LONGEST_REVIEW:.0f}\n")


def tell_reviewed(environ: Mapping[str, str], top: str, findings: int) -> None:
    """A review is over."""
    _write(environ, top, f"{REVIEWED} {findings} {time.time() + SHOWN_SECONDS:.0f}\n")


def tell_over(environ: Mapping[str, str], top: str) -> None:
    """A review has come to nothing, and there is nothing to tell."""
    path = _path(environ, top)
    try:
        if path is not None and is_own_folder(os.path.dirname(path)):
            os.unlink(path)
    except OSError:
        return


def standing(environ: Mapping[str, str], top: str) -> Standing | None:
    """How it stands in a project, None where there is nothing to say."""
    path = _path(environ, top)
    try:
        data = read_plain_file(path, MAX_BYTES) if path and is_own_folder(os.path.dirname(path)) else None
    except UnsafeFileError:
        return None
    words = (data or b"").split()
    if len(words) != 3 or not words[1].isdigit() or not words[2].isdigit() or time.time() > int(words[2]):
        return None
    return Standing(words[0].decode("ascii", "replace"), int(words[1]))


def _write(environ: Mapping[str, str], top: str, text: str) -> None:
    path = _path(environ, top)
    if path is None:
        return
    partial = f"{path}.{os.getpid()}.tmp"
    try:
        make_own_folder(os.path.dirname(path))
        with open(partial, "x", encoding="ascii") as file:
            file.write(text)
        os.replace(partial, path)
    except OSError:
        # A line that shows nothing is all that comes of it.
        return


def _path(environ: Mapping[str, str], top: str) -> str | None:
    home = cache_folder(environ, sys.platform)
    # Without `hashlib`, which would bring OpenSSL along.
    from _blake2 import blake2b

    return (
        os.path.join(home, FOLDER, blake2b(os.fsencode(os.path.realpath(top)), digest_size=16).hexdigest())
        if home
        else None
    )
