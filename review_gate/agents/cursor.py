"""Cursor's words for events and answers."""

from __future__ import annotations

from review_gate.agents.answer import CONTEXT, DENY, KEEP_WORKING
from review_gate.agents.claude import command_in, edits_of, path_in, text_of, tool_of
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
WRITERS = ("Write", "Delete", "StrReplace", "Edit", "EditNotebook", "MultiEdit", "NotebookEdit")
PATCH = "ApplyPatch"
PATHS = ("file_path", "path", "target_notebook", "notebook_path")
# Beside "completed": the user or a failure ended the turn, and a message would begin it anew.
ENDED = ("aborted", "error")


def read(payload: Mapping[str, object]) -> Event:
    """The event that Cursor tells of."""
    name = text_of(payload, "hook_event_name")
    kind = _kind_of_tool(tool_of(payload, "tool_name")) if name == TOOL else KINDS.get(name, OTHER)
    if kind == STOP and payload.get("status") in ENDED:
        kind = OTHER
    given = payload.get("tool_input")
    given = given if isinstance(given, dict) else {}
    command = command_in(payload if "command" in payload else given)
    return Event(
        kind,
        agent=NAME,
        session=text_of(payload, "conversation_id") or text_of(payload, "session_id"),
        folder=text_of(given, "working_directory") or text_of(payload, "cwd") or _root(payload),
        text=command if kind == SHELL else text_of(payload, "prompt"),
        paths=_paths(payload, given),
        edits=edits_of(given) if kind == WRITE else None,
    )


def _kind_of_tool(tool: str) -> Kind:
    if tool == SHELL_TOOL:
        return SHELL
    return WRITE if tool in WRITERS or tool == PATCH else OTHER


def _paths(payload: Mapping[str, object], given: Mapping[str, object]) -> tuple[str, ...]:
    if text_of(payload, "tool_name") == PATCH:
        from review_gate.commandline.programs import patched

        whole = payload.get("tool_input")
        texts = [text for text in (whole, *given.values()) if isinstance(text, str)]
        return patched("\n".join(texts))
    return next((found for key in PATHS if (found := path_in(given, key))), ())


def _root(payload: Mapping[str, object]) -> str:
    roots = payload.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else ""
    return first if isinstance(first, str) else ""


def write(answer: Answer, event: Event) -> dict[str, object]:
    """The same answer as Cursor wants to read it."""
    if event.kind == PROMPT:
        # It shows an agent nothing beside a prompt, so a no has to stop the prompt.
        refusal = answer.text if answer.verdict == DENY else answer.refusal
        return {"continue": False, "user_message": refusal} if refusal else {"continue": True}
    if answer.verdict == DENY:
        return {"permission": "deny", "user_message": answer.text, "agent_message": answer.text}
    if answer.verdict == KEEP_WORKING:
        return {"followup_message": answer.text}
    if answer.verdict == CONTEXT:
        return {"additional_context": answer.text}
    # Silence where it asks for leave is a failure to it, and with failClosed a refusal.
    return {"permission": "allow"} if event.kind in (SHELL, WRITE, OTHER) else {}
