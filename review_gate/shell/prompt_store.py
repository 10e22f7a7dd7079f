"""Reviews of prompts that wait for answers or a decision: private files of this user."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import sys
import time
from collections.abc import Iterator, Mapping
from typing import TypeVar

from pydantic import ValidationError

from review_gate.errors import MisuseError, ReviewGateError
from review_gate.models import Frozen
from review_gate.safe_text import safe_line
from review_gate.shell.cache_folder import cache_folder
from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file
from review_gate.shell.own_folder import make_own_folder

FOLDER = "prompt-reviews"
MAX_BYTES = 100_000_000
# Older ones are removed.
EXPIRES_SECONDS = 86_400.0
ID = re.compile(r"prompt-[0-9a-f]{12}")
# What waits: an answer of the session's subagents, a decision about a proposal, a prompt that a hook has seen.
ASKED, PROPOSED, REQUESTED = "asked", "proposed", "requested"

Kept = TypeVar("Kept", bound=Frozen)


def new_id() -> str:
    """A random id."""
    return f"prompt-{secrets.token_hex(6)}"


def id_of(*parts: str) -> str:
    """The id for these parts: always the same, and not to be guessed without them."""
    from hashlib import sha256

    return f"prompt-{sha256(repr(parts).encode()).hexdigest()[:12]}"


class PromptStore:
    """What waits, by kind and id."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        home = cache_folder(environ, sys.platform)
        self._folder = os.path.join(home, FOLDER) if home is not None else ""

    def keep(self, kind: str, name: str, document: Frozen) -> None:
        """Write something down until it is taken."""
        if not self._folder:
            raise ReviewGateError(
                "there is no home folder",
                why="what waits for a decision is kept there, and neither HOME nor a cache folder is set",
                next_step="set HOME, then the same command again",
            )
        make_own_folder(self._folder)
        data = document.model_dump_json().encode("utf-8", "surrogatepass")
        replace_file(self._path(kind, name), data, scratch=self._folder, mode=0o600, outlasts_crash=False)

    def read(self, kind: str, name: str, model: type[Kept]) -> Kept:
        """What waits under an id, or an error that says what to do."""
        try:
            data = read_plain_file(self._path(kind, name), MAX_BYTES) if ID.fullmatch(name) else None
            return model.model_validate_json(data or b"")
        except (UnsafeFileError, ValidationError):
            raise _unknown(name) from None

    def take(self, kind: str, name: str) -> None:
        """Remove a waiting document; an error if another process was quicker."""
        try:
            os.unlink(self._path(kind, name))
        except FileNotFoundError:
            raise _unknown(name) from None

    def expired(self, kind: str, model: type[Kept]) -> Iterator[Kept]:
        """Remove and return the documents that have expired."""
        names = os.listdir(self._folder) if os.path.isdir(self._folder) else []
        for name in sorted(one.removesuffix(f".{kind}.json") for one in names if one.endswith(f".{kind}.json")):
            with contextlib.suppress(OSError, ReviewGateError):
                if time.time() - os.stat(self._path(kind, name)).st_mtime > EXPIRES_SECONDS:
                    document = self.read(kind, name, model)
                    self.take(kind, name)
                    yield document

    def _path(self, kind: str, name: str) -> str:
        return os.path.join(self._folder, f"{name}.{kind}.json")


def _unknown(name: str) -> MisuseError:
    return MisuseError(
        f'no review of a prompt waits under the id "{safe_line(name[:60])}"',
        why="it was decided already, has expired after a day, or never was",
        next_step="review-gate prompt-review TEXT",
    )
