"""After the fact: which pushes reached a remote without the gate being asked."""

from __future__ import annotations

import os

from review_gate.gate.record import is_object_id, is_zero_id
from review_gate.shell.push_log import allowed_ids, record_unseen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.repository import Repository

TRACKING = "refs/remotes/"
# What git writes into the reflog of a tracking ref after a push; a fetch writes something else.
PUSH_MARK = b"update by push"
TAIL_BYTES = 4096
# A push moves tracking refs one by one; only a fetch moves thousands at once.
MAX_LINES = 1000


def note_unseen_pushes(repository: Repository, lines: bytes) -> list[str]:
    """The tracking refs that a push has just moved to something the gate did not let out."""
    allowed: set[str] | None = None
    unseen = []
    for line in lines.decode("utf-8", "surrogateescape").split("\n")[:MAX_LINES]:
        old_new_ref = line.split(" ", 2)
        if len(old_new_ref) != 3 or not old_new_ref[2].startswith(TRACKING):
            continue
        _, new, ref = old_new_ref
        if not is_object_id(new) or is_zero_id(new):
            continue
        last = _last_logged(repository, ref)
        if not last.rpartition(b"\t")[2].startswith(PUSH_MARK):
            continue
        allowed = allowed_ids(repository) if allowed is None else allowed
        if new not in allowed:
            # Git 2.39 tells the hook of no old id; the log has it.
            record_unseen(repository, ref, last.split(b" ")[0].decode("ascii", "replace"), new)
            unseen.append(ref)
    return unseen


def _last_logged(repository: Repository, ref: str) -> bytes:
    """The last entry of the ref's log: old id, new id, who, when and why."""
    try:
        with open(os.path.join(repository.common_dir, "logs", ref), "rb") as log:
            log.seek(0, os.SEEK_END)
            log.seek(max(0, log.tell() - TAIL_BYTES))
            return log.read().rstrip(b"\n").rsplit(b"\n", 1)[-1]
    except OSError:
        return b""
