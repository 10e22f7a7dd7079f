"""Pushes the gate let go, and pushes it never saw: two small logs in the shared git directory."""

from __future__ import annotations

import time

from review_gate.shell.files import UnsafeFileError, append_line, read_plain_file
from review_gate.strict_json import StrictJsonError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from review_gate.shell.repository import Repository

ALLOWED = "pushes.jsonl"
UNSEEN = "unseen-pushes.jsonl"
MAX_LOG_BYTES = 1_000_000


def record_allowed(repository: Repository, sent: Iterable[tuple[str, str]]) -> None:
    """Note which object ids the gate let out to which remote refs."""
    now = int(time.time())
    lines = "".join(f'{{"time": {now}, "ref": {_quoted(ref)}, "id": "{oid}"}}\n' for ref, oid in sent)
    append_line(repository.shared_path(ALLOWED), lines.encode("ascii"), limit=MAX_LOG_BYTES)


def record_unseen(repository: Repository, ref: str, old: str, oid: str) -> None:
    """Note a push that reached the remote without passing the gate, and what the remote had before."""
    line = f'{{"time": {int(time.time())}, "ref": {_quoted(ref)}, "old": "{old}", "id": "{oid}"}}\n'
    append_line(repository.shared_path(UNSEEN), line.encode("ascii"), limit=MAX_LOG_BYTES)


def allowed_ids(repository: Repository) -> set[str]:
    """Every object id the gate has let out, as far back as the log goes."""
    entries = [*_entries(repository, ALLOWED + ".1"), *_entries(repository, ALLOWED)]
    return {str(entry.get("id")) for entry in entries}


def unseen_pushes(repository: Repository) -> list[dict[str, object]]:
    """The pushes that went round the gate, oldest first."""
    return [*_entries(repository, UNSEEN + ".1"), *_entries(repository, UNSEEN)]


def _entries(repository: Repository, name: str) -> list[dict[str, object]]:
    try:
        data = read_plain_file(repository.shared_path(name), 4 * MAX_LOG_BYTES) or b""
    except UnsafeFileError:
        return []
    found = []
    for line in data.split(b"\n"):
        try:
            entry = parse(line)
        except StrictJsonError:
            continue
        if isinstance(entry, dict):
            found.append(entry)
    return found


def _quoted(text: str) -> str:
    """A JSON string of ASCII letters, without the import of `json`."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    units = text.encode("utf-16-be", "surrogatepass")
    codes = (units[at] << 8 | units[at + 1] for at in range(0, len(units), 2))
    letters = (chr(code) if 31 < code < 127 and code not in b'"\\' else f"\\u{code:04x}" for code in codes)
    return '"' + "".join(letters) + '"'
