"""The English words that the prescriptive rule knows, and sentences as lists of them."""

from __future__ import annotations

import re
from unicodedata import category

from review_gate.reviewers.text import PRINTABLE_YET_UNSEEN


def words(text: str) -> frozenset[str]:
    """The words of a list that is written as a text."""
    return frozenset(text.split())


# Ends a clause on both sides of it.
STOP = "."

_VERBS = words(
    "accept access add allow apply ask assume build bypass call cast catch check choose commit compile compute "
    "concatenate contain convert copy create decode define delete depend deploy download embed emit enable encode "
    "encrypt execute expose fall fetch follow generate get give go handle hash hold import include inject insert "
    "install introduce invoke join keep launch leave let listen load log make merge mock monkeypatch need open "
    "override parse pass pin poll prefer print push put query raise read rebase rely render retry return run save "
    "send serialise serialize serve set ship sit skip sleep spawn speak start store subscribe swallow switch take "
    "tell throw touch trust try turn use wait want work wrap write"
)


def _third_person(verb: str) -> str:
    if verb.endswith(("s", "sh", "ch")) or verb == "go":
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2] not in "aeiou" else verb + "s"


BASE_VERBS = _VERBS | {"rm", "just", "chmod", "git", "please"}
FINITE_VERBS = frozenset(map(_third_person, _VERBS)) | words("went fell ran chose took gave wrote says said")
# These are nouns where a preposition follows: "calls to eval", "the use of eval".
NOUNS_TOO = words(
    "access build builds call calls cast casts check checks commit commits copy copies import imports install "
    "installs load loads log logs need needs push query queries read reads run runs set sets use uses wait write "
    "writes"
)
PREPOSITIONS = words(
    "about above across against along alongside among around as at behind below beneath between beyond by concerning "
    "during for from in inside into near of on onto over past regarding through throughout to toward towards under "
    "upon via with within"
)

AUXILIARIES = words(
    "am are is was were must should shall can could may might will would does did do has had have ought needs"
)
# Verbs of a new predicate; "do" and "have" also follow a negation ("do not have to").
_FINITE_AUXILIARIES = AUXILIARIES - {"do", "have", "needs"}
SUBJECTS = words("i we they he she there who everyone everybody")
# A subject only where a verb follows: "use it with care", "it calls".
SUBJECTS_OR_OBJECTS = words("it you this that these those one")

# A new clause begins here.
CLAUSE_WORDS = words(
    "after although because before besides but except hence if once otherwise since so than then therefore though "
    "thus unless until when whenever where whereas whether which while who whose why yet so_that"
)
# What stands in such a clause is not said to be so.
OPEN_CLAUSE_WORDS = words("if unless when whenever where whether why")
RELATIVE_WORDS = words("that which who")

