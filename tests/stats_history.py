"""An invented month of prompt reviews, as docs/stats.md shows it."""

from __future__ import annotations

import math
from datetime import date, timedelta
from pathlib import Path
from random import Random

from auditing import entry, log

from review_gate.prompts.history.audit import AuditEntry

FIRST, DAYS, SATURDAY = date(2026, 1, 26), 30, 5
OUTCOMES = {
    "approved": 60,
    "edited": 12,
    "rejected": 10,
    "unchanged": 9,
    "not_reviewed": 4,
    "undecided": 3,
    "checked": 2,
}
PROJECTS = {"obsidian-claude-daily": 5, "shop-api": 3, "ledger-ui": 2, "infra": 1}
TRIGGERS = {"!!!": 6, "/prompt-review": 3, "cli": 1, "ci": 2}
REASONS = {"timeout": 3, "rate-limit": 2, "no-key": 1}
ALWAYS = ("domain_sme", "security", "clarity", "testing")
LIKELY = {"blocker": 0.03, "major": 0.2, "minor": 0.45, "nit": 0.3}
NOTHING_FOUND = ("unchanged", "not_reviewed")


def write_month(home: Path) -> None:
    """The log of the month."""
    numbers = Random(7)
    for at in range(DAYS):
        day = FIRST + timedelta(days=at)
        count = int(24 * (0.5 + numbers.random())) if day.weekday() < SATURDAY else int(3 * numbers.random())
        log(home, *(_review(numbers, day) for _ in range(count)))


def _one(numbers: Random, weights: dict[str, int]) -> str:
    return numbers.choices(list(weights), list(weights.values()))[0]


def _review(numbers: Random, day: date) -> AuditEntry:
    outcome = _one(numbers, OUTCOMES)
    chances = (("documentation", 0.4), ("frontend_ux", 0.2))
    active = ALWAYS + tuple(role for role, chance in chances if numbers.random() < chance)
    findings = {} if outcome in NOTHING_FOUND else {role: found for role in active if (found := _found(numbers, role))}
    is_cached = numbers.random() < 0.14 and outcome != "not_reviewed"
    is_paid = numbers.random() < 0.3
    cost = {
        "input_tokens": 0 if is_cached else 5_000 + int(7_000 * numbers.random()),
        "output_tokens": 0 if is_cached else 900 + int(2_000 * numbers.random()),
        "usd": round(0.02 + 0.04 * numbers.random(), 4) if is_paid and not is_cached else 0.0,
    }
    return entry(
        day.isoformat(),
        project=_one(numbers, PROJECTS),
        trigger=_one(numbers, TRIGGERS),
        mode="api" if is_paid else "subscription",
        outcome=outcome,
        reviewers_active=active if outcome != "not_reviewed" else (),
        findings=findings,
        findings_count=sum(sum(found.values()) for found in findings.values()),
        cost=cost,
        is_cached=is_cached,
        duration_ms=30 if is_cached else int(3_500 * math.exp(0.8 * numbers.random())),
        reviewers_failed=tuple(role for role in active if numbers.random() < 0.02),
        reason=_one(numbers, REASONS) if outcome == "not_reviewed" else "",
        conflicts=int(numbers.random() < 0.05),
        dropped=int(numbers.random() < 0.03),
    )


def _found(numbers: Random, role: str) -> dict[str, int]:
    """What a reviewer found; security finds nothing that is minor."""
    weights = ("blocker", "major") if role == "security" else tuple(LIKELY)
    return {weight: 1 for weight in weights if numbers.random() < LIKELY[weight]}
