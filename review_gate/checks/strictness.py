"""The fingerprint of what the checks in force find: part of the policy that a review is made under."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from review_gate.checks.baseline import Baseline
from review_gate.checks.rule import Rule

# The others are for people: a reason in other words, or prose that moves a table down, leaves a review as it was.
# `source` is not one of those, because a check leaves the file alone that writes it down.
_DECIDING = (
    *("id", "pattern", "match_rule", "reject_if_persists", "severity", "category"),
    *("scope", "include", "exclude", "languages", "source"),
)


def deciding_fields(rule: Rule) -> dict[str, object]:
    """What a check finds, where, and how bad that is."""
    return {name: getattr(rule, name) for name in _DECIDING}


def checks_strictness(rules: Sequence[Rule], baseline: Baseline | None) -> str:
    """SHA-256 of the canonical JSON of all checks in force, whoever wrote them, and of the findings that are old.

    A user's own checks count too: they come before the project's, so one of them can take the place of a stricter one.
    """
    checks = sorted((deciding_fields(rule) for rule in rules), key=lambda fields: str(fields["id"]))
    known = None if baseline is None else baseline.text()
    canonical = json.dumps({"checks": checks, "baseline": known}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()
