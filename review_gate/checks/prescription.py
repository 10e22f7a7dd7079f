"""Whether the words before and after a match reject it; wherever that is unsure, they do not."""

from __future__ import annotations

from itertools import takewhile

from review_gate.checks.any_verb import is_denied
from review_gate.checks.clause_words import (
    AUXILIARIES,
    BROKEN,
    CANCELLING,
    CLAUSE_WORDS,
    DELETING,
    ENDS_SUBJECT,
    NEGATIONS,
    NEGATIVE_SUBJECTS,
    NOT_WORDS,
    NOTICING,
    OPEN_CLAUSE_WORDS,
    PREPOSITIONS,
    REJECTING,
    RELATIVE_WORDS,
    STOP,
    UNDOING,
    USES,
    has_verb,
    is_finite,
    is_subject,
    words,
)
from review_gate.checks.governed import is_gerund, is_governed, is_governed_noun, is_governed_object, is_phrase
from review_gate.checks.orders import (
    LEADING_ON,
    WHOLE,
    is_act_refused,
    is_enough_otherwise,
    is_mere_end,
    is_nobodys,
    is_order_against,
)
from review_gate.checks.rejection_after import is_rejected_after, is_rejected_label
from review_gate.checks.room_left import is_fronted, is_manner, is_with_undone, leaves_room
from review_gate.checks.said_of_it import is_rejected_as_it
from review_gate.checks.taken_back import (
    is_bad_to_omit,
    is_denounced,
    is_doing_without,
    is_hard,
    is_missed,
    is_omission,
    is_opposed,
    is_restored,
    is_stated,
    is_withdrawn,
)
from review_gate.checks.use_words import is_past, use_of

# Words between a negation and what it negates.
_FARTHEST_BEFORE = 12
_FARTHEST_LIMIT = 8
_LIST_ITEM = 4
_PREFERRING = words("choose chose chosen favor favour pick picked prefer preferred prefers")
_REPLACING = words("replace replaced replaces replacing")
_FILLERS = words("a all an any every my our the their your")
_NOUNS = NEGATIVE_SUBJECTS - words("never no_longer")
_HARDLY = words("barely few fewer hardly rarely scarcely seldom")
# Who refuses to go without a thing has it.
_REFUSING = REJECTING - words("unlike without")
_HARMING = words("cause causes cost costs hurt hurts lead leads mean means slows would")
_ONLY = words("exclusively merely only purely solely")
_ENDING = CLAUSE_WORDS | {STOP, ",", "(", ")"}
_RELATED = words("all anything everything what whatever")
_COPULAS = words("am are is was were")
# "At no point", "under no circumstances", "in no case": the whole statement is negated.
_ASIDES_OF_ALL = (["account"], ["case"], ["circumstance"], ["circumstances"], ["means"], ["point"], ["time"], ["way"])
# What comes in place of another thing, or before it: "thanks to eval", "in favour of eval", "in front of eval".
_TURNING = words("absence ahead aside away because behind favor favour front off out side thanks top way")
_MEANS = words("by through using via")
# The way to get round one thing is wanted: "avoid copies by calling eval".
_GETTING_ROUND = words("avoid avoided avoiding avoids get_rid_of rule_out stop_doing stop_using stopped_doing")


def is_rejected(left: list[str], right: list[str], *, is_question: bool, is_label: bool = False) -> bool:
    """Whether a match between two runs of words is said to be unwanted; a question leaves that open.

    A label is followed by a colon and what is said of it.
    """
    if is_question:
        return False
    clause, opener = _clause_before(left, right)
    if opener in OPEN_CLAUSE_WORDS:
        return False
    if is_fronted(left, opener):
        return False
    return (
        (_is_rejected_before(clause, opener, right) and not _is_limited(clause, right))
        or _is_replaced(clause, right)
        or is_rejected_as_it(clause, right)
        or (is_rejected_after(clause, right) and not is_omission(clause))
        or (is_label and is_rejected_label(clause, right))
    )


def _clause_before(left: list[str], right: list[str]) -> tuple[list[str], str]:
    """The words of the match's own clause before it, and the word or mark that the clause began with."""
    at = len(left) - 1
    clause: list[str] = []
    while at >= 0:
        word = left[at]
        if word == ")":
            at = _opening(left, at)
        elif word == ",":
            at = _before_comma(left, at, clause, right)
            if at < 0:
                return clause, ","
            clause.insert(0, ",")
            continue
        elif word in (STOP, "(") or (word in CLAUSE_WORDS) or (word == "and" and _begins_clause(clause, right)):
            return clause, word
        else:
            clause.insert(0, word)
        at -= 1
    return clause, ""


def _opening(words: list[str], at: int) -> int:
    """The bracket that belongs to a closing one, or the closing one itself."""
    for index in range(at - 1, -1, -1):
        if words[index] == "(":
            return index
    return at


