"""Which specialists look at a project: the stack decides, and somebody always looks."""

from __future__ import annotations

import pytest

from review_gate.prompts.project.context import ProjectContext
from review_gate.prompts.project.specialists import GENERIC, SPECIALISTS, specialists, specialists_for

STACKS = {
    "typescript": (("typescript", "node"), ("typescript-node",)),
    "node": (("node", "express"), ("typescript-node",)),
    "a plugin": (("typescript", "node", "obsidian-plugin", "esbuild"), ("typescript-node", "obsidian-plugin")),
    "react": (("node", "react"), ("typescript-node", "react")),
    "nextjs": (("typescript", "nextjs"), ("typescript-node", "react")),
    "python": (("python", "django"), ("python",)),
    "fastapi": (("python", "fastapi"), ("python", "python-fastapi")),
    "fastapi alone": (("fastapi",), ("python", "python-fastapi")),
    "go": (("go", "gin"), ("go",)),
    "rust": (("rust", "cargo"), ("rust",)),
    "several": (("react", "node", "rust", "python"), ("typescript-node", "react", "python", "rust")),
    "unknown": (("cobol",), ("generic",)),
    "a part of a name": (("golang", "pythonic"), ("generic",)),
    "nothing": ((), ("generic",)),
}


@pytest.mark.parametrize(("stack", "names"), STACKS.values(), ids=STACKS)
def test_the_stack_chooses(stack: tuple[str, ...], names: tuple[str, ...]) -> None:
    assert specialists(ProjectContext(stack=stack)) == names
    assert specialists_for(reversed(stack)) == names


def test_these_specialists_are_there() -> None:
    expected = {"typescript-node", "react", "python", "python-fastapi", "go", "rust", "obsidian-plugin", "generic"}
    assert {*SPECIALISTS, GENERIC} == expected
