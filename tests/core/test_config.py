"""Configuration: what is accepted, what is refused with which words, and where each value is said to come from."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from review_gate.config.fields import allowed_for
from review_gate.config.keys import setting_fields
from review_gate.config.line_pattern import compile_pattern
from review_gate.config.load import MAX_BYTES, Loaded, Source, load, source_from_bytes
from review_gate.config.places import config_environment, user_config_file
from review_gate.config.schema import Command, Config
from review_gate.errors import ConfigError
from review_gate.render.config_text import show_json, show_text, value_text

FILE = ".review-gate.yaml"
DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "configuration.md").read_text(encoding="utf-8")
EXAMPLE = (DOCS / "review-gate.example.yaml").read_text(encoding="utf-8")
WHY = "a setting that is not understood could be one that was meant to keep the gate closed"
ONE = "commands: [{name: types, run: [mypy]"
FIELDS = dict(setting_fields())


def loaded(text: str, **environ: str) -> Loaded:
    return load([Source(FILE, text)], environ)


def refusal(text: str, **environ: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        loaded(text, **environ)
    return caught.value


def value_at(config: Config, key: str) -> object:
    value: object = config.model_dump(mode="json")
    for part in key.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]  # type: ignore[index]  # JSON is untyped
    return value


def test_nothing_set_means_the_defaults_and_says_so_for_every_value() -> None:
    result = load([], {"PATH": "/bin", "REVIEW_GATE_CONFIG": "x.yaml", "REVIEW_GATE_DEBUG": "1"})
    assert result.config == Config()
    assert result.origins == {key: "built-in default" for key in FIELDS if "[]" not in key}


def test_repository_wins_over_user_and_environment_over_both_key_by_key() -> None:
    user = Source("user file ~/c.yaml", "limits:\n  max_findings: 1\n  yaml_seconds: 2\n  command_seconds: 3\n")
    repository = Source(FILE, "\nlimits: {yaml_seconds: 20.5, command_seconds: 30}\n")
    result = load([user, repository], {"REVIEW_GATE_LIMITS__COMMAND_SECONDS": "300"})
    limits = result.config.limits
    assert (limits.max_findings, limits.yaml_seconds, limits.command_seconds) == (1, 20.5, 300)
    assert result.origins["limits.max_findings"] == "user file ~/c.yaml:2"
    assert result.origins["limits.yaml_seconds"] == ".review-gate.yaml:2"
    assert result.origins["limits.command_seconds"] == "environment REVIEW_GATE_LIMITS__COMMAND_SECONDS"
    assert result.origins["limits.max_file_bytes"] == "built-in default"


def test_lists_replace_and_an_emptied_section_keeps_what_the_user_file_set() -> None:
    user = Source("user", "syntax: {exclude: [a, b]}\nhygiene: {binary: block}\ntest_command: {run: x, shell: true}")
    repository = Source(FILE, "syntax: {exclude: [c]}\nhygiene:\n  # binary: allow\ntest_command: [pytest]")
    result = load([user, repository], {})
    assert (result.config.syntax.exclude, result.config.hygiene.binary) == (("c",), "block")
    assert value_at(result.config, "test_command.shell") is False
    assert result.origins["test_command.run"] == ".review-gate.yaml:4"
    assert result.origins["test_command.shell"] == "built-in default"


def test_commands_have_an_origin_for_each_of_their_keys() -> None:
    origins = loaded('commands:\n  - name: a\n    run: [x]\n    env:\n      CI: "1"\n').origins
    assert [origins[f"commands.0.{key}"] for key in ("name", "run", "env.CI")] == [f"{FILE}:{n}" for n in (2, 3, 5)]
    assert origins["commands.0.loop"] == "built-in default"


ENVIRONMENT = {
    "number": ("LIMITS__MAX_FILE_BYTES", "5", "limits.max_file_bytes", 5),
    "commit id of digits": ("BASE", "1234567", "base", "1234567"),
    "commit id like a float": ("BASE", "1e5", "base", "1e5"),
    "no plain YAML": ("BASE", "@{u}", "base", "@{u}"),
    "empty means null": ("BASE", "", "base", None),
    "quoted": ("BASE", '"null"', "base", "null"),
    "list": ("COMMIT_MESSAGE__PROTECTED_BRANCHES", "[a, 'b']", "commit_message.protected_branches", ["a", "b"]),
    "switch": ("SYNTAX__ENABLED", "no", "syntax.enabled", False),
}
UNKNOWN = "no setting has this name;"
WRONG_ENVIRONMENT = {
    "misspelt": ("BAES", "x", f"{UNKNOWN} did you mean REVIEW_GATE_BASE?"),
    "one underscore": ("GATE_REMOTE_SECONDS", "5", f"{UNKNOWN} did you mean REVIEW_GATE_GATE__REMOTE_SECONDS?"),
    "far from all": ("XYZ", "x", f"{UNKNOWN} one that exists: REVIEW_GATE_VERSION"),
    "section": ("GATE", "x", "a section has no value of its own; did you mean REVIEW_GATE_GATE__REMOTE_EVIDENCE?"),
    "broken list": ("SYNTAX__EXCLUDE", "[a", "not YAML: expected ',' or ']', but got '<stream end>'"),
    "wrong word": ("HYGIENE__BINARY", "x", 'hygiene.binary is the text "x"; allowed: warn, block or allow'),
}


@pytest.mark.parametrize(("name", "text", "key", "expected"), ENVIRONMENT.values(), ids=ENVIRONMENT)
def test_environment_sets_a_value(name: str, text: str, key: str, expected: object) -> None:
    assert value_at(loaded("", **{f"REVIEW_GATE_{name}": text}).config, key) == expected


@pytest.mark.parametrize(("name", "text", "message"), WRONG_ENVIRONMENT.values(), ids=WRONG_ENVIRONMENT)
def test_wrong_environment_variable_is_refused_by_name(name: str, text: str, message: str) -> None:
    error = refusal("", **{f"REVIEW_GATE_{name}": text})
    assert error.what == f"environment REVIEW_GATE_{name}: {message}"
    assert error.next_step == f"unset or correct REVIEW_GATE_{name}, then: review-gate config show"


ACCEPTED = {
    "off is text in YAML 1.2": ("commit_message: {wip: off}", "commit_message.wip", "off"),
    "false means off": ("commit_message: {wip: false}", "commit_message.wip", "off"),
    "test_command off": ("test_command: off", "test_command", "off"),
    "test_command false": ("test_command: false", "test_command", "off"),
    "YAML 1.1 directive": ("%YAML 1.1\n---\ntest_command: off", "test_command", "off"),
    "test_command auto": ("test_command: auto", "test_command", "auto"),
    "test_command list": ("test_command: [go, test]", "test_command.run", ["go", "test"]),
    "test_command mapping": ("test_command: {run: make test, shell: yes}", "test_command.run", "make test"),
    "no is false": ("syntax: {enabled: no}", "syntax.enabled", False),
    "half a second": (f"{ONE}, timeout: 0.5}}]", "commands.0.timeout", 0.5),
    "octal is YAML 1.2": ("limits: {max_findings: 0o17}", "limits.max_findings", 15),
    "byte order mark": ("\ufefflimits: {max_findings: 7}", "limits.max_findings", 7),
    "CRLF": ("limits:\r\n  max_findings: 7\r\n", "limits.max_findings", 7),
    "alias": ("syntax: &s {exclude: [a]}\nconflict_markers: *s", "conflict_markers.exclude", ["a"]),
    "path with dots in names": ("state_file: a..b/.gitignore", "state_file", "a..b/.gitignore"),
    "longest name": (f"commands: [{{name: {'a' * 40}, run: [x]}}]", "commands.0.name", "a" * 40),
}
# The phrase after "allowed:" is the schema's; the documentation test below pins its words.
WRONG_VALUES = {
    "quoted number": (f'{ONE}, loop: "1"}}]', "commands[0].loop", 'the text "1"', " (write it without quotes)"),
    "loop out of range": (f"{ONE}, loop: 5}}]", "commands[0].loop", "the number 5", ""),
    "true is no number": ("limits: {max_findings: true}", "limits.max_findings", "true", ""),
    "other version": ("version: 2", "version", "the number 2", ""),
    "no time": (f"{ONE}, timeout: 0}}]", "commands[0].timeout", "the number 0", ""),
    "endless": ("limits: {command_seconds: 1e999}", "limits.command_seconds", "the number inf", ""),
    "number for text": ("base: 1234567", "base", "the number 1234567", " (put it in quotes)"),
    "option as base": ("base: --upload-pack=x", "base", 'the text "--upload-pack=x"', ""),
    "range as base": ("base: a..b", "base", 'the text "a..b"', ""),
    "on for an action": ("commit_message: {wip: on}", "commit_message.wip", 'the text "on"', ""),
    "off where not allowed": ("hygiene: {binary: off}", "hygiene.binary", 'the text "off"', ""),
    "one glob": ("syntax: {exclude: a}", "syntax.exclude", 'the text "a"', ""),
    "null list": ("commands:", "commands", "null", ""),
    "too many": (f"commands: [{'{name: a, run: [x]},' * 51}]", "commands", "a list of 51", ""),
    "test_command true": ("test_command: true", "test_command", "true", ""),
    "test_command text": ("test_command: pytest", "test_command", 'the text "pytest"', ""),
    "run empty": ("commands: [{name: a, run: []}]", "commands[0].run", "an empty list", ""),
    "name in capitals": ("commands: [{name: A, run: [x]}]", "commands[0].name", 'the text "A"', ""),
}
TEXT_WITHOUT_SHELL = "is one text; write a list such as [mypy, src], or add shell: true"
NO_PATTERN = "is pattern, so the key pattern must be given too"
NOT_A_VARIABLE = '"A=B" is not a name for a variable (letters, digits, _)'
REFUSED = {
    "misspelt key": ("\nlimts: {}", '2: unknown key "limts"; did you mean "limits"?'),
    "key elsewhere": ("max_findings: 1", '1: unknown key "max_findings"; did you mean "limits.max_findings"?'),
    "key in a command": (f"{ONE}, lop: 1}}]", '1: unknown key "commands[0].lop"; did you mean "commands[0].loop"?'),
    "key in tests": ("test_command:\n  rn: a", '2: unknown key "test_command.rn"; did you mean "test_command.run"?'),
    "key like none": ("gate: {z: 1}", '1: unknown key "gate.z"; valid here: remote_evidence, remote_seconds'),
    "escapes": ('gate: {"\\e[": 1}', '1: unknown key "gate.\\x1b["; valid here: remote_evidence, remote_seconds'),
    "no section": ("syntax:\n  5", "1: syntax is the number 5; allowed: a mapping with the keys enabled, exclude"),
    "list for a file": ("- a", "1: the settings must be a mapping of keys to values, such as version: 1"),
    "run missing": ("commands:\n  - name: a", "2: commands[0].run is missing"),
    "number in run": ("test_command: [x, 2]", "1: test_command.run[1] is the number 2, not text; put it in quotes"),
    "text without shell": ("commands: [{name: a, run: x y}]", f"1: commands[0].run {TEXT_WITHOUT_SHELL}"),
    "list with shell": (f"{ONE}, shell: true}}]", "1: commands[0].run is a list; with shell: true write one text"),
    "built-in": ("commands: [{name: tests, run: [x]}]", '1: commands[0].name is "tests", which is a built-in reviewer'),
    "name twice": (f"{ONE}}},\n{{name: types, run: [y]}}]", '2: commands[1].name is "types", as in commands[0]'),
    "no pattern": (f"{ONE}, findings: pattern}}]", f"1: commands[0].findings {NO_PATTERN}"),
    "pattern unused": (f"{ONE}, pattern: (?P<file>.)}}]", "1: commands[0].pattern is used only with findings: pattern"),
    "sarif unused": (f"{ONE}, sarif_file: a.sarif}}]", "1: commands[0].sarif_file is used only with findings: sarif"),
    "env name": (f"{ONE}, env: {{A=B: x}}}}]", f"1: commands[0].env {NOT_A_VARIABLE}"),
}
# Four aliases of four aliases of ...; and lists that are shallow as written and deep once the aliases are followed.
BOMB = "a: &a [1, 1]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}' if n else '*a'] * 4)}]\n" for n in range(9))
CHAIN = "".join(f"a{n}: &a{n} {'[' * 20}{f'*a{n - 1}' if n else '1'}{']' * 20}\n" for n in range(40))
REFUSED_YAML = {
    "tag": ("a: 1\nb: !!python/x y", "2: the tag tag:yaml.org,2002:python/x is not allowed; write plain values"),
    "non-specific tag": ("base: ! x", "1: the tag ! is not allowed; write plain values"),
    "duplicate key": ('base: a\n# x\n"base": b', '3: the key "base" is there twice'),
    "second document": ("base: a\n---\nbase: b", "2: a second document starts here; one file holds one document"),
    "number as key": ("gate: {1: a}", "1: the key 1 is not text; put it in quotes"),
    "list as key": ("? [a]\n: b", "1: a key must be plain text"),
    "merge key": ("gate:\n  <<: {}", "2: merge keys (<<) are not supported; write the settings out"),
    "tab": ("gate:\n\tremote_seconds: 1", "2: not YAML: indented with a tab; use spaces"),
    "escape character": ("base: a\nb: \x1b[2J", '2: not YAML: the character "\\x1b" is not allowed'),
    "undecoded byte": ("base: \udcff", '1: not YAML: the character "\\udcff" is not allowed'),
    "impossible escape": ('a: 1\nbase: "\\UFFFFFFFF"', "2: not YAML: the parser gave up (OverflowError)"),
    "half a character": ('base: "\\ud800"', "1: half of a surrogate pair is not a character"),
    "alias of itself": ("commands: &a [*a]", "1: the alias *a has no finished anchor before it"),
    "alias bomb": (BOMB, "7: more than 5000 values, aliases expanded"),
    "alias chain": (CHAIN, "2: nested deeper than 32 levels"),
    "many aliases": ("a: &a 1\nb: [" + "*a," * 51 + "]", "2: more than 50 aliases"),
    "large": ("#" * (MAX_BYTES + 1), "1: larger than the 256 kB allowed"),
    "long line": ("a: 1\n" + "[" * 200_000, "2: longer than the 10000 characters allowed in a line"),
    "open lists": ("[\n" * 120_000, "33: nested deeper than 32 levels"),
    "open maps and lists": ("a: [\n" * 50_000, "17: nested deeper than 32 levels"),
    "long list": ("-\n" * 120_000, "5000: more than 5000 values, aliases expanded"),
    "directives": ("%a\n" * 80_000, "1: more than 10 lines that start with %"),
}
ALL_REFUSED = [pytest.param(*case, id=name) for name, case in (REFUSED | REFUSED_YAML).items()]


@pytest.mark.parametrize(("text", "key", "expected"), ACCEPTED.values(), ids=ACCEPTED)
def test_spelling_is_accepted(text: str, key: str, expected: object) -> None:
    assert value_at(loaded(text).config, key) == expected


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "---\n", "\ufeff", "{}"])
def test_file_without_settings_sets_nothing(text: str) -> None:
    assert loaded(text).config == Config()


@pytest.mark.parametrize(("text", "key", "value", "hint"), WRONG_VALUES.values(), ids=WRONG_VALUES)
def test_wrong_value_is_refused_with_what_is_allowed(text: str, key: str, value: str, hint: str) -> None:
    allowed = allowed_for(FIELDS[key.replace("[0]", "[]")])
    assert refusal(text).what == f"{FILE}:1: {key} is {value}; allowed: {allowed}{hint}"


@pytest.mark.parametrize(("text", "message"), ALL_REFUSED)
def test_wrong_file_is_refused_with_its_line(text: str, message: str) -> None:
    assert refusal(text).what == f"{FILE}:{message}"


GIT_FOLDERS = [".git/hooks/x", "a/.GIT/x", ".git./x", ".git /x", "GIT~1/x", ".git::$INDEX_ALLOCATION/x", ".g\u200cit/x"]
OUTSIDE = ["/etc/x", "../x", "a/../b", "./a", "a//b", "a/", "", "a\\b", "C:/x", "a\x07", "x" * 301]


@pytest.mark.parametrize("path", GIT_FOLDERS + OUTSIDE)
def test_state_file_that_could_leave_the_work_tree_is_refused(path: str) -> None:
    assert f"; allowed: {allowed_for(FIELDS['state_file'])}" in refusal(f"state_file: {json.dumps(path)}").what


def test_all_mistakes_are_listed_at_once_with_a_reason_and_a_next_step() -> None:
    error = refusal("limts: 1\ngate:\n  remote_seconds: x\n")
    assert error.what.startswith(".review-gate.yaml:3: gate.remote_seconds is ")
    assert error.why == f'{WHY}; also wrong:\n.review-gate.yaml:1: unknown key "limts"; did you mean "limits"?'
    assert error.next_step == "edit .review-gate.yaml:3, then: review-gate config show"


def test_list_of_mistakes_ends_somewhere_and_says_so() -> None:
    why = refusal("".join(f"limts{number}: 1\n" for number in range(2000))).why.splitlines()
    assert (len(why), why[-1]) == (21, "and more")


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
    "misspelt group": ("(?P<mesage>x)", "has the unknown group mesage; allowed: message"),
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


STRICTNESS = ["limits: {max_file_bytes: 1}", "limits: {max_output_bytes: 1}", "limits: {command_seconds: 1}"]
STRICTNESS += ["syntax: {enabled: no}", "conflict_markers: {exclude: [a]}", "hygiene: {binary: allow}"]
STRICTNESS += [f"{ONE}}}]", f"{ONE}, required: no}}]", "test_command: auto"]
NO_STRICTNESS = ["state_file: s.json", "base: x", "gate: {remote_evidence: tracking}", "commit_message: {wip: off}"]
NO_STRICTNESS += ["limits: {max_findings: 1}", "limits: {command_seconds: 600.0}", "syntax: {enabled: yes}"]


@pytest.mark.parametrize("text", STRICTNESS + NO_STRICTNESS)
def test_policy_changes_only_with_what_makes_a_review_stricter_or_milder(text: str) -> None:
    assert (loaded(text).policy == loaded("").policy) is (text in NO_STRICTNESS)


def test_default_policy_changes_only_on_purpose_because_that_voids_every_review() -> None:
    assert loaded("").policy == "8b10a1593ccd1d03b106621e5726a6309e9560fb7250148d698e212c84cbab80"


USER_FILES = {
    "linux": ({"HOME": "/home/a"}, "linux", "/home/a/.config/review-gate/config.yaml"),
    "xdg": ({"HOME": "/home/a", "XDG_CONFIG_HOME": "/x/"}, "linux", "/x/review-gate/config.yaml"),
    "relative xdg": ({"HOME": "/home/a", "XDG_CONFIG_HOME": "x"}, "linux", "/home/a/.config/review-gate/config.yaml"),
    "macos": ({"HOME": "/Users/a"}, "darwin", "/Users/a/Library/Application Support/review-gate/config.yaml"),
    "windows": ({"APPDATA": r"C:\a"}, "win32", r"C:\a\review-gate\config.yaml"),
    "root's home": ({"HOME": "/"}, "linux", "/.config/review-gate/config.yaml"),
    "empty home": ({"HOME": "", "XDG_CONFIG_HOME": ""}, "darwin", None),
    "relative home": ({"HOME": "here"}, "linux", None),
}


@pytest.mark.parametrize(("environ", "platform", "expected"), USER_FILES.values(), ids=USER_FILES)
def test_user_file_is_where_the_platform_keeps_it(environ: dict[str, str], platform: str, expected: str | None) -> None:
    assert user_config_file(environ, platform) == expected


def test_only_variables_that_can_change_the_configuration_are_watched() -> None:
    watched = {"APPDATA": "a", "HOME": "h", "REVIEW_GATE_BASE": "b", "REVIEW_GATE_CONFIG": "c", "XDG_CONFIG_HOME": "x"}
    assert config_environment(watched | {"REVIEW_GATE_DEBUG": "1", "PATH": "p", "MY_REVIEW_GATE_": "m"}) == watched


FULL = r"""
base: "1e5"
commands:
  - {name: a, run: "echo \u202e '\"", shell: true, timeout: 1.5}
  - {name: b, run: [x, "", "- y", "null", "\xe9", "\U0001F600"], env: {CI: "1"}}
