"""Whether the sentence around a match says that the matched thing is not so, or not wanted."""

from __future__ import annotations

import re

from review_gate.checks.clause_words import MIGHT_NEGATE, tokens_of
from review_gate.checks.prescription import is_rejected
from review_gate.checks.rule import NEGATION_AWARE, PRESCRIPTIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.checks.structure import Structure

# Only plain letters: a look-alike of a negation must not hide a match.
_EIGHT_WORDS = re.compile(
    r"(?<!\w)(?ai:not|doesn['’ʼ]t|unlike|cannot|don['’ʼ]t|won['’ʼ]t|shouldn['’ʼ]t|ruled\s+out)(?!\w)"
)
# The prescriptive rule looks no farther than this on each side of a match.
_REACH = 600


def is_negated_at(structure: Structure, start: int, end: int, match_rule: str) -> bool:
    """Whether a match of a text is negated in its sentence."""
    first, last = structure.sentence_at(start, end)
    if not MIGHT_NEGATE.search(structure.text, first, last):
        return False  # and no parser had to run
    return is_negated(*structure.masked_sentence(start, end), match_rule)


def is_negated(sentence: str, start: int, end: int, match_rule: str) -> bool:
    """Whether a sentence negates its match, given by offsets, for `prescriptive` and `negation_aware` checks."""
    if match_rule == NEGATION_AWARE:
        return any(found.start() >= end or found.end() <= start for found in _EIGHT_WORDS.finditer(sentence))
    if match_rule != PRESCRIPTIVE:
        return False
    left, right = sentence[max(0, start - _REACH) : start], sentence[end : end + _REACH]
    if not MIGHT_NEGATE.search(left) and not MIGHT_NEGATE.search(right):
        return False
    return is_rejected(tokens_of(left), tokens_of(right), is_question=sentence.rstrip(" \t\r\n\"')*_").endswith("?"))
