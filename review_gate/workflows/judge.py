"""Gather the facts of a push, a little at a time, and ask the gate; the usual push costs one git process."""

from __future__ import annotations

import os

from review_gate.gate.coverage import chain_to_remote, passing_reviews
from review_gate.gate.decide import decide
from review_gate.gate.decision import UNCOVERED
from review_gate.gate.push import COMMIT, DELETE, NO_COMMIT, RECORD, Push
from review_gate.gate.record import EMPTY_TREES, is_zero_id
from review_gate.gate.state_view import FOLDER_IS_LINK, MAX_STATE_BYTES, StateError, read_state
from review_gate.shell.files import UnsafeFileError, is_plainly_below, read_plain_file
from review_gate.shell.ledger import Ledger
from review_gate.shell.remote import RemoteContents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from review_gate.gate.decision import Decision
    from review_gate.gate.push import CommitReviews, RefUpdate
    from review_gate.gate.state_view import StateView
    from review_gate.shell.git import ObjectReader
    from review_gate.shell.known_remotes import KnownRemotes
    from review_gate.shell.ledger import LookAtMessage
    from review_gate.shell.policy_cache import Policy
    from review_gate.shell.remote import Present
    from review_gate.shell.repository import Repository
    from review_gate.workflows.explain import Explainer

    # What a remote is known to have: asked only when a decision hangs on it.
    Evidence = Callable[[], "RemoteEvidence"]
    CatchUp = Callable[[set[str], Present], bool]

# How far a chain of reviews is followed at all.
MAX_LINKS = 10_000
# How far a chain of reviews is followed before the remote is asked what it has.
LINKS_BEFORE_ASKING = 20


class RemoteEvidence:
    """Commits the remote has; `proves_tips` when the remote itself said so, `hint` when it could not be asked.

    `refs` are the remote's own, as far as it was asked. `catch_up` brings newer commits of the remote here that may
    contain the given ones, and says whether any came.
    """

    __slots__ = ("catch_up", "commits", "hint", "proves_tips", "refs")

    def __init__(
        self,
        commits: Iterable[str],
        *,
        proves_tips: bool,
        hint: str = "",
        refs: Mapping[str, str] | None = None,
        catch_up: CatchUp | None = None,
    ) -> None:
        self.commits = tuple(commits)
        self.refs = refs or {}
        self.proves_tips = proves_tips
        self.hint = hint
        self.catch_up = catch_up


def judge(
    repository: Repository,
    refs: tuple[RefUpdate, ...],
    compiled: Policy,
    evidence: Evidence,
    *,
    remote: str = "",
    is_range: bool = False,
    remotes: KnownRemotes | None = None,
) -> Decision:
    """The gate's decision on a push, with as few facts as it takes to open it and all facts when it stays closed."""
    with repository.git.objects() as objects:
        return judge_by(
            objects, repository, refs, compiled, evidence, remote=remote, is_range=is_range, remotes=remotes
        )


def judge_by(
    objects: ObjectReader,
    repository: Repository,
    refs: tuple[RefUpdate, ...],
    compiled: Policy,
    evidence: Evidence,
    *,
    remote: str = "",
    is_range: bool = False,
    remotes: KnownRemotes | None = None,
) -> Decision:
    """The same for a caller who reads objects, too."""
    ledger = Ledger(repository, objects, look_at_message=_message_judge(repository, objects, compiled))
    push = _push(repository, ledger, refs, compiled, remote)
    # What the remote's refs point at comes from the remote itself, through git's own lines.
    said = {ref.remote_ref: ref.remote_oid for ref in refs if ref.remote_oid and not is_zero_id(ref.remote_oid)}
    first = RemoteEvidence(said.values(), proves_tips=True)
    decision = _judge_knowing(ledger, push, first, _contents(repository, ledger, first), LINKS_BEFORE_ASKING)
    if any(ref.commit for ref in decision.closed):
        asked = evidence()
        known = RemoteEvidence(
            dict.fromkeys((*said.values(), *asked.commits)),
            proves_tips=asked.proves_tips,
            hint=asked.hint,
            refs={**said, **asked.refs},
        )
        contents = _contents(repository, ledger, known, push)
        decision = _judge_knowing(ledger, push, known, contents)
        if asked.catch_up and _is_base_unproven(decision) and asked.catch_up(_loose_ends(push), ledger.present):
            # With what came, git may see more of what the remote reaches.
            contents = _contents(repository, ledger, known, push)
            decision = _judge_knowing(ledger, push, known, contents)
        if not decision.allowed:
            explainer = _explainer(
                repository, ledger, push, compiled=compiled, evidence=known, contents=contents, remotes=remotes
            )
            decision = _explained(explainer, push, is_range=is_range)
    return decision


def _push(repository: Repository, ledger: Ledger, refs: tuple[RefUpdate, ...], compiled: Policy, remote: str) -> Push:
    """What is asked, with the facts that cost next to nothing."""
    _identify(ledger, refs)
    push = Push(refs, reviews={}, policy=compiled.policy, head=ledger.commits_behind(["HEAD"])[0] or "")
    push.remote = remote
    push.state_path = str(compiled.config.get("state_file", ""))
    push.state, push.state_error = look_at_state(repository, push.state_path)
    return push


