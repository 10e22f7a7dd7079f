"""Review records in git refs: a blob of JSON per reviewed commit or staged tree, appended by compare-and-swap."""

from __future__ import annotations

import os

from review_gate.errors import GitError
from review_gate.gate.push import CommitReviews
from review_gate.gate.record import DOCUMENT_VERSION, EMPTY_TREES, RecordError, read_document
from review_gate.shell.exact_ref import ExactRefs
from review_gate.shell.git import GitObject, first_line
from review_gate.strict_json import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from review_gate.gate.record import Record
    from review_gate.shell.git import Git, ObjectReader
    from review_gate.shell.repository import Repository

LEDGER = "refs/review-gate/"
COMMITS = LEDGER + "commits/"
TREES = LEDGER + "trees/"
# Far more than one commit ever needs; the oldest go first.
KEPT_REVIEWS = 200
MAX_ENTRY_BYTES = 16_000_000
WHOLE_REVIEWS = 4
SLIM_BLOCKERS, SLIM_LETTERS = 3, 200
DETAILS = ("loop_results", "not_reviewed")
# Sixteen writers on two cores take turns well within this time.
WRITE_SECONDS = 30.0
TRIES_BEFORE_MENDING = 5

# Up to this many entries git is asked, which costs less than the import of `zlib`.
FEW = 8
NO_ENTRY: tuple[tuple[Record, ...], str] = ((), "")


class Ledger:
    """The reading side of the ledger, for one conversation with git."""

    def __init__(self, repository: Repository, objects: ObjectReader) -> None:
        self._refs = ExactRefs(repository)
        self._common_dir = repository.common_dir
        self._objects = objects
        self._headers: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._known: dict[str, CommitReviews] = {}
        self._has_staged_reviews = self._refs.may_hold(TREES)

    def commits_behind(self, names: Sequence[str]) -> list[str | None]:
        """The commit that each revision leads to, tags peeled; None where there is no commit here."""
        found = list(self._objects.read_all([name + "^{commit}" for name in names]))
        self._headers.update({one.oid: read_commit_header(one.data) for one in found if one is not None})
        return [one.oid if one is not None else None for one in found]

    def present(self, commits: set[str]) -> set[str]:
        """Those of `commits` that are commits of this repository."""
        self.commits_behind([commit for commit in commits if commit not in self._headers])
        return commits & self._headers.keys()

    def reviews_of(self, commits: Iterable[str]) -> dict[str, CommitReviews]:
        """What the ledger says of each commit, its staged tree included; a name that is no commit is left out."""
        present = self.present(set(commits))
        self._load(present - self._known.keys())
        return {commit: self._known[commit] for commit in present}

    def may_know(self, commits: set[str]) -> set[str]:
        """Those of `commits` that there can be a review of: whether they are commits at all is not looked at yet."""
        if self._has_staged_reviews:
            return commits
        return {commit for commit in commits if commit in self._known or self._refs.read(COMMITS + commit)}

    def _load(self, commits: set[str]) -> None:
        headers = {commit: self._headers[commit] for commit in commits}
        trees = {tree for tree, _ in headers.values()} if self._has_staged_reviews else set()
        entries = self._entries([*(COMMITS + commit for commit in headers), *(TREES + tree for tree in trees)])
        for commit, (tree, parents) in headers.items():
            records, error = entries.get(COMMITS + commit, NO_ENTRY)
            known = self._known[commit] = CommitReviews(tree=tree, parents=parents, records=records, error=error)
            # A staged entry that cannot be read gives nothing to inherit; the commit's own reviews still count.
            known.inherit(entries.get(TREES + tree, NO_ENTRY)[0])

    def staged_reviews(self, tree: str) -> tuple[Record, ...]:
        """The reviews of a staged tree; none when they cannot be read."""
        return self._entries([TREES + tree]).get(TREES + tree, NO_ENTRY)[0]

    def holds(self, ref: str, oid: str) -> bool:
        """Whether an object is the record that this repository's own ledger keeps under that very ref."""
        if not ref.startswith((COMMITS, TREES)) or self._refs.read(ref) != oid:
            return False
        entry = self._objects.read(oid, limit=MAX_ENTRY_BYTES)
        return not _read_entry(entry, ref.rsplit("/", 1)[1])[1]

    def _entries(self, refs: Sequence[str]) -> dict[str, tuple[tuple[Record, ...], str]]:
        """Records and error of the entries that exist."""
        blobs = {ref: oid for ref in refs if (oid := self._refs.read(ref))}
        loose = self._read_loose(blobs.values()) if len(blobs) > FEW else {}
        asked = [oid for oid in blobs.values() if oid not in loose]
        found = loose | dict(zip(asked, self._objects.read_all(asked, limit=MAX_ENTRY_BYTES), strict=True))
        return {ref: _read_entry(found[oid], ref.rsplit("/", 1)[1]) for ref, oid in blobs.items()}

    def _read_loose(self, oids: Iterable[str]) -> dict[str, GitObject | None]:
        from review_gate.shell.loose_blob import read_loose_blobs

        return {oid: GitObject(oid, "blob", data) for oid, data in read_loose_blobs(self._common_dir, oids).items()}


def _read_entry(entry: GitObject | None, subject: str) -> tuple[tuple[Record, ...], str]:
    if entry is None:
        return (), "its object is missing"
    if entry.kind != "blob" or entry.is_cut:
        return (), f"it is a {entry.kind}, not a record" if entry.kind != "blob" else "it is too large"
    try:
        return read_document(entry.data, subject), ""
    except RecordError as error:
        return (), str(error)


