"""What `run --manifest FILE` reads and `run --plan-only --format json` prints: reviewers may be added, nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
        others = _other_change(document[CHANGE], facts) if CHANGE in document else ()
        for where, what in (*others, *_differences(document[MANIFEST], manifest)):
            raise _not_ours(where, what)
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


def _other_change(found: object, facts: PRFacts) -> Iterator[tuple[str, str]]:
    """Where a plan is one for another change: what somebody saw there need not be true here."""
    for key, ours in (("base", facts.base), ("head", facts.head)):
        if not isinstance(found, dict) or found.get(key) != ours:
            yield f"{CHANGE}.{key}", "it is not that of this run; make the plan again"


def _differences(found: object, manifest: AgentManifest) -> Iterator[tuple[str, str]]:
    """Where a document is not the manifest of this run, first what would take something away."""
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        yield MANIFEST, "it must be a list of objects, as the plan prints it"
        return
    ours = {entry.agent: _entry_document(entry) for entry in manifest.entries}
    theirs = [str(entry.get("agent")) for entry in found]
    for agent in ours:
        if theirs.count(agent) != 1:
            yield MANIFEST, f"{agent} {'stands there twice' if agent in theirs else 'is missing'}"
    for number, entry in enumerate(found):
        yield from _entry_differences(f"{MANIFEST}[{number}]", entry, ours.get(theirs[number]))


def _entry_differences(
    where: str, entry: Mapping[str, Any], ours: Mapping[str, Any] | None
) -> Iterator[tuple[str, str]]:
    if ours is None:
        agent = printable(str(entry.get("agent")))
        yield f"{where}.agent", f"{agent} is not in the manifest of this run; who is to be added stands in {AMENDMENTS}"
        return
    for key in dict.fromkeys((*ours, *entry)):
        # In Python true is 1.
        is_same = key in ours and key in entry and entry[key] == ours[key] and type(entry[key]) is type(ours[key])
        if not is_same:
            yield f"{where}.{printable(key)}", f"it is not what this run has for {ours['agent']}"


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
