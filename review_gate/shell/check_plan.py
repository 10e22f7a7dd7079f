"""The plan of the checks in force, kept in the git directory: made once, read by every hook and scan."""

from __future__ import annotations

from review_gate.checks.plan import CheckPlan, plan_from_plain
from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file
from review_gate.shell.sealed import seal, unsealed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.repository import Repository

CACHE_NAME = "checks.json"
NAMED_CACHE_NAME = "checks-named.json"
MAX_CACHE_BYTES = 64_000_000


def read_plan(repository: Repository, key: str, *, is_named: bool = False) -> CheckPlan | None:
    """The kept plan if it was made from exactly these sources and settings, else None."""
    try:
        return plan_in(read_plain_file(_path(repository, is_named=is_named), MAX_CACHE_BYTES), key)
    except UnsafeFileError:
        return None


def plan_in(data: bytes | None, key: str) -> CheckPlan | None:
    """The plan in what `plan_bytes` made, if it has this key, else None."""
    document = unsealed(data)
    if document is None or document.get("key") != key:
        return None
    return plan_from_plain(document.get("plan"))


def plan_bytes(key: str, plan: CheckPlan) -> bytes:
    """A plan as it is kept and handed on."""
    return seal({"key": key, "plan": plan.plain()})


def write_plan(repository: Repository, key: str, plan: CheckPlan, *, is_named: bool = False) -> None:
    """Keep a plan; where that cannot be done, the next scan makes it again."""
    try:
        replace_file(_path(repository, is_named=is_named), plan_bytes(key, plan), scratch=repository.scratch)
    except OSError:
        return


def _path(repository: Repository, *, is_named: bool) -> str:
    return repository.own_path(NAMED_CACHE_NAME if is_named else CACHE_NAME)
