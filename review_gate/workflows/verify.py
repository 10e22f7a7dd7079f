"""review-gate verify: the gate, asked by hand, by an agent or by CI."""

from __future__ import annotations

from review_gate.errors import MisuseError
from review_gate.gate.push import NO_COMMIT, OTHER, RefUpdate
from review_gate.gate.record import short
from review_gate.shell.known_remotes import KnownRemotes
from review_gate.workflows.judge import RemoteEvidence, judge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.gate.decision import Decision
    from review_gate.shell.policy_cache import Policy
    from review_gate.shell.repository import Repository


def judge_commit(
    repository: Repository, commit: str, compiled: Policy, *, remote: str | None = None, name: str = "HEAD"
) -> Decision:
    """The decision on pushing one commit, as far as the tracking refs of the remote know what it has."""
    ref, remotes = RefUpdate(name, commit, name, None), KnownRemotes(repository.git)
    return judge(repository, (ref,), compiled, lambda: _tracking_evidence(remotes, remote), remotes=remotes)


def _tracking_evidence(remotes: KnownRemotes, remote: str | None) -> RemoteEvidence:
    # Tracking refs say where a review may start; they never stand in for the review of the commit itself.
    chosen = remote or remotes.default()
    return RemoteEvidence(remotes.tracked(chosen) if chosen else (), proves_tips=False)


def judge_range(repository: Repository, base: str, tip: str, compiled: Policy, *, name: str) -> Decision:
    """The decision on the commits between two commits, the first of which counts as being on the remote."""
    if tip != base and repository.git.try_run("merge-base", "--is-ancestor", tip, base)[0] == 0:
        raise MisuseError(
            f"there is no commit in {short(base)}..{short(tip)}",
            why=f"{short(base)} already contains {short(tip)}; the ends may be the wrong way round",
            next_step=f"review-gate verify --range {short(tip)}..{short(base)}",
        )
    ref = RefUpdate(name, tip, name, None, kind=NO_COMMIT if tip == base else OTHER)
    known = RemoteEvidence((base,), proves_tips=False)
    return judge(repository, (ref,), compiled, lambda: known, is_range=True)


def resolve(repository: Repository, revision: str) -> str:
    """The commit a revision names."""
    commit = repository.git.commit_named(revision)
    if commit is None:
        if revision == "HEAD":
            raise MisuseError(
                "there is no commit yet",
                why="a review is of a commit, and this branch has none",
                next_step="git commit",
            )
        raise MisuseError(
            f"{revision!r} is not a commit here", why="the gate judges commits", next_step="git log --oneline"
        )
    return commit


def split_range(text: str) -> tuple[str, str]:
    """The two ends of A..B."""
    base, dots, tip = text.partition("..")
    if not dots or not base or tip.startswith("."):
        raise MisuseError(
            f"{text!r} is not a range",
            why="the gate needs a base and a tip",
            next_step="review-gate verify --range A..B",
        )
    return base, tip or "HEAD"