def _contents(
    repository: Repository, ledger: Ledger, evidence: RemoteEvidence, push: Push | None = None
) -> RemoteContents:
    """What the remote has by some evidence; with all of it, for a push, git may walk as far as it takes."""
    # Until then, asking the remote is cheaper than a long way through history.
    tips = _tips(push) if push is not None else set()
    tip = tips.pop() if len(tips) == 1 else ""
    return RemoteContents(repository.git, evidence.commits, ledger.present, may_walk_far=push is not None, tip=tip)


def _tips(push: Push) -> set[str]:
    return {ref.commit for ref in push.refs if ref.commit}


def _message_judge(repository: Repository, objects: ObjectReader, compiled: Policy) -> LookAtMessage:
    """Judges the messages that no review has seen: those of commits that inherit a review of the index."""

    def look_at(commit: str, known: CommitReviews) -> None:
        if known.relies_on_staged(compiled.policy):
            # The usual push has a review of its commit, and does not pay for these imports.
            from review_gate.workflows.inherited_message import problems_in_message

            known.object_to_message(problems_in_message(repository, objects, compiled.section("checks"), commit))

    return look_at


def _judge_knowing(
    ledger: Ledger, push: Push, evidence: RemoteEvidence, remote: RemoteContents, links: int = MAX_LINKS
) -> Decision:
    """Judge by what the remote is known to have: follow each chain of reviews down to there, and no further."""
    tips = _tips(push)
    push.reviews, push.on_remote = _follow_chains(ledger, tips, push.policy, remote, links)
    push.remote_hint = evidence.hint
    decision = decide(push)
    if evidence.proves_tips and evidence.commits and not decision.allowed:
        push.tips_on_remote = frozenset(remote.among(tips))
        decision = decide(push)
    return decision


def _follow_chains(
    ledger: Ledger, tips: set[str], policy: str, remote: RemoteContents, links: int
) -> tuple[dict[str, CommitReviews], frozenset[str]]:
    """The reviews of the tips, of the bases that the remote lacks, of the bases of those, and so on."""
    reviews: dict[str, CommitReviews] = {}
    there: set[str] = set()
    waiting = set(tips)
    while waiting and links:
        links -= 1
        loaded = ledger.reviews_of(sorted(waiting))
        reviews.update(loaded)
        bases = {record.base for known in loaded.values() for record in passing_reviews(known, policy)}
        bases -= set(EMPTY_TREES)
        there |= remote.among(bases)
        waiting = ledger.may_know(bases - there - reviews.keys())
    return reviews, frozenset(there)


def _is_base_unproven(decision: Decision) -> bool:
    return all(ref.reason == UNCOVERED for ref in decision.closed) and not decision.allowed


def _loose_ends(push: Push) -> set[str]:
    """The bases where a chain of passing reviews ends without reaching the remote."""
    passing = {commit: passing_reviews(known, push.policy) for commit, known in push.reviews.items()}
    bases = {record.base for records in passing.values() for record in records}
    return {base for base in bases - push.on_remote if not passing.get(base)}


def _identify(ledger: Ledger, refs: tuple[RefUpdate, ...]) -> None:
    """Say of each ref what it sends: a commit (tags are peeled), one of our records, or something else."""
    sent = [ref for ref in refs if ref.kind not in (DELETE, NO_COMMIT)]
    for ref, commit in zip(sent, ledger.commits_behind([ref.local_oid for ref in sent]), strict=True):
        if commit is not None:
            ref.kind, ref.commit = COMMIT, commit
        elif ledger.holds(ref.remote_ref, ref.local_oid):
            ref.kind = RECORD


def look_at_state(repository: Repository, state_file: str) -> tuple[StateView | None, str]:
    """The view of the latest run, if there is one, and what is wrong with the file."""
    try:
        if not is_plainly_below(repository.top, state_file):
            return None, FOLDER_IS_LINK
        data = read_plain_file(os.path.join(repository.top, state_file), MAX_STATE_BYTES)
        return read_state(data) if data is not None else None, ""
    except (UnsafeFileError, StateError) as error:
        return None, str(error)


def _explainer(
    repository: Repository,
    ledger: Ledger,
    push: Push,
    *,
    compiled: Policy,
    evidence: RemoteEvidence,
    contents: RemoteContents,
    remotes: KnownRemotes | None,
) -> Explainer:
    # Only a refusal pays for these imports.
    from review_gate.shell.known_remotes import KnownRemotes
    from review_gate.workflows.explain import Explainer

    def has_chain(commit: str, policy: str) -> bool:
        reviews, there = _follow_chains(ledger, {commit}, policy, contents, MAX_LINKS)
        return chain_to_remote(commit, reviews, policy, there) is not None

    return Explainer(
        repository,
        ledger,
        push,
        compiled=compiled,
        evidence=evidence,
        contents=contents,
        remotes=remotes or KnownRemotes(repository.git),
        has_chain=has_chain,
    )


def _explained(explainer: Explainer, push: Push, *, is_range: bool) -> Decision:
    """Judge once more with what would leave and with what would open the gate, so that the refusal can name it."""
    explainer.add_checked_out()
    explainer.add_outgoing(decide(push).closed)
    explainer.add_remedies(decide(push).closed, names_start=is_range)
    return decide(push)
