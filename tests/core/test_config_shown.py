"""Configuration as it is shown and documented: text, JSON, the table of settings, the example file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from configuring import FIELDS, loaded, refusal, value_at
from pydantic import ValidationError

from review_gate.config.fields import allowed_for
from review_gate.config.schema import Command, Config
from review_gate.render.config_text import show_json, show_text, value_text

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "configuration.md").read_text(encoding="utf-8")
EXAMPLE = (DOCS / "review-gate.example.yaml").read_text(encoding="utf-8")
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
    lines = show_text(result, "abc-def").splitlines()
    assert lines[1:4] == [
        "state_file: .claude/skills/code-review/loop-state.json    # built-in default",
        "base: x                                                   # environment REVIEW_GATE_BASE",
        "limits:",
    ]
    assert lines[8] == "  max_findings: 1                                         # .review-gate.yaml:2"
    assert lines[-1] == "# policy abc-def"


def test_checks_that_cannot_be_read_make_no_policy() -> None:
    last = show_text(loaded(""), None).splitlines()[-1]
    assert last == "# no policy: the checks cannot be read (review-gate checks list says why)"


def test_shown_text_is_safe_to_print_and_loads_again_as_the_same_configuration() -> None:
    shown = show_text(loaded(FULL), "abc")
    assert (loaded(shown).config, shown.replace("\n", "").isprintable()) == (loaded(FULL).config, True)


def test_shown_json_has_configuration_origins_and_policy() -> None:
    result = loaded(FULL)
    expected = {"config": result.config.model_dump(mode="json"), "origins": result.origins, "policy": "abc"}
    assert json.loads(show_json(result, "abc")) == expected


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