NOT_WORDS = words("not never no_longer")
# A finite verb may follow these: "no module calls eval", "never calls eval".
NEGATIVE_SUBJECTS = words("no nobody none nothing neither nor never no_longer no_one")
NEGATIONS = NOT_WORDS | NEGATIVE_SUBJECTS
# What stands between these and the verb is no subject.
ENDS_SUBJECT = CLAUSE_WORDS | NEGATIONS | {STOP, ",", "(", ")", "that"}
# These reject what follows them directly.
REJECTING = words(
    "anything_but avoid avoided avoiding avoids decided_against forbid forbidding forbids get_rid_of instead_of "
    "prohibit prohibits rather_than refrain_from refuse refused refuses refusing rule_out stop_doing stop_using "
    "stopped_doing unlike without"
)
# "Do not forget to ...", "no doubt ...", "not limited to ...": a negation of these says nothing against the rest.
CANCELLING = words(
    "afraid alternative around averse avoid bad beat beats choice close compares critic danger dangerous doubt "
    "downside drawback drawbacks enemy enjoy enjoys evil fail fails fan fond forget forgot harm harmful hesitate "
    "hostile hurt illegal impossible issue keen likes limited love loves matter matters mind miss neglect objection "
    "objections obstacle opponent opposed other panic problem problems question rare regret regretted restricted risk "
    "shame shy substitute surprise surprising surprisingly uncommon unlike unreasonable unsafe unusual without wonder "
    "worry wrong"
)
# What a tool does not do to a thing is no reason against it; "no report" and the like are nouns.
NOTICING = words(
    "block blocks complain complained complains cover covered covers detect detects filter filters flag flagged flags "
    "notice notices protect protects report reported reports restrict restricts warn warns"
)
# Who does not undo a thing keeps it: "we have no time to replace eval".
UNDOING = words(
    "ban banned bans deprecate deprecated deprecates disable disabled disables "
    "disabling disallow disallowed disallows discouraged drop dropped dropping drops eliminate eliminated exclude "
    "excluded excludes forbid forbidden forbids hide hides omit omits prevent prevented preventing prevents prohibit "
    "prohibited prohibits reject rejected rejects remove removed removes removing replace replaced replacement "
    "replaces replacing skip skips stop stopped stopping stops uninstall"
)
DELETING = words("delete deleted deletes deleting")
# What is hard to avoid is there, and what fails without a thing has it.
HARD = words("difficult fail failed fails hard impossible unable")
BROKEN = HARD | words(
    "break breaks broke broken crash crashes die dies hang hangs lost pointless slow slower stall stalls stuck suffer "
    "suffers unusable useless worse worthless"
)
# "I do not think that we should ...": the negation belongs to what follows.
RAISING = words("advise believe expect intend mean plan recommend suggest suppose think want")

REJECTED = words("avoided banned disallowed discouraged forbidden prohibited ruled_out out_of_the_question")
# What is said of a thing that is not wanted or not there; "is not slow" and "does not need a parser" speak for it.
USES = words(
    "acceptable accepted added adopted advisable allowed an_option answer appear appropriate available belong "
    "called choice considered correct desirable desired done employed enabled enough exist exists exposed "
    "feasible fine good great happen helpful ideal imported included installed introduced invoked involved "
    "justified kept loaded merged necessary needed offered ok okay part passed permissible permitted planned "
    "possible practical present produced read recommended reliable relied required right run safe secure sensible "
    "sent set stored suitable supported touched trusted trustworthy used useful valid viable want wanted welcome "
    "wise work works worth worthwhile written"
)

