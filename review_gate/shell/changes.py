"""What changed between two trees, or between a commit and the index, from NUL-separated raw output."""

from __future__ import annotations

from review_gate.errors import GitError
from review_gate.gate.record import ID_LENGTHS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from review_gate.shell.git import Git

EXECUTABLE_MODE = "100755"
LINK_MODE = "120000"
SUBMODULE_MODE = "160000"
RAW = ("-r", "-z", "--raw", "--no-renames", "--full-index", "--no-abbrev", "--no-ext-diff", "--no-textconv")
# How git says that there is no object.
_NO_IDS = frozenset("0" * length for length in ID_LENGTHS)


class Change:
    """One changed path; `oid` is None when it was deleted, `old_oid` when it was added."""

    __slots__ = ("mode", "oid", "old_mode", "old_oid", "path")

    def __init__(self, path: str, mode: str, oid: str | None, old_oid: str | None, *, old_mode: str) -> None:
        self.path = path
        self.mode = mode
        self.old_mode = old_mode
        self.oid = oid
        self.old_oid = old_oid

    @property
    def has_content(self) -> bool:
        """Whether there is a file to read: not a deletion, not a submodule."""
        return self.oid is not None and self.mode != SUBMODULE_MODE


def changed_between(git: Git, base: str, tree: str) -> list[Change]:
    """The changes from one tree or commit to another."""
    # diff-tree reads objects only: no filter, driver or monitor that the repository configures can run.
    return list(_parse(git.run("diff-tree", *RAW, "--end-of-options", base, tree)))


def begin_staged_changes(git: Git) -> Callable[[], tuple[str, list[Change]]]:
    """What the index is compared with, HEAD or before the first commit nothing, and how it differs.

    Git is started now, and the answer is waited for when it is asked for.
    """
    begun = git.begin(*_in_index("HEAD"))

    def finish() -> tuple[str, list[Change]]:
        try:
            return "HEAD", list(_parse(begun.output()))
        except GitError:
            # Before the first commit HEAD names nothing, and everything staged is new.
            if git.line("rev-parse", "--verify", "--quiet", "HEAD") is not None:
                raise
        empty_tree = git.run("hash-object", "-t", "tree", "--stdin").decode("ascii").strip()
        return empty_tree, list(_parse(git.run(*_in_index(empty_tree))))

    return finish


def staged_since(git: Git, commit: str) -> list[Change]:
    """How the index differs from a commit."""
    return list(_parse(git.run(*_in_index(commit))))


def _in_index(base: str) -> tuple[str, ...]:
    """How the index that git is about to commit differs from a commit or tree."""
    # A file may be called HEAD too.
    return ("diff-index", "--cached", *RAW, "--end-of-options", base, "--")


def _parse(output: bytes) -> Iterator[Change]:
    # All at once, for there may be very many.
    fields = output.decode("utf-8", "surrogateescape").split("\0")
    for header, path in zip(fields[0::2], fields[1::2], strict=False):
        old_mode, mode, old_oid, oid, status = header.split(" ")
        yield Change(
            path,
            mode,
            None if status == "D" or oid in _NO_IDS else oid,
            None if old_oid in _NO_IDS else old_oid,
            old_mode=old_mode[1:],
        )
