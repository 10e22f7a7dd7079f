"""The reviewers that the pipeline chose: how they are planned, and who answers for them."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from review_gate.loops.plan import OBJECTS, ModelPlan, PipelinePlan, PlannedReviewer
from review_gate.pipeline.schema import ManifestEntry
from review_gate.pipeline.spend import Caps, Spend
from review_gate.shell.agent_reviewer import AgentReviewer
from review_gate.shell.answer_cache import AnswerCache
from review_gate.shell.change_text import changed_texts, commit_messages
from review_gate.shell.check_reviewers import SharedScan
from review_gate.shell.model_panel import Material, Panel
from review_gate.shell.pipeline_files import prompt_text
from review_gate.workflows.models import warm_up
from review_gate.workflows.withheld import without_secrets

if TYPE_CHECKING:
    from review_gate.workflows.prepare import Prepared

# Long enough that nobody guesses it, short enough to be repeated.
NONCE_BYTES = 8


def planned_agents(prepared: Prepared) -> list[PlannedReviewer]:
    """The chosen reviewers that can look at all, each with how it looks and why it was chosen."""
    return [_planned(prepared, entry) for entry in prepared.stages.manifest.entries if _can_look(prepared, entry)]


def _can_look(prepared: Prepared, entry: ManifestEntry) -> bool:
    is_asked = prepared.models.provider is not None or _is_model_required(prepared)
    return is_asked or _has_patterns(prepared, entry)


def _has_patterns(prepared: Prepared, entry: ManifestEntry) -> bool:
    return prepared.loaded.config.checks.enabled and entry.agent in prepared.stages.rules()


def _is_model_required(prepared: Prepared) -> bool:
    return prepared.loaded.config.models.use == "required"


def _planned(prepared: Prepared, entry: ManifestEntry) -> PlannedReviewer:
    provider = prepared.models.provider
    ways = [f"{provider.name} {provider.model}".rstrip()] if provider is not None else []
    if _has_patterns(prepared, entry):
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
            estimate=panel.estimate(requested) if panel else None,
        ),
    )


def panel_of(prepared: Prepared) -> Panel | None:
    """The panel of this run, None where nobody can be asked."""
    provider, settings, stages = prepared.models.provider, prepared.loaded.config.models, prepared.stages
    if provider is None or not stages.manifest.entries:
        return None
    repository = prepared.repository
    shown = without_secrets(
        prepared,
        changed_texts(repository.git, prepared.subject, prepared.changes),
        commit_messages(repository.git, prepared.subject),
    )
    # After the search for secrets, whose limits of time and memory would count the threads of this process too.
    warm_up(provider)
    names = {stages.config.agent(entry.agent).prompt for entry in stages.manifest.entries}
    material = Material(
        files=shown.files,
        messages=shown.messages,
        nonce=secrets.token_hex(NONCE_BYTES),
        policy=prepared.policy.policy,
        prompts={name: prompt_text(repository.top, name) for name in sorted(names)},
        withheld=shown.withheld,
    )
    caps = Caps(max_usd=settings.max_usd, max_tokens=settings.max_tokens, max_seconds=settings.max_seconds)
    return Panel(
        provider,
        settings,
        stages.config,
        material,
        prices=stages.prices(),
        spend=Spend(caps, time.monotonic),
        cache=AnswerCache(repository) if settings.cache and prepared.options.uses_cache else None,
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


def agent_reviewers(prepared: Prepared, scan: SharedScan) -> dict[str, AgentReviewer]:
    """The chosen reviewers, by name; those of the requested loops are asked together."""
    entries = [entry for entry in prepared.stages.manifest.entries if entry.loop in prepared.options.loops]
    if prepared.panel is not None:
        prepared.panel.expect(entries)
    return {entry.agent: _reviewer(prepared, entry, scan) for entry in entries}


def _reviewer(prepared: Prepared, entry: ManifestEntry, scan: SharedScan) -> AgentReviewer:
    return AgentReviewer(
        entry,
        prepared.stages.config,
        scan=scan if _has_patterns(prepared, entry) else None,
        panel=prepared.panel,
        why_alone=prepared.models.why_none,
        is_model_required=_is_model_required(prepared),
    )
