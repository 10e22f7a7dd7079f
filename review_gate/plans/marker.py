"""The marker of an approved plan: it names the very text that was approved, so an edit makes it stale at once."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pydantic import Field, ValidationError

from review_gate.models import Frozen
from review_gate.strict_json import StrictJsonError, parse

SUFFIX = ".approved"
Status = Literal["approved", "stale", "missing"]


class Marker(Frozen):
    """What was approved, by which checks, by whom and when."""

    version: Literal[1] = 1
    plan: str = Field(pattern=r"^[0-9a-f]{64}$")
    checks: str = Field(pattern=r"^[0-9a-f]{64}$")
    # Who looked, and whom the context named.
    reviewers: tuple[str, ...]
    panel: tuple[str, ...]
    approved: str


class Standing(NamedTuple):
    """How a plan stands, and why."""

    status: Status
    reason: str


class Wanted(NamedTuple):
    """What an approval has to be of: the text, the checks, the panel, and, where models are required, its experts."""

    plan: str
    checks: str
    panel: tuple[str, ...]
    required: tuple[str, ...] = ()


def standing_of(data: bytes | None, wanted: Wanted) -> Standing:
    """How a plan stands by a marker; one that was edited by hand counts for nothing but the text that it names."""
    if data is None:
        return Standing("missing", "the plan was not approved")
    try:
        marker = Marker.model_validate(parse(data))
    except (StrictJsonError, ValidationError):
        return Standing("missing", "the marker is not one that a review has written")
    if marker.plan != wanted.plan:
        return Standing("stale", "the plan was changed after it was approved")
    if marker.checks != wanted.checks:
        return Standing("stale", "the checks were changed after the plan was approved")
    if marker.panel != wanted.panel:
        return Standing("stale", "the reviewers were changed after the plan was approved")
    # The first are the checks, whoever else is called so.
    missing = [name for name in wanted.required if name not in marker.reviewers[1:]]
    if missing:
        return Standing("stale", f"models are required, and the plan was approved without {', '.join(missing)}")
    return Standing("approved", f"approved by {', '.join(marker.reviewers)} at {marker.approved}")
