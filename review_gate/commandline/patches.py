"""The patches that agents write files with: `apply_patch`, a tool of its own or a command in a line of shell."""

from __future__ import annotations

from review_gate.commandline.acts import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Codex knows both, and carries them out itself wherever a line of shell starts them.
PROGRAMS = frozenset({"apply_patch", "applypatch"})
_MARKS = ("*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:")


def patched(patch: str) -> tuple[str, ...]:
    """The files that a patch is about."""
    lines = [line.strip() for line in patch.splitlines() if "***" in line]
    return tuple(line.removeprefix(mark).strip() for line in lines for mark in _MARKS if line.startswith(mark))


def patched_by(words: Sequence[str], feed: str | None) -> tuple[str, ...]:
    """The files that such a command writes, unknown ones where its patch is not told."""
    text = "\n".join((*words[1:], feed or ""))
    return patched(text) or ((UNKNOWN,) if UNKNOWN in text else ())
