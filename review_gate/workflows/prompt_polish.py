"""prompt-review --polish: other words for what reviewers put in, where a model finds better ones."""

from __future__ import annotations

from collections.abc import Sequence

from review_gate.prompts.editor.edit import edit
from review_gate.prompts.editor.polish import passages_of, polish_question, reworded, rewordings
from review_gate.prompts.history.audit import Cost
from review_gate.prompts.outcome import PromptReview
from review_gate.prompts.schema import Role
from review_gate.shell.asking import Asking

IN_SESSION = "--polish was left out: the session words it itself"
NOT_POLISHED = "not polished: {}"
HOLDS_KEY = "the prompt holds a key, which must not leave this machine"
NOTHING_BETTER = "{} found no better words"
POLISHED = "{} gave other words to {} of {} passages that were put in"


def polished(
    review: PromptReview, asking: Asking | None, nonce: str, order: Sequence[Role], *, has_secret: bool
) -> PromptReview:
    """A review with other words for what is put in; whatever goes wrong, it stays as it is and says so."""
    edited = review.edited
    if edited is None or review.status != "proposed":
        return review
    if asking is None:
        return _noted(review, IN_SESSION)
    if has_secret:
        return _noted(review, NOT_POLISHED.format(HOLDS_KEY))
    passages = passages_of(edited)
    said = asking.ask(lambda seconds: polish_question(edited, passages, nonce, seconds))
    if said.problem or said.reply is None:
        return _noted(review, NOT_POLISHED.format(said.problem))
    cost = review.cost
    usage, usd = said.reply.usage, 0.0 if review.mode == "subscription" else said.usd
    more = Cost(
        input_tokens=cost.input_tokens + usage.input_tokens,
        output_tokens=cost.output_tokens + usage.output_tokens,
        usd=None if cost.usd is None or usd is None else cost.usd + usd,
    )
    review = review.model_copy(update={"cost": more})
    words = rewordings(getattr(said.reply, "raw", ""), passages, nonce)
    if not words:
        return _noted(review, NOTHING_BETTER.format(asking.provider.model))
    better = edit(review.prompt, reworded(review.critiques, words), order)
    if better.text == review.prompt:
        # In other words nothing would be left of the review.
        return _noted(review, NOTHING_BETTER.format(asking.provider.model))
    note = POLISHED.format(asking.provider.model, len(words), len(passages))
    return _noted(review.model_copy(update={"edited": better}), note)


def _noted(review: PromptReview, note: str) -> PromptReview:
    return review.model_copy(update={"notes": (*review.notes, note)})
