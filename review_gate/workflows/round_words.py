"""What people say to reviewers in their own words: no secret may be in it, and all of it has to arrive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from review_gate.errors import MisuseError
from review_gate.pipeline.exhibit import LONGEST_LINE
from review_gate.workflows.check_compile import policy_of
from review_gate.workflows.configure import load_configuration
from review_gate.workflows.secret_search import SecretSearch

if TYPE_CHECKING:
    from review_gate.workflows.round_begin import Place


def refuse_undecodable(what: str, words: str) -> None:
    """Refuse words, or a name, that no JSON can hold: they come from bytes that are no UTF-8."""
    if any("\ud800" <= one <= "\udfff" for one in words):
        raise MisuseError(
            f"{what} is not UTF-8: {words!a}",
            why="it could neither be kept nor be shown to reviewers",
            next_step="name it otherwise, then the same command again",
        )


def refuse_unfit(option: str, words: str, place: Place) -> None:
    """Refuse words that must not be sent, or would be cut on the way."""
    if len(words) > LONGEST_LINE:
        raise MisuseError(
            f"{option} has {len(words):,} characters, more than {LONGEST_LINE:,}",
            why="reviewers are shown the beginning of what is longer",
            next_step="say it in fewer words, with the same command",
        )
    if words and is_secret(words, place):
        raise MisuseError(
            f"{option} holds a secret, or could not be searched for one",
            why="it would be sent to every reviewer, and kept",
            next_step="take the secret out, then the same command again",
        )


def is_secret(words: str, place: Place) -> bool:
    """Whether words may not be shown; those that nobody looked at may not."""
    plan = None
    if place.repository is not None:
        plan = policy_of(place.repository, load_configuration(place.repository))[1]
    ((_, hits),) = SecretSearch(plan, place.config.checks.seconds_per_file).in_words([words])
    return hits is None or bool(hits)
