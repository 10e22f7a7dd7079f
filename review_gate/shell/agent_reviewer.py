"""The reviewers of the pipeline: patterns are looked for by the check engine, all else by a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from review_gate.pipeline.schema import ManifestEntry
from review_gate.pipeline.vote import AgentPart, Ground, ModelLooks, vote
from review_gate.ports import Outcome
from review_gate.shell.check_reviewers import SharedScan

if TYPE_CHECKING:
    from review_gate.shell.model_panel import Panel


class AgentReviewer:
    """One entry of the manifest; `part` is what its word was made of, once it was said."""

    def __init__(
        self,
        entry: ManifestEntry,
        ground: Ground,
        *,
        scan: SharedScan | None,
        panel: Panel | None,
        session: ModelLooks | None = None,
    ) -> None:
        self._ground = ground
        self._scan = scan
        self._panel = panel
        self.part = AgentPart(entry=entry, session=session)
        self.is_required = entry.is_required or ground.is_model_required

    @property
    def id(self) -> str:
        """The name of the reviewer."""
        return self.part.entry.agent

    def review(self) -> Outcome:
        """What its patterns, its model and the session say together."""
        entry = self.part.entry
        if self._panel is not None:
            # The model is asked first, and the patterns are looked for while it thinks.
            self._panel.begin([entry])
        scanned = self._scan.opinion_of_agent(self.id, entry.files) if self._scan is not None else None
        model = self._panel.looks_of(entry) if self._panel is not None else None
        self.part = self.part.model_copy(update={"scanned": scanned, "model": model})
        voted = vote(self.part, self._ground)
        self.is_required = voted.is_required
        return voted.outcome
