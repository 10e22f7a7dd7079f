"""From what models answered to what a reviewer says: pure, so the kept answers of a run give its report once more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from review_gate.models import Finding, Frozen
from review_gate.pipeline.aggregate import aggregate, escalate, first_and_worst
from review_gate.pipeline.answers import Unusable, read_answer
from review_gate.pipeline.config_schema import PipelineConfig
from review_gate.pipeline.exhibit import ShownFile
from review_gate.pipeline.question import ReviewAnswer, findings_of, paths_read
from review_gate.pipeline.schema import ManifestEntry
from review_gate.ports import ModelPart, NotShown, Outcome, Usage

PROBLEMS_TOLD = 2


class Answered(Frozen):
    """One question that was put: the files that it showed, and what came back, or why nothing did."""

    files: tuple[ShownFile, ...] = ()
    raw: str = ""
    model: str = ""
    usage: Usage = Usage()
    # None where nobody knows the price.
    usd: float | None = None
    problem: str = ""
    # Whether it was a limit of the run that kept the answer away.
    is_capped: bool = False


class KnownFile(Frozen):
    """What an earlier answer says of exactly this text of a file."""

    path: str
    findings: tuple[Finding, ...]


class Look(Frozen):
    """One look of a reviewer at its files: what was known of some, and the questions about the others."""

    known: tuple[KnownFile, ...] = ()
    answers: tuple[Answered, ...] = ()


class ModelLooks(Frozen):
    """All that a reviewer's model had to do with a run; the first look is the one that has to see every file."""

    looks: tuple[Look, ...]
    readable: tuple[str, ...]
    not_shown: tuple[NotShown, ...] = ()

    @property
    def answers(self) -> tuple[Answered, ...]:
        """The answers of all looks."""
        return tuple(answered for look in self.looks for answered in look.answers)


class AgentPart(Frozen):
    """One reviewer of the pipeline, and all that its patterns and its model brought; None where it has none of them."""

    entry: ManifestEntry
    scanned: Outcome | None = None
    model: ModelLooks | None = None


class Ground(Frozen):
    """What all votes of a run rest on."""

    config: PipelineConfig
    nonce: str = ""
    coverage: float = 1.0
    provider: str = ""
    model: str = ""
    is_model_required: bool = False
    why_no_model: str = ""


class Vote(NamedTuple):
    """The word of a reviewer, and whether its loop is incomplete without it."""

    outcome: Outcome
    is_required: bool


class _Judged(NamedTuple):
    """What one answer comes to."""

    findings: tuple[Finding, ...] = ()
    read: tuple[str, ...] = ()
    problem: str = ""


def vote(part: AgentPart, ground: Ground) -> Vote:
    """What a reviewer's patterns and model say together; what blocks is told even where one of them could not look."""
    agent = ground.config.agent(part.entry.agent)
    judged = [judge(one, part.entry.agent, ground) for one in part.model.answers] if part.model else []
    scanned = part.scanned or Outcome()
    # A limit that kept it from voting is told by its loop.
    is_capped = part.model is not None and any(one.is_capped for one in part.model.answers)
    is_required = part.entry.is_required or ground.is_model_required or is_capped
    found = first_and_worst(_findings_by_look(part.model, judged)) if part.model else []
    findings = escalate(aggregate((*scanned.findings, *found), ground.config), agent)
    problem = scanned.could_not_run or _problem(part, judged, ground, is_required=is_required)
    is_blocking = any(finding.severity.is_blocking for finding in findings)
    outcome = Outcome(
        findings=findings,
        could_not_run="" if is_blocking else problem,
        # Patterns have no more to say, as the preview tells that no model is asked.
        detail=problem if is_blocking else "",
        is_of_commits=is_blocking and _are_of_commits(findings, scanned),
        model=_model_part(part.model, judged, ground) if part.model else None,
    )
    return Vote(outcome, is_required)


def judge(answered: Answered, agent: str, ground: Ground) -> _Judged:
    """What one answer comes to: the text that was received decides, and nothing else that is known of it."""
    if answered.problem:
        return _Judged(problem=answered.problem)
    answer = read_answer(answered.raw, ReviewAnswer)
    if isinstance(answer, Unusable) or not isinstance(answer, ReviewAnswer):
        return _Judged(problem=f"malformed: {answer.why if isinstance(answer, Unusable) else 'another shape'}")
    rules = ground.config.rules_of(agent)
    read = paths_read(answer, answered.files)
    return _Judged(
        findings_of(answer, ground.config.agent(agent), rules, answered.files, ground.nonce),
        read,
        "" if len(read) >= ground.coverage * len(answered.files) else _unread(read, answered.files),
    )


def _findings_by_look(model: ModelLooks, judged: Sequence[_Judged]) -> Iterator[list[Finding]]:
    answers = iter(judged)
    for look in model.looks:
        known = [finding for file in look.known for finding in file.findings]
        yield known + [finding for one in islice(answers, len(look.answers)) for finding in one.findings]


def _problem(part: AgentPart, judged: Sequence[_Judged], ground: Ground, *, is_required: bool) -> str:
    """Why there is no vote: patterns alone are one, unless a model is required."""
    if part.model is None:
        return ground.why_no_model if is_required or part.scanned is None else ""
    problems = list(dict.fromkeys(one.problem for one in judged if one.problem))
    more = f" and {len(problems) - PROBLEMS_TOLD} more" if len(problems) > PROBLEMS_TOLD else ""
    return "; ".join(problems[:PROBLEMS_TOLD]) + more


def _unread(read: Sequence[str], files: Sequence[ShownFile]) -> str:
    missing = next(file.path for file in files if file.path not in read)
    return f"it read {len(read)} of the {len(files)} files that it was shown, without {missing}"


def _are_of_commits(findings: Sequence[Finding], scanned: Outcome) -> bool:
    blocking = {finding.fingerprint for finding in findings if finding.severity.is_blocking}
    return scanned.is_of_commits and blocking <= {finding.fingerprint for finding in scanned.findings}


def _model_part(model: ModelLooks, judged: Sequence[_Judged], ground: Ground) -> ModelPart:
    first = model.looks[0] if model.looks else Look()
    seen = judged[: len(first.answers)]
    read = {*(file.path for file in first.known), *(path for one in seen for path in one.read)}
    cut = dict.fromkeys(file.path for one in model.answers for file in one.files if file.hidden_lines)
    return spent_on(model.answers, ground).model_copy(
        update={
            "from_cache": sum(len(look.known) for look in model.looks),
            "files_shown": len(model.readable),
            "files_read": sum(path in read for path in model.readable),
            "cut": tuple(cut),
            "unread": tuple(path for path in model.readable if path not in read),
            "not_shown": model.not_shown,
        }
    )


def spent_on(answers: Sequence[Answered], ground: Ground) -> ModelPart:
    """Who was asked how often, and what that took."""
    costs = [one.usd for one in answers if one.model or one.usage != Usage()]
    return ModelPart(
        provider=ground.provider,
        model=next((one.model for one in answers if one.model), ground.model),
        asked=sum(not one.is_capped for one in answers),
        usage=sum((one.usage for one in answers), Usage()),
        usd=None if None in costs else sum(cost or 0.0 for cost in costs),
    )
