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
        document = unsealed(read_plain_file(_path(repository, is_named=is_named), MAX_CACHE_BYTES))
    except UnsafeFileError:
        return None
    if document is None or document.get("key") != key:
        return None
    return plan_from_plain(document.get("plan"))


def write_plan(repository: Repository, key: str, plan: CheckPlan, *, is_named: bool = False) -> None:
    """Keep a plan; where that cannot be done, the next scan makes it again."""
    data = seal({"key": key, "plan": plan.plain()})
    try:
        replace_file(_path(repository, is_named=is_named), data, scratch=repository.scratch)
    except OSError:
        return


def _path(repository: Repository, *, is_named: bool) -> str:
    return repository.own_path(NAMED_CACHE_NAME if is_named else CACHE_NAME)
