"""The content of changed files: git is started ahead of time, and what is too large is never read."""

from __future__ import annotations

from review_gate.reviewers.problem import ReviewedFile
from review_gate.shell.changes import LINK_MODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from review_gate.shell.changes import Change
    from review_gate.shell.git import Git

SIZES = ("cat-file", "--batch-check=%(objectname) %(objectsize)")


class Contents:
    """What changed files hold; while git's processes come up, their maker can do something else."""

    def __init__(self, git: Git, changes: Sequence[Change], *, with_old_sizes: bool = False) -> None:
        self.git = git
        self.changes = changes
        self._readable = [change for change in changes if change.has_content]
        self._with_old_sizes = with_old_sizes
        self._begun = git.begin(*SIZES)
        self._sizes: dict[str, int] | None = None
        self._reader = git.objects()

    def __enter__(self) -> Contents:
        return self

    def __exit__(self, error: object, *rest: object) -> None:
        if self._sizes is None:
            self._begun.abandon()
        self._reader.__exit__(error, *rest)

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes of the versions, before anything is read: a 2 GB blob must not reach memory."""
        if self._sizes is None:
            oids = [str(change.oid) for change in self._readable]
            if self._with_old_sizes:
                oids += [change.old_oid for change in self._readable if change.old_oid]
            answer = self._begun.output("".join(f"{oid}\n" for oid in oids).encode("ascii"))
            pairs = (line.split(" ") for line in answer.decode("ascii", "replace").splitlines())
            self._sizes = {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdigit()}
        return self._sizes

    def files(self, max_bytes: int) -> Iterator[tuple[Change, ReviewedFile]]:
        """Every changed file with its content, one at a time, those that are too large last and without."""
        sizes = self.sizes
        small = [change for change in self._readable if 0 <= sizes.get(str(change.oid), -1) <= max_bytes]
        found = self._reader.read_all([str(change.oid) for change in small])
        for change, content in zip(small, found, strict=True):
            yield change, _reviewed_file(change, content.data if content else None, sizes.get(str(change.oid)))
        for change in self._readable:
            if not 0 <= sizes.get(str(change.oid), -1) <= max_bytes:
                yield change, _reviewed_file(change, None, sizes.get(str(change.oid)))


def _reviewed_file(change: Change, data: bytes | None, size: int | None) -> ReviewedFile:
    unread = "" if data is not None else "git does not have its content" if size is None else "it is too large"
    return ReviewedFile(change.path, data, size=size or 0, is_link=change.mode == LINK_MODE, unread=unread)
