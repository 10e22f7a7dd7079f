"""Refs by their exact name, and by nothing else.

Git's own look-up tries `refs/tags/<name>` and more when `<name>` does not exist, so a fetched tag called
`refs/review-gate/commits/…` would pass for a review record.
"""

from __future__ import annotations

import os

from review_gate.gate.record import ID_LENGTHS, is_object_id
from review_gate.shell.files import READ_ONLY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.repository import Repository

# Where the ledger keeps reviews of the index, by tree.
STAGED_REVIEWS = "refs/review-gate/trees/"


class ExactRefs:
    """Reads refs straight from the shared git directory: one small file each, or a line of packed-refs."""

    def __init__(self, repository: Repository) -> None:
        self._git = repository.git
        self._common_dir = repository.common_dir
        self._packed: bytes | None = None
        self._stamp: tuple[int, int, int] | None = None
        # Git 2.45 and later can keep refs in tables that only git can read.
        self._is_reftable = os.path.isdir(os.path.join(repository.common_dir, "reftable"))

    def read(self, name: str) -> str | None:
        """The object id that a ref of exactly this name holds; empty when the ref is there and holds none."""
        if self._is_reftable:
            return self._git.line("show-ref", "--verify", "--hash", "--", name)
        try:
            handle = os.open(f"{self._common_dir}/{name}", READ_ONLY)
        except (FileNotFoundError, NotADirectoryError):
            return self._read_packed(name)
        try:
            value = os.read(handle, max(ID_LENGTHS) + 1).rstrip(b"\n").decode("ascii", "replace")
        except IsADirectoryError:
            return self._read_packed(name)
        finally:
            os.close(handle)
        # A symbolic ref is nothing that the ledger writes; an empty file is what a power failure leaves.
        return value if is_object_id(value) else ""

    def may_hold(self, prefix: str) -> bool:
        """Whether there can be refs below a prefix; False is certain, True is not."""
        if self._is_reftable or os.path.isdir(f"{self._common_dir}/{prefix}"):
            return True
        return b" " + os.fsencode(prefix) in self._packed_refs()

    def _read_packed(self, name: str) -> str | None:
        packed = self._packed_refs()
        at = packed.find(b" " + os.fsencode(name) + b"\n")
        if at < 0 and self._is_outdated():
            # Somebody packed the refs while we looked: the loose file went, and the new line came.
            self._packed = None
            return self.read(name)
        if at < 0:
            return None
        start = packed.rfind(b"\n", 0, at) + 1
        value = packed[start:at].decode("ascii", "replace")
        return value if is_object_id(value) else None

    def _packed_refs(self) -> bytes:
        if self._packed is None:
            self._stamp = self._stamp_of_packed()
            try:
                with open(f"{self._common_dir}/packed-refs", "rb") as file:
                    self._packed = file.read()
            except FileNotFoundError:
                self._packed = b""
        return self._packed

    def _is_outdated(self) -> bool:
        return self._stamp_of_packed() != self._stamp

    def _stamp_of_packed(self) -> tuple[int, int, int] | None:
        try:
            status = os.stat(f"{self._common_dir}/packed-refs")
        except FileNotFoundError:
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino
