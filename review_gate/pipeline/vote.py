"""From what models answered to what a reviewer says: pure, so the kept answers of a run give its report once more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from typing import NamedTuple

from review_gate.models import Finding, Frozen
from review_gate.pipeline.aggregate import aggregate, escalate, first_and_worst
from review_gate.pipeline.answers import Unusable, read_answer
from review_gate.pipeline.config_schema import PipelineConfig
from review_gate.pipeline.exhibit import Exhibit, ShownFile, places_of
from review_gate.pipeline.question import REPEATS, ReviewAnswer, findings_of, paths_read, repeats_instructions
from review_gate.pipeline.schema import AgentManifest, ManifestEntry
from review_gate.ports import MESSAGES, SESSION, ModelPart, NotShown, Outcome, Usage, Withheld

PROBLEMS_TOLD = 2
ONLY_SESSION = (
    "only the session that wrote the code answered for it, and assurance: independent wants a model's vote too ({});"
    " review-gate providers tells how one can be asked"
)
NOT_USED = "what the session answered for it is no vote: {}"


class Answered(Frozen):
    """One question that was put: the files that it showed, and what came back, or why nothing did."""

    files: tuple[ShownFile, ...] = ()
    raw: str = ""
    # The line on which the quote of each finding stands, None where it stands nowhere.
    lines: tuple[int | None, ...] = ()
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
    withheld: tuple[Withheld, ...] = ()
    are_messages_cut: bool = False

    @property
    def answers(self) -> tuple[Answered, ...]:
        """The answers of all looks."""
        return tuple(answered for look in self.looks for answered in look.answers)


class AgentPart(Frozen):
    """One reviewer of the pipeline, and all that its patterns, its model and the session brought; None for nothing."""

    entry: ManifestEntry
    scanned: Outcome | None = None
    model: ModelLooks | None = None
    session: ModelLooks | None = None


class Ground(Frozen):
    """What all votes of a run rest on."""

    config: PipelineConfig
    nonce: str = ""
    coverage: float = 1.0
    provider: str = ""
    model: str = ""
    is_model_required: bool = False
    why_no_model: str = ""
    # The word that closed the regions of what the session was shown, and whether its answers are votes.
    session_nonce: str = ""
    is_session_enough: bool = True


class GapPart(Frozen):
    """What a model was asked about a manifest, and what came back; `known` are answers to the same question before.

    `paths` are those of the change that an answer names: no other file can be added to anybody's.
    """

    manifest: AgentManifest
    known: tuple[Answered, ...] = ()
    answers: tuple[Answered, ...] = ()
    paths: tuple[str, ...] = ()
    not_shown: tuple[NotShown, ...] = ()
    withheld: tuple[Withheld, ...] = ()

    @property
    def received(self) -> tuple[Answered, ...]:
        """Every answer that there is."""
        return (*self.known, *(one for one in self.answers if not one.problem))


class Judged(NamedTuple):
    """What one answer comes to."""

    findings: tuple[Finding, ...] = ()
    read: tuple[str, ...] = ()
    problem: str = ""


class Vote(NamedTuple):
    """The word of a reviewer, and whether its loop is incomplete without it."""

    outcome: Outcome
    is_required: bool


def vote(part: AgentPart, ground: Ground) -> Vote:
    """What a reviewer's patterns, model and session say together; what blocks is told even where one could not look."""
    agent = ground.config.agent(part.entry.agent)
    judged = _judged(part.model, part.entry.agent, ground) if part.model else []
    own = _judged(part.session, part.entry.agent, _of_session(ground)) if part.session else []
    scanned = part.scanned or Outcome()
    # A limit that kept it from voting is told by its loop.
    is_capped = part.model is not None and any(one.is_capped for one in part.model.answers)
    is_alone = _is_session_alone(part, judged, ground)
    is_required = part.entry.is_required or ground.is_model_required or is_capped or is_alone
    found = first_and_worst([*_findings_by_look(part.model, judged), *_findings_by_look(part.session, own)])
    findings = escalate(aggregate((*scanned.findings, *found), ground.config), agent)
    problem = scanned.could_not_run or _problem(part, judged, own, ground, is_required=is_required)
    is_blocking = any(finding.severity.is_blocking for finding in findings)
    outcome = Outcome(
        findings=findings,
        could_not_run="" if is_blocking else problem,
        # Patterns have no more to say, as the preview tells that no model is asked.
        detail=(problem if is_blocking else "") or _aside(part, own, ground),
        is_of_commits=is_blocking and _are_of_commits(findings, scanned),
        model=_model_part(part.model, judged, ground) if part.model else _session_part(part.session, own),
        via=SESSION if part.session else None,
    )
    return Vote(outcome, is_required)


def _judged(model: ModelLooks, agent: str, ground: Ground) -> list[Judged]:
    return [judge(one, agent, ground) for one in model.answers]


def _of_session(ground: Ground) -> Ground:
    """The ground with the mark of what the session was shown, which is another one than the models'."""
    return ground.model_copy(update={"nonce": ground.session_nonce})


def _is_session_alone(part: AgentPart, judged: Sequence[Judged], ground: Ground) -> bool:
    """Whether nobody but the session answered where somebody else has to."""
    if part.session is None or ground.is_session_enough:
        return False
    return part.model is None or any(one.problem for one in judged)


