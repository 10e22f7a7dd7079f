"""Check files to the plan that hooks and scans read."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

from review_gate.checks.baseline import read_baseline
from review_gate.checks.labels import USER_LABEL
from review_gate.checks.plan import CheckPlan, plan_of
from review_gate.checks.rule import Rule
from review_gate.checks.sought import Sought, sought_for
from review_gate.checks.strictness import checks_strictness
from review_gate.checks.weakened import weakened
from review_gate.config.keys import nearest
from review_gate.config.load import Loaded
from review_gate.errors import ConfigError, ReviewGateError
from review_gate.shell.check_key import key_of, plan_key, settings_for, sources_in_force, strictness_key
from review_gate.shell.check_plan import NAMED, WHOLE, plan_bytes, read_plan, write_needles, write_plan
from review_gate.shell.check_sources import PACK, CheckSource
from review_gate.shell.pack_cache import cached_pack, keep_pack
from review_gate.shell.policy_cache import Policy, write_checks
from review_gate.shell.repository import Repository
from review_gate.workflows.baseline import baseline_bytes
from review_gate.workflows.compile_child import complain
from review_gate.workflows.configure import compiled_configuration, load_configuration
from review_gate.workflows.policy import see_checks


def compiled(sources: Sequence[CheckSource], settings: Mapping[str, object]) -> CheckPlan:
    """The plan that files and settings make."""
    # The readers of check files are imported where there is something to compile, which is seldom.
    from review_gate.workflows.checks import checks_of

    loaded = checks_of(_written(sources))
    found: dict[str, tuple[Rule, Sought | None]] = {rule.id: (rule, None) for rule in loaded.rules}
    replaced = [(lost.rule, lost.winner) for lost in loaded.shadowed if _is_of_user(lost.winner, but_not=lost.rule)]
    for source in sources:
        if source.owner == PACK:
            plan = _pack_plan(source)
            for rule, sought in zip(plan.rules, plan.sought, strict=True):
                # The earlier id wins, and packs come last.
                winner, _ = found.setdefault(rule.id, (rule, sought))
                if winner is not rule:
                    replaced.append((rule, winner))
    rules = [rule for rule, _ in found.values()]
    missing = list(weakened(rules, replaced, settings)) if settings else []
    rules = adjusted(rules, settings)
    ways = [found[rule.id][1] or sought_for(rule) for rule in rules]
    return CheckPlan(rules, ways, loaded.warnings, missing)


def _is_of_user(rule: Rule, *, but_not: Rule) -> bool:
    return rule.source.startswith(USER_LABEL) and not but_not.source.startswith(USER_LABEL)


def _pack_plan(source: CheckSource) -> CheckPlan:
    """The plan of a shipped pack, made once for all repositories of a user."""
    plan = cached_pack(source, os.environ)
    if plan is None:
        from review_gate.workflows.checks import checks_of

        plan = plan_of(checks_of([source]).rules)
        keep_pack(source, plan, os.environ)
    return plan


def adjusted(rules: Sequence[Rule], settings: Mapping[str, object], *, is_complete: bool = True) -> list[Rule]:
    """The checks without those that are disabled, and with the severities that the configuration gives them.

    Only among all checks can it be told that the configuration names one that does not exist; one of a pack that is
    left out exists.
    """
    disabled, severities = settings.get("disable"), settings.get("severity")
    names = [rule.id for rule in rules]
    off = disabled if isinstance(disabled, list) else []
    changed = severities if isinstance(severities, dict) else {}
    for key, chosen in (("disable", off), ("severity", list(changed))):
        for name in chosen if is_complete else ():
            if name not in names and not _is_in_a_pack(str(name)):
                raise _unknown(f"checks.{key}", str(name), names)
    kept = [rule for rule in rules if rule.id not in off]
    return [rule._replace(severity=str(changed[rule.id])) if rule.id in changed else rule for rule in kept]


def _is_in_a_pack(name: str) -> bool:
    """Whether a check is in a pack that is shipped and not chosen."""
    from review_gate.workflows.checks import pack_with

    return pack_with(name) is not None


def _unknown(key: str, name: str, names: Sequence[str]) -> ConfigError:
    near = nearest(name, names)
    return ConfigError(
        f"{key} names {name}, and there is no such check" + (f"; did you mean {near}?" if near else ""),
        why="a misspelt name leaves the check as it was, and nobody would notice",
        # It may stand in the project's file, the user's or the environment; that command names the place.
        next_step=f"correct {key} (review-gate config show), then: review-gate checks list",
    )


def keep_plan(repository: Repository, settings: Mapping[str, object], only: Sequence[str] = ()) -> CheckPlan:
    """The plan of the checks in force, kept for the next time."""
    settings = settings_for(settings, only)
    sources = _sources(repository, settings, only)
    return _kept_plan(repository, settings, sources, is_named=bool(only))[0]


def _sources(repository: Repository, settings: Mapping[str, object], only: Sequence[str] = ()) -> list[CheckSource]:
    if not only:
        see_checks(repository, settings)
    return sources_in_force(repository.top, settings, dict(os.environ), only)


def _kept_plan(
    repository: Repository, settings: Mapping[str, object], sources: Sequence[CheckSource], *, is_named: bool = False
) -> tuple[CheckPlan, str]:
    """The plan that files and settings make, with its key."""
    name = NAMED if is_named else WHOLE
    key = key_of(sources, settings) if is_named else plan_key(_written(sources), settings)
    plan = read_plan(repository, key, name)
    if plan is None:
        plan = compiled(sources, settings)
        write_plan(repository, key, plan, name)
        if not is_named:
            write_needles(repository, key, plan.for_messages().needles())
    return plan, key


def _written(sources: Sequence[CheckSource]) -> list[CheckSource]:
    return [source for source in sources if source.owner != PACK]


def keep_strictness(repository: Repository, settings: Mapping[str, object]) -> tuple[CheckPlan | None, str]:
    """The plan of the checks in force and its strictness, both kept; neither where checks are switched off."""
    if not settings.get("enabled"):
        return None, ""
    sources = _sources(repository, settings)
    (plan, _), data = _kept_plan(repository, settings, sources), baseline_bytes(repository.top, settings)
    strictness = checks_strictness(plan.rules, None if data is None else read_baseline(data, str(settings["baseline"])))
    # The key is of the bytes that were read, for the files may be other ones by now.
    write_checks(repository, strictness_key(_written(sources), settings, data), strictness)
    return plan, strictness


def policy_of(repository: Repository, loaded: Loaded) -> tuple[Policy, CheckPlan | None]:
    """The policy that a configuration makes with the checks as they are now, and the plan of these checks."""
    plan, strictness = keep_strictness(repository, loaded.config.checks.model_dump(mode="json"))
    return Policy(compiled_configuration(loaded), strictness), plan


def main() -> None:
    """Make the plan for a hook that found its copy out of date; it is printed, for it may not be kept."""
    repository = Repository(*sys.argv[2:5])
    try:
        settings = _settings_of(repository)
        sources = _sources(repository, settings)
        plan, key = _kept_plan(repository, settings, sources)
    except ReviewGateError as error:
        complain(error)
    else:
        sys.stdout.buffer.write(plan_bytes(key, plan))


def main_strictness() -> None:
    """Print the strictness of the checks for a push that found its copy out of date."""
    repository = Repository(*sys.argv[2:5])
    try:
        sys.stdout.write(keep_strictness(repository, _settings_of(repository))[1])
    except ReviewGateError as error:
        complain(error)


def _settings_of(repository: Repository) -> dict[str, object]:
    return load_configuration(repository).config.checks.model_dump(mode="json")
