"""Errors a user can act on, and the exit code of each."""

from __future__ import annotations

import errno
import os

PASS = 0
BLOCKED = 1
MISUSE = 2
OUR_BUG = 3
INTERRUPTED = 130


class ReviewGateError(Exception):
    """What happened, why it matters and what to type next; all three are compulsory."""

    exit_code = BLOCKED

    def __init__(self, what: str, *, why: str, next_step: str) -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.next_step = next_step


class MisuseError(ReviewGateError):
    """The command or its surroundings are wrong, and nothing was judged."""

    exit_code = MISUSE


class ConfigError(MisuseError):
    """A configuration file cannot be used as it stands; `others` counts the mistakes beside the first."""

    def __init__(self, what: str, *, why: str, next_step: str, others: int = 0) -> None:
        super().__init__(what, why=why, next_step=next_step)
        self.others = others


class GitError(ReviewGateError):
    """Git could not answer a question the gate depends on."""


class OurBugError(ReviewGateError):
    """An error that nobody foresaw."""

    exit_code = OUR_BUG


NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
TOO_MUCH = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)
FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)


def explained(error: BaseException) -> ReviewGateError:
    """Any error in words: ours as it is, a refusal of the system with what to look at, else a bug of ours."""
    if isinstance(error, ReviewGateError):
        return error
    if isinstance(error, OSError) and (error.filename or error.errno in NO_ROOM + TOO_MUCH + FORBIDDEN):
        return _refused_by_the_system(error)
    return OurBugError(
        f"review-gate itself failed: {type(error).__name__}: {error}",
        why="this is a bug of ours, and a gate that breaks stays closed",
        next_step="the same command again with REVIEW_GATE_DEBUG=1 in the environment shows where; please report it",
    )


def _refused_by_the_system(error: OSError) -> ReviewGateError:
    path = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""
    return ReviewGateError(
        f"{path or 'the system refused'}: {error.strerror}",
        why="review-gate cannot go on without it, and what it was doing is not done",
        next_step=f"{_remedy(error.errno, path)}, then the same command again",
    )


def _remedy(number: int | None, path: str) -> str:
    if number in NO_ROOM:
        return "make room (df -h . shows how much there is, ulimit -f what is allowed)"
    if number in TOO_MUCH:
        return "raise the limit that was met (ulimit -a)"
    from shlex import join

    look = join(["ls", "-ld", os.path.dirname(path) or ".", path or ".git"])
    return f"look at what is there, its owner and mode ({look})"
