"""After a run: the review goes to the ledger, in the light of earlier ones, and the view of it to the state file."""

from __future__ import annotations

import contextlib
import heapq
from collections.abc import Iterable
from typing import NamedTuple

from review_gate.errors import ReviewGateError
from review_gate.gate.decision import Decision
from review_gate.loops.earlier import Memory, in_the_light_of, memory_of
from review_gate.loops.report import RunReport
from review_gate.loops.state import ledger_review, loop_state
from review_gate.models import Subject
from review_gate.ports import REVIEWER_FAILED
from review_gate.shell import ledger, store
from review_gate.shell.exclude_file import exclude
from review_gate.shell.files import UnsafeFileError
from review_gate.shell.gap_log import append_gaps
from review_gate.shell.install_record import read_record, write_record
from review_gate.shell.ledger_entry import Json
from review_gate.shell.repository import Repository
from review_gate.workflows.keep import keep
from review_gate.workflows.prepare import Prepared
from review_gate.workflows.run import Executed
from review_gate.workflows.verify import judge_commit


class _Remembering(NamedTuple):
    """A report in the light of earlier reviews, and what of these still counts."""

    report: RunReport
    memory: Memory


def _remembering(repository: Repository, report: RunReport, reviews: list[Json]) -> _Remembering:
    """The report in the light of what the ledger says of the same content, now that it is about to be written."""
    subject, tree_ref = report.subject, ledger.TREES + report.subject.tree
    is_known = not subject.is_staged and ledger.exists(repository, tree_ref)
    of_tree = ledger.whole_reviews(repository.git, tree_ref) if is_known else []
    # Each list is in its own order; only between the two lists the clock has to do.
    return _in_view_of(heapq.merge(of_tree, reviews, key=lambda review: str(review.get("finished"))), report)


def _in_view_of(reviews: Iterable[Json], report: RunReport) -> _Remembering:
    memory = memory_of([review for review in reviews if review.get("policy") == report.policy], report.subject)
    loops = in_the_light_of(memory, report.loops, requested=report.requested)
    return _Remembering(report.model_copy(update={"loops": loops}), memory)


def ledger_ref(subject: Subject) -> str:
    """The ledger entry that a result belongs to."""
    return (ledger.TREES if subject.is_staged else ledger.COMMITS) + subject.name


class Recorded(NamedTuple):
    """A finished review as it was written down, the gate's word on its commit, and what could not be kept besides."""

    report: RunReport
    decision: Decision | None
    problems: tuple[ReviewGateError, ...]


def record(prepared: Prepared, executed: Executed) -> Recorded:
    """Write the review to the ledger, then the view of it; the ledger is first because it decides.

    What else cannot be written is told, but it does not undo the review.
    """
    repository, fresh = prepared.repository, executed.report
    report, memory = _write_to_ledger(repository, fresh)
    _keep_out_of_commits(repository, prepared.loaded.config.state_file)
    problems = [_write_view(prepared, report), _log_gaps(prepared, report)]
    store.add_timings(repository, {one.id: one.seconds for loop in fresh.loops for one in loop.reviewers})
    commit = report.subject.commit
    decision = judge_commit(repository, commit, prepared.policy) if commit is not None else None
    problems.append(keep(prepared, executed, memory, decision))
    return Recorded(report, decision, tuple(problem for problem in problems if problem is not None))


def _write_view(prepared: Prepared, report: RunReport) -> ReviewGateError | None:
    try:
        store.write_state(prepared.repository, prepared.loaded.config.state_file, loop_state(report).to_json())
    except ReviewGateError as error:
        return error
    return None


def _log_gaps(prepared: Prepared, report: RunReport) -> ReviewGateError | None:
    """Remember what the policies missed; what went wrong with that, if anything."""
    try:
        if report.gaps:
            append_gaps(prepared.repository, report.id, report.subject.name, report.gaps, report.finished)
    except ReviewGateError as error:
        return error
    return None


def _write_to_ledger(repository: Repository, fresh: RunReport) -> _Remembering:
    """Append the review; other runs may have ended since this one began, and what they found counts too."""
    git, written = repository.git, _Remembering(fresh, Memory())

    def make(reviews: list[Json]) -> Json:
        nonlocal written
        written = _remembering(repository, fresh, reviews)
        return ledger_review(written.report)

    ledger.append(git, ledger_ref(fresh.subject), make)
    tree_ref = ledger.TREES + fresh.subject.tree
    if not fresh.subject.is_staged and _is_news_of_content(
        written.report, is_known=ledger.exists(repository, tree_ref)
    ):
        # The same content may come back as the index or in another commit. Its failure is told there, and whatever is
        # said of it since; with what came in meanwhile in view, or an older pass would stand behind a newer failure.
        ledger.append(git, tree_ref, lambda reviews: ledger_review(_in_view_of(reviews, written.report).report))
    return written


def _is_news_of_content(report: RunReport, *, is_known: bool) -> bool:
    """Whether other commits of the same content have to know of a review.

    A failure about this commit itself, such as its message, would close the gate for them, though none of them has it;
    and what is said of their content stands until a review that failed in nothing.
    """
    failing = [one for loop in report.loops for one in loop.reviewers if one.status == REVIEWER_FAILED]
    return any(not one.is_of_commits for one in failing) if failing else is_known


def _keep_out_of_commits(repository: Repository, state_file: str) -> None:
    """Let git ignore the view, which install does too; whoever works without install commits it otherwise."""
    with contextlib.suppress(OSError, UnsafeFileError):
        installed = read_record(repository)
        added = exclude(repository, state_file, installed.exclude if installed else None)
        if installed and added != installed.exclude:
            write_record(repository, installed.model_copy(update={"exclude": added}))
