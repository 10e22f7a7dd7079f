"""The names that a file has had in some commits."""

from __future__ import annotations

import os

from review_gate.gate.record import EMPTY_TREES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from review_gate.shell.git import Git

# Who takes two files for one has to compare what they say all the same, so little likeness is enough.
RENAMES = ("-r", "-m", "-M10%", "-z", "--name-status", "--diff-filter=R", "--no-commit-id", "--no-ext-diff")


class FileNames:
    """Which paths git takes for one file between a base and a commit, however often it was renamed."""

    def __init__(self, git: Git, base: str, commit: str) -> None:
        known = [] if base in EMPTY_TREES else [f"^{base}"]
        commits = git.run("rev-list", commit, *known)
        fields = os.fsdecode(git.run("diff-tree", "--stdin", *RENAMES, stdin=commits)).split("\0")
        self._names: dict[str, set[str]] = {}
        for old, new in zip(fields[1::3], fields[2::3], strict=False):
            self._join(old, new)

    def of(self, path: str) -> Collection[str]:
        """All names of the file that has or had this one."""
        return self._names.get(path, (path,))

    def _join(self, old: str, new: str) -> None:
        ours, theirs = (self._names.setdefault(name, {name}) for name in (old, new))
        small, large = sorted((ours, theirs), key=len)
        if small is not large:
            large |= small
            self._names.update(dict.fromkeys(small, large))
