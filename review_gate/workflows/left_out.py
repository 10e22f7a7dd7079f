"""What a scan did not look at without being told so, in words."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def inner_note(inner: Mapping[str, str]) -> Iterator[str]:
    """Word of repositories inside this one, given as paths in reports and names on disk."""
    if not inner:
        return
    from shlex import quote

    first = min(inner)
    which = "1 repository" if len(inner) == 1 else f"{len(inner)} repositories"
    named = first if len(inner) == 1 else f"first {first}"
    again = f"review-gate scan {quote(os.path.relpath(inner[first]))}"
    yield f"left out: {which} inside this one, {named}; {again} looks at it"


def absent_note(absent: Sequence[str]) -> Iterator[str]:
    """Word of files that are not on disk because of a sparse checkout."""
    if absent:
        which = "1 file" if len(absent) == 1 else f"{len(absent)} files"
        named = absent[0] if len(absent) == 1 else f"first {absent[0]}"
        remedy = "git sparse-checkout disable brings all"
        yield f"not looked at: {which} that a sparse checkout leaves out, {named}; {remedy}"
