"""Whether a sentence negates a match, by the eight words of negation_aware and by the meaning for prescriptive."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from negation_figures import is_reported

from review_gate.checks.clause_words import words
from review_gate.checks.negation import is_negated
from review_gate.checks.rule import LITERAL, NEGATION_AWARE, PRESCRIPTIVE, REGEX

DOCS = Path(__file__).parents[3] / "docs" / "negation.md"


def negated(sentence: str, pattern: str = "eval", match_rule: str = PRESCRIPTIVE) -> bool:
    start = sentence.index(pattern)
    return is_negated(sentence, start, start + len(pattern), match_rule)


DEFINED = {
    "We use eval for parsing": False,
    "We don't use eval": True,
    "Unlike eval, JSON.parse is safe": True,
}


@pytest.mark.parametrize("sentence", DEFINED)
def test_the_examples_that_define_the_rule(sentence: str) -> None:
    assert negated(sentence) is DEFINED[sentence]


WORDS_OF_PRESCRIPTIVE = ["not", "don't", "doesn't", "won't", "shouldn't", "cannot", "can't"]


@pytest.mark.parametrize("word", WORDS_OF_PRESCRIPTIVE)
@pytest.mark.parametrize("apostrophe", ["'", "\u2019", "\u02bc"])
@pytest.mark.parametrize("case", [str.lower, str.upper, str.capitalize])
def test_every_negation_before_a_verb_rejects_in_every_spelling(word: str, apostrophe: str, case: type[str]) -> None:
    assert negated(f"The loader {case(word).replace(chr(39), apostrophe)} call eval.")


@pytest.mark.parametrize(
    "words", ["instead of", "rather than", "Unlike", "avoid", "ruled out", "Instead  of", "rather\nthan"]
)
def test_every_rejection_rejects_what_follows_it(words: str) -> None:
    assert negated(f"{words} eval")


WORDS_OF_NEGATION_AWARE = ["not", "doesn't", "unlike", "cannot", "don't", "won't", "shouldn't", "ruled out"]


@pytest.mark.parametrize("word", WORDS_OF_NEGATION_AWARE)
@pytest.mark.parametrize("place", ["{} eval", "eval, which {}", "({}) eval", "eval\n{}", "eval: {}.", "*{}* eval"])
def test_each_of_the_eight_words_counts_anywhere_in_the_sentence(word: str, place: str) -> None:
    assert negated(place.format(word), match_rule=NEGATION_AWARE)
    assert negated(place.format(word.upper()), match_rule=NEGATION_AWARE)


KEPT = [
    "No linter flags eval.",
    "Nobody objected to eval.",
    "We cannot not use eval.",
    "We have nothing against eval.",
    "We did not delete the eval call.",
    "Avoid timeouts with eval.",
    "To avoid latency use eval.",
    "eval: not slow",
    "eval: never calls JSON.parse",
    "We use eval: do not use it twice.",
    "eval: do not use this with JSON.parse.",
    "eval: not used elsewhere",
    "eval is not used anywhere else in the code.",
    "eval is never called outside the parser.",
    "eval must not be used except in tests.",
    "Never merge a branch with eval missing.",
    "Do not deploy a build with the eval disabled.",
    "You must not run it with eval turned off.",
]
# What is limited is not rejected, in the active and in the passive.
LIMITS = [
    "before init",
    "until the config is loaded",
    "more than once",
    "twice",
    "again",
    "without a lock",
    "unless the flag is on",
    "when the cache is warm",
    "if the flag is off",
    "directly",
    "directly, only through the wrapper",
    "with a lock held",
    "in parallel",
    "for JSON, only for formulas",
    "for JSON but for formulas",
    "by anyone but the worker",
    "just because it is short",
    "because it is short but because it is fast",
    "elsewhere",
]


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("said", ["Never call eval {}.", "eval is never called {}.", "eval: not allowed {}."])
def test_a_limit_takes_a_rejection_back(said: str, limit: str) -> None:
    assert not negated(said.format(limit))


@pytest.mark.parametrize("said", ["Outside the worker, {}.", "Until the cache is warm, {}.", "Unless told so, {}."])
@pytest.mark.parametrize("rejection", ["never call eval", "eval must not be called"])
def test_a_limit_that_stands_first_takes_a_rejection_back(said: str, rejection: str) -> None:
    assert not negated(said.format(rejection))
    assert negated(f"In the worker, {rejection}.")


@pytest.mark.parametrize("sentence", KEPT)
def test_who_rejects_something_else_or_rejects_twice_rejects_nothing(sentence: str) -> None:
    assert not negated(sentence)


REJECTED = [
    "Modules with no tests must not call eval.",
    "No report may use eval.",
    "Do not report errors with eval.",
    "Do not block the loop with eval.",
    "Never delete files with eval.",
    "Never store a secret in eval.",
    "Avoid working with eval.",
    "Avoid any call to eval.",
    "`eval()`: do not use it.",
    "eval: forbidden",
    "eval: never use this, it is unsafe",
    "eval is not used here or elsewhere.",
    "eval is not allowed, and JSON.parse is used everywhere else.",
    "eval is not used (JSON.parse is used outside the loader).",
]


REJECTED_ALTOGETHER = [
    "eval is not used anywhere.",
    "eval is not currently used.",
    "eval was ruled out early on.",
    "eval must not be used in any template.",
    "Never use eval at all.",
    "Avoid eval where possible.",
    "Avoid eval if you can.",
    "Do not use eval when parsing JSON.",
    "Do not use eval because it is slow.",
    "We don't use eval but JSON.parse.",
    "We don't use eval, only JSON.parse.",
    "eval is not used but JSON.parse is.",
    "The service is implemented without eval.",
    "Unlike v1 the rewrite works without eval.",
    "Unlike eval JSON.parse is safe.",
    "Test against staging, not against eval.",
    "We do not use eval and exec.",
    "We replaced eval with a parser.",
    "Not using eval keeps us safe.",
    "Avoid the existing eval.",
]


@pytest.mark.parametrize("sentence", REJECTED + REJECTED_ALTOGETHER)
def test_words_that_may_speak_for_a_thing_do_not_always(sentence: str) -> None:
    assert negated(sentence)


NO_WORDS = [
    "notable",
    "nothing",
    "knot",
    "is_not_set",
    "unlikely",
    "dont",
    "ruled",
    "out",
    "énot",
    "notß",
    "\uff4e\uff4f\uff54",
    "unli\u212ae",
]


@pytest.mark.parametrize("word", NO_WORDS)
def test_a_word_that_only_looks_like_one_of_them_is_none(word: str) -> None:
    assert not negated(f"{word} eval", match_rule=NEGATION_AWARE)


@pytest.mark.parametrize(
    "word", ["notable", "knot", "\uff4e\uff4f\uff54", "unli\u212ae", "is_not_set", "--not-now", "no-op", "avoidance"]
)
def test_a_word_that_only_looks_like_a_negation_rejects_nothing(word: str) -> None:
    assert not negated(f"The {word} handler calls eval.")


def test_the_words_of_the_match_itself_do_not_count() -> None:
    assert not negated("This cannot happen.", "cannot happen", NEGATION_AWARE)
    assert not negated("This cannot happen.", "cannot happen", PRESCRIPTIVE)
    assert not negated("It is notable.", "able", NEGATION_AWARE)
    assert negated("This cannot happen and does not.", "cannot happen", NEGATION_AWARE)


INSIDE_A_WORD = {
    "end of a word": ("table", "A notable change to the schema.", "markdown"),
    "behind a negation without a blank": ("eval", "# noteval(x) is called here", "python"),
    "behind cannot": ("eval", "cannoteval is used", "markdown"),
    "middle of a word": ("ation", "The notation is used", "markdown"),
    "one letter": ("w", "now", "markdown"),
    "underscore": ("_eval", "use not_eval", "markdown"),
    "hyphen": ("verify", "Commit with --no-verify to save time.", "markdown"),
    "dot": ("eval", "call never.eval here", "markdown"),
    "emphasis": ("eval", "call **not**eval", "markdown"),
    "hyphen in the match": ("-verify", "Commit with --no-verify to save time.", "markdown"),
    "apostrophe": ("do", "We don't sleep", "markdown"),
    "before a negation without a blank": ("eval", "evalnever is used", "markdown"),
}


@pytest.mark.parametrize(("pattern", "text", "language"), INSIDE_A_WORD.values(), ids=INSIDE_A_WORD)
def test_letters_of_the_word_that_holds_the_match_are_no_words(pattern: str, text: str, language: str) -> None:
    assert is_reported(text, pattern, PRESCRIPTIVE, language)


@pytest.mark.parametrize(
    "text", ["do not use xeval", "do not use window.eval", "do not call 'eval'", "evaluation is not allowed"]
)
def test_a_match_inside_a_word_is_rejected_with_the_word(text: str) -> None:
    assert negated(text)


BROKEN_WORDS = {
    "zero width space": "no\u200bt",
    "soft hyphen": "no\u00adt",
    "joiner": "no\u2060t",
    "several": "no\u200b\u00ad\u200dt",
    "start of a longer word": "not\u200bable",
    "end of a longer word": "k\u200bnot",
    "accent": "no\u0301t",
    "accent at the end": "not\u0301",
    "control character": "no\x08t",
    "separator that is a blank to Python": "no\x1ft",
    "byte that is no character": "no\udcfft",
    "letter of private use": "no\ue000t",
    "blank Braille pattern": "no\u2800t",
    "hyphen that does not break": "no\u2011op",
}


@pytest.mark.parametrize("word", BROKEN_WORDS.values(), ids=BROKEN_WORDS)
@pytest.mark.parametrize("match_rule", [PRESCRIPTIVE, NEGATION_AWARE])
@pytest.mark.parametrize("language", ["markdown", "text", ""])
def test_a_word_broken_by_what_is_not_seen_negates_nothing(word: str, match_rule: str, language: str) -> None:
    assert is_reported(f"We do {word} use eval.", "eval", match_rule, language)


@pytest.mark.parametrize("match_rule", [PRESCRIPTIVE, NEGATION_AWARE])
@pytest.mark.parametrize("text", ["\ufeffNot eval", "Do\u00a0not use eval", "\u26a0\ufe0fNot eval", "\u200bnot eval"])
def test_what_is_not_seen_between_words_changes_nothing(text: str, match_rule: str) -> None:
    assert not is_reported(text, "eval", match_rule)


ENTITIES = {
    "apostrophe by name": ("We don&rsquo;t use eval.", "markdown", False),
    "apostrophe by number": ("We don&#39;t use eval.", "markdown", False),
    "apostrophe by hexadecimal number": ("We don&#x2019;t use eval.", "markdown", False),
    "in HTML": ("<p>We don&rsquo;t use eval.</p>\n", "markdown", False),
    "after the match": ("eval isn&#39;t allowed.", "markdown", False),
    "blank": ("Do&nbsp;not&nbsp;use eval.", "markdown", False),
    "letter": ("Do &#110;ot use eval.", "markdown", False),
    "soft hyphen": ("We do no&shy;t use eval.", "markdown", True),
    "sign of negation": ("Then a &not; b, use eval.", "markdown", True),
    "sign of negation before the match": ("Use a &not; eval.", "markdown", True),
    "code block": ("```\ndon&rsquo;t use eval\n```\n", "markdown", True),
    "code span": ("`don&rsquo;t` eval", "markdown", True),
    "plain text": ("We don&rsquo;t use eval.", "text", True),
    "no entity": ("We don&quux;t use eval.", "markdown", True),
}


@pytest.mark.parametrize(("text", "language", "expected"), ENTITIES.values(), ids=ENTITIES)
def test_an_entity_of_markdown_is_the_character_that_it_stands_for(text: str, language: str, expected: bool) -> None:
    assert is_reported(text, "eval", PRESCRIPTIVE, language) is expected


def test_the_name_of_an_entity_is_no_word() -> None:
    assert is_reported("Then a &not; b, use eval.", "eval", NEGATION_AWARE)


@pytest.mark.parametrize("match_rule", [LITERAL, REGEX])
def test_other_match_rules_know_no_negation(match_rule: str) -> None:
    assert not negated("We do not use eval.", match_rule=match_rule)


UNSEEN = {
    "struck out": "We do ~~not~~ use eval.",
    "struck out with one tilde": "We do ~not~ use eval.",
    "struck out with its emphasis": "We do ~~**not**~~ use eval.",
    "deleted": "We do <del>not</del> use eval.",
    "struck out by a tag": "We do <s>not</s> use eval.",
    "hidden": "We do <span hidden>not</span> use eval.",
    "hidden by a style": 'We do <span style="display:none">not</span> use eval.',
    "hidden in HTML": "<p>We do <del>not</del> use eval.</p>",
    "picture": "We do ![not](x.png) use eval.",
    "title of a link": 'We do [really](http://x "not") use eval.',
    "hard break": "Do not!\\\nUse eval.",
    "line of a fence with CR": "```\rnot\reval\r```\r",
}


@pytest.mark.parametrize("text", UNSEEN.values(), ids=UNSEEN)
@pytest.mark.parametrize("match_rule", [PRESCRIPTIVE, NEGATION_AWARE])
def test_what_a_reader_does_not_see_as_said_of_it_negates_nothing(text: str, match_rule: str) -> None:
    assert is_reported(text, "eval", match_rule)


@pytest.mark.parametrize(
    "text", ["We do [not](http://x) use eval.", "We do <b>not</b> use eval.", "We do *not* use eval."]
)
@pytest.mark.parametrize("match_rule", [PRESCRIPTIVE, NEGATION_AWARE])
def test_what_a_reader_sees_in_another_shape_negates(text: str, match_rule: str) -> None:
    assert not is_reported(text, "eval", match_rule)


def test_the_blank_of_ruled_out_may_be_any() -> None:
    assert negated("eval was ruled\u00a0out.", match_rule=NEGATION_AWARE)


BETWEEN = [
    "Not cached \u2192 eval",
    "No config -> eval",
    "Not found => eval",
    "[not started] migrate to eval",
    "not ready | eval",
]


@pytest.mark.parametrize("text", BETWEEN)
def test_an_arrow_and_a_bracket_end_a_clause(text: str) -> None:
    assert not negated(text)


SOURCE = {
    "string before it": ("python", "d['not'] = eval(x)", True),
    "string around it": ("python", "print(f'not {eval(x)}')", True),
    "string that it fills": ("python", "raise ValueError('cannot parse %s' % eval(x))", True),
    "string that it follows": ("javascript", 'throw new Error("Could not load " + eval(x))', True),
    "string of another command": ("shell", 'echo "not found" && eval "$cmd"', True),
    "comment before it": ("javascript", "/* do not edit */ eval(x)", True),
    "its own comment": ("javascript", "/* do not use eval */ parse(x)", False),
    "fence": ("markdown", "```python\nx = not eval(y)\n```\n", True),
    "fence with a string": ("markdown", "```js\nif (!ok) { console.log('not ok'); eval(y) }\n```\n", True),
    "comment of a fence": ("markdown", "```python\n# do not use eval\n```\n", False),
    "fence of no language": ("markdown", "```\ndo not use eval\n```\n", False),
    "code span": ("markdown", "Run `not eval(x)` here.", True),
    "code span that is rejected": ("markdown", "Do not run `x = eval(y)` here.", False),
    "operator": ("python", "x = not eval(y)", True),
    "comment that forbids it": ("python", "x = 1  # do not use eval", False),
    "comment about something else": ("python", "eval(x)  # do not remove", True),
    "docstring": ("python", '"""We do not use eval."""', False),
    "message": ("python", "fail('do not use eval')", False),
    "javascript": ("javascript", "eval(x) // never call this", True),
    "unknown language": ("", "do not use eval", False),
    "commit message": ("text", "Do not\nuse eval", False),
}


@pytest.mark.parametrize(("language", "text", "expected"), SOURCE.values(), ids=SOURCE)
def test_words_of_code_negate_nothing(language: str, text: str, expected: bool) -> None:
    assert is_reported(text, "eval", PRESCRIPTIVE, language) is expected


def test_a_negation_far_away_does_not_count() -> None:
    assert not negated("We do not " + "really " * 20 + "use eval")
    assert not is_negated("not " + "a " * 2_000_000 + "eval", 4_000_004, 4_000_008, PRESCRIPTIVE)


def test_the_end_of_a_word_at_the_edge_of_what_is_looked_at_is_no_negation() -> None:
    for length in range(280, 310):
        assert not negated("knot" + "\u00e4" * length + " eval")


@given(st.text(max_size=200), st.data(), st.sampled_from([PRESCRIPTIVE, NEGATION_AWARE]))
def test_no_text_is_too_odd(text: str, data: st.DataObject, match_rule: str) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assert is_negated(text, start, end, match_rule) in (True, False)


TOKENS = st.sampled_from(
    [*words("we use do not no never and or but if that which is are it instead of avoid can't"), *",;.()"]
)


@given(st.lists(TOKENS, max_size=25), st.lists(TOKENS, max_size=25))
def test_a_text_without_any_word_of_negation_rejects_nothing(before: list[str], after: list[str]) -> None:
    plain = [
        [word for word in words if word in ("we", "use", "do", ",", ";", ".", "(", ")", "and", "is")]
        for words in (before, after)
    ]
    assert not negated(" ".join([*plain[0], "eval", *plain[1]]))
    assert negated(" ".join([*before, "eval", *after])) in (True, False)
