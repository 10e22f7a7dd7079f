"""Whether an order, a resolution or a refusal is against a match, whatever the verb of it."""

from __future__ import annotations

from review_gate.checks.any_verb import is_forbidden
from review_gate.checks.clause_words import AUXILIARIES, NEGATIONS, PREPOSITIONS, STOP, words
from review_gate.checks.governed import is_gerund

# A verb follows a "not" behind these.
LEADING_ON = words("can could did do does had has have may might must shall should to will would")
WHOLE = words("nobody none nothing no_one")
_FORBIDDING = words("may must ought shall should")
_SPEAKERS = words("i we you")
_TELLING = words("did had has have")
_ORDER_OPENERS = words("and but just please so then therefore") | {"", STOP, ","}
# Words between "no" and its verb: "no release script may".
_LONGEST_SUBJECT = 3
_GOOD = words("acceptable better fine good ok okay welcome")
# Who avoids or stops some act says so of any act; "instead of" and "without" only compare.
_RESOLVING = words(
    "avoid avoided avoiding avoids decided_against forbid forbidding forbids prohibit prohibits refrain_from refuse "
    "refused refuses refusing stop_doing stopped_doing"
)


def is_order_against(clause: list[str], at: int, opener: str, right: list[str]) -> bool:
    """Whether a "not" or "never" is an order or a resolution: "must not sign it with eval", "we won't opt for eval"."""
    before = clause[at - 1] if at else opener
    subject = (clause[at - 2] if at > 1 else opener) if before in LEADING_ON else before
    is_order = before in _FORBIDDING or (subject in _ORDER_OPENERS and (before == "do" or clause[at] == "never"))
    if not is_order and (subject not in _SPEAKERS or before in _TELLING):
        return False
    return is_forbidden(clause[at + 1 :], right, has_means=is_order)


def is_nobodys(negation: str, between: list[str], right: list[str]) -> bool:
    """Whether nobody may do something with the match: "nobody should sign it with eval"."""
    verb = next((at for at, word in enumerate(between) if word in AUXILIARIES), -1)
    is_ruled = verb >= 0 and between[verb] in _FORBIDDING and verb <= _LONGEST_SUBJECT
    return is_ruled and (verb == 0) == (negation in WHOLE) and is_forbidden(between[verb:], right)


def is_act_refused(rejection: str, between: list[str], right: list[str]) -> bool:
    """Whether an act is refused that brings the match in: "avoid spawning a shell", "refuse to sign it with eval"."""
    act = between[1:] if between[:1] == ["to"] else between
    if rejection not in _RESOLVING or act == [] or (act is between and not is_gerund(act[0])):
        return False
    # "Avoid hammering the disk with eval" and "stop guessing with eval" may be the way to do so.
    has_means = not rejection.startswith(("avoid", "stop"))
    return is_forbidden(act, right, has_means=has_means)


def is_mere_end(clause: list[str], at: int) -> bool:
    """Whether something came to an end by itself: "the job stopped crashing with eval"."""
    before = clause[at - 1] if at else ""
    if clause[at] == "stop_doing":
        return before not in _ORDER_OPENERS and before not in _FORBIDDING
    return clause[at] == "stopped_doing" and (before not in _SPEAKERS or not PREPOSITIONS.isdisjoint(clause[at + 1 :]))


def is_enough_otherwise(rejection: str, right: list[str]) -> bool:
    """Whether all other things are good enough: "anything but eval will do"."""
    if rejection != "anything_but" or right[:1] == [] or right[0] not in AUXILIARIES:
        return False
    told = right[1:3]
    return NEGATIONS.isdisjoint(told) and (told[:1] == ["do"] or not _GOOD.isdisjoint(told))
