"""Rules that a pattern can catch, as checks: they work where no model can be asked."""

from __future__ import annotations

from collections.abc import Iterable

from review_gate.checks.rule import REGEX, Rule
from review_gate.pipeline.config_schema import PipelineConfig, ReviewRule, RuleCheck

# How reports call the place where these checks are written down.
SOURCE = "rules.json"


def checks_of(config: PipelineConfig, agents: Iterable[str]) -> list[Rule]:
    """The checks of some reviewers."""
    wanted = frozenset(agents)
    return [_check(rule, rule.check) for rule in config.rules if rule.check is not None and rule.agent in wanted]


def _check(rule: ReviewRule, check: RuleCheck) -> Rule:
    return Rule(
        rule.id,
        check.pattern,
        match_rule=REGEX,
        reason=rule.description,
        severity=rule.severity.value,
        category=rule.category,
        include=check.include,
        exclude=check.exclude,
        languages=check.languages,
        source=SOURCE,
    )
