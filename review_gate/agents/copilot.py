"""Copilot CLI's words for events and answers, in its own spelling and in the one that it shares with Claude Code."""

from __future__ import annotations

from review_gate.agents import claude
from review_gate.agents.answer import CONTEXT, DENY, KEEP_WORKING
from review_gate.agents.claude import edits_of, path_in, text_of
from review_gate.agents.event import OTHER, PROMPT, SHELL, START, STOP, WRITE, Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from review_gate.agents.answer import Answer
    from review_gate.agents.event import Kind

NAME = "copilot"
KINDS: Mapping[str, Kind] = {"userPromptSubmitted": PROMPT, "agentStop": STOP, "sessionStart": START}
TOOL = "preToolUse"
TOOLS: Mapping[str, Kind] = {"bash": SHELL, "powershell": SHELL, "edit": WRITE, "create": WRITE, "write": WRITE}
EVENT = "hook_event_name"


def read(payload: Mapping[str, object]) -> Event:
    """The event that Copilot CLI tells of; which one it is stands in the command that it was told to call."""
    name = text_of(payload, EVENT)
    if name[:1].isupper():
        event = claude.read(payload)
        event.agent = NAME
        return event
    given = _arguments(payload.get("toolArgs"))
    kind = TOOLS.get(text_of(payload, "toolName"), OTHER) if name == TOOL else KINDS.get(name, OTHER)
    return Event(
        kind,
        agent=NAME,
        session=text_of(payload, "sessionId"),
        folder=text_of(payload, "cwd"),
        text=text_of(given, "command") if kind == SHELL else text_of(payload, "prompt"),
        paths=path_in(given, "path") or path_in(given, "file_path"),
        edits=edits_of(given) if kind == WRITE else None,
    )


def _arguments(given: object) -> Mapping[str, object]:
    """What a tool is given: an object, or the text of one."""
    if isinstance(given, str):
        from review_gate.strict_json import StrictJsonError, parse

        try:
            given = parse(given.encode("utf-8", "surrogatepass"))
        except StrictJsonError as error:
            raise ValueError(f"toolArgs cannot be read: {error}") from None
    return given if isinstance(given, dict) else {}


def write(answer: Answer, event: Event) -> dict[str, object]:
    """The same answer as Copilot CLI wants to read it."""
    if answer.verdict == DENY and event.kind != PROMPT:
        return {"permissionDecision": "deny", "permissionDecisionReason": answer.text}
    if answer.verdict == KEEP_WORKING:
        return {"decision": "block", "reason": answer.text}
    if answer.verdict == CONTEXT:
        return {"additionalContext": answer.text}
    return {}
