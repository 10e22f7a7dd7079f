"""How the open reviews in rounds stand by what was last written down, for hooks that cannot afford a closer look."""

from __future__ import annotations

import os

from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.own_folder import is_own_folder
from review_gate.shell.repository import OUR_FOLDER
from review_gate.shell.settled_rounds import MAX_BYTES, ROUNDS, STATE
from review_gate.strict_json import StrictJsonError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PLACES = {"code-diff": "code", "plan": "plan", "artifact": "artifact"}


class StandingRound:
    """One review that is not over."""

    __slots__ = ("open_findings", "outcome", "place", "review", "round", "session", "worktree")

    def __init__(self, state: Mapping[str, object]) -> None:
        mode, consensus = _mapping(state, "mode"), _mapping(state, "consensus")
        self.review = str(state.get("id"))
        self.session = str(state.get("session") or "")
        self.worktree = str(state.get("worktree") or "")
        self.round = _number(state, "round")
        self.place = PLACES.get(str(mode.get("type")), "code")
        # What was decided about an earlier round says nothing while the next one is under way.
        is_decided = state.get("status") == "awaiting_decision" and _number(consensus, "round") == self.round
        self.outcome = str(consensus.get("outcome") or "waiting") if is_decided else "waiting"
        self.open_findings = _number(consensus, "open")


def standing_rounds(common_dir: str) -> Iterator[StandingRound]:
    """The reviews of a repository that are not over, as far as they can be read."""
    home = os.path.join(common_dir, OUR_FOLDER, ROUNDS)
    if not os.path.lexists(home) or not is_own_folder(home):
        return
    for name in sorted(os.listdir(home)):
        state = _state(os.path.join(home, name, STATE))
        if state is not None and state.get("status") != "resolved":
            yield StandingRound(state)


def _state(path: str) -> Mapping[str, object] | None:
    try:
        found = parse(read_plain_file(path, MAX_BYTES) or b"")
    except (UnsafeFileError, StrictJsonError, OSError):
        return None
    return found if isinstance(found, dict) else None


def _mapping(document: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = document.get(key)
    return value if isinstance(value, dict) else {}


def _number(document: Mapping[str, object], key: str) -> int:
    value = document.get(key)
    return value if type(value) is int else 0
