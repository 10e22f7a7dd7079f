"""Review records in git refs: a blob of JSON per reviewed commit or staged tree, appended by compare-and-swap."""

from __future__ import annotations

from review_gate.errors import GitError
from review_gate.gate.push import CommitReviews
from review_gate.gate.record import DOCUMENT_VERSION, EMPTY_TREES, RecordError, read_document
from review_gate.gate.strict_json import StrictJsonError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from review_gate.gate.record import Record
    from review_gate.shell.git import Git, GitObject, ObjectReader

LEDGER = "refs/review-gate/"
COMMITS = LEDGER + "commits/"
TREES = LEDGER + "trees/"
# Far more than one commit ever needs; the oldest go first.
KEPT_REVIEWS = 200
WHOLE_REVIEWS = 4
DETAILS = ("loop_results", "reviewers", "not_reviewed")
# Sixteen writers on two cores needed 21 tries at the most.
WRITE_TRIES = 400


def load_reviews(objects: ObjectReader, commits: Iterable[str]) -> dict[str, CommitReviews]:
    """What the ledger says of each commit, its staged tree included; a name that is no commit is left out."""
    names = list(commits)
    wanted = [request for name in names for request in (name + "^{commit}", COMMITS + name)]
    answers = list(objects.read_all(wanted))
    loaded: dict[str, CommitReviews] = {}
    for name, commit, entry in zip(names, answers[0::2], answers[1::2], strict=True):
        if commit is not None and commit.oid == name:
            loaded[name] = _reviews_of(name, commit.data, entry)
    _inherit_staged(objects, loaded)
    return loaded


def _reviews_of(name: str, commit: bytes, entry: GitObject | None) -> CommitReviews:
    tree, parent = read_commit_header(commit)
    records, error = _read_entry(entry, name)
    return CommitReviews(tree=tree, parent=parent, records=records, error=error)


def _inherit_staged(objects: ObjectReader, loaded: dict[str, CommitReviews]) -> None:
    """Let each commit inherit the reviews of its tree that were made before it was committed."""
    by_tree = dict.fromkeys(reviews.tree for reviews in loaded.values())
    entries = objects.read_all([TREES + tree for tree in by_tree])
    staged = {tree: _read_entry(entry, tree) for tree, entry in zip(by_tree, entries, strict=True)}
    for reviews in loaded.values():
        records, error = staged[reviews.tree]
        reviews.inherit(records)
        reviews.error = reviews.error or error


def _read_entry(entry: GitObject | None, subject: str) -> tuple[tuple[Record, ...], str]:
    if entry is None:
        return (), ""
    try:
        return read_document(entry.data, subject), ""
    except RecordError as error:
        return (), str(error)


def read_commit_header(data: bytes) -> tuple[str, str]:
    """Tree and first parent of a raw commit; a root commit has the empty tree as its parent."""
    lines = data.split(b"\n", 2)
    tree = lines[0][5:].decode("ascii")
    if len(lines) > 1 and lines[1].startswith(b"parent "):
        return tree, lines[1][7:].decode("ascii")
    return tree, EMPTY_TREES[0] if len(tree) == len(EMPTY_TREES[0]) else EMPTY_TREES[1]


def is_ledger_entry(ref: str, entry: GitObject) -> bool:
    """Whether a pushed object is one of our records, going to the place where records live."""
    if entry.kind != "blob" or not ref.startswith((COMMITS, TREES)):
        return False
    try:
        read_document(entry.data, ref.rsplit("/", 1)[1])
    except RecordError:
        return False
    return True


def append_review(git: Git, ref: str, review: dict[str, object]) -> None:
    """Add a review to a ledger entry; concurrent writers all get theirs in, and a corrupt entry is replaced."""
    import time

    subject = ref.rsplit("/", 1)[1]
    for tries in range(WRITE_TRIES):
        old, reviews = _current(git, ref, subject)
        new = _write_blob(git, subject, [*_slimmed(reviews), review][-KEPT_REVIEWS:])
        code, _, errors = git.try_run("update-ref", ref, new, old or "0" * len(new))
        if code == 0:
            return
        time.sleep(0.002 * (1 + (hash((review.get("id"), tries)) % 16)))
    raise GitError(
        f"the review could not be written to {ref}: {errors.decode('utf-8', 'replace').strip()}",
        why="without a record in the ledger the gate stays closed",
        next_step="review-gate run",
    )


def _slimmed(reviews: list[object]) -> list[object]:
    """Older reviews without their details: hooks read the whole entry, and only its newest part needs them."""
    old, recent = reviews[:-WHOLE_REVIEWS], reviews[-WHOLE_REVIEWS:]
    slim = [
        {key: value for key, value in review.items() if key not in DETAILS}
        for review in old
        if isinstance(review, dict)
    ]
    return [*slim, *recent]


def _current(git: Git, ref: str, subject: str) -> tuple[str, list[object]]:
    """Object id and reviews of an entry as it stands; an unreadable one counts as empty."""
    oid = git.line("rev-parse", "--verify", "--quiet", "--end-of-options", ref)
    if oid is None:
        return "", []
    data = git.run("cat-file", "blob", oid)
    try:
        read_document(data, subject)
        document = parse(data)
    except (RecordError, StrictJsonError):
        return oid, []
    reviews = document.get("reviews") if isinstance(document, dict) else None
    return oid, reviews if isinstance(reviews, list) else []


def _write_blob(git: Git, subject: str, reviews: list[object]) -> str:
    import json

    document = {"version": DOCUMENT_VERSION, "subject": subject, "reviews": reviews}
    data = json.dumps(document, indent=1).encode("ascii")
    return git.run("hash-object", "-w", "--stdin", stdin=data).decode("ascii").strip()


def staged_records(git: Git, tree: str) -> tuple[Record, ...]:
    """The reviews of a staged tree; none when they cannot be read."""
    with git.objects() as objects:
        records, _ = _read_entry(objects.read(TREES + tree), tree)
    return records


def list_entries(git: Git, prefix: str) -> list[str]:
    """The refs of the ledger below a prefix."""
    output = git.run("for-each-ref", "--format=%(refname)", prefix)
    return output.decode("utf-8", "surrogateescape").split()


def whole_reviews(git: Git, ref: str) -> list[dict[str, object]]:
    """All reviews of an entry with the fields that the gate does not need, oldest first."""
    _, reviews = _current(git, ref, ref.rsplit("/", 1)[1])
    return [review for review in reviews if isinstance(review, dict)]


def unreadable(git: Git, refs: list[str]) -> list[tuple[str, str]]:
    """The entries that hold no usable document, each with the reason."""
    with git.objects() as objects:
        entries = zip(refs, objects.read_all(refs), strict=True)
        results = [(ref, _read_entry(entry, ref.rsplit("/", 1)[1])[1]) for ref, entry in entries]
    return [(ref, why) for ref, why in results if why]
