"""The staged review that a commit is going to inherit."""

from __future__ import annotations

from review_gate.gate.coverage import passing_reviews
from review_gate.gate.push import CommitReviews
from review_gate.gate.record import empty_tree_like, short
from review_gate.shell.ledger import TREES, Ledger
from review_gate.workflows.policy import policy_in_force

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.repository import Repository


def inherited_review(repository: Repository) -> str:
    """Word of a passing review of exactly this tree, which the gate will count for a commit of it on this parent."""
    git = repository.git
    if git.line("for-each-ref", "--count=1", "--format=%(refname)", TREES) is None:
        return ""
    tree = git.line("write-tree")
    if tree is None:
        return ""
    parent = git.line("rev-parse", "--verify", "--quiet", "HEAD^{commit}") or empty_tree_like(tree)
    reviews = CommitReviews(tree=tree, parents=(parent,))
    with git.objects() as objects:
        reviews.inherit(Ledger(repository, objects).staged_reviews(tree))
    if not passing_reviews(reviews, policy_in_force(repository).policy):
        return ""
    # Git does not tell a hook whether it amends, so the parent is part of the promise.
    promise = f"a commit of it on {short(parent)} inherits the result"
    return f"review-gate: the staged tree {short(tree)} passed its review; {promise}\n"