test_command: {run: [t], severity: info}
"""


def test_compiled_form_survives_json_and_cannot_be_changed() -> None:
    config = loaded(FULL).config
    assert Config.model_validate(json.loads(json.dumps(config.model_dump(mode="json")))) == config
    with pytest.raises(ValidationError, match="frozen"):
        config.limits.max_findings = 1


def test_shown_text_has_every_value_with_an_aligned_origin() -> None:
    result = loaded("limits:\n  max_findings: 1\n", REVIEW_GATE_BASE="x")
    lines = show_text(result).splitlines()
    assert lines[1:4] == [
        "state_file: .claude/skills/code-review/loop-state.json    # built-in default",
        "base: x                                                   # environment REVIEW_GATE_BASE",
        "limits:",
    ]
    assert lines[8] == "  max_findings: 1                                         # .review-gate.yaml:2"
    assert lines[-1] == f"# policy {result.policy}"


def test_shown_text_is_safe_to_print_and_loads_again_as_the_same_configuration() -> None:
    shown = show_text(loaded(FULL))
    assert (loaded(shown).config, shown.replace("\n", "").isprintable()) == (loaded(FULL).config, True)


def test_shown_json_has_configuration_origins_and_policy() -> None:
    result = loaded(FULL)
    expected = {"config": result.config.model_dump(mode="json"), "origins": result.origins, "policy": result.policy}
    assert json.loads(show_json(result)) == expected


def default_of(key: str) -> str:
    defaults = Config(commands=(Command(name="a", run=("x",)),)) if "[]" in key else Config()
    return "required" if FIELDS[key].is_required() else f"`{value_text(value_at(defaults, key.replace('[]', '.0')))}`"


def test_documented_table_is_what_the_schema_says() -> None:
    table = PAGE.partition("| --- | --- | --- | --- |\n")[2].partition("\n\n")[0].splitlines()
    expected = [(f"`{key}`", default_of(key), allowed_for(field), field.description) for key, field in FIELDS.items()]
    assert table == [f"| {key} | {default} | {allowed} | {meaning} |" for key, default, allowed, meaning in expected]


def test_documented_mistakes_are_said_in_these_words() -> None:
    error = refusal('\nlimits:\n  max_file_byte: 1\n\ncommands:\n  - name: a\n    run: [x]\n    loop: "1"\n')
    assert PAGE.partition("```text\n")[2].partition("\n```")[0] == "\n".join([error.what, *error.why.splitlines()[1:]])


def test_example_shows_every_setting_with_its_default_and_every_key_of_a_command() -> None:
    result = loaded(EXAMPLE)
    assert (result.config, "built-in default" in result.origins.values()) == (Config(), False)
    block = EXAMPLE.partition("# commands:\n")[2].partition("\n\n")[0]
    result = loaded("commands:\n" + re.sub(r"^#", "", block, flags=re.MULTILINE))
    assert result.config.commands == (Command(name="types", run=("mypy", "src")),)
    assert "built-in default" not in [result.origins[key] for key in result.origins if key.startswith("commands.")]
