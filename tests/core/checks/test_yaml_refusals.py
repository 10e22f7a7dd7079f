"""Check files that are refused, each with its line and what is allowed, and those that only look wrong."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loading import FILE, WHY, refusal, regex, rules

from review_gate.checks.limits import MAX_FILE_BYTES
from review_gate.checks.regex_tree import MAX_NESTING
from review_gate.checks.suppress import ABOUT
from review_gate.checks.yaml_source import checks_from_yaml
from review_gate.errors import ConfigError

ONE = "checks:\n- {id: a, pattern: b"
REFUSED = {
    "no id": ("checks:\n- pattern: b", "2: checks[0].id is missing; allowed: up to 100 characters from A-Z"),
    "id": (
        "checks:\n- {id: a b, pattern: b}",
        '2: checks[0].id is the text "a b"; allowed: up to 100 characters from A-Z a-z 0-9 . _ -,'
        " the first a letter or digit",
    ),
    "number": ("checks:\n- {id: a, pattern: 5}", "2: checks[0].pattern is the number 5; allowed: text of 1 to 2000"),
    "misspelt key": (
        f"{ONE}, sevrity: info}}",
        '2: unknown key "checks[0].sevrity"; did you mean "checks[0].severity"',
    ),
    "match rule": (
        f"{ONE}, match_rule: regexp}}",
        '2: checks[0].match_rule is the text "regexp"; allowed: literal, regex, prescriptive, negation_aware',
    ),
    "severity": (
        f"{ONE}, severity: bad}}",
        '2: checks[0].severity is the text "bad"; allowed: critical, major, warning or info, or a word of another '
        "tool's scale: error, high, medium, low, note, …",
    ),
    "scope": (
        f"{ONE}, scope: [coments]}}",
        '2: checks[0].scope has the unknown word "coments" (did you mean comments?); allowed: one or a list of '
        "added_lines, whole_file, commit_message, plan, prompt, code, comments, prose",
    ),
    "language": (
        f"{ONE}, languages: pyton}}",
        '2: checks[0].languages has the unknown word "pyton" (did you mean python?); allowed: one or a list of python',
    ),
    "fix without text": (f"{ONE}, fix: {{action: replace}}}}", "2: checks[0].fix needs with: TEXT"),
    "action": (
        f"{ONE}, fix: {{action: remove_line}}}}",
        '2: checks[0].fix.action is the text "remove_line"; allowed: replace, remove_sentence, remove_paragraph',
    ),
    "an empty text in a list": (
        f"{ONE}, examples: {{good: [a, '']}}}}",
        '2: checks[0].examples.good[1] is the text ""; allowed: a text of 1 to 4000 characters, or a list of',
    ),
    "no list": ("checks: {id: a, pattern: b}", "1: checks is a mapping; allowed: a list of up to 5000 checks"),
    "same id": (f"{ONE}}}\n- {{id: b, pattern: b}}\n- {{id: a, pattern: c}}", '4: checks[2].id is "a", as in line 2'),
}
UNFIT = {
    "open group": (regex("("), "pattern is not a regular expression: missing ), unterminated subpattern at position 0"),
    "escape": (regex(r"\p{L}"), "pattern is not a regular expression: bad escape \\p at position 0"),
    "empty star": (regex("a*"), "pattern can match an empty text, which is everywhere"),
    "never": (regex("(?!)"), "pattern matches no text at all: what (?!) is in cannot match"),
    "deep": (
        regex("(" * (MAX_NESTING + 1) + "a" + ")" * (MAX_NESTING + 1)),
        "pattern is not a regular expression: nested deeper than 50 levels",
    ),
    "repeat": (
        regex("a{99999999999}"),
        "pattern is not a regular expression: it is nested too deep, or repeats too much",
    ),
    "blanks": (
        "checks:\n- {id: a, pattern: '  '}",
        "pattern is nothing but blanks, which are in every text; match_rule: regex can say where they are not wanted",
    ),
    "group number": (
        regex("(a)", r", fix: {action: replace, with: \2}"),
        "fix.with does not fit the pattern: invalid group reference",
    ),
}
TOO_MUCH = {
    "large": ("#" * (MAX_FILE_BYTES + 1), "1: larger than the 2000 kB allowed"),
    "open lists": ("[\n" * 900_000, "33: nested deeper than 32 levels"),
    "alias bomb": (
        "a: &a [1, 1]\n"
        + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}' if n else '*a'] * 4)}]\n" for n in range(12)),
        "9: more than 100000 values, aliases expanded",
    ),
    "many checks": (
        "checks:\n" + "- {id: a, pattern: b}\n" * 5_001,
        "1: checks is a list of 5001; allowed: a list of up to 5000 checks, each with id and pattern",
    ),
    "not YAML": ("checks:\n- {id: a", "2: not YAML: expected ',' or '}', but got '<stream end>'"),
    "tab": ("checks:\n\t- a", "2: not YAML: indented with a tab; use spaces"),
}
ALL_REFUSED = REFUSED | {name: (text, f"2: checks[0].{said}") for name, (text, said) in UNFIT.items()} | TOO_MUCH


@pytest.mark.parametrize(("text", "message"), ALL_REFUSED.values(), ids=ALL_REFUSED)
def test_a_wrong_file_is_refused_with_its_line_and_what_is_allowed(text: str, message: str) -> None:
    what = refusal(text).what
    assert what[: len(FILE) + 1 + len(message)] == f"{FILE}:{message}"


GLOBS = (
    'a list of glob patterns, such as ["src/**/*.{js,ts}"], as seen from the top of the project, with / between'
    " folders, without the parts . and .. and without ! in front; [[] stands for a [ and [{] for a {"
)
NEVER_MATCH = {"an open bracket": "[", "this folder": "./x.py", "above": "../z/*.py", "up again": "a/../b", "root": "/"}
NEVER_MATCH |= {"all but": "!x.py", "a backslash": "src\\a.py", "one of two": "{src,..}/a.py"}


@pytest.mark.parametrize("pattern", NEVER_MATCH.values(), ids=NEVER_MATCH)
@pytest.mark.parametrize("key", ["include", "exclude"])
def test_a_path_pattern_that_can_match_nothing_is_refused(key: str, pattern: str) -> None:
    told = refusal(f"{ONE}, {key}: ['*.py', '{pattern}']}}").what
    assert told == f"{FILE}:2: checks[0].{key} has {json.dumps(pattern)}, which matches no file; allowed: {GLOBS}"


MEAN_SOMETHING_ELSE = {
    "braces without an end": ("src/*.{js,ts", "has a { without a } after it"),
    "braces without a start": ("*.js,ts}", "has a } without a { before it"),
    "nothing in braces": ("a{}", "has braces without a comma"),
    "one word in braces": ("*.{js}", "has braces without a comma"),
    "an empty range": ("[z-a]*", "has a range of characters that ends before it starts"),
    "a class by its name": ("[[:digit:]]*", "has [:digit:], a name that is not known here"),
    "an open class": ("src/[abc", "matches no file"),
    "nothing": ("", "is empty"),
}


@pytest.mark.parametrize(("pattern", "fault"), MEAN_SOMETHING_ELSE.values(), ids=MEAN_SOMETHING_ELSE)
@pytest.mark.parametrize("form", ["include: '{}'", "exclude: ['*.py', '{}']"], ids=["alone", "in a list"])
def test_a_path_pattern_that_cannot_mean_what_was_written_is_refused(form: str, pattern: str, fault: str) -> None:
    told = refusal(f"{ONE}, {form.format(pattern)}}}").what
    key = form.partition(":")[0]
    assert told == f"{FILE}:2: checks[0].{key} has {json.dumps(pattern[:40])}, which {fault}; allowed: {GLOBS}"


def test_every_word_of_a_list_that_is_wrong_is_named() -> None:
    told = refusal(f"{ONE}, include: ['*.py', '../x', '!neg', '{{a,b}}{'{c,d}' * 8}'], scope: [cod, plan, foo]}}")
    assert told.what.startswith(
        f'{FILE}:2: checks[0].scope has the unknown words "cod" (did you mean code?) and "foo"; allowed: '
    )
    assert told.why == (
        f'{WHY}; also wrong:\n{FILE}:2: checks[0].include has "../x", which matches no file; allowed: {GLOBS}'
    )


@pytest.mark.parametrize("name", ABOUT)
def test_the_id_of_a_finding_about_suppressions_is_refused(name: str) -> None:
    told = f'checks[0].id is "{name}", as a finding about suppressions is called; allowed: another id'
    assert refusal(f"checks:\n- {{id: {name}, pattern: b}}").what == f"{FILE}:2: {told}"


TAKEN = ["[[]x].py", "a[0-9].py", "[]a]", "[!]]", "/src/*.py", "...", "src/", "a..b", "x]"]
TAKEN += ["**a", "a//b", "[^a]*", "[^]a]"]
TAKEN += ["{a,b}", "{a,}b", "{a,{b,c}}", "[{]a[}]", "[a-a]", "[a-]", "[-a]", "[!-a]", "[a-c-e]", "[[:]", "[:a:]", "a,b"]


@pytest.mark.parametrize("pattern", TAKEN)
def test_a_path_pattern_that_can_match_something_is_taken(pattern: str) -> None:
    assert rules(f"{ONE}, include: ['{pattern}']}}")[0].include == (pattern,)


def test_all_mistakes_are_listed_at_once_by_line_with_a_reason_and_a_next_step() -> None:
    error = refusal(
        "checks:\n- {id: a, pattern: '(', match_rule: regex}\n- {id: a, pattern: b, sevrity: info}\n- {pattern: c}\n"
    )
    assert error.what == (
        f"{FILE}:2: checks[0].pattern is not a regular expression: missing ), unterminated subpattern at position 0"
    )
    assert error.why == (
        f"{WHY}; also wrong:\n"
        f'{FILE}:3: unknown key "checks[1].sevrity"; did you mean "checks[1].severity"?\n'
        f'{FILE}:3: checks[1].id is "a", as in line 2\n'
        f"{FILE}:4: checks[2].id is missing; allowed: up to 100 characters from A-Z a-z 0-9 . _ -,"
        " the first a letter or digit"
    )
    assert error.next_step == f"edit {FILE}:2, then: review-gate checks list"


def test_a_list_of_mistakes_ends_somewhere() -> None:
    error = refusal("checks:\n" + "- {id: a, patern: '('}\n" * 3_000)
    assert (len(error.why.splitlines()), error.why.splitlines()[-1]) == (21, f"and {error.others - 19} more")


@settings(max_examples=150, deadline=None)
@given(
    st.text(
        st.sampled_from("checks:id patern-[]{},&*!|>'\"%@#?~ \n\t<0.\\(\ufeff\x85\ud800") | st.characters(), max_size=60
    )
)
def test_any_text_at_all_is_loaded_or_refused_in_printable_words(text: str) -> None:
    for whole in (text, f"checks:\n- id: a\n  match_rule: regex\n  pattern: {text}\n"):
        try:
            checks_from_yaml(FILE, whole)
        except ConfigError as error:
            assert error.what.isprintable()