def _before_comma(left: list[str], comma: int, clause: list[str], right: list[str]) -> int:
    """Where the clause goes on before a comma; -1 where the comma ends it."""
    before = left[comma - 1] if comma else ""
    if before in NOT_WORDS or _is_list(clause, right):
        return comma - 1
    for index in range(comma - 1, max(-1, comma - 7), -1):
        if left[index] == "," and index and left[index - 1] in NOT_WORDS:
            return index - 1  # "must never, under any circumstances, ..."
    return -1


def _is_list(item: list[str], right: list[str]) -> bool:
    """Whether the words between a comma and the match are one more thing of a list and no clause of their own."""
    if any(is_subject(item, at) or is_finite(item, at) for at in range(len(item))):
        return False
    if "or" in item or "nor" in item:
        return True
    if has_verb(item) or len(item) > _LIST_ITEM:
        return False
    return ("and" in item and not _goes_on_as_clause(right)) or right[:1] in ([","], ["or"], ["nor"], ["and"])


def _goes_on_as_clause(right: list[str]) -> bool:
    """Whether a verb follows the match, at most two words later: "and the eval call is"."""
    for at, word in enumerate(right[:3]):
        if word in AUXILIARIES or is_finite(right, at):
            return True
        if word in ENDS_SUBJECT:
            return False
    return False


def _begins_clause(words: list[str], right: list[str]) -> bool:
    """Whether the words behind an "and" are a clause of their own and not one more thing."""
    if has_verb(words) or not is_phrase(words, longest=1) or any(is_past(word) for word in words[:1]):
        return True  # "and called", "and created a"
    return len(words) < _LIST_ITEM and _goes_on_as_clause(right)


def _is_rejected_before(clause: list[str], opener: str, right: list[str]) -> bool:
    """Whether the nearest negation before the match reaches it."""
    for at in range(len(clause) - 1, max(-1, len(clause) - 2 - _FARTHEST_BEFORE), -1):
        word, between = clause[at], clause[at + 1 :]
        if word in REJECTING or word == "ruled_out":
            if between and at == 0 and _goes_on_as_clause(right) and not is_enough_otherwise(word, right):
                return False  # "unlike JSON.parse eval takes"
            is_reached = is_governed_object(between) or is_act_refused(word, between, right)
            is_passed_by = _is_turned(between) or _is_way_round(word, between) or is_mere_end(clause, at)
            return is_reached and not is_passed_by and not _is_denied(clause, at)
        if word in NEGATIONS:
            return _reaches(clause, at, opener, right) and not _is_claim(between, right)
    return _is_less_preferred(clause)


def _is_claim(between: list[str], right: list[str]) -> bool:
    """Whether a whole statement about the match is negated: "not that eval is", "do not assume eval is"."""
    return (between[:1] == ["that"] or between[-1:] == ["assume"]) and _goes_on_as_clause(right)


def _is_turned(between: list[str]) -> bool:
    """Whether what is negated undoes the match, or is compared with it: "removing eval", "as fast as eval"."""
    if any(word in UNDOING or word in _TURNING for word in between):
        return True
    return between.count("as") > 1


def _is_way_round(rejection: str, between: list[str]) -> bool:
    """Whether the match is the way to avoid something else: "avoid copies by calling", but not "avoid parsing with"."""
    if rejection not in _GETTING_ROUND:
        return False
    return any(
        word in ("by", "through", "via") and any(map(is_gerund, between[at + 1 : at + 2]))
        for at, word in enumerate(between)
    )


def _is_denied(clause: list[str], at: int) -> bool:
    """Whether a rejection is itself negated: "do not avoid", "impossible to avoid", "nothing works without"."""
    before = clause[max(0, at - 6) : at]
    if any(word in NEGATIONS or _is_hardly(before, place) for place, word in enumerate(before)):
        return True
    if is_withdrawn(clause, at) or is_denounced(clause, at):
        return True
    if clause[at] == "without":
        return _is_bad_without(before) or _is_lacking(before)
    return is_bad_to_omit(clause, at)


def _is_bad_without(said: list[str]) -> bool:
    """Whether something fails, is refused or is hard to do: "breaks without", "hard to work without"."""
    is_hard_to_do = any(is_hard(said, at) and said[at + 1 : at + 2] == ["to"] for at in range(len(said)))
    return is_hard_to_do or not (BROKEN.isdisjoint(said[-2:]) and _REFUSING.isdisjoint(said))


def _is_hardly(said: list[str], at: int) -> bool:
    """Whether a word says that nearly nobody does so; "a few" are some."""
    return said[at] in _HARDLY and not (said[at] == "few" and said[at - 1 : at] == ["a"])


def _is_lacking(said: list[str]) -> bool:
    """Whether something is "incomplete" or "unsafe"; "is installed" is none of these."""
    if said[-1:] == [] or not any(word in _COPULAS or word == "be" for word in said[-3:-1]):
        return False
    return said[-1].startswith(("im", "in", "ir", "un")) and not said[-1].endswith(("ed", "ing"))


