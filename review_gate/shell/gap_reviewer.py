"""The question whether a reviewer is missing, as one of the reviewers of a run."""

from __future__ import annotations

from collections.abc import Callable

from review_gate.embedded import GAP_DETECTION
from review_gate.pipeline.gap_vote import GapVote, gap_task, gap_vote, paths_in
from review_gate.pipeline.schema import AgentManifest, PRFacts
from review_gate.pipeline.vote import GapPart
from review_gate.ports import Outcome
from review_gate.shell.model_panel import Panel


class GapReviewer:
    """Asks once; whom it adds is told to `add`, before anybody later looks."""

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
        asked = self._panel.ask_about_gaps(gap_task(manifest, ground.config, self._facts, self._panel.unshown))
        part = GapPart(
            manifest=manifest,
            known=asked.known,
            answers=tuple(future.result() for future in asked.asked),
            not_shown=asked.not_shown,
            withheld=asked.withheld,
        )
        self.part = part.model_copy(update={"paths": paths_in(part.received, self._facts, ground.nonce)})
        voted = gap_vote(self.part, ground)
        self.is_required = voted.is_required
        self._add(voted)
        return voted.outcome
