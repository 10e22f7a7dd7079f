"""The words of a refusal, and a repository to be refused in."""

from __future__ import annotations

STATE = ".claude/skills/code-review/loop-state.json"
RUN = "review-gate run"
FOUND_BROKEN = "Loop 1 failed: app.py:1: broken. Fix issues and re-run /review."


def block(what: str, why: str, next_step: str = RUN, *, ref: str = "") -> str:
    """The shape of every refusal."""
    named = f"  ref:   {ref}\n" if ref else ""
    return f"blocked: {what}\n{named}  why:   {why}\n  next:  {next_step}\n"


def missing(commit: str, next_step: str = RUN, *, ref: str = "") -> str:
    what = "No review state found. Run /review before shipping."
    return block(what, f"commit {commit[:8]} was never reviewed", next_step, ref=ref)


def stale(reviewed: str, commit: str) -> str:
    what = f"Review state is for commit {reviewed[:8]}, current HEAD is {commit[:8]}. Run /review again."
    return block(what, "no reviewer saw the content of this commit")


def failed(what: str = FOUND_BROKEN, *, ref: str = "") -> str:
    return block(what, "the review of exactly this commit did not pass", f"fix, commit, then {RUN}", ref=ref)


def uncovered(base: str, named: str, next_step: str, *, gap: str = "") -> str:
    what = f"The review starts at {base[:8]}, but {named} below it would leave unreviewed."
    return block(what, f"the remote does not have {(gap or base)[:8]}, and no passing review covers it", next_step)


def tampered(commit: str, why: str) -> str:
    return block(f"The review state of {commit[:8]} does not agree with the review ledger.", why)


def not_a_commit(remote_ref: str, oid: str) -> str:
    why = "a review is of commits; no review can cover any other object"
    return block(f"{remote_ref} would receive {oid[:8]}, which is not a commit.", why, "push again without this ref")


def corrupt_state(why: str) -> str:
    """In the way of a commit that was reviewed."""
    what = f"Cannot read review state file. Check {STATE}."
    return block(what, f"{why}; a state that cannot be read is no review", f"move {STATE} away")
