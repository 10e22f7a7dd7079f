"""What `run --manifest FILE` reads and `run --plan-only --format json` prints: reviewers may be added, nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field, ValidationError

from review_gate.config.display import printable
from review_gate.config.keys import nearest
from review_gate.errors import MisuseError
from review_gate.models import Frozen
from review_gate.pipeline.schema import AgentManifest, Amendment, ManifestEntry, PRClassification, PRFacts
from review_gate.strict_json import StrictJsonError, parse

# A change may have 100,000 files, and each reviewer a list of its own.
MOST_BYTES = 64_000_000
MOST_AMENDMENTS = 100
AMENDMENTS, MANIFEST, CHANGE = "amendments", "manifest", "change"


class _File(Frozen):
    """What a file of amendments alone holds."""

    amendments: tuple[Amendment, ...] = Field(max_length=MOST_AMENDMENTS)


def manifest_document(manifest: AgentManifest, classification: PRClassification, facts: PRFacts) -> dict[str, Any]:
    """The part of a plan that says who is going to look and why; with amendments filled in it can be given back."""
    return {
        CHANGE: {
            "base": facts.base,
            "head": facts.head,
            "files": len(facts.files),
            "lines_added": facts.added if facts.are_lines_counted else None,
            "lines_deleted": facts.deleted if facts.are_lines_counted else None,
        },
        "classification": {
            "domains": dict(classification.domains),
            "risk": classification.risk,
            "risk_level": classification.risk_level,
            "risk_reasons": [reason.model_dump() for reason in classification.risk_reasons],
            "change_type": classification.change_type,
            "scope": classification.scope,
        },
        MANIFEST: [_entry_document(entry) for entry in manifest.entries],
        "not_chosen": [one.model_dump() for one in manifest.not_chosen],
        AMENDMENTS: [],
    }


def _entry_document(entry: ManifestEntry) -> dict[str, Any]:
    return {
        "agent": entry.agent,
        "loop": entry.loop,
        "priority": entry.priority,
        "required": entry.is_required,
        "files": None if entry.files is None else list(entry.files),
        "because": list(entry.because),
        "by": entry.by,
    }


def read_amendments(
    data: bytes, manifest: AgentManifest, facts: PRFacts, *, most: int = MOST_BYTES
) -> tuple[Amendment, ...]:
    """The amendments in a file; one that also holds a manifest has to hold the manifest of this run, unchanged."""
    document = _document(data, most)
    if MANIFEST in document:
        if CHANGE in document and not _is_of(document[CHANGE], facts):
            raise _not_ours(CHANGE, "it is not that of this run; make the plan again")
        if not _is_same(document[MANIFEST], manifest):
            raise _not_ours(MANIFEST, f"it is not that of this run; a reviewer to add belongs in {AMENDMENTS}")
        # Beside a manifest there may be anything that a plan holds.
        document = {key: value for key, value in document.items() if key == AMENDMENTS}
    try:
        return _File.model_validate(document).amendments
    except ValidationError as error:
        # A key with a typo also lacks what it was meant to be.
        first = min(error.errors(include_url=False), key=lambda one: one["type"] != "extra_forbidden")
        raise _wrong(_path(first["loc"]), _said(dict(first))) from None


def _document(data: bytes, most: int) -> dict[str, Any]:
    if len(data) > most:
        raise _wrong("", f"it is {len(data):,} bytes long, more than {most:,}")
    try:
        document = parse(data)
    except StrictJsonError as error:
        raise _wrong("", f"it cannot be read: {error}") from None
    if not isinstance(document, dict):
        raise _wrong("", f"it must be an object with {AMENDMENTS}")
    return document


def _path(location: Sequence[str | int]) -> str:
    parts = (f"[{part}]" if isinstance(part, int) else f".{printable(part)}" for part in location)
    return "".join(parts).removeprefix(".")


def _said(error: Mapping[str, Any]) -> str:
    if error["type"] != "extra_forbidden":
        return str(error["msg"]).removeprefix("Value error, ")
    known = (AMENDMENTS, MANIFEST) if len(error["loc"]) == 1 else tuple(Amendment.model_fields)
    near = nearest(str(error["loc"][-1]), known)
    return "there is no such field" + (f"; did you mean {near}?" if near else "")


def _is_of(found: object, facts: PRFacts) -> bool:
    """Whether a plan is one for this change: what was true of another need not be true here."""
    return isinstance(found, dict) and (found.get("base"), found.get("head")) == (facts.base, facts.head)


def _is_same(found: object, manifest: AgentManifest) -> bool:
    """Whether a document holds the manifest of this run, in any order; as JSON, a 1 is not true."""
    ours = [_entry_document(entry) for entry in manifest.entries]
    return isinstance(found, list) and _sorted(found) == _sorted(ours)


def _sorted(entries: Sequence[object]) -> list[str]:
    return sorted(json.dumps(entry, sort_keys=True) for entry in entries)


def _wrong(where: str, what: str) -> MisuseError:
    return MisuseError(
        f"the manifest file cannot be used: {where}{': ' if where else ''}{what}",
        why="an amendment that is not understood would look like a reviewer who was asked",
        next_step="review-gate run --plan-only --format json, which prints the document to fill in",
    )


def _not_ours(where: str, what: str) -> MisuseError:
    return MisuseError(
        f"the manifest file cannot be used: {where}: {what}",
        why="whoever amends a manifest may only add: it must be the one of this run, with nothing removed or changed",
        next_step="review-gate run --plan-only --format json, then fill in amendments and nothing else",
    )
