"""Whether the sentence around a match says that the matched thing is not so, or not wanted."""

from __future__ import annotations

import re

from review_gate.checks.clause_words import might_negate, tokens_of, with_whole_words, without_own_word
from review_gate.checks.prescription import is_rejected
from review_gate.checks.rule import NEGATION_AWARE, PRESCRIPTIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.checks.structure import Structure

# Only plain letters: a look-alike of a negation must not hide a match.
_EIGHT_WORDS = re.compile(
    r"(?<!\w)(?ai:not|doesn['\u2019\u02bc]t|unlike|cannot|don['\u2019\u02bc]t|won['\u2019\u02bc]t|shouldn['\u2019\u02bc]t|ruled(?u:\s)+out)(?!\w)"
)
# Each of them holds one of these, which are found faster.
_PARTS_OF_EIGHT = ("not", "n't", "n\u2019t", "n\u02bct", "unlike", "ruled")
# A label may be code or emphasised, and may be called: `eval()`:
_COLON = re.compile(r"(?:\(\))?[`*_\"' ]*:\s")
# The prescriptive rule looks no farther than this before and after a match.
_BEFORE = 300
_AFTER = 200


def is_negated_at(structure: Structure, start: int, end: int, match_rule: str) -> bool:
    """Whether a match of a text is negated in its sentence."""
    if not structure.might_negate(start, end):
        return False  # and nothing had to be masked
    return is_negated(*structure.masked_sentence(start, end), match_rule)


def is_negated(sentence: str, start: int, end: int, match_rule: str) -> bool:
    """Whether a sentence negates its match, given by offsets, for `prescriptive` and `negation_aware` checks."""
    if match_rule == NEGATION_AWARE:
        return _holds_one_of_eight(sentence, start, end)
    if match_rule != PRESCRIPTIVE:
        return False
    left, right = _words_around(sentence, start, end)
    if not might_negate(left) and not might_negate(right):
        return False
    return is_rejected(
        tokens_of(left),
        tokens_of(right),
        is_question=sentence.rstrip(" \t\r\n\"')*_").endswith("?"),
        is_label=_COLON.match(right) is not None,
    )


def _holds_one_of_eight(sentence: str, start: int, end: int) -> bool:
    """Whether one of the eight words stands outside the match."""
    lowered = sentence.lower()
    if not any(part in lowered for part in _PARTS_OF_EIGHT):
        return False
    found = _EIGHT_WORDS.finditer(sentence)
    return any((word.start() >= end or word.end() <= start) and _is_whole(sentence, word) for word in found)


def _is_whole(sentence: str, word: re.Match[str]) -> bool:
    """Whether nothing unseen makes a found word a part of a longer one."""
    first, last = sentence.rfind(" ", 0, word.start()) + 1, sentence.find(" ", word.end())
    near = with_whole_words(sentence[first : last if last >= 0 else len(sentence)])
    found = _EIGHT_WORDS.match(near, word.start() - first)
    return found is not None and found.end() == word.end() - first


def _words_around(sentence: str, start: int, end: int) -> tuple[str, str]:
    """The text before and after a match, never with a part of a word: the end of "knot" is no negation."""
    first = max(0, start - _BEFORE)
    near = with_whole_words(sentence[first : end + _AFTER])
    until, since = without_own_word(near, start - first, end - first)
    left, right = near[:until], near[since:]
    return (
        left.partition(" ")[2] if first else left,
        right if end + _AFTER >= len(sentence) else right.rpartition(" ")[0],
    )
