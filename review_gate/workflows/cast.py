"""Who reviews in each loop of a run: those that were planned, and those that a model finds missing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from review_gate.embedded import CHECK_REVIEWERS, GAP_DETECTION, ROUNDS
from review_gate.loops.plan import PlannedReviewer
from review_gate.pipeline.gap_detect import amend
from review_gate.pipeline.schema import AgentManifest, GapLogEntry, ManifestEntry
from review_gate.ports import Progress, Reviewer
from review_gate.shell.agent_reviewer import AgentReviewer
from review_gate.shell.check_reviewers import CheckReviewer, SharedScan
from review_gate.shell.command_reviewer import CommandReviewer
from review_gate.shell.file_reviewers import FileReviewer, SharedPass
from review_gate.workflows.agents import can_look, ground_of, has_patterns, is_for_model, session_looks
from review_gate.workflows.command_folder import CommandFolder, StillnessCheck
from review_gate.workflows.prepare import Prepared

if TYPE_CHECKING:
    from review_gate.pipeline.gap_vote import GapVote


class Cast:
    """The reviewers of a run, made when their loop begins: the manifest may have grown by then."""

    def __init__(self, prepared: Prepared, folder: CommandFolder, progress: Progress) -> None:
        self._prepared = prepared
        self._folder = folder
        config = prepared.loaded.config
        self._files = SharedPass(
            prepared.repository.git,
            prepared.changes,
            config.model_dump(mode="json"),
            progress.files_done,
            prepared.commands,
        )
        self._scan = SharedScan(
            *(prepared.scan_process, prepared.subject, prepared.policy.policy),
            config.limits.command_seconds,
            prepared.commands,
            rules=prepared.stages.rules(),
        )
        self.manifest = prepared.stages.manifest
        self.gaps: tuple[GapLogEntry, ...] = ()
        # Everybody who was asked to look, as they are by then: the last of a name is the one whose word counts.
        self.seen: dict[str, Reviewer] = {}
        if prepared.panel is not None:
            prepared.panel.expect(self._requested(self.manifest))

    def of(self, number: int) -> list[Reviewer]:
        """The reviewers of a loop, as known when it begins."""
        planned = [one for loop in self._prepared.plan.loops if loop.number == number for one in loop.reviewers]
        embedded = [self._embedded(one) for one in planned if not one.is_agent and one.command is None]
        commands = [self._command(one) for one in planned if one.command is not None]
        is_asking = any(one.id == GAP_DETECTION for one in planned)
        asking = [self._asking()] if is_asking and self._prepared.panel is not None else []
        return self._remembered([*embedded, *asking, *self._agents(number, self.manifest.entries), *commands])

    def added_to(self, number: int) -> list[Reviewer]:
        """The reviewers that came to a loop while it ran, and those that were given more files."""
        known = {one.id: one.part.entry for one in self.seen.values() if isinstance(one, AgentReviewer)}
        new = [entry for entry in self.manifest.entries if known.get(entry.agent) != entry]
        return self._remembered(list(self._agents(number, new)))

    def _remembered(self, reviewers: list[Reviewer]) -> list[Reviewer]:
        self.seen |= {reviewer.id: reviewer for reviewer in reviewers}
        return reviewers

    def _embedded(self, planned: PlannedReviewer) -> Reviewer:
        if planned.id == ROUNDS:
            from review_gate.shell.rounds_reviewer import RoundsReviewer
            from review_gate.shell.rounds_store import RoundsStore
            from review_gate.shell.settled_rounds import ROUNDS as FOLDER

            prepared = self._prepared
            repository, settings = prepared.repository, prepared.loaded.config.rounds
            store = RoundsStore(repository.shared_path(FOLDER))
            return RoundsReviewer(repository.git, prepared.subject, settings, store)
        if planned.id in CHECK_REVIEWERS:
            return CheckReviewer(planned.id, self._scan)
        return FileReviewer(planned.id, self._files)

    def _command(self, planned: PlannedReviewer) -> Reviewer:
        assert planned.command is not None  # noqa: S101 - for the type checker; the caller has looked
        config = self._prepared.loaded.config
        check = StillnessCheck(self._folder, config.state_file)
        return CommandReviewer(planned.command, config, self._folder.path, check, self._prepared.commands)

    def _agents(self, number: int, entries: tuple[ManifestEntry, ...] | list[ManifestEntry]) -> Iterator[Reviewer]:
        for entry in entries:
            if entry.loop == number and can_look(self._prepared, entry):
                scan = self._scan if has_patterns(self._prepared, entry) else None
                panel = self._prepared.panel if is_for_model(self._prepared, entry) else None
                looks = session_looks(self._prepared, entry)
                yield AgentReviewer(entry, ground_of(self._prepared), scan=scan, panel=panel, session=looks)

    def _asking(self) -> Reviewer:
        from review_gate.shell.gap_reviewer import GapReviewer

        panel = self._prepared.panel
        assert panel is not None  # noqa: S101 - for the type checker; the caller has looked
        return GapReviewer(self.manifest, self._prepared.stages.facts, panel, self._add)

    def _add(self, voted: GapVote) -> None:
        """Take in whom a model adds, and ask them at once: those of a later loop may answer until it begins."""
        stages, panel = self._prepared.stages, self._prepared.panel
        self.manifest, _ = amend(self.manifest, voted.amendments, stages.facts, stages.config)
        self.gaps = voted.gaps
        if panel is not None and voted.amendments:
            panel.begin(self._requested(self.manifest))

    def _requested(self, manifest: AgentManifest) -> list[ManifestEntry]:
        """Those of the loops of this run that a model is asked for."""
        loops = self._prepared.options.loops
        return [one for one in manifest.entries if one.loop in loops and is_for_model(self._prepared, one)]
