"""Stage 6: findings of all reviewers become one list without doubles, explained by their rules, worst first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from review_gate.models import Finding, Severity, worst_first
from review_gate.pipeline.config_schema import AgentEntry, PipelineConfig, ReviewRule


def aggregate(findings: Iterable[Finding], config: PipelineConfig) -> tuple[Finding, ...]:
    """The findings of a report; the verdict follows from their severities alone."""
    rules = {rule.id: rule for rule in config.rules}
    enriched = [enrich(finding, rules.get(finding.rule)) for finding in findings]
    return worst_first(dedupe(enriched))


def enrich(finding: Finding, rule: ReviewRule | None) -> Finding:
    """A finding with what its rule knows and the reviewer did not say; a reviewer's own words stay."""
    if rule is None:
        return finding
    return finding.model_copy(
        update={
            "category": rule.category,
            "message": finding.message or rule.description,
            "recommendation": finding.recommendation or rule.recommendation,
        }
    )


def dedupe(findings: Sequence[Finding]) -> list[Finding]:
    """What several reviewers found at the same place once: in the words of who finds it worst, and is surest."""
    best: dict[tuple[object, ...], Finding] = {}
    for finding in findings:
        known = best.get(_place(finding))
        if known is None or _weight(finding) > _weight(known):
            best[_place(finding)] = finding
    # A reviewer that tells the same twice may know why.
    return [finding for finding in findings if best[_place(finding)].reviewer == finding.reviewer]


def first_and_worst(looks: Iterable[Sequence[Finding]]) -> list[Finding]:
    """What one reviewer found in several looks: what it tells again counts once, as it was told at its worst."""
    told: list[Finding] = []
    for look in looks:
        before = {_place(finding): number for number, finding in enumerate(told)}
        for finding in look:
            number = before.get(_place(finding))
            if number is None:
                told.append(finding)
            elif _weight(finding) > _weight(told[number]):
                told[number] = finding
    return told


def _place(finding: Finding) -> tuple[object, ...]:
    return finding.fingerprint, finding.rule, finding.file, finding.line


def _weight(finding: Finding) -> tuple[int, float]:
    return -finding.severity.rank, finding.confidence


def escalate(findings: Sequence[Finding], agent: AgentEntry) -> tuple[Finding, ...]:
    """The findings of one reviewer, the worst made worse when so many of its categories fail that it says so."""
    escalation = agent.escalation
    if escalation is None:
        return tuple(findings)
    failed = {finding.category for finding in findings if finding.severity.rank <= escalation.severity.rank}
    if len(failed) < escalation.failures:
        return tuple(findings)
    worst = worst_first(findings)[0]
    return tuple(_raised(finding, escalation.to) if finding is worst else finding for finding in findings)


def _raised(finding: Finding, to: Severity) -> Finding:
    return finding.model_copy(update={"severity": to}) if to.rank < finding.severity.rank else finding
