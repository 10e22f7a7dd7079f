"""The rules of a run's reviewers that have a pattern, beside the checks in force: with reasons and examples too."""

from __future__ import annotations

from dataclasses import replace

from review_gate.checks.schema import Examples
from review_gate.pipeline.config import load_pipeline
from review_gate.pipeline.rule_checks import checks_of
from review_gate.shell.pipeline_files import layers
from review_gate.workflows.checks import LoadedChecks


def with_rules(loaded: LoadedChecks, root: str) -> LoadedChecks:
    """The checks, and behind them the rules of the reviewers of a repository; a check of the same id stays."""
    config = load_pipeline(layers(root))
    known = {rule.id for rule in loaded.rules}
    more = [rule for rule in checks_of(config, [agent.id for agent in config.agents]) if rule.id not in known]
    examples = {
        rule.id: Examples(bad=rule.check.examples.bad, good=rule.check.examples.good)
        for rule in config.rules
        if rule.check is not None
    }
    return replace(loaded, rules=(*loaded.rules, *more), examples={**examples, **loaded.examples})
