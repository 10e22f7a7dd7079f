"""Configuration: where each value comes from, how it may be spelled, and what it does to the policy."""

from __future__ import annotations

import pytest
from configuring import FIELDS, FILE, ONE, loaded, refusal, value_at

from review_gate.config.load import Source, load
from review_gate.config.places import config_environment, user_config_file
from review_gate.config.schema import Config


def test_nothing_set_means_the_defaults_and_says_so_for_every_value() -> None:
    ours = {"REVIEW_GATE_CONFIG": "x.yaml", "REVIEW_GATE_DEBUG": "1", "REVIEW_GATE_REVIEWING": "1"}
    result = load([], {"PATH": "/bin", **ours})
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
    "far from all": ("XYZ", "x", f"{UNKNOWN} review-gate config show lists them all"),
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
    "exit codes": (f"{ONE}, ok_exit_codes: [0, 4, 255]}}]", "commands.0.ok_exit_codes", [0, 4, 255]),
    "octal is YAML 1.2": ("limits: {max_findings: 0o17}", "limits.max_findings", 15),
    "byte order mark": ("\ufefflimits: {max_findings: 7}", "limits.max_findings", 7),
    "CRLF": ("limits:\r\n  max_findings: 7\r\n", "limits.max_findings", 7),
    "alias": ("syntax: &s {exclude: [a]}\nconflict_markers: *s", "conflict_markers.exclude", ["a"]),
    "path with dots in names": ("state_file: a..b/.gitignore", "state_file", "a..b/.gitignore"),
    "longest name": (f"commands: [{{name: {'a' * 40}, run: [x]}}]", "commands.0.name", "a" * 40),
}


@pytest.mark.parametrize(("text", "key", "expected"), ACCEPTED.values(), ids=ACCEPTED)
def test_spelling_is_accepted(text: str, key: str, expected: object) -> None:
    assert value_at(loaded(text).config, key) == expected


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "---\n", "\ufeff", "{}"])
def test_file_without_settings_sets_nothing(text: str) -> None:
    assert loaded(text).config == Config()


STRICTNESS = ["limits: {max_file_bytes: 1}", "limits: {max_output_bytes: 1}", "limits: {command_seconds: 1}"]
STRICTNESS += ["syntax: {enabled: no}", "conflict_markers: {exclude: [a]}", "hygiene: {binary: allow}"]
STRICTNESS += [f"{ONE}}}]", f"{ONE}, required: no}}]", f"{ONE}, ok_exit_codes: [0, 1]}}]", "test_command: auto"]
NO_STRICTNESS = ["state_file: s.json", "base: x", "gate: {remote_evidence: tracking}", "commit_message: {wip: off}"]
NO_STRICTNESS += ["models: auto", "models: {max_usd: 1}", "models: {cache: off, answer_seconds: 1}"]
NO_STRICTNESS += ["limits: {max_findings: 1}", "limits: {command_seconds: 600.0}", "syntax: {enabled: yes}"]


@pytest.mark.parametrize("text", STRICTNESS + NO_STRICTNESS)
def test_policy_changes_only_with_what_makes_a_review_stricter_or_milder(text: str) -> None:
    assert (loaded(text).strictness == loaded("").strictness) is (text in NO_STRICTNESS)


def test_default_policy_changes_only_on_purpose_because_that_voids_every_review() -> None:
    assert loaded("").strictness == "ca602b736b906821f225514126c3f15e6ffb585aef8fba53e6423629f7055859"


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
    others = {"REVIEW_GATE_DEBUG": "1", "REVIEW_GATE_REVIEWING": "1", "PATH": "p", "MY_REVIEW_GATE_": "m"}
    assert config_environment(watched | others) == watched
