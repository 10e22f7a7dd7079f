"""The groups of a round as they are now: what was shown at first, with what has changed since in its place."""

from __future__ import annotations

from collections.abc import Iterator

from review_gate.consensus.schema import Request, ShownGroup


def groups_now(request: Request) -> tuple[ShownGroup, ...]:
    """One group for each answer of a reviewer: the files that it has to have read, and their text."""
    return tuple(group if added is None else _with(group, added) for group, added in request.parts)


def _with(group: ShownGroup, added: ShownGroup) -> ShownGroup:
    replaced = {*added.gone, *(file.path for file in added.files)}
    if not replaced:
        return group
    # By their tokens, since a path may hold whatever divides a heading.
    tokens = {file.token for file in group.files if file.path in replaced}
    kept = "\n".join(_without(group.text.split("\n"), tokens))
    files = tuple(file for file in group.files if file.path not in replaced)
    return ShownGroup(text=kept + added.text, files=(*files, *added.files))


def _without(lines: list[str], tokens: set[str]) -> Iterator[str]:
    """The lines without the files of some tokens; what closes the region stays."""
    is_left_out = False
    for number, line in enumerate(lines):
        if line.startswith("=== file "):
            is_left_out = line.rpartition(" ")[2] in tokens
        elif number >= len(lines) - 2:
            is_left_out = False
        if not is_left_out:
            yield line
