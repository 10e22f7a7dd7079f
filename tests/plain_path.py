"""A PATH on which none of the programs is that review-gate could ask: what a test sees is not what a machine has."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

ASKED = ("claude", "codex", "gemini")


@cache
def without_models(path: str) -> str:
    """The same PATH; a folder with one of these programs is replaced by links to everything else in it."""
    return os.pathsep.join(map(_without, path.split(os.pathsep)))


def _without(folder: str) -> str:
    return _links(folder) if any(os.path.lexists(os.path.join(folder, name)) for name in ASKED) else folder


@cache
def _links(folder: str) -> str:
    mirror = Path(tempfile.mkdtemp(prefix="without-models-"))
    atexit.register(shutil.rmtree, mirror, ignore_errors=True)
    for entry in os.scandir(folder):
        # On some systems the names have suffixes.
        if entry.name.partition(".")[0] not in ASKED:
            (mirror / entry.name).symlink_to(os.path.abspath(entry.path))
    return str(mirror)
