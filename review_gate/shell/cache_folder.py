"""Where this user keeps what can be made again, or what nobody needs for long."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def cache_folder(environ: Mapping[str, str], platform: str) -> str | None:
    """Where this user keeps what can be made again, None where there is no home."""
    chosen = environ.get("LOCALAPPDATA" if platform == "win32" else "XDG_CACHE_HOME", "")
    home = environ.get("HOME", "")
    if not os.path.isabs(chosen):
        if not os.path.isabs(home):
            return None
        chosen = os.path.join(home, *(("Library", "Caches") if platform == "darwin" else (".cache",)))
    return os.path.join(chosen, "review-gate")
