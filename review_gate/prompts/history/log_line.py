"""A line of the audit log as it is read back: parsed and held against the agreed fields in one step, without a model.

The seed's own fields have to be there; those that came later may be missing, and unknown ones are passed over.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

# The one of `typing` tells pydantic too little before Python 3.12.
from typing_extensions import TypedDict

from review_gate.prompts.history.audit import (
    DAY_LETTERS,
    LONGEST_PROJECT,
    LONGEST_REASON,
    TIMESTAMP,
    Count,
    Milliseconds,
    Mode,
    Outcome,
    Tokens,
    Trigger,
    Usd,
)

# The longest entry that can be written has some 3,000 bytes.
LONGEST_LINE = 65_536
RoleName = Literal["domain_sme", "security", "clarity", "testing", "frontend_ux", "documentation"]
WeightName = Literal["blocker", "major", "minor", "nit"]
RoleNames = Annotated[tuple[RoleName, ...], Field(max_length=6)]


class LoggedCost(TypedDict):
    """What a review took."""

    input_tokens: Tokens
    output_tokens: Tokens
    usd: Usd | None


class LogLine(TypedDict):
    """One review, as it is read."""

    # Neither the text "4" nor true is a number.
    __pydantic_config__ = ConfigDict(strict=True)  # type: ignore[misc]  # pydantic looks for it here

    timestamp: Annotated[str, Field(max_length=32, pattern=TIMESTAMP)]
    project: Annotated[str, Field(max_length=LONGEST_PROJECT)]
    trigger: Trigger
    mode: Mode
    original_prompt_hash: Annotated[str, Field(max_length=128)]
    reviewers_active: RoleNames
    findings_count: Count
    severity_max: WeightName | None
    conflicts: Count
    outcome: Outcome
    cost: LoggedCost | None
    duration_ms: Milliseconds
    version: NotRequired[Literal[1]]
    findings: NotRequired[dict[RoleName, dict[WeightName, Count]]]
    reviewers_failed: NotRequired[RoleNames]
    dropped: NotRequired[Count]
    is_cached: NotRequired[bool]
    reason: NotRequired[Annotated[str, Field(max_length=LONGEST_REASON)]]


_read = TypeAdapter(LogLine).validator.validate_json


def read_line(line: bytes, day: str) -> LogLine | None:
    """The review on a line of the file of that day, None where the line is damaged or stands in another day's file."""
    if len(line) > LONGEST_LINE:
        return None
    try:
        entry: LogLine = _read(line)
    except ValidationError:
        return None
    return entry if entry["timestamp"][:DAY_LETTERS] == day else None
