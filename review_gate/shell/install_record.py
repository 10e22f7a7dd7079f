"""What `install` did, kept in the shared git directory so that `uninstall` can undo exactly that."""

from __future__ import annotations

from pydantic import ValidationError

from review_gate.models import Frozen
from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file
from review_gate.shell.repository import RECORD_FILE, Repository

MAX_RECORD_BYTES = 4_000_000


class FolderRecord(Frozen):
    """One hooks folder: the directories made for it, outermost first, and our hooks in it."""

    path: str
    made: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    is_shared: bool = False


class ExcludeRecord(Frozen):
    """The line added to info/exclude, and the file before and after, byte for byte."""

    line: str
    before: str | None
    after: str
    made_folder: bool = False


class InstallRecord(Frozen):
    """All of it; a repository has several hooks folders when core.hooksPath is relative or was changed."""

    version: int = 1
    folders: tuple[FolderRecord, ...] = ()
    exclude: ExcludeRecord | None = None

    def folder(self, path: str) -> FolderRecord | None:
        """What is known of one hooks folder."""
        return next((folder for folder in self.folders if folder.path == path), None)

    def with_folder(self, record: FolderRecord) -> InstallRecord:
        """The same with one folder added or replaced."""
        others = tuple(folder for folder in self.folders if folder.path != record.path)
        return self.model_copy(update={"folders": (*others, record)})


def read_record(repository: Repository) -> InstallRecord | None:
    """What an earlier install did, if it can be read."""
    try:
        data = read_plain_file(repository.shared_path(RECORD_FILE), MAX_RECORD_BYTES)
        return InstallRecord.model_validate_json(data) if data else None
    except (UnsafeFileError, ValidationError):
        return None


def write_record(repository: Repository, record: InstallRecord) -> None:
    """Remember what was done."""
    data = record.model_dump_json(indent=1).encode("utf-8")
    replace_file(repository.shared_path(RECORD_FILE), data, scratch=repository.scratch)


def was_installed_in(repository: Repository, folder: str) -> bool:
    """Whether our own hooks were installed in a hooks folder."""
    record = read_record(repository)
    return record is not None and record.folder(folder) is not None
