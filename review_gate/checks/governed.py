"""Whether a negation governs a match: the words between them are its verb of use and the match's own noun phrase."""

from __future__ import annotations

from review_gate.checks.clause_words import AUXILIARIES, BASE_VERBS, PREPOSITIONS, RAISING, is_finite, is_subject
from review_gate.checks.use_words import (
    ADVERBS,
    DETERMINERS,
    LEADING,
    PLACES,
    REASONS,
    USE_NOUNS,
    is_past,
    means_of,
    use_of,
)

# Words of a noun phrase before the match, without articles and the like.
_LONGEST_PHRASE = 3
_LONGEST_LIST_ITEM = 2
_LISTING = frozenset((",", "or", "nor", "and", "such_as"))
# The name of a program is no verb of the sentence, and neither is what follows it: "git push".
_COMMANDS = frozenset(("chmod", "docker", "git", "npm", "pip", "rm", "sudo"))
_LETTING = frozenset(("allow", "allows", "let", "lets", "permit", "permits"))
# What something else is brought to is there: "do not pass secrets to eval".
_GOALS = frozenset(("into", "onto", "to"))
_PRONOUNS = (["it"], ["them"], ["this"], ["that"], ["anything"])
_AUXILIARY = AUXILIARIES | {"be", "been", "being", "get", "gets"}


def is_governed(said: list[str], *, is_order: bool = False) -> bool:
    """Whether a "not" or "never" before some words reaches what follows them; an order begins with a verb."""
    said = without_list(without_auxiliaries(said))
    if not said:
        return True
    first, rest = said[0], said[1:]
    if first == "to" or (first in LEADING and rest[:1] == ["to"]):
        return _is_verb_phrase(said[said.index("to") + 1 :])
    if (first in RAISING or first in _LETTING) and rest:
        return _is_said_of(rest)
    if use_of(first) or means_of(first):
        return _is_object(first, rest)
    if first in PLACES:
        return is_phrase(rest)
    if first in DETERMINERS:
        return is_phrase(said)
    return not is_order and not rest and not first.endswith(("ed", "ing"))


def is_governed_noun(said: list[str], *, is_whole: bool, is_aside: bool) -> bool:
    """Whether a "no" or "nobody" reaches what follows some words: "no calls to", "no module may use".

    "Nobody" is a whole subject, while a noun follows "no"; the "no" of an aside reaches no verb: "hosts with no tests".
    """
    said = without_list(said)
    at = _verb(said)
    if at >= 0:
        return not is_aside and is_governed(_behind_subject(said[at:]), is_order=True)
    if said[:1] == ["of"]:
        return is_phrase(said[1:])
    if is_whole or (_preposition(said) < 0 and any(word in DETERMINERS for word in said[1:])):
        return not said  # "nobody noticed", "no one saw the"
    return is_phrase(said) or _is_use_noun(said)


def is_governed_object(said: list[str]) -> bool:
    """Whether an "avoid" or "instead of" reaches what follows some words: a thing, or the use of one."""
    said = without_list(said)
    if said[:1] == ["to"]:
        return _is_verb_phrase(said[1:])
    if said and (said[0] in AUXILIARIES or is_gerund(said[0]) or use_of(said[0])):
        return _is_verb_phrase(said)
    return is_phrase(said) or _is_use_noun(said) or (said[:1] != [] and said[0] in PLACES and is_phrase(said[1:]))


def is_phrase(said: list[str], longest: int = _LONGEST_PHRASE) -> bool:
    """Whether some words are the beginning of a thing's name: no verb, no preposition, and few of them."""
    if any(is_subject(said, at) or is_finite(said, at) or _is_new_verb(said, at) for at in range(len(said))):
        return False
    if any(_is_participle(said, at) or said[at] == "that" for at in range(1, len(said))):
        return False  # "the check guarding", "paths that bypass"
    named = [word for word in said if word not in DETERMINERS]
    return len(named) <= longest and not any(word in PREPOSITIONS or word in _LISTING for word in named)


def is_gerund(word: str) -> bool:
    """Whether a word looks like "removing"; "string" is one too, and nothing is lost by that."""
    return len(word) > 4 and word.endswith("ing") and not word.endswith("thing")


def _is_participle(said: list[str], at: int) -> bool:
    """Whether a word says what the thing before it does; "the existing" and "raw string" are the match's own name."""
    return is_gerund(said[at]) and said[at] != "string" and said[at - 1] not in DETERMINERS


