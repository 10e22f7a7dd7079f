"""Whether a match is what an order or a resolution forbids, whatever the verb: "don't compress it with eval".

Who is told not to alter, watch or end a thing has it, so the verbs of that are the ones that must be known here.
"""

from __future__ import annotations

from review_gate.checks.clause_words import CLAUSE_WORDS, DELETING, NOTICING, PREPOSITIONS, STOP, UNDOING, words
from review_gate.checks.governed import is_gerund, is_phrase, without_auxiliaries, without_list
from review_gate.checks.use_words import ADVERBS, DETERMINERS, bases, is_past, means_of, use_of

# What is altered, ended, perceived, judged, equalled or kept is there.
_ALTERING = words(
    "adapt adjust alter amend bend break change clean clear close compromise corrupt customise customize cut damage "
    "edit enhance enlarge expand extend fiddle fix fork freeze grow hack harden improve increase lengthen lift limit "
    "lock loosen lower manipulate meddle mess migrate modernise modernize modify move mutate optimise optimize patch "
    "polish pollute port raise resize rotate scale secure shift shorten shrink simplify split spoil stabilise "
    "stabilize stretch strip swap tamper throttle tidy tighten trim truncate tune tweak update upgrade weaken widen "
    "wreck"
)
_ENDING = words(
    "abandon abolish abort anger annoy attack axe ban bar begrudge betray boycott cancel cap cease censor constrain "
    "crash curb curtail deny ditch dodge dump end erase escape evade evict exit expire finish flush forfeit forgo "
    "foul halt hamper hinder impede inhibit interrupt jam jeopardise jeopardize kill lose mask mute neglect nuke "
    "obstruct oust part pause penalise penalize postpone preclude punish purge quarantine quash quit resist restrain "
    "ruin sabotage sacrifice scrap shelve shun shut skimp slow spare squander starve strand sunset suppress suspend "
    "terminate throw trash veto waive waste wipe withdraw withhold yank"
)
_PERCEIVING = words(
    "acknowledge address admit analyse analyze anticipate appreciate approach argue assess audit await bear belittle "
    "bemoan benchmark blame bother care challenge claim comment compare comprehend concern condemn confuse contest "
    "count criticise criticize cry debate debug decry deem defend denigrate deserve despise doubt dread encounter "
    "envy estimate examine exclude exercise expect experience explain explore face fault fear feel find foresee grasp "
    "guess hate hear help highlight hit identify imagine inspect insult investigate joke judge knock know lament "
    "laugh learn list loathe look measure meet mention mind mock monitor name note notice observe oppose overlook "
    "pity praise proclaim profile prove question rate recall recognise recognize regard remember ridicule see sense "
    "show spot stand stigmatise stigmatize stomach stress study suffer suspect talk taste tease think thank trace "
    "track treat trivialise trivialize understand value verify view watch weigh wish wonder worry"
)
_RELATING = words(
    "affect approximate associate balance beat bind challenge clash coexist collide combine communicate compete "
    "complement conflate conflict connect contradict coordinate correlate cost couple describe differ document "
    "duplicate eclipse emulate equal equate exceed favor favour govern harm hurt imitate impact influence integrate "
    "interact interfere isolate justify lag link match mirror negate negotiate obviate pair parallel precede predate "
    "relate rival satisfy separate speed surpass synchronise synchronize tie top touch trump violate"
)
_KEEPING = words(
    "automate begin charge complete control convince defer delay earn enforce exploit fill finalise finalize grade "
    "guard guarantee hurry insure maintain manage monopolise monopolize name own pay pressure prioritise prioritize "
    "prolong rank rush sell shame shield ship steal stick tempt time wait warm"
)
_HAVING = _ALTERING | _ENDING | _PERCEIVING | _RELATING | _KEEPING | UNDOING | DELETING | NOTICING
# Verbs that begin like this do something to what is there, or too much of it: "rename", "unload", "overuse".
_PREFIXES = ("de", "dis", "mis", "out", "over", "re", "un")
_NO_PREFIXES = words(
    "decompress decrypt delegate deliver deserialise deserialize derive design develop display dispatch distribute "
    "record register render represent resolve"
)
# Verbs that need no object: "don't settle for eval", "never resort to eval".
_TURNING = {
    "for": words("go opt reach settle"),
    "on": words("bank bet lean standardise standardize"),
    "to": words("downgrade fall go migrate move resort revert switch turn upgrade"),
}
_KNOWN_TURNING = words("fall go reach")
_MEANS = words("through using via with")
# "Never parse it by using eval"; a "through" or a bare "with" may say more of the object: "hosts with eval".
_CLEAR_MEANS = words("using via")
_PUTTING = words("copy dump load paste place put save store stuff write")
# Of these a statement is enough, not only an order: "the migration cannot cause", "does not take a global lock".
_BRINGING = words(
    "afford allocate buy cause condone contemplate encourage endorse fabricate hard-code hardcode hire incur inflict "
    "invent promote provoke purchase pursue rent smuggle tolerate trigger"
)
_TAKING = words("acquire grab take")
# What there is not even one of is not there, whatever is done to it; of a bare name that is unsure: "don't wake eval".
_ANY = words("a an another any")
# What does not happen with a thing speaks for it: "we saw no errors with eval".
_TROUBLE = words(
    "anything bug bugs conflict conflicts crash crashes delay delays difficulties difficulty error errors everything "
    "failure failures issue issues much problem problems regression regressions risk risks something time trouble"
)
_MAKING = ("ify", "ise", "ize")
# These point to a thing that is there: "do not shade the eval call".
_POINTING = words("each every its my our that the their these this those your")
_PARTICLES = words("apart aside away back down enough off out together up")
_ASIDES = PREPOSITIONS - {"by"}
_ENDS = CLAUSE_WORDS | ADVERBS | {STOP, ",", "(", ")", "and", "or", "nor", "here"}


