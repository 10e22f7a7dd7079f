"""review-gate expert-review: a plan is checked, mended and asked about until it is approved or cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from review_gate.errors import ReviewGateError
from review_gate.plans.marker import Marker, Standing, standing_of
from review_gate.plans.opinion import HAVE_VOTED
from review_gate.plans.outcome import PlanOutcome
from review_gate.plans.schema import Answer, Phase
from review_gate.shell.plan_folder import PlanFolder
from review_gate.workflows.plan_experts import PlanExperts
from review_gate.workflows.plan_run import AskPerson, PlanRun
from review_gate.workflows.plan_search import PlanSearch
from review_gate.workflows.plan_setup import PlanSetup, set_up, wanted_of, with_chosen_panel

# What code looked at, whoever else was asked.
CHECKS = "checks"
SEARCH_SECONDS = 10.0
CHANGED = "the plan was changed by somebody else during the review"


def review_plan(folder: PlanFolder, ask: AskPerson, environ: Mapping[str, str]) -> PlanOutcome:
    """Review a plan as far as it goes without an answer that nobody gives now."""
    with folder.alone():
        # Not before: whoever was here first may have changed all of it.
        setup = set_up(folder)
        search = PlanSearch(setup.rules, SEARCH_SECONDS)
        with PlanExperts(setup.config, setup.top, search.plan, environ) as experts:
            setup = with_chosen_panel(setup, experts, environ)
            run = PlanRun(setup, search, experts, ask)
            review = run.to_its_end()
            if review.phase is Phase.APPROVED:
                _approve(setup, run)
            took = experts.took()
    looked_for = sum(rule.id not in review.state.approved for rule in setup.rules)
    warnings = (*setup.warnings, *(_unheard(run) if setup.config.models.use != "off" else ()))
    return PlanOutcome(review, setup.panel, looked_for, warnings, run.opinions, run.question, took, run.failing)


def _unheard(run: PlanRun) -> tuple[str, ...]:
    """Why no expert was asked, where that was not wanted."""
    return tuple(dict.fromkeys(f"no expert was asked: {one.problem}" for one in run.opinions if one.is_unasked))


def standing(setup: PlanSetup) -> Standing:
    """How a plan stands by its marker."""
    return standing_of(setup.folder.read(setup.folder.marker), wanted_of(setup))


def _approve(setup: PlanSetup, run: PlanRun) -> None:
    """Write the marker, before anybody is told."""
    if setup.folder.read_plan() != run.data:
        raise ReviewGateError(
            CHANGED, why="what would be approved is not what was reviewed", next_step="review the plan again"
        )
    approved = wanted_of(setup._replace(plan=run.data))
    heard = [one.expert for one in run.opinions if one.stance in HAVE_VOTED]
    own = [persona.name for persona in setup.panel.personas if persona.is_claude]
    marker = Marker(
        plan=approved.plan,
        checks=approved.checks,
        reviewers=(CHECKS, *own, *heard),
        panel=approved.panel,
        approved=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
    )
    setup.folder.write(setup.folder.marker, marker.model_dump_json(indent=2).encode() + b"\n")


def answer_from(text: str) -> Answer:
    """What `--answer` says: approve, abort, or replace=TEXT."""
    word, mark, rest = text.partition("=")
    if word == "replace" and mark:
        return Answer(kind="replace", text=rest)
    if text in ("approve", "abort"):
        return Answer(kind="approve" if text == "approve" else "abort")
    raise ValueError(text)
