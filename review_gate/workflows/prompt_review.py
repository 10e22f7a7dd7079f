"""review-gate prompt-review: a prompt is reviewed and refined, or goes on as it is, with the reason."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from review_gate.prompts.outcome import HandedTask, HandOut, PromptRequest, PromptReview
from review_gate.prompts.project.context import ProjectContext
from review_gate.prompts.project.manifests import specialists
from review_gate.prompts.question import LONGEST_PROMPT, shared_text, task_of
from review_gate.prompts.schema import Role
from review_gate.prompts.select import Selected, selected
from review_gate.reviewers.text import visible
from review_gate.safe_text import safe_line
from review_gate.shell.answer_cache import AnswerCache
from review_gate.shell.process import Commands
from review_gate.shell.project_files import context_of
from review_gate.shell.prompt_panel import Heard, PromptPanel, Task, known_answer
from review_gate.shell.prompt_roles import role_text, specialist_text
from review_gate.shell.prompt_status import tell_over, tell_reviewed, tell_reviewing
from review_gate.workflows.prompt_ground import Ground, NotReviewedError, Shown, ground_here, shown_to_models
from review_gate.workflows.prompt_polish import polished
from review_gate.workflows.prompt_result import as_it_is, begun, broken, merged
from review_gate.workflows.prompt_ways import (
    Askable,
    answer_cache,
    askable,
    asking_through,
    editor_asking,
    key_of,
    seconds_of,
)

NONCE_BYTES = 8
MOST_TOLD = 3
NO_SECURITY = "the reviewer for security was not asked: {}"


class Place(NamedTuple):
    """The project that a prompt is for, what is known of it, and what of that models may see."""

    ground: Ground
    context: ProjectContext
    shown: Shown


Polish = Callable[[PromptReview], PromptReview]


def unpolished(review: PromptReview) -> PromptReview:
    """A review in the words of its reviewers."""
    return review


class Prepared(NamedTuple):
    """A prompt whose reviewers can be asked: by a panel, or by whoever takes the questions."""

    review: PromptReview
    top: str
    order: tuple[Role, ...]
    tasks: tuple[Task, ...]
    began: float
    panel: PromptPanel | None
    handed: HandOut | None = None
    polish: Polish = unpolished


def review_prompt(request: PromptRequest, environ: Mapping[str, str], commands: Commands) -> PromptReview | HandOut:
    """Review a prompt; whatever goes wrong, what comes back says so and lets the prompt go on."""
    prepared = prepare(request, environ, commands)
    if not isinstance(prepared, Prepared):
        return prepared
    tell_reviewing(environ, prepared.top, len(prepared.tasks))
    found = None
    try:
        found = answered(prepared)
    finally:
        # Interrupted, it is over too.
        if not isinstance(found, HandOut):
            tell_end(environ, prepared.top, found)
    return found


def tell_end(environ: Mapping[str, str], top: str, found: PromptReview | None) -> None:
    """Let the status line show what was found, or nothing where there was no review."""
    if found is None or found.status == "not_reviewed":
        tell_over(environ, top)
    else:
        tell_reviewed(environ, top, found.findings_count)


def prepare(request: PromptRequest, environ: Mapping[str, str], commands: Commands) -> Prepared | PromptReview:
    """Everything that comes before the first question."""
    began = time.monotonic()
    review = begun(request)
    try:
        _refuse_unreadable(request.prompt)
        ground = ground_here(environ, request.preset)
        context = context_of(ground.top, ground.settings.context)
        shown = shown_to_models(request.prompt, context, ground)
        # Whatever goes wrong from here on, the log has the project for which it did.
        review = review.model_copy(update={"project": safe_line(shown.context.project_name)})
        return _prepared(request, review, Place(ground, context, shown), environ, commands, began=began)
    except NotReviewedError as error:
        return as_it_is(review, error.reason, error.why, began)
    except Exception as error:
        return broken(review, error, began)


def answered(prepared: Prepared) -> PromptReview | HandOut:
    """What comes of the questions; those that a session answers are handed out."""
    review, began = prepared.review, prepared.began
    try:
        if prepared.panel is not None:
            return prepared.polish(merged(review, prepared.panel.heard(prepared.tasks), prepared.order, began))
        handed = prepared.handed
        if handed is not None and handed.tasks:
            return handed
        known = handed.known if handed is not None else ()
        return prepared.polish(merged(review, [Heard(one) for one in known], prepared.order, began))
    except Exception as error:
        return broken(review, error, began)


def _prepared(
    request: PromptRequest,
    review: PromptReview,
    place: Place,
    environ: Mapping[str, str],
    commands: Commands,
    *,
    began: float,
) -> Prepared:
    ground, context, shown = place
    settings = ground.settings
    who = askable(settings, environ, commands, may_hand_out=request.may_hand_out)
    chosen = selected(settings, request.prompt, context)
    roles = [one.role for one in chosen if one.is_active]
    if not roles:
        raise NotReviewedError("no_reviewer", "no reviewer is asked for it (every one is switched off)")
    review = review.model_copy(
        update={
            "mode": who.route.mode,
            "passed_over": tuple((one.role, one.because) for one in chosen if not one.is_active),
            "notes": (
                *ground.notes,
                *_unguarded(chosen),
                *_hidden(request.prompt),
                *filter(None, [who.route.note]),
                *shown.notes,
                *context.notes,
            ),
            "logs_costs": settings.budget.log_costs,
        }
    )
    nonce = secrets.token_hex(NONCE_BYTES)
    tasks, cache = _tasks(roles, shown, who), answer_cache(ground, environ)
    shared, order = shared_text(shown.lines, shown.context, nonce), settings.editor.priority_order
    polish: Polish = unpolished
    if request.polishes:
        editor = editor_asking(who, ground, environ, commands)
        polish = partial(polished, asking=editor, nonce=nonce, order=order, has_secret=shown.has_secret)
    if who.provider is None:
        handed = _handed_out(review, ground, nonce, tasks, shared=shared, cache=cache)
        return Prepared(review, ground.top, order, tasks, began, None, handed, polish)
    panel = PromptPanel(asking_through(who.provider, ground), shared, nonce, seconds_of(settings), cache)
    return Prepared(review, ground.top, order, tasks, began, panel, polish=polish)


def _refuse_unreadable(prompt: str) -> None:
    if not prompt.strip():
        raise NotReviewedError("empty", "the prompt is empty")
    if "\0" in prompt or any("\ud800" <= letter <= "\udfff" for letter in prompt):
        raise NotReviewedError("binary", "the prompt is no text")
    if len(prompt) > LONGEST_PROMPT:
        why = f"the prompt has {len(prompt):,} characters, and more than {LONGEST_PROMPT:,} are not reviewed"
        raise NotReviewedError("too_long", why)


def _unguarded(chosen: Sequence[Selected]) -> list[str]:
    """A warning where nobody looks for dangers: a project's own settings can have said so."""
    return [NO_SECURITY.format(one.because) for one in chosen if one.role is Role.SECURITY and not one.is_active]


