"""What `install` did for coding agents, kept so that `uninstall` can undo exactly that."""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import sha256

from pydantic import Field, ValidationError

from review_gate.config.places import user_config_file
from review_gate.models import Frozen
from review_gate.shell.files import UnsafeFileError, missing_folders, read_plain_file, remove_empty, replace_file
from review_gate.shell.repository import Repository

# In our folder of the git directory of a work tree, and beside the user's own configuration.
RECORD_FILE = "agents.json"
MAX_RECORD_BYTES = 64_000_000
# Settings can hold keys, and so can what is kept of them.
OWNER_ONLY = 0o600


class Change(Frozen):
    """One file that was changed, before and after, byte for byte."""

    path: str
    before: str | None
    after: str

    @property
    def old(self) -> bytes | None:
        """What was there, None for no file."""
        return None if self.before is None else self.before.encode("latin-1")

    @property
    def new(self) -> bytes:
        """What was written."""
        return self.after.encode("latin-1")


class Registration(Frozen):
    """One agent: its settings, the digests of the texts that lie beside them, and the folders made, outermost first."""

    agent: str
    change: Change
    texts: dict[str, str] = Field(default_factory=dict)
    made: tuple[str, ...] = ()


class AgentRecord(Frozen):
    """All of it, and the folders made for the record itself, outermost first."""

    version: int = 1
    registrations: tuple[Registration, ...] = ()
    made: tuple[str, ...] = ()

    def of(self, agent: str, path: str) -> Registration | None:
        """What is known of one settings file."""
        return next((one for one in self.registrations if (one.agent, one.change.path) == (agent, path)), None)

    def without(self, agent: str, path: str) -> AgentRecord:
        """The same without one."""
        left = tuple(one for one in self.registrations if (one.agent, one.change.path) != (agent, path))
        return self.model_copy(update={"registrations": left})

    def with_one(self, registration: Registration) -> AgentRecord:
        """The same with one added or replaced."""
        others = self.without(registration.agent, registration.change.path).registrations
        return self.model_copy(update={"registrations": (*others, registration)})


class RecordPlace:
    """Where a record is kept."""

    __slots__ = ("path", "scratch")

    def __init__(self, folder: str) -> None:
        self.path = os.path.join(folder, RECORD_FILE)
        self.scratch = os.path.join(folder, "tmp")

    def read(self) -> AgentRecord:
        """What earlier installs did; nothing where that cannot be read."""
        try:
            data = read_plain_file(self.path, MAX_RECORD_BYTES)
            return AgentRecord.model_validate_json(data) if data else AgentRecord()
        except (UnsafeFileError, ValidationError):
            return AgentRecord()

    def write(self, record: AgentRecord) -> None:
        """Remember what was done; with nothing to remember the file goes, and so do folders that it leaves empty."""
        folder = os.path.dirname(self.path)
        if record.registrations:
            record = record.model_copy(update={"made": (*record.made, *missing_folders(folder))})
            data = record.model_dump_json(indent=1).encode("utf-8")
            replace_file(self.path, data, scratch=self.scratch, mode=OWNER_ONLY)
            return
        if os.path.lexists(self.path):
            os.unlink(self.path)
        remove_empty((*record.made, folder, self.scratch))


def project_record(repository: Repository) -> RecordPlace:
    """The record of a work tree."""
    return RecordPlace(os.path.dirname(repository.own_path(RECORD_FILE)))


def user_record(environ: Mapping[str, str], platform: str) -> RecordPlace | None:
    """The record of the user's own settings; None where there is no home."""
    file = user_config_file(environ, platform)
    return RecordPlace(os.path.dirname(file)) if file else None


def change_of(path: str, before: bytes | None, after: bytes) -> Change:
    """The record of a change."""
    return Change(path=path, before=None if before is None else before.decode("latin-1"), after=after.decode("latin-1"))


def digest_of(text: bytes) -> str:
    """By what a text of ours is known again."""
    return sha256(text).hexdigest()