# What is "not always" or "not only" so is so.
_PARTLY = (
    "(?:all|always|every|everyone|everything|necessarily|only|just|merely|simply|solely|purely|least|surprisingly"
    "|to mention)"
)
# Each with a part that its text always holds, which is found faster.
_PHRASES = (
    ("instead of", re.compile(r"\binstead of\b"), "instead_of"),
    ("rather than", re.compile(r"\brather than\b"), "rather_than"),
    ("no longer", re.compile(r"\bno longer\b"), "no_longer"),
    ("one", re.compile(r"\bno one\b|\bno-one\b"), "no_one"),
    ("ruled out", re.compile(r"\bruled out\b(?! of)"), "ruled_out"),
    (" out", re.compile(r"\b(?:rule|rules|ruling) out\b"), "rule_out"),
    ("anything but", re.compile(r"\banything but\b"), "anything_but"),
    (" rid of", re.compile(r"\b(?:get|gets|got|getting) rid of\b"), "get_rid_of"),
    (" using", re.compile(r"\b(?:stop|stops|stopped) using\b"), "stop_using"),
    ("stop ", re.compile(r"\bstop (?=\w+ing\b)"), "stop_doing "),
    ("stop", re.compile(r"\b(?:stops|stopped) (?=\w+ing\b)"), "stopped_doing "),
    (" out", re.compile(r"\b(?:rule|ruled|rules) (?:it|that|this) out\b(?! of)"), "ruled_it_out"),
    (" out", re.compile(r"\b(?:rule|ruled|rules) (?:both|them|these|those) out\b(?! of)"), "ruled_both_out"),
    (" up on", re.compile(r"\b(?:give|giving) up on\b"), "neglect"),
    ("sleep on", re.compile(r"\bsleep on\b"), "neglect"),
    ("hold back", re.compile(r"\bhold back\b"), "neglect"),
    ("not to ", re.compile(r"\b(?:difficult|hard|impossible) not to (?:notice|see) that\b"), "clear that"),
    (" from", re.compile(r"\b(?:refrain|refrains|refrained|abstain) from\b"), "refrain_from"),
    (" against", re.compile(r"\b(?:decide|decided|advise|advised|recommend|recommended) against\b"), "decided_against"),
    ("out of the question", re.compile(r"\bout of the question\b"), "out_of_the_question"),
    ("an option", re.compile(r"\ban option\b"), "an_option"),
    ("so that", re.compile(r"\bso that\b"), "so_that"),
    ("such as", re.compile(r"\bsuch as\b"), "such_as"),
    ("like", re.compile(r"(?<=not |n't )like\b"), "likes"),
    ("like", re.compile(r"\blike\b"), "such_as"),
    ("from", re.compile(r"\b(?:keep|keeps|kept) (?:\w+ ){1,3}from\b"), "prevent"),
    (" to", re.compile(r"\b(?:apply|applies) to\b"), "cover"),
    ("object", re.compile(r"\bobject(?:ed)? to\b"), "objection"),
    (" against", re.compile(r"\b(?:arguments?|anything|case|reasons?|rules?) against\b"), "objection"),
    ("nothing against", re.compile(r"\bnothing against\b"), "no objection"),
    (" to", re.compile(r"\b(?:forbidden|prohibited) to\b"), "forbid"),
    ("not a single", re.compile(r"\bnot a single\b"), "no"),
    ("all the time", re.compile(r"\ball the time\b"), "always"),
    ("any more", re.compile(r"\bany more\b"), "anymore"),
    ("any ", re.compile(r"\b(?:under|in) any (?:circumstances?|case|way)\b|\bat any (?:point|time)\b"), "ever"),
    ("at all", re.compile(r"\bat all\b"), "ever"),
    ("idea", re.compile(r"\ba (?:good|great) idea\b"), "advisable"),
    # Idioms in which nothing is negated.
    ("in no time", re.compile(r"\bin no time\b"), "_"),
    ("not ", re.compile(rf"\b(?:can)?not {_PARTLY}\b"), "_"),
    ("n't ", re.compile(rf"n't {_PARTLY}\b"), " _"),
    ("or not", re.compile(r"\b(?:whether )?or not\b"), "_"),
    ("than not", re.compile(r"\bmore often than not\b"), "_"),
    ("why not", re.compile(r"\bwhy not\b"), "_"),
    ("if not", re.compile(r"\bif not\b"), "_"),
)
# "That's wrong", "they're wrong"; behind any other word an 's may be an owner's.
_CONTRACTED = (SUBJECTS | SUBJECTS_OR_OBJECTS) - {"one"}
_ENDINGS = {"s": "is", "re": "are", "m": "am", "ll": "will", "ve": "have", "d": "would"}
# A hyphen or a dot inside a word belongs to it.
_WORD = r"\w+(?:[-.'/]\w+)*"
_WORDS = re.compile(_WORD)
# A dot ends no sentence after these.
_TOKENS = re.compile(
    rf"(?P<abbreviation>(?<!\w)(?:e\.g|i\.e|etc|vs|cf|approx|resp)\.)|(?P<word>{_WORD})"
    r"|(?P<stop>[;:!?|\u2013\u2014\u2026\u2190-\u21ff\u27f5-\u27ff]|\.+(?!\w)|(?<!\S)(?:-{1,3}|=)(?!\S)|[-=]>|//|#)"
    r"|(?P<mark>[,()\[\]])"
)
# Plain letters only: U+212A, which looks like a K, would become a k in lower case and make a negation of a look-alike.
_PLAIN = {0x2019: "'", 0x02BC: "'", 0x2010: "-", 0x2011: "-"} | {
    ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
}
# What follows a letter and is neither a letter, nor a plain blank or mark.
_ODD_RUN = re.compile(r"(?<=\w)[^\w \t\n\v\f\r!-/:-@\[-`{-~]+(?=(\w?))")
# Every word above that begins a rejection holds one of these; in Markdown an entity may hide it.
_HINTS = words(
    "&# n& no n't n\u2019t n\u02bct never unlike avoid instead rather rul refrain abstain refus stop rid against "
    "forbid prohibit ban disallow discourag anything over removed question replac neither without"
)