def _hidden(prompt: str) -> list[str]:
    """A warning about characters that nobody sees, and that a model reads."""
    found = [letter for letter in prompt if letter not in "\n\r\t" and visible(letter) != letter]
    kinds = ", ".join(sorted({visible(letter) for letter in found})[:MOST_TOLD])
    count = f"{len(found)} character{'' if len(found) == 1 else 's'}"
    return [f"the prompt holds {count} that cannot be seen ({kinds})"] if found else []


def _tasks(roles: Sequence[Role], shown: Shown, who: Askable) -> tuple[Task, ...]:
    texts = [specialist_text(name) for name in specialists(shown.context.stack)]
    tasks = []
    for role in roles:
        text = task_of(role, role_text(role), texts if role is Role.DOMAIN_SME else ())
        tasks.append(Task(role, text, key_of(who, role, text, shown)))
    return tuple(tasks)


def _handed_out(
    review: PromptReview,
    ground: Ground,
    nonce: str,
    tasks: Sequence[Task],
    *,
    shared: str,
    cache: AnswerCache | None,
) -> HandOut:
    """The questions that nobody has answered before."""
    settings = ground.settings
    known = {task.role: known_answer(cache, task.role, task.key) for task in tasks}
    asked = [task for task in tasks if known[task.role] is None]
    return HandOut(
        review=review,
        top=ground.top,
        may_keep=ground.config.models.cache,
        nonce=nonce,
        order=settings.editor.priority_order,
        tasks=tuple(HandedTask(role=task.role, text=task.text, key=task.key) for task in asked),
        known=tuple(one for one in known.values() if one is not None),
        shared=shared,
        model=settings.models.reviewer,
        seconds=seconds_of(settings),
    )
