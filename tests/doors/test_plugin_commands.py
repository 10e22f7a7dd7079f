"""No text that an agent works by names a command that is not there: each goes through the parser of its verb."""

from __future__ import annotations

from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PLUGIN = PROJECT / "plugin"
TEXTS = sorted([*PLUGIN.rglob("*.md"), PROJECT / "review_gate/registration/agents-block.md"])
