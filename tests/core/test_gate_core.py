"""The gate itself: which reviews let a commit out, and which do not."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from gating import (
    EMPTY,
    FAIL,
    LOW,
    MID,
    OLD_POLICY,
    PARTIAL,
    PASS,
    POLICY,
    SEEN,
    TIP,
    UNFINISHED,
    branch,
    judged,
    ledger,
    oid,
    review,
    tree_of,
    words,
)

from review_gate.gate.coverage import chain_to_remote, passing_reviews, uncovered_commits
from review_gate.gate.decide import decide
from review_gate.gate.push import DELETE, RECORD, CommitReviews, Push, RefUpdate
from review_gate.gate.record import EMPTY_TREES, Record

OPENS: dict[str, tuple[list[Record], set[str]]] = {
    "a review of everything": ([review(TIP, EMPTY)], set()),
    "a review of everything in SHA-256": ([review(TIP, EMPTY_TREES[1])], set()),
    "a review since what the remote has": ([review(TIP, SEEN)], {SEEN}),
    "a chain of two": ([review(TIP, MID), review(MID, SEEN)], {SEEN}),
    "a chain of three from the start": ([review(TIP, MID), review(MID, LOW), review(LOW, EMPTY)], set()),
    "one base that leads nowhere, one that leads home": (
        [review(TIP, MID), review(TIP, LOW), review(LOW, SEEN)],
        {SEEN},
    ),
    "the base that leads home first": ([review(TIP, SEEN), review(TIP, MID)], {SEEN}),
    "a pass after a failure": ([review(TIP, SEEN, FAIL), review(TIP, SEEN)], {SEEN}),
    "an interrupted review after a pass": ([review(TIP, SEEN), review(TIP, SEEN, UNFINISHED)], {SEEN}),
    "one loop run again after a pass": ([review(TIP, SEEN), review(TIP, SEEN, PARTIAL)], {SEEN}),
    "a failure under an older policy": (
        [review(TIP, SEEN), review(TIP, SEEN, FAIL, policy=OLD_POLICY)],
        {SEEN},
    ),
    "a failure of a commit that the remote has": ([review(TIP, SEEN), review(SEEN, EMPTY, FAIL)], {SEEN}),
    "a pass against a base, then a pass against another": ([review(TIP, SEEN), review(TIP, LOW)], {SEEN}),
    "a ring with a way out": (
        [review(TIP, MID), review(MID, TIP), review(MID, SEEN)],
        {SEEN},
    ),
}


@pytest.mark.parametrize(("records", "on_remote"), OPENS.values(), ids=OPENS.keys())
def test_a_chain_of_passing_reviews_opens_the_gate(records: list[Record], on_remote: set[str]) -> None:
    decision = judged(*records, on_remote=frozenset(on_remote))
    assert (decision.allowed, decision.reason) == (True, "approved")
    assert decision.leading.reviewed_commit == TIP


STAYS_CLOSED: dict[str, tuple[list[Record], set[str], str]] = {
    "no review": ([], {SEEN}, "missing"),
    "a review since an unknown commit": ([review(TIP, MID)], {SEEN}, "uncovered"),
    "a chain that breaks off": ([review(TIP, MID), review(MID, LOW)], {SEEN}, "uncovered"),
    "a chain over a failed review": ([review(TIP, MID), review(MID, SEEN, FAIL)], {SEEN}, "uncovered"),
    "a chain over an unfinished review": ([review(TIP, MID), review(MID, SEEN, UNFINISHED)], {SEEN}, "uncovered"),
    "a chain over an older policy": ([review(TIP, MID), review(MID, SEEN, policy=OLD_POLICY)], {SEEN}, "uncovered"),
    "a forged ring of two": ([review(TIP, MID), review(MID, TIP)], {SEEN}, "uncovered"),
    "a forged ring of one": ([review(TIP, TIP)], {SEEN}, "uncovered"),
    "a forged ring of three": ([review(TIP, MID), review(MID, LOW), review(LOW, MID)], {SEEN}, "uncovered"),
    "a later failure": ([review(TIP, SEEN), review(TIP, SEEN, FAIL)], {SEEN}, "failed"),
    "a later failure against another base": ([review(TIP, SEEN), review(TIP, LOW, FAIL)], {SEEN}, "failed"),
    "a failure and then an interrupted review": (
        [review(TIP, SEEN, FAIL), review(TIP, SEEN, PARTIAL)],
        set(),
        "failed",
    ),
    "a later failure in the middle": (
        [review(TIP, MID), review(MID, SEEN), review(MID, SEEN, FAIL)],
        {SEEN},
        "uncovered",
    ),
    "only an interrupted review": ([review(TIP, SEEN, UNFINISHED)], {SEEN}, "incomplete"),
    "only one of four loops": ([review(TIP, SEEN, PARTIAL)], {SEEN}, "incomplete"),
    "only an older policy": ([review(TIP, SEEN, policy=OLD_POLICY)], {SEEN}, "policy_changed"),
}


@pytest.mark.parametrize(("records", "on_remote", "reason"), STAYS_CLOSED.values(), ids=STAYS_CLOSED.keys())
def test_the_gate_stays_closed_for(records: list[Record], on_remote: set[str], reason: str) -> None:
    decision = judged(*records, on_remote=frozenset(on_remote))
    assert (decision.allowed, decision.reason) == (False, reason)
    assert all(words(decision)), "a refusal says what, why and what next"
    assert decision.leading.reviewed_commit == (TIP if records else "")


def test_a_long_chain_and_a_wide_ledger_are_walked_once() -> None:
    names = [oid(str(number)) for number in range(3_000)]
    steps = [review(above, below) for above, below in zip([TIP, *names], [*names, SEEN], strict=True)]
    shortcuts = [review(names[0], name) for name in names[1:]]
    chain = chain_to_remote(TIP, ledger(*shortcuts, *steps), POLICY, frozenset({SEEN}))
    assert chain is not None
    assert chain[-1].base == SEEN


def test_for_each_base_the_newest_complete_review_counts() -> None:
    known = ledger(
        review(TIP, SEEN, FAIL), review(TIP, LOW), review(TIP, SEEN), review(TIP, MID, PARTIAL), review(TIP, LOW)
    )[TIP]
    assert sorted(record.base for record in passing_reviews(known, POLICY)) == sorted([SEEN, LOW])
    assert passing_reviews(known, OLD_POLICY) == ()


def staged(loops: tuple[str, ...] = PASS) -> Record:
    """A review of TIP's content that was made on SEEN before it was committed."""
    record = review(TIP, SEEN, loops)
    record.commit = None
    return record


