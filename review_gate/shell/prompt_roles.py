"""The texts of the reviewers of prompts, as they are shipped."""

from __future__ import annotations

import os
from functools import cache

from review_gate.prompts.schema import Role

SHIPPED = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "prompts", "roles")
ENDING = ".md"


@cache
def role_text(role: Role) -> str:
    """What a reviewer looks for and how it says so."""
    return _text(f"{role.value}{ENDING}")


@cache
def specialist_text(name: str) -> str:
    """What the domain reviewer knows about a stack; the name is one of those in `prompts.specialists`."""
    return _text(os.path.join(Role.DOMAIN_SME.value, f"{name}{ENDING}"))


def _text(name: str) -> str:
    with open(os.path.join(SHIPPED, name), encoding="utf-8") as file:
        return file.read()
