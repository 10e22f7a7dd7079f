"""Who is going to look at a change and why, for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from review_gate.loops.plan import ModelPlan, PipelinePlan
from review_gate.loops.report import RunReport
from review_gate.models import Subject
from review_gate.pipeline.estimate import Estimate
from review_gate.pipeline.manifest_file import manifest_document
from review_gate.pipeline.schema import PRClassification
from review_gate.pipeline.session_file import blank_document
from review_gate.ports import SESSION
from review_gate.render.report_parts import place_of
from review_gate.render.report_words import counted
from review_gate.safe_text import safe_line

DOMAINS_SHOWN = 8


def _classification_lines(classification: PRClassification) -> Iterator[str]:
    domains = [f"{safe_line(name)} ({count})" for name, count in classification.domains.items()]
    shown = ", ".join(domains[:DOMAINS_SHOWN])
    more = f", and {len(domains) - DOMAINS_SHOWN} more" if len(domains) > DOMAINS_SHOWN else ""
    kind = f"{classification.scope} change of type {classification.change_type}"
    yield f"change: a {kind}; domains: {shown + more if domains else 'none'}"
    reasons = ", ".join(f"{safe_line(reason.because)} (+{reason.points})" for reason in classification.risk_reasons)
    yield f"risk: {classification.risk_level} ({classification.risk} of 100){': ' + reasons if reasons else ''}"


def plan_lines(plan: PipelinePlan) -> list[str]:
    """What the preview of a run tells besides its loops: the kind of change, who does not look, who is asked."""
    return [
        *_classification_lines(plan.classification),
        *(f"not {safe_line(one.agent)}: {safe_line(one.because)}" for one in plan.manifest.not_chosen),
        f"models: {_models(plan.models)}",
    ]


def _models(models: ModelPlan) -> str:
    others = "; ".join(f"{name}: {safe_line(why)}" for name, why in models.passed_over)
    if not models.provider:
        return f"none is asked ({others})"
    asked = f"{models.provider} {safe_line(models.model)}".rstrip()
    more = f" ({others})" if others else ""
    return f"{asked}{more}{'; ' + _estimated(models.estimate) if models.estimate else ''}"


def _estimated(estimate: Estimate) -> str:
    if not estimate.questions:
        return "every answer is known"
    questions = "1 question" if estimate.questions == 1 else f"{estimate.questions} questions"
    usd = "" if estimate.usd is None else f", {_usd(estimate.usd)}"
    return f"{questions}, at most about {estimate.tokens:,} tokens{usd}"


def _usd(usd: float) -> str:
    return f"${usd:.4f}" if 0 < usd < 0.01 else f"${usd:.2f}"


def plan_document(plan: PipelinePlan, subject: Subject) -> dict[str, Any]:
    """The same for programs; with amendments filled in, `run --manifest` takes it back.

    What stands under `findings` is for `run --findings`, once a session has answered the questions.
    """
    return {
        **manifest_document(plan.manifest, plan.classification, plan.facts),
        "models": plan.models.model_dump(mode="json"),
        "questions": [one.model_dump(mode="json") for one in plan.questions],
        "findings": blank_document(subject, plan.policy),
    }


def model_lines(report: RunReport) -> Iterator[str]:
    """What the models of a run did, one line for all of them and one for each that did not see everything."""
    parts = report.models
    if any(part.provider != SESSION for _, part in parts):
        yield _asked(report)
    if report.via_session:
        yield f"via: session: {', '.join(map(safe_line, report.via_session))}"
    withheld = dict.fromkeys(one for _, part in parts for one in part.withheld)
    if withheld:
        places = [f"{safe_line(place_of(one))} ({counted(one.lines, 'line')})" for one in withheld]
        yield f"  withheld as secrets: {_some(places)}"
    for name, part in parts:
        unseen = [*part.unread, *(one.path for one in part.not_shown), *part.cut]
        if unseen and part.files_shown:
            read = f"{part.files_read} of {part.files_shown + len(part.not_shown)} files"
            yield f"  {safe_line(name)} read {read}; not or not wholly: {_some(unseen)}"


def _asked(report: RunReport) -> str:
    """Which models were asked how often, and what that took; what a session takes, only the session knows."""
    now = report.models_now
    named = (part for _, part in report.models if part.provider != SESSION)
    models = dict.fromkeys(f"{part.provider} {safe_line(part.model)}".rstrip() for part in named)
    asked, known = sum(part.asked for part in now), sum(part.from_cache for part in now)
    tokens = sum(part.usage.input_tokens + part.usage.output_tokens for part in now)
    costs = [part.usd for part in now]
    usd = ", cost unknown" if None in costs else f", {_usd(sum(cost or 0.0 for cost in costs))}"
    kept = f", {known} answers from the cache" if known else ""
    return f"models: {', '.join(models)}: {asked} questions{kept}, {tokens:,} tokens{usd}"


def _some(paths: list[str]) -> str:
    more = f" and {len(paths) - DOMAINS_SHOWN} more" if len(paths) > DOMAINS_SHOWN else ""
    return ", ".join(map(safe_line, paths[:DOMAINS_SHOWN])) + more
