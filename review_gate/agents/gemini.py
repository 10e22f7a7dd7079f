"""Gemini CLI's words for events and answers."""

from __future__ import annotations

import os

from review_gate.agents.answer import CONTEXT, DENY, KEEP_WORKING
from review_gate.agents.claude import command_in, edits_of, path_in, text_of, tool_of
from review_gate.agents.event import OTHER, PROMPT, SHELL, START, STOP, WRITE, Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from review_gate.agents.answer import Answer
    from review_gate.agents.event import Kind

NAME = "gemini"
KINDS: Mapping[str, Kind] = {"BeforeAgent": PROMPT, "AfterAgent": STOP, "SessionStart": START}
TOOL = "BeforeTool"
TOOLS: Mapping[str, Kind] = {"run_shell_command": SHELL, "write_file": WRITE, "replace": WRITE}
# Where a command runs, below the folder of the session; the name changed between versions.
FOLDERS = ("dir_path", "directory")
# Seen in 0.61.0: without a terminal, what hooks said at the start of a session stands before its first prompt.
OPENING, CLOSING = "<hook_context>", "</hook_context>"


def read(payload: Mapping[str, object]) -> Event:
    """The event that Gemini CLI tells of."""
    name = text_of(payload, "hook_event_name")
    given = payload.get("tool_input")
    given = given if isinstance(given, dict) else {}
    kind = TOOLS.get(tool_of(payload, "tool_name"), OTHER) if name == TOOL else KINDS.get(name, OTHER)
    folder = text_of(payload, "cwd")
    below = next((text_of(given, key) for key in FOLDERS if text_of(given, key)), "")
    return Event(
        kind,
        agent=NAME,
        session=text_of(payload, "session_id"),
        last_words=text_of(payload, "prompt_response"),
        folder=os.path.join(folder, below) if below else folder,
        text=command_in(given) if kind == SHELL else _typed(text_of(payload, "prompt")),
        paths=path_in(given, "file_path"),
        edits=edits_of(given) if kind == WRITE else None,
    )


def _typed(prompt: str) -> str:
    """What of a prompt the user typed; a sign of it inside the context of hooks is written as `&lt;`."""
    if not prompt.startswith(OPENING):
        return prompt
    _, found, typed = prompt.partition(CLOSING)
    return typed.lstrip("\n") if found else prompt


def write(answer: Answer, event: Event) -> dict[str, object]:
    """The same answer as Gemini CLI wants to read it."""
    said: dict[str, object] = {"systemMessage": answer.notice} if answer.notice else {}
    if answer.verdict == DENY:
        said |= {"decision": "deny", "reason": answer.text}
    elif answer.verdict == KEEP_WORKING:
        said |= {"decision": "block", "reason": answer.text}
    elif answer.verdict == CONTEXT:
        name = next((name for name, kind in KINDS.items() if kind == event.kind), TOOL)
        said["hookSpecificOutput"] = {"hookEventName": name, "additionalContext": answer.text}
    return said
