"""The word that closes the regions of what a session is shown: the same for one change, and not to be known before.

A session asks for its questions in one call of the program and hands the answers in with another. So the word is not
drawn anew: it is made of the change and of a key that this repository has for itself. No change can hold its own word.
"""

from __future__ import annotations

import hmac
import json

from review_gate.shell.key_file import key_at
from review_gate.shell.repository import Repository

NAME = "question-key"
# As long as the word that models are given.
NONCE_DIGITS = 16


def session_nonce(repository: Repository, *binding: str) -> str:
    """The word for what a session is shown of one change, by the ids that the change has."""
    text = json.dumps(binding).encode("ascii")
    key = key_at(repository.shared_path(NAME), "the key of the questions")
    return hmac.new(key, text, "sha256").hexdigest()[:NONCE_DIGITS]
