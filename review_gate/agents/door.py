"""The door of a coding agent: its JSON in, one answer in its JSON out, and for each event the right way to fail."""

from __future__ import annotations

import os
import sys

from review_gate.agents.event import GUARDED, OTHER, PROMPT, START, Event, UnreadableEventError
from review_gate.config.places import REVIEWING_VARIABLE
from review_gate.errors import PASS
from review_gate.standard_error import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from review_gate.agents.answer import Answer

# Every agent takes this for a refusal, if something stands on standard error.
REFUSED = 2
AGENTS = ("claude", "codex", "gemini", "cursor", "copilot")


def main(agent: str, event_name: str = "") -> int:
    """Answer one event; some agents say which one it is by how they call us."""
    dialect, event = None, None
    try:
        dialect = _dialect(agent)
        event = dialect.read(_payload(dialect, event_name))
        return _given(_answer(event, dialect), event, dialect)
    except UnreadableEventError as error:
        seeming = Event(OTHER, agent=agent) if error.is_open else None
        return _failed(dialect, seeming, str(error), "review-gate doctor")
    except BaseException as error:
        return _failed(dialect, event, *_words(error))


def _dialect(agent: str) -> ModuleType:
    module: ModuleType = getattr(__import__("review_gate.agents", fromlist=(agent,)), agent)
    return module


def _payload(dialect: ModuleType, event_name: str) -> Mapping[str, object]:
    from review_gate.strict_json import StrictJsonError, parse

    data = sys.stdin.buffer.read()
    try:
        payload = parse(data)
    except StrictJsonError as error:
        why = f"the event cannot be read: {error}"
        raise UnreadableEventError(why, is_open=_seems_open(dialect, event_name, data)) from None
    if not isinstance(payload, dict):
        raise UnreadableEventError("the event is no JSON object")
    named = {"hook_event_name": event_name, **payload} if event_name else payload
    if not named.get("hook_event_name") or not isinstance(named["hook_event_name"], str):
        # It may be a tool that is about to be used.
        raise UnreadableEventError("the event does not say what it is")
    return named


def _seems_open(dialect: ModuleType, event_name: str, data: bytes) -> bool:
    """Whether what cannot be read is an event that goes on whatever happens, as far as its name can be seen."""
    # In a text of an event such quotes have a backslash.
    seen = [name for name in (*dialect.KINDS, dialect.TOOL) if f'"{name}"'.encode() in data]
    kinds = [dialect.KINDS.get(name) for name in ([event_name] if event_name else seen)]
    return bool(kinds) and None not in kinds and not any(kind in GUARDED for kind in kinds)


def _answer(event: Event, dialect: ModuleType) -> Answer:
    from review_gate.agents.answer import Answer

    # A reviewer that we started ourselves is no session of the user's, and would start reviewers in turn.
    if os.environ.get(REVIEWING_VARIABLE) and event.kind not in GUARDED:
        return Answer()
    from review_gate.agents.evaluate import evaluate
    from review_gate.agents.here import Here

    here = Here(dialect.NAME, os.environ)
    if event.kind == START:
        here.leave_heartbeat(event.folder)
    answer = evaluate(event, here)
    for effect in answer.effects:
        here.perform(effect)
    return answer


def _given(answer: Answer, event: Event, dialect: ModuleType) -> int:
    """Say it as the agent reads it; what is for the user and has no place there goes to standard error."""
    document = dialect.write(answer, event)
    if answer.notice and document.get("systemMessage") != answer.notice:
        say(answer.notice + "\n")
    return _said(document)


def _said(document: dict[str, object]) -> int:
    """Write the answer in one go: half of one would be none, and let through what it was to stop."""
    if not document:
        return PASS
    from review_gate.strict_json import written

    data = written(document).encode("ascii") + b"\n"
    while data:
        data = data[os.write(1, data) :]
    return PASS


def _words(error: BaseException) -> tuple[str, str]:
    """What went wrong, and what to do about it."""
    if isinstance(error, KeyboardInterrupt):
        return "interrupted", "try again"
    from review_gate.errors import explained
    from review_gate.standard_error import say_where

    say_where()
    known = explained(error)
    return known.what, known.next_step


def _failed(dialect: ModuleType | None, event: Event | None, what: str, next_step: str) -> int:
    """Refuse what must not go on unseen, and let the rest through with a word about it."""
    from review_gate.safe_text import safe_line

    refusal = f"blocked: review-gate could not judge this: {safe_line(what)}\n  next:  {safe_line(next_step)}\n"
    if event is None or event.kind in GUARDED:
        say(refusal)
        return REFUSED
    if event.kind == PROMPT and _is_ship(event):
        return _said_or_shouted(dialect, event, refusal, is_refusal=True)
    goes_on = "the prompt goes on as it is" if event.kind == PROMPT else "the session goes on"
    notice = f"review-gate: {goes_on}: {safe_line(what)} ({safe_line(next_step)})"
    return _said_or_shouted(dialect, event, notice, is_refusal=False)


def _said_or_shouted(dialect: ModuleType | None, event: Event, text: str, *, is_refusal: bool) -> int:
    """Say it as the agent reads it; where that cannot be done, on standard error."""
    text = text.rstrip("\n")
    try:
        from review_gate.agents.answer import DENY, NOTICE, Answer

        answer = Answer(DENY, text) if is_refusal else Answer(NOTICE, notice=text)
        said = dialect.write(answer, event) if dialect is not None else {}
        if text in said.values():
            return _said(said)
        if said and not is_refusal:
            _said(said)
    except OSError:
        pass
    say(text + "\n")
    return REFUSED if is_refusal else PASS


def _is_ship(event: Event) -> bool:
    from review_gate.agents.spoken import SHIP, command_in

    return command_in(event.text or "")[0] == SHIP
