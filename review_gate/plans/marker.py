"""Is a plan approved? The marker names the approved text, the record tells how the last review ended."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from pydantic import Field, JsonValue, ValidationError

from review_gate.models import Frozen
from review_gate.safe_text import safe_line
from review_gate.strict_json import StrictJsonError, parse

SUFFIX = ".approved"
Status = Literal["approved", "stale", "missing"]
Time = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
Ending = Literal["approved", "rejected", "incomplete", "asking", "error"]
State = Literal["running", "ended", "lost"]
WAITS = "the review waits for an answer"
LOST = "the review that began at {} ended without a word; the same command again goes on from where it was"


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
    """The status of a plan, and why."""

    status: Status
    reason: str


class Wanted(NamedTuple):
    """What an approval has to be of: the text, the checks, the panel, and, where models are required, its experts."""

    plan: str
    checks: str
    panel: tuple[str, ...]
    required: tuple[str, ...] = ()


def standing_of(data: bytes | None, wanted: Wanted) -> Standing:
    """The status of a plan by its marker, which counts only for the text that it names."""
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


class Ended(Frozen):
    """How a review ended: with which verdict on which text, and what was printed for people and for programs."""

    at: Time
    # A digest; None where there was no plan to read.
    plan: str | None = Field(pattern=r"^[0-9a-f]{64}$")
    verdict: Ending
    reason: str
    text: str
    document: dict[str, JsonValue]


class ReviewRecord(Frozen):
    """One review of a plan; `call` is the name of the call that began it in the background."""

    version: Literal[1] = 1
    began: Time
    pid: int
    call: str = ""
    ended: Ended | None = None


class LastReview(NamedTuple):
    """The last review of a plan as it is now; nothing more is known of one that is just beginning."""

    state: State
    record: ReviewRecord | None

    def ended_with(self, plan: str) -> Ended | None:
        """How it ended, if it did so with the text of that digest."""
        ended = self.record.ended if self.state == "ended" and self.record is not None else None
        return ended if ended is not None and ended.plan == plan else None

    def is_about(self, plan: str) -> bool:
        """Whether it says anything of the text of that digest."""
        return self.state != "ended" or self.ended_with(plan) is not None


def standing_with(found: Standing, last: LastReview | None, plan: str) -> Standing:
    """The status of a plan by its marker and its last review; only the marker approves."""
    if last is None or found.status == "approved":
        return found
    if last.state == "running":
        since = f"going on since {last.record.began}" if last.record else "just beginning"
        return Standing("missing", f"a review of it is {since}")
    if last.state == "lost" and last.record is not None:
        return Standing("missing", LOST.format(last.record.began))
    ended = last.ended_with(plan)
    if ended is None or ended.verdict == "approved" or found.status == "stale":
        return found
    reason = f", {safe_line(ended.reason)}" if ended.reason else ""
    told = WAITS if ended.verdict == "asking" else f"the last review ended: {ended.verdict.upper()}{reason}"
    return Standing("missing", told)
