"""Which provider a run asks, and why not the others before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from review_gate.ports import ModelProvider


def choose(
    order: Sequence[str], providers: Iterable[ModelProvider]
) -> tuple[ModelProvider | None, list[tuple[str, str]]]:
    """The first provider of the order that is usable here, and each name before it with why it is not."""
    by_name = {provider.name: provider for provider in providers}
    passed_over: list[tuple[str, str]] = []
    for name in order:
        provider = by_name.get(name)
        problem = provider.unusable() if provider else None
        if provider and not problem:
            return provider, passed_over
        passed_over.append((name, problem.why if problem else "there is no provider of this name"))
    return None, passed_over
