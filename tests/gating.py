"""Reviews, ledgers and pushes for the tests of the gate, made of names instead of object ids."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from review_gate.gate.decide import decide
from review_gate.gate.decision import Decision
from review_gate.gate.push import COMMIT, PLAIN_RUN, CommitReviews, Push, RefUpdate, Remedy
from review_gate.gate.record import EMPTY_TREES, Record
from review_gate.gate.state_view import StateView

POLICY, OLD_POLICY = "a" * 64, "b" * 64
EMPTY = EMPTY_TREES[0]
PASS = ("passed", "nothing_to_run", "nothing_to_run", "nothing_to_run")
FAIL = ("passed", "failed", "not_run", "not_run")
UNFINISHED = ("passed", "incomplete", "not_run", "not_run")
PARTIAL = ("passed", "not_run", "not_run", "not_run")
STATE_PATH = "loop-state.json"


def oid(name: str) -> str:
    """A stable object id for a name."""
    return hashlib.sha1(name.encode(), usedforsecurity=False).hexdigest()


TIP, MID, LOW, SEEN = oid("tip"), oid("mid"), oid("low"), oid("seen")


def tree_of(commit: str) -> str:
    """The tree that a commit holds."""
    return oid(f"tree of {commit}")


def review(
    commit: str, base: str, loops: tuple[str, ...] = PASS, *, policy: str = POLICY, blockers: Sequence[str] = ()
) -> Record:
    return Record(
        id=oid(f"{commit}{base}{loops}{policy}"),
        commit=commit,
        tree=tree_of(commit),
        base=base,
        policy=policy,
        loops=loops,
        blockers=tuple(blockers),
    )


def ledger(*records: Record, unreviewed: Sequence[str] = ()) -> dict[str, CommitReviews]:
    """The reviews of each commit, oldest first, as they are given."""
    commits: dict[str, CommitReviews] = {}
    for commit in unreviewed:
        commits[commit] = CommitReviews(tree=tree_of(commit), parents=(EMPTY,))
    for record in records:
        known = commits.setdefault(str(record.commit), CommitReviews(tree=record.tree, parents=(EMPTY,)))
        known.records = (*known.records, record)
    return commits


def branch(commit: str, name: str = "refs/heads/main", *, remedy: Remedy = PLAIN_RUN) -> RefUpdate:
    """The push of a commit to a new branch."""
    return RefUpdate(name, commit, name, "0" * 40, kind=COMMIT, commit=commit, remedy=remedy)


def state_of(commit: str, record: Record, **changes: object) -> StateView:
    """What a truthful state file says of a record."""
    fields: dict[str, object] = {
        "head_commit": commit,
        "tree": tree_of(commit),
        "loops_passed": tuple(status in ("passed", "nothing_to_run") for status in record.loops),
        "ship_allowed": record.has_passed,
        "record_id": record.id,
    }
    return StateView(**{**fields, **changes})  # type: ignore[arg-type]  # the table above is right by construction


def judged(*records: Record, **facts: object) -> Decision:
    """The decision on pushing TIP as main from a repository where it is HEAD."""
    reviews = ledger(*records, unreviewed=[TIP])
    known = {"refs": (branch(TIP),), "reviews": reviews, "policy": POLICY, "head": TIP, "state_path": STATE_PATH}
    return decide(Push(**{**known, **facts}))  # type: ignore[arg-type]  # the facts are Push's own fields


def words(decision: Decision) -> tuple[str, str, str]:
    """What a decision says: what, why, next."""
    told = decision.leading.words
    return told.what, told.why, told.next_step
