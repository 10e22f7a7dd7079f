"""Who is going to look at a change and why, for people."""

from __future__ import annotations

from collections.abc import Iterator

from review_gate.pipeline.schema import AgentManifest, ManifestEntry, PRClassification
from review_gate.safe_text import safe_line

DOMAINS_SHOWN = 8


def pipeline_text(manifest: AgentManifest, classification: PRClassification) -> str:
    """The classification, one line for each reviewer that is sent and one for each that is not."""
    return "".join(f"{line}\n" for line in pipeline_lines(manifest, classification))


def pipeline_lines(manifest: AgentManifest, classification: PRClassification) -> list[str]:
    """The same as lines."""
    return [
        *_classification_lines(classification),
        *(_chosen_line(entry) for entry in manifest.entries),
        *(f"  not {safe_line(one.agent)}: {safe_line(one.because)}" for one in manifest.not_chosen),
    ]


def _classification_lines(classification: PRClassification) -> Iterator[str]:
    domains = [f"{safe_line(name)} ({count})" for name, count in classification.domains.items()]
    shown = ", ".join(domains[:DOMAINS_SHOWN])
    more = f", and {len(domains) - DOMAINS_SHOWN} more" if len(domains) > DOMAINS_SHOWN else ""
    kind = f"{classification.scope} change of type {classification.change_type}"
    yield f"change: a {kind}; domains: {shown + more if domains else 'none'}"
    reasons = ", ".join(f"{safe_line(reason.because)} (+{reason.points})" for reason in classification.risk_reasons)
    yield f"risk: {classification.risk_level} ({classification.risk} of 100){': ' + reasons if reasons else ''}"


def _chosen_line(entry: ManifestEntry) -> str:
    because = safe_line("; ".join(entry.because))
    optional = "" if entry.is_required else ", optional"
    added = ", added" if entry.by == "gap" else ""
    return f"  {safe_line(entry.agent)}: {_files(entry)}, loop {entry.loop}{optional}{added}: {because}"


def _files(entry: ManifestEntry) -> str:
    if entry.files is None:
        return "all files"
    return "1 file" if len(entry.files) == 1 else f"{len(entry.files)} files"