def might_negate(text: str) -> bool:
    """A quick look: False where nothing in a text could reject anything."""
    lowered = text.lower()
    return any(hint in lowered for hint in _HINTS)


def with_whole_words(text: str) -> str:
    """A text of the same length in which unseen characters and accents are letters of the word that they break."""
    if text.isascii() and text.isprintable():
        return text  # seen at a glance, and by far the most are so
    return _ODD_RUN.sub(_joined, text)


def _joined(run: re.Match[str]) -> str:
    unseen = 0
    while unseen < len(run[0]) and _is_unseen(run[0][unseen]):
        unseen += 1
    is_accented = any(category(character)[0] == "M" for character in run[0][:unseen])
    is_broken = unseen == len(run[0]) and run[1] != ""
    return "x" * unseen + run[0][unseen:] if is_accented or is_broken else run[0]


def _is_unseen(character: str) -> bool:
    """Also what is no character at all, and an accent, which is seen but never alone."""
    return category(character)[0] in "CM" or character == "\ufffd" or character in PRINTABLE_YET_UNSEEN


def without_own_word(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the words before a match end and those behind it begin: the rest of the word it stands in is none."""
    first, last = start, end
    low, high = text.rfind(" ", 0, start) + 1, text.find(" ", end)
    near = text[low : high if high >= 0 else len(text)]
    for word in _WORDS.finditer(near.translate(_PLAIN)):
        if word.start() < start - low < word.end():
            first = low + word.start()
        if word.start() < end - low < word.end():
            last = low + word.end()
    return first, last


def tokens_of(text: str) -> list[str]:
    """The words of a text in lower case, with commas, brackets and STOP; contractions end in "not"."""
    plain = " ".join(text.translate(_PLAIN).split())
    for part, phrase, token in _PHRASES:
        if part in plain:
            plain = phrase.sub(token, plain)
    tokens: list[str] = []
    for found in _TOKENS.finditer(plain):
        kind = found.lastgroup
        if kind == "word":
            tokens.extend(_expanded(found[0]))
        elif kind == "stop":
            tokens.append(STOP)
        elif kind == "mark":
            tokens.append({"[": "(", "]": ")"}.get(found[0], found[0]))
    return tokens


def _expanded(word: str) -> list[str]:
    """A contraction as two words, so that one rule reads both."""
    if word.endswith("n't"):
        stem = {"can't": "can", "won't": "will", "shan't": "shall"}.get(word, word[:-3])
        return [stem, "not"]
    stem, mark, ending = word.partition("'")
    if mark and stem in _CONTRACTED and ending in _ENDINGS:
        return [stem, _ENDINGS[ending]]
    return ["can", "not"] if word == "cannot" else [word]


def is_finite(words: list[str], at: int) -> bool:
    """Whether a word is the verb of a statement: "calls", "is", but not the noun of "calls to"."""
    word = words[at]
    if word in _FINITE_AUXILIARIES:
        return True
    return word in FINITE_VERBS and not is_noun(words, at)


def is_subject(words: list[str], at: int) -> bool:
    """Whether a word is a pronoun that begins a statement."""
    word = words[at]
    if word in SUBJECTS:
        return True
    if at + 1 == len(words):
        return word == "you"  # "what you eval"
    return word in SUBJECTS_OR_OBJECTS and (words[at + 1] in AUXILIARIES or words[at + 1] in FINITE_VERBS)


def is_noun(words: list[str], at: int) -> bool:
    """Whether a word that may be a verb is none: the call of "a call to"."""
    following = words[at + 1] if at + 1 < len(words) else ""
    return words[at] in NOUNS_TOO and following in PREPOSITIONS


def has_verb(words: list[str]) -> bool:
    """Whether some words hold an order or the verb of an infinitive."""
    return any(word in BASE_VERBS and not is_noun(words, at) for at, word in enumerate(words))
