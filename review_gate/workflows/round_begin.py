"""A round begins: every reviewer is shown the content as it is now, and a background process asks them."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from review_gate.config.schema import Config
from review_gate.consensus.question import shown_groups
from review_gate.consensus.schema import (
    VERSION,
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
from review_gate.consensus.scope import Material, Scope, scope_of
from review_gate.errors import ReviewGateError
from review_gate.shell.process import Commands
from review_gate.shell.rounds_store import ReviewFolder, later, now_text
from review_gate.workflows.pool import Pool, pool_of
from review_gate.workflows.round_ask import start_asking
from review_gate.workflows.round_material import ToolFindings, material_of, refuse_unfit, tool_findings
from review_gate.workflows.round_place import SESSION_VARIABLE, Place

# Long enough that nobody guesses it, short enough to be repeated.
NONCE_BYTES = 8
ID_BYTES = 4
SOURCES: dict[str, tuple[Source, str]] = {
    "code-diff": ("code-review-iterative", "code"),
    "plan": ("plan-review-iterative", "plan"),
    "artifact": ("artifact-review-iterative", "artifact"),
}


class Spawned(NamedTuple):
    """A review that was begun, or one of the same that is under way already."""

    folder: ReviewFolder
    state: ReviewState
    pool: Pool
    material: Material | None
    is_new: bool


def spawn(place: Place, scope: Scope, prompt: str) -> Spawned:
    """Begin a review of a scope, unless the same one of the same content is under way."""
    pool = usable_pool(place.config, place.environ)
    refuse_unfit("--prompt", prompt, place)
    material = material_of(scope, place.repository, place.environ)
    mode = _mode(scope, prompt)
    # Of two calls that begin the same at once, the second finds the review of the first.
    with place.store.alone():
        known = _same_under_way(place, mode, material)
        if known is not None:
            return Spawned(known, known.state(), pool, None, is_new=False)
        folder = place.store.create(f"{SOURCES[mode.type][1]}-{secrets.token_hex(ID_BYTES)}")
        state = _first_state(folder, place, mode, pool)
        _write_round(folder, request_of(state, material, pool, _tools(place, material)), pool)
        folder.write_state(state)
        _supersede(folder, place, mode)
    folder.log("spawned", state.created, round=1, reviewers=_names(pool), not_asked=pool.problems)
    with folder.alone():
        start_asking(folder, 1, place)
    return Spawned(folder, state, pool, material, is_new=True)


def next_round(
    folder: ReviewFolder, state: ReviewState, place: Place, refutations: Sequence[Refutation]
) -> ReviewState:
    """Show all reviewers the content as it is now; what cannot be shown is an error that says so."""
    nonce = folder.request(state.round).nonce
    pool = usable_pool(place.config, place.environ)
    material = material_of(scope_of(state.mode), place.repository, place.environ)
    following = state.model_copy(
        update={"round": state.round + 1, "status": "pending", "reviewers": _asked(pool), "starts": 0}
    )
    request = request_of(following, material, pool, _tools(place, material), nonce)
    request = request.model_copy(update={"refutations": tuple(refutations)})
    _write_round(folder, request, pool)
    folder.write_state(following)
    folder.log("round", request.began, round=request.round, reviewers=_names(pool), not_asked=pool.problems)
    start_asking(folder, request.round, place)
    return following


def usable_pool(config: Config, environ: Mapping[str, str]) -> Pool:
    """All reviewers that can vote; a review in which none can is refused."""
    if config.models.use == "off":
        raise ReviewGateError(
            "models are off, so no reviewer can be asked",
            why="models.use in the configuration says so",
            next_step="REVIEW_GATE_MODELS__USE=auto with the same command, or another models.use",
        )
    pool = pool_of(config, environ, Commands())
    if not pool.providers:
        raise ReviewGateError(
            f"no reviewer can be asked: {pool.why_not}",
            why="a review that nobody has voted in has not agreed",
            next_step="review-gate providers, or name others in rounds.reviewers of .review-gate.yaml",
        )
    return pool


def request_of(state: ReviewState, material: Material, pool: Pool, tools: ToolFindings, nonce: str = "") -> Request:
    """What is asked in the current round; the word that closes its regions stays, or no provider's cache would help."""
    nonce = nonce or secrets.token_hex(NONCE_BYTES)
    groups, not_shown = shown_groups(material.files, nonce)
    subject, began = material.subject, datetime.now(UTC)
    return Request(
        round=state.round,
        began=now_text(began),
        deadline=later(began, state.settings.answer_seconds),
        nonce=nonce,
        content=material.content,
        subject=Subject(**subject.model_dump(), branch=material.branch) if subject is not None else Subject(),
        members=(*pool.members, *pool.absent),
        groups=groups,
        not_shown=not_shown,
        withheld=material.withheld,
        tools=tools.issues,
        tool_problem=tools.problem,
    )


def _tools(place: Place, material: Material) -> ToolFindings:
    return tool_findings(place.repository, material.subject, place.config)


def _write_round(folder: ReviewFolder, request: Request, pool: Pool) -> None:
    """Keep what is asked, and an answer for each reviewer that cannot be asked."""
    folder.write_request(request)
    for name, why in pool.problems.items():
        folder.write_answer(request.round, Answer(member=name, problem=why, finished=request.began))


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
    """A review of the same that waits for its reviewers, or for a fix of what they found: it goes on."""
    for folder, state in place.store.reviews():
        # A damaged review cannot go on.
        with contextlib.suppress(ReviewGateError):
            is_same = state.mode == mode and state.worktree == place.worktree
            if is_same and _goes_on(state, folder.request(state.round), material, _settings(place)):
                return folder
    return None


def _goes_on(state: ReviewState, before: Request, material: Material, settings: Settings) -> bool:
    """Whether a review goes on: asking anew about the same content would shake its findings off."""
    if before.version != VERSION:
        return False
    is_same = before.content == material.content
    if state.status == "pending" or is_same:
        return is_same and (state.status == "pending" or state.has_open_findings)
    # A review keeps the settings that it began with; a user who has changed them wants another one.
    is_to_fix = state.has_open_findings and state.consensus.outcome == "fix" and state.settings == settings
    base = material.subject.base if material.subject is not None else ""
    # On another branch the same words name another change.
    return is_to_fix and (before.subject.base, before.subject.branch) == (base, material.branch)


def _supersede(folder: ReviewFolder, place: Place, mode: Mode) -> None:
    """Close reviews of the same that agreed on content which is not there any more."""
    for other, seen in place.store.reviews():
        if seen.mode != mode or seen.worktree != place.worktree or seen.status != "awaiting_decision":
            continue
        # A damaged review has agreed on nothing.
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
