"""The message of a commit as text: what its header says it is written in, and what its bytes say as they are."""

from __future__ import annotations

import codecs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from review_gate.checks.alarm import Alarm

# What else is in a commit: names, dates, signatures and the parents of a merge.
HEADER_BYTES = 100_000
# Fields of the header that hold words of people, and what a finding calls them.
_WRITTEN = {b"author": "the author", b"committer": "the committer", b"mergetag": "a merged tag"}
# Names that Python knows and git does not, some of which take hours for a long text.
_NO_ENCODINGS = ("idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape")


def message_of(commit: bytes) -> tuple[bytes, str]:
    """The message of a raw commit, and the encoding that its header names."""
    header, _, message = commit.partition(b"\n\n")
    named = next((line[9:] for line in header.split(b"\n") if line.startswith(b"encoding ")), b"")
    return message, named.decode("ascii", "replace")


def header_texts(commit: bytes) -> list[tuple[str, bytes]]:
    """Names, addresses and messages of merged tags in the header of a raw commit, each with the word for it.

    Whoever is author and committer is told of once.
    """
    # The lines of a value but the first begin with a space.
    fields = commit.partition(b"\n\n")[0].replace(b"\n ", b"\0").split(b"\n")
    found: dict[bytes, str] = {}
    for field in fields:
        name, _, value = field.partition(b" ")
        if name in _WRITTEN:
            # The time follows the address.
            text = value.replace(b"\0", b"\n") if name == b"mergetag" else value.rpartition(b" ")[0].rpartition(b" ")[0]
            found.setdefault(text, _WRITTEN[name])
    return [(what, text) for text, what in found.items()]


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
