"""Gather the facts of a push, a little at a time, and ask the gate; the usual push costs one git process."""

from __future__ import annotations

import os

from review_gate.gate.decide import decide
from review_gate.gate.decision import MISSING, POLICY_CHANGED, STALE, UNCOVERED
from review_gate.gate.push import COMMIT, DELETE, RECORD, Push
from review_gate.gate.record import EMPTY_TREES, is_object_id, is_zero_id
from review_gate.gate.state_view import MAX_STATE_BYTES, StateError, read_state
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.ledger import is_ledger_entry, load_reviews

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from review_gate.gate.decision import Decision
    from review_gate.gate.push import CommitReviews, RefUpdate
    from review_gate.shell.git import ObjectReader
    from review_gate.shell.policy_cache import Compiled
    from review_gate.shell.repository import Repository

    # What a remote is known to have: asked only when a decision hangs on it.
    Evidence = Callable[[], "RemoteEvidence"]

# A block names what is uncovered; beyond this many commits the count is enough.
MAX_OUTGOING = 10_000
EVIDENCE_COULD_HELP = (MISSING, STALE, UNCOVERED, POLICY_CHANGED)


class RemoteEvidence:
    """Commits the remote has; `proves_tips` when the remote itself said so, `hint` when it could not be asked."""

    __slots__ = ("commits", "hint", "proves_tips")

    def __init__(self, commits: Iterable[str], *, proves_tips: bool, hint: str = "") -> None:
        self.commits = tuple(commits)
        self.proves_tips = proves_tips
        self.hint = hint


def judge(repository: Repository, refs: tuple[RefUpdate, ...], compiled: Compiled, evidence: Evidence) -> Decision:
    """The gate's decision on a push, with as few facts as it takes to open it and all facts when it stays closed."""
    with repository.git.objects() as objects:
        identify(objects, refs)
        head = objects.read("HEAD^{commit}")
        push = Push(refs, reviews=closure(objects, refs), policy=compiled.policy, head=head.oid if head else "")
        _look_at_state(repository, compiled, push)
        # What the remote's refs point at comes from the remote itself, through git's own lines.
        said = {ref.remote_oid for ref in refs if ref.remote_oid and not is_zero_id(ref.remote_oid)}
        push.on_remote = frozenset(said)
        decision = decide(push)
        if said and _evidence_could_help(decision):
            decision = _with_evidence(repository, push, RemoteEvidence(said, proves_tips=True))
        if _evidence_could_help(decision):
            found = evidence()
            both = RemoteEvidence((*said, *found.commits), proves_tips=found.proves_tips, hint=found.hint)
            decision = _with_evidence(repository, push, both)
            if not decision.allowed:
                decision = _explained(repository, objects, push, both)
    return decision


def identify(objects: ObjectReader, refs: tuple[RefUpdate, ...]) -> None:
    """Say of each ref what it sends: a commit (tags are peeled), one of our records, or something else."""
    sent = [ref for ref in refs if ref.kind != DELETE]
    answers = objects.read_all([f"{ref.local_oid}^{{commit}}" for ref in sent])
    for ref, commit in zip(sent, list(answers), strict=True):
        if commit is not None:
            ref.kind, ref.commit = COMMIT, commit.oid
        elif (entry := objects.read(ref.local_oid)) is not None and is_ledger_entry(ref.remote_ref, entry):
            ref.kind = RECORD


def closure(objects: ObjectReader, refs: tuple[RefUpdate, ...]) -> dict[str, CommitReviews]:
    """The reviews of the pushed commits, of their bases, of the bases of those, and so on."""
    reviews: dict[str, CommitReviews] = {}
    waiting = {ref.commit for ref in refs if ref.commit}
    while waiting:
        loaded = load_reviews(objects, sorted(waiting))
        reviews.update(loaded)
        bases = {record.base for known in loaded.values() for record in known.records}
        waiting = {base for base in bases if base not in reviews and base not in waiting and base not in EMPTY_TREES}
    return reviews


