"""Errors in words: our own, the system's, and a bug."""

from __future__ import annotations

import errno
import os

import pytest

from review_gate.errors import MisuseError, explained

WHY = "review-gate cannot go on without it, and what it was doing is not done"
ROOM = "make room (df -h . shows how much there is, ulimit -f what is allowed), then the same command again"
LOOK = "look at what is there, its owner and mode"


def refused(number: int, path: str | bytes | int | None = None) -> OSError:
    return OSError(number, os.strerror(number)) if path is None else OSError(number, os.strerror(number), path)


REFUSALS = {
    "forbidden": (
        refused(errno.EACCES, "/x/.git/hooks/pre-commit"),
        "/x/.git/hooks/pre-commit: Permission denied",
        f"{LOOK} (ls -ld /x/.git/hooks /x/.git/hooks/pre-commit), then the same command again",
    ),
    "forbidden, we know not where": (
        refused(errno.EROFS),
        "the system refused: Read-only file system",
        f"{LOOK} (ls -ld . .git), then the same command again",
    ),
    "a file where a folder belongs": (
        refused(errno.ENOTDIR, "/x y/.git/review-gate/tmp"),
        "/x y/.git/review-gate/tmp: Not a directory",
        f"{LOOK} (ls -ld '/x y/.git/review-gate' '/x y/.git/review-gate/tmp'), then the same command again",
    ),
    "a name in bytes": (
        refused(errno.EPERM, b"x\xff"),
        "x\udcff: Operation not permitted",
        f"{LOOK} (ls -ld . 'x\udcff'), then the same command again",
    ),
    "a descriptor": (
        refused(errno.EPERM, 7),
        "the system refused: Operation not permitted",
        f"{LOOK} (ls -ld . .git), then the same command again",
    ),
    "a full disk": (refused(errno.ENOSPC), "the system refused: No space left on device", ROOM),
    "a full disk, told with a name": (refused(errno.ENOSPC, "/x/a"), "/x/a: No space left on device", ROOM),
    "a size limit": (refused(errno.EFBIG), "the system refused: File too large", ROOM),
    "too many files": (
        refused(errno.EMFILE, "/x/a"),
        "/x/a: Too many open files",
        "raise the limit that was met (ulimit -a), then the same command again",
    ),
}


@pytest.mark.parametrize(("error", "what", "next_step"), REFUSALS.values(), ids=REFUSALS.keys())
def test_a_refusal_of_the_system_says_what_to_look_at(error: OSError, what: str, next_step: str) -> None:
    told = explained(error)
    assert (told.what, told.why, told.next_step, told.exit_code) == (what, WHY, next_step, 1)


@pytest.mark.parametrize("error", [KeyError("x"), OSError(errno.EBADF, "Bad file descriptor"), OSError("no number")])
def test_whatever_else_goes_wrong_is_a_bug_of_ours(error: Exception) -> None:
    told = explained(error)
    assert told.what == f"review-gate itself failed: {type(error).__name__}: {error}"
    assert told.why == "this is a bug of ours, and a gate that breaks stays closed"
    assert told.next_step == (
        "the same command again with REVIEW_GATE_DEBUG=1 in the environment shows where; please report it"
    )
    assert told.exit_code == 3


def test_our_own_errors_stay_as_they_are() -> None:
    error = MisuseError("what", why="why", next_step="next")
    assert explained(error) is error
