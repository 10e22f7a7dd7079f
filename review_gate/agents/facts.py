"""What the facts about this machine are told in: the gate's word, a review in rounds, whether git asks the gate."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# Whether git asks the gate itself at a push.
INTACT = "intact"
MISSING = "missing"
# ... and where nobody has asked for a gate.
NEVER_INSTALLED = "never installed"


class GateAnswer:
    """What the gate says about a push: whether it is open, in words for people, and all of it for programs."""

    __slots__ = ("document", "is_open", "text")

    def __init__(self, *, is_open: bool, text: str, document: Mapping[str, object]) -> None:
        self.is_open = is_open
        self.text = text
        self.document = document


class Round:
    """How a review in rounds stands, by what was last written down of it."""

    __slots__ = ("open_findings", "outcome", "place", "review", "round")

    def __init__(self, review: str, *, outcome: str, round: int, open_findings: int, place: str) -> None:
        self.review = review
        self.outcome = outcome
        self.round = round
        self.open_findings = open_findings
        self.place = place
