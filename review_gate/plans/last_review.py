"""What is kept of the last review of a plan, and what it adds to how the plan stands."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from pydantic import Field, JsonValue

from review_gate.models import Frozen
from review_gate.plans.marker import Standing
from review_gate.safe_text import safe_line

Time = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
Ending = Literal["approved", "rejected", "incomplete", "asking", "error"]
State = Literal["running", "ended", "lost"]
WAITS = "the review waits for an answer"
LOST = "the review that began at {} ended without a word; the same command again goes on from where it was"


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
    """How a plan of that digest stands, by its marker and by its last review; only the marker approves."""
    if last is None or found.status == "approved":
        return found
    if last.state == "running":
        return Standing("missing", _going_on(last.record))
    if last.state == "lost" and last.record is not None:
        return Standing("missing", LOST.format(last.record.began))
    ended = last.ended_with(plan)
    if ended is None or ended.verdict == "approved" or found.status == "stale":
        return found
    return Standing("missing", WAITS if ended.verdict == "asking" else _told(ended))


def _going_on(record: ReviewRecord | None) -> str:
    return f"a review of it is going on since {record.began}" if record else "a review of it is just beginning"


def _told(ended: Ended) -> str:
    reason = f", {safe_line(ended.reason)}" if ended.reason else ""
    return f"the last review ended: {ended.verdict.upper()}{reason}"
