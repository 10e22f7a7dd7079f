"""The gate at `git push`: every line git sends is judged."""

from __future__ import annotations

from review_gate.errors import ReviewGateError
from review_gate.gate.push import DELETE, PushLineError, read_push_lines
from review_gate.shell import remote as remotes
from review_gate.shell.push_log import record_allowed
from review_gate.workflows.judge import RemoteEvidence, judge
from review_gate.workflows.policy import policy_in_force

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.gate.decision import Decision
    from review_gate.gate.push import RefUpdate
    from review_gate.shell.policy_cache import Policy
    from review_gate.shell.remote import Present
    from review_gate.shell.repository import Repository


def judge_push(repository: Repository, lines: bytes, remote: str, url: str) -> Decision | None:
    """The decision on git's pre-push lines; None when nothing but deletions, or nothing at all, is pushed."""
    try:
        refs = read_push_lines(lines)
    except PushLineError as error:
        raise ReviewGateError(
            str(error), why="the gate cannot judge a push it cannot read", next_step="review-gate doctor"
        ) from None
    if all(ref.kind == DELETE for ref in refs):
        return None
    compiled = policy_in_force(repository)
    decision = judge(
        repository, refs, compiled, lambda: push_evidence(repository, compiled, remote, url), remote=remote
    )
    if decision.allowed:
        _note_allowed(repository, refs)
    return decision


def _note_allowed(repository: Repository, refs: tuple[RefUpdate, ...]) -> None:
    try:
        record_allowed(repository, [(ref.remote_ref, ref.local_oid) for ref in refs if ref.commit])
    except OSError:
        # The log serves the watcher only; a full disk must not hold back a reviewed push.
        return


def push_evidence(repository: Repository, compiled: Policy, remote: str, url: str) -> RemoteEvidence:
    """What the remote has, from itself unless the configuration trusts the local tracking refs."""
    gate = compiled.section("gate")
    if gate.get("remote_evidence") == "tracking":
        from review_gate.shell.known_remotes import KnownRemotes

        # Tracking refs say where a review may start; they never stand in for the review of the commit itself.
        return RemoteEvidence(KnownRemotes(repository.git).tracked(remote), proves_tips=False)
    seconds = float(str(gate.get("remote_seconds") or 20))
    refs, problem = remotes.advertised(repository.git, url, seconds)

    def catch_up(wanted: set[str], present: Present) -> bool:
        from review_gate.shell.catch_up import fetch_objects, likely_branches

        here = present(set(refs.values()))
        moved = {ref for ref in likely_branches(repository.git, remote, refs, wanted) if refs[ref] not in here}
        return bool(moved) and fetch_objects(repository.git, url, moved, seconds)

    hint = f"the remote could not be asked what it has: {problem}" if problem else ""
    return RemoteEvidence(refs.values(), proves_tips=True, hint=hint, refs=refs, catch_up=catch_up)
