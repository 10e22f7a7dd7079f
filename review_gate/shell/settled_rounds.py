"""The state of reviews in rounds for callers that cannot afford the whole store: `check`, hooks and the status line."""

from __future__ import annotations

import os

from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file
from review_gate.shell.own_folder import is_own_folder
from review_gate.shell.repository import OUR_FOLDER
from review_gate.strict_json import StrictJsonError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROUNDS = "rounds"
STATE = "state.json"
SETTLED = {"text": "settled.txt", "json": "settled.json"}
MAX_BYTES = 20_000_000
NONE_OPEN = {"text": "no review is open\n", "json": '{"reviews": []}\n'}
PASS, BLOCKED = "0\n", "1\n"
RESOLVED = "resolved"


def keep_settled(folder: str, *, is_agreed: bool, texts: Mapping[str, str]) -> None:
    """Keep what `check` prints about a review that is over, in each form."""
    for form, text in texts.items():
        data = (PASS if is_agreed else BLOCKED) + text
        path = os.path.join(folder, SETTLED[form])
        replace_file(path, data.encode("utf-8", "replace"), scratch=folder, mode=0o600)


def settled(common_dir: str, review: str | None, form: str) -> tuple[int, str] | None:
    """Exit code and text for a review by its whole id, or for all where none is open; None where more is to be done."""
    home = os.path.join(common_dir, OUR_FOLDER, ROUNDS)
    if os.path.lexists(home) and not is_own_folder(home):
        return None
    if review is None:
        return None if open_count(common_dir) else (0, NONE_OPEN[form])
    return _of_one(os.path.join(home, review), form) if review.replace("-", "").isalnum() else None


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


def _of_one(folder: str, form: str) -> tuple[int, str] | None:
    """What was kept, as far as the state says the same: a stray file ends no review."""
    state = _state(os.path.join(folder, STATE)) or {}
    consensus = state.get("consensus")
    try:
        data = read_plain_file(os.path.join(folder, SETTLED[form]), MAX_BYTES) or b""
    except UnsafeFileError:
        return None
    code, _, text = data.decode("utf-8", "replace").partition("\n")
    is_agreed = isinstance(consensus, dict) and consensus.get("outcome") == "agreed"
    is_so = state.get("status") == RESOLVED and code == ("0" if is_agreed else "1")
    return (int(code), text) if is_so and text else None
