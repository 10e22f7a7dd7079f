"""The gate itself: which reviews let a commit out, and the words for every refusal."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import pytest

from review_gate.gate.coverage import chain_to_remote, passing_reviews, uncovered_commits
from review_gate.gate.decide import decide
from review_gate.gate.decision import Decision
from review_gate.gate.push import COMMIT, DELETE, OTHER, RECORD, CommitReviews, Push, RefUpdate
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
        finished="2026-01-02T03:04:05.000Z",
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


def branch(commit: str, name: str = "refs/heads/main") -> RefUpdate:
    return RefUpdate(name, commit, name, "0" * 40, kind=COMMIT, commit=commit)


def state_of(commit: str, record: Record, **changes: object) -> StateView:
    """What a truthful state file says of a record."""
    fields: dict[str, object] = {
        "head_commit": commit,
        "tree": tree_of(commit),
        "timestamp": "2026-01-02T03:04:05.000Z",
        "loops_passed": tuple(status in ("passed", "nothing_to_run") for status in record.loops),
        "ship_allowed": record.has_passed,
        "blockers": (),
        "record_id": record.id,
    }
    return StateView(**{**fields, **changes})  # type: ignore[arg-type]  # the table above is right by construction


def judged(*records: Record, **facts: object) -> Decision:
    """The decision on pushing TIP as main from a repository where it is HEAD."""
    reviews = ledger(*records, unreviewed=[TIP])
    known = {"refs": (branch(TIP),), "reviews": reviews, "policy": POLICY, "head": TIP, "state_path": STATE_PATH}
    return decide(Push(**{**known, **facts}))  # type: ignore[arg-type]  # the facts are Push's own fields


def words(decision: Decision) -> tuple[str, str, str]:
    told = decision.leading.words
    return told.what, told.why, told.next_step


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


def staged(loops: tuple[str, ...] = PASS, *, finished: str = "2026-01-02T03:04:05.000Z") -> Record:
    """A review of TIP's content that was made on SEEN before it was committed."""
    record = review(TIP, SEEN, loops)
    record.commit, record.finished = None, finished
    return record


def reason_with_inherited(inherited: Record, *own: Record, parents: tuple[str, ...] = (SEEN,)) -> str:
    known = CommitReviews(tree=tree_of(TIP), parents=parents, records=own)
    known.inherit((inherited,))
    facts = Push((branch(TIP),), reviews={TIP: known}, policy=POLICY, head=TIP, on_remote=frozenset({SEEN, LOW}))
    return decide(facts).reason


def test_a_staged_review_counts_only_for_a_commit_on_its_base_and_on_nothing_else() -> None:
    assert reason_with_inherited(staged()) == "approved"
    assert reason_with_inherited(staged(), parents=(LOW,)) == "missing"
    assert reason_with_inherited(staged(), parents=(SEEN, LOW)) == "missing"
    assert reason_with_inherited(staged(), parents=(LOW, SEEN)) == "missing"


LATER, EARLIER = "2026-01-02T03:04:06.000Z", "2026-01-02T03:04:04.000Z"
NEXT_CENTURY, LONG_AGO = "2126-01-02T03:04:05.000Z", "1970-01-01T00:00:00.000Z"


@pytest.mark.parametrize("when", [EARLIER, NEXT_CENTURY, LONG_AGO])
def test_no_clock_makes_a_staged_pass_outweigh_a_failure_of_the_commit_itself(when: str) -> None:
    assert reason_with_inherited(staged(finished=when), review(TIP, SEEN, FAIL)) == "failed"


def test_a_staged_failure_made_after_a_pass_closes_the_gate() -> None:
    assert reason_with_inherited(staged(FAIL, finished=LATER), review(TIP, SEEN)) == "failed"
    assert reason_with_inherited(staged(FAIL, finished=EARLIER), review(TIP, SEEN)) == "approved"


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
    assert words(decision) == (f"The remote already has commit {TIP[:8]}.", "", "")
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


BLOCKERS = ("app.py:1: one", "app.py:2: two", "app.py:3: three", "app.py:4: four")
OUTGOING = {TIP: {TIP: (MID,), MID: (LOW,), LOW: (SEEN,)}}
MANY = {TIP: dict.fromkeys((TIP, *(oid(str(number)) for number in range(7))), ())}
FIRST_FIVE = ", ".join(oid(str(number))[:8] for number in range(5))
RUN = "review-gate run"
NONE_FOUND, NEVER = "No review state found. Run /review before shipping.", f"commit {TIP[:8]} was never reviewed"
NOT_SEEN = "no reviewer saw the content of this commit"
NOT_PASSED, FIX = "the review of exactly this commit did not pass", "fix, commit, then review-gate run"
NOT_RUN = "a reviewer that did not run has not passed anything"
SILENT = "the remote could not be asked what it has: timeout"
RAW_ID = RefUpdate(TIP, TIP, "refs/heads/x", None, kind=COMMIT, commit=TIP)
NO_COMMIT = RefUpdate("refs/tags/x", oid("tree"), "refs/tags/x", None, kind=OTHER)
UNREADABLE = CommitReviews(tree=tree_of(TIP), parents=(EMPTY,), error="not UTF-8 at byte 0")

SAYS: dict[str, tuple[list[Record], dict[str, object], tuple[str, str, str]]] = {
    "approved": ([review(TIP, EMPTY)], {}, (f"Commit {TIP[:8]} passed its review.", "", "")),
    "approved by a chain": (
        [review(TIP, MID), review(MID, EMPTY)],
        {},
        (f"Commit {TIP[:8]} passed a chain of 2 reviews.", "", ""),
    ),
    "missing": ([], {}, (NONE_FOUND, NEVER, RUN)),
    "missing, and the remote is silent": ([], {"remote_hint": SILENT}, (NONE_FOUND, SILENT, RUN)),
    "missing on another branch": (
        [],
        {"head": MID, "refs": (branch(TIP, "refs/heads/feature"),)},
        (NONE_FOUND, NEVER, "git switch feature && review-gate run"),
    ),
    "missing for a bare commit id": (
        [],
        {"head": MID, "refs": (RAW_ID,)},
        (NONE_FOUND, NEVER, f"git switch --detach {TIP[:8]} && review-gate run"),
    ),
    "stale": (
        [],
        {"state": state_of(MID, review(MID, SEEN))},
        (f"Review state is for commit {MID[:8]}, current HEAD is {TIP[:8]}. Run /review again.", NOT_SEEN, RUN),
    ),
    "stale on another branch": (
        [review(MID, SEEN)],
        {"head": LOW, "outgoing": OUTGOING},
        (
            f"Review state is for commit {MID[:8]}, refs/heads/main is {TIP[:8]}. Run /review again.",
            NOT_SEEN,
            "git switch main && review-gate run",
        ),
    ),
    "failed": (
        [review(TIP, SEEN, FAIL, blockers=BLOCKERS[:1])],
        {},
        ("Loop 2 failed: app.py:1: one. Fix issues and re-run /review.", NOT_PASSED, FIX),
    ),
    "failed with more than fits": (
        [review(TIP, SEEN, FAIL, blockers=BLOCKERS)],
        {},
        (f"Loop 2 failed: {'; '.join(BLOCKERS[:3])} (and 1 more). Fix issues and re-run /review.", NOT_PASSED, FIX),
    ),
    "failed without a word": (
        [review(TIP, SEEN, FAIL)],
        {},
        ("Loop 2 failed: see review-gate status. Fix issues and re-run /review.", NOT_PASSED, FIX),
    ),
    "incomplete": (
        [review(TIP, SEEN, UNFINISHED, blockers=["types could not run: mypy was not found"])],
        {},
        ("Loop 2 could not finish: types could not run: mypy was not found. Re-run /review.", NOT_RUN, RUN),
    ),
    "incomplete because a loop was left out": (
        [review(TIP, SEEN, PARTIAL)],
        {},
        ("Loop 2 has no result. Re-run /review.", NOT_RUN, RUN),
    ),
    "uncovered": (
        [review(TIP, LOW)],
        {"outgoing": OUTGOING, "on_remote": frozenset({SEEN}), "suggested_base": SEEN},
        (
            f"The review starts at {LOW[:8]}, but 1 commit ({LOW[:8]}) below it would leave unreviewed.",
            f"the remote does not have {LOW[:8]}, and no passing review covers it",
            f"review-gate run --base {SEEN[:8]}",
        ),
    ),
    "uncovered by many": (
        [review(TIP, oid("0"))],
        {"outgoing": MANY},
        (
            f"The review starts at {oid('0')[:8]}, but 7 commits ({FIRST_FIVE}, ...) below it would leave unreviewed.",
            f"the remote does not have {oid('0')[:8]}, and no passing review covers it",
            "review-gate run --scope all",
        ),
    ),
    "uncovered, and the remote is silent": (
        [review(TIP, LOW)],
        {"remote_hint": SILENT},
        (
            f"The review starts at {LOW[:8]}, but commits below it would leave unreviewed.",
            SILENT,
            "review-gate run --scope all",
        ),
    ),
    "policy changed": (
        [review(TIP, SEEN, policy=OLD_POLICY)],
        {},
        (
            f"The review of {TIP[:8]} was made under another policy. Run /review again.",
            "the settings that decide how strict a review is have changed since",
            RUN,
        ),
    ),
    "corrupt state": (
        [review(TIP, EMPTY)],
        {"state_error": "it is a symbolic link"},
        (
            "Cannot read review state file. Check loop-state.json.",
            "it is a symbolic link; a state that cannot be read is no review",
            "move loop-state.json away, then review-gate run",
        ),
    ),
    "corrupt record": (
        [],
        {"reviews": {TIP: UNREADABLE}},
        (
            f"Cannot read the review record of commit {TIP[:8]}.",
            f"refs/review-gate/commits/{TIP}: not UTF-8 at byte 0",
            RUN,
        ),
    ),
    "not a commit": (
        [],
        {"refs": (NO_COMMIT,)},
        (
            f"refs/tags/x would receive {oid('tree')[:8]}, which is not a commit.",
            "a review is of commits; no review can cover any other object",
            "push again without this ref",
        ),
    ),
}


