"""What a status line shows of prompt review: a small file for each project, which is wrong by itself after a while."""

from __future__ import annotations

import os
import sys
import time

from review_gate.shell.cache_folder import cache_folder
from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file
from review_gate.shell.own_folder import make_own_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = "prompt-status"
MAX_BYTES = 200
REVIEWING, REVIEWED = "reviewing", "reviewed"
# How long each is shown; a session that asks its subagents hears of them when all have answered.
SECONDS = {REVIEWING: 300.0, REVIEWED: 60.0}


def tell(environ: Mapping[str, str], top: str, state: str = "", count: int = 0) -> None:
    """Show that so many reviewers are reviewing, or have so many findings; without a state, show nothing."""
    path = _path(environ, top)
    try:
        if path and state:
            make_own_folder(os.path.dirname(path))
            data = f"{state} {count} {time.time() + SECONDS[state]:.0f}\n".encode("ascii")
            replace_file(path, data, scratch=os.path.dirname(path), outlasts_crash=False)
        elif path:
            os.unlink(path)
    except OSError:
        # A line that shows nothing is all that comes of it.
        return


def standing(environ: Mapping[str, str], top: str) -> tuple[str, int] | None:
    """What was told of a project last: the state and the count, None where there is nothing to say."""
    path = _path(environ, top)
    try:
        words = ((read_plain_file(path, MAX_BYTES) if path else None) or b"").split()
    except UnsafeFileError:
        return None
    if len(words) != 3 or not words[1].isdigit() or not words[2].isdigit() or time.time() > int(words[2]):
        return None
    return words[0].decode("ascii", "replace"), int(words[1])


def _path(environ: Mapping[str, str], top: str) -> str:
    home = cache_folder(environ, sys.platform)
    # Without `hashlib`, which would bring OpenSSL along.
    from _blake2 import blake2b

    name = blake2b(os.fsencode(os.path.realpath(top)), digest_size=16).hexdigest()
    return os.path.join(home, FOLDER, name) if home else ""
