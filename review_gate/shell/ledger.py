"""Review records in git refs: a blob of JSON per reviewed commit or staged tree, appended by compare-and-swap."""

from __future__ import annotations

import os

from review_gate.errors import GitError
from review_gate.gate.push import CommitReviews
from review_gate.gate.record import MAX_DOCUMENT_BYTES, RecordError, empty_tree_like, is_object_id, read_document
from review_gate.shell.exact_ref import STAGED_REVIEWS, ExactRefs
from review_gate.shell.git import GitObject, first_line
from review_gate.strict_json import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    # Says what is against the message of a commit that relies on a review of the index.
    LookAtMessage = Callable[[str, CommitReviews], None]

    from review_gate.gate.record import Record
    from review_gate.shell.git import Git, ObjectReader
    from review_gate.shell.ledger_entry import Json
    from review_gate.shell.repository import Repository

LEDGER = "refs/review-gate/"
COMMITS = LEDGER + "commits/"
TREES = STAGED_REVIEWS
# What reviewers have agreed on in rounds, by tree: no leave to push by itself.
AGREEMENTS = LEDGER + "rounds/"
# Sixteen writers on two cores take turns well within this time.
WRITE_SECONDS = 30.0

# Up to this many entries git is asked, which costs less than the import of `zlib`.
FEW = 8
NO_ENTRY: tuple[tuple[Record, ...], str] = ((), "")
BROKEN_ENTRY: tuple[tuple[Record, ...], str] = ((), "its ref is broken")


class Ledger:
    """The reading side of the ledger, for one conversation with git."""

    def __init__(
        self, repository: Repository, objects: ObjectReader, *, look_at_message: LookAtMessage | None = None
    ) -> None:
        self._refs = ExactRefs(repository)
        self._common_dir = repository.common_dir
        self._objects = objects
        self._headers: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._known: dict[str, CommitReviews] = {}
        self._has_staged_reviews = self._refs.may_hold(TREES)
        self._look_at_message = look_at_message

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
        return {commit for commit in commits if commit in self._known or self._refs.read(COMMITS + commit) is not None}

    def _load(self, commits: set[str]) -> None:
        headers = {commit: self._headers[commit] for commit in commits}
        trees = {tree for tree, _ in headers.values()} if self._has_staged_reviews else set()
        entries = self._entries([*(COMMITS + commit for commit in headers), *(TREES + tree for tree in trees)])
        for commit, (tree, parents) in headers.items():
            records, error = entries.get(COMMITS + commit, NO_ENTRY)
            of_tree, tree_error = entries.get(TREES + tree, NO_ENTRY)
            if tree_error and not error:
                # It may have held a failure of this content.
                error = f"the entry of its tree, {TREES}{tree}, cannot be read: {tree_error}"
            known = self._known[commit] = CommitReviews(tree=tree, parents=parents, records=records, error=error)
            known.inherit(of_tree)
            if known.staged and self._look_at_message is not None:
                self._look_at_message(commit, known)

    def staged_reviews(self, tree: str) -> tuple[Record, ...]:
        """The reviews of a staged tree; none when they cannot be read."""
        return self._entries([TREES + tree]).get(TREES + tree, NO_ENTRY)[0]

    def holds(self, ref: str, oid: str) -> bool:
        """Whether an object is the record that this repository's own ledger keeps under that very ref."""
        if not ref.startswith((COMMITS, TREES, AGREEMENTS)) or self._refs.read(ref) != oid:
            return False
        entry = self._objects.read(oid, limit=MAX_DOCUMENT_BYTES)
        return not _read_entry(entry, ref.rsplit("/", 1)[1])[1]

    def _entries(self, refs: Sequence[str]) -> dict[str, tuple[tuple[Record, ...], str]]:
        """Records and error of the entries that exist."""
        values = {ref: value for ref in refs if (value := self._refs.read(ref)) is not None}
        blobs = {ref: oid for ref, oid in values.items() if oid}
        loose = self._read_loose(blobs.values()) if len(blobs) > FEW else {}
        asked = [oid for oid in blobs.values() if oid not in loose]
        found = loose | dict(zip(asked, self._objects.read_all(asked, limit=MAX_DOCUMENT_BYTES), strict=True))
        read = {ref: _read_entry(found[oid], ref.rsplit("/", 1)[1]) for ref, oid in blobs.items()}
        return {ref: read.get(ref, BROKEN_ENTRY) for ref in values}

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
    return tree, parents or (empty_tree_like(tree),)


