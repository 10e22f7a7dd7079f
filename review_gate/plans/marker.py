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
    reviewers: tuple[str, ...]
    approved: str


class Standing(NamedTuple):
    """How a plan stands, and why."""

    status: Status
    reason: str


def standing_of(data: bytes | None, plan: str, checks: str | None) -> Standing:
    """How a plan of that digest stands by a marker; `checks` is the digest of the checks in force, if these are known.

    A marker that was edited by hand counts for nothing but the text that it names.
    """
    if data is None:
        return Standing("missing", "the plan was not approved")
    try:
        marker = Marker.model_validate(parse(data))
    except (StrictJsonError, ValidationError):
        return Standing("missing", "the marker is not one that a review has written")
    if marker.plan != plan:
        return Standing("stale", "the plan was changed after it was approved")
    if checks is not None and marker.checks != checks:
        return Standing("stale", "the checks were changed after the plan was approved")
    return Standing("approved", f"approved by {', '.join(marker.reviewers)} at {marker.approved}")
