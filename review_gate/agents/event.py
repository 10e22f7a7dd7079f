"""What a coding agent tells: one event, in the same words for every agent."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Kind = Literal["prompt", "shell", "write", "plan", "stop", "start", "config", "other"]

PROMPT: Kind = "prompt"
SHELL: Kind = "shell"
WRITE: Kind = "write"
PLAN: Kind = "plan"
STOP: Kind = "stop"
START: Kind = "start"
CONFIG: Kind = "config"
OTHER: Kind = "other"
# What goes on only when the gate has said so; whatever breaks, these are refused.
GUARDED = (SHELL, WRITE, PLAN)


class UnreadableEventError(ValueError):
    """What the agent has sent is no event; `is_open`: it seems to be one that goes on whatever happens."""

    def __init__(self, why: str, *, is_open: bool = False) -> None:
        super().__init__(why)
        self.is_open = is_open


class Event:
    """One thing that an agent is about to do, or has done; `kind` says which of the other fields mean anything.

    `text` is the prompt, the command of the shell, or the plan (None where the agent sent none, or no text). `paths`
    are the files that would be written, that of the plan, or the settings that changed; `edits` is what a write would
    make of one. `turn` is the same in all that is told of one prompt, where the agent says so; `last_words` are
    what the agent said before it wants to stop.
    """

    __slots__ = (
        "agent",
        "edits",
        "folder",
        "has_background",
        "is_powershell",
        "kind",
        "last_words",
        "paths",
        "session",
        "text",
        "turn",
    )

    def __init__(
        self,
        kind: Kind,
        *,
        agent: str,
        session: str = "",
        turn: str = "",
        last_words: str = "",
        folder: str = "",
        text: str | None = None,
        paths: tuple[str, ...] = (),
        edits: Edits | None = None,
        has_background: bool = False,
        is_powershell: bool = False,
    ) -> None:
        self.kind = kind
        self.agent = agent
        self.session = session
        self.turn = turn
        self.last_words = last_words
        self.folder = folder
        self.text = text
        self.paths = paths
        self.edits = edits
        self.has_background = has_background
        self.is_powershell = is_powershell

    @property
    def path(self) -> str:
        """The file that it is about, where there is one."""
        return self.paths[0] if self.paths else ""


class Edits:
    """What would become of a file: the whole new text, or pieces of the old one and what takes their places.

    Neither is known of a tool that nobody told us about: then nobody can say what the file would be.
    """

    __slots__ = ("replacements", "whole")

    def __init__(self, *, whole: str | None = None, replacements: tuple[tuple[str, str, bool], ...] = ()) -> None:
        self.whole = whole
        self.replacements = replacements

    def applied_to(self, text: str) -> str | None:
        """The file afterwards, None where that cannot be told."""
        if self.whole is not None:
            return self.whole
        if not self.replacements:
            return None
        for old, new, is_everywhere in self.replacements:
            if not old and text:
                return None
            text = text.replace(old, new, -1 if is_everywhere else 1)
        return text
