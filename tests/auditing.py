"""Entries of the audit log that are valid by default: a test names only the fields it is about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from review_gate.prompts.history.audit import AuditEntry
from review_gate.shell.audit_log import append, plugin_folder

DAY = "2026-02-24"


def entry(day: str = DAY, **changes: Any) -> AuditEntry:
    """An approved review with two findings."""
    fields = {
        "timestamp": f"{day}T14:32:01Z",
        "project": "obsidian-claude-daily",
        "trigger": "!!!",
        "mode": "subscription",
        "original_prompt_hash": "a3f8c2",
        "reviewers_active": ("domain_sme", "security", "clarity", "testing"),
        "findings_count": 2,
        "severity_max": "major",
        "conflicts": 0,
        "outcome": "approved",
        "cost": {"input_tokens": 8240, "output_tokens": 2100, "usd": 0.04},
        "duration_ms": 6200,
        "findings": {"security": {"major": 1}, "clarity": {"nit": 1}},
    }
    return AuditEntry.model_validate({**fields, **changes})


def raw(**changes: Any) -> bytes:
    """A line as somebody else might have written it, with whatever in its fields."""
    return json.dumps({**json.loads(entry().model_dump_json()), **changes}).encode()


def log(home: Path, *entries: AuditEntry) -> None:
    """Write reviews into the log of a home."""
    for one in entries:
        append(plugin_folder({"HOME": str(home)}), one)
