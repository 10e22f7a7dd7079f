"""The nouns of this package: what a line of shell would do that a gate may care about."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Aliases = Callable[[str], Mapping[str, str]]

# Stands in a word for what the text does not tell. No argument of a program can hold it, so it cannot be forged.
UNKNOWN = "\0"
# As a part of a path: any folders, or none.
ANYWHERE = UNKNOWN * 2

PUSH = "push"
PUBLISH = "publish"
SEND = "send"
SKIP = "skip"
HOOKS_OFF = "hooks-off"
REFS = "refs"
TRACKING = "tracking"
UNINSTALL = "uninstall"
WRITE = "write"
UNCLEAR = "unclear"
UNREAD = "unread"

# Where a line starts.
HERE = "."


class Act:
    """One thing a line would do, its words and the folder it would do it in, which is nothing where that is unknown.

    The words of a push are its arguments, those of a write the paths, and otherwise the whole command. A word holds
    `UNKNOWN` where the text does not tell. `skipped_by`: what keeps git from calling the hooks of the repository.
    `may_have_moved`: something before it in the line may change what HEAD and the refs stand for.
    """

    __slots__ = ("folder", "kind", "may_have_moved", "skipped_by", "words")

    def __init__(
        self,
        kind: str,
        words: tuple[str, ...],
        folder: str | None = HERE,
        *,
        skipped_by: str = "",
        may_have_moved: bool = False,
    ) -> None:
        self.kind = kind
        self.words = words
        self.folder = folder
        self.skipped_by = skipped_by
        self.may_have_moved = may_have_moved

    @property
    def has_unknown(self) -> bool:
        """Whether some word of it, or a part of one, is not told by the text."""
        return any(UNKNOWN in word for word in self.words)

    def _fields(self) -> tuple[str, tuple[str, ...], str | None, str, bool]:
        return self.kind, self.words, self.folder, self.skipped_by, self.may_have_moved

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Act) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def __repr__(self) -> str:
        return f"Act{self._fields()!r}"
