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
    """One finding for each fingerprint and line: the worst of them, and of equals the one that is surest."""
    best: dict[tuple[str, int | None], Finding] = {}
    for finding in findings:
        # The same code on two lines is found twice; the same place by two reviewers once.
        place = finding.fingerprint, finding.line
        known = best.get(place)
        if known is None or _weight(finding) > _weight(known):
            best[place] = finding
    return list(best.values())


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
