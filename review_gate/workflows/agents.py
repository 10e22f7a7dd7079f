"""The reviewers that the pipeline chose: how they are planned, and who answers for them."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from shlex import quote
from typing import TYPE_CHECKING

from review_gate.embedded import GAP_DETECTION, ROUNDS
from review_gate.loops.plan import OBJECTS, ModelPlan, PipelinePlan, PlannedReviewer, QuestionPlan
from review_gate.pipeline.schema import ManifestEntry
from review_gate.pipeline.vote import Ground, ModelLooks
from review_gate.ports import SESSION
from review_gate.workflows.models import warm_up

if TYPE_CHECKING:
    from review_gate.shell.model_panel import Panel
    from review_gate.workflows.prepare import Prepared, RunOptions

NOT_ENOUGH = "{} will be incomplete: assurance: independent wants a model's vote too, and no model can be asked"


def planned_agents(prepared: Prepared) -> list[PlannedReviewer]:
    """The chosen reviewers that can look at all, each with how it looks and why it was chosen."""
    chosen = [_planned(prepared, entry) for entry in prepared.stages.manifest.entries if can_look(prepared, entry)]
    loop = _loop_for_gaps(prepared)
    in_rounds = prepared.loaded.config.rounds.loop
    first = [_planned_rounds(in_rounds)] if in_rounds else []
    return [*first, *([_planned_gaps(prepared, loop)] if loop else []), *chosen]


def _planned_rounds(loop: int) -> PlannedReviewer:
    return PlannedReviewer(
        id=ROUNDS, loop=loop, where=OBJECTS, what="several reviewers have agreed in rounds on exactly this content"
    )


def can_look(prepared: Prepared, entry: ManifestEntry) -> bool:
    """Whether there is anything that a reviewer could look with."""
    is_asked = prepared.models.provider is not None or _is_model_required(prepared)
    return is_asked or has_patterns(prepared, entry) or session_looks(prepared, entry) is not None


def session_looks(prepared: Prepared, entry: ManifestEntry) -> ModelLooks | None:
    """What the session answered for a reviewer, None where it did not."""
    return prepared.session.looks.get(entry.agent) if prepared.session is not None else None


def is_for_model(prepared: Prepared, entry: ManifestEntry) -> bool:
    """Whether a model is asked for a reviewer: where one can be, unless the session's answer stands for it."""
    return prepared.panel is not None and (prepared.session is None or not prepared.session.stands_for(entry))


def has_patterns(prepared: Prepared, entry: ManifestEntry) -> bool:
    """Whether the check engine looks for some of a reviewer's rules."""
    return prepared.loaded.config.checks.enabled and entry.agent in prepared.stages.rules()


def _is_model_required(prepared: Prepared) -> bool:
    return prepared.loaded.config.models.use == "required"


def _loop_for_gaps(prepared: Prepared) -> int | None:
    """The first loop that a reviewer may be added to; None where no model is asked whether one is missing.

    Whoever gives a manifest has looked for gaps already.
    """
    settings, options = prepared.loaded.config.models, prepared.options
    if prepared.panel is None or not settings.gaps or options.manifest is not None:
        return None
    loops = {agent.loop for agent in prepared.stages.config.agents}.intersection(options.loops)
    return min(loops, default=None)


def _planned_gaps(prepared: Prepared, loop: int) -> PlannedReviewer:
    return PlannedReviewer(
        id=GAP_DETECTION,
        loop=loop,
        where=OBJECTS,
        what=f"whether a reviewer is missing, by {_model_name(prepared)}; it may only add some",
        is_required=_is_model_required(prepared),
        is_agent=True,
        is_vote=False,
    )


def _model_name(prepared: Prepared) -> str:
    provider = prepared.models.provider
    return f"{provider.name} {provider.model}".rstrip() if provider is not None else ""


def _planned(prepared: Prepared, entry: ManifestEntry) -> PlannedReviewer:
    is_by_session = session_looks(prepared, entry) is not None
    ways = ["the session"] if is_by_session else []
    ways += [_model_name(prepared)] if is_for_model(prepared, entry) else []
    if has_patterns(prepared, entry):
        ways.append(_count(len(prepared.stages.rules()[entry.agent]), "pattern"))
    files = "all files" if entry.files is None else _count(len(entry.files), "file")
    return PlannedReviewer(
        id=entry.agent,
        loop=entry.loop,
        where=OBJECTS,
        what=f"{files}, by {' and '.join(ways) or 'a model'}, because of {', '.join(entry.because)}",
        is_required=entry.is_required or _is_model_required(prepared) or _is_session_alone(prepared, entry),
        is_agent=True,
        via=SESSION if is_by_session else None,
    )


