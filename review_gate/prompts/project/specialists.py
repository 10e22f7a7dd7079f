"""Which specialists the domain reviewer is made of, by the stack of the project."""

from __future__ import annotations

from collections.abc import Iterable

from review_gate.prompts.project.context import ProjectContext

GENERIC = "generic"
# By name, the parts of a stack of which each asks for it.
SPECIALISTS: dict[str, frozenset[str]] = {
    "typescript-node": frozenset({"typescript", "node"}),
    "obsidian-plugin": frozenset({"obsidian-plugin"}),
    "react": frozenset({"react", "nextjs", "react-native"}),
    "python": frozenset({"python"}),
    "python-fastapi": frozenset({"fastapi"}),
    "go": frozenset({"go"}),
    "rust": frozenset({"rust"}),
}
# Whoever knows the one knows the other, and the other is always asked with it.
_BUILT_ON = {"python-fastapi": "python"}


def specialists(context: ProjectContext) -> tuple[str, ...]:
    """The names of the specialists for a project, the general ones before those that build on them."""
    return specialists_for(context.stack)


def specialists_for(stack: Iterable[str]) -> tuple[str, ...]:
    """The same for a stack; the fall-back where nobody knows any part of it."""
    parts = frozenset(stack)
    chosen = {name for name, needs in SPECIALISTS.items() if needs & parts}
    chosen |= {base for name, base in _BUILT_ON.items() if name in chosen}
    return tuple(name for name in SPECIALISTS if name in chosen) or (GENERIC,)
