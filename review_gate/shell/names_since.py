"""Which files have their names only since a file was written last, as the history of git tells."""

from __future__ import annotations

import os

from review_gate.shell.files import lies_in
from review_gate.shell.listing import label_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.git import Git
    from review_gate.shell.repository import Repository


class NamesSince:
    """The names of files beside those that there were when one file, such as a baseline, was written last."""

    def __init__(self, repository: Repository, file: str) -> None:
        self._git = repository.git
        self._since = _last_change(repository, file)
        self._known: dict[str, bool] = {}
        self._renames: dict[str, str] | None = None

    def is_new(self, path: str) -> bool:
        """Whether no file was called so then; without any commit nobody can tell, and an old name hides nothing."""
        if path not in self._known:
            self._known[path] = not self._since or bool(
                self._git.run("ls-tree", "-z", "--full-tree", self._since, "--", f":(literal){path}")
            )
        return not self._known[path]

    def renames(self) -> dict[str, str]:
        """Old name -> new name of the files on disk that git takes for renamed since then."""
        if self._renames is None:
            self._renames = renames_of(self._git, "diff-index", self._since) if self._since else {}
        return self._renames

    def renames_to(self, tree: str) -> dict[str, str]:
        """The same for the files of a tree."""
        return renames_of(self._git, "diff-tree", self._since, tree) if self._since else {}


def renames_of(git: Git, command: str, *ends: str) -> dict[str, str]:
    """Old name -> new name of the files that git takes for renamed in a change."""
    raw = git.run(command, "-r", "-M", "-z", "--raw", *ends, "--")
    return dict(_renamed(os.fsdecode(raw).split("\0")))


def _last_change(repository: Repository, file: str) -> str:
    """The commit that wrote a file as it is; HEAD where it was changed since then or is not in the repository."""
    git = repository.git
    head = git.line("rev-parse", "--verify", "--quiet", "HEAD^{commit}") or ""
    if not head or not lies_in(file, repository.top):
        return head
    name = f":(literal){label_of(file, repository.top)}"
    if git.run("status", "--porcelain", "-z", "--untracked-files=all", "--", name):
        return head
    return git.line("rev-list", "-1", "HEAD", "--", name) or head


def _renamed(fields: list[str]) -> list[tuple[str, str]]:
    """Each pair of names in raw output: a header with R, then two names; other headers have one."""
    pairs, at = [], 0
    while at + 1 < len(fields):
        status = fields[at].rpartition(" ")[2]
        if status.startswith(("R", "C")):
            pairs += [(fields[at + 1], fields[at + 2])] if status.startswith("R") else []
            at += 3
        else:
            at += 2
    return pairs