@pytest.mark.parametrize(("records", "facts", "said"), SAYS.values(), ids=SAYS.keys())
def test_the_words_of_the_gate(records: list[Record], facts: dict[str, object], said: tuple[str, str, str]) -> None:
    assert words(judged(*records, **facts)) == said


OTHER_TREE = review(TIP, EMPTY)
OTHER_TREE.tree = tree_of(MID)
OTHER_COMMIT = review(TIP, EMPTY)
OTHER_COMMIT.commit = MID
GOOD, BAD = review(TIP, EMPTY), review(TIP, EMPTY, FAIL)
ABOUT_ANOTHER = f"is about other content than commit {TIP[:8]}"
CONTRADICTS = "loop-state.json says something else than the review it names"
FORGED: dict[str, tuple[Record, StateView | None, str]] = {
    "a record of other content": (OTHER_TREE, None, f"the record {OTHER_TREE.id[:8]} {ABOUT_ANOTHER}"),
    "a record of another commit": (OTHER_COMMIT, None, f"the record {OTHER_COMMIT.id[:8]} {ABOUT_ANOTHER}"),
    "a state with an invented record": (
        GOOD,
        state_of(TIP, GOOD, record_id="ff" * 16),
        "loop-state.json names a review that the ledger does not have",
    ),
    "a failure turned into leave to ship": (BAD, state_of(TIP, BAD, ship_allowed=True), CONTRADICTS),
    "a failed loop turned into a passed one": (BAD, state_of(TIP, BAD, loops_passed=(True,) * 4), CONTRADICTS),
    "a state that forgets a pass": (GOOD, state_of(TIP, GOOD, ship_allowed=False), CONTRADICTS),
}


@pytest.mark.parametrize(("record", "state", "why"), FORGED.values(), ids=FORGED.keys())
def test_a_contradiction_between_state_ledger_and_commit_closes_the_gate(
    record: Record, state: StateView | None, why: str
) -> None:
    known = CommitReviews(tree=tree_of(TIP), parents=(EMPTY,), records=(record,))
    decision = judged(reviews={TIP: known}, state=state)
    assert (decision.allowed, decision.reason) == (False, "tampered")
    assert words(decision) == (
        f"The review state of {TIP[:8]} does not agree with the review ledger.",
        why,
        "review-gate run",
    )


def test_a_truthful_state_changes_nothing() -> None:
    assert judged(GOOD, state=state_of(TIP, GOOD)).allowed
    assert judged(BAD, state=state_of(TIP, BAD)).reason == "failed"
    assert judged(GOOD, state=state_of(MID, review(MID, EMPTY))).allowed, "a state of another commit says nothing here"


def test_a_run_killed_between_ledger_and_state_leaves_the_ledger_to_speak() -> None:
    assert judged(GOOD, BAD, state=state_of(TIP, GOOD)).reason == "failed"
    assert judged(BAD, GOOD, state=state_of(TIP, BAD)).allowed