def _is_verb_phrase(said: list[str]) -> bool:
    said = without_auxiliaries(said)
    if said[:1] == ["to"]:
        return _is_verb_phrase(said[1:])
    if said and said[0] in LEADING and said[1:2] == ["to"]:
        return _is_verb_phrase(said[2:])
    return not said or _is_object(said[0], said[1:])


def _is_object(verb: str, said: list[str]) -> bool:
    """Whether a match is what a verb does something to, or the means or the place to do it."""
    at = _preposition(said)
    if at < 0:
        return use_of(verb) != "" and _is_new_phrase(verb, said)
    before, place, named = said[:at], said[at], said[at + 1 :]
    if not _is_new_phrase(verb, before) or not _is_new_phrase(place, named):
        return False
    if before and before[-1] in USE_NOUNS:
        return use_of(verb) != ""
    if place in _GOALS and before and before not in _PRONOUNS:
        return False
    if place == "to" and named and use_of(named[0]):
        return False  # "do not wait to adopt"
    if any(is_past(word) for word in before[1:][-1:]):
        return False  # "(validate) input passed through"
    return place in PLACES and (means_of(verb) != "" or (not before and place in ("as", "by", "on")))


def _is_new_phrase(before: str, said: list[str]) -> bool:
    """Whether a phrase follows a verb or a preposition, and not the verb of "to ship"."""
    return is_phrase(said) and not _is_new_verb([before, *said], min(1, len(said)))


def _is_said_of(said: list[str]) -> bool:
    """Whether a use is what is not wanted or not believed: "(I do not think) that we should use"."""
    last = max((at for at, word in enumerate(said) if use_of(word)), default=-1)
    return _is_object(said[last], said[last + 1 :]) if last >= 0 else is_phrase(said)


def _is_use_noun(said: list[str]) -> bool:
    """Whether a thing is named by its use: "any use of", "need for", "reason to call"."""
    at = next((at for at, word in enumerate(said) if word in PREPOSITIONS), -1)
    if at < 1 or said[at - 1] not in USE_NOUNS:
        return False
    rest = said[at + 1 :]
    if rest and (is_gerund(rest[0]) or (said[at] == "to" and said[at - 1] in REASONS)):
        return _is_verb_phrase(rest)
    return _is_new_phrase(said[at], rest)


def _preposition(said: list[str]) -> int:
    """The last preposition of some words; -1 where there is none."""
    return max((at for at, word in enumerate(said) if word in PREPOSITIONS or word in PLACES), default=-1)


def _verb(said: list[str]) -> int:
    """Where the verb behind a negated subject stands."""
    for at, word in enumerate(said):
        if word in AUXILIARIES or is_finite(said, at):
            return at
        is_noun = said[at - 1] in PREPOSITIONS | DETERMINERS or (word in USE_NOUNS and at + 1 < len(said))
        if at and not is_noun and use_of(word):
            return at
    return -1


def _behind_subject(said: list[str]) -> list[str]:
    """The words from the verb on, also where an auxiliary stands first: "(at no point) does the script call"."""
    if said[0] not in AUXILIARIES:
        return said
    last = max((at for at, word in enumerate(said) if use_of(word) and said[at - 1] not in DETERMINERS), default=0)
    return said[last:] if last > 1 and _preposition(said[:last]) < 0 else said


def _is_new_verb(said: list[str], at: int) -> bool:
    """Whether a word is a verb by what stands before it: "latency use", "to call"."""
    if at < 1 or said[at] not in BASE_VERBS or said[at - 1] in DETERMINERS:
        return False
    if said[at] in _COMMANDS or said[at - 1] in _COMMANDS:
        return False
    return not (said[at] in USE_NOUNS and at + 1 < len(said) and said[at + 1] in PREPOSITIONS)


def without_auxiliaries(said: list[str]) -> list[str]:
    """Some words from the first one on that is no auxiliary and no adverb."""
    for at, word in enumerate(said):
        is_more = word in LEADING and at + 1 < len(said)  # "have to", "needs a"
        if is_more or not (word in _AUXILIARY or word in ADVERBS or word == "," or word.endswith("ly")):
            return said[at:]
    return []


def without_list(said: list[str]) -> list[str]:
    """The words before the first thing of a list whose last one is the match, or those behind an "or" with a verb."""
    while True:
        last = max((at for at, word in enumerate(said) if word in _LISTING), default=-1)
        if last < 0:
            return said
        item = said[last + 1 :]
        if not is_phrase(item, _LONGEST_LIST_ITEM) or not BASE_VERBS.isdisjoint(item[:1]):
            return item
        said = said[:last]
