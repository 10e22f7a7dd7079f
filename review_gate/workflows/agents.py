"""The reviewers that the pipeline chose: how they are planned, and who answers for them."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from review_gate.embedded import GAP_DETECTION, ROUNDS
from review_gate.loops.plan import OBJECTS, ModelPlan, PipelinePlan, PlannedReviewer
from review_gate.pipeline.parts import Ground
from review_gate.pipeline.schema import ManifestEntry
from review_gate.workflows.models import warm_up

if TYPE_CHECKING:
    from review_gate.shell.model_panel import Panel
    from review_gate.workflows.prepare import Prepared

# Long enough that nobody guesses it, short enough to be repeated.
NONCE_BYTES = 8


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
    return is_asked or has_patterns(prepared, entry)


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
    ways = [_model_name(prepared)] if prepared.models.provider is not None else []
    if has_patterns(prepared, entry):
        ways.append(_count(len(prepared.stages.rules()[entry.agent]), "pattern"))
    files = "all files" if entry.files is None else _count(len(entry.files), "file")
    return PlannedReviewer(
        id=entry.agent,
        loop=entry.loop,
        where=OBJECTS,
        what=f"{files}, by {' and '.join(ways) or 'a model'}, because of {', '.join(entry.because)}",
        is_required=entry.is_required or _is_model_required(prepared),
        is_agent=True,
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def pipeline_plan(prepared: Prepared) -> PipelinePlan:
    """What the preview tells of the pipeline."""
    provider, panel = prepared.models.provider, prepared.panel
    requested = [entry for entry in prepared.stages.manifest.entries if entry.loop in prepared.options.loops]
    return PipelinePlan(
        facts=prepared.stages.facts,
        classification=prepared.stages.classification,
        manifest=prepared.stages.manifest,
        models=ModelPlan(
            provider=provider.name if provider else "",
            model=provider.model if provider else "",
            passed_over=prepared.models.passed_over,
            estimate=panel.estimate(requested, _gap_task(prepared)) if panel else None,
        ),
    )


def _gap_task(prepared: Prepared) -> str:
    """What a model is asked about the manifest, nothing where it is not asked."""
    from review_gate.pipeline.gap_question import gap_task

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
    from review_gate.shell.change_text import as_shown, changed_texts, commit_messages, messages_by_path
    from review_gate.shell.model_panel import Material, Panel
    from review_gate.workflows.withheld import ToSearch, without_secrets

    repository = prepared.repository
    shown = without_secrets(
        ToSearch(repository.git, prepared.changes, prepared.checks, prepared.loaded.config.checks),
        changed_texts(repository.git, prepared.subject, prepared.changes),
        commit_messages(repository.git, prepared.subject),
    )
    # After the search for secrets, whose limits of time and memory would count the threads of this process too.
    warm_up(provider)
    # Cut off only now: of half a secret nobody would see that it is one.
    messages, are_messages_cut = as_shown(shown.messages)
    material = Material(
        files=shown.files,
        messages=messages,
        are_messages_cut=are_messages_cut,
        nonce=secrets.token_hex(NONCE_BYTES),
        policy=prepared.policy.policy,
        prompts=stages.prompts,
        withheld=shown.withheld,
        claims=messages_by_path(repository.git, prepared.subject) if settings.second_pass else {},
    )
    caps = Caps(max_usd=settings.max_usd, max_tokens=settings.max_tokens, max_seconds=settings.max_seconds)
    return Panel(
        provider,
        settings,
        stages.config,
        material,
        prices=stages.prices(),
        spend=Spend(caps, time.monotonic),
        cache=AnswerCache(place_in(repository)) if settings.cache and prepared.options.uses_cache else None,
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
    if prepared.panel is not None:
        return prepared.panel.ground
    return Ground(
        config=prepared.stages.config,
        is_model_required=_is_model_required(prepared),
        why_no_model=prepared.models.why_none,
    )
