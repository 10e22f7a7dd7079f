"""What one pass over a text sees of it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from review_gate.checks.automaton import Occurrence


class Look:
    """A text in which something may match: as it is, with plain line ends, and the needles that stand in it.

    None are known of a text that is too large to know them all at once. `looks` are the characters that look like
    others, None where nobody has looked for them. `text` is the text as it is, where a search has decoded that.
    """

    __slots__ = ("body", "data", "has_marker", "looks", "needles", "text")

    def __init__(
        self,
        data: bytes,
        body: bytes,
        needles: Sequence[Occurrence] | None,
        *,
        has_marker: bool,
        looks: dict[str, str] | None = None,
    ) -> None:
        self.data = data
        self.body = body
        self.needles = needles
        self.has_marker = has_marker
        self.looks = looks
        self.text: str | None = None
