"""Check files to the plan that hooks and scans read."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

from review_gate.checks.plan import CheckPlan, plan_of
from review_gate.checks.rule import Rule
from review_gate.checks.sought import Sought, sought_for
from review_gate.config.keys import nearest
from review_gate.errors import ConfigError, ReviewGateError
from review_gate.shell.check_plan import key_of, read_plan, settings_for, sources_in_force, write_plan
from review_gate.shell.check_sources import PACK, CheckSource
from review_gate.shell.pack_cache import cached_pack, keep_pack
from review_gate.shell.repository import Repository
from review_gate.workflows.checks import checks_of
from review_gate.workflows.configure import load_configuration


def compiled(sources: Sequence[CheckSource], settings: Mapping[str, object]) -> CheckPlan:
    """The plan that files and settings make."""
    loaded = checks_of([source for source in sources if source.owner != PACK])
    found: dict[str, tuple[Rule, Sought | None]] = {rule.id: (rule, None) for rule in loaded.rules}
    for source in sources:
        if source.owner == PACK:
            plan = _pack_plan(source)
            for rule, sought in zip(plan.rules, plan.sought, strict=True):
                # The earlier id wins, and packs come last.
                found.setdefault(rule.id, (rule, sought))
    rules = adjusted([rule for rule, _ in found.values()], settings)
    return CheckPlan(rules, [found[rule.id][1] or sought_for(rule) for rule in rules], loaded.warnings)


def _pack_plan(source: CheckSource) -> CheckPlan:
    """The plan of a shipped pack, made once for all repositories of a user."""
    plan = cached_pack(source, os.environ)
    if plan is None:
        plan = plan_of(checks_of([source]).rules)
        keep_pack(source, plan, os.environ)
    return plan


def adjusted(rules: Sequence[Rule], settings: Mapping[str, object]) -> list[Rule]:
    """The checks without those that are disabled, and with the severities that the configuration gives them."""
    disabled, severities = settings.get("disable"), settings.get("severity")
    names = [rule.id for rule in rules]
    off = disabled if isinstance(disabled, list) else []
    changed = severities if isinstance(severities, dict) else {}
    for key, chosen in (("disable", off), ("severity", list(changed))):
        for name in chosen:
            if name not in names:
                raise _unknown(f"checks.{key}", str(name), names)
    for rule in rules:
        rule.severity = str(changed.get(rule.id, rule.severity))
    return [rule for rule in rules if rule.id not in off]


def _unknown(key: str, name: str, names: Sequence[str]) -> ConfigError:
    near = nearest(name, names)
    return ConfigError(
        f"{key} names {name}, and there is no such check" + (f"; did you mean {near}?" if near else ""),
        why="a misspelt name leaves the check as it was, and nobody would notice",
        next_step="review-gate checks list, then correct .review-gate.yaml",
    )


def keep_plan(repository: Repository, settings: Mapping[str, object], only: Sequence[str] = ()) -> CheckPlan:
    """The plan of the checks in force, kept for the next time."""
    settings = settings_for(settings, only)
    sources = sources_in_force(repository.top, settings, dict(os.environ), only)
    key = key_of(sources, settings)
    plan = read_plan(repository, key, is_named=bool(only))
    if plan is None:
        plan = compiled(sources, settings)
        write_plan(repository, key, plan, is_named=bool(only))
    return plan


def main() -> None:
    """Make the plan for a hook that found its copy out of date; the hook reads our error text."""
    repository, only = Repository(*sys.argv[2:5]), sys.argv[5:]
    try:
        keep_plan(
            repository, {} if only else load_configuration(repository).config.checks.model_dump(mode="json"), only
        )
    except ReviewGateError as error:
        sys.stderr.write(f"{error.what}\n{error.why}\n\n{error.next_step}\n")
        sys.exit(error.exit_code)
