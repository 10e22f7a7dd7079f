"""Whether checks could say something of a short text; commit messages are asked this before anything is imported."""

from __future__ import annotations

from review_gate.checks.labels import MARKER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# A longer text is searched for one needle after the other in more time than the import of the engine takes.
SHORT = 10_000


def may_match(text: bytes, needles: Iterable[str]) -> bool:
    """Whether a text may hold a match, given the needles of all checks in lower case; False is certain.

    In plain ASCII nothing looks like something else. A check without needles has the empty text for one.
    """
    if len(text) > SHORT or not text.isascii() or any(one in text for one in (b"\0", b"\r", MARKER)):
        return True
    folded = text.decode("ascii").lower()
    return any(needle in folded for needle in needles)
