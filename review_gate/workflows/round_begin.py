"""A round begins: what is there now is shown to everybody, and a process of its own asks."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from review_gate.config.schema import Config
from review_gate.consensus.material import Material
from review_gate.consensus.refute import renewed
from review_gate.consensus.schema import (
    Answer,
    Mode,
    Refutation,
    Request,
    ReviewerState,
    ReviewState,
    Settings,
    Source,
    Subject,
)
from review_gate.consensus.scope import Scope, scope_of
from review_gate.consensus.show import showing
from review_gate.errors import ReviewGateError
from review_gate.safe_text import written_out
from review_gate.shell.background import Background, said_in, start_in_background
from review_gate.shell.cache_folder import cache_folder
from review_gate.shell.repository import Repository
from review_gate.shell.rounds_store import ReviewFolder, RoundsStore
from review_gate.shell.settled_rounds import ROUNDS
from review_gate.workflows.pool import Pool
from review_gate.workflows.round_behind import left_behind
from review_gate.workflows.round_material import material_of
from review_gate.workflows.round_refusals import refuse_nothing_shown, usable_pool
from review_gate.workflows.round_times import later, now_text
from review_gate.workflows.round_tools import ToolFindings, tool_findings
from review_gate.workflows.round_words import refuse_unfit

SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID"
# Long enough that nobody guesses it, short enough to be repeated.
NONCE_BYTES = 8
ID_BYTES = 4
BEGIN_SECONDS = 20.0
LOOK_SECONDS = 0.02
# The lines of the file in which a refutation has its evidence, as they are now.
LinesOf = Callable[[Refutation], Sequence[str]]
SOURCES: dict[str, tuple[Source, str]] = {
    "code-diff": ("code-review-iterative", "code"),
    "plan": ("plan-review-iterative", "plan"),
    "artifact": ("artifact-review-iterative", "artifact"),
}


class Place(NamedTuple):
    """Where reviews are kept, and by whose settings they go."""

    store: RoundsStore
    config: Config
    repository: Repository | None
    # The work tree, or the current folder where there is none.
    top: str
    environ: Mapping[str, str]

    @property
    def worktree(self) -> str:
        """The work tree as it is written down, whatever bytes its name is made of."""
        return written_out(self.top)


class Spawned(NamedTuple):
    """A review that was begun, or one of the same that is under way already."""

    folder: ReviewFolder
    state: ReviewState
    pool: Pool
    material: Material | None
    is_new: bool


def store_of(repository: Repository | None, environ: Mapping[str, str]) -> RoundsStore:
    """Where the reviews of a repository are kept; of a user where there is none."""
    if repository is not None:
        return RoundsStore(repository.shared_path(ROUNDS))
    return RoundsStore(os.path.join(cache_folder(environ, sys.platform) or os.path.abspath(".review-gate"), ROUNDS))


def spawn(place: Place, scope: Scope, prompt: str) -> Spawned:
    """Begin a review of a scope, unless the same one of the same content is under way."""
    pool = usable_pool(place.config, place.environ)
    refuse_unfit("--prompt", prompt, place)
    material = material_of(scope, place.repository, place.environ)
    refuse_nothing_shown(scope, material.files)
    mode = _mode(scope, prompt)
    # Of two who begin the same at once, the second finds that of the first.
    with place.store.alone():
        known = _same_under_way(place, mode, material)
        if known is not None:
            return Spawned(known, known.state(), pool, None, is_new=False)
        folder = place.store.create(f"{SOURCES[mode.type][1]}-{secrets.token_hex(ID_BYTES)}")
        state = _first_state(folder, place, mode, pool)
        _write_round(folder, request_of(state, material, pool, tools=_tools(place, material)), pool)
        folder.write_state(state)
        _supersede(folder, place, mode)
    folder.log(
        "spawned",
        state.created,
        round=1,
        reviewers=_names(pool),
        not_asked=pool.problems,
    )
    with folder.alone():
        start_asking(folder, 1, place)
    return Spawned(folder, state, pool, material, is_new=True)


def next_round(
    folder: ReviewFolder, state: ReviewState, place: Place, refutations: Sequence[Refutation], lines_of: LinesOf
) -> ReviewState:
    """Everything as it is now, before everybody; what cannot be shown is an error that says so."""
    before = folder.request(state.round)
    pool = usable_pool(place.config, place.environ)
    scope = scope_of(state.mode)
    material = material_of(scope, place.repository, place.environ)
    refuse_nothing_shown(scope, material.files)
    following = state.model_copy(
        update={"round": state.round + 1, "status": "pending", "reviewers": _asked(pool), "starts": 0}
    )
    request = request_of(following, material, pool, tools=_tools(place, material), before=before)
    # One whose code or evidence has changed goes with no further round.
    kept = (renewed(one, before, request, lines_of(one)) for one in refutations)
    request = request.model_copy(update={"refutations": tuple(one for one in kept if one is not None)})
    _write_round(folder, request, pool)
    folder.write_state(following)
    names = {"reviewers": _names(pool), "not_asked": pool.problems}
    folder.log("round", request.began, round=request.round, **names)
    start_asking(folder, request.round, place)
    return following


def request_of(
    state: ReviewState,
    material: Material,
    pool: Pool,
    *,
    tools: ToolFindings,
    before: Request | None = None,
) -> Request:
    """What is asked in the current round of a review; the words that close its regions stay, for the caches' sake."""
    nonce = before.nonce if before is not None else secrets.token_hex(NONCE_BYTES)
    shown = showing(material.files, nonce, state.round, before)
    subject, began = material.subject, datetime.now(UTC)
    return Request(
        round=state.round,
        began=now_text(began),
        deadline=later(began, state.settings.answer_seconds),
        nonce=nonce,
        content=material.content,
        subject=Subject(**subject.model_dump(), branch=material.branch) if subject is not None else Subject(),
        members=(*pool.members, *pool.absent),
        base=shown.base,
        groups=shown.groups,
        updates=shown.updates,
        shown=dict(shown.shown),
        not_shown=shown.not_shown,
        withheld=material.withheld,
        tools=tools.issues,
        tool_problem=tools.problem,
    )