def append(git: Git, ref: str, make: Callable[[list[Json]], Json]) -> None:
    """Add the review that is made of those already there; a corrupt entry is replaced.

    Concurrent writers all get theirs in, each made with those before it in view.
    """
    import time

    from review_gate.shell.ledger_entry import entry_bytes

    deadline = time.monotonic() + WRITE_SECONDS
    while True:
        old, reviews = _current(git, ref)
        review = make(reviews)
        # A record about other content came here by no doing of ours, and would keep the gate closed for ever.
        fitting = [one for one in reviews if one.get("tree") == review.get("tree")]
        new = _write_blob(git, entry_bytes(ref.rsplit("/", 1)[1], [*fitting, review]))
        code, _, errors = git.try_run("update-ref", "--no-deref", ref, new, old or "0" * len(new))
        if code == 0:
            return
        if time.monotonic() > deadline:
            raise _cannot_write(ref, errors)
        if b"reference broken" in errors:
            _take_away_broken(git, ref)
        time.sleep(0.002 + 0.03 * (os.urandom(1)[0] / 255))


def _take_away_broken(git: Git, ref: str) -> None:
    """Remove a ref that git cannot read, as an empty file after a power failure, under the lock git itself takes.

    Without it, a writer that is late would remove what another one has written in its place.
    """
    path = os.path.join(git.directory, git.line("rev-parse", "--git-path", ref) or "")
    try:
        os.close(os.open(path + ".lock", os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except OSError:
        return
    try:
        if git.try_run("show-ref", "--verify", "--quiet", "--", ref)[0] != 0 and os.path.isfile(path):
            os.unlink(path)
    finally:
        os.unlink(path + ".lock")


def _cannot_write(ref: str, errors: bytes) -> GitError:
    if b".lock'" in errors:
        step = f'see that no other git runs here, then rm "$(git rev-parse --git-common-dir)/{ref}.lock"'
    elif b"exists; cannot create" in errors:
        # A ref where the ledger has a folder: git names it in quotes.
        step = f"git update-ref --no-deref -d {_named_before(errors, b' exists; cannot create')}, then review-gate run"
    else:
        step = f"git update-ref --no-deref -d {ref}, then review-gate run"
    return GitError(
        f"the review could not be written to {ref}: {first_line(errors)}",
        why="without a record in the ledger the gate stays closed",
        next_step=step,
    )


def _named_before(errors: bytes, words: bytes) -> str:
    return errors.partition(words)[0].rstrip(b"'").rpartition(b"'")[2].decode("utf-8", "replace")


def _current(git: Git, ref: str) -> tuple[str, list[Json]]:
    """Object id and reviews of an entry as it stands; an unreadable one counts as empty."""
    code, output, errors = git.try_run("show-ref", "--verify", "--hash", "--", ref)
    if code != 0:
        # Git names the object that a ref points at and that is gone.
        return _id_in_brackets(errors) if b"bad ref" in errors else "", []
    oid, subject = output.decode("ascii").strip(), ref.rsplit("/", 1)[1]
    with git.objects() as objects:
        entry = objects.read(oid, limit=MAX_DOCUMENT_BYTES)
    if entry is None or _read_entry(entry, subject)[1]:
        return oid, []
    document = parse(entry.data)
    reviews = document.get("reviews") if isinstance(document, dict) else None
    kind = "commit" if ref.startswith(COMMITS) else "tree"
    listed = reviews if isinstance(reviews, list) else []
    return oid, [one for one in listed if isinstance(one, dict) and one.get(kind) == subject]


def _id_in_brackets(errors: bytes) -> str:
    oid = errors.rpartition(b"(")[2].partition(b")")[0].decode("ascii", "replace")
    return oid if is_object_id(oid) else ""


def _write_blob(git: Git, data: bytes) -> str:
    return git.run("hash-object", "-w", "--stdin", stdin=data).decode("ascii").strip()


def exists(repository: Repository, ref: str) -> bool:
    """Whether there is an entry, readable or not."""
    is_there = os.path.lexists(os.path.join(repository.common_dir, ref))
    return is_there or ExactRefs(repository).read(ref) is not None


def list_entries(git: Git, prefix: str) -> list[str]:
    """The refs of the ledger below a prefix."""
    output = git.run("for-each-ref", "--format=%(refname)", prefix)
    return output.decode("utf-8", "surrogateescape").split()


def whole_reviews(git: Git, ref: str) -> list[Json]:
    """All reviews of an entry with the fields that the gate does not need, oldest first."""
    return _current(git, ref)[1]


def unreadable(git: Git, refs: list[str]) -> list[tuple[str, str]]:
    """The entries that hold no usable document, each with the reason; the names are those of existing refs."""
    with git.objects() as objects:
        entries = zip(refs, objects.read_all(refs, limit=MAX_DOCUMENT_BYTES), strict=True)
        results = [(ref, _read_entry(entry, ref.rsplit("/", 1)[1])[1]) for ref, entry in entries]
    return [(ref, why) for ref, why in results if why]
