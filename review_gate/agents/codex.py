"""Codex's words for events and answers: those of Claude Code, read more strictly, and patches as its way to write."""

from __future__ import annotations

from review_gate.agents import claude
from review_gate.agents.claude import KINDS, TOOL, text_of
from review_gate.agents.event import OTHER, WRITE, Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from review_gate.agents.answer import Answer

__all__ = ("KINDS", "NAME", "TOOL", "read", "write")
NAME = "codex"
PATCH = "apply_patch"


def read(payload: Mapping[str, object]) -> Event:
    """The event that Codex tells of."""
    if text_of(payload, "hook_event_name") != TOOL:
        event = claude.read(payload)
        event.agent = NAME
        return event
    event = claude.of_tool(payload, NAME)
    given = payload.get("tool_input")
    if event.kind == OTHER and text_of(payload, "tool_name") == PATCH and isinstance(given, dict):
        from review_gate.commandline.programs import patched

        event.kind, event.paths = WRITE, patched(text_of(given, "command") or text_of(given, "input"))
    return event


def write(answer: Answer, event: Event) -> dict[str, object]:
    """The same answer as Codex wants to read it: with a key that it does not know it takes the whole for none."""
    # Seen in 0.166.0: a word for the user beside a refusal or a context is known.
    return claude.write(answer, event)