def _tools(place: Place, material: Material) -> ToolFindings:
    return tool_findings(place.repository, material.subject, place.config)


def _write_round(folder: ReviewFolder, request: Request, pool: Pool) -> None:
    """What is asked, and the answer of everybody who cannot be."""
    folder.write_request(request)
    for name, why in pool.problems.items():
        folder.write_answer(request.round, Answer(member=name, problem=why, finished=request.began))


def start_asking(folder: ReviewFolder, number: int, place: Place) -> None:
    """Start the process that asks, and return once it does, or has ended; nobody else may do that meanwhile."""
    if folder.is_asking:
        return
    folder.forget_asker()
    arguments = ["rounds", "ask", folder.path, str(number)]
    process = start_in_background(arguments, directory=place.top, environ=place.environ, log=folder.said)
    until = time.monotonic() + BEGIN_SECONDS
    while time.monotonic() < until:
        # Asked first: one that has ended since then has done its work.
        has_ended = process.exit_code is not None
        if folder.is_asking or _is_done(folder, number):
            return
        if has_ended:
            raise _not_begun(folder, process)
        time.sleep(LOOK_SECONDS)
    raise _not_begun(folder, process)


def last_words(folder: ReviewFolder) -> str:
    """What the process that asked last said before it ended, in one line; empty where it said nothing."""
    lines = [line for line in said_in(folder.said).splitlines() if line.strip()]
    told = [line for line in lines if line.startswith(("error: ", "blocked: ", "interrupted: "))]
    return (told or lines[-1:] or [""])[0].strip()


def _is_done(folder: ReviewFolder, number: int) -> bool:
    request = folder.request(number)
    return len(folder.answers(request)) == len(request.members)