def reason_with_inherited(
    inherited: Record | tuple[Record, ...], *own: Record, parents: tuple[str, ...] = (SEEN,)
) -> str:
    known = CommitReviews(tree=tree_of(TIP), parents=parents, records=own)
    known.inherit(inherited if isinstance(inherited, tuple) else (inherited,))
    facts = Push((branch(TIP),), reviews={TIP: known}, policy=POLICY, head=TIP, on_remote=frozenset({SEEN, LOW}))
    return decide(facts).reason


def test_a_staged_review_counts_only_for_a_commit_on_its_base_and_on_nothing_else() -> None:
    assert reason_with_inherited(staged()) == "approved"
    assert reason_with_inherited(staged(), parents=(LOW,)) == "missing"
    assert reason_with_inherited(staged(), parents=(SEEN, LOW)) == "missing"
    assert reason_with_inherited(staged(), parents=(LOW, SEEN)) == "missing"


def test_a_staged_pass_does_not_stand_for_a_bad_message() -> None:
    known = CommitReviews(tree=tree_of(TIP), parents=(SEEN,))
    known.inherit((staged(),))
    assert known.relies_on_staged(POLICY)
    assert not known.relies_on_staged(OLD_POLICY)
    known.object_to_message(("line 1: say what the commit does",))
    told = judged(reviews={TIP: known}, on_remote=frozenset({SEEN}))
    assert told.reason == "failed"
    assert words(told) == (
        f"The message of {TIP[:8]} does not pass: line 1: say what the commit does.",
        "the review was of the staged content, before there was a message",
        "git commit --amend --only, then git push again",
    )
    known.records = (review(TIP, SEEN),)
    # A review of the commit has seen its message.
    assert not known.relies_on_staged(POLICY)


def test_a_staged_pass_does_not_outweigh_a_failure_of_the_commit_itself() -> None:
    assert reason_with_inherited(staged(), review(TIP, SEEN, FAIL)) == "failed"


def test_a_staged_failure_is_not_hidden_by_what_does_not_count() -> None:
    """Neither a later review that did not come to an end nor one under other rules is the newest word."""
    failure, passed = staged(FAIL), review(TIP, SEEN)
    other_rules = staged()
    other_rules.policy = OLD_POLICY
    assert reason_with_inherited(failure, passed, review(TIP, SEEN, UNFINISHED)) == "failed"
    assert reason_with_inherited((failure, staged(UNFINISHED)), passed) == "failed"
    assert reason_with_inherited((failure, other_rules), passed) == "failed"


def of_another_commit(loops: tuple[str, ...] = PASS, *, base: str = SEEN) -> Record:
    """A review of TIP's content in another commit."""
    record = review(TIP, base, loops)
    record.commit, record.id = MID, "other"
    return record


