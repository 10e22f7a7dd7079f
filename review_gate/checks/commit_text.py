"""The message of a commit as text: what its header says it is written in, and what its bytes say as they are."""

from __future__ import annotations

import codecs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from review_gate.checks.alarm import Alarm

# What else is in a commit: names, dates, signatures and the parents of a merge.
HEADER_BYTES = 100_000
# Names that Python knows and git does not, some of which take hours for a long text.
_NO_ENCODINGS = ("idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape")


def message_of(commit: bytes) -> tuple[bytes, str]:
    """The message of a raw commit, and the encoding that its header names."""
    header, _, message = commit.partition(b"\n\n")
    named = next((line[9:] for line in header.split(b"\n") if line.startswith(b"encoding ")), b"")
    return message, named.decode("ascii", "replace")


def readings(message: bytes, encoding: str) -> list[bytes]:
    """What a message says in UTF-8, the likeliest first.

    Its bytes as they are always count: anyone can name an encoding in which a plain text looks like another.
    """
    decoded = _decoded(message, encoding) if encoding else message
    return [message] if decoded in (message, None) else [decoded or b"", message]


def _decoded(message: bytes, encoding: str) -> bytes | None:
    try:
        if codecs.lookup(encoding).name in _NO_ENCODINGS:
            return None
        return message.decode(encoding, "replace").encode("utf-8", "replace")
    except (LookupError, ValueError):
        return None


def said_once(alarms: Sequence[Alarm]) -> list[Alarm]:
    """The alarms without those that a second reading of the same line repeats."""
    found: dict[tuple[str, int, str], Alarm] = {}
    for alarm in alarms:
        found.setdefault((alarm.file, alarm.line, alarm.rule), alarm)
    return list(found.values())
