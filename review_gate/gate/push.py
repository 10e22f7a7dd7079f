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


class Remedy:
    """What opens the gate for one ref: how to tell a run to cover all that the remote lacks.

    `start` is where that run has to start, an empty tree for everything; nothing when a plain run starts low enough.
    `is_empty`: nothing changes from there. `is_on_remote`: the remote is known to have the commit. `is_open_there`: the
    settings of the commit itself would let it out, were they in force. `is_forced`: git lets it out only by force.
    """

    __slots__ = ("is_empty", "is_forced", "is_on_remote", "is_open_there", "start")

    def __init__(
        self,
        start: str = "",
        *,
        is_empty: bool = False,
        is_on_remote: bool = False,
        is_open_there: bool = False,
        is_forced: bool = False,
    ) -> None:
        self.start = start
        self.is_forced = is_forced
        self.is_empty = is_empty
        self.is_on_remote = is_on_remote
        self.is_open_there = is_open_there


PLAIN_RUN = Remedy()


class RefUpdate:
    """One ref of a push; `commit` is the peeled commit, `kind` what is sent, `remedy` is for the words of a refusal."""

    __slots__ = ("commit", "kind", "local_oid", "local_ref", "remedy", "remote_oid", "remote_ref")

    def __init__(
        self,
        local_ref: str,
        local_oid: str,
        remote_ref: str,
        remote_oid: str | None,
        *,
        kind: str = OTHER,
        commit: str | None = None,
        remedy: Remedy = PLAIN_RUN,
    ) -> None:
        self.local_ref = local_ref
        self.local_oid = local_oid
        self.remote_ref = remote_ref
        self.remote_oid = remote_oid
        self.kind = kind
        self.commit = commit
        self.remedy = remedy


class CommitReviews:
    """One commit with everything the ledger says of it; `error` means that this could not be read."""

    __slots__ = ("bad_message", "error", "of_tree", "parents", "passing", "records", "staged", "tree")

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
        # What the checks say against the message, which a review of the index has not seen; asked only for such a one.
        self.bad_message: tuple[str, ...] = ()
        # Under each policy that was asked about: the reviews that open the gate.
        self.passing: dict[str, tuple[Record, ...]] = {}

    def inherit(self, of_tree: tuple[Record, ...]) -> None:
        """Take over reviews of the staged tree: same tree, same base, and nothing else merged in."""
        self.of_tree = of_tree
        self.staged = tuple(record for record in of_tree if record.commit is None and self.parents == (record.base,))
        self.passing.clear()

    def relies_on_staged(self, policy: str) -> bool:
        """Whether under a policy only a review of the index speaks for this commit: one of itself has its message."""
        return any(record.has_passed and record.policy == policy for record in self.staged) and not any(
            record.has_passed and record.policy == policy for record in self.records
        )

    def object_to_message(self, problems: tuple[str, ...]) -> None:
        """Let no pass of the index stand for this commit while there is something to say against its message."""
        self.bad_message = problems
        self.passing.clear()

    @property
    def known(self) -> tuple[Record, ...]:
        """Every review of this content, the staged ones first."""
        return self.staged + self.records


class Push:
    """All facts for one decision; the same facts always give the same decision."""

    __slots__ = (
        "checked_out",
        "has_unfetched_branches",
        "head",
        "on_remote",
        "outgoing",
        "policy",
        "refs",
        "remote",
        "remote_hint",
        "reviews",
        "state",
        "state_error",
        "state_path",
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
        remote: str = "",
        remote_hint: str = "",
        has_unfetched_branches: bool = False,
        checked_out: frozenset[str] = frozenset(),
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
        # What the user calls the remote; nothing when this is no push.
        self.remote = remote
        self.remote_hint = remote_hint
        # Whether a fetch from the remote would bring commits that are not here.
        self.has_unfetched_branches = has_unfetched_branches
        # Branches that are the HEAD of a work tree; gathered for the words of a refusal.
        self.checked_out = checked_out


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
