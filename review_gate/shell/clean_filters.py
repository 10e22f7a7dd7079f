"""Programs through which git sends files when it reads them from disk: named by settings, chosen by attributes.

None of them is started by us. A repository that came as an archive brings settings along, and reading its work tree
must not run them. What such a program makes of a file nobody else can tell, so who has to know is told to `git add`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from review_gate.shell.git import Git

_SETTINGS = r"^filter\..*\.(clean|process|required)$"
_NOTHING = "REVIEW_GATE_NOTHING"


def without_filters(git: Git) -> Git:
    """The same git, which reads files as they are on disk."""
    # The name of a filter may hold `=`, at which `-c` would cut it.
    return git.with_more([f"--config-env={name}={_NOTHING}" for name in _settings(git)], {_NOTHING: ""})


def filtered(git: Git, top: str, paths: Sequence[str]) -> list[tuple[str, str]]:
    """The files among these that a program would change on their way into git, each with the name of its filter."""
    active = {name.split(".", 1)[1].rpartition(".")[0] for name, value in _settings(git).items() if value}
    if not active:
        return []
    asked = "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
    fields = os.fsdecode(git.run("check-attr", "-z", "--stdin", "filter", stdin=asked)).split("\0")
    return [(path, name) for path, name in _pairs(fields) if name in active and _is_plain(os.path.join(top, path))]


def _settings(git: Git) -> dict[str, str]:
    """The settings of all filters that read, with the values that count."""
    listed = git.try_run("config", "--null", "--get-regexp", _SETTINGS)[1]
    entries = (entry.partition("\n") for entry in os.fsdecode(listed).split("\0") if entry)
    return {name: value for name, _, value in entries}


def _pairs(fields: Sequence[str]) -> Iterator[tuple[str, str]]:
    return zip(fields[0::3], fields[2::3], strict=False)


def _is_plain(path: str) -> bool:
    """Whether git would send it through a filter at all: neither links nor folders."""
    return os.path.isfile(path) and not os.path.islink(path)
