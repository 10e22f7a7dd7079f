"""The facts for the words of a refusal: what would leave, and what has to be typed so that it may."""

from __future__ import annotations

from review_gate.errors import MisuseError
from review_gate.gate.decision import UNCOVERED
from review_gate.gate.message import branch_to_switch_to
from review_gate.gate.push import Remedy
from review_gate.gate.record import EMPTY_TREES, empty_tree_like, is_object_id, is_zero_id
from review_gate.shell.base import base_of_run
from review_gate.shell.catch_up import fetched_branches
from review_gate.workflows.switch import policy_after_switch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from review_gate.gate.decision import RefDecision
    from review_gate.gate.push import Push, RefUpdate
    from review_gate.shell.ledger import Ledger
    from review_gate.shell.policy_cache import Policy
    from review_gate.shell.remote import RemoteContents
    from review_gate.shell.repository import Repository
    from review_gate.workflows.judge import RemoteEvidence

    # Whether passing reviews under a policy lead from a commit down to what the remote has.
    HasChain = Callable[[str, str], bool]

# A block names what is uncovered; beyond this many commits the count is enough.
MAX_OUTGOING = 10_000
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
        remote: RemoteContents,
        has_chain: HasChain,
    ) -> None:
        self._repository = repository
        self._git = repository.git
        self._ledger = ledger
        self._push = push
        self._compiled = compiled
        self._evidence = evidence
        self._remote = remote
        self._has_chain = has_chain
        self._known = _present(repository, evidence.commits)

    def add_outgoing(self, closed: tuple[RefDecision, ...]) -> None:
        """Add the commits that closed refs would send, with their reviews, and whether a fetch could tell more."""
        push, known = self._push, self._known
        tips = sorted({ref.commit for ref in closed if ref.commit})
        push.outgoing = {tip: sent for tip in tips if (sent := _outgoing(self._repository, tip, known)) is not None}
        below = {commit for commits in push.outgoing.values() for commit in commits} - set(push.reviews)
        push.reviews = {**push.reviews, **self._ledger.reviews_of(sorted(below))}
        brought = fetched_branches(self._git, push.remote, self._evidence.refs) if push.remote else set()
        push.has_unfetched_branches = not brought <= set(known)

    def add_remedies(self, closed: tuple[RefDecision, ...], *, names_start: bool) -> None:
        """Add to each closed ref how to run, so that all that the remote lacks is covered; never plainly if told so."""
        for judged in closed[:MAX_EXPLAINED]:
            if judged.ref is not None and judged.commit:
                names = names_start or judged.reason == UNCOVERED
                judged.ref.remedy = self._remedy(judged.ref, judged.commit, names_start=names)

    def _remedy(self, ref: RefUpdate, commit: str, *, names_start: bool) -> Remedy:
        is_here = commit == self._push.head
        settings = self._compiled if is_here else policy_after_switch(self._repository, commit, self._compiled)
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
        branch = (self._git.branch() or "") if is_here else branch_to_switch_to(ref, self._push)
        try:
            base, _ = base_of_run(self._git, commit, branch, None if named is None else str(named))
        except MisuseError:
            return None
        return base or empty_tree_like(commit)

    def _is_covered(self, base: str, policy: str) -> bool:
        return base in EMPTY_TREES or base in self._remote.among({base}) or self._has_chain(base, policy)

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
        return (self._git.line("merge-base", commit, *ends) if ends else None) or everything

    def _ends(self, commit: str) -> list[str]:
        """The commits of the remote right below those that would leave; where these are too many, its refs."""
        outgoing = self._push.outgoing.get(commit, {})
        parents = {parent: None for parents in outgoing.values() for parent in parents if parent not in outgoing}
        return (list(parents) if 0 < len(outgoing) < MAX_OUTGOING else self._known)[:MAX_ENDS]

    def _tree(self, start: str) -> str:
        known = self._ledger.reviews_of([start]).get(start)
        return known.tree if known is not None else start


def _present(repository: Repository, oids: Iterable[str]) -> list[str]:
    """The commits among `oids` that are in this repository, tags peeled."""
    request = "".join(f"{oid}^{{commit}}\n" for oid in dict.fromkeys(oids) if is_object_id(oid))
    output = repository.git.run("cat-file", "--batch-check=%(objectname)", stdin=request.encode("ascii"))
    return [line for line in output.decode("utf-8", "replace").split("\n") if is_object_id(line)]


def _outgoing(repository: Repository, commit: str, known: list[str]) -> dict[str, tuple[str, ...]] | None:
    """The commits a push of `commit` would send, newest first, each with its parents; None where git cannot tell."""
    arguments = ("rev-list", "--parents", "--topo-order", f"--max-count={MAX_OUTGOING}", "--stdin")
    # Written with carets: git before 2.42 knows no `--not` on standard input.
    request = "".join([f"{commit}\n", *(f"^{oid}\n" for oid in known)])
    code, output, _ = repository.git.try_run(*arguments, stdin=request.encode("ascii"))
    if code != 0:
        return None
    return {line.split(" ")[0]: tuple(line.split(" ")[1:]) for line in output.decode("ascii").splitlines()}
