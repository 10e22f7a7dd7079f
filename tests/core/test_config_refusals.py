"""Configuration: what is refused, in which words, at which line."""

from __future__ import annotations

import json

import pytest
from configuring import FIELDS, FILE, ONE, refusal
from hypothesis import given, settings
from hypothesis import strategies as st

from review_gate.config.fields import BRANCHES, GLOBS, PROVIDERS, allowed_for
from review_gate.config.line_pattern import compile_pattern
from review_gate.config.load import Source, load, source_from_bytes
from review_gate.config.places import MAX_CONFIG_BYTES
from review_gate.errors import ConfigError

WHY = "a setting that is not understood could be one that was meant to keep the gate closed"
# The phrase after "allowed:" is the schema's; test_config_shown.py pins its words.
WRONG_VALUES = {
    "quoted number": (f'{ONE}, loop: "1"}}]', "commands[0].loop", 'the text "1"', " (write it without quotes)"),
    "loop out of range": (f"{ONE}, loop: 5}}]", "commands[0].loop", "the number 5", ""),
    "no time": (f"{ONE}, timeout: 0}}]", "commands[0].timeout", "the number 0", ""),
    "option as base": ("base: --upload-pack=x", "base", 'the text "--upload-pack=x"', ""),
    "range as base": ("base: a..b", "base", 'the text "a..b"', ""),
    "off where not allowed": ("hygiene: {binary: off}", "hygiene.binary", 'the text "off"', ""),
    "one glob": ("syntax: {exclude: a}", "syntax.exclude", 'the text "a"', ""),
    "too many": (f"commands: [{'{name: a, run: [x]},' * 51}]", "commands", "a list of 51", ""),
    "test_command text": ("test_command: pytest", "test_command", 'the text "pytest"', ""),
}
ALLOWED = {key: allowed_for(FIELDS[f"commands[].{key}"]) for key in ("name", "run", "env")}
TEXT_WITHOUT_SHELL = "is one text; write a list such as [mypy, src], or add shell: true"
NO_PATTERN = "is pattern, so the key pattern must be given too"
NOT_A_VARIABLE = 'has "A=B", which is not a name for a variable (letters, digits, _)'
REFUSED = {
    "misspelt key": ("\nlimts: {}", '2: unknown key "limts"; did you mean "limits"?'),
    "key elsewhere": ("max_findings: 1", '1: unknown key "max_findings"; did you mean "limits.max_findings"?'),
    "key in a command": (f"{ONE}, lop: 1}}]", '1: unknown key "commands[0].lop"; did you mean "commands[0].loop"?'),
    "key in tests": ("test_command:\n  rn: a", '2: unknown key "test_command.rn"; did you mean "test_command.run"?'),
    "key like none": ("gate: {z: 1}", '1: unknown key "gate.z"; valid here: remote_evidence, remote_seconds'),
    "path nobody has": (
        f'{ONE}, when_changed: ["./src"]}}]',
        f'1: commands[0].when_changed has "./src", which matches no file; allowed: {GLOBS}',
    ),
    "braces without an end": (
        "hygiene: {exclude: ['*.{md,txt']}",
        f'1: hygiene.exclude has "*.{{md,txt", which has a {{ without a }} after it; allowed: {GLOBS}',
    ),
    "branch in an empty range": (
        "commit_message: {protected_branches: ['v[9-1]', '']}",
        '1: commit_message.protected_branches has "v[9-1]", which has a range of characters that ends before it starts;'
        f" allowed: {BRANCHES}",
    ),
    "no section": ("syntax:\n  5", "1: syntax is the number 5; allowed: a mapping with the keys enabled, exclude"),
    "list for a file": ("- a", "1: the settings must be a mapping of keys to values, such as version: 1"),
    "run missing": ("commands:\n  - name: a", f"2: commands[0].run is missing; allowed: {ALLOWED['run']}"),
    "number in run": ("test_command: [x, 2]", "1: test_command.run[1] is the number 2, not text; put it in quotes"),
    "no pattern": (f"{ONE}, findings: pattern}}]", f"1: commands[0].findings {NO_PATTERN}"),
    "no reviewer": (
        "rounds: {reviewers: [codex, nobody]}",
        f'1: rounds.reviewers names the text "nobody"; allowed: {PROVIDERS}',
    ),
    "no provider": ("models: {providers: 3}", f"1: models.providers is the number 3; allowed: {PROVIDERS}"),
    "env name": (f"{ONE}, env: {{A=B: x}}}}]", f"1: commands[0].env {NOT_A_VARIABLE}"),
}
# Four aliases of four aliases of ...; and lists that are shallow as written and deep once the aliases are followed.
BOMB = "a: &a [1, 1]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}' if n else '*a'] * 4)}]\n" for n in range(9))
CHAIN = "".join(f"a{n}: &a{n} {'[' * 20}{f'*a{n - 1}' if n else '1'}{']' * 20}\n" for n in range(40))
REFUSED_YAML = {
    "tag": ("a: 1\nb: !!python/x y", "2: the tag tag:yaml.org,2002:python/x is not allowed; write plain values"),
    "duplicate key": ('base: a\n# x\n"base": b', '3: the key "base" is there twice'),
    "number as key": ("gate: {1: a}", "1: the key 1 is not text; put it in quotes"),
    "merge key": ("gate:\n  <<: {}", "2: merge keys (<<) are not supported; write the settings out"),
    "tab": ("gate:\n\tremote_seconds: 1", "2: not YAML: indented with a tab; use spaces"),
    "escape character": ("base: a\nb: \x1b[2J", '2: not YAML: the character "\\x1b" is not allowed'),
    "half a character": ('base: "\\ud800"', "1: half of a surrogate pair is not a character"),
    "alias of itself": ("commands: &a [*a]", "1: the alias *a has no finished anchor before it"),
    "alias bomb": (BOMB, "7: more than 5000 values, aliases expanded"),
    "alias chain": (CHAIN, "2: nested deeper than 32 levels"),
    "many aliases": ("a: &a 1\nb: [" + "*a," * 51 + "]", "2: more than 50 aliases"),
    "large": ("#" * (MAX_CONFIG_BYTES + 1), "1: larger than the 256 kB allowed"),
    "directives": ("%a\n" * 80_000, "1: more than 10 lines that start with %"),
    "long line": ("a: 1\n" + "[" * 200_000, "2: longer than the 10000 characters allowed in a line"),
    "open lists": ("[\n" * 120_000, "33: nested deeper than 32 levels"),
}
ALL_REFUSED = [pytest.param(*case, id=name) for name, case in (REFUSED | REFUSED_YAML).items()]


