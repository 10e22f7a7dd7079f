"""Copilot CLI's words for events and answers, in its own spelling and in the one that it shares with Claude Code."""

from __future__ import annotations

from review_gate.agents import claude
from review_gate.agents.answer import CONTEXT, DENY, KEEP_WORKING
from review_gate.agents.claude import command_in, edits_of, path_in, text_of, tool_of
from review_gate.agents.event import OTHER, PROMPT, SHELL, START, STOP, WRITE, Event, UnreadableEventError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from review_gate.agents.answer import Answer
    from review_gate.agents.event import Kind

NAME = "copilot"
KINDS: Mapping[str, Kind] = {"userPromptSubmitted": PROMPT, "agentStop": STOP, "sessionStart": START}
TOOL = "preToolUse"
POWERSHELL = "powershell"
SHELLS = ("bash", POWERSHELL)
# What is typed into a shell that runs already, and how the key at the end of a line is written in it.
TYPING = ("write_bash", f"write_{POWERSHELL}")
ENTER = "{enter}"
# One tool that has several commands, of which this one only reads.
EDITOR, READING = "str_replace_editor", "view"
WRITERS = ("edit", "create", "write", EDITOR)
PATCH = "apply_patch"
TOOLS: Mapping[str, Kind] = {**dict.fromkeys((*SHELLS, *TYPING), SHELL), **dict.fromkeys((*WRITERS, PATCH), WRITE)}
EVENT = "hook_event_name"


def read(payload: Mapping[str, object]) -> Event:
    """The event that Copilot CLI tells of; which one it is stands in the command that it was told to call."""
    name = text_of(payload, EVENT)
    if name[:1].isupper():
        event = claude.read(payload)
        event.agent = NAME
        if event.kind == WRITE and not event.paths:
            event.paths = _written(payload.get("tool_input"))
        return event
    if name == TOOL:
        return _of_tool(payload)
    return Event(
        KINDS.get(name, OTHER),
        agent=NAME,
        session=text_of(payload, "sessionId"),
        folder=text_of(payload, "cwd"),
        text=text_of(payload, "prompt"),
    )


def _of_tool(payload: Mapping[str, object]) -> Event:
    tool = tool_of(payload, "toolName")
    event = Event(
        TOOLS.get(tool, OTHER),
        agent=NAME,
        session=text_of(payload, "sessionId"),
        folder=text_of(payload, "cwd"),
    )
    given = payload.get("toolArgs")
    if event.kind == SHELL:
        event.text = _command(_arguments(given))
        event.is_powershell = tool.endswith(POWERSHELL)
    elif tool == EDITOR and _arguments(given).get("command") == READING:
        event.kind = OTHER
    elif event.kind == WRITE:
        event.paths = _written(given)
        event.edits = None if tool == PATCH else edits_of(_arguments(given))
    return event


def _command(given: Mapping[str, object]) -> str | None:
    typed = given.get("input")
    return typed.replace(ENTER, "\n") if isinstance(typed, str) and "command" not in given else command_in(given)


def _written(given: object) -> tuple[str, ...]:
    """The file that is named, or those of a patch, which is the argument itself or one of several."""
    from review_gate.commandline.programs import patched

    if isinstance(given, str) and not given.lstrip().startswith("{"):
        return patched(given)
    arguments = _arguments(given)
    texts = [text for text in arguments.values() if isinstance(text, str)]
    return path_in(arguments, "path") or path_in(arguments, "file_path") or patched("\n".join(texts))


def _arguments(given: object) -> Mapping[str, object]:
    """What a tool is given: an object, or the text of one."""
    if isinstance(given, str):
        from review_gate.strict_json import StrictJsonError, parse

        try:
            given = parse(given.encode("utf-8", "surrogatepass"))
        except StrictJsonError as error:
            raise UnreadableEventError(f"toolArgs cannot be read: {error}") from None
    return given if isinstance(given, dict) else {}


def write(answer: Answer, event: Event) -> dict[str, object]:
    """The same answer as Copilot CLI wants to read it."""
    if answer.verdict == DENY and event.kind != PROMPT:
        return {"permissionDecision": "deny", "permissionDecisionReason": answer.text}
    if answer.verdict == KEEP_WORKING:
        return {"decision": "block", "reason": answer.text}
    if answer.verdict == CONTEXT and event.kind == START:
        return {"additionalContext": answer.text}
    # Nothing that is said to a prompt reaches the model or the user.
    return {}
