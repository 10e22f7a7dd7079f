"""The facts for the words of a refusal: what would leave, and what has to be typed so that it may."""

from __future__ import annotations

from review_gate.errors import MisuseError
from review_gate.gate.decision import UNCOVERED
from review_gate.gate.message import branch_to_switch_to
from review_gate.gate.push import Remedy
from review_gate.gate.record import EMPTY_TREES, empty_tree_like, is_object_id, is_zero_id
from review_gate.shell.base import base_of_run
from review_gate.shell.catch_up import fetched_branches
from review_gate.shell.remote import MAX_OUTGOING
from review_gate.shell.repository import checked_out_branches
from review_gate.workflows.switch import policy_after_switch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from review_gate.gate.decision import RefDecision
    from review_gate.gate.push import Push, RefUpdate
    from review_gate.shell.known_remotes import KnownRemotes
    from review_gate.shell.ledger import Ledger
    from review_gate.shell.policy_cache import Policy
    from review_gate.shell.remote import RemoteContents
    from review_gate.shell.repository import Repository
    from review_gate.workflows.judge import RemoteEvidence

    # Whether passing reviews under a policy lead from a commit down to what the remote has.
    HasChain = Callable[[str, str], bool]

# As many refs as a refusal shows: the facts for each of them cost a dozen questions to git.
MAX_EXPLAINED = 10
MAX_ENDS = 100


class Explainer:
    """Gathers the facts for the closed refs of a push, and adds them to it."""

    def __init__(
        self,
        repository: Repository,
        ledger: Ledger,
        push: Push,
        *,
        compiled: Policy,
        evidence: RemoteEvidence,
        contents: RemoteContents,
        remotes: KnownRemotes,
        has_chain: HasChain,
    ) -> None:
        self._repository = repository
        self._git = repository.git
        self._ledger = ledger
        self._push = push
        self._compiled = compiled
        self._evidence = evidence
        self._contents = contents
        self._remotes = remotes
        self._has_chain = has_chain
        self._policies: dict[str, Policy | None] = {}

    def add_checked_out(self) -> None:
        """Add the branches that no other work tree can switch to."""
        self._push.checked_out = checked_out_branches(self._repository)

    def add_outgoing(self, closed: tuple[RefDecision, ...]) -> None:
        """Add the commits that closed refs would send, with their reviews, and whether a fetch could tell more."""
        push = self._push
        tips = sorted({ref.commit for ref in closed if ref.commit})
        push.outgoing = {tip: sent for tip in tips if (sent := self._contents.outgoing(tip)) is not None}
        below = {commit for commits in push.outgoing.values() for commit in commits} - set(push.reviews)
        push.reviews = {**push.reviews, **self._ledger.reviews_of(sorted(below))}
        refspecs = self._remotes.values(f"remote.{push.remote}.fetch") if push.remote else []
        brought = fetched_branches(refspecs, self._evidence.refs)
        push.has_unfetched_branches = not brought <= self._ledger.present(brought)

    def add_remedies(self, closed: tuple[RefDecision, ...], *, names_start: bool) -> None:
        """Add to each closed ref how to run, so that all that the remote lacks is covered; never plainly if told so."""
        for judged in closed[:MAX_EXPLAINED]:
            if judged.ref is not None and judged.commit:
                names = names_start or judged.reason == UNCOVERED
                judged.ref.remedy = self._remedy(judged.ref, judged.commit, names_start=names)

    def _remedy(self, ref: RefUpdate, commit: str, *, names_start: bool) -> Remedy:
        is_here = commit == self._push.head
        settings = self._compiled if is_here else self._policy_after_switch(commit)
        policy = settings.policy if settings is not None else ""
        base = None if names_start or settings is None else self._base_of_plain_run(ref, commit, settings)
        is_enough = base not in (None, commit) and self._is_covered(str(base), policy)
        start = str(base) if is_enough else self._start(commit)
        return Remedy(
            "" if is_enough else start,
            is_empty=self._tree(start) == self._push.reviews[commit].tree,
            is_on_remote=self._is_on_remote(commit),
            is_open_there=not is_here and self._has_chain(commit, policy),
            is_forced=self._is_forced(ref, commit),
        )

    def _policy_after_switch(self, commit: str) -> Policy | None:
        if commit not in self._policies:
            self._policies[commit] = policy_after_switch(self._repository, commit, self._compiled)
        return self._policies[commit]

    def _is_forced(self, ref: RefUpdate, commit: str) -> bool:
        if ref.remote_oid is None or is_zero_id(ref.remote_oid):
            return False
        is_tag = ref.remote_ref.startswith("refs/tags/")
        return is_tag or self._git.try_run("merge-base", "--is-ancestor", ref.remote_oid, commit)[0] != 0

    def _base_of_plain_run(self, ref: RefUpdate, commit: str, settings: Policy) -> str | None:
        """Where a run starts that is told nothing, once the commit is HEAD; None when it refuses or nobody knows."""
        named = settings.config.get("base")
        is_here = commit == self._push.head
        if named is not None and not is_here:
            # It may be relative to HEAD, which is another one then.
            return None
        branch = self._remotes.branch if is_here else branch_to_switch_to(ref, self._push)
        name = None if named is None else str(named)
        below = self._push.outgoing.get(commit, {}).keys() | self._contents.edge(commit)
        try:
            base, _ = base_of_run(self._git, commit, branch, name, remotes=self._remotes, below=below)
        except MisuseError:
            return None
        return base or empty_tree_like(commit)

    def _is_covered(self, base: str, policy: str) -> bool:
        return base in EMPTY_TREES or base in self._contents.among({base}) or self._has_chain(base, policy)

    def _is_on_remote(self, commit: str) -> bool:
        return self._push.outgoing.get(commit) == {}

    def _start(self, commit: str) -> str:
        """The newest commit below that the remote has, from where a review covers everything; or an empty tree."""
        everything = empty_tree_like(commit)
        if self._is_on_remote(commit):
            # Its own range is empty, and any review of it will do.
            parent = self._push.reviews[commit].parents[0]
            return parent if self._ledger.present({parent}) else everything
        ends = self._ends(commit)
        if len(ends) == 1 and ends[0] in self._contents.edge(commit):
            return ends[0]
        return (self._git.line("merge-base", commit, *ends) if ends else None) or everything

    def _ends(self, commit: str) -> list[str]:
        """The commits of the remote right below those that would leave; where these are too many, its refs."""
        outgoing = self._push.outgoing.get(commit, {})
        parents = {parent: None for parents in outgoing.values() for parent in parents if parent not in outgoing}
        return (list(parents) if 0 < len(outgoing) < MAX_OUTGOING else self._present())[:MAX_ENDS]

    def _present(self) -> list[str]:
        """The commits of the remote that are in this repository, tags peeled."""
        named = [oid for oid in dict.fromkeys(self._evidence.commits) if is_object_id(oid)]
        return [commit for commit in self._ledger.commits_behind(named) if commit is not None]

    def _tree(self, start: str) -> str:
        known = self._ledger.reviews_of([start]).get(start)
        return known.tree if known is not None else start
