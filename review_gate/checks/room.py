"""How many findings a scan keeps: what nobody could read in years must not fill the memory."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from review_gate.checks.alarm import Alarm

MOST_FINDINGS = 100_000
# Room is taken in portions, so that processes which share it rarely ask.
PORTION = 1_000
PORTIONS = MOST_FINDINGS // PORTION
# A finding with a longer match takes the room of several.
_MATCH_LENGTH = 1_000


class Room:
    """Room for findings; `take_portion` says whether there was another portion of it."""

    def __init__(self, take_portion: Callable[[], bool] | None = None) -> None:
        self._portions = PORTIONS
        self._take_portion = take_portion or self._own_portion
        self._left = 0
        self.is_full = False

    def take(self, alarms: Iterable[Alarm]) -> None:
        """Take the room that some findings need; when it is full, they are the last."""
        self._left -= sum(map(_size, alarms))
        while self._left < 0 and not self.is_full:
            self.is_full = not self._take_portion()
            self._left += PORTION

    def _own_portion(self) -> bool:
        self._portions -= 1
        return self._portions >= 0


def _size(alarm: Alarm) -> int:
    return 1 + len(alarm.hit.text) // _MATCH_LENGTH if alarm.hit else 1


def too_many(unseen: int) -> str:
    """That a scan has found more than it keeps, and what to do."""
    files = "1 file" if unseen == 1 else f"{unseen} files"
    others = f"more than {MOST_FINDINGS} findings are in the others"
    return f"{files}: {others}; scan fewer files (checks.exclude), or with fewer checks (checks.disable)"