@pytest.mark.parametrize(("text", "key", "value", "hint"), WRONG_VALUES.values(), ids=WRONG_VALUES)
def test_wrong_value_is_refused_with_what_is_allowed(text: str, key: str, value: str, hint: str) -> None:
    allowed = allowed_for(FIELDS[key.replace("[0]", "[]")])
    assert refusal(text).what == f"{FILE}:1: {key} is {value}; allowed: {allowed}{hint}"


@pytest.mark.parametrize("code", ["-9", "256", "true", "1.0"])
def test_what_is_no_exit_code_is_refused_where_it_stands(code: str) -> None:
    said = {"true": "true"}.get(code, f"the number {code}")
    allowed = allowed_for(FIELDS["commands[].ok_exit_codes"])
    text = f"{ONE}, ok_exit_codes: [0, {code}]}}]"
    assert refusal(text).what == f"{FILE}:1: commands[0].ok_exit_codes[1] is {said}; allowed: {allowed}"


@pytest.mark.parametrize(("text", "message"), ALL_REFUSED)
def test_wrong_file_is_refused_with_its_line(text: str, message: str) -> None:
    assert refusal(text).what == f"{FILE}:{message}"


GIT_FOLDERS = [".git/hooks/x", "a/.GIT/x", "GIT~1/x"]
OUTSIDE = ["/etc/x", "../x", "a/../b", "./a", "a//b", "a/", "", "a\\b", "C:/x", "a\x07", "x" * 301]


@pytest.mark.parametrize("path", GIT_FOLDERS + OUTSIDE)
def test_state_file_that_could_leave_the_work_tree_is_refused(path: str) -> None:
    assert f"; allowed: {allowed_for(FIELDS['state_file'])}" in refusal(f"state_file: {json.dumps(path)}").what


