"""Which commits of a push are covered by which reviews."""

from __future__ import annotations

from review_gate.gate.record import EMPTY_TREES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from review_gate.gate.push import CommitReviews
    from review_gate.gate.record import Record


def current_reviews(reviews: CommitReviews, policy: str) -> tuple[Record, ...]:
    """The reviews of exactly this content made under the policy in force, oldest first.

    A staged pass never outweighs a review of the commit itself, nor does it stand for a bad message. A failure of the
    content does outweigh it, in whichever commit it was found, while it is the last word in the list of its tree: every
    later review of the content is in that list too.
    """
    own = _under(policy, reviews.records, reviews.tree)
    staged = _under(policy, reviews.staged, reviews.tree)
    if reviews.bad_message:
        staged = tuple(record for record in staged if not record.has_passed)
    last_word = newest_complete(_under(policy, reviews.of_tree, reviews.tree))
    if last_word is not None and last_word.has_failed and all(record.id != last_word.id for record in own):
        return (*staged, *own, last_word)
    return staged + own


def _under(policy: str, records: tuple[Record, ...], tree: str) -> tuple[Record, ...]:
    return tuple(record for record in records if record.policy == policy and record.tree == tree)


def newest_complete(records: tuple[Record, ...]) -> Record | None:
    """The last review that came to an end; the ledger's order counts, not the clock."""
    for record in reversed(records):
        if record.is_complete:
            return record
    return None


def passing_reviews(reviews: CommitReviews, policy: str) -> tuple[Record, ...]:
    """For each base the newest complete review, where it passed; none at all when the newest of them failed.

    A later failure closes the gate again even when it was made against another base: it is the newer word on
    the same content.
    """
    if policy not in reviews.passing:
        reviews.passing[policy] = _passing_reviews(reviews, policy)
    return reviews.passing[policy]


def _passing_reviews(reviews: CommitReviews, policy: str) -> tuple[Record, ...]:
    records = current_reviews(reviews, policy)
    newest = newest_complete(records)
    if reviews.error or newest is None or newest.has_failed:
        return ()
    by_base: dict[str, Record] = {}
    for record in records:
        if record.is_complete:
            by_base[record.base] = record
    return tuple(record for record in by_base.values() if record.has_passed)


def chain_to_remote(
    commit: str, reviews: Mapping[str, CommitReviews], policy: str, on_remote: frozenset[str]
) -> tuple[Record, ...] | None:
    """Passing reviews that lead from `commit` down to what the remote has, or None.

    Each review says: this content is fine if its base is. A chain ends at the empty tree or on the remote.
    """
    visited = {commit}
    paths: list[tuple[str, tuple[Record, ...]]] = [(commit, ())]
    while paths:
        tip, path = paths.pop()
        if tip not in reviews:
            continue
        for record in passing_reviews(reviews[tip], policy):
            longer = (*path, record)
            if record.base in EMPTY_TREES or record.base in on_remote:
                return longer
            if record.base not in visited:
                visited.add(record.base)
                paths.append((record.base, longer))
    return None


def gap_below(commit: str, reviews: Mapping[str, CommitReviews], policy: str, on_remote: frozenset[str]) -> str:
    """The base at which the passing reviews below `commit` break off, the newest review's way down first."""
    visited = {commit}
    tips = [commit]
    while tips:
        tip = tips.pop()
        passing = passing_reviews(reviews[tip], policy) if tip in reviews else ()
        if not passing:
            return tip
        bases = [record.base for record in passing if record.base not in visited | on_remote]
        visited.update(bases)
        tips += bases
    return commit


def uncovered_commits(
    outgoing: Mapping[str, tuple[str, ...]], reviews: Mapping[str, CommitReviews], policy: str
) -> tuple[str, ...]:
    """The outgoing commits that lie in no passing review's range, in the order given."""
    covered: set[str] = set()
    for commit in outgoing:
        if known := reviews.get(commit):
            for record in passing_reviews(known, policy):
                covered |= _reachable(commit, outgoing) - _reachable(record.base, outgoing)
    return tuple(commit for commit in outgoing if commit not in covered)


def _reachable(tip: str, parents: Mapping[str, tuple[str, ...]]) -> set[str]:
    found: set[str] = set()
    stack = [tip]
    while stack:
        commit = stack.pop()
        if commit in parents and commit not in found:
            found.add(commit)
            stack.extend(parents[commit])
    return found