def read_commit_header(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Tree and parents of a raw commit; a root commit stands on the empty tree."""
    lines = data.partition(b"\n\n")[0].split(b"\n")
    tree = lines[0][5:].decode("ascii")
    parents = tuple(line[7:].decode("ascii") for line in lines[1:] if line.startswith(b"parent "))
    return tree, parents or (EMPTY_TREES[0] if len(tree) == len(EMPTY_TREES[0]) else EMPTY_TREES[1],)


def append_review(git: Git, ref: str, review: dict[str, object]) -> None:
    """Add a review to a ledger entry; concurrent writers all get theirs in, and a corrupt entry is replaced."""
    import time

    subject = ref.rsplit("/", 1)[1]
    deadline = time.monotonic() + WRITE_SECONDS
    unreadable_tries = 0
    while True:
        old, reviews = _current(git, ref)
        # A record about something else came here by no doing of ours, and would keep the gate closed for ever.
        fitting = [one for one in reviews if all(one.get(key) == review.get(key) for key in ("commit", "tree"))]
        new = _write_blob(git, subject, [*_slimmed(fitting), review][-KEPT_REVIEWS:])
        code, _, errors = git.try_run("update-ref", ref, new, old or "0" * len(new))
        if code == 0:
            return
        if time.monotonic() > deadline:
            raise _cannot_write(ref, errors)
        unreadable_tries = 0 if old else unreadable_tries + 1
        if unreadable_tries > TRIES_BEFORE_MENDING:
            # The ref is there and cannot be read: an empty file after a power failure, or its object is gone.
            git.try_run("update-ref", "-d", ref)
        time.sleep(0.002 + 0.03 * (os.urandom(1)[0] / 255))


def _cannot_write(ref: str, errors: bytes) -> GitError:
    is_locked = b".lock'" in errors
    return GitError(
        f"the review could not be written to {ref}: {first_line(errors)}",
        why="without a record in the ledger the gate stays closed",
        next_step=f'see that no other git runs here, then rm "$(git rev-parse --git-common-dir)/{ref}.lock"'
        if is_locked
        else f"git update-ref -d {ref}, then review-gate run",
    )


def _slimmed(reviews: list[dict[str, object]]) -> list[dict[str, object]]:
    """Older reviews without their details: hooks read the whole entry, and only its newest part needs them."""
    old, recent = reviews[:-WHOLE_REVIEWS], reviews[-WHOLE_REVIEWS:]
    return [*(_slim(review) for review in old), *recent]


def _slim(review: dict[str, object]) -> dict[str, object]:
    """A review without its details, but for which loops it ran: a later run must not hide that one failed."""
    slim = {key: value for key, value in review.items() if key not in DETAILS}
    loops = review.get("loop_results")
    if isinstance(loops, list):
        slim["loop_results"] = [_slim_loop(loop) for loop in loops if isinstance(loop, dict)]
    return slim


def _slim_loop(loop: dict[str, object]) -> dict[str, object]:
    blockers = loop.get("blockers")
    told = [str(blocker)[:SLIM_LETTERS] for blocker in blockers[:SLIM_BLOCKERS]] if isinstance(blockers, list) else []
    slim = {key: loop[key] for key in ("number", "status", "is_kept") if key in loop}
    return slim | ({"blockers": told} if told else {})


def _current(git: Git, ref: str) -> tuple[str, list[dict[str, object]]]:
    """Object id and reviews of an entry as it stands; an unreadable one counts as empty."""
    oid = git.line("show-ref", "--verify", "--hash", "--", ref)
    if oid is None:
        return "", []
    with git.objects() as objects:
        entry = objects.read(oid, limit=MAX_ENTRY_BYTES)
    if entry is None or _read_entry(entry, ref.rsplit("/", 1)[1])[1]:
        return oid, []
    document = parse(entry.data)
    reviews = document.get("reviews") if isinstance(document, dict) else None
    return oid, [review for review in reviews if isinstance(review, dict)] if isinstance(reviews, list) else []


def _write_blob(git: Git, subject: str, reviews: list[dict[str, object]]) -> str:
    import json

    document = {"version": DOCUMENT_VERSION, "subject": subject, "reviews": reviews}
    data = json.dumps(document, indent=1).encode("ascii")
    return git.run("hash-object", "-w", "--stdin", stdin=data).decode("ascii").strip()


def list_entries(git: Git, prefix: str) -> list[str]:
    """The refs of the ledger below a prefix."""
    output = git.run("for-each-ref", "--format=%(refname)", prefix)
    return output.decode("utf-8", "surrogateescape").split()


def whole_reviews(git: Git, ref: str) -> list[dict[str, object]]:
    """All reviews of an entry with the fields that the gate does not need, oldest first."""
    return _current(git, ref)[1]


def unreadable(git: Git, refs: list[str]) -> list[tuple[str, str]]:
    """The entries that hold no usable document, each with the reason; the names are those of existing refs."""
    with git.objects() as objects:
        entries = zip(refs, objects.read_all(refs, limit=MAX_ENTRY_BYTES), strict=True)
        results = [(ref, _read_entry(entry, ref.rsplit("/", 1)[1])[1]) for ref, entry in entries]
    return [(ref, why) for ref, why in results if why]
