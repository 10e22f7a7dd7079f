"""The way into this package: the acts of a line of shell."""

from __future__ import annotations

from review_gate.commandline.acts import HERE, UNCLEAR, UNREAD, Act
from review_gate.commandline.quick import MOST_TEXT, may_concern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.commandline.acts import Aliases

    Acts = tuple[Act, ...]

_MOST_WORDS = 50
_SHOWN = 4_000


def acts_in(command: str, aliases: Aliases) -> Acts:
    """What a line of bash or sh would do that a gate may care about, in the order in which it would be done.

    `aliases` tells the git aliases of a folder; it is asked only for a subcommand that git does not have.
    """
    return foreseen(command, aliases) if may_concern(command) else ()


def foreseen(command: str, aliases: Aliases) -> Acts:
    """The same without the quick look, which has to be right without it."""
    if len(command) > MOST_TEXT:
        return (_about(UNREAD, command),)
    # Most lines need none of it.
    from review_gate.commandline.walk import ExhaustedError, Walk

    walk = Walk(aliases)
    try:
        # No shell can be given a zero byte, and bash passes over those that it reads.
        walk.go(command.replace("\0", ""))
    except (ExhaustedError, RecursionError):
        # The second only where the caller itself is almost too deep; the depth of the text is limited.
        return (*walk.acts, _about(UNREAD, command))
    return (*walk.acts, _about(UNCLEAR, command)) if "\0" in command else tuple(walk.acts)


def _about(kind: str, command: str) -> Act:
    return Act(kind, tuple(command[:_SHOWN].split()[:_MOST_WORDS]), HERE)
