"""The English words that say how a thing is used: verbs in all their forms, nouns, and what may stand between."""

from __future__ import annotations

from review_gate.checks.clause_words import BASE_VERBS, words

# To alter, to watch or to leave a thing is to have it: only a means can be rejected with these, as in "do not report
# errors with eval".
_ACTING = words(
    "ask block bypass check convert decrypt delete deliver deserialise deserialize encrypt evaluate fall filter "
    "format get give handle hash let log marshal override print process protect raise report retry sanitise sanitize "
    "save skip sleep solve sort start swallow switch take tell throw test transfer try turn unmarshal validate wait "
    "work wrap"
)
# Who does not do one of these to a thing does not use it.
_USING = (BASE_VERBS - _ACTING - words("just please want")) | words(
    "adopt advise bake belong bring carry configure consider consume declare employ export feed forward hand have "
    "implement inherit instantiate involve issue leak leverage live mix mount offer perform permit persist place "
    "provide publish reach receive recommend refer reference remain request require reuse schedule share suggest "
    "support tag type utilise utilize want"
)
# What these are about is their own object: "we do not need a parser with eval" uses eval.
_OWNING = words("use have need require share want employ utilise utilize support provide offer")
_IRREGULAR = {
    "built": "build",
    "chosen": "choose",
    "done": "do",
    "given": "give",
    "got": "get",
    "held": "hold",
    "kept": "keep",
    "left": "leave",
    "made": "make",
    "put": "put",
    "sent": "send",
    "spoken": "speak",
    "taken": "take",
    "thrown": "throw",
    "written": "write",
    "went": "go",
    "has": "have",
    "having": "have",
    "had": "have",
    "chose": "choose",
    "gave": "give",
    "ran": "run",
    "spoke": "speak",
    "threw": "throw",
    "took": "take",
    "wrote": "write",
}
_PRESENT = words("has having")

# "Not meant to use", "no need to use", "not allowed to use": these hand a negation on to what follows "to".
LEADING = words(
    "able acceptable advisable allowed appropriate asked configured correct designed desirable expected feasible going "
    "have intended likely meant necessary need needed needs ok okay permitted plan planning possible practical "
    "prepared required safe sensible supposed try trying want wanted wants wise"
)
# What is said of a thing by naming its use: "no calls to eval", "the use of eval".
USE_NOUNS = words(
    "access any call calls case copies copy dependencies dependency excuse form imports instance instances intention "
    "invocation invocations kind need none occurrence occurrences one part place plan plans point reads reason reasons "
    "reference references reliance requests room sense sort support trace traces usage use uses using way writes"
)
# What may follow these with "to" is an act: "no reason to call eval".
REASONS = words("case excuse intention need place plan plans point reason reasons room sense way")
PLACES = words("against as at by in into on onto over through to using via with within")
ADVERBS = words("actually also anymore either even ever further just longer often really still yet anywhere")
DETERMINERS = words(
    "a all an another any anything each every its my our some such that the their these this those your"
)


def use_of(word: str) -> str:
    """The verb that a word is a form of, where that is to use something; an empty text where it is not."""
    return next((verb for verb in bases(word) if verb in _USING), "")


def means_of(word: str) -> str:
    """The verb that a word is a form of, where something else may be a means to it."""
    return next((verb for verb in bases(word) if verb in _ACTING or (verb in _USING and verb not in _OWNING)), "")


def is_past(word: str) -> bool:
    """Whether a word looks like the past or the participle of a verb that is known here."""
    is_form = word.endswith("ed") or (word in _IRREGULAR and word not in _PRESENT)
    return is_form and (use_of(word) != "" or means_of(word) != "")


def bases(word: str) -> list[str]:
    """The verbs that a word may be a form of, and some that are none."""
    found = [_IRREGULAR.get(word, word)]
    for ending in ("ing", "ed", "es", "s"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 1:
            found += [stem, stem + "e", stem.removesuffix("i") + "y", stem[:-1] if stem[-1] == stem[-2] else stem]
    return found
