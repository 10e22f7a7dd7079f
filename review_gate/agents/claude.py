"""Claude Code's words for events and answers."""

from __future__ import annotations

from review_gate.agents.answer import CONTEXT, DENY, KEEP_WORKING
from review_gate.agents.event import (
    CONFIG,
    OTHER,
    PLAN,
    PROMPT,
    SHELL,
    START,
    STOP,
    WRITE,
    Edits,
    Event,
    UnreadableEventError,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from review_gate.agents.answer import Answer
    from review_gate.agents.event import Kind

NAME = "claude"
KINDS: Mapping[str, Kind] = {
    "UserPromptSubmit": PROMPT,
    "Stop": STOP,
    "SessionStart": START,
    "ConfigChange": CONFIG,
}
TOOL = "PreToolUse"
TOOLS: Mapping[str, Kind] = {"Bash": SHELL, "ExitPlanMode": PLAN}
# How a tool spells the whole text that it writes, and a piece of the old one with what takes its place.
WHOLE = ("content", "contents", "file_text")
PIECES = (("old_string", "new_string"), ("old_str", "new_str"))
WRITERS = ("Write", "Edit", "MultiEdit", "NotebookEdit")


def read(payload: Mapping[str, object]) -> Event:
    """The event that Claude Code tells of."""
    event = text_of(payload, "hook_event_name")
    if event == TOOL:
        return of_tool(payload, NAME)
    return Event(
        KINDS.get(event, OTHER),
        agent=NAME,
        session=text_of(payload, "session_id"),
        turn=text_of(payload, "prompt_id") or text_of(payload, "turn_id"),
        last_words=text_of(payload, "last_assistant_message"),
        folder=text_of(payload, "cwd"),
        text=text_of(payload, "prompt"),
        paths=path_in(payload, "file_path"),
        has_background=bool(payload.get("background_tasks")),
    )


def of_tool(payload: Mapping[str, object], agent: str) -> Event:
    """A tool that is about to be used, as Claude Code and all who copied it tell of one."""
    tool = tool_of(payload, "tool_name")
    given = payload.get("tool_input")
    given = given if isinstance(given, dict) else {}
    kind = WRITE if tool in WRITERS else TOOLS.get(tool, OTHER)
    plan = given.get("plan")
    texts = {SHELL: command_in(given), PLAN: plan if isinstance(plan, str) else None}
    paths = {PLAN: "planFilePath", WRITE: "file_path" if "file_path" in given else "notebook_path"}
    return Event(
        kind,
        agent=agent,
        session=text_of(payload, "session_id"),
        folder=text_of(payload, "cwd"),
        text=texts.get(kind),
        paths=path_in(given, paths.get(kind, "")),
        edits=edits_of(given) if kind == WRITE else None,
    )


def tool_of(payload: Mapping[str, object], key: str) -> str:
    """The name of the tool that is about to be used; without one nobody can say that it may be."""
    tool = text_of(payload, key)
    if not tool:
        raise UnreadableEventError("the event does not say which tool it is about")
    return tool


def command_in(given: Mapping[str, object]) -> str | None:
    """The command line that a tool is given, None where that is no text; a list of words is one without a shell."""
    command = given.get("command")
    if isinstance(command, list) and command and all(isinstance(word, str) for word in command):
        from shlex import join

        return join(command)
    return command if isinstance(command, str) else None


def edits_of(given: Mapping[str, object]) -> Edits | None:
    """What a tool would make of a file, None where it does not say."""
    whole = next((text for key in WHOLE if isinstance(text := given.get(key), str)), None)
    if whole is not None:
        return Edits(whole=whole)
    listed = given.get("edits")
    pieces = [_piece(one) for one in (listed if isinstance(listed, list) else [given])]
    known = tuple(piece for piece in pieces if piece is not None)
    return Edits(replacements=known) if len(known) == len(pieces) else None


def _piece(one: object) -> tuple[str, str, bool] | None:
    if not isinstance(one, dict):
        return None
    for old_key, new_key in PIECES:
        old, new = one.get(old_key), one.get(new_key)
        if isinstance(old, str) and isinstance(new, str):
            return old, new, one.get("replace_all") is True
    return None


def write(answer: Answer, event: Event) -> dict[str, object]:
    """The same answer as Claude Code wants to read it; empty where nothing is to be said."""
    said: dict[str, object] = {"systemMessage": answer.notice} if answer.notice else {}
    if answer.verdict == DENY and event.kind in (SHELL, WRITE, PLAN):
        said["hookSpecificOutput"] = {
            "hookEventName": TOOL,
            "permissionDecision": "deny",
            "permissionDecisionReason": answer.text,
        }
    elif answer.verdict in (DENY, KEEP_WORKING):
        said |= {"decision": "block", "reason": answer.text}
    elif answer.verdict == CONTEXT:
        said["hookSpecificOutput"] = {"hookEventName": _name_of(event), "additionalContext": answer.text}
    return said


def _name_of(event: Event) -> str:
    return next((name for name, kind in KINDS.items() if kind == event.kind), TOOL)


def path_in(payload: Mapping[str, object], key: str) -> tuple[str, ...]:
    """The file that a field names, if it does."""
    path = text_of(payload, key)
    return (path,) if path else ()


def text_of(payload: Mapping[str, object], key: str) -> str:
    """A field that has to be a text, and is taken for an empty one where it is not."""
    value = payload.get(key)
    return value if isinstance(value, str) else ""
