"""The folder of a plan: the plan, its context, the state of its review and the marker of its approval."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator, Mapping

from filelock import FileLock, Timeout

from review_gate.errors import MisuseError, ReviewGateError
from review_gate.plans.marker import SUFFIX
from review_gate.plans.target import PLAN, Target
from review_gate.shell.edit import replace_content, write_whole
from review_gate.shell.files import UnsafeFileError, read_plain_file

SESSIONS = ".claude/sessions"
CONTEXT = "context.yaml"
STATE = "state.yaml"
MAX_PLAN_BYTES = 20_000_000
MAX_FILE_BYTES = 2_000_000
LOCK_SECONDS = 2.0


class PlanFolder:
    """One plan and what belongs to it; of several plans in a folder each has a state of its own."""

    def __init__(self, plan: str) -> None:
        self.plan = plan
        self.path = os.path.dirname(plan)
        stem = os.path.splitext(os.path.basename(plan))[0]
        self.context = os.path.join(self.path, CONTEXT)
        self.state = os.path.join(self.path, STATE if os.path.basename(plan) == PLAN else f"{stem}.{STATE}")
        self.marker = os.path.join(self.path, stem + SUFFIX)
        self._lock = os.path.join(self.path, f".{stem}.review.lock")

    def read_plan(self) -> bytes | None:
        """The plan, None where there is none."""
        return _read(self.plan, MAX_PLAN_BYTES)

    def read(self, path: str) -> bytes | None:
        """One of the other files, None where there is none."""
        return _read(path, MAX_FILE_BYTES)

    def write(self, path: str, data: bytes) -> None:
        """Make one of the other files hold these bytes, whole or not at all."""
        write_whole(path, data)

    def change_plan(self, old: bytes, new: bytes) -> None:
        """Edit the plan; what somebody else wrote meanwhile stays, and is an error."""
        replace_content(self.plan, old, new)

    def forget_approval(self) -> None:
        """Take the marker away, if there is one."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.marker)

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Keep a second review of the same plan out."""
        try:
            with FileLock(self._lock, timeout=LOCK_SECONDS):
                yield
        except Timeout:
            raise ReviewGateError(
                f"another review of {self.plan} is going on",
                why="two of them would edit the same text",
                next_step="wait for it, then the same command again",
            ) from None
        finally:
            with contextlib.suppress(OSError):
                os.unlink(self._lock)


def folder_of(target: Target, environ: Mapping[str, str]) -> PlanFolder:
    """The plan that was named; a folder stands for the plan in it."""
    if target.session:
        home = environ.get("HOME") or environ.get("USERPROFILE") or os.path.expanduser("~")
        return PlanFolder(os.path.join(home, *SESSIONS.split("/"), target.session, PLAN))
    path = os.path.abspath(target.path)
    if "\0" in path:
        raise MisuseError("a path cannot hold a NUL", why="no file has such a name", next_step="name a plan")
    return PlanFolder(os.path.join(path, PLAN) if os.path.isdir(path) else path)


def digest_of(data: bytes) -> str:
    """What stands for a text in a marker and in the state."""
    return hashlib.sha256(data).hexdigest()


def _read(path: str, limit: int) -> bytes | None:
    try:
        return read_plain_file(path, limit)
    except UnsafeFileError as error:
        raise ReviewGateError(
            f"{path}: {error}", why="a review has to read all of it", next_step="put a plain file there"
        ) from None