def _reaches(clause: list[str], at: int, opener: str, right: list[str]) -> bool:
    between = clause[at + 1 :]
    if _is_cancelled(clause[at], between) or _is_second_negation(clause, at, opener) or _is_turned(between):
        return False
    if any(word in _ONLY or is_manner(word) for word in between) or between[-1:] == ["just"]:
        return False  # "do not use only", "do not blindly call"
    before = clause[at - 1] if at else opener
    if between[:1] == ["against"] and before not in (",", ""):
        return False  # "I am not against"
    if clause[at] in _NOUNS:
        is_aside = before in PREPOSITIONS and between[:1] not in _ASIDES_OF_ALL
        is_any = not is_aside and is_nobodys(clause[at], between, right)
        return is_any or is_governed_noun(between, is_whole=clause[at] in WHOLE, is_aside=is_aside)
    if before in _COPULAS and _is_relative(clause, at, opener) and not between:
        return False  # "anything that is not eval"
    if between[:1] != [] and between[0] in _COPULAS:
        return False  # "NOT is compiled with eval" speaks of a word
    if between[:1] == ["touch"] and at == clause[:1].count("do"):
        return False  # "do not touch eval" orders to keep it
    is_verb_next = clause[at] == "never" or before in LEADING_ON
    is_any = is_verb_next and (is_denied(between, right) or is_order_against(clause, at, opener, right))
    return is_any or is_governed(between, is_order=is_verb_next)


def _is_limited(clause: list[str], right: list[str]) -> bool:
    """Whether a rejection leaves room for the match: "never call eval outside the worker", "not using eval would"."""
    if leaves_room(right) or is_opposed(clause, right) or is_missed(clause, right) or is_with_undone(clause, right):
        return True
    if right[:1] != [] and right[0] in AUXILIARIES and is_rejected_after([], right):
        return True  # "doing without eval is not an option"
    begun = list(takewhile(lambda word: word not in _ENDING, right[:_FARTHEST_LIMIT]))
    if "no" in clause and begun[:1] != [] and begun[0] in AUXILIARIES:
        return not any(word in USES or use_of(word) for word in begun[1:4])  # "no call of eval is logged"
    is_subject_of_more = any(_is_harm_of_omission(clause, word) for word in begun)
    is_within_more = clause[-1:] != [] and clause[-1] in _RELATED and begun[:1] != [] and begun[0] in AUXILIARIES
    return is_subject_of_more or is_within_more


def _is_harm_of_omission(clause: list[str], verb: str) -> bool:
    """Whether it is bad to leave the match out: "not using eval would", "avoiding eval breaks"."""
    is_bad = verb in BROKEN or verb in _HARMING
    return (is_bad and is_doing_without(clause)) or ((is_bad or verb in AUXILIARIES) and clause[:1] == ["not"])


def _is_cancelled(negation: str, between: list[str]) -> bool:
    """Whether what is negated speaks for the match: "do not forget", "does not flag", "no time to replace"."""
    if any(word in CANCELLING for word in between[:3]) or is_stated(negation, between):
        return True
    governing = [word for word in between if word not in _FILLERS][-1:]
    return governing != [] and (governing[0] in DELETING or _is_unnoticed(negation, between))


def _is_unnoticed(negation: str, between: list[str]) -> bool:
    """Whether a tool lets the match pass; "do not report errors with console.log" speaks of something else."""
    if any(word in _MEANS or word in ("with", "in", "on", "as") for word in between):
        return False
    # "no report" and "not add flags" are nouns, "no linter reports" and "not flag" are verbs.
    verbs = between[1:3] if negation == "no" else between[:3]
    return any(word in NOTICING and (negation in NEGATIVE_SUBJECTS or word[-1] != "s") for word in verbs)


def _is_second_negation(clause: list[str], at: int, opener: str) -> bool:
    """Whether a "not" is taken back by a negation of the same statement, as in "no reason not to"."""
    if clause[at] not in NOT_WORDS:
        return False
    if is_bad_to_omit(clause, at) or is_withdrawn(clause, at) or is_denounced(clause, at):
        return True
    for first in range(at - 1, max(-1, at - 7), -1):
        if clause[first] in (",", "and", "or", "nor"):
            return False
        if clause[first] in NEGATIONS:
            is_aside = first > 0 and clause[first - 1] in PREPOSITIONS  # "modules with no tests must not"
            return not is_aside and not _is_relative(clause, first, opener)
    return False


def _is_relative(clause: list[str], at: int, opener: str) -> bool:
    return opener in RELATIVE_WORDS or any(word in RELATIVE_WORDS for word in clause[max(0, at - 3) : at])


def _is_less_preferred(clause: list[str]) -> bool:
    """Whether something else is preferred, as in "prefer a fake over a mock"."""
    return "over" in clause[-3:] and any(word in _PREFERRING for word in clause)


def _is_replaced(clause: list[str], right: list[str]) -> bool:
    """Whether something else takes its place, as in "replace eval with a parser"."""
    words = [word for word in clause if word not in _FILLERS]
    if not NEGATIONS.isdisjoint(words) or not _REFUSING.isdisjoint(words):
        return False  # "do not replace eval with a parser"
    is_replaced = words[-1:] != [] and words[-1] in _REPLACING and right[:1] in (["with"], ["by"])
    return is_replaced and not is_restored(words)
