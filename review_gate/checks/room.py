"""How many findings a scan keeps: more than anybody could read must not fill the memory."""

from __future__ import annotations

from collections.abc import Iterable

from review_gate.checks.alarm import Alarm

MOST_FINDINGS = 100_000
# A finding with a longer match takes the room of several.
_MATCH_LENGTH = 1_000


class Room:
    """Room for findings."""

    def __init__(self, most: int = MOST_FINDINGS) -> None:
        self._left = most
        self.is_full = False

    def take(self, alarms: Iterable[Alarm]) -> None:
        """Take the room that some findings need; when it is full, they are the last."""
        self._left -= sum(map(_size, alarms))
        self.is_full = self._left < 0


def _size(alarm: Alarm) -> int:
    return 1 + len(alarm.hit.text) // _MATCH_LENGTH if alarm.hit else 1


def too_many(unseen: int) -> str:
    """That a scan has found more than it keeps, and what to do."""
    files = "1 file" if unseen == 1 else f"{unseen} files"
    others = f"more than {MOST_FINDINGS} findings are in the others"
    return f"{files}: {others}; scan fewer files (checks.exclude), or with fewer checks (checks.disable)"
