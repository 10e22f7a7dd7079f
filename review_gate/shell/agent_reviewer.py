"""A reviewer of the pipeline: its patterns are looked for by the check engine, all else by a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from review_gate.models import Finding
from review_gate.pipeline.aggregate import aggregate, escalate
from review_gate.pipeline.config_schema import AgentEntry, PipelineConfig
from review_gate.pipeline.schema import ManifestEntry
from review_gate.ports import Outcome
from review_gate.shell.check_reviewers import SharedScan

if TYPE_CHECKING:
    from review_gate.shell.model_panel import Panel


class AgentReviewer:
    """One entry of the manifest; without a panel its patterns alone decide, and `why_alone` says why."""

    def __init__(
        self,
        entry: ManifestEntry,
        config: PipelineConfig,
        *,
        scan: SharedScan | None,
        panel: Panel | None,
        why_alone: str = "",
        is_model_required: bool = False,
    ) -> None:
        self._entry = entry
        self._config = config
        self._agent: AgentEntry = config.agent(entry.agent)
        self._scan = scan
        self._panel = panel
        self._why_alone = why_alone
        self._is_required = entry.is_required or is_model_required

    @property
    def id(self) -> str:
        """The name of the reviewer."""
        return self._entry.agent

    @property
    def is_required(self) -> bool:
        """Whether its loop is incomplete without it; a limit that kept it from voting makes it so."""
        return self._is_required

    def review(self) -> Outcome:
        """What its patterns and its model say together; what blocks is told even where one of them could not look."""
        scanned = self._by_patterns()
        opinion = self._panel.opinion_of(self._entry) if self._panel else None
        self._is_required = self._is_required or bool(opinion and opinion.is_capped)
        found = aggregate([*scanned.findings, *(opinion.findings if opinion else ())], self._config)
        findings = escalate(found, self._agent)
        problem = scanned.could_not_run or (opinion.problem if opinion else self._missing_model())
        is_blocking = any(finding.severity.is_blocking for finding in findings)
        return Outcome(
            findings=findings,
            could_not_run="" if is_blocking else problem,
            # Patterns have no more to say, as the preview tells that no model is asked.
            detail=problem if is_blocking else "",
            is_of_commits=is_blocking and self._are_of_commits(findings, scanned),
            model=opinion.part if opinion else None,
        )

    def _by_patterns(self) -> Outcome:
        if self._scan is None:
            return Outcome()
        return self._scan.opinion_of_agent(self.id, self._entry.files)

    def _missing_model(self) -> str:
        """Why there is no vote: patterns alone are one, unless a model is required."""
        return self._why_alone if self._is_required or self._scan is None else ""

    @staticmethod
    def _are_of_commits(findings: tuple[Finding, ...], scanned: Outcome) -> bool:
        blocking = {finding.fingerprint for finding in findings if finding.severity.is_blocking}
        return scanned.is_of_commits and blocking <= {finding.fingerprint for finding in scanned.findings}
