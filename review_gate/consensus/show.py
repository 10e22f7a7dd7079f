"""What a round shows: the first one everything, later ones the same text again and after it what has changed since.

The text that does not change comes first, so that a provider has it in its cache; together the two are the content as
it is now. When much has changed, or a text has been added to for long, everything is shown anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from review_gate.consensus.schema import Request, ShownGroup
from review_gate.pipeline.exhibit import Budget, FileText, exhibits, harmless
from review_gate.ports import NotShown

# A plan or a document is one file, and has to be shown as a whole.
BUDGET = Budget(per_file=250_000, per_group=120_000)
MOST_CHANGED = 0.3
MOST_ADDED = 4
# The number of a file's token: those of an update are none of those before it.
APART = 100_000
GONE = "=== no longer changed: {} (what is shown of it above is not a part of the change any more)"
UNSEEN = "=== not shown any more: {} (it is a part of the change still, but not as it is shown above)"
NOTHING = ShownGroup(text="", files=())


class Showing(NamedTuple):
    """The groups of a round, what is added to each, and from which round the groups are."""

    base: int
    groups: tuple[ShownGroup, ...]
    updates: tuple[ShownGroup, ...]
    shown: Mapping[str, str]
    not_shown: tuple[NotShown, ...]


def showing(files: Sequence[FileText], nonce: str, number: int, before: Request | None) -> Showing:
    """What is shown in a round, after the one before it."""
    if before is None or not _may_add(files, number, before):
        return _anew(files, nonce, number)
    unseen = tuple(NotShown(path=file.path, because=file.why_not) for file in files if file.why_not)
    updates = _updates(files, nonce, number, before)
    # Whatever is new goes with one group, which nobody can read if it is all of a large change.
    if any(len(one.text) > BUDGET.per_group for one in updates):
        return _anew(files, nonce, number)
    return Showing(before.base, before.groups, updates, before.shown, unseen)


def _anew(files: Sequence[FileText], nonce: str, number: int) -> Showing:
    found, not_shown = exhibits(files, nonce, BUDGET)
    groups = tuple(ShownGroup(text=one.text, files=one.files) for one in found)
    shown = {file.path: _digest(file) for file in files if not file.why_not}
    return Showing(number, groups, (NOTHING,) * len(groups), shown, not_shown)


def _may_add(files: Sequence[FileText], number: int, before: Request) -> bool:
    """Whether what has changed since the text was made is little beside it."""
    changed = sum(_size(file) for file in files if _has_changed(file, before))
    whole = sum(_size(file) for file in files) or 1
    return bool(before.groups) and number - before.base <= MOST_ADDED and changed <= MOST_CHANGED * whole


def _updates(files: Sequence[FileText], nonce: str, number: int, before: Request) -> tuple[ShownGroup, ...]:
    """For each group the files of it that are others now; what is new goes with the last."""
    place = {file.path: at for at, group in enumerate(before.groups) for file in group.files}
    last = len(before.groups) - 1
    changed: list[list[FileText]] = [[] for _ in before.groups]
    for file in files:
        if not file.why_not and _has_changed(file, before):
            changed[place.get(file.path, last)].append(file)
    readable = {file.path for file in files if not file.why_not}
    gone = [[path for path in before.shown if path not in readable and place.get(path) == at] for at in range(last + 1)]
    unseen = {file.path for file in files if file.why_not}
    notes = [[(UNSEEN if path in unseen else GONE).format(harmless(path, nonce)) for path in paths] for paths in gone]
    first = number * APART
    return tuple(
        _update(some, (paths, told), nonce, first + at * (APART // (last + 1)))
        for at, (some, paths, told) in enumerate(zip(changed, gone, notes, strict=True))
    )


def _update(files: Sequence[FileText], gone: tuple[Sequence[str], Sequence[str]], nonce: str, first: int) -> ShownGroup:
    """Some files, and those that are not shown any more, with what is said of each."""
    paths, told = gone
    if not files and not paths:
        return NOTHING
    found, _ = exhibits(files, nonce, Budget(per_file=BUDGET.per_file, per_group=10**9), first=first)
    notes = "\n".join([f"<<<gone {nonce}", *told, f"gone {nonce}>>>", ""]) if told else ""
    return ShownGroup(
        text="".join(one.text for one in found) + notes,
        files=tuple(file for one in found for file in one.files),
        gone=tuple(paths),
    )


def _has_changed(file: FileText, before: Request) -> bool:
    return not file.why_not and before.shown.get(file.path) != _digest(file)


def _size(file: FileText) -> int:
    return sum(map(len, file.lines))


def _digest(file: FileText) -> str:
    return sha256("\0".join((file.path, file.about, *file.lines)).encode("utf-8", "surrogatepass")).hexdigest()
