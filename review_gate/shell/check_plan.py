"""The plan of the checks in force, kept in the git directory: made once, read by every hook and scan."""

from __future__ import annotations

from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file
from review_gate.shell.sealed import seal, unsealed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from review_gate.checks.plan import CheckPlan
    from review_gate.shell.repository import Repository

# What is kept: the plan of all checks in force, what those for messages look for, the plan of files that were named.
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
    document = unsealed(data)
    if document is None or document.get("key") != key:
        return None
    # Most messages need no check, and do not pay for the import.
    from review_gate.checks.plan import plan_from_plain

    return plan_from_plain(document.get("plan"))


def plan_bytes(key: str, plan: CheckPlan) -> bytes:
    """A plan as it is kept and handed on."""
    return seal({"key": key, "plan": plan.plain()})


def write_plan(repository: Repository, key: str, plan: CheckPlan, name: str = WHOLE) -> None:
    """Keep a plan; where that cannot be done, the next scan makes it again."""
    try:
        replace_file(repository.own_path(name), plan_bytes(key, plan), scratch=repository.scratch)
    except OSError:
        return


def read_needles(repository: Repository, key: str) -> list[str] | None:
    """What the checks for commit messages look for, if that was kept for these sources and settings, else None."""
    try:
        document = unsealed(read_plain_file(repository.own_path(MESSAGES), MAX_CACHE_BYTES))
    except UnsafeFileError:
        return None
    found = document.get("needles") if document is not None and document.get("key") == key else None
    return [str(one) for one in found] if isinstance(found, list) else None


def write_needles(repository: Repository, key: str, needles: Sequence[str]) -> None:
    """Keep what the checks for commit messages look for."""
    try:
        data = seal({"key": key, "needles": list(needles)})
        replace_file(repository.own_path(MESSAGES), data, scratch=repository.scratch)
    except OSError:
        return
