"""The words of the gate for every decision, and what it says of state and ledger that contradict each other."""

from __future__ import annotations

import pytest
from gating import (
    EMPTY,
    FAIL,
    LOW,
    MID,
    OLD_POLICY,
    PARTIAL,
    POLICY,
    SEEN,
    TIP,
    UNFINISHED,
    branch,
    judged,
    oid,
    review,
    state_of,
    tree_of,
    words,
)

from review_gate.gate.push import COMMIT, OTHER, CommitReviews, RefUpdate, Remedy
from review_gate.gate.record import Record
from review_gate.gate.state_view import StateView

HALF = ("passed", "passed", "not_run", "not_run")
BLOCKERS = ("app.py:1: one", "app.py:2: two", "app.py:3: three", "app.py:4: four")
OUTGOING = {TIP: {TIP: (MID,), MID: (LOW,), LOW: (SEEN,)}}
MANY = {TIP: dict.fromkeys((TIP, *(oid(str(number)) for number in range(7))), ())}
FIRST_FIVE = ", ".join(oid(str(number))[:8] for number in range(5))
RUN = "review-gate run"
NONE_FOUND, NEVER = "No review state found. Run /review before shipping.", f"commit {TIP[:8]} was never reviewed"
NOT_SEEN = "no reviewer saw the content of this commit"
NOT_PASSED, FIX = "the review of exactly this commit did not pass", "fix, commit, then review-gate run"
NOT_RUN = "a reviewer that did not run has not passed anything"
SEE_TO_IT = "see to that, then review-gate run"
SILENT = "the remote could not be asked what it has: timeout"
RAW_ID = RefUpdate(TIP, TIP, "refs/heads/x", None, kind=COMMIT, commit=TIP)
RAW_ID_SINCE_SEEN = RefUpdate(TIP, TIP, "refs/heads/x", None, kind=COMMIT, commit=TIP, remedy=Remedy(SEEN))
FROM_THE_START = branch(TIP, remedy=Remedy(EMPTY))
SENDS_NOTHING = "by its tracking refs the remote already has it, so a push would send no commit"
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
    "missing, and the tracking refs know the commit": (
        [],
        {"refs": (branch(TIP, remedy=Remedy(MID, is_on_remote=True)),)},
        (NONE_FOUND, f"commit {TIP[:8]} was not reviewed here; {SENDS_NOTHING}", f"{RUN} --base {MID[:8]}"),
    ),
    "missing on a branch whose name the shell would run": (
        [],
        {"head": MID, "refs": (branch(TIP, "refs/heads/$(x)'y"),)},
        (NONE_FOUND, NEVER, "git switch '$(x)'\\''y' && review-gate run"),
    ),
    "missing on a branch that another work tree has checked out": (
        [],
        {
            "head": MID,
            "refs": (branch(TIP, "refs/heads/feature"),),
            "checked_out": frozenset({"refs/heads/main", "refs/heads/feature"}),
        },
        (NONE_FOUND, NEVER, f"git switch --detach {TIP[:8]} && review-gate run"),
    ),
    "missing on a branch whose name looks like an option": (
        [],
        {"head": MID, "refs": (branch(TIP, "refs/heads/-x"),)},
        (NONE_FOUND, NEVER, f"git switch --detach {TIP[:8]} && review-gate run"),
    ),
    "missing on a branch whose name cannot be typed": (
        [],
        {"head": MID, "refs": (branch(TIP, "refs/heads/bi\u202edi"),)},
        (NONE_FOUND, NEVER, f"git switch --detach {TIP[:8]} && review-gate run"),
    ),
    "missing in a range that was asked about": (
        [],
        {"head": MID, "refs": (RAW_ID_SINCE_SEEN,)},
        (NONE_FOUND, NEVER, f"git switch --detach {TIP[:8]} && review-gate run --base {SEEN[:8]}"),
    ),
    "stale after a staged review": (
        [],
        {"state": state_of(tree_of(MID), review(MID, SEEN), tree=tree_of(MID))},
        (
            f"Review state is for staged tree {tree_of(MID)[:8]}, current HEAD is {TIP[:8]}. Run /review again.",
            NOT_SEEN,
            RUN,
        ),
    ),
    "stale without a change": (
        [],
        {"state": state_of(MID, review(MID, SEEN)), "refs": (branch(TIP, remedy=Remedy(SEEN, is_empty=True)),)},
        (
            f"Review state is for commit {MID[:8]}, current HEAD is {TIP[:8]}. Run /review again.",
            NOT_SEEN,
            f"review-gate run --base {SEEN[:8]} --allow-empty",
        ),
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
    "failed on another branch": (
        [review(TIP, SEEN, FAIL, blockers=BLOCKERS[:1])],
        {"head": MID, "refs": (branch(TIP, "refs/heads/feature"),)},
        ("Loop 2 failed: app.py:1: one. Fix issues and re-run /review.", NOT_PASSED, f"git switch feature, {FIX}"),
    ),
    "failed, and a plain run would leave something out": (
        [review(TIP, SEEN, FAIL, blockers=BLOCKERS[:1])],
        {"refs": (branch(TIP, remedy=Remedy(LOW, is_empty=True)),)},
        ("Loop 2 failed: app.py:1: one. Fix issues and re-run /review.", NOT_PASSED, f"{FIX} --base {LOW[:8]}"),
    ),
    "failed with more than fits": (
        [review(TIP, SEEN, FAIL, blockers=BLOCKERS)],
        {},
        (f"Loop 2 failed: {'; '.join(BLOCKERS[:3])} (and 1 more). Fix issues and re-run /review.", NOT_PASSED, FIX),
    ),
    "failed with sentences": (
        [review(TIP, SEEN, FAIL, blockers=["a: Use b.", "c: and so on...", "d: e"])],
        {},
        ("Loop 2 failed: a: Use b; c: and so on...; d: e. Fix issues and re-run /review.", NOT_PASSED, FIX),
    ),
    "failed with a sentence": (
        [review(TIP, SEEN, FAIL, blockers=["a: Use b."])],
        {},
        ("Loop 2 failed: a: Use b. Fix issues and re-run /review.", NOT_PASSED, FIX),
    ),
    "failed without a word": (
        [review(TIP, SEEN, FAIL)],
        {},
        ("Loop 2 failed: see review-gate status. Fix issues and re-run /review.", NOT_PASSED, FIX),
    ),
    "incomplete": (
        [review(TIP, SEEN, UNFINISHED, blockers=["types could not run: mypy was not found"])],
        {},
        ("Loop 2 could not finish: types could not run: mypy was not found. Re-run /review.", NOT_RUN, SEE_TO_IT),
    ),
    "incomplete with a sentence": (
        [review(TIP, SEEN, UNFINISHED, blockers=["types could not run: It broke."])],
        {},
        ("Loop 2 could not finish: types could not run: It broke. Re-run /review.", NOT_RUN, SEE_TO_IT),
    ),
    "incomplete behind a loop that was left out": (
        [review(TIP, SEEN, ("not_run", "incomplete", "not_run", "not_run"), blockers=["checks could not run"])],
        {},
        ("Loop 2 could not finish: checks could not run. Re-run /review.", NOT_RUN, SEE_TO_IT),
    ),
    "incomplete after the loop that had failed passed": (
        [review(TIP, SEEN, FAIL, blockers=BLOCKERS), review(TIP, SEEN, HALF)],
        {},
        ("Loop 3 has no result. Re-run /review.", NOT_RUN, RUN),
    ),
    "failed, whatever was seen against another base": (
        [review(TIP, SEEN, FAIL, blockers=BLOCKERS[:1]), review(TIP, LOW, HALF)],
        {},
        (f"Loop 2 failed: {BLOCKERS[0]}. Fix issues and re-run /review.", NOT_PASSED, FIX),
    ),
    "incomplete because nobody looked": (
        [review(TIP, SEEN, ("nothing_to_run",) * 4)],
        {},
        (
            "Nobody looked at this commit: all four loops had nothing to run. Re-run /review.",
            "a reviewer that saw nothing has not voted",
            "switch a reviewer on in .review-gate.yaml, then review-gate run",
        ),
    ),
    "incomplete on another branch": (
        [review(TIP, SEEN, PARTIAL)],
        {"head": MID, "refs": (branch(TIP, "refs/heads/feature"),)},
        ("Loop 2 has no result. Re-run /review.", NOT_RUN, "git switch feature && review-gate run"),
    ),
    "incomplete because a loop was left out": (
        [review(TIP, SEEN, PARTIAL)],
        {},
        ("Loop 2 has no result. Re-run /review.", NOT_RUN, RUN),
    ),
    "uncovered": (
        [review(TIP, LOW)],
        {
            "outgoing": OUTGOING,
            "on_remote": frozenset({SEEN}),
            "refs": (branch(TIP, remedy=Remedy(SEEN)),),
        },
        (
            f"The review starts at {LOW[:8]}, but 1 commit ({LOW[:8]}) below it would leave unreviewed.",
            f"the remote does not have {LOW[:8]}, and no passing review covers it",
            f"review-gate run --base {SEEN[:8]}",
        ),
    ),
    "uncovered further down": (
        [review(TIP, MID), review(MID, LOW)],
        {"outgoing": OUTGOING, "on_remote": frozenset({SEEN}), "refs": (branch(TIP, remedy=Remedy(SEEN)),)},
        (
            f"The review starts at {MID[:8]}, but 1 commit ({LOW[:8]}) below it would leave unreviewed.",
            f"the remote does not have {LOW[:8]}, and no passing review covers it",
            f"review-gate run --base {SEEN[:8]}",
        ),
    ),
    "uncovered, and the remote may have the base": (
        [review(TIP, LOW)],
        {"has_unfetched_branches": True, "remote": "fork", "refs": (FROM_THE_START,)},
        (
            f"The review starts at {LOW[:8]}, but commits below it would leave unreviewed.",
            f"the remote has commits that are not here, so nobody can say whether it has {LOW[:8]}",
            "git fetch fork, then git push again",
        ),
    ),
    "uncovered, and a review from what the remote has will do": (
        [review(TIP, LOW)],
        {"has_unfetched_branches": True, "remote": "fork", "refs": (branch(TIP, remedy=Remedy(SEEN)),)},
        (
            f"The review starts at {LOW[:8]}, but commits below it would leave unreviewed.",
            f"the remote has commits that are not here, so nobody can say whether it has {LOW[:8]}",
            f"review-gate run --base {SEEN[:8]}",
        ),
    ),
    "uncovered by many": (
        [review(TIP, oid("0"))],
        {"outgoing": MANY, "refs": (FROM_THE_START,)},
        (
            f"The review starts at {oid('0')[:8]}, but 7 commits ({FIRST_FIVE}, ...) below it would leave unreviewed.",
            f"the remote does not have {oid('0')[:8]}, and no passing review covers it",
            "review-gate run --scope all",
        ),
    ),
    "uncovered, and the remote is silent": (
        [review(TIP, LOW)],
        {"remote_hint": SILENT, "refs": (FROM_THE_START,)},
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
    "policy changed, and the branch has the other one": (
        [review(TIP, SEEN, policy=OLD_POLICY)],
        {"head": MID, "remote": "origin", "refs": (branch(TIP, remedy=Remedy(is_open_there=True)),)},
        (
            f"The review of {TIP[:8]} was made under another policy.",
            "a push is judged by the settings of the branch it is made from, and this one has its own",
            "git switch main && git push origin HEAD",
        ),
    ),
    "checks changed": (
        [review(TIP, SEEN, policy=f"{POLICY}-{OLD_POLICY}")],
        {"policy": f"{POLICY}-{POLICY}"},
        (
            f"The review of {TIP[:8]} was made with other checks. Run /review again.",
            "the checks, or the baseline of old findings, have changed since",
            RUN,
        ),
    ),
    "checks changed, and the branch has the other ones": (
        [review(TIP, SEEN, policy=f"{POLICY}-{OLD_POLICY}")],
        {
            "policy": f"{POLICY}-{POLICY}",
            "head": MID,
            "remote": "origin",
            "refs": (branch(TIP, remedy=Remedy(is_open_there=True)),),
        },
        (
            f"The review of {TIP[:8]} was made with other checks.",
            "a push is judged by the checks of the branch it is made from, and this one has its own",
            "git switch main && git push origin HEAD",
        ),
    ),
    "settings and checks changed": (
        [review(TIP, SEEN, policy=f"{OLD_POLICY}-{OLD_POLICY}")],
        {"policy": f"{POLICY}-{POLICY}"},
        (
            f"The review of {TIP[:8]} was made under another policy. Run /review again.",
            "the settings that decide how strict a review is have changed since",
            RUN,
        ),
    ),
    "policy changed on another branch": (
        [review(TIP, SEEN, policy=OLD_POLICY)],
        {"head": MID, "remote": "../a b.git", "refs": (branch(TIP, remedy=Remedy(LOW)),)},
        (
            f"The review of {TIP[:8]} was made under another policy. Run /review again.",
            "the settings that decide how strict a review is have changed since",
            f"git switch main && review-gate run --base {LOW[:8]}, then git push '../a b.git' HEAD",
        ),
    ),
    "corrupt state of a reviewed commit": (
        [review(TIP, EMPTY)],
        {"state_error": "it is a symbolic link"},
        (
            "Cannot read review state file. Check loop-state.json.",
            "it is a symbolic link; a state that cannot be read is no review",
            "move loop-state.json away",
        ),
    ),
    "corrupt state": (
        [],
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
