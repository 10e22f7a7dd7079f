"""The plan of the checks in force, kept in the git directory: made once, read by every hook and scan.

The code of its regexes is most of it and little of that is needed, so it follows the sealed document as it is, and each
piece has a digest of its own.
"""

from __future__ import annotations

from review_gate.checks.plan import CheckPlan, plan_from_plain
from review_gate.shell.check_key import digest_of
from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file
from review_gate.shell.sealed import seal, sealed_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from review_gate.shell.repository import Repository

# The plans that are kept: of all checks in force, of those among them for messages, of files that somebody named.
WHOLE = "checks.json"
MESSAGES = "checks-messages.json"
NAMED = "checks-named.json"
MAX_CACHE_BYTES = 64_000_000


def read_plan(repository: Repository, key: str, name: str = WHOLE) -> CheckPlan | None:
    """The kept plan if it was made from exactly these sources and settings, else None."""
    try:
        return plan_in(read_plain_file(repository.own_path(name), MAX_CACHE_BYTES), key)
    except UnsafeFileError:
        return None


def plan_in(data: bytes | None, key: str) -> CheckPlan | None:
    """The plan in what `plan_bytes` made, if it has this key, else None."""
    kept = sealed_part(data)
    if data is None or kept is None:
        return None
    document, end = kept
    if document.get("key") != key or document.get("codes") != len(data) - end:
        return None
    return plan_from_plain(document.get("plan"), lambda at, length, digest: _code(data, end + at, length, digest))


def _code(data: bytes, at: int, length: int, digest: str) -> Callable[[], bytes]:
    """Code that is cut out when it is needed, nothing where it is damaged: then `re` compiles the pattern."""

    def code() -> bytes:
        piece = data[at : at + length]
        return piece if _short(piece) == digest else b""

    return code


def _short(code: bytes) -> str:
    """A digest for one of many pieces, against accidents only."""
    return digest_of(code)[:16]


def plan_bytes(key: str, plan: CheckPlan) -> bytes:
    """A plan as it is kept and handed on."""
    pieces: list[bytes] = []
    sizes = [0]

    def place(code: bytes) -> list[object]:
        pieces.append(code)
        sizes.append(sizes[-1] + len(code))
        return [sizes[-2], len(code), _short(code)]

    document = plan.plain(place)
    return seal({"key": key, "codes": sizes[-1], "plan": document}) + b"".join(pieces)


def write_plan(repository: Repository, key: str, plan: CheckPlan, name: str = WHOLE) -> None:
    """Keep a plan; where that cannot be done, the next scan makes it again."""
    try:
        replace_file(repository.own_path(name), plan_bytes(key, plan), scratch=repository.scratch)
    except OSError:
        return
