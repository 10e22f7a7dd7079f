"""A run as it is kept: what everybody said, from which the whole report is worked out again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, model_validator

from review_gate.embedded import GAP_DETECTION
from review_gate.gate.decision import Decision, RefDecision, Words
from review_gate.gate.push import RefUpdate
from review_gate.gate.record import ID_LENGTHS, LOOP_STATUSES
from review_gate.loops.earlier import Memory, in_the_light_of
from review_gate.loops.report import LOOPS, LoopResult, ReviewerResult, RunHead, RunReport
from review_gate.loops.run import judge_loop, result_of
from review_gate.models import Frozen
from review_gate.pipeline.schema import GapLogEntry, ManifestEntry
from review_gate.pipeline.vote import AgentPart, GapPart, Ground, vote
from review_gate.ports import COULD_NOT_RUN, REVIEWER_FAILED, REVIEWER_PASSED

if TYPE_CHECKING:
    from review_gate.pipeline.gap_vote import GapVote

Part = AgentPart | GapPart
# What a report says as it stands here, so that a damaged file says nothing else.
RunId = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Moment = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")]
LoopNumber = Annotated[int, Field(ge=LOOPS[0], le=LOOPS[-1])]
_OBJECT_ID = re.compile("|".join(f"[0-9a-f]{{{length}}}" for length in ID_LENGTHS))
_STATUSES = (REVIEWER_PASSED, REVIEWER_FAILED, COULD_NOT_RUN)


class KeptHead(RunHead):
    """What a run was about, read strictly."""

    id: RunId
    started: Moment
    finished: Moment
    requested: tuple[LoopNumber, ...] = Field(min_length=1)
    file_count: int = Field(ge=0)

    @model_validator(mode="after")
    def _is_about_objects(self) -> KeptHead:
        ids = (self.subject.name, self.subject.tree, self.subject.base)
        if not all(map(_OBJECT_ID.fullmatch, ids)):
            raise ValueError("no ids of objects")
        return self


class KeptResult(Frozen):
    """A reviewer whose own words are all that there is."""

    kind: Literal["result"] = "result"
    result: ReviewerResult


class KeptAgent(Frozen):
    """A reviewer of the pipeline: what its model answered, and what was found by its patterns."""

    kind: Literal["agent"] = "agent"
    seconds: float
    part: AgentPart


class KeptGaps(Frozen):
    """What a model answered when it was asked who is missing."""

    kind: Literal["gaps"] = "gaps"
    seconds: float
    part: GapPart


KeptReviewer = Annotated[KeptResult | KeptAgent | KeptGaps, Field(discriminator="kind")]


class KeptLoop(Frozen):
    """One loop of the run alone, without what earlier runs add; the status is that of a loop in which nobody spoke."""

    number: LoopNumber
    status: str
    note: str
    reviewers: tuple[KeptReviewer, ...]

    @model_validator(mode="after")
    def _has_known_statuses(self) -> KeptLoop:
        spoken = [kept.result.status for kept in self.reviewers if isinstance(kept, KeptResult)]
        if self.status not in LOOP_STATUSES or not set(spoken) <= set(_STATUSES):
            raise ValueError("a status that nobody knows")
        return self


class KeptRef(Frozen):
    """The gate's word on one ref."""

    reason: str
    local_ref: str
    local_oid: str
    remote_ref: str
    commit: str
    what: str
    why: str
    next_step: str
    blockers: tuple[str, ...]
    reviewed_commit: str
    uncovered: tuple[str, ...]


class RunArchive(Frozen):
    """Everything that the report of a run is made of."""

    version: Literal[1] = 1
    head: KeptHead
    # Those that a manifest brought; a model's are worked out from its answers.
    given_gaps: tuple[GapLogEntry, ...]
    ground: Ground
    loops: tuple[KeptLoop, ...]
    memory: Memory
    # The word that the gate said then; None for what was only staged.
    decision: KeptRef | None
    shown: int = Field(ge=1)

    @model_validator(mode="after")
    def _has_each_loop(self) -> RunArchive:
        if tuple(loop.number for loop in self.loops) != LOOPS:
            raise ValueError("not each loop once, in their order")
        return self

    @model_validator(mode="after")
    def _knows_its_reviewers(self) -> RunArchive:
        known = {agent.id for agent in self.ground.config.agents}
        parts = [kept.part for loop in self.loops for kept in loop.reviewers if not isinstance(kept, KeptResult)]
        asked = {entry.agent for part in parts for entry in _entries(part)}
        if not asked <= known:
            raise ValueError("a reviewer that nobody knows")
        return self


def _entries(part: Part) -> tuple[ManifestEntry, ...]:
    return part.manifest.entries if isinstance(part, GapPart) else (part.entry,)


