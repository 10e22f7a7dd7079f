"""The few fields of a review the gate relies on, read strictly from the ledger's JSON."""

from __future__ import annotations

from review_gate.strict_json import StrictJsonError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DOCUMENT_VERSION = 1
MAX_DOCUMENT_BYTES = 16_000_000
LOOP_COUNT = 4

PASSED = "passed"
FAILED = "failed"
INCOMPLETE = "incomplete"
NOTHING_TO_RUN = "nothing_to_run"
NOT_RUN = "not_run"
LOOP_STATUSES = (PASSED, FAILED, INCOMPLETE, NOTHING_TO_RUN, NOT_RUN)
OPEN_STATUSES = (PASSED, NOTHING_TO_RUN)

# 40 digits in a SHA-1 repository, 64 in a SHA-256 one.
ID_LENGTHS = (40, 64)
EMPTY_TREES = (
    "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
)


class RecordError(ValueError):
    """The ledger holds something that is not a review record."""


class Record:
    """One finished review of one tree against one base under one policy.

    `has_failed`: a loop found something that blocks. `has_passed`: every loop passed or had nothing to run, and not all
    of them had nothing; stored words like "approved" are never consulted. `is_complete`: the review came to an end that
    counts; an interrupted one never outweighs an earlier result.
    """

    __slots__ = (
        "base",
        "blocker_count",
        "blockers",
        "commit",
        "has_failed",
        "has_passed",
        "id",
        "is_complete",
        "loops",
        "policy",
        "tree",
    )

    def __init__(
        self,
        *,
        id: str,
        commit: str | None,
        tree: str,
        base: str,
        policy: str,
        loops: tuple[str, ...],
        blockers: tuple[str, ...] = (),
        blocker_count: int = 0,
    ) -> None:
        self.id = id
        self.commit = commit
        self.tree = tree
        self.base = base
        self.policy = policy
        self.loops = loops
        self.blockers = blockers
        # The ledger keeps the first of them only.
        self.blocker_count = max(blocker_count, len(blockers))
        self.has_failed = FAILED in loops
        self.has_passed = have_passed(loops)
        self.is_complete = self.has_failed or self.has_passed

    @property
    def first_bad_loop(self) -> int:
        """The number of the first loop that failed, else could not finish, else is not open, or 0."""
        for worst in (FAILED, INCOMPLETE):
            if worst in self.loops:
                return self.loops.index(worst) + 1
        for number, status in enumerate(self.loops, start=1):
            if status not in OPEN_STATUSES:
                return number
        return 0


def have_passed(loops: Sequence[str]) -> bool:
    """Whether all four loops passed or had nothing to run, and somebody looked at all."""
    return len(loops) == LOOP_COUNT and PASSED in loops and all(status in OPEN_STATUSES for status in loops)


def is_object_id(value: object) -> bool:
    """Whether `value` is a full object id in lower-case hexadecimal digits."""
    return isinstance(value, str) and len(value) in ID_LENGTHS and not value.strip("0123456789abcdef")


def is_zero_id(value: str) -> bool:
    """Whether git means "no object", in a repository of either hash."""
    return len(value) in ID_LENGTHS and not value.strip("0")


def empty_tree_like(object_id: str) -> str:
    """The empty tree's id in the hash that `object_id` is written in."""
    return EMPTY_TREES[ID_LENGTHS.index(len(object_id))]


def short(object_id: str) -> str:
    """The eight digits that messages show."""
    return object_id[:8]


def policy_text(settings: str, checks: str) -> str:
    """The policy of a review: the strictness of its settings and, unless these switch them off, of its checks."""
    return f"{settings}-{checks}" if checks else settings


def have_same_settings(policy: str, other: str) -> bool:
    """Whether two policies differ in their checks at most."""
    return policy.partition("-")[0] == other.partition("-")[0]


def read_document(data: bytes, subject: str) -> tuple[Record, ...]:
    """The reviews in one ledger blob, oldest first; `subject` is the commit or tree its ref is named after."""
    try:
        document = parse(data)
    except StrictJsonError as error:
        raise RecordError(str(error)) from None
    if not isinstance(document, dict):
        raise RecordError("the document is not an object")
    if type(document.get("version")) is not int or document["version"] != DOCUMENT_VERSION:
        raise RecordError(f"version {document.get('version')!r} is not one this program reads; upgrade review-gate")
    if document.get("subject") != subject:
        raise RecordError("the document belongs to another subject")
    reviews = document.get("reviews")
    if not isinstance(reviews, list) or not reviews:
        raise RecordError("there is no list of reviews")
    return tuple(_read_review(review) for review in reviews)


def _read_review(review: object) -> Record:
    if not isinstance(review, dict):
        raise RecordError("a review is not an object")
    commit = review.get("commit")
    if commit is not None and not is_object_id(commit):
        raise RecordError("commit is not an object id")
    # The gate goes by the order of the reviews and never by their clock, but whoever reads a record wants to know.
    _text(review, "finished")
    return Record(
        id=_text(review, "id"),
        commit=commit,
        tree=_object_id(review, "tree"),
        base=_object_id(review, "base"),
        policy=_text(review, "policy"),
        loops=_loops(review),
        blockers=_texts(review, "blockers"),
        blocker_count=_count(review, "blocker_count"),
    )


def _text(review: Mapping[str, object], key: str) -> str:
    value = review.get(key)
    if not isinstance(value, str) or not value:
        raise RecordError(f"{key} is not a text")
    return value


def _texts(review: Mapping[str, object], key: str) -> tuple[str, ...]:
    values = review.get(key)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise RecordError(f"{key} is not a list of texts")
    return tuple(values)


def _count(review: Mapping[str, object], key: str) -> int:
    value = review.get(key, 0)
    if type(value) is not int:
        raise RecordError(f"{key} is not a number")
    return value


def _object_id(review: Mapping[str, object], key: str) -> str:
    value = review.get(key)
    if not is_object_id(value):
        raise RecordError(f"{key} is not an object id")
    return str(value)


def _loops(review: Mapping[str, object]) -> tuple[str, ...]:
    loops = _texts(review, "loops")
    if len(loops) != LOOP_COUNT or any(status not in LOOP_STATUSES for status in loops):
        raise RecordError("loops is not four known results")
    return loops
