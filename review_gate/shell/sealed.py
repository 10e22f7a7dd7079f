"""Documents that are kept to save time, each behind a digest of itself: one that was damaged is not used."""

from __future__ import annotations

from review_gate.shell.check_key import digest_of
from review_gate.strict_json import StrictJsonError, parse


def seal(document: dict[str, object]) -> bytes:
    """A document as it is kept: a line with its digest, then JSON."""
    import json

    data = json.dumps(document).encode("ascii")
    return digest_of(data).encode("ascii") + b"\n" + data


def unsealed(kept: bytes | None) -> dict[str, object] | None:
    """The document that was kept, None when it is not, byte for byte, what was written.

    JSON with one other letter is still JSON, and would look for something else.
    """
    digest, _, data = (kept or b"").partition(b"\n")
    if not data or digest != digest_of(data).encode("ascii"):
        return None
    try:
        document = parse(data)
    except StrictJsonError:
        return None
    return document if isinstance(document, dict) else None
