"""review-gate prompt-review: a prompt is reviewed and refined, or goes on as it is, with the reason."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

from review_gate.errors import ConfigError, MisuseError, explained
from review_gate.ports import Usage
from review_gate.prompts.critique import Refused, critique_in
from review_gate.prompts.editor.edit import edit
from review_gate.prompts.history.audit import Cost, Mode
from review_gate.prompts.outcome import HandOut, PromptRequest, PromptReview, Reviewed, Task
from review_gate.prompts.project.manifests import specialists
from review_gate.prompts.question import LONGEST_PROMPT, shared_text, task_of
from review_gate.prompts.schema import Role
from review_gate.prompts.select import Selected, selected
from review_gate.reviewers.text import visible
from review_gate.safe_text import safe_line, without_full_stop
from review_gate.shell.process import Commands
from review_gate.shell.project_files import context_of
from review_gate.shell.prompt_panel import (
    Heard,
    PromptPanel,
    keep_answer,
    known_answer,
    reviewed_as,
    role_text,
    specialist_text,
)
from review_gate.shell.prompt_status import REVIEWED, REVIEWING, tell
from review_gate.shell.prompt_store import ASKED, PromptStore, new_id
from review_gate.shell.user_answers import PROMPTS, answers_of_user
from review_gate.standard_error import say_where
from review_gate.strict_json import StrictJsonError, parse
from review_gate.workflows.prompt_ground import Ground, NotReviewedError, Shown, ground_here, shown_to_models
from review_gate.workflows.prompt_polish import polished
from review_gate.workflows.prompt_ways import Askable, askable, asking_through, editor_asking, key_of, seconds_of

USUAL_MODE: Mode = "subscription"
NONCE_BYTES = 8
MOST_TOLD = 3
MAX_ANSWER_BYTES = 8_000_000
NO_SECURITY = "the reviewer for security was not asked: {}"
NO_ANSWER = "there is no answer of it"
FORM = 'a JSON object such as {"security": {"reviewer_role": "security", ...}, "clarity": {...}}'


class Prepared(NamedTuple):
    """A prompt whose reviewers can be asked: by a panel, or by the session that takes the questions."""

    request: PromptRequest
    review: PromptReview
    ground: Ground
    shown: Shown
    who: Askable
    tasks: tuple[Task, ...]
    nonce: str
    began: float


def review_prompt(request: PromptRequest, environ: Mapping[str, str], commands: Commands) -> PromptReview | HandOut:
    """Review a prompt; whatever goes wrong, what comes back says so and lets the prompt go on."""
    prepared = prepare(request, environ, commands)
    if isinstance(prepared, PromptReview):
        return prepared
    tell(environ, prepared.ground.top, REVIEWING, len(prepared.tasks))
    found = None
    try:
        found = answered(prepared, environ, commands)
    finally:
        # Interrupted, it is over too.
        if not isinstance(found, HandOut):
            tell_end(environ, prepared.ground.top, found)
    return found


def tell_end(environ: Mapping[str, str], top: str, found: PromptReview | None) -> None:
    """Let the status line show what was found, or nothing where there was no review."""
    if found is None or found.status == "not_reviewed":
        tell(environ, top)
    else:
        tell(environ, top, REVIEWED, found.findings_count)


def prepare(request: PromptRequest, environ: Mapping[str, str], commands: Commands) -> Prepared | PromptReview:
    """Everything that comes before the first question."""
    began, review = time.monotonic(), begun(request)
    try:
        _refuse_unreadable(request.prompt)
        ground = ground_here(environ, request.preset)
        context = context_of(ground.top, ground.settings.context)
        shown = shown_to_models(request.prompt, context, ground)
        # Whatever goes wrong from here on, the log has the project for which it did.
        review = review.model_copy(update={"project": safe_line(shown.context.project_name)})
        who = askable(ground.settings, environ, commands, may_hand_out=request.may_hand_out)
        chosen = selected(ground.settings, request.prompt, context)
        roles = [one.role for one in chosen if one.is_active]
        if not roles:
            raise NotReviewedError("no_reviewer", "no reviewer is asked for it (every one is switched off)")
        warnings = [*ground.notes, *_warnings(request.prompt, chosen), *filter(None, [who.route.note])]
        known = {
            "mode": who.route.mode,
            "passed_over": tuple((one.role, one.because) for one in chosen if not one.is_active),
            "notes": (*warnings, *shown.notes, *context.notes),
            "logs_costs": ground.settings.budget.log_costs,
        }
        review, nonce = review.model_copy(update=known), secrets.token_hex(NONCE_BYTES)
        return Prepared(request, review, ground, shown, who, _tasks(roles, shown, who), nonce, began)
    except NotReviewedError as error:
        return as_it_is(review, error.reason, error.why, began)
    except Exception as error:
        return broken(review, error, began)


def answered(
    prepared: Prepared | PromptReview, environ: Mapping[str, str], commands: Commands
) -> PromptReview | HandOut:
    """What comes of the questions; those that a session answers are handed out."""
    if isinstance(prepared, PromptReview):
        return prepared
    request, review, ground, shown, who, tasks, nonce, began = prepared
    settings, order = ground.settings, ground.settings.editor.priority_order
    shared = shared_text(shown.lines, shown.context, nonce)
    try:
        cache = answers_of_user(environ, PROMPTS) if ground.config.models.cache else None
        if who.provider is not None:
            panel = PromptPanel(asking_through(who.provider, ground), shared, nonce, seconds_of(settings), cache)
            heard: Sequence[Heard] = panel.heard(tasks)
        else:
            known = {task.role: known_answer(cache, task.role, task.key) for task in tasks}
            heard = [Heard(one) for one in known.values() if one is not None]
        if len(heard) < len(tasks):
            return HandOut(
                review=review,
                top=ground.top,
                may_keep=ground.config.models.cache,
                nonce=nonce,
                order=order,
                tasks=tuple(task for task in tasks if known[task.role] is None),
                known=tuple(one.reviewed for one in heard),
                shared=shared,
                model=settings.models.reviewer,
                seconds=seconds_of(settings),
            )
        found = merged(review, heard, order, began)
        if not request.polishes:
            return found
        editor = editor_asking(who, ground, environ, commands)
        return polished(found, editor, nonce, order, has_secret=shown.has_secret)
    except Exception as error:
        return broken(review, error, began)


def _refuse_unreadable(prompt: str) -> None:
    if not prompt.strip():
        raise NotReviewedError("empty", "the prompt is empty")
    if "\0" in prompt or any("\ud800" <= letter <= "\udfff" for letter in prompt):
        raise NotReviewedError("binary", "the prompt is no text")
    if len(prompt) > LONGEST_PROMPT:
        why = f"the prompt has {len(prompt):,} characters, and more than {LONGEST_PROMPT:,} are not reviewed"
        raise NotReviewedError("too_long", why)


def _warnings(prompt: str, chosen: Sequence[Selected]) -> list[str]:
    """Warns if the settings leave security out, and about characters that people do not see but models read."""
    told = [NO_SECURITY.format(one.because) for one in chosen if one.role is Role.SECURITY and not one.is_active]
    hidden = [letter for letter in prompt if letter not in "\n\r\t" and visible(letter) != letter]
    kinds = ", ".join(sorted({visible(letter) for letter in hidden})[:MOST_TOLD])
    count = f"{len(hidden)} character{'' if len(hidden) == 1 else 's'}"
    return [*told, *([f"the prompt holds {count} that cannot be seen ({kinds})"] if hidden else [])]


def _tasks(roles: Sequence[Role], shown: Shown, who: Askable) -> tuple[Task, ...]:
    texts = [specialist_text(name) for name in specialists(shown.context.stack)]
    tasks = []
    for role in roles:
        text = task_of(role, role_text(role), texts if role is Role.DOMAIN_SME else ())
        tasks.append(Task(role, text, key_of(who, role, text, shown)))
    return tuple(tasks)


def begun(request: PromptRequest) -> PromptReview:
    """A review of which nothing is known yet."""
    created = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return PromptReview(
        id=request.id or new_id(),
        created=created,
        status="not_reviewed",
        trigger=request.trigger,
        mode=USUAL_MODE,
        project="",
        prompt=request.prompt,
    )


def not_reviewed(request: PromptRequest, reason: str, why: str) -> PromptReview:
    """A prompt that could not even be read."""
    return as_it_is(begun(request), reason, why, time.monotonic())


def broken(review: PromptReview, error: Exception, began: float) -> PromptReview:
    """A review that an error has ended."""
    say_where()
    known = explained(error)
    reason = "broken_settings" if isinstance(known, ConfigError) else "error"
    return as_it_is(review, reason, f"{without_full_stop(known.what)} ({known.next_step})", began)


def merged(review: PromptReview, heard: Sequence[Heard], order: Sequence[Role], began: float) -> PromptReview:
    """The review with what came of its reviewers, and the prompt as the editor makes it."""
    # Always in the same order, whatever their priority.
    reviewers = tuple(sorted((one.reviewed for one in heard), key=lambda one: list(Role).index(one.role)))
    known = review.model_copy(
        update={
            "reviewers": reviewers,
            "cost": _cost(review, heard),
            "duration_ms": round((time.monotonic() - began) * 1000),
        }
    )
    if all(one.critique is None for one in reviewers):
        return as_it_is(known, "all_failed", f"no reviewer gave a critique: {_problems(reviewers)}", began)
    try:
        edited = edit(known.prompt, known.critiques, order)
    except Exception as error:
        # What reviewers said is shown even then.
        say_where()
        why = f"the editor could not merge the critiques: {safe_line(str(error)) or type(error).__name__}"
        return known.model_copy(update={"status": "editor_failed", "why": why, "reason": "editor"})
    return known.model_copy(
        update={"status": "unchanged" if edited.text == known.prompt else "proposed", "edited": edited}
    )


def _problems(reviewers: Sequence[Reviewed]) -> str:
    by_problem: dict[str, list[str]] = {}
    for one in reviewers:
        by_problem.setdefault(one.problem, []).append(one.role.label)
    return "; ".join(f"{', '.join(names)}: {problem}" for problem, names in by_problem.items())


def _cost(review: PromptReview, heard: Sequence[Heard]) -> Cost:
    usage = sum((one.usage for one in heard), Usage())
    prices = [one.usd for one in heard]
    usd = None if any(price is None for price in prices) else sum(price or 0.0 for price in prices)
    # A subscription is paid for already.
    free = review.mode == "subscription"
    return Cost(input_tokens=usage.input_tokens, output_tokens=usage.output_tokens, usd=0.0 if free else usd)


def as_it_is(review: PromptReview, reason: str, why: str, began: float) -> PromptReview:
    """A prompt that goes on unreviewed, and why."""
    took = round((time.monotonic() - began) * 1000)
    return review.model_copy(
        update={"status": "not_reviewed", "reason": reason, "why": safe_line(why), "duration_ms": took}
    )


# prompt-review merge: what the subagents of a session have answered.


def merge_answers(name: str, data: bytes, environ: Mapping[str, str]) -> PromptReview:
    """The review that waits under an id, with the answers to its questions."""
    store = PromptStore(environ)
    handed = store.read(ASKED, name, HandOut)
    answers = _answers(data, partial(_malformed, name))
    cache = answers_of_user(environ, PROMPTS) if handed.may_keep else None
    heard = [Heard(one) for one in handed.known]
    for task in handed.tasks:
        raw = answers.get(task.role)
        critique = critique_in(task.role, raw, handed.nonce) if raw is not None else Refused(NO_ANSWER)
        if raw is not None and not isinstance(critique, Refused):
            keep_answer(cache, task.key, raw)
        heard.append(Heard(reviewed_as(task.role, critique)))
    store.take(ASKED, name)
    since = datetime.now(UTC) - datetime.fromisoformat(handed.review.created.replace("Z", "+00:00"))
    found = merged(handed.review, heard, handed.order, time.monotonic() - max(since.total_seconds(), 0.0))
    tell_end(environ, handed.top, found)
    return found


def _answers(data: bytes, malformed: Callable[[str], MisuseError]) -> dict[Role, str]:
    """The answers by role; each is a JSON object, or the text that a subagent has written."""
    if len(data) > MAX_ANSWER_BYTES:
        raise malformed(f"the answers have more than {MAX_ANSWER_BYTES:,} bytes")
    try:
        document = parse(data)
    except StrictJsonError as error:
        raise malformed(f"the answers are no JSON: {error}") from None
    if isinstance(document, list):
        # Each of them says whose it is.
        document = {str(one.get("reviewer_role")) if isinstance(one, dict) else "": one for one in document}
    if not isinstance(document, dict):
        raise malformed("the answers are no JSON object")
    unknown = sorted(set(document) - {role.value for role in Role})
    if unknown:
        raise malformed(f"there is no reviewer {unknown[0][:40]!r}; there are {', '.join(Role)}")
    return {Role(role): one if isinstance(one, str) else json.dumps(one) for role, one in document.items()}


def _malformed(name: str, what: str) -> MisuseError:
    return MisuseError(
        what,
        why="nothing is lost: the questions still wait for their answers",
        next_step=f"review-gate prompt-review merge {name} FILE, with {FORM}",
    )
