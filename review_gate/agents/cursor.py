"""Cursor's words for events and answers."""

from __future__ import annotations

from review_gate.agents.answer import CONTEXT, DENY, KEEP_WORKING
from review_gate.agents.claude import WRITERS, edits_of, path_in, text_of
from review_gate.agents.event import OTHER, PROMPT, SHELL, START, STOP, WRITE, Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from review_gate.agents.answer import Answer
    from review_gate.agents.event import Kind

NAME = "cursor"
KINDS: Mapping[str, Kind] = {
    "beforeSubmitPrompt": PROMPT,
    "beforeShellExecution": SHELL,
    "stop": STOP,
    "sessionStart": START,
}
TOOL = "preToolUse"
SHELL_TOOL = "Shell"


def read(payload: Mapping[str, object]) -> Event:
    """The event that Cursor tells of."""
    name = text_of(payload, "hook_event_name")
    given = payload.get("tool_input")
    given = given if isinstance(given, dict) else {}
    kind = _kind_of_tool(text_of(payload, "tool_name")) if name == TOOL else KINDS.get(name, OTHER)
    command = text_of(payload, "command") or text_of(given, "command")
    return Event(
        kind,
        agent=NAME,
        session=text_of(payload, "conversation_id") or text_of(payload, "session_id"),
        folder=text_of(given, "working_directory") or text_of(payload, "cwd") or _root(payload),
        text=command if kind == SHELL else text_of(payload, "prompt"),
        paths=path_in(given, "file_path") or path_in(given, "path"),
        edits=edits_of(given) if kind == WRITE else None,
    )


def _kind_of_tool(tool: str) -> Kind:
    if tool == SHELL_TOOL:
        return SHELL
    return WRITE if tool in WRITERS else OTHER


def _root(payload: Mapping[str, object]) -> str:
    roots = payload.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else ""
    return first if isinstance(first, str) else ""


def write(answer: Answer, event: Event) -> dict[str, object]:
    """The same answer as Cursor wants to read it."""
    if answer.verdict == DENY and event.kind == PROMPT:
        return {"continue": False, "user_message": answer.text}
    if answer.verdict == DENY:
        return {"permission": "deny", "user_message": answer.text, "agent_message": answer.text}
    if answer.verdict == KEEP_WORKING:
        return {"followup_message": answer.text}
    if answer.verdict == CONTEXT and event.kind == START:
        return {"additional_context": answer.text}
    if answer.verdict == CONTEXT and answer.is_refusal:
        # It shows an agent nothing beside a prompt, so a no has to stop the prompt.
        return {"continue": False, "user_message": answer.text}
    return {}
