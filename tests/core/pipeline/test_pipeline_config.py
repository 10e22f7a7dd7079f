"""Rules, agents, policies and domains: what is shipped keeps its promises, and a project's own files are checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from composing import ALWAYS, FILES, MONEY, agent, policy, rule

from review_gate.errors import ConfigError
from review_gate.models import Severity
from review_gate.pipeline.config import Layer, load_pipeline
from review_gate.pipeline.config_schema import PipelineConfig

PLACE = ".review-gate"


def layer(place: str, files: Mapping[str, object]) -> Layer:
    return Layer(place, {name: json.dumps(entries).encode() for name, entries in files.items()})


def loaded(**files: object) -> PipelineConfig:
    shipped = layer("built-in", FILES)._replace(is_shipped=True)
    return load_pipeline([shipped, layer(PLACE, files)])


def refusal(**files: object) -> str:
    with pytest.raises(ConfigError) as raised:
        loaded(**files)
    return raised.value.what


def test_a_project_adds_entries_and_changes_single_fields_of_others() -> None:
    found = loaded(
        rules=[{"id": "sec-one-01", "severity": "warning"}, rule("own-rule-01", agent="guest")],
        agents=[agent("guest", loop=4)],
        composition=[policy("guests", "guest", ALWAYS)],
    )
    rules = {one.id: one for one in found.rules}
    assert list(rules) == ["sec-one-01", "fin-one-01", "own-rule-01"]
    assert (rules["sec-one-01"].severity, rules["sec-one-01"].name) == (Severity.WARNING, "A rule")
    assert [one.id for one in found.rules_of("guest")] == ["own-rule-01"]


def test_a_project_switches_entries_off() -> None:
    found = loaded(
        rules=[{"id": "fin-one-01", "enabled": False}],
        agents=[{"id": "banker", "enabled": False}],
        composition=[{"id": "money", "enabled": False}],
    )
    assert [one.id for one in found.agents] == ["watcher", "tester"]
    assert [one.id for one in found.rules] == ["sec-one-01"]


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "no JSON": ({"rules": None}, f"{PLACE}/rules.json: it must be a list of objects"),
    "the same id twice": (
        {"rules": [rule("a-b-1"), rule("a-b-1")]},
        f"{PLACE}/rules.json: [1]: id 'a-b-1' stands at [0] already",
    ),
    "a missing field": (
        {"rules": [{"id": "new-rule-01"}]},
        f"{PLACE}/rules.json: [0] (new-rule-01).name: Field required (and 6 more)",
    ),
    "an unknown field": (
        {"rules": [{"id": "sec-one-01", "sevrity": "info"}]},
        f"{PLACE}/rules.json: [0] (sec-one-01).sevrity: there is no such field; did you mean severity?",
    ),
    "a name that nobody can read": (
        {"rules": [{"id": "sec-\x1b[31m\n  next:  push"}]},
        f"{PLACE}/rules.json: [0] (sec-\\x1b[31m\\n  next:  push).id: String should match pattern "
        "'^[a-z][a-z0-9]*(-[a-z0-9]+)+$' (and 7 more)",
    ),
    "an unknown severity": (
        {"rules": [{"id": "sec-one-01", "severity": "bad"}]},
        f"{PLACE}/rules.json: [0] (sec-one-01).severity: Input should be 'critical', 'major', 'warning' or 'info'",
    ),
    "a priority out of range": (
        {"composition": [{"id": "everyone", "priority": 101}]},
        f"{PLACE}/composition.json: [0] (everyone).priority: Input should be less than or equal to 100",
    ),
    "a glob that matches nothing": (
        {"domains": [{"domain": "money", "globs": ["x/**", "./x"]}]},
        f"{PLACE}/domains.json: [0] (money).globs[1]: './x' matches no file",
    ),
    "a rule for nobody": (
        {"rules": [{"id": "sec-one-01", "agent": "watchr"}]},
        f"{PLACE}/rules.json: [0] (sec-one-01): agent names watchr, and there is no such agent; did you mean watcher?",
    ),
    "a policy for nobody": (
        {"composition": [policy("extra", "bnker", ALWAYS)]},
        f"{PLACE}/composition.json: [0] (extra): dispatch.agent names bnker, and there is no such agent; "
        "did you mean banker?",
    ),
    "a policy for no domain": (
        {"composition": [policy("extra", "banker", {"type": "domain", "domains": ["mony"]})]},
        f"{PLACE}/composition.json: [0] (extra): trigger.domains names mony, and there is no such domain; "
        "did you mean money?",
    ),
    "no policy for every change": (
        {"composition": [{"id": "everyone", "trigger": MONEY}]},
        f"{PLACE}/composition.json: no policy has the trigger always, so a change may be seen by nobody",
    ),
    "a rule that nobody looks for": (
        {"composition": [{"id": "money", "enabled": False}]},
        f"{PLACE}/rules.json: the shipped fin-one-01 lacks what it needs: "
        "no policy sends banker, so nobody looks for it",
    ),
    "a shipped policy without its domain": (
        {"domains": [{"domain": "money", "enabled": False}]},
        f"{PLACE}/composition.json: the shipped money lacks what it needs: "
        "trigger.domains names money, and there is no such domain",
    ),
    "an own rule of a reviewer that is switched off": (
        {"agents": [{"id": "banker", "enabled": False}], "rules": [{"id": "fin-one-01", "severity": "info"}]},
        f"{PLACE}/rules.json: [0] (fin-one-01): agent names banker, and there is no such agent",
    ),
    "nothing to switch off": (
        {"composition": [{"id": "moneyy", "enabled": False}]},
        f"{PLACE}/composition.json: [0] (moneyy): there is no such entry to switch off; did you mean money?",
    ),
    "the name of a built-in reviewer": (
        {"agents": [agent("gap-detection")]},
        f"{PLACE}/agents.json: [0] (gap-detection): id is that of a built-in reviewer, "
        "so one of the two would not be heard",
    ),
    "neither on nor off": (
        {"rules": [{"id": "sec-one-01", "enabled": "no"}]},
        f"{PLACE}/rules.json: [0] (sec-one-01).enabled: must be true or false",
    ),
}


@pytest.mark.parametrize(("files", "what"), BROKEN.values(), ids=BROKEN)
def test_a_mistake_is_told_with_its_file_and_place(files: dict[str, Any], what: str) -> None:
    assert refusal(**files) == what


def test_a_file_that_is_no_json_is_told_by_its_name() -> None:
    with pytest.raises(ConfigError) as raised:
        load_pipeline([layer("built-in", FILES), Layer(PLACE, {"rules": b'[{"id": "a", "id": "b"}]'})])
    assert raised.value.what == f"{PLACE}/rules.json: it cannot be read: not JSON: a key stands twice in one object"
