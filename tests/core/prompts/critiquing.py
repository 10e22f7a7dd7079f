"""Critiques of prompts, valid by default."""

from __future__ import annotations

from typing import Any

from review_gate.prompts.schema import Critique, Op, Operation, PromptFinding, Role, Target, Weight


def finding(*operations: Operation, **changes: Any) -> PromptFinding:
    """One finding."""
    usual = {
        "id": "X-001",
        "severity": Weight.MAJOR,
        "confidence": 0.9,
        "issue": "It says too little.",
        "evidence": "",
        "suggested_ops": operations,
    }
    return PromptFinding.model_validate({**usual, **changes})


def op_finding(op: Op, value: str, *, target: Target = Target.CONSTRAINTS, **changes: Any) -> PromptFinding:
    """One finding with one operation."""
    return finding(Operation(op=op, target=target, value=value), **changes)


def critique(role: Role, *findings: PromptFinding, **changes: Any) -> Critique:
    """What one reviewer says."""
    return Critique(role=role, findings=findings, **changes)