def test_a_pass_in_another_commit_of_the_same_content_is_not_inherited() -> None:
    assert reason_with_inherited(of_another_commit()) == "missing"


def test_the_last_word_on_the_content_counts_when_it_is_a_failure() -> None:
    own = review(TIP, SEEN)
    assert reason_with_inherited(staged(FAIL), own) == "failed"
    assert reason_with_inherited((staged(FAIL), own), own) == "approved"
    assert reason_with_inherited((staged(), of_another_commit(FAIL))) == "failed"
    assert reason_with_inherited(of_another_commit(FAIL, base=LOW), own) == "failed"
    assert reason_with_inherited((of_another_commit(FAIL), of_another_commit()), own) == "approved"


def test_a_commit_whose_record_cannot_be_read_carries_no_other_out() -> None:
    known = ledger(review(TIP, MID), review(MID, SEEN))
    known[MID].error = "its ref is broken"
    assert chain_to_remote(TIP, known, POLICY, frozenset({SEEN})) is None


def test_uncovered_commits_are_those_in_no_passing_range() -> None:
    side = oid("side")
    parents: Mapping[str, tuple[str, ...]] = {TIP: (MID, side), MID: (LOW,), side: (LOW,), LOW: (SEEN,)}
    assert uncovered_commits(parents, ledger(review(TIP, MID)), POLICY) == (MID, LOW)
    assert uncovered_commits(parents, ledger(review(TIP, MID), review(MID, SEEN)), POLICY) == ()
    assert uncovered_commits(parents, ledger(review(TIP, MID, FAIL)), POLICY) == (TIP, MID, side, LOW)
    assert uncovered_commits(parents, ledger(review(side, LOW)), POLICY) == (TIP, MID, LOW)


def test_what_the_remote_itself_has_may_be_pushed_again_unless_its_review_failed() -> None:
    there = frozenset({TIP})
    decision = judged(tips_on_remote=there)
    assert decision.allowed
    assert words(decision) == (f"The remote already has commit {TIP[:8]}.", "it was not reviewed here", "")
    assert decision.unreviewed == (TIP,)
    assert judged(review(TIP, SEEN, policy=OLD_POLICY), tips_on_remote=there).unreviewed == ()
    assert judged(review(TIP, SEEN, FAIL), tips_on_remote=there).reason == "failed"
    assert judged(tips_on_remote=frozenset({MID})).reason == "missing"


def test_an_empty_push_and_a_deletion_and_a_record_go_through() -> None:
    deletion = RefUpdate("(delete)", "0" * 40, "refs/heads/old", MID, kind=DELETE)
    entry = RefUpdate("refs/review-gate/x", oid("blob"), "refs/review-gate/x", "0" * 40, kind=RECORD)
    for refs, what in (
        ((), "Nothing to push."),
        ((deletion,), "A deletion sends no commit."),
        ((entry,), "A review record of the ledger."),
    ):
        decision = decide(Push(refs, reviews={}, policy=POLICY, state_error="unreadable"))
        assert decision.allowed
        assert words(decision) == (what, "", "")


def test_the_worst_ref_speaks_for_the_push_and_every_closed_ref_is_named() -> None:
    reviews = ledger(review(MID, SEEN, FAIL), review(LOW, SEEN, UNFINISHED), review(TIP, SEEN), unreviewed=[oid("new")])
    refs = tuple(branch(commit, f"refs/heads/{name}") for name, commit in
                 {"new": oid("new"), "good": TIP, "low": LOW, "bad": MID}.items())  # fmt: skip
    outgoing: dict[str, dict[str, tuple[str, ...]]] = {
        oid("new"): {oid("new"): (SEEN,)},
        LOW: {LOW: (SEEN,), oid("new"): ()},
    }
    decision = decide(Push(refs, reviews=reviews, policy=POLICY, on_remote=frozenset({SEEN}), outgoing=outgoing))
    assert not decision.allowed
    assert [ref.reason for ref in decision.refs] == ["missing", "approved", "incomplete", "failed"]
    assert [ref.reason for ref in decision.closed] == ["failed", "incomplete", "missing"]
    assert decision.leading.commit == MID
    assert decision.uncovered == (LOW, oid("new"))


def test_one_bad_ref_among_a_hundred_closes_the_gate() -> None:
    good = [oid(str(number)) for number in range(99)]
    reviews = ledger(*(review(commit, SEEN) for commit in good), unreviewed=[TIP])
    for place in (0, 50, 99):
        refs = [branch(commit, f"refs/heads/{commit}") for commit in good]
        refs.insert(place, branch(TIP))
        decision = decide(Push(tuple(refs), reviews=reviews, policy=POLICY, on_remote=frozenset({SEEN})))
        assert [ref.commit for ref in decision.closed] == [TIP]
