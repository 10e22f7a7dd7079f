"""The derived plans of shipped packs, kept for all repositories of a user: they change only with review-gate itself."""

from __future__ import annotations

import os
import sys

from review_gate.shell.cache_folder import cache_folder
from review_gate.shell.check_key import key_of
from review_gate.shell.check_plan import plan_bytes, plan_in
from review_gate.shell.files import UnsafeFileError, read_plain_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from review_gate.checks.plan import CheckPlan
    from review_gate.shell.check_sources import CheckSource

MAX_BYTES = 8_000_000


def cached_pack(source: CheckSource, environ: Mapping[str, str]) -> CheckPlan | None:
    """The plan of a pack if it was made from exactly this text by exactly this program, else None."""
    path = _path(source, environ)
    try:
        return plan_in(read_plain_file(path, MAX_BYTES) if path else None, key_of([source], {}))
    except UnsafeFileError:
        return None


def keep_pack(source: CheckSource, plan: CheckPlan, environ: Mapping[str, str]) -> None:
    """Keep the plan of a pack; where that cannot be done it is made again."""
    path = _path(source, environ)
    if path is None:
        return
    # Written beside and then renamed, so that nobody reads half of it.
    partial = f"{path}.{os.getpid()}.tmp"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(partial, "xb") as file:
            file.write(plan_bytes(key_of([source], {}), plan))
        os.replace(partial, path)
    except OSError:
        return


def _path(source: CheckSource, environ: Mapping[str, str]) -> str | None:
    folder = cache_folder(environ, sys.platform)
    return os.path.join(folder, f"{source.label.replace(':', '-')}.json") if folder else None
