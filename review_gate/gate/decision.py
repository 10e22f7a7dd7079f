"""What the gate answers: one decision for a push, one for each of its refs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.gate.push import RefUpdate

APPROVED = "approved"
MISSING = "missing"
STALE = "stale"
FAILED = "failed"
INCOMPLETE = "incomplete"
CORRUPT = "corrupt"
UNCOVERED = "uncovered"
TAMPERED = "tampered"
POLICY_CHANGED = "policy_changed"
WORST_FIRST = (TAMPERED, CORRUPT, FAILED, INCOMPLETE, STALE, POLICY_CHANGED, UNCOVERED, MISSING)


class Words:
    """What happened, why it matters, what to type next."""

    __slots__ = ("blockers", "next_step", "what", "why")

    def __init__(self, what: str, *, why: str = "", next_step: str = "", blockers: tuple[str, ...] = ()) -> None:
        self.what = what
        self.why = why
        self.next_step = next_step
        self.blockers = blockers


class RefDecision:
    """Whether one ref may leave, and the words for it."""

    __slots__ = ("reason", "ref", "reviewed_commit", "uncovered", "words")

    def __init__(
        self,
        reason: str,
        ref: RefUpdate | None,
        words: Words,
        *,
        reviewed_commit: str = "",
        uncovered: tuple[str, ...] = (),
    ) -> None:
        self.reason = reason
        self.ref = ref
        self.words = words
        self.reviewed_commit = reviewed_commit
        self.uncovered = uncovered

    @property
    def allowed(self) -> bool:
        """Whether this ref may leave."""
        return self.reason == APPROVED

    @property
    def commit(self) -> str:
        """The commit that was judged, or nothing for a deletion."""
        return (self.ref.commit or "") if self.ref is not None else ""


class Decision:
    """Leave to ship for a whole push; `leading` is the ref that speaks for it, the worst closed one if any."""

    __slots__ = ("closed", "leading", "refs")

    def __init__(self, leading: RefDecision, refs: tuple[RefDecision, ...], closed: tuple[RefDecision, ...]) -> None:
        self.leading = leading
        self.refs = refs
        self.closed = closed

    @property
    def allowed(self) -> bool:
        """Whether the push may go on."""
        return not self.closed

    @property
    def reason(self) -> str:
        """The reason of the ref that speaks for the push."""
        return self.leading.reason

    @property
    def unreviewed(self) -> tuple[str, ...]:
        """Every commit that is let out only because the remote has it already, and of which there is no review here."""
        return tuple(dict.fromkeys(ref.commit for ref in self.refs if ref.allowed and ref.commit and ref.words.why))

    @property
    def uncovered(self) -> tuple[str, ...]:
        """Every commit of the push that no passing review covers, each once."""
        seen: dict[str, None] = {}
        for ref in self.closed:
            for commit in ref.uncovered:
                seen[commit] = None
        return tuple(seen)