def _is_session_alone(prepared: Prepared, entry: ManifestEntry) -> bool:
    """Whether only the session answered for a reviewer, and somebody else has to."""
    is_by_session = session_looks(prepared, entry) is not None
    return is_by_session and prepared.panel is None and not _is_session_enough(prepared)


def _is_session_enough(prepared: Prepared) -> bool:
    return prepared.loaded.config.assurance == SESSION


def session_notes(prepared: Prepared) -> list[str]:
    """What the preview warns of: loops that cannot pass however well the session thinks of the change."""
    entries = prepared.stages.manifest.entries
    loops = sorted({entry.loop for entry in entries if _is_session_alone(prepared, entry)})
    return [NOT_ENOUGH.format(", ".join(f"loop {loop}" for loop in loops))] if loops else []


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def pipeline_plan(prepared: Prepared) -> PipelinePlan:
    """What the preview tells of the pipeline."""
    provider, panel = prepared.models.provider, prepared.panel
    requested = [entry for entry in prepared.stages.manifest.entries if entry.loop in prepared.options.loops]
    asked = [entry for entry in requested if is_for_model(prepared, entry)]
    return PipelinePlan(
        facts=prepared.stages.facts,
        classification=prepared.stages.classification,
        manifest=prepared.stages.manifest,
        models=ModelPlan(
            provider=provider.name if provider else "",
            model=provider.model if provider else "",
            passed_over=prepared.models.passed_over,
            estimate=panel.estimate(asked, _gap_task(prepared)) if panel else None,
        ),
        questions=tuple(_question_plan(prepared, entry) for entry in requested),
        policy=prepared.policy.policy,
    )


def _question_plan(prepared: Prepared, entry: ManifestEntry) -> QuestionPlan:
    return QuestionPlan(
        reviewer=entry.agent,
        loop=entry.loop,
        files=entry.files,
        rules=tuple(rule.id for rule in prepared.stages.config.rules_of(entry.agent)),
        command=f"review-gate run{typed_options(prepared.options)} --questions {entry.agent}",
    )


def typed_options(options: RunOptions) -> str:
    """The options that say what a run is about, as they were typed."""
    staged = " --staged" if options.is_staged else ""
    return f"{typed_start(options)}{staged}{f' --manifest {quote(options.manifest)}' if options.manifest else ''}"


def typed_start(options: RunOptions) -> str:
    """The options that say where a run starts, as they were typed."""
    if options.scope == "all":
        return " --scope all"
    return f" --base {quote(options.base)}" if options.base else ""


def _gap_task(prepared: Prepared) -> str:
    """What a model is asked about the manifest, nothing where it is not asked."""
    from review_gate.pipeline.gap_vote import gap_task

    stages = prepared.stages
    if prepared.panel is None or not _loop_for_gaps(prepared):
        return ""
    return gap_task(stages.manifest, stages.config, stages.facts, prepared.panel.unshown)


def panel_of(prepared: Prepared) -> Panel | None:
    """The panel of this run, None where nobody can be asked."""
    provider, settings, stages = prepared.models.provider, prepared.loaded.config.models, prepared.stages
    if provider is None or not stages.config.agents:
        return None
    # What only a panel needs is not imported where nobody can be asked.
    from review_gate.pipeline.spend import Caps, Spend
    from review_gate.shell.answer_cache import AnswerCache, place_in
    from review_gate.shell.model_panel import Panel

    material = prepared.material
    # After the search for secrets, whose limits of time and memory would count the threads of this process too.
    warm_up(provider)
    caps = Caps(max_usd=settings.max_usd, max_tokens=settings.max_tokens, max_seconds=settings.max_seconds)
    return Panel(
        provider,
        settings,
        stages.config,
        material,
        prices=stages.prices(),
        spend=Spend(caps, time.monotonic),
        cache=AnswerCache(place_in(prepared.repository)) if settings.cache and prepared.options.uses_cache else None,
    )


@contextlib.contextmanager
def closing_panel(prepared: Prepared) -> Iterator[None]:
    """Whatever happens, nothing is left running at the end: a loop that failed makes later answers useless."""
    try:
        yield
    finally:
        if prepared.panel is not None:
            prepared.panel.close()
            prepared.commands.end_all()


def ground_of(prepared: Prepared) -> Ground:
    """What all votes of a run rest on."""
    ground = prepared.panel.ground if prepared.panel is not None else _ground_without_model(prepared)
    if prepared.session is None:
        return ground
    return ground.model_copy(
        update={"session_nonce": prepared.session.nonce, "is_session_enough": _is_session_enough(prepared)}
    )


def _ground_without_model(prepared: Prepared) -> Ground:
    settings = prepared.loaded.config.models
    return Ground(
        config=prepared.stages.config,
        coverage=settings.coverage,
        is_model_required=_is_model_required(prepared),
        why_no_model=prepared.models.why_none,
    )
