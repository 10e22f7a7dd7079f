"""What comes of a review of a prompt: what its reviewers said, merged, or why it goes on as it is."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime

from review_gate.errors import ConfigError, explained
from review_gate.ports import Usage
from review_gate.prompts.editor.edit import Edited, edit
from review_gate.prompts.history.audit import Cost, Mode
from review_gate.prompts.outcome import PromptRequest, PromptReview, Reviewed, Status
from review_gate.prompts.schema import Role
from review_gate.safe_text import safe_line, without_full_stop
from review_gate.shell.prompt_panel import Heard
from review_gate.shell.prompt_store import new_id
from review_gate.standard_error import say_where

USUAL_MODE: Mode = "subscription"


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
    # Whoever wins, they are told in one order.
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
    return known.model_copy(update={"status": _status(known, edited), "edited": edited})


def _status(review: PromptReview, edited: Edited) -> Status:
    return "unchanged" if edited.text == review.prompt else "proposed"


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
