"""Documents that are kept to save time, each behind a digest of itself: one that was damaged is not used."""

from __future__ import annotations

from review_gate.shell.check_key import digest_of
from review_gate.strict_json import StrictJsonError, parse


def seal(document: dict[str, object]) -> bytes:
    """A document as it is kept: a line with its digest, then a line of JSON; what is not sealed can follow."""
    import json

    data = json.dumps(document).encode("ascii")
    return digest_of(data).encode("ascii") + b"\n" + data + b"\n"


def unsealed(kept: bytes | None) -> dict[str, object] | None:
    """The document that was kept with nothing after it, None when it is not, byte for byte, what was written."""
    found = sealed_part(kept)
    return found[0] if found is not None and kept is not None and found[1] == len(kept) else None


def sealed_part(kept: bytes | None) -> tuple[dict[str, object], int] | None:
    """The document that was kept and where it ends, None when it is not, byte for byte, what was written.

    JSON with one other letter is still JSON, and would look for something else.
    """
    kept = kept or b""
    begin = kept.find(b"\n") + 1
    end = kept.find(b"\n", begin) + 1
    data = kept[begin : end - 1]
    if not begin or not end or kept[: begin - 1] != digest_of(data).encode("ascii"):
        return None
    try:
        document = parse(data)
    except StrictJsonError:
        return None
    return (document, end) if isinstance(document, dict) else None
