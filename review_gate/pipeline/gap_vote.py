"""Stage 4 by a model: from its answers to reviewers that are added; pure, as the votes of reviewers are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from review_gate.pipeline.answers import Unusable, read_answer
from review_gate.pipeline.gap_detect import amend
from review_gate.pipeline.gap_question import GapAnswer, GapProposal, named_paths, usable_amendments
from review_gate.pipeline.parts import Answered, GapPart, Ground
from review_gate.pipeline.question import REPEATS, repeats_instructions
from review_gate.pipeline.schema import Amendment, FileFact, GapLogEntry, PRFacts
from review_gate.pipeline.vote import spent_on
from review_gate.ports import ModelPart, Outcome

NOBODY_MISSING = "nobody is missing"
CONCERN_TOLD = 200
NOTES_TOLD = 3


class GapVote(NamedTuple):
    """Whom a model adds, what is logged of it, and how it is told."""

    outcome: Outcome
    is_required: bool
    amendments: tuple[Amendment, ...]
    gaps: tuple[GapLogEntry, ...]


def gap_vote(part: GapPart, ground: Ground) -> GapVote:
    """What the answers of a model come to; it says nothing about the content, so it is no vote on it."""
    facts = _facts_of(part.paths)
    amendments, notes = usable_amendments(_answer(part.received, ground.nonce), part.manifest, facts, ground.config)
    _, gaps = amend(part.manifest, amendments, facts, ground.config)
    received = (gap_problem(one, ground.nonce) for one in part.received)
    problems = list(dict.fromkeys(filter(None, (*(one.problem for one in part.answers), *received))))
    said = "; ".join([*map(_told, amendments), *_some(notes)])
    problem = "; ".join([*_some(problems), *([said] if said else [])]) if problems else ""
    outcome = Outcome(
        could_not_run=problem, detail=said or NOBODY_MISSING, is_vote=False, model=_model_part(part, ground)
    )
    is_capped = any(one.is_capped for one in part.answers)
    return GapVote(outcome, ground.is_model_required or is_capped, amendments, gaps)


def gap_problem(received: Answered, nonce: str) -> str:
    """Why an answer cannot be used, nothing where it can."""
    answer = _read(received, nonce)
    return answer if isinstance(answer, str) else ""


def paths_in(received: Sequence[Answered], facts: PRFacts, nonce: str) -> tuple[str, ...]:
    """The paths of a change that answers name."""
    return named_paths(_answer(received, nonce), facts)


def _read(received: Answered, nonce: str) -> GapAnswer | str:
    answer = read_answer(received.raw, GapAnswer)
    if not isinstance(answer, GapAnswer):
        return f"malformed: {answer.why if isinstance(answer, Unusable) else 'another shape'}"
    led = repeats_instructions((received.raw, answer.model_dump_json()), nonce)
    return REPEATS if led else answer


def _answer(received: Sequence[Answered], nonce: str) -> GapAnswer:
    """All proposals as one answer, each once."""
    return GapAnswer.model_construct(amendments=tuple(dict.fromkeys(_proposals(received, nonce))))


def _proposals(received: Sequence[Answered], nonce: str) -> Iterator[GapProposal]:
    for one in received:
        answer = _read(one, nonce)
        for proposal in answer.amendments if isinstance(answer, GapAnswer) else ():
            # All files are those that it was shown: who sees a part of a change knows nothing of the others.
            is_part = len(received) > 1 and not proposal.files
            shown = tuple(file.path for file in one.files)
            yield proposal.model_copy(update={"files": shown}) if is_part else proposal


def _facts_of(paths: Sequence[str]) -> PRFacts:
    return PRFacts(base="", head="", files=tuple(FileFact(path, "M", None, None, ()) for path in paths))


def _told(amendment: Amendment) -> str:
    concern = " ".join(amendment.concern.split())
    return f"added {amendment.agent}: {concern[:CONCERN_TOLD]}" + ("..." if len(concern) > CONCERN_TOLD else "")


def _some(texts: Sequence[str]) -> list[str]:
    left = len(texts) - NOTES_TOLD
    return [*texts[:NOTES_TOLD], *([f"and {left} more"] if left > 0 else [])]


def _model_part(part: GapPart, ground: Ground) -> ModelPart:
    cut = dict.fromkeys(file.path for one in part.answers for file in one.files if file.hidden_lines)
    return spent_on(part.answers, ground).model_copy(
        update={
            "from_cache": len(part.known),
            "cut": tuple(cut),
            "not_shown": part.not_shown,
            "withheld": part.withheld,
        }
    )