def _findings_by_look(model: ModelLooks | None, judged: Sequence[Judged]) -> Iterator[list[Finding]]:
    answers = iter(judged)
    for look in model.looks if model else ():
        known = [finding for file in look.known for finding in file.findings]
        yield known + [finding for one in islice(answers, len(look.answers)) for finding in one.findings]


def _problem(
    part: AgentPart, judged: Sequence[Judged], own: Sequence[Judged], ground: Ground, *, is_required: bool
) -> str:
    """Why there is no vote: patterns alone are one, unless a model is required or the session answered."""
    if _is_session_alone(part, judged, ground):
        return ONLY_SESSION.format(_problems(judged) or ground.why_no_model)
    if part.model is not None:
        return _problems(judged)
    if part.session is not None:
        return _problems(own)
    return ground.why_no_model if is_required or part.scanned is None else ""


def _aside(part: AgentPart, own: Sequence[Judged], ground: Ground) -> str:
    """That an answer of the session is none, where somebody else's word counts anyway."""
    problem = _problems(own)
    is_told = part.model is None and ground.is_session_enough
    return NOT_USED.format(problem) if problem and not is_told else ""


def _problems(judged: Sequence[Judged]) -> str:
    problems = list(dict.fromkeys(one.problem for one in judged if one.problem))
    more = f" and {len(problems) - PROBLEMS_TOLD} more" if len(problems) > PROBLEMS_TOLD else ""
    return "; ".join(problems[:PROBLEMS_TOLD]) + more


def _are_of_commits(findings: Sequence[Finding], scanned: Outcome) -> bool:
    blocking = {finding.fingerprint for finding in findings if finding.severity.is_blocking}
    return scanned.is_of_commits and blocking <= {finding.fingerprint for finding in scanned.findings}


def _model_part(model: ModelLooks, judged: Sequence[Judged], ground: Ground) -> ModelPart:
    return spent_on(model.answers, ground).model_copy(update=_seen(model, judged))


def _seen(model: ModelLooks, judged: Sequence[Judged]) -> dict[str, object]:
    """What somebody was shown, and what of it they read."""
    first = model.looks[0] if model.looks else Look()
    seen = judged[: len(first.answers)]
    read = {*(file.path for file in first.known), *(path for one in seen for path in one.read)}
    cut = dict.fromkeys(file.path for one in model.answers for file in one.files if file.hidden_lines)
    return {
        "from_cache": sum(len(look.known) for look in model.looks),
        "files_shown": len(model.readable),
        "files_read": sum(path in read for path in model.readable),
        "cut": (*cut, *((MESSAGES,) if model.are_messages_cut else ())),
        "unread": tuple(path for path in model.readable if path not in read),
        "not_shown": model.not_shown,
        "withheld": model.withheld,
    }


def _session_part(session: ModelLooks | None, own: Sequence[Judged]) -> ModelPart | None:
    """What the session saw; it was not asked by this run, so it cost this run nothing."""
    if session is None:
        return None
    return ModelPart(provider=SESSION, model="", usd=0.0).model_copy(update=_seen(session, own))


def spent_on(answers: Sequence[Answered], ground: Ground) -> ModelPart:
    """Who was asked how often, and what that took."""
    costs = [one.usd for one in answers if one.model or one.usage != Usage()]
    return ModelPart(
        provider=ground.provider,
        model=next((one.model for one in answers if one.model), ground.model),
        asked=sum(not one.is_capped or one.usage != Usage() for one in answers),
        usage=sum((one.usage for one in answers), Usage()),
        usd=None if None in costs else sum(cost or 0.0 for cost in costs),
    )


def located(answered: Answered, exhibit: Exhibit, nonce: str) -> Answered:
    """An answer with the lines on which its quotes stand in what was shown."""
    answer = read_answer(answered.raw, ReviewAnswer) if not answered.problem else None
    if not isinstance(answer, ReviewAnswer):
        return answered
    return answered.model_copy(update={"lines": places_of(answer.findings, exhibit, nonce)})


def judge(answered: Answered, agent: str, ground: Ground) -> Judged:
    """What one answer comes to: the text that was received decides, and nothing else that is known of it."""
    if answered.problem:
        return Judged(problem=answered.problem)
    answer = read_answer(answered.raw, ReviewAnswer)
    if isinstance(answer, Unusable) or not isinstance(answer, ReviewAnswer):
        return Judged(problem=f"malformed: {answer.why if isinstance(answer, Unusable) else 'another shape'}")
    if repeats_instructions((answered.raw, answer.model_dump_json()), ground.nonce):
        return Judged(problem=REPEATS)
    rules = ground.config.rules_of(agent)
    read = paths_read(answer, answered.files)
    found = findings_of(answer, ground.config.agent(agent), rules, answered.files, ground.nonce)
    return Judged(
        tuple(_at(one, line) for one, line in zip_longest(found, answered.lines[: len(found)]) if one is not None),
        read,
        "" if len(read) >= ground.coverage * len(answered.files) else _unread(read, answered.files),
    )


def _at(finding: Finding, line: int | None) -> Finding:
    """A finding at the line on which its quote stands: that one was counted here."""
    return finding if line is None or finding.file is None else finding.model_copy(update={"line": line})


def _unread(read: Sequence[str], files: Sequence[ShownFile]) -> str:
    missing = next(file.path for file in files if file.path not in read)
    return f"it read {len(read)} of the {len(files)} files that it was shown, without {missing}"
