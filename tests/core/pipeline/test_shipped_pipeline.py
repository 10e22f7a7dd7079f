"""The shipped rules, agents, policies and domains keep their promises, and their patterns do what they say."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from composing import facts_of
from file_schemas import FILES, schema_text

from review_gate.checks.engine import Engine
from review_gate.checks.rule import REGEX, Rule
from review_gate.checks.sought import sought_for
from review_gate.models import Severity
from review_gate.pipeline.classify import classify
from review_gate.pipeline.compose import compose
from review_gate.pipeline.config import load_pipeline
from review_gate.pipeline.config_schema import OnDomain, ReviewRule
from review_gate.shell.pipeline_files import layers, prompt_text

LAYERS = layers("no such folder")
# Read as if somebody else had written it, which tries out every pattern.
CONFIG = load_pipeline([layer._replace(is_shipped=False) for layer in LAYERS])
AGENTS = {agent.id for agent in CONFIG.agents}
CHECKED = {rule.id: rule for rule in CONFIG.rules if rule.check is not None}
FOLDER = Path(__file__).parents[3] / "review_gate" / "pipeline" / "config"
LEAST_RULES = 60
LEAST_CHECKED = 20


def test_there_are_rules_for_every_agent_and_some_work_without_a_model() -> None:
    counts = Counter(rule.agent for rule in CONFIG.rules)
    assert len(CONFIG.rules) >= LEAST_RULES
    assert counts.keys() == AGENTS
    assert len(CHECKED) >= LEAST_CHECKED


def test_what_is_shipped_is_read_the_same_without_trying_it_out() -> None:
    assert load_pipeline(LAYERS) == CONFIG


def test_ids_are_unique() -> None:
    for entries in (CONFIG.rules, CONFIG.agents, CONFIG.composition):
        assert [name for name, count in Counter(entry.id for entry in entries).items() if count > 1] == []
    assert len({mapping.domain for mapping in CONFIG.domains}) == len(CONFIG.domains)


def test_references_resolve_and_nothing_is_orphaned() -> None:
    domains = {mapping.domain for mapping in CONFIG.domains}
    sent = {policy.dispatch.agent for policy in CONFIG.composition}
    assert {rule.agent for rule in CONFIG.rules} <= sent == AGENTS
    named = {
        name for policy in CONFIG.composition if isinstance(policy.trigger, OnDomain) for name in policy.trigger.domains
    }
    assert named <= domains


def test_some_policy_holds_for_every_change_and_priorities_are_in_range() -> None:
    assert any(policy.trigger.type == "always" for policy in CONFIG.composition)
    assert all(0 <= policy.priority <= 100 for policy in CONFIG.composition)


def test_every_description_says_something() -> None:
    texts = [rule.description for rule in CONFIG.rules] + [agent.description for agent in CONFIG.agents]
    texts += [policy.description for policy in CONFIG.composition]
    texts += [mapping.description for mapping in CONFIG.domains]
    assert all(text.strip() for text in texts)


def test_the_categories_of_the_source_design_are_there() -> None:
    categories = {agent: {rule.category for rule in CONFIG.rules_of(agent)} for agent in AGENTS}
    assert len(categories["build-reviewer"]) == 6
    assert len(categories["finance-sme"]) == 8
    assert len(categories["design-auditor"]) == 15
    auditor = CONFIG.agent("design-auditor")
    assert auditor.severity_words == {"fail": Severity.MAJOR, "warn": Severity.WARNING, "pass": None}
    assert auditor.escalation is not None
    assert (auditor.escalation.failures, auditor.escalation.to) == (3, Severity.CRITICAL)


@pytest.mark.parametrize("agent", sorted(AGENTS))
def test_every_agent_has_its_prompt(agent: str) -> None:
    assert len(prompt_text("no such folder", CONFIG.agent(agent).prompt).splitlines()) >= 20


@pytest.mark.parametrize("name", FILES)
def test_the_shipped_schemas_are_those_of_the_models(name: str) -> None:
    assert (FOLDER / "schemas" / f"{name}.schema.json").read_text() == schema_text(name)


@pytest.mark.parametrize("rule", CHECKED.values(), ids=CHECKED)
def test_the_pattern_of_a_rule_finds_its_bad_examples_and_leaves_the_good_ones_alone(rule: ReviewRule) -> None:
    assert rule.check is not None
    sought = Rule(rule.id, rule.check.pattern, match_rule=REGEX)
    engine = Engine([sought], [sought_for(sought)])
    assert [text for text in rule.check.examples.bad if not engine.hits(text.encode())] == []
    assert [text for text in rule.check.examples.good if engine.hits(text.encode())] == []
    assert re.compile(rule.check.pattern).match("") is None


CHANGES = {
    "a document": (["README.md"], {"build-reviewer", "security-reviewer"}),
    "money": (["src/billing/invoice.ts"], {"build-reviewer", "security-reviewer", "finance-sme", "test-reviewer"}),
    "a page": (
        ["src/components/Button.tsx"],
        {"build-reviewer", "security-reviewer", "performance-reviewer", "design-auditor", "test-reviewer"},
    ),
}


@pytest.mark.parametrize(("paths", "expected"), CHANGES.values(), ids=CHANGES)
def test_changes_are_seen_by_those_who_know_about_them(paths: list[str], expected: set[str]) -> None:
    found = facts_of(CONFIG, *((path, "M", 3, 1) for path in paths))
    manifest = compose(found, classify(found, CONFIG.domains), CONFIG)
    assert {entry.agent for entry in manifest.entries} == expected
    assert {one.agent for one in manifest.not_chosen} == AGENTS - expected
