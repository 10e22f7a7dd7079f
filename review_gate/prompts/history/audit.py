"""One line of the audit log for each review: keyed hashes and metadata, never a word of a prompt."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, ValidationError

from review_gate.models import Frozen
from review_gate.ports import Usage
from review_gate.prompts.schema import Role, Weight

Trigger = Literal["!!!", "/prompt-review", "cli", "ci"]
Mode = Literal["subscription", "api"]
# What became of a prompt. About `unchanged` and `not_reviewed` nobody was asked; `undecided` has expired.
Outcome = Literal[
    "approved", "rejected", "edited", "unchanged", "not_reviewed", "editor_failed", "undecided", "checked"
]
HASH_LENGTH = 32
# What no review comes near; a line that has more is no review, and one such number would outweigh a year of others.
MOST_FINDINGS = 10_000
MOST_TOKENS = 1_000_000_000
MOST_USD = 10_000
MOST_MILLISECONDS = 86_400_000
LONGEST_NAME = 200
DAY_LETTERS = 10
# The longest entry that can be written has some 3,000 bytes.
LONGEST_LINE = 65_536
TIMESTAMP = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$"


def _real_day(timestamp: str) -> str:
    date.fromisoformat(timestamp[:DAY_LETTERS])
    return timestamp


def _writable(text: object) -> object:
    """A name from outside: what is no Unicode in it could not be written, and a long one is no name."""
    return text.encode("utf-8", "backslashreplace").decode()[:LONGEST_NAME] if isinstance(text, str) else text


Name = Annotated[str, BeforeValidator(_writable)]
Count = Annotated[int, Field(ge=0, le=MOST_FINDINGS)]
Tokens = Annotated[int, Field(ge=0, le=MOST_TOKENS)]
Usd = Annotated[float, Field(ge=0, le=MOST_USD, allow_inf_nan=False)]
Milliseconds = Annotated[int, Field(ge=0, le=MOST_MILLISECONDS)]


class Cost(Frozen):
    """Tokens and price of a review; `usd` is None if the price is not known."""

    model_config = ConfigDict(extra="ignore")

    input_tokens: Tokens = 0
    output_tokens: Tokens = 0
    usd: Usd | None = 0.0

    def with_more(self, usage: Usage, usd: float | None) -> Cost:
        """The cost with that of another question; if one price is not known, the sum is not either."""
        return Cost(
            input_tokens=self.input_tokens + usage.input_tokens,
            output_tokens=self.output_tokens + usage.output_tokens,
            usd=None if self.usd is None or usd is None else self.usd + usd,
        )


class AuditEntry(Frozen):
    """One review, as the log has it; fields of later versions are passed over."""

    model_config = ConfigDict(extra="ignore")

    # In UTC; its day is the file in which the entry stands.
    timestamp: Annotated[str, Field(pattern=TIMESTAMP), AfterValidator(_real_day)]
    project: Name
    trigger: Trigger
    mode: Mode
    original_prompt_hash: Annotated[str, Field(max_length=128)]
    reviewers_active: tuple[Role, ...] = Field(max_length=len(Role))
    findings_count: Count
    severity_max: Weight | None
    conflicts: Count
    outcome: Outcome
    # None where the settings do not want it written.
    cost: Cost | None
    duration_ms: Milliseconds
    version: Literal[1] = 1
    # By reviewer and severity, such as {"security": {"blocker": 1}}.
    findings: Mapping[Role, Mapping[Weight, Count]] = Field(default_factory=dict)
    reviewers_failed: tuple[Role, ...] = Field(default=(), max_length=len(Role))
    dropped: Count = 0
    is_cached: bool = False
    # Why there was no review, in one word.
    reason: Name = ""

    @property
    def day(self) -> str:
        """The day in UTC, as YYYY-MM-DD."""
        return self.timestamp[:DAY_LETTERS]


def keyed_hash(key: bytes, text: str) -> str:
    """A keyed hash of a prompt: equal prompts have equal hashes, and guesses cannot be tried without the key."""
    return hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:HASH_LENGTH]


def line_of(entry: AuditEntry) -> bytes:
    """The entry as one line."""
    return entry.model_dump_json().encode() + b"\n"


def read_line(line: bytes, day: str) -> AuditEntry | None:
    """The review on a line of the file of that day, None where the line is damaged or stands in another day's file."""
    if len(line) > LONGEST_LINE:
        return None
    try:
        entry = AuditEntry.model_validate_json(line, strict=True)
    except ValidationError:
        return None
    return entry if entry.day == day else None
