"""How the reviews of commits ended, day by day, from all that the ledger still has."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date
from typing import TYPE_CHECKING

from review_gate.gate.record import FAILED, INCOMPLETE, MAX_DOCUMENT_BYTES, PASSED, RecordError, read_document
from review_gate.prompts.history.stats import CommitDay, CommitHistory
from review_gate.shell.ledger import COMMITS, TREES, list_entries
from review_gate.strict_json import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from review_gate.gate.record import Record
    from review_gate.shell.git import GitObject
    from review_gate.shell.repository import Repository

DAY_LETTERS = 10


def commit_history(repository: Repository, since: str | None, until: str | None) -> CommitHistory:
    """The reviews of commits and of staged trees that ended from `since` to `until`."""
    refs = [*list_entries(repository.git, COMMITS), *list_entries(repository.git, TREES)]
    # A failure stands at its commit and at its tree, and is one review all the same.
    ends: dict[str, tuple[str, str]] = {}
    damaged = 0
    with repository.git.objects() as objects:
        for ref, entry in zip(refs, objects.read_all(refs, limit=MAX_DOCUMENT_BYTES), strict=True):
            try:
                ends |= _ends(entry, ref.rsplit("/", 1)[1])
            except RecordError:
                damaged += 1
    return CommitHistory(days=tuple(_days(ends.values(), since, until)), damaged=damaged)


def _days(ends: Iterable[tuple[str, str]], since: str | None, until: str | None) -> Iterator[CommitDay]:
    days: dict[str, Counter[str]] = defaultdict(Counter)
    for day, how in ends:
        if (since or day) <= day <= (until or day):
            days[day][how] += 1
    return (CommitDay(day=day, **days[day]) for day in sorted(days))


def _ends(entry: GitObject | None, subject: str) -> dict[str, tuple[str, str]]:
    """The day on which each review of an entry ended, and how, by its id."""
    if entry is None or entry.kind != "blob" or entry.is_cut:
        raise RecordError("it is no record")
    records, document = read_document(entry.data, subject), parse(entry.data)
    reviews = document["reviews"] if isinstance(document, dict) else []
    pairs = zip(records, reviews, strict=True)
    return {record.id: (_day(str(review["finished"])), _how(record)) for record, review in pairs}


def _day(finished: str) -> str:
    try:
        return date.fromisoformat(finished[:DAY_LETTERS]).isoformat()
    except ValueError:
        raise RecordError("finished is no time") from None


def _how(record: Record) -> str:
    return FAILED if record.has_failed else PASSED if record.has_passed else INCOMPLETE
