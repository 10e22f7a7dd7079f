"""Stage 3: declarative policies choose who looks at a change, at which of its files, and say why."""

from __future__ import annotations

from collections.abc import Iterable

from review_gate.pipeline.config_schema import (
    AgentEntry,
    Always,
    CompositionPolicy,
    OnChangeType,
    OnDomain,
    OnRisk,
    PipelineConfig,
    RiskLevel,
)
from review_gate.pipeline.schema import AgentManifest, ManifestEntry, NotChosen, PRClassification, PRFacts

_LEVELS: tuple[RiskLevel, ...] = ("low", "medium", "high")


def compose(facts: PRFacts, classified: PRClassification, config: PipelineConfig) -> AgentManifest:
    """Everyone whom a policy sends, the highest priority first; who is not sent is listed with what did not happen."""
    entries: list[ManifestEntry] = []
    not_chosen: list[NotChosen] = []
    for agent in config.agents:
        policies = [policy for policy in config.composition if policy.dispatch.agent == agent.id]
        reasons = {policy.id: reason for policy in policies if (reason := _triggered(policy, classified))}
        if reasons:
            chosen = [policy for policy in policies if policy.id in reasons]
            entries.append(_entry(agent, chosen, tuple(dict.fromkeys(reasons.values())), facts))
        else:
            not_chosen.append(NotChosen(agent=agent.id, because=_missed(policies)))
    return AgentManifest(entries=in_order(entries), not_chosen=tuple(not_chosen))


def in_order(entries: Iterable[ManifestEntry]) -> tuple[ManifestEntry, ...]:
    """Entries as they are asked and reported: by loop, then the highest priority first."""
    return tuple(sorted(entries, key=lambda entry: (entry.loop, -entry.priority, entry.agent)))


def _entry(
    agent: AgentEntry, policies: list[CompositionPolicy], because: tuple[str, ...], facts: PRFacts
) -> ManifestEntry:
    return ManifestEntry(
        agent=agent.id,
        loop=agent.loop,
        priority=max(policy.priority for policy in policies),
        is_required=agent.required,
        files=_files(policies, facts),
        because=because,
    )


def _files(policies: list[CompositionPolicy], facts: PRFacts) -> tuple[str, ...] | None:
    """The files that the policies are about, None where one of them is about all."""
    wanted: set[str] = set()
    for policy in policies:
        if policy.dispatch.scope == "all" or not isinstance(policy.trigger, OnDomain):
            return None
        wanted.update(policy.trigger.domains)
    return tuple(file.path for file in facts.files if not wanted.isdisjoint(file.domains))


def _triggered(policy: CompositionPolicy, classified: PRClassification) -> str:
    """Why a policy holds for a change, nothing when it does not."""
    trigger = policy.trigger
    if isinstance(trigger, Always):
        return "every change"
    if isinstance(trigger, OnDomain):
        touched = [domain for domain in trigger.domains if domain in classified.domains]
        return f"files in {', '.join(touched)}" if touched else ""
    if isinstance(trigger, OnRisk):
        is_reached = _LEVELS.index(classified.risk_level) >= _LEVELS.index(trigger.at_least)
        return f"{classified.risk_level} risk ({classified.risk})" if is_reached else ""
    return f"a change of type {classified.change_type}" if classified.change_type in trigger.types else ""


def _missed(policies: list[CompositionPolicy]) -> str:
    """What would have sent a reviewer."""
    return "not " + ", nor ".join(dict.fromkeys(map(_condition, policies))) if policies else "no policy sends it"


def _condition(policy: CompositionPolicy) -> str:
    trigger = policy.trigger
    if isinstance(trigger, OnDomain):
        return f"files in {' or '.join(trigger.domains)}"
    if isinstance(trigger, OnRisk):
        return f"{trigger.at_least} risk"
    if isinstance(trigger, OnChangeType):
        return f"a change of type {' or '.join(trigger.types)}"
    return "every change"
