"""Small blobs straight from their files: git opens a loose object three times, which a push of many refs feels."""

from __future__ import annotations

import os
import zlib

from review_gate.shell.files import READ_ONLY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_FILE_BYTES = 1 << 16
MAX_BYTES = 1 << 20


def read_loose_blobs(common_dir: str, oids: Iterable[str]) -> dict[str, bytes]:
    """The content of those blobs that lie there loose and are small; for all others git has to be asked."""
    found = {}
    for oid in oids:
        content = _read(f"{common_dir}/objects/{oid[:2]}/{oid[2:]}")
        if content is not None:
            found[oid] = content
    return found


def _read(path: str) -> bytes | None:
    try:
        handle = os.open(path, READ_ONLY)
    except OSError:
        return None
    try:
        packed = os.read(handle, MAX_FILE_BYTES)
        data = zlib.decompressobj().decompress(packed, MAX_BYTES)
    except (OSError, zlib.error):
        return None
    finally:
        os.close(handle)
    header, _, content = data.partition(b"\0")
    # A file that is longer, cut off or damaged has another length than it says: git may tell what is wrong with it.
    return content if header == b"blob %d" % len(content) else None
