"""Answers of reviewers, kept by the content they are about: the same question is not paid for twice."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import threading
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from review_gate.models import Frozen
from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file
from review_gate.shell.kept_files import KeptFile, kept_files, remove, surplus
from review_gate.shell.repository import OUR_FOLDER, Repository
from review_gate.shell.sealed import seal, unsealed

FOLDER = "answers"
MAX_ENTRIES = 5_000
MAX_BYTES = 50_000_000
MAX_ENTRY_BYTES = 2_000_000
_KEY = re.compile(r"[0-9a-f]{64}")
_SHARD = re.compile(r"[0-9a-f]{2}")


class CacheReport(Frozen):
    """How much is kept, and since when."""

    entries: int = 0
    bytes: int = 0
    oldest: datetime | None = None
    newest: datetime | None = None


class CachePlace(NamedTuple):
    """Where answers are kept, and a folder for what is half written."""

    folder: str
    scratch: str


def place_in(repository: Repository) -> CachePlace:
    """Where all work trees of a repository keep theirs."""
    return CachePlace(os.path.join(repository.common_dir, OUR_FOLDER, FOLDER), repository.scratch)


class AnswerCache:
    """Answers by what they are about; one that cannot be kept or read is asked for again."""

    def __init__(self, place: CachePlace, *, max_entries: int = MAX_ENTRIES, max_bytes: int = MAX_BYTES) -> None:
        self.max_entries = max_entries
        self.max_bytes = max_bytes
        self._folder, self._scratch = place
        self._lock = threading.Lock()
        # What may still be added before all are counted; nothing is known at first.
        self._free_entries = self._free_bytes = 0

    @staticmethod
    def key_of(parts: Sequence[str]) -> str:
        """A digest of all that an answer depends on; each part has its length before it, so none runs into the next."""
        return AnswerCache.keys_of(parts, [()])[0]

    @staticmethod
    def keys_of(common: Sequence[str], others: Iterable[Sequence[str]]) -> list[str]:
        """The same for many that begin alike, which is digested once."""
        beginning = hashlib.sha256()
        _digest(beginning, common)
        keys = []
        for parts in others:
            digest = beginning.copy()
            _digest(digest, parts)
            keys.append(digest.hexdigest())
        return keys

    def get(self, key: str) -> dict[str, Any] | None:
        """The answer that was kept, None where there is none or it is not, byte for byte, what was written."""
        try:
            kept = unsealed(read_plain_file(self._path(key), MAX_ENTRY_BYTES))
        except UnsafeFileError:
            return None
        # The key is sealed too: an answer that was moved is an answer to something else.
        if kept is None or kept.get("key") != key:
            return None
        answer = kept.get("answer")
        return answer if isinstance(answer, dict) else None

    def put(self, key: str, document: dict[str, Any]) -> None:
        """Keep an answer, and let the oldest go where there are too many."""
        path = self._path(key)
        data = seal({"key": key, "answer": document})
        if len(data) > MAX_ENTRY_BYTES:
            return
        with contextlib.suppress(OSError):
            replace_file(path, data, scratch=self._scratch, outlasts_crash=False)
            self._make_room(path, len(data))

    def _make_room(self, path: str, size: int) -> None:
        """Let the oldest go where there are too many; all are counted again only when the room may be used up."""
        with self._lock:
            self._free_entries, self._free_bytes = self._free_entries - 1, self._free_bytes - size
            if self._free_entries >= 0 and self._free_bytes >= 0:
                return
            files = self._files()
            gone = surplus(files, most=self.max_entries, most_bytes=self.max_bytes, spare=path)
            if gone:
                # Some more than have to, or each further answer would need a count of all.
                gone = [file for file in files if file.path != path][: len(gone) + len(files) // 20]
            remove(gone)
            self._free_entries = self.max_entries - len(files) + len(gone)
            self._free_bytes = self.max_bytes - sum(file.size for file in files) + sum(file.size for file in gone)

    def report(self) -> CacheReport:
        """What is there now."""
        files = self._files()
        return CacheReport(
            entries=len(files),
            bytes=sum(file.size for file in files),
            oldest=files[0].written if files else None,
            newest=files[-1].written if files else None,
        )

    def clear(self) -> int:
        """Forget every answer; how many there were."""
        return remove(self._files())

    def _path(self, key: str) -> str:
        if not _KEY.fullmatch(key):
            raise ValueError("a key is what key_of makes")
        return os.path.join(self._folder, key[:2], key)

    def _files(self) -> list[KeptFile]:
        try:
            names = os.listdir(self._folder)
        except (FileNotFoundError, NotADirectoryError):
            return []
        return kept_files([os.path.join(self._folder, name) for name in names if _SHARD.fullmatch(name)], _KEY)


def _digest(digest: hashlib._Hash, parts: Sequence[str]) -> None:
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(data) + data)