def _not_begun(folder: ReviewFolder, process: Background) -> ReviewGateError:
    process.end()
    why = last_words(folder) or "the process that asks did not begin"
    return ReviewGateError(
        f"the reviewers of {folder.id} could not be asked: {why}",
        why="nobody has voted",
        next_step=f"review-gate check {folder.id}, which asks again",
    )


def _mode(scope: Scope, prompt: str) -> Mode:
    kind = scope.kind if scope.kind in ("plan", "artifact") else "code-diff"
    return Mode.model_validate(
        {
            "type": kind,
            "scope": scope.kind,
            "value": scope.value,
            "diff_args": scope.diff_args,
            "plan_path": scope.value if kind == "plan" else "",
            "artifact_path": scope.value if kind == "artifact" else "",
            "prompt": prompt,
        }
    )


def _first_state(folder: ReviewFolder, place: Place, mode: Mode, pool: Pool) -> ReviewState:
    return ReviewState(
        id=folder.id,
        status="pending",
        trigger_source=SOURCES[mode.type][0],
        mode=mode,
        settings=_settings(place),
        worktree=place.worktree,
        session=place.environ.get(SESSION_VARIABLE, ""),
        created=now_text(datetime.now(UTC)),
        round=1,
        reviewers=_asked(pool),
    )


def _settings(place: Place) -> Settings:
    rounds = place.config.rounds
    return Settings(
        quorum=rounds.quorum,
        independent_families=rounds.independent_families,
        max_rounds=rounds.max_rounds,
        late_round=rounds.late_round,
        answer_seconds=rounds.answer_seconds,
    )


def _asked(pool: Pool) -> dict[str, ReviewerState]:
    why = pool.problems
    return {
        one.name: ReviewerState(
            status="could_not_run" if one.name in why else "asked",
            family=one.family,
            model=one.model,
            problem=why.get(one.name, ""),
        )
        for one in (*pool.members, *pool.absent)
    }


def _same_under_way(place: Place, mode: Mode, material: Material) -> ReviewFolder | None:
    """A review of the same that waits for its reviewers, or for what they found to be mended: it goes on."""
    for folder, state in place.store.reviews():
        # One that is damaged is none that could go on.
        with contextlib.suppress(ReviewGateError):
            is_same = state.mode == mode and state.worktree == place.worktree
            if is_same and _goes_on(state, folder.request(state.round), material, place):
                return folder
    return None


def _goes_on(state: ReviewState, request: Request, material: Material, place: Place) -> bool:
    """Nobody is asked twice about the same, least of all until nobody finds anything that had to be settled."""
    is_same = request.content == material.content
    if state.status == "pending" or is_same:
        return is_same and (state.status == "pending" or state.has_open_findings)
    base = material.subject.base if material.subject is not None else ""
    # A review keeps the settings that it began with, so whoever has changed them wants another one.
    is_to_mend = state.has_open_findings and state.consensus.outcome == "fix"
    is_alike = request.subject.base == base and state.settings == _settings(place)
    # On another branch the same words name another change.
    return is_to_mend and is_alike and not left_behind(state.mode, request.subject, material, place.repository)


def _supersede(folder: ReviewFolder, place: Place, mode: Mode) -> None:
    """Whoever agreed on what is not there any more has nothing to say beside a new review of the same."""
    for other, seen in place.store.reviews():
        if seen.mode != mode or seen.worktree != place.worktree or seen.status != "awaiting_decision":
            continue
        # One that is damaged has agreed on nothing.
        with contextlib.suppress(ReviewGateError), other.alone():
            state = other.state()
            decision = other.decision(state.round)
            # Its last look may have found nothing that could be read.
            if state.status == "awaiting_decision" and decision is not None and decision.outcome == "agreed":
                reason = f"{folder.id} came after it"
                consensus = state.consensus.model_copy(update={"outcome": "closed", "reason": reason})
                other.write_state(state.model_copy(update={"status": "resolved", "consensus": consensus}))


def _names(pool: Pool) -> list[str]:
    return [one.name for one in pool.members]