def is_forbidden(said: list[str], right: list[str], *, has_means: bool = True) -> bool:
    """Whether the words between an order's negation and a match are any verb that brings the match in.

    Only an order tells a means from a help: "you don't juggle pointers with eval".
    """
    verb, rest = _parts(said)
    if is_turned_to(said, _TURNING):
        return True
    at = _place(rest)
    if at < 0:
        return _is_brought(verb, rest, right) and "be" not in said
    before, place = rest[:at], rest[at]
    if not is_phrase(rest[at + 1 :]) or not (right[:1] == [] or right[0] in _ENDS or right[0] in _ASIDES):
        return False
    if place in ("into", "onto"):
        return not _PUTTING.isdisjoint(bases(verb)) and _is_thing(before)
    is_means = place in _CLEAR_MEANS or (place in _MEANS and (_is_one(before) or verb.endswith("ed")))
    return has_means and is_means and (_brings(verb) or means_of(verb) != "") and _is_thing(before)


def is_denied(said: list[str], right: list[str]) -> bool:
    """Whether a statement says that something does not happen, or is not done by means of the match."""
    verb, rest = _parts(said)
    if is_turned_to(said, {place: verbs & _KNOWN_TURNING for place, verbs in _TURNING.items()}):
        return True
    at = _place(rest)
    if at < 0:
        is_taken = not _TAKING.isdisjoint(bases(verb)) and not _ANY.isdisjoint(rest[:1])
        return (is_taken or not _BRINGING.isdisjoint(bases(verb))) and _is_plain_object(rest, right)
    is_making = any(base.endswith(_MAKING) for base in bases(verb))
    return is_making and (rest[:at] != [] or verb.endswith("ed")) and is_forbidden(said, right)


def is_turned_to(said: list[str], turning: dict[str, frozenset[str]]) -> bool:
    """Whether a verb goes to the match: "fall back to", "reach for"."""
    verb, rest = _parts(said)
    if rest[:1] == ["back"]:
        rest = rest[1:]
    return rest != [] and not turning.get(rest[0], frozenset()).isdisjoint(bases(verb)) and is_phrase(rest[1:])


def _parts(said: list[str]) -> tuple[str, list[str]]:
    """The verb and what follows it; "by using" is one word for a means."""
    said = without_list(without_auxiliaries(said))
    rest = [word for at, word in enumerate(said[1:], 1) if not (word == "by" and said[at + 1 : at + 2] == ["using"])]
    return (said[0] if said else ""), rest


def _place(rest: list[str]) -> int:
    """The first preposition of some words; -1 where there is none."""
    return next((at for at, word in enumerate(rest) if word in PREPOSITIONS or word == "using"), -1)


def _brings(verb: str) -> bool:
    """Whether not to do this to a thing is not to have it, as far as the verb tells."""
    if not verb.isalpha() or verb in PREPOSITIONS or verb in DETERMINERS or verb in CLAUSE_WORDS:
        return False
    if use_of(verb) or means_of(verb):
        return False
    return _HAVING.isdisjoint(bases(verb)) and (
        not verb.startswith(_PREFIXES) or not _NO_PREFIXES.isdisjoint(bases(verb))
    )


def _is_brought(verb: str, named: list[str], right: list[str]) -> bool:
    """Whether not to do something to a match is not to have it: "never spawn a shell", "we cannot afford eval"."""
    is_meant = _brings(verb) if not _ANY.isdisjoint(named[:1]) else not _BRINGING.isdisjoint(bases(verb))
    return is_meant and _is_plain_object(named, right)


def _is_thing(named: list[str]) -> bool:
    """Whether some words name one other thing, and none that something is done to elsewhere: "input passed"."""
    if any(word in _PARTICLES or word in _TROUBLE or is_gerund(word) for word in named):
        return False
    return is_phrase(named) and not any(word.endswith("ed") or is_past(word) for word in named[1:])


def _is_one(named: list[str]) -> bool:
    """Whether some words are "the payload" or "a file", which hardly have a thing with them: "hosts with eval"."""
    return not DETERMINERS.isdisjoint(named[:1]) and (not named[-1].endswith("s") or named[-1].endswith("ss"))


def _is_plain_object(named: list[str], right: list[str]) -> bool:
    """Whether a match is all that a verb is about, and no thing that is known to be there."""
    is_last = right[:1] == [] or right[0] in _ENDS
    return is_last and _is_thing(named) and _POINTING.isdisjoint(named)
