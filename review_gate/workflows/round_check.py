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

from review_gate.consensus.agreement import agreement_of, entry_of
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
    VERSION,
    Answer,
    ConsensusState,
    Decision,
    Mode,
    Request,
    ReviewerState,
    ReviewState,
    Vote,
)
from review_gate.consensus.scope import Material, scope_of
from review_gate.consensus.tally import decide
from review_gate.consensus.tracking import PastRound
from review_gate.errors import MisuseError, ReviewGateError
from review_gate.gate.record import EMPTY_TREES
from review_gate.shell import ledger
from review_gate.shell.repository import Repository
from review_gate.shell.rounds_store import ReviewFolder, now_text, seconds_until
from review_gate.workflows.round_ask import last_words, start_asking
from review_gate.workflows.round_begin import next_round
from review_gate.workflows.round_material import NothingToReviewError, material_of
from review_gate.workflows.round_place import Place
from review_gate.workflows.round_refute import in_force, open_state

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


class Replayed(NamedTuple):
    """One round, and whether its decision comes out as it was kept."""

    round: int
    outcome: str
    agrees: bool


def look(folder: ReviewFolder, place: Place) -> Look:
    """Do what comes next, as far as nobody else has to do something first."""
    with folder.alone():
        while True:
            facts = _facts(folder, place)
            said = last_words(folder) if _is_lost(facts) else ""
            step = next_step(facts)
            if not _is_done_here(folder, facts, step, place):
                return _told(folder, facts, step, place)._replace(said=said)


def _facts(folder: ReviewFolder, place: Place) -> Facts:
    state = folder.state()
    _refuse_elsewhere(state, place)
    # Before the answers: a process that has ended writes no more of them.
    is_asking = folder.is_asking
    request = folder.request(state.round)
    _refuse_older(state, request)
    decision = folder.decision(state.round)
    content, unreadable = "", ""
    if decision is not None and state.status != "resolved":
        content, unreadable = _content_now(state, request, decision, place)
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
    )


def _content_now(state: ReviewState, request: Request, decision: Decision, place: Place) -> tuple[str, str]:
    """The digest of the content under review as it is now, or why it cannot be read."""
    try:
        material = material_of(scope_of(state.mode), place.repository, place.environ)
        _refuse_other_branch(request, material, place.repository)
    except ReviewGateError as error:
        # A user who commits exactly what was agreed on has changed nothing.
        is_empty = isinstance(error, NothingToReviewError) and decision.outcome == "agreed"
        if is_empty and _is_committed(state.mode, request, place.repository):
            return request.content, ""
        return "", error.what
    return material.content, ""


def _is_committed(mode: Mode, request: Request, repository: Repository | None) -> bool:
    """Whether what was uncommitted when it was reviewed is one commit by now, with nothing else in it."""
    if repository is None or mode.scope != "uncommitted":
        return False
    code, output, _ = repository.git.try_run("rev-parse", "HEAD^{tree}", "HEAD^@")
    base = request.subject.base
    return code == 0 and output.decode("ascii").split() == [request.subject.tree, *([base] * (base not in EMPTY_TREES))]


def _refuse_other_branch(request: Request, material: Material, repository: Repository | None) -> None:
    """A branch that does not have the reviewed commit has another change."""
    before, now = request.subject, material.subject
    if repository is None or now is None or not before.branch or material.branch == before.branch:
        return
    if repository.git.try_run("merge-base", "--is-ancestor", before.commit or "", now.commit or "")[0] != 0:
        raise ReviewGateError(
            f"{material.branch or 'no branch'} is checked out now, {before.branch} was when the round began",
            why="the change on another branch is not the one under review",
            next_step=f"git switch {quote(before.branch)}, then the same command again",
        )


def _refuse_older(state: ReviewState, request: Request) -> None:
    """A round of an earlier version was shown and decided by other rules."""
    if request.version != VERSION and state.status != "resolved":
        raise ReviewGateError(
            f"{state.id} was begun by an earlier version of review-gate",
            why="its rounds were decided by other rules and cannot be worked out again",
            next_step=f'review-gate rounds close {state.id} --because "earlier version", then begin a new review',
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
        next_round(folder, facts.state, place, facts.refutations)
    else:
        return False
    return True


def _decide(folder: ReviewFolder, facts: Facts) -> None:
    past = [PastRound(folder.request(one.round), one) for one in decisions_of(folder)]
    decision = decide(facts.request, facts.answers, past, facts.state.settings)
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
    if isinstance(step, Agreed) and facts.request.version == VERSION:
        _refuse_forged(folder)
    is_over_now = isinstance(step, Agreed) and facts.state.status != "resolved"
    if is_over_now and facts.decision is not None:
        # The ledger first: a review that is over is not looked at again.
        agreement = agreement_of(state, facts.request, facts.decision, _now())
        if place.repository is not None and agreement is not None:
            ledger.append(place.repository.git, ledger.AGREEMENTS + agreement.tree, lambda _: entry_of(agreement))
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


def decisions_of(folder: ReviewFolder) -> list[Decision]:
    """The decisions that were kept, in order."""
    found = (folder.decision(number) for number in range(1, folder.state().round + 1))
    return [one for one in found if one is not None]


def replayed(folder: ReviewFolder) -> list[Replayed]:
    """Each decision beside the one that follows from the archive alone: those before it are worked out too."""
    state, past = folder.state(), list[PastRound]()
    rounds: list[Replayed] = []
    for number in range(1, state.round + 1):
        kept = folder.decision(number)
        # The last round may be under way, or ended by a person before it was decided.
        if kept is None and number == state.round and state.consensus.outcome != "agreed":
            break
        request = folder.request(number)
        if request.version != VERSION:
            raise ReviewGateError(
                f"round {number} of {folder.id} was decided by an earlier version of review-gate",
                why="its rules were others, so it cannot be worked out again",
                next_step=f"review-gate rounds show {folder.id}",
            )
        again = decide(request, folder.answers(request), past, state.settings)
        past.append(PastRound(request, again))
        rounds.append(Replayed(number, again.outcome, again == kept))
    return rounds


def continued(folder: ReviewFolder) -> None:
    """Grant another round; once for each that was decided."""
    with folder.alone():
        state = open_state(folder)
        if folder.decision(state.round) is None:
            raise ReviewGateError(
                f"round {state.round} of {folder.id} is not decided yet",
                why="another round is granted to whoever knows what this one said",
                next_step=f"review-gate check {folder.id} --wait",
            )
        if state.granted_after < state.round:
            update = {"granted": state.granted + 1, "granted_after": state.round}
            folder.write_state(state.model_copy(update=update))
            folder.log("continued", _now(), round=state.round)


def closed(folder: ReviewFolder, because: str) -> None:
    """End a review without an agreement."""
    if not because.strip():
        raise MisuseError(
            "--because says nothing",
            why="the reason for which a review ended is kept",
            next_step=f"review-gate rounds close {folder.id} --because TEXT",
        )
    with folder.alone():
        state = open_state(folder)
        end_asking(folder)
        consensus = state.consensus.model_copy(update={"outcome": "closed", "reason": because})
        folder.write_state(state.model_copy(update={"status": "resolved", "consensus": consensus}))
        folder.log("closed", _now(), round=state.round, because=because)


def _now() -> str:
    return now_text(datetime.now(UTC))
