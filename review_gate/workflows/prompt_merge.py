"""prompt-review merge: what the subagents of a session have answered becomes one refined prompt."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from review_gate.errors import MisuseError
from review_gate.prompts.critique import Refused, critique_in
from review_gate.prompts.outcome import HandedTask, HandOut, PromptReview, Reviewed
from review_gate.prompts.schema import Role
from review_gate.shell.prompt_panel import Heard, keep_answer
from review_gate.shell.prompt_store import ASKED, PromptStore
from review_gate.shell.user_answers import PROMPTS, answers_of_user
from review_gate.strict_json import StrictJsonError, parse
from review_gate.workflows.prompt_result import merged
from review_gate.workflows.prompt_review import tell_end

MAX_BYTES = 8_000_000
NO_ANSWER = "there is no answer of it"
FORM = 'a JSON object such as {"security": {"reviewer_role": "security", ...}, "clarity": {...}}'


def merge_answers(name: str, data: bytes, environ: Mapping[str, str]) -> PromptReview:
    """The review that waits under an id, with the answers to its questions."""
    store = PromptStore(environ)
    handed = store.read(ASKED, name, HandOut)
    answers = _answers(data, name)
    cache = answers_of_user(environ, PROMPTS) if handed.may_keep else None
    heard = {task.role: _heard(task, answers.get(task.role), handed.nonce) for task in handed.tasks}
    for task in handed.tasks:
        if heard[task.role].reviewed.critique is not None:
            keep_answer(cache, task.key, answers[task.role])
    known = {one.role: Heard(one) for one in handed.known}
    store.take(ASKED, name)
    began = time.monotonic() - _seconds_since(handed.review.created)
    found = merged(handed.review, [*heard.values(), *known.values()], handed.order, began)
    tell_end(environ, handed.top, found)
    return found


def _heard(task: HandedTask, raw: str | None, nonce: str) -> Heard:
    if raw is None:
        return Heard(Reviewed(role=task.role, problem=NO_ANSWER))
    critique = critique_in(task.role, raw, nonce)
    if isinstance(critique, Refused):
        return Heard(Reviewed(role=task.role, problem=critique.why))
    return Heard(Reviewed(role=task.role, critique=critique))


def _answers(data: bytes, name: str) -> dict[Role, str]:
    """The answers by role; each is a JSON object, or the text that a subagent has written."""
    if len(data) > MAX_BYTES:
        raise _malformed(name, f"the answers have more than {MAX_BYTES:,} bytes")
    try:
        document = parse(data)
    except StrictJsonError as error:
        raise _malformed(name, f"the answers are no JSON: {error}") from None
    if isinstance(document, list):
        document = _by_role(document, name)
    if not isinstance(document, dict):
        raise _malformed(name, "the answers are no JSON object")
    unknown = sorted(set(document) - {role.value for role in Role})
    if unknown:
        raise _malformed(name, f"there is no reviewer {unknown[0][:40]!r}; there are {', '.join(Role)}")
    return {Role(role): one if isinstance(one, str) else json.dumps(one) for role, one in document.items()}


def _by_role(listed: Sequence[object], name: str) -> dict[str, object]:
    """A list of answers, each of which says whose it is."""
    found: dict[str, object] = {}
    for one in listed:
        role = str(one.get("reviewer_role")) if isinstance(one, dict) else ""
        if not role:
            raise _malformed(name, "the list of answers holds something that does not say whose answer it is")
        if role in found:
            raise _malformed(name, f"there are two answers of {role[:40]!r}")
        found[role] = one
    return found


def _malformed(name: str, what: str) -> MisuseError:
    return MisuseError(
        what,
        why="nothing is lost: the questions still wait for their answers",
        next_step=f"review-gate prompt-review merge {name} FILE, with {FORM}",
    )


def _seconds_since(created: str) -> float:
    begun = datetime.fromisoformat(created.replace("Z", "+00:00"))
    return max((datetime.now(UTC) - begun).total_seconds(), 0.0)