def archive_of(
    report: RunReport,
    parts: Mapping[str, Part],
    ground: Ground,
    memory: Memory,
    decision: Decision | None,
    *,
    shown: int,
) -> RunArchive:
    """The archive of a run whose loops are told without what earlier runs add."""
    by_model = [gap for kept in parts.values() if isinstance(kept, GapPart) for gap in _asked(kept, ground).gaps]
    return RunArchive(
        head=KeptHead(**dict(report.head)),
        given_gaps=report.gaps[: len(report.gaps) - len(by_model)],
        ground=_needed(ground, parts),
        loops=tuple(_kept_loop(loop, parts, ground) for loop in report.loops),
        memory=memory,
        decision=_kept_ref(decision.leading) if decision is not None else None,
        shown=shown,
    )


def replay(archive: RunArchive) -> RunReport:
    """The report once more, from what everybody said."""
    fresh = [_loop(kept, archive.ground) for kept in archive.loops]
    parts = (kept.part for loop in archive.loops for kept in loop.reviewers if isinstance(kept, KeptGaps))
    by_model = tuple(gap for part in parts for gap in _asked(part, archive.ground).gaps)
    loops = in_the_light_of(archive.memory, fresh, requested=archive.head.requested)
    return RunReport(**dict(archive.head), loops=loops, gaps=(*archive.given_gaps, *by_model))


def decision_then(archive: RunArchive) -> Decision | None:
    """What the gate said when the run was recorded."""
    kept = archive.decision
    if kept is None:
        return None
    ref = RefUpdate(kept.local_ref, kept.local_oid, kept.remote_ref, None, commit=kept.commit or None)
    words = Words(kept.what, why=kept.why, next_step=kept.next_step, blockers=kept.blockers)
    leading = RefDecision(kept.reason, ref, words, reviewed_commit=kept.reviewed_commit, uncovered=kept.uncovered)
    return Decision(leading, (leading,), () if leading.allowed else (leading,))


def _needed(ground: Ground, parts: Mapping[str, Part]) -> Ground:
    """The ground without the policies, domains and rules that no vote of the run rests on."""
    rules = tuple(rule for rule in ground.config.rules if rule.agent in parts)
    agents = ground.config.agents if GAP_DETECTION in parts else [ground.config.agent(name) for name in parts]
    config = ground.config.model_copy(
        update={"rules": rules, "agents": tuple(agents), "composition": (), "domains": ()}
    )
    return ground.model_copy(update={"config": config})


def _kept_loop(loop: LoopResult, parts: Mapping[str, Part], ground: Ground) -> KeptLoop:
    kept = tuple(_kept(result, parts.get(result.id), ground) for result in loop.reviewers)
    return KeptLoop(number=loop.number, status=loop.status, note=loop.note, reviewers=kept)


def _kept(result: ReviewerResult, part: Part | None, ground: Ground) -> KeptResult | KeptAgent | KeptGaps:
    """What its word was made of, unless something else came of it: a reviewer that broke has said only that."""
    kept: KeptAgent | KeptGaps | None = None
    if isinstance(part, AgentPart):
        kept = KeptAgent(seconds=result.seconds, part=part)
    elif isinstance(part, GapPart):
        kept = KeptGaps(seconds=result.seconds, part=part)
    return kept if kept is not None and _said_again(kept, ground) == result else KeptResult(result=result)


def _said_again(kept: KeptResult | KeptAgent | KeptGaps, ground: Ground) -> ReviewerResult:
    if isinstance(kept, KeptResult):
        return kept.result
    if isinstance(kept, KeptAgent):
        voted = vote(kept.part, ground)
        return result_of(kept.part.entry.agent, voted.outcome, kept.seconds, is_required=voted.is_required)
    asked = _asked(kept.part, ground)
    return result_of(GAP_DETECTION, asked.outcome, kept.seconds, is_required=asked.is_required)


def _asked(part: GapPart, ground: Ground) -> GapVote:
    # A run that asks no model need not know how answers are read.
    from review_gate.pipeline.gap_vote import gap_vote

    return gap_vote(part, ground)


def _loop(kept: KeptLoop, ground: Ground) -> LoopResult:
    if not kept.reviewers:
        return LoopResult(number=kept.number, status=kept.status, note=kept.note)
    return judge_loop(kept.number, tuple(_said_again(one, ground) for one in kept.reviewers), kept.note)


def _kept_ref(ref: RefDecision) -> KeptRef:
    asked = ref.ref or RefUpdate("", "", "", None)
    return KeptRef(
        reason=ref.reason,
        local_ref=asked.local_ref,
        local_oid=asked.local_oid,
        remote_ref=asked.remote_ref,
        commit=ref.commit,
        what=ref.words.what,
        why=ref.words.why,
        next_step=ref.words.next_step,
        blockers=ref.words.blockers,
        reviewed_commit=ref.reviewed_commit,
        uncovered=ref.uncovered,
    )
