"""The state of reviews in rounds for callers that cannot afford the whole store: hooks and the status line."""

from __future__ import annotations

import os

from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.own_folder import is_own_folder
from review_gate.shell.repository import OUR_FOLDER
from review_gate.strict_json import StrictJsonError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROUNDS = "rounds"
STATE = "state.json"
MAX_BYTES = 20_000_000
RESOLVED = "resolved"


def open_count(common_dir: str) -> int:
    """How many reviews are not over; a state that cannot be read is not over."""
    return sum(state is None or state.get("status") != RESOLVED for state in _states(common_dir))


def open_states(common_dir: str) -> list[Mapping[str, object]]:
    """The state.json of each review that is not over, as far as it can be read."""
    home = os.path.join(common_dir, OUR_FOLDER, ROUNDS)
    if not os.path.lexists(home) or not is_own_folder(home):
        return []
    return [state for state in _states(common_dir) if state is not None and state.get("status") != RESOLVED]


def _states(common_dir: str) -> Iterator[Mapping[str, object] | None]:
    home = os.path.join(common_dir, OUR_FOLDER, ROUNDS)
    try:
        names = sorted(os.listdir(home))
    except OSError:
        return
    for path in (os.path.join(home, name, STATE) for name in names):
        if os.path.lexists(path):
            yield _state(path)


def _state(path: str) -> Mapping[str, object] | None:
    try:
        found = parse(read_plain_file(path, MAX_BYTES) or b"")
    except (UnsafeFileError, StrictJsonError, OSError):
        return None
    return found if isinstance(found, dict) else None
