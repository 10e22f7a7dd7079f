"""review-gate check: collect what has come in, decide, and say what to do next; a mended text goes before all again."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from shlex import quote
from typing import NamedTuple

from review_gate.consensus.engine import (
    Agreed,
    AskAgain,
    AskPerson,
    Decide,
    Facts,
    GiveUp,
    NextRound,
    NextStep,
    next_step,
)
from review_gate.consensus.schema import (
    Answer,
    ConsensusState,
    Decision,
    Request,
    ReviewerState,
    ReviewState,
    Vote,
)
from review_gate.consensus.scope import scope_of
from review_gate.consensus.tally import decide
from review_gate.consensus.tracking import PastRound
from review_gate.errors import MisuseError, ReviewGateError
from review_gate.shell.rounds_store import ReviewFolder
from review_gate.workflows.round_begin import Place, last_words, next_round, start_asking
from review_gate.workflows.round_behind import is_committed, left_behind
from review_gate.workflows.round_ledger import record_agreement
from review_gate.workflows.round_material import NothingToReviewError, material_of
from review_gate.workflows.round_refute import evidence_lines, in_force
from review_gate.workflows.round_replay import replayed
from review_gate.workflows.round_times import now_text, seconds_until

TOO_LATE = "it gave no answer by the deadline"
LOST = "whoever asked it ended {} times without an answer{}"
# What asks may need so long to write down that it was too late itself.
GRACE_SECONDS = 5.0
MOST_STARTS = 3
# What is interrupted needs no longer to end what it started.
END_SECONDS = 3.0
LOOK_SECONDS = 0.01


class Look(NamedTuple):
    """A review as it stands now, and what comes next."""

    folder: ReviewFolder
    state: ReviewState
    request: Request
    decision: Decision | None
    answers: Mapping[str, Answer]
    step: NextStep
    # What the process that asked said before it was lost.
    said: str = ""


def look(folder: ReviewFolder, place: Place) -> Look:
    """Do what comes next, as far as nobody else has to do something first."""
    with folder.alone():
        while True:
            facts = _facts(folder, place)
            said = last_words(folder) if _is_lost(facts) else ""
            step = next_step(facts)
            if not _is_done_here(folder, facts, step, place):
                return _told(folder, facts, step, place)._replace(said=said)


def past_rounds(folder: ReviewFolder, before: int) -> list[PastRound]:
    """The rounds that were decided before another."""
    found = []
    for number in range(1, before):
        decision = folder.decision(number)
        if decision is not None:
            found.append(PastRound(folder.request(number), decision))
    return found


def decided(folder: ReviewFolder, state: ReviewState, number: int) -> Decision:
    """What a round comes to, from what was kept of it and of those before."""
    request = folder.request(number)
    return decide(request, folder.answers(request), past_rounds(folder, number), state.settings)


def _facts(folder: ReviewFolder, place: Place) -> Facts:
    state = folder.state()
    _refuse_elsewhere(state, place)
    # Before the answers: nobody who has ended writes any more of them.
    is_asking = folder.is_asking
    request = folder.request(state.round)
    decision = folder.decision(state.round)
    content, unreadable, behind = "", "", ""
    if decision is not None and state.status != "resolved":
        try:
            material = material_of(scope_of(state.mode), place.repository, place.environ)
            content, behind = material.content, left_behind(state.mode, request.subject, material, place.repository)
        except ReviewGateError as error:
            unreadable = error.what
            # Whoever commits exactly what was agreed on has changed nothing.
            is_empty = isinstance(error, NothingToReviewError) and decision.outcome == "agreed"
            if is_empty and is_committed(state.mode, request.subject, place.repository):
                content, unreadable = request.content, ""
    return Facts(
        state=state,
        request=request,
        answers=folder.answers(request),
        decision=decision,
        is_asking=is_asking,
        left=seconds_until(request.deadline) + (GRACE_SECONDS if is_asking else 0),
        content=content,
        unreadable=unreadable,
        refutations=in_force(folder.refutations(), state.mode, place) if decision is not None else (),
        left_behind=behind,
    )


def _refuse_elsewhere(state: ReviewState, place: Place) -> None:
    """What differs in one work tree is nothing that another review is about."""
    if state.mode.type != "code-diff" or state.status == "resolved" or state.worktree == place.worktree:
        return
    close = f"review-gate rounds close {state.id} --because TEXT"
    raise MisuseError(
        f"{state.id} is a review of another work tree: {state.worktree}",
        why="what is in this one says nothing about it",
        next_step=f"cd {quote(state.worktree)}, then the same command again"
        if os.path.isdir(state.worktree)
        else f"that one is gone: {close}",
    )


def _is_lost(facts: Facts) -> bool:
    """Whether somebody asked and is gone without all answers."""
    is_whole = all(member.name in facts.answers for member in facts.request.members)
    is_over = facts.decision is not None or facts.state.status == "resolved"
    return not is_over and not facts.is_asking and not is_whole


def _is_done_here(folder: ReviewFolder, facts: Facts, step: NextStep, place: Place) -> bool:
    """Do a step that needs nobody else; whether there was one."""
    if isinstance(step, Decide):
        _decide(folder, facts)
    elif isinstance(step, GiveUp):
        end_asking(folder)
        _cannot_run(folder, facts, step.missing, TOO_LATE)
    elif isinstance(step, AskAgain):
        return _ask_again(folder, facts, step, place)
    elif isinstance(step, NextRound):
        mode = facts.state.mode
        next_round(folder, facts.state, place, facts.refutations, lambda one: evidence_lines(one.file, mode, place))
    else:
        return False
    return True


def _decide(folder: ReviewFolder, facts: Facts) -> None:
    decision = decided(folder, facts.state, facts.request.round)
    state = facts.state.model_copy(
        update={
            "status": "awaiting_decision",
            "reviewers": _reviewers(facts.state, decision, facts.answers),
            "consensus": _consensus(decision),
        }
    )
    # The decision comes last: without it everything is worked out again.
    folder.write_state(state)
    folder.write_decision(decision)
    folder.log("decided", _now(), round=decision.round, outcome=decision.outcome, because=decision.because)


def _reviewers(state: ReviewState, decision: Decision, answers: Mapping[str, Answer]) -> dict[str, ReviewerState]:
    return {
        name: one.model_copy(
            update={
                "status": "could_not_run" if decision.votes[name] is Vote.NONE else "answered",
                "vote": decision.votes[name],
                "problem": decision.problems.get(name, ""),
                "model": answers[name].model or one.model,
            }
        )
        for name, one in state.reviewers.items()
    }


def _consensus(decision: Decision) -> ConsensusState:
    votes = list(decision.votes.values())
    return ConsensusState(
        outcome=decision.outcome,
        reason=decision.reason,
        round=decision.round,
        passes=votes.count(Vote.PASS),
        votes=len(votes) - votes.count(Vote.NONE),
        quorum=decision.quorum,
        open=len(decision.blocking),
    )


def _ask_again(folder: ReviewFolder, facts: Facts, step: AskAgain, place: Place) -> bool:
    """Start whoever asks once more; one that ends time and again asks nobody."""
    starts = facts.state.starts + 1
    if starts > MOST_STARTS:
        said = last_words(folder)
        _cannot_run(folder, facts, step.missing, LOST.format(MOST_STARTS, f": {said}" if said else ""))
        return True
    folder.write_state(facts.state.model_copy(update={"starts": starts}))
    folder.log("asked again", _now(), round=facts.request.round, reviewers=list(step.missing), said=last_words(folder))
    start_asking(folder, facts.request.round, place)
    return False


def _cannot_run(folder: ReviewFolder, facts: Facts, missing: tuple[str, ...], why: str) -> None:
    for name in missing:
        answer = Answer(member=name, problem=why, failure="timeout", finished=_now())
        folder.write_answer(facts.request.round, answer)
        folder.log("given up", _now(), round=facts.request.round, reviewer=name, problem=why)


def end_asking(folder: ReviewFolder) -> None:
    """End the process that asks, if there is one, with what it started."""
    for signal_name in ("SIGTERM", "SIGKILL"):
        pid = folder.asker
        if pid is None:
            return
        with contextlib.suppress(OSError):
            os.kill(pid, getattr(signal, signal_name, signal.SIGTERM))
        until = time.monotonic() + END_SECONDS
        while folder.is_asking and time.monotonic() < until:
            time.sleep(LOOK_SECONDS)


def _told(folder: ReviewFolder, facts: Facts, step: NextStep, place: Place) -> Look:
    """The review as it stands; one that has agreed on what is there is over."""
    state = _state_after(facts, step)
    if isinstance(step, Agreed):
        _refuse_forged(folder)
    is_over_now = isinstance(step, Agreed) and facts.state.status != "resolved"
    if is_over_now and facts.decision is not None:
        # The ledger first: a review that is over is not looked at again.
        record_agreement(place.repository, state, facts.request, facts.decision, _now())
    if state != facts.state:
        folder.write_state(state)
        if state.status == "resolved":
            folder.log("resolved", _now(), round=state.round, outcome="agreed")
    return Look(folder, state, facts.request, facts.decision, facts.answers, step)


def _state_after(facts: Facts, step: NextStep) -> ReviewState:
    """What the decision came to, unless a person has to look; what kept a person busy may be settled by now."""
    if facts.decision is None or facts.state.status == "resolved":
        return facts.state
    consensus = _consensus(facts.decision)
    if isinstance(step, AskPerson):
        consensus = consensus.model_copy(update={"outcome": "needs_person", "reason": step.reason})
    status = "resolved" if isinstance(step, Agreed) else facts.state.status
    return facts.state.model_copy(update={"consensus": consensus, "status": status})


def _refuse_forged(folder: ReviewFolder) -> None:
    """Nobody has agreed because a file says so: it has to follow from what was answered."""
    differing = [one.round for one in replayed(folder) if not one.agrees]
    if differing:
        raise ReviewGateError(
            f"{folder.id}: the decision of round {differing[0]} does not follow from the answers that were kept",
            why="somebody or something changed the files of this review",
            next_step=f"review-gate rounds replay {folder.id}, then begin a new review",
        )


def _now() -> str:
    return now_text(datetime.now(UTC))
