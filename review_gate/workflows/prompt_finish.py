"""How a review of a prompt ends: it waits for a decision, is decided, or is over, and is logged once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from review_gate.errors import MisuseError, ReviewGateError, explained
from review_gate.prompts.history.audit import Outcome, Trigger, keyed_hash
from review_gate.prompts.outcome import OUTCOMES, Decided, HandOut, PromptRequest, PromptReview, entry_of
from review_gate.safe_text import without_full_stop
from review_gate.shell.audit_log import append, hash_key, plugin_folder
from review_gate.shell.prompt_store import ASKED, PROPOSED, REQUESTED, PromptStore

Word = Literal["yes", "no", "edit"]
DECISIONS: Mapping[Word, Outcome] = {"yes": "approved", "no": "rejected", "edit": "edited"}
UNDECIDED: Outcome = "undecided"
NOT_LOGGED = "the review was not logged: {} ({})"
NO_PLACE = "its questions cannot wait for their answers: {} ({})"
NOT_TAKEN = "the decision is not kept: {} ({})"
CANNOT_WAIT = "the review cannot wait for a decision: {} ({}); take the refined prompt from here"


def offer(review: PromptReview, environ: Mapping[str, str]) -> str:
    """Store a proposal until it is decided; return the error if that fails, and log the review then."""
    try:
        PromptStore(environ).keep(PROPOSED, review.id, review)
    except (ReviewGateError, OSError) as error:
        # What keeps the line from the log is most often the same error, so it is told once.
        log(review, UNDECIDED, environ)
        return _told(CANNOT_WAIT, error)
    return ""


def hand_out(handed: HandOut, environ: Mapping[str, str]) -> PromptReview | None:
    """Let questions wait for their answers; where they cannot, the prompt that goes on as it is."""
    try:
        PromptStore(environ).keep(ASKED, handed.review.id, handed)
    except (ReviewGateError, OSError) as error:
        return handed.review.model_copy(update={"reason": "cannot_wait", "why": _told(NO_PLACE, error)})
    return None


def proposal(name: str, environ: Mapping[str, str]) -> PromptReview:
    """A review that waits for its decision."""
    return PromptStore(environ).read(PROPOSED, name, PromptReview)


def settle(review: PromptReview, word: Word, environ: Mapping[str, str]) -> str:
    """Take a decided proposal away and log it; why that could not be done, empty where it was."""
    try:
        PromptStore(environ).take(PROPOSED, review.id)
    except OSError as error:
        # Without a line in the log, as the same may be decided again.
        return _told(NOT_TAKEN, error)
    return log(review, DECISIONS[word], environ)


def decided_as(review: PromptReview, word: Word, own: str | None) -> Decided:
    """The prompt that goes on after a decision."""
    if word == "edit" and not (own or "").strip():
        raise MisuseError(
            "edit needs the edited prompt",
            why="there is none, and nobody can be asked for it here",
            next_step=f"review-gate prompt-review decide {review.id} edit --text FILE (- is standard input)",
        )
    prompt = {"yes": review.refined, "no": review.prompt}.get(word, own or "")
    return Decided(id=review.id, decision=word, prompt=prompt)


def over(review: PromptReview, environ: Mapping[str, str]) -> str:
    """Log a review that needs no decision; return the error if that fails."""
    return log(review, OUTCOMES[review.status], environ)


def log_checked(review: PromptReview, environ: Mapping[str, str]) -> str:
    """Log a review of a file."""
    return log(review, "checked" if review.critiques else OUTCOMES[review.status], environ)


def log(review: PromptReview, outcome: Outcome, environ: Mapping[str, str]) -> str:
    """Write the one line of a review; why that could not be done, empty where it was."""
    store = PromptStore(environ)
    try:
        folder = plugin_folder(environ)
        key = hash_key(folder)
        append(folder, entry_of(review, outcome, keyed_hash(key, review.prompt)))
        # Proposals without a decision and questions without answers, a day old; a request was never reviewed.
        list(store.expired(REQUESTED, PromptRequest))
        unanswered = [one.review.model_copy(update={"reason": "unanswered"}) for one in store.expired(ASKED, HandOut)]
        for one in (*store.expired(PROPOSED, PromptReview), *unanswered):
            append(folder, entry_of(one, UNDECIDED, keyed_hash(key, one.prompt)))
    except (ReviewGateError, OSError) as error:
        return _told(NOT_LOGGED, error)
    return ""


def _told(words: str, error: Exception) -> str:
    known = explained(error)
    return words.format(without_full_stop(known.what), known.next_step)


def keep_request(name: str, prompt: str, trigger: Trigger, environ: Mapping[str, str]) -> None:
    """Let the prompt wait under an id."""
    PromptStore(environ).keep(REQUESTED, name, PromptRequest(id=name, prompt=prompt, trigger=trigger))


def taken_request(name: str, environ: Mapping[str, str]) -> PromptRequest:
    """The prompt that waits under an id; it does so once."""
    store = PromptStore(environ)
    request = store.read(REQUESTED, name, PromptRequest)
    store.take(REQUESTED, name)
    return request
