"""The table of English words by which `prescriptive` checks tell what a sentence rejects."""

from __future__ import annotations

import re


def words(text: str) -> frozenset[str]:
    """The words of a list that is written as a text."""
    return frozenset(text.split())


def _verbs(text: str) -> frozenset[str]:
    """Verbs in all their forms; a verb that doubles its last letter is written with a plus: stop+."""
    forms: set[str] = set()
    for verb in text.split():
        stem, base = (verb[:-1] + verb[-2], verb[:-1]) if verb.endswith("+") else (verb.removesuffix("e"), verb)
        third = base + ("es" if base.endswith(("s", "sh", "ch", "x")) else "s")
        forms |= {base, third, stem + "ed", stem + "ing"}
    return frozenset(forms)


# Phrases that are read as one word. Those that negate nothing become a word without meaning.
_SAY_NOTHING = (
    "not only|not just|not merely|not simply|not least|not surprisingly|not to mention|not enough|not until|not every|"
    "not all|not everyone|not yet|if not|whether or not|or not|why not|no doubt|no wonder|no matter|no problem|"
    "no later than|no sooner than|no more than|no less than|no fewer than|no earlier than|nothing but|not unlike|"
    "isn't enough|aren't enough|is not enough|cannot help but|can't help but|no longer than|not necessarily|"
    "nothing beats|no other|no harm in|nothing wrong with|no alternative to|no way around|no choice but|no better|"
    "under any circumstances|for any reason|in any case|of course|however"
)
_ORDERS_TO_DO = [
    f"{order} {verb}{end}"
    for order in ("don't", "do not", "never", "not", "won't", "nothing", "cannot", "mustn't", "didn't")
    for verb in ("forget", "hesitate", "wait", "worry", "mind", "fail", "prevents", "stops", "neglect")
    for end in ("", " to", " for", " about")
]
_NEVER = "no longer|by no means|under no circumstances|no one|not any|not anymore"
_WITHOUT = (
    "instead of|rather than|in place of|as opposed to|in lieu of|far from|free of|free from|devoid of|anything but|"
    "ban on|bans on|moratorium on|away from|out of scope|out of the question|off the table|decided against|"
    "refrain from|refrains from|refraining from|do away with|does away with|dispense with|dispenses with|"
    "opt out of|opted out of|back out of|get off|got off|hold off on|steer clear of|stay clear of|goodbye to|beware of|"
    "rule out|rules out|ruled out|ruling out|get rid of|gets rid of|got rid of|getting rid of|rid of|"
    "stop using|stops using|stopped using|stopping using|saves us|spares us|immune to|safe from|bad idea to|"
    "fail on|fails on|fail the build on|fails the build on|fail the build if|fail the build when|complains about|"
    "forget about|better than|safer than|superior to|preferable to"
)
# What is removed or denied with these is what they speak of: "drop support for eval".
_OF_IT = (
    "support for|calls to|references to|dependency on|dependence on|reliance on|need for|uses of|rely on|urge to|"
    "temptation to"
)
_GONE = "gives way to|makes way for|goes away|go away|went away"
RHETORICAL = "whoever"
_RHETORICAL = "who needs|who wants|why would|why should|why bother|what's the point of"
_REMOVE = (
    "cut down on|break up|pay down|to end|ends the|ends our|clean up|cleans up|fix the|fixes the|fix all|fix every|"
    "takes the place of"
)
_BY = "in favour of|in favor of|by means of|in exchange for"
_MOVES = (*_verbs("switch move migrate change"), "migration")
PHRASES = {
    **dict.fromkeys([*_SAY_NOTHING.split("|"), *_ORDERS_TO_DO], "indeed"),
    **dict.fromkeys(_NEVER.split("|"), "never"),
    **dict.fromkeys(_WITHOUT.split("|"), "without"),
    **dict.fromkeys(_BY.split("|"), "by"),
    **dict.fromkeys(_OF_IT.split("|"), "support"),
    **dict.fromkeys(
        [f"{verb} {way}" for verb in _MOVES for way in ("from", "off", "away from", "over from")], "remove"
    ),
    **dict.fromkeys(_REMOVE.split("|"), "remove"),
    **dict.fromkeys(_GONE.split("|"), "gone"),
    **dict.fromkeys(_RHETORICAL.split("|"), RHETORICAL),
    "so as": "to",
}
# They deny what follows them in their clause.
NEGATIONS = words(
    "not never no none nobody nothing nowhere neither nor without zero unlike against hardly banned forbidden "
    "prohibited anti-pattern anti-patterns non-goal non-goals forbade lack lacks lacking absence sans unable "
    "impossible illegal wrong mistake nots \u274c \u2717 \u2718 \U0001f6ab"
) | _verbs("avoid refuse forbid+ prohibit disallow reject ban+ prevent discourage outlaw banish resist")
AVOIDS = _verbs("avoid forbid+ reject ban+ veto")
# They take away what they name: where a preposition follows, something else may be meant.
REMOVALS = _verbs(
    "remove delete drop+ eliminate replace supersede skip+ omit+ abandon deprecate retire disable ditch purge exclude "
    "discontinue scrap+ stop+ cease sunset abolish reject kill axe eradicate strip+ expunge revert undo swap+ dump "
    "mitigate minimise minimize reduce resolve solve untangle"
) | words("removal deletion quit flags flagged undoes undid deny denies denied denying")
PREPOSITIONS = words("from in into on onto at with to for through via by using after before under inside within until")

