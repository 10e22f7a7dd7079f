"""One line of the audit log for each review: keyed hashes and metadata, never a word of a prompt."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from review_gate.models import Frozen
from review_gate.prompts.schema import Role, Weight

Trigger = Literal["!!!", "/prompt-review", "cli", "ci"]
Mode = Literal["subscription", "api"]
# What became of a prompt. About `unchanged` and `not_reviewed` nobody was asked; `undecided` has expired.
Outcome = Literal[
    "approved", "rejected", "edited", "unchanged", "not_reviewed", "editor_failed", "undecided", "checked"
]
HASH_LENGTH = 32


class Cost(Frozen):
    """What a review took; no `usd` where nobody knows the price."""

    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    usd: float | None = Field(default=0.0, ge=0)


class AuditEntry(Frozen):
    """One review, as the log has it."""

    timestamp: str
    project: str
    trigger: Trigger
    mode: Mode
    original_prompt_hash: str
    reviewers_active: tuple[Role, ...]
    findings_count: int = Field(ge=0)
    severity_max: Weight | None
    conflicts: int = Field(ge=0)
    outcome: Outcome
    # None where the settings do not want it written.
    cost: Cost | None
    duration_ms: int = Field(ge=0)
    version: Literal[1] = 1
    # By reviewer and severity, such as {"security": {"blocker": 1}}.
    findings: Mapping[Role, Mapping[Weight, int]] = Field(default_factory=dict)
    reviewers_failed: tuple[Role, ...] = ()
    dropped: int = Field(default=0, ge=0)
    is_cached: bool = False
    # Why there was no review, in one word.
    reason: str = ""


def keyed_hash(key: bytes, text: str) -> str:
    """A hash by which the same prompt is known again, and which tells nothing to whoever guesses prompts."""
    return hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:HASH_LENGTH]


def line_of(entry: AuditEntry) -> bytes:
    """The entry as one line."""
    return entry.model_dump_json().encode() + b"\n"
