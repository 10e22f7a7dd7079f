"""One line of ours in .git/info/exclude, so that the state file does not show up in `git status`."""

from __future__ import annotations

import os
import stat

from review_gate.shell.files import read_plain_file, replace_file
from review_gate.shell.install_record import ExcludeRecord
from review_gate.shell.repository import Repository

MAX_BYTES = 1_000_000
SPECIAL = "\\*?[#! "


def exclude(repository: Repository, path: str, old: ExcludeRecord | None) -> ExcludeRecord | None:
    """Add the line for a path unless git ignores the path already; what an earlier call added is replaced."""
    line = "/" + "".join(f"\\{letter}" if letter in SPECIAL else letter for letter in path)
    if old is not None and old.line == line:
        return old
    if old is not None:
        restore(repository, old)
    if repository.is_bare or repository.git.try_run("check-ignore", "--quiet", "--no-index", "--", path)[0] == 0:
        return None
    return _add(repository, line)


def _add(repository: Repository, line: str) -> ExcludeRecord:
    file = _file(repository)
    made_folder = not os.path.isdir(os.path.dirname(file))
    before = read_plain_file(file, MAX_BYTES)
    text = before or b""
    gap = b"" if not text or text.endswith(b"\n") else b"\n"
    after = text + gap + line.encode("utf-8", "surrogateescape") + b"\n"
    replace_file(file, after, scratch=repository.scratch, mode=_mode(file))
    return ExcludeRecord(
        line=line,
        before=None if before is None else before.decode("latin-1"),
        after=after.decode("latin-1"),
        made_folder=made_folder,
    )


def restore(repository: Repository, record: ExcludeRecord) -> None:
    """Put the file back as it was; if someone has changed it since, only our line goes."""
    file = _file(repository)
    now = read_plain_file(file, MAX_BYTES)
    if now is None:
        return
    if now == record.after.encode("latin-1"):
        _put_back(repository, file, record)
        return
    lines = now.splitlines(keepends=True)
    ours = record.line.encode("utf-8", "surrogateescape")
    places = [number for number, line in enumerate(lines) if line.rstrip(b"\r\n") == ours]
    if places:
        del lines[places[-1]]
        replace_file(file, b"".join(lines), scratch=repository.scratch, mode=_mode(file))


def _put_back(repository: Repository, file: str, record: ExcludeRecord) -> None:
    if record.before is not None:
        replace_file(file, record.before.encode("latin-1"), scratch=repository.scratch, mode=_mode(file))
        return
    os.unlink(file)
    if record.made_folder and not os.listdir(os.path.dirname(file)):
        os.rmdir(os.path.dirname(file))


def _file(repository: Repository) -> str:
    return os.path.realpath(os.path.join(repository.common_dir, "info", "exclude"))


def _mode(file: str) -> int | None:
    return stat.S_IMODE(os.stat(file).st_mode) if os.path.exists(file) else None
