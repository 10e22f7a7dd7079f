"""What the gate is asked about: the refs of a push and the facts that were gathered for them."""

from __future__ import annotations

from review_gate.gate.record import is_object_id, is_zero_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from review_gate.gate.record import Record
    from review_gate.gate.state_view import StateView

COMMIT = "commit"
DELETE = "delete"
RECORD = "record"
OTHER = "other"
NO_COMMIT = "no commit"


class PushLineError(ValueError):
    """Git's standard input is not the pre-push protocol."""


class RefUpdate:
    """One ref of a push; `commit` is the peeled commit, `kind` what is sent."""

    __slots__ = ("commit", "kind", "local_oid", "local_ref", "remote_oid", "remote_ref")

    def __init__(
        self,
        local_ref: str,
        local_oid: str,
        remote_ref: str,
        remote_oid: str | None,
        *,
        kind: str = OTHER,
        commit: str | None = None,
    ) -> None:
        self.local_ref = local_ref
        self.local_oid = local_oid
        self.remote_ref = remote_ref
        self.remote_oid = remote_oid
        self.kind = kind
        self.commit = commit


class CommitReviews:
    """One commit with everything the ledger says of it; `error` means that this could not be read."""

    __slots__ = ("error", "of_tree", "parents", "passing", "records", "staged", "tree")

    def __init__(
        self, *, tree: str, parents: tuple[str, ...], records: tuple[Record, ...] = (), error: str = ""
    ) -> None:
        self.tree = tree
        self.parents = parents
        self.records = records
        self.error = error
        # What was said of this content since it was first staged or failed, in whichever commit, in order.
        self.of_tree: tuple[Record, ...] = ()
        # Those of them that are of the index this commit was made of.
        self.staged: tuple[Record, ...] = ()
        # Under each policy that was asked about: the reviews that open the gate.
        self.passing: dict[str, tuple[Record, ...]] = {}

    def inherit(self, of_tree: tuple[Record, ...]) -> None:
        """Take over reviews of the staged tree: same tree, same base, and nothing else merged in."""
        self.of_tree = of_tree
        self.staged = tuple(record for record in of_tree if record.commit is None and self.parents == (record.base,))
        self.passing.clear()

    @property
    def known(self) -> tuple[Record, ...]:
        """Every review of this content, the staged ones first."""
        return self.staged + self.records


class Push:
    """All facts for one decision; the same facts always give the same decision."""

    __slots__ = (
        "asked_scope",
        "checked_out",
        "has_unknown_tips",
        "head",
        "on_remote",
        "outgoing",
        "policy",
        "refs",
        "remote_hint",
        "reviews",
        "state",
        "state_error",
        "state_path",
        "suggested_base",
        "tips_on_remote",
    )

    def __init__(
        self,
        refs: tuple[RefUpdate, ...],
        *,
        reviews: Mapping[str, CommitReviews],
        policy: str,
        on_remote: frozenset[str] = frozenset(),
        tips_on_remote: frozenset[str] = frozenset(),
        head: str = "",
        state: StateView | None = None,
        state_error: str = "",
        state_path: str = "",
        outgoing: Mapping[str, Mapping[str, tuple[str, ...]]] | None = None,
        suggested_base: str = "",
        remote_hint: str = "",
        has_unknown_tips: bool = False,
        checked_out: frozenset[str] = frozenset(),
        asked_scope: str = "",
    ) -> None:
        self.refs = refs
        self.reviews = reviews
        self.policy = policy
        self.on_remote = on_remote
        self.tips_on_remote = tips_on_remote
        self.head = head
        self.state = state
        self.state_error = state_error
        self.state_path = state_path
        self.outgoing = outgoing or {}
        self.suggested_base = suggested_base
        self.remote_hint = remote_hint
        self.has_unknown_tips = has_unknown_tips
        # Branches that are the HEAD of a work tree; gathered for the words of a refusal.
        self.checked_out = checked_out
        # How a run has to be told to cover the range that was asked about.
        self.asked_scope = asked_scope


def read_push_lines(data: bytes) -> tuple[RefUpdate, ...]:
    """The updates in git's pre-push lines, each `<local ref> <local id> <remote ref> <remote id>`."""
    text = data.decode("utf-8", "surrogateescape")
    return tuple(_read_line(line) for line in text.split("\n") if line)


def _read_line(line: str) -> RefUpdate:
    # A local ref can be any revision the user typed, blanks included (`git push origin ":/fix it:main"`).
    parts = line.rsplit(" ", 3)
    if len(parts) != 4 or not is_object_id(parts[1]) or not is_object_id(parts[3]):
        raise PushLineError(f"not a line of git's pre-push protocol: {line[:100]!r}")
    update = RefUpdate(*parts)
    if is_zero_id(update.local_oid):
        update.kind = DELETE
    return update
