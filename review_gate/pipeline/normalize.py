"""Stage 1: what git says of a change becomes facts that no later stage alters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from review_gate.pipeline.domains import DomainIndex
from review_gate.pipeline.schema import CommitFact, FileFact, PRFacts

UNCOUNTED = (None, None)


class RawChange(NamedTuple):
    """A path as git tells it."""

    path: str
    is_new: bool
    is_gone: bool


class Gathered(NamedTuple):
    """What git says of a change; `lines` has (added, deleted) of each file that is text, None when nobody counted."""

    base: str
    head: str
    changes: Iterable[RawChange]
    lines: Mapping[str, tuple[int, int]] | None
    commits: Sequence[CommitFact] = ()


def normalize(gathered: Gathered, index: DomainIndex) -> PRFacts:
    """The facts of a change."""
    lines, domains_of = gathered.lines or {}, index.domains_of
    files = []
    for path, is_new, is_gone in gathered.changes:
        added, deleted = lines.get(path, UNCOUNTED)
        files.append(FileFact(path, "D" if is_gone else "A" if is_new else "M", added, deleted, domains_of(path)))
    return PRFacts(
        base=gathered.base,
        head=gathered.head,
        files=tuple(files),
        commits=tuple(gathered.commits),
        are_lines_counted=gathered.lines is not None,
    )