def _look_at_state(repository: Repository, compiled: Compiled, push: Push) -> None:
    push.state_path = str(compiled.config.get("state_file", ""))
    try:
        data = read_plain_file(os.path.join(repository.top, push.state_path), MAX_STATE_BYTES)
        push.state = read_state(data) if data is not None else None
    except (UnsafeFileError, StateError) as error:
        push.state_error = str(error)


def _evidence_could_help(decision: Decision) -> bool:
    return any(ref.reason in EVIDENCE_COULD_HELP for ref in decision.closed)


def _with_evidence(repository: Repository, push: Push, evidence: RemoteEvidence) -> Decision:
    """Judge again, knowing which of the commits in question the remote already has."""
    tips = {ref.commit for ref in push.refs if ref.commit}
    bases = {record.base for known in push.reviews.values() for record in known.records} - set(EMPTY_TREES)
    there = _contained(repository, tips | bases, evidence.commits)
    push.on_remote = frozenset(there | set(evidence.commits))
    push.tips_on_remote = frozenset(tips & push.on_remote) if evidence.proves_tips else frozenset()
    push.remote_hint = evidence.hint
    return decide(push)


def _contained(repository: Repository, commits: set[str], tips: Iterable[str]) -> set[str]:
    """Those of `commits` that can be reached from `tips`; nothing when history is missing here."""
    known = _present(repository, tips)
    if not known:
        return set()
    code, output, _ = repository.git.try_run("rev-list", "--stdin", stdin=_range(sorted(commits), known))
    return commits - set(output.decode("ascii").split()) if code == 0 else set()


def _range(wanted: list[str], known: list[str]) -> bytes:
    # Written with carets: git before 2.42 knows no `--not` on standard input.
    return "".join([f"{oid}\n" for oid in wanted] + [f"^{oid}\n" for oid in known]).encode("ascii")


def _present(repository: Repository, oids: Iterable[str]) -> list[str]:
    """The commits among `oids` that are in this repository, tags peeled."""
    request = "".join(f"{oid}^{{commit}}\n" for oid in dict.fromkeys(oids) if is_object_id(oid))
    output = repository.git.run("cat-file", "--batch-check=%(objectname)", stdin=request.encode("ascii"))
    return [line for line in output.decode("utf-8", "replace").split("\n") if is_object_id(line)]


def _explained(repository: Repository, objects: ObjectReader, push: Push, evidence: RemoteEvidence) -> Decision:
    """Judge once more with the commits that would leave, so that the refusal can name them."""
    known = _present(repository, evidence.commits)
    closed = sorted({ref.commit for ref in push.refs if ref.commit})
    push.outgoing = {commit: _outgoing(repository, commit, known) for commit in closed}
    below = {commit for commits in push.outgoing.values() for commit in commits} - set(push.reviews)
    push.reviews = {**push.reviews, **load_reviews(objects, sorted(below))}
    push.suggested_base = _suggested_base(repository, closed, known)
    return decide(push)


def _outgoing(repository: Repository, commit: str, known: list[str]) -> dict[str, tuple[str, ...]]:
    """The commits a push of `commit` would send, newest first, each with its parents."""
    arguments = ("rev-list", "--parents", "--topo-order", f"--max-count={MAX_OUTGOING}", "--stdin")
    code, output, _ = repository.git.try_run(*arguments, stdin=_range([commit], known))
    lines = output.decode("ascii").splitlines() if code == 0 else []
    return {line.split(" ")[0]: tuple(line.split(" ")[1:]) for line in lines}


def _suggested_base(repository: Repository, commits: list[str], known: list[str]) -> str:
    """The newest commit below the push that the remote has: a review from there covers everything."""
    if len(commits) != 1 or not known:
        return ""
    return repository.git.line("merge-base", commits[0], *known[:100]) or ""