def test_all_mistakes_are_listed_at_once_with_a_reason_and_a_next_step() -> None:
    error = refusal("gate:\n  remote_seconds: x\nlimts: 1\n")
    assert error.what.startswith(".review-gate.yaml:2: gate.remote_seconds is ")
    assert error.why == f'{WHY}; also wrong:\n.review-gate.yaml:3: unknown key "limts"; did you mean "limits"?'
    assert error.next_step == "edit .review-gate.yaml:2, then: review-gate config show"
    assert error.others == 1


BUILT_IN = '"tests", which is a built-in reviewer'
# Every line of `commands` is one command, the first of them in line 2.
SEVERAL = {
    "names": (
        ["{name: tests, run: [x]}", "{name: a, run: [x]}", "{name: a, run: [x]}", "{name: a, run: [x]}"],
        [
            f"2: commands[0].name is {BUILT_IN}",
            *(f'{n + 2}: commands[{n}].name is "a", as in commands[1]' for n in (2, 3)),
        ],
    ),
    "a name and a pattern": (
        ["{name: a, run: [x], findings: pattern, pattern: (}", "{name: a, run: [x]}"],
        [
            "2: commands[0].pattern is not a regular expression: missing ) at position 1",
            '3: commands[1].name is "a", as in commands[0]',
        ],
    ),
    "a name and fields": (
        ["{name: a, run: [x], loop: 9}", "{name: tests, run: [x]}", "{name: b, rum: [x]}"],
        [
            "2: commands[0].loop is the number 9; allowed: a whole number from 1 to 4",
            f"3: commands[1].name is {BUILT_IN}",
            '4: unknown key "commands[2].rum"; did you mean "commands[2].run"?',
        ],
    ),
    "settings that do not fit": (
        ["{name: a, run: x, pattern: (?P<file>.), sarif_file: a.sarif, shell: off}", "{name: b, run: [x], shell: yes}"],
        [
            f"2: commands[0].run {TEXT_WITHOUT_SHELL}",
            "2: commands[0].pattern is used only with findings: pattern",
            "2: commands[0].sarif_file is used only with findings: sarif",
            "3: commands[1].run is a list; with shell: true write one text",
        ],
    ),
    "words of a program": (
        ['{name: a, run: ["", 1, x, true]}'],
        [
            "2: commands[0].run[0] is empty or holds a NUL character",
            "2: commands[0].run[1] is the number 1, not text; put it in quotes",
            "2: commands[0].run[3] is true, not text; put it in quotes",
        ],
    ),
    "variables": (
        ["{name: a, run: [x], env: {A: 1}}", '{name: b, run: [x], env: {A: "\\0", B=C: x}}'],
        [
            f"2: commands[0].env.A is the number 1; allowed: {ALLOWED['env']} (put it in quotes)",
            "3: commands[1].env has A, which holds a NUL character",
        ],
    ),
    "one key wrong in two ways": (
        ['{name: a, run: ""}', "{name: A, run: [x]}", "{name: A, run: [x]}"],
        [
            f'2: commands[0].run is the text ""; allowed: {ALLOWED["run"]}',
            *(f'{n + 2}: commands[{n}].name is the text "A"; allowed: {ALLOWED["name"]}' for n in (1, 2)),
        ],
    ),
    "no mapping": (
        ["5", "{name: b}"],
        [
            f"2: commands[0] is the number 5; allowed: {allowed_for(FIELDS['commands'])}",
            f"3: commands[1].run is missing; allowed: {ALLOWED['run']}",
        ],
    ),
}


def mistakes(text: str, **environ: str) -> list[str]:
    """Every mistake that is told, in order."""
    error = refusal(text, **environ)
    told = [error.what, *error.why.splitlines()[1:]]
    assert len(told) == error.others + 1
    return told


@pytest.mark.parametrize(("commands", "expected"), SEVERAL.values(), ids=SEVERAL)
def test_every_mistake_in_the_commands_has_its_message(commands: list[str], expected: list[str]) -> None:
    text = "commands:\n" + "".join(f"  - {command}\n" for command in commands)
    assert mistakes(text) == [f"{FILE}:{message}" for message in expected]


