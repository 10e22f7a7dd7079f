"""decide(push) -> Decision: may these refs leave the machine? There is no other gate."""

from __future__ import annotations

from review_gate.gate import message
from review_gate.gate.coverage import chain_to_remote, current_reviews, newest_complete, uncovered_commits
from review_gate.gate.decision import (
    APPROVED,
    CORRUPT,
    FAILED,
    INCOMPLETE,
    MISSING,
    POLICY_CHANGED,
    STALE,
    TAMPERED,
    UNCOVERED,
    WORST_FIRST,
    Decision,
    RefDecision,
    Words,
)
from review_gate.gate.push import COMMIT, DELETE, NO_COMMIT, RECORD
from review_gate.gate.record import OPEN_STATUSES, short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.gate.push import CommitReviews, Push, RefUpdate
    from review_gate.gate.record import Record


def decide(push: Push) -> Decision:
    """Leave to ship for a whole push: every ref must have it."""
    refs = tuple(_judge(ref, push) for ref in push.refs)
    closed = sorted((ref for ref in refs if not ref.allowed), key=lambda ref: WORST_FIRST.index(ref.reason))
    leading = closed[0] if closed else _leading(refs)
    return Decision(leading, refs, tuple(closed))


def _leading(refs: tuple[RefDecision, ...]) -> RefDecision:
    """The ref that speaks for an allowed push: the first commit in it."""
    for ref in refs:
        if ref.commit:
            return ref
    return refs[0] if refs else RefDecision(APPROVED, None, Words("Nothing to push."))


def _judge(ref: RefUpdate, push: Push) -> RefDecision:
    if ref.kind == DELETE:
        return RefDecision(APPROVED, ref, Words("A deletion sends no commit."))
    if ref.kind == NO_COMMIT:
        return RefDecision(APPROVED, ref, Words("There is no commit in this range."))
    if ref.kind == RECORD:
        return RefDecision(APPROVED, ref, Words("A review record of the ledger."))
    if ref.kind != COMMIT or not ref.commit or ref.commit not in push.reviews:
        return RefDecision(MISSING, ref, message.not_a_commit(ref))
    judged = _judge_commit(ref, ref.commit, push)
    if push.state_error:
        return RefDecision(CORRUPT, ref, message.corrupt_state(push, judged.words.next_step))
    return judged


def _judge_commit(ref: RefUpdate, commit: str, push: Push) -> RefDecision:
    reviews = push.reviews[commit]
    if reviews.error:
        return RefDecision(CORRUPT, ref, message.corrupt_record(commit, reviews.error, ref, push))
    contradiction = _contradiction(commit, reviews, push)
    if contradiction:
        return RefDecision(TAMPERED, ref, message.tampered(commit, contradiction, ref, push))
    chain = chain_to_remote(commit, push.reviews, push.policy, push.on_remote)
    if chain:
        return RefDecision(APPROVED, ref, message.approved(commit, chain), reviewed_commit=commit)
    return _closed(ref, commit, reviews, push)


def _contradiction(commit: str, reviews: CommitReviews, push: Push) -> str:
    """What in the ledger or in the state file cannot be true of this commit, or nothing."""
    for record in reviews.known:
        if record.tree != reviews.tree or record.commit not in (commit, None):
            return f"the record {short(record.id)} is about other content than commit {short(commit)}"
    if push.state is None or push.state.head_commit != commit:
        return ""
    named = [record for record in reviews.known if record.id == push.state.record_id]
    if not named:
        return f"{push.state_path} names a review that the ledger does not have"
    passed = tuple(status in OPEN_STATUSES for status in named[0].loops)
    if push.state.ship_allowed is not named[0].has_passed or push.state.loops_passed != passed:
        return f"{push.state_path} says something else than the review it names"
    return ""


def _closed(ref: RefUpdate, commit: str, reviews: CommitReviews, push: Push) -> RefDecision:
    """The reason why no chain of passing reviews leads from this commit to the remote."""
    current = current_reviews(reviews, push.policy)
    newest = newest_complete(current)
    if newest is not None and newest.has_failed:
        later = _half_repeated(newest, current)
        words = message.incomplete(later, commit, ref, push) if later else message.failed(newest, commit, ref, push)
        return RefDecision(INCOMPLETE if later else FAILED, ref, words, reviewed_commit=commit)
    if commit in push.tips_on_remote:
        return RefDecision(APPROVED, ref, message.already_there(commit, reviews))
    if newest is None and reviews.bad_message:
        return RefDecision(FAILED, ref, message.bad_message(reviews, commit, ref, push), reviewed_commit=commit)
    outgoing = push.outgoing.get(commit, {})
    uncovered = uncovered_commits(outgoing, push.reviews, push.policy)
    if newest is not None:
        return RefDecision(
            UNCOVERED, ref, message.uncovered(newest, uncovered, ref, push), reviewed_commit=commit, uncovered=uncovered
        )
    if current:
        words = message.incomplete(current[-1], commit, ref, push)
        return RefDecision(INCOMPLETE, ref, words, reviewed_commit=commit, uncovered=uncovered)
    if reviews.known:
        words = message.policy_changed(commit, ref, push)
        return RefDecision(POLICY_CHANGED, ref, words, reviewed_commit=commit, uncovered=uncovered)
    reviewed = _last_reviewed(commit, push)
    if reviewed:
        return RefDecision(
            STALE, ref, message.stale(reviewed, commit, ref, push), reviewed_commit=reviewed, uncovered=uncovered
        )
    return RefDecision(MISSING, ref, message.missing(commit, ref, push), uncovered=uncovered)


def _half_repeated(failed: Record, current: tuple[Record, ...]) -> Record | None:
    """The latest review, if it passed the loop that failed and only lacks results of other loops."""
    latest = current[-1]
    is_mended = latest.base == failed.base and latest.loops[failed.first_bad_loop - 1] in OPEN_STATUSES
    return latest if is_mended and not latest.is_complete else None


def _last_reviewed(commit: str, push: Push) -> str:
    """The commit that an out-of-date review is about: the state file's for HEAD, else a reviewed one below."""
    if push.state is not None and commit == push.head:
        return push.state.head_commit
    for below in push.outgoing.get(commit, {}):
        if below in push.reviews and push.reviews[below].known:
            return below
    return ""
