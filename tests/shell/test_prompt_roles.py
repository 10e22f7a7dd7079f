"""The texts of roles and specialists: each is there, says something, and names only what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from review_gate.prompts.project.manifests import GENERIC, SPECIALISTS
from review_gate.prompts.schema import Op, Role, Target
from review_gate.shell.prompt_panel import SHIPPED, role_text

NAMES = (*SPECIALISTS, GENERIC)
# The operations of each role by the seed; RemoveConstraint is for whoever finds what contradicts itself or does harm.
OPERATIONS = {
    Role.DOMAIN_SME: {Op.ADD_CONSTRAINT, Op.ADD_CONTEXT, Op.REPLACE_VAGUE},
    Role.SECURITY: {Op.ADD_GUARDRAIL, Op.ADD_CONSTRAINT, Op.REMOVE_CONSTRAINT},
    Role.CLARITY: {Op.REPLACE_VAGUE, Op.REFACTOR_STRUCTURE, Op.ADD_CONSTRAINT, Op.REMOVE_CONSTRAINT},
    Role.TESTING: {Op.ADD_ACCEPTANCE_CRITERIA, Op.ADD_CONSTRAINT},
    Role.FRONTEND_UX: {Op.ADD_CONSTRAINT, Op.ADD_ACCEPTANCE_CRITERIA, Op.ADD_CONTEXT},
    Role.DOCUMENTATION: {Op.ADD_CONSTRAINT, Op.ADD_ACCEPTANCE_CRITERIA, Op.ADD_CONTEXT},
}
HEADINGS = ["What to look for", "Operations", "Evidence", "What not to report", "Severity"]
# A small model reads all of it for every prompt.
MOST_CHARACTERS = 3_500


def named(pattern: str, text: str) -> set[str]:
    return set(re.findall(pattern, text))


@pytest.mark.parametrize("role", Role)
def test_a_role_has_all_its_parts_and_is_short(role: Role) -> None:
    text = role_text(role)
    assert re.findall(r"^## (.+)$", text, re.M) == HEADINGS
    assert text.startswith("# ")
    assert len(text) < MOST_CHARACTERS


@pytest.mark.parametrize("role", Role)
def test_a_role_names_its_operations_and_no_others(role: Role) -> None:
    found = named(r"\b(?:Add|Remove|Replace|Refactor)[A-Z]\w+", role_text(role))
    assert found == {op.value for op in OPERATIONS[role]}


@pytest.mark.parametrize("role", Role)
def test_each_operation_says_its_target_and_there_is_such_a_one(role: Role) -> None:
    listed = re.findall(r"^- `(\w+)`, target `(\w+)`:|^- `(\w+)`, target `(\w+)`", role_text(role), re.M)
    operations = {first or second for first, _, second, _ in listed}
    assert operations == {op.value for op in OPERATIONS[role]}
    assert named(r"[Tt]arget `(\w+)`", role_text(role)) <= {target.value for target in Target}


def test_there_is_a_file_for_each_and_no_other() -> None:
    found = {str(path.relative_to(SHIPPED)) for path in Path(SHIPPED).rglob("*") if path.is_file()}
    expected = {f"{role.value}.md" for role in Role} | {f"domain_sme/{name}.md" for name in NAMES}
    assert found == expected
