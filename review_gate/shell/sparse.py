"""Settings and checks that a sparse checkout leaves out: they are in force, and nobody could read them."""

from __future__ import annotations

import os

from review_gate.config.places import REPLACEMENT_VARIABLE, REPOSITORY_FILE
from review_gate.errors import ConfigError
from review_gate.shell.check_files import CLAUDE, FOLDERS, counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from review_gate.shell.repository import Repository


def refuse_absent_settings(repository: Repository) -> None:
    """Refuse a sparse checkout without the configuration that the index has."""
    if not os.environ.get(REPLACEMENT_VARIABLE):
        _refuse(absent_files(repository, [REPOSITORY_FILE]))


def refuse_absent_checks(repository: Repository, settings: Mapping[str, object]) -> None:
    """Refuse a sparse checkout without files with checks, or the baseline, that are in force."""
    sources, baseline = settings.get("sources"), settings.get("baseline")
    places = ("project", "rules", "rules", "claude_md")
    wanted = [
        name
        for place, name in zip(places, (*FOLDERS, CLAUDE), strict=True)
        if not isinstance(sources, list) or place in sources
    ]
    known = str(baseline) if baseline else None
    absent = absent_files(repository, [*wanted, *([known] if known else [])])
    _refuse([path for path in absent if counts(path, known)])


def absent_files(repository: Repository, names: Sequence[str] = ()) -> list[str]:
    """Files of the index, or those of some names, that are marked as not checked out, and are not there."""
    listed = repository.git.run("ls-files", "-t", "-z", "--", *(f":(literal){name}" for name in names))
    entries = listed.decode("utf-8", "surrogateescape").split("\0")
    marked = [entry[2:] for entry in entries if entry.startswith("S ")]
    return [path for path in marked if not os.path.lexists(os.path.join(repository.top, path))]


def _refuse(absent: list[str]) -> None:
    if not absent:
        return
    from shlex import quote

    more = f", nor {'is' if len(absent) == 2 else 'are'} {len(absent) - 1} more" if len(absent) > 1 else ""
    # A sparse checkout in cone mode knows folders only, and has all files at the top.
    places = sorted({os.path.dirname(path) or path for path in absent})
    raise ConfigError(
        f"{absent[0]} is not on disk (a sparse checkout){more}",
        why="what it says is in force, and nobody could read it",
        next_step=f"git sparse-checkout add {' '.join(map(quote, places))}, then the same command again",
    )
