"""What of a change is not new: what the other side of a merge has already, and files that only moved."""

from __future__ import annotations

import os

from review_gate.checks.new_lines import new_to_each
from review_gate.gate.record import is_object_id
from review_gate.globs import matches_any
from review_gate.shell.added_lines import AddedLines
from review_gate.shell.changes import staged_since
from review_gate.shell.files import UnsafeFileError, read_plain_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from review_gate.checks.scan import AddedOf
    from review_gate.shell.changes import Change
    from review_gate.shell.repository import Repository

MAX_HEADS_BYTES = 100_000
MAX_OLD_BYTES = 20_000_000
# Of so many at once the memory would suffer.
MOST_OLD_BYTES = 60_000_000


class OldContent:
    """Tells new content of a change from old; what is staged is compared with every parent of the commit to be."""

    def __init__(
        self, repository: Repository, changes: Sequence[Change], *, is_staged: bool, exclude: Sequence[str] = ()
    ) -> None:
        git = repository.git
        # What was left out where it stood before was never looked at.
        seen = [change for change in changes if change.oid is not None or not matches_any(change.path, exclude)]
        self._moved = moved_files(seen)
        self._git = git
        self._old = {change.path: change.old_oid for change in changes}
        parents = _merged(repository.git_dir) if is_staged else []
        self._others = [{change.path: change for change in staged_since(git, parent)} for parent in parents]
        self._added = [AddedLines(git, ("diff-index", "--cached", parent)) for parent in parents]

    @property
    def is_of_merge(self) -> bool:
        """Whether the commit to be has several parents."""
        return bool(self._others)

    def is_settled(self, change: Change) -> bool:
        """Whether another parent has this very version."""
        return any(change.path not in other for other in self._others)

    def is_new(self, change: Change) -> bool:
        """Whether a file is in no parent, under this name or as the same content under another."""
        has_old = change.old_oid is not None or change.path in self._moved
        return not has_old and all(other[change.path].old_oid is None for other in self._others if change.path in other)

    def versions(self, paths: Sequence[str]) -> dict[str, list[bytes | None]]:
        """What files held before in each parent, None where it has none.

        Files are left out that are new, too large, or not here as in a partial clone.
        """
        named = {path: oids for path in paths if any(oids := self._old_oids(path))}
        if not named:
            return {}
        versions: dict[str, list[bytes | None]] = {}
        left = MOST_OLD_BYTES
        with self._git.objects() as objects:
            found = objects.read_all([oid for oids in named.values() for oid in oids if oid], limit=MAX_OLD_BYTES)
            for path, oids in named.items():
                contents = [next(found) for oid in oids if oid]
                held = [one.data for one in contents if one is not None and not one.is_cut]
                size = sum(map(len, held))
                if len(held) == len(contents) and size <= left:
                    left -= size
                    data = iter(held)
                    versions[path] = [next(data) if oid else None for oid in oids]
        return versions

    def _old_oids(self, path: str) -> list[str | None]:
        """What a file was in each parent."""
        others = [other[path].old_oid for other in self._others if path in other]
        return [self._old.get(path), *others]

    @property
    def moves(self) -> Mapping[str, str]:
        """Where each file that only moved was before, and where it is now."""
        return {old: new for new, old in self._moved.items()}

    def moved_from(self, path: str) -> str:
        """Where a file that only moved was before, nothing for any other."""
        return self._moved.get(path, "")

    def beside(self, added_of: AddedOf) -> AddedOf:
        """The lines that are new, of those that are new to the first parent."""
        if not self._moved and not self._others:
            return added_of

        def new_to_all(paths: Sequence[str]) -> Mapping[str, Sequence[range]]:
            ours, others = added_of(paths), [added(paths) for added in self._added]
            return {
                path: new_to_each([lines, *(theirs.get(path, ()) for theirs in others)])
                for path, lines in ours.items()
                if path not in self._moved
            }

        return new_to_all


def moved_files(changes: Sequence[Change]) -> dict[str, str]:
    """The files that are there for others that are gone, with the same content, and where each was before."""
    gone: dict[str | None, list[str]] = {}
    for change in changes:
        if change.oid is None and change.old_oid is not None:
            gone.setdefault(change.old_oid, []).append(change.path)
    # Of two copies one is new.
    added = (change for change in changes if change.old_oid is None)
    return {change.path: gone[change.oid].pop() for change in added if gone.get(change.oid)}


def _merged(git_dir: str) -> list[str]:
    """The commits that a merge which is going on brings in."""
    try:
        data = read_plain_file(os.path.join(git_dir, "MERGE_HEAD"), MAX_HEADS_BYTES) or b""
    except UnsafeFileError:
        return []
    return [name for name in data.decode("ascii", "replace").split() if is_object_id(name)]
