"""The reviewers of the pipeline: patterns are looked for by the check engine, all else by a model."""

from __future__ import annotations

from collections.abc import Callable

from review_gate.pipeline.gap_question import gap_task
from review_gate.pipeline.gap_vote import GAP_DETECTION, GapPart, GapVote, gap_vote, paths_in
from review_gate.pipeline.schema import AgentManifest, ManifestEntry, PRFacts
from review_gate.pipeline.vote import AgentPart, Ground, vote
from review_gate.ports import Outcome
from review_gate.shell.check_reviewers import SharedScan
from review_gate.shell.model_panel import Panel


class AgentReviewer:
    """One entry of the manifest; `part` is what its word was made of, once it was said."""

    def __init__(self, entry: ManifestEntry, ground: Ground, *, scan: SharedScan | None, panel: Panel | None) -> None:
        self._ground = ground
        self._scan = scan
        self._panel = panel
        self.part = AgentPart(entry=entry)
        self.is_required = entry.is_required or ground.is_model_required

    @property
    def id(self) -> str:
        """The name of the reviewer."""
        return self.part.entry.agent

    def review(self) -> Outcome:
        """What its patterns and its model say together."""
        entry = self.part.entry
        if self._panel is not None:
            # The model is asked first, and the patterns are looked for while it thinks.
            self._panel.begin([entry])
        scanned = self._scan.opinion_of_agent(self.id, entry.files) if self._scan is not None else None
        model = self._panel.looks_of(entry) if self._panel is not None else None
        self.part = AgentPart(entry=entry, scanned=scanned, model=model)
        voted = vote(self.part, self._ground)
        self.is_required = voted.is_required
        return voted.outcome


class GapReviewer:
    """The question whether a reviewer is missing; whom it adds is told to `add`, before anybody later looks."""

    id = GAP_DETECTION

    def __init__(self, manifest: AgentManifest, facts: PRFacts, panel: Panel, add: Callable[[GapVote], None]) -> None:
        self._facts = facts
        self._panel = panel
        self._add = add
        self.part = GapPart(manifest=manifest)
        self.is_required = panel.ground.is_model_required

    def review(self) -> Outcome:
        """Whom it adds; it says nothing about the content."""
        ground, manifest = self._panel.ground, self.part.manifest
        # The reviewers that are known already need not wait for this answer.
        self._panel.begin([])
        asked = self._panel.ask_about_gaps(gap_task(manifest, ground.config, self._facts))
        part = GapPart(
            manifest=manifest,
            known=asked.known,
            answers=tuple(future.result() for future in asked.asked),
            not_shown=asked.not_shown,
        )
        self.part = part.model_copy(update={"paths": paths_in(part.received, self._facts)})
        voted = gap_vote(self.part, ground)
        self.is_required = voted.is_required
        self._add(voted)
        return voted.outcome