# A new clause begins with one of these.
CLAUSE_STARTS = words(
    "but so hence therefore thus because since while whereas although though unless until if when whenever once "
    "where which who except before after yet also just only by via otherwise instead meanwhile nor given"
)
PEOPLE = words("i we you they he she")
# "Prefer a over b" denies b.
PREFERENCES = _verbs("prefer+ favour favor choose pick opt+ use want") | words("chose take took")
# "Protect a from b" does, too.
PROTECTIONS = _verbs("protect shield guard prevent keep save") | words("kept")
# And with one of these behind "and", "or", "then", "to" or a comma.
SUBJECTS = words("it there this that the")
VERBS = _verbs(
    "use add keep call write put+ make run+ return introduce switch move rely store send set+ pass leave issue wrap"
) | words("go goes fall let do does is are will should must can may prefer please always")

AUXILIARIES = words(
    "is are was were be been being goes go going went get gets got become becomes remain remains stay stays considered "
    "has have had do does did"
)
MODALS = words("must should shall will would can could may might need")
# "We looked at eval but do not use it" rejects eval.
USES = words("use using add keep call run allow want need introduce include ship rule ruled like support")
PRONOUNS = words("it them this that")
# What rejects the match as its predicate.
REJECTED = (
    words(
        "forbidden banned gone never without unnecessary redundant superfluous unacceptable off-limits obsolete "
        "verboten taboo no-go non-starter history superseded blocked frowned discarded nowhere unwanted refused phased "
        "away overkill evil harmful dead off"
    )
    | NEGATIONS
    | frozenset(form for form in REMOVALS if form.endswith("ed"))
) - {"not", "no"}
# What rejects it behind "is not".
UNWANTED = words(
    "used needed allowed required wanted part what how acceptable permitted supported planned necessary ok okay called "
    "welcome going intended way answer plan right option introduced added good valid viable goal want in to be done "
    "enabled tolerated accepted recommended advisable included our committed merged shipped exist exists happen "
    "happens occur occurs belong apply fit appear survive place business role future room reach reaches"
)
# What rejects it as the answer to a label: "eval: never".
ANSWERS = words(
    "not never no none nope avoid without forbidden banned prohibited rejected removed disallowed deprecated dropped"
)
# "[match] removed from the plan", "keep [match] out", "[match] vanishes".
PARTICIPLES = frozenset(word for word in REJECTED if word.endswith("ed")) | words(
    "gone forbidden unnecessary redundant superfluous obsolete vanishes disappears"
)
KEEPING = words(
    "keep keeps kept keeping leave leaves left leaving take takes taking get gets getting pull lock throw rip cut move "
    "factor refactor extract"
)
FAULTS = words("error errors failure bug violation smell defect mistake")

_HINTS = sorted({*NEGATIONS, *REMOVALS, *REJECTED, *PHRASES, *FAULTS, "cannot", "over", "from", "out", "would"})
_HINT = re.compile(rf"n['\u2019\u02bc]?t\b|[\u274c\u2717\u2718\U0001f6ab]|\b(?:{'|'.join(_HINTS)})\b", re.IGNORECASE)


def might_negate(text: str) -> bool:
    """Could a sentence negate a match in it? A quick answer that errs on the side of yes."""
    # An entity of Markdown may be an apostrophe.
    return "&" in text or _HINT.search(text) is not None