def test_mistakes_come_by_file_and_line_and_those_of_the_environment_last() -> None:
    environ = {"REVIEW_GATE_BAES": "x", "REVIEW_GATE_TEST_COMMAND": "{run: [x], pattern: (?P<file>.)}"}
    sources = [
        Source("user file ~/c.yaml", "\nzzz: 1\n"),
        Source(FILE, "commands:\n- {name: tests, run: [x]}\nyyy: 1\n"),
    ]
    with pytest.raises(ConfigError) as caught:
        load(sources, environ)
    told = [caught.value.what, *caught.value.why.splitlines()[1:]]
    assert [line.split(": ")[0] for line in told] == [
        "user file ~/c.yaml:2",
        f"{FILE}:2",
        f"{FILE}:3",
        "environment REVIEW_GATE_BAES",
        "environment REVIEW_GATE_TEST_COMMAND",
    ]


def test_list_of_mistakes_ends_somewhere_and_says_so() -> None:
    error = refusal("".join(f"limts{number}: 1\n" for number in range(2000)))
    why = error.why.splitlines()
    assert (len(why), why[-1], error.others) == (21, "and 1980 more", 1999)


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("ab:-[]{},&*!|>'\"%@#?~ \n\t<0.\\U\ufeff\x85\ud800") | st.characters(), max_size=60))
def test_any_text_at_all_is_loaded_or_refused_in_printable_words(text: str) -> None:
    for environ in ({}, {"REVIEW_GATE_TEST_COMMAND": text}):
        try:
            load([Source(FILE, text)], environ)
        except ConfigError as error:
            assert error.what.isprintable()


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"a: 1\nb: \xe9", "2: not UTF-8: the byte 0xe9"), ("a: 1".encode("utf-16"), "1: not UTF-8: the byte 0xff")],
    ids=["latin-1", "utf-16"],
)
def test_file_that_is_not_utf8_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        source_from_bytes(FILE, data)
    assert caught.value.what == f"{FILE}:{message} cannot be read; save the file as UTF-8"


GOOD_PATTERNS = {
    "compiler": r"^(?P<file>[^:]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<message>.+?)(?: \[(?P<rule>[\w-]+)\])?$",
    "file only": r"^would reformat (?P<file>.+)$",
    "repeated groups": r"(?P<message>(?:[^:]+:)+ (?:\w+ )+x{20})",
    "escaped parenthesis": r"(?P<message>\(?xyz\)?)",
}
BAD_PATTERNS = {
    "broken": ("(", "is not a regular expression: missing ) at position 1"),
    "only a line": (r"(?P<line>\d)", "needs a named group message or file, such as (?P<message>.+)"),
    "misspelt group": (
        "(?P<mesage>x)",
        "has the unknown group mesage; allowed: file, line, column, severity, message, rule",
    ),
    "empty match": ("(?P<message>.*)", "matches an empty line, so every line would be a finding"),
    "verbose": (r"\\(?ix)(?P<message>a)", "uses the verbose flag x, which is not supported"),
    "memory": ("(?:(?:a{99}){99}){99}", "repeats too much; use smaller counts and fewer nested + or {n}"),
    "doubling": ("(?:" * 15 + "a" + ")+" * 15, "repeats too much; use smaller counts and fewer nested + or {n}"),
    "deep": ("(" * 480 + ")" * 480, "is nested too deeply to compile"),
    "long": ("a" * 1001, "is longer than 1000 characters"),
}


@pytest.mark.parametrize("pattern", GOOD_PATTERNS.values(), ids=GOOD_PATTERNS)
def test_usable_pattern_is_accepted(pattern: str) -> None:
    assert compile_pattern(pattern).pattern == pattern


@pytest.mark.parametrize(("pattern", "message"), BAD_PATTERNS.values(), ids=BAD_PATTERNS)
def test_unusable_pattern_is_refused_with_its_reason(pattern: str, message: str) -> None:
    error = refusal(f"{ONE}, findings: pattern, pattern: {json.dumps(pattern)}}}]")
    assert error.what == f"{FILE}:1: commands[0].pattern {message}"
