"""What `check` says of reviews in rounds that are over, kept as it is printed: besides it only the state is read."""

from __future__ import annotations

import os

from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file
from review_gate.shell.own_folder import is_own_folder
from review_gate.shell.repository import OUR_FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

ROUNDS = "rounds"
STATE = "state.json"
SETTLED = {"text": "settled.txt", "json": "settled.json"}
MAX_BYTES = 20_000_000
NONE_OPEN = {"text": "no review is open\n", "json": '{"reviews": []}\n'}
PASS, BLOCKED = "0\n", "1\n"
# As they are written; within a text of the state a quote has a backslash before it.
RESOLVED = b'"status": "resolved"'
AGREED = b'"outcome": "agreed"'


def keep_settled(folder: str, *, is_agreed: bool, texts: Mapping[str, str]) -> None:
    """Keep what is said of a review that is over, in each form."""
    for form, text in texts.items():
        data = (PASS if is_agreed else BLOCKED) + text
        path = os.path.join(folder, SETTLED[form])
        replace_file(path, data.encode("utf-8", "replace"), scratch=folder, mode=0o600)


def settled(common_dir: str, review: str | None, form: str) -> tuple[int, str] | None:
    """Exit code and text for a review by its whole id, or for all where none is open; None where more is to be done."""
    home = os.path.join(common_dir, OUR_FOLDER, ROUNDS)
    if os.path.lexists(home) and not is_own_folder(home):
        return None
    if review is not None:
        return _of_one(os.path.join(home, review), form) if review.replace("-", "").isalnum() else None
    try:
        names = os.listdir(home)
    except (FileNotFoundError, NotADirectoryError):
        return 0, NONE_OPEN[form]
    return None if any(_is_open(os.path.join(home, name)) for name in names) else (0, NONE_OPEN[form])


def open_count(common_dir: str) -> int:
    """How many reviews are not over."""
    home = os.path.join(common_dir, OUR_FOLDER, ROUNDS)
    try:
        names = os.listdir(home)
    except OSError:
        return 0
    return sum(_is_open(os.path.join(home, name)) for name in names)


def _is_open(folder: str) -> bool:
    try:
        state = read_plain_file(os.path.join(folder, STATE), MAX_BYTES)
    except UnsafeFileError:
        return True
    return state is not None and RESOLVED not in state


def _of_one(folder: str, form: str) -> tuple[int, str] | None:
    """What was kept, as far as the state says the same: a stray file ends no review."""
    try:
        data = read_plain_file(os.path.join(folder, SETTLED[form]), MAX_BYTES) or b""
        state = read_plain_file(os.path.join(folder, STATE), MAX_BYTES) or b""
    except UnsafeFileError:
        return None
    code, _, text = data.decode("utf-8", "replace").partition("\n")
    is_so = RESOLVED in state and (code == "0") == (AGREED in state)
    return (int(code), text) if is_so and text and code in ("0", "1") else None
