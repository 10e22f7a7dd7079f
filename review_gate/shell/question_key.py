"""The word that closes the regions of what a session is shown: the same for one change, and not to be known before.

A session asks for its questions in one call of the program and hands the answers in with another. So the word is not
drawn anew: it is made of the change and of a key that this repository has for itself. No change can hold its own word.
"""

from __future__ import annotations

import hmac
import json
import os
from shlex import quote

from review_gate.errors import ReviewGateError
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.key_file import KEY_BYTES, make_key
from review_gate.shell.repository import Repository

NAME = "question-key"
# As long as the word that models are given.
NONCE_DIGITS = 16


def session_nonce(repository: Repository, *binding: str) -> str:
    """The word for what a session is shown of one change, by the ids that the change has."""
    text = json.dumps(binding).encode("ascii")
    return hmac.new(_key(repository.shared_path(NAME)), text, "sha256").hexdigest()[:NONCE_DIGITS]


def _key(path: str) -> bytes:
    if not os.path.lexists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        make_key(path)
    try:
        key = read_plain_file(path, KEY_BYTES) or b""
    except UnsafeFileError as error:
        raise _unusable(path, str(error)) from None
    if len(key) != KEY_BYTES:
        raise _unusable(path, f"it has {len(key)} bytes and not {KEY_BYTES}")
    return key


def _unusable(path: str, why: str) -> ReviewGateError:
    return ReviewGateError(
        f"the key of the questions cannot be used: {path}: {why}",
        why="without it nobody can tell whether an answer is about what was asked",
        next_step=f"rm -f {quote(path)}, then ask again; a new one is made then",
    )
