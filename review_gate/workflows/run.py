"""review-gate run: resolve what is reviewed, plan, run the loops, and write down what came of it."""

from __future__ import annotations

import contextlib
import heapq
import secrets
import shlex
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from review_gate.config.load import Loaded
from review_gate.config.places import REPOSITORY_FILE
from review_gate.errors import MisuseError, ReviewGateError
from review_gate.gate.decision import Decision
from review_gate.gate.record import FAILED
from review_gate.loops.earlier import in_the_light_of
from review_gate.loops.plan import ISOLATED, WORK_TREE, RunPlan, plan_run
from review_gate.loops.report import LOOPS, RunReport
from review_gate.loops.run import run_loops
from review_gate.loops.state import ledger_review, loop_state
from review_gate.loops.tests_found import TELLING_FILES, FoundTests, find_tests
from review_gate.models import Frozen, Subject
from review_gate.ports import Progress, Reviewer
from review_gate.shell import ledger, store
from review_gate.shell.changes import changed_between
from review_gate.shell.command_reviewer import CommandReviewer, dispatch_in_threads
from review_gate.shell.exclude_file import exclude
from review_gate.shell.file_reviewers import FileReviewer, SharedPass
from review_gate.shell.files import UnsafeFileError
from review_gate.shell.git import Git
from review_gate.shell.install_record import read_record, write_record
from review_gate.shell.ledger_entry import Json
from review_gate.shell.repository import Repository
from review_gate.shell.subject import (
    commit_subject,
    is_tracked,
    passing_versions,
    staged_subject,
    touched_files,
    unwatched_files,
    work_tree_state,
)
from review_gate.shell.submodules import absent_submodules, git_at
from review_gate.shell.worktree import checkout_of, commit_of_tree
from review_gate.workflows.configure import compiled_configuration, differs_from_tree, load_configuration
from review_gate.workflows.verify import judge_commit

MAX_TELLING_BYTES = 256_000
CONFIG_DIFFERS = f"{REPOSITORY_FILE} on disk, which decides how this review is made, is not the one under review"


class RunOptions(Frozen):
    """What the user asked for."""

    loops: tuple[int, ...] = LOOPS
    base: str | None = None
    is_staged: bool = False
    scope: str = "changed"
    is_isolated: bool = False
    takes_found_tests: bool = False
    allows_empty: bool = False


class Prepared:
    """Everything a run needs, before anything has run."""

    def __init__(self, repository: Repository, loaded: Loaded, options: RunOptions) -> None:
        self.repository = repository
        self.loaded = loaded
        self.options = options
        self.subject = resolve_subject(repository, loaded, options)
        self.changes = changed_between(repository.git, self.subject.base, self.subject.tree)
        self.plan = _make_plan(self)


def prepare(repository: Repository, options: RunOptions) -> Prepared:
    """Resolve, plan and refuse what cannot be reviewed honestly; nothing is run."""
    if repository.is_bare:
        raise MisuseError(
            "a bare repository has no HEAD to review",
            why="reviews are made where the work is done",
            next_step="review-gate verify REV",
        )
    repository.git.allow_fetching()
    prepared = Prepared(repository, load_configuration(repository), options)
    _refuse_empty(prepared)
    _refuse_blind(prepared)
    store.refuse_foreign_state(repository, prepared.loaded.config.state_file)
    return prepared


def _refuse_blind(prepared: Prepared) -> None:
    """A run in which nobody looks at anything is no review; of a part of the loops, the gate says so."""
    if prepared.plan.reviewers or prepared.plan.requested != LOOPS:
        return
    raise ReviewGateError(
        "nobody would look at this change: every reviewer is switched off and no command is meant for it",
        why="a reviewer that saw nothing has not voted",
        next_step="switch one on, or add a command, in .review-gate.yaml (review-gate config show)",
    )


def resolve_subject(repository: Repository, loaded: Loaded, options: RunOptions) -> Subject:
    """The object ids under review."""
    if options.is_staged:
        return staged_subject(repository.git)
    base = loaded.config.base if options.base is None else options.base
    return commit_subject(repository.git, base=base, is_everything=options.scope == "all")


def _refuse_empty(prepared: Prepared) -> None:
    """An empty diff is nothing to review, and never a pass bought by accident."""
    subject = prepared.subject
    has_commits = subject.commit not in (subject.base, None)
    if prepared.changes or (prepared.options.allows_empty and has_commits):
        return
    if subject.is_staged:
        what, next_step = "nothing to review: nothing is staged", "git add, then review-gate run --staged"
    elif subject.commit == subject.base:
        what, next_step = f"nothing to review: {subject.base_label} already has HEAD", "commit something first"
    else:
        what = f"nothing to review: HEAD and {subject.base_label} have the same content"
        next_step = "review-gate run --allow-empty to record these commits as reviewed all the same"
    raise ReviewGateError(what, why="an empty change is not a passed review", next_step=next_step)


def _make_plan(prepared: Prepared) -> RunPlan:
    repository, options, config = prepared.repository, prepared.options, prepared.loaded.config
    is_apart = options.is_isolated or options.is_staged
    plan = plan_run(
        config,
        prepared.subject,
        [change.path for change in prepared.changes],
        scope=options.scope,
        requested=options.loops,
        commands_run_in=ISOLATED if is_apart else WORK_TREE,
        found_tests=_found_tests(repository, prepared.subject),
        takes_found_tests=options.takes_found_tests,
        timings=store.read_timings(repository),
    )
    return plan.model_copy(update={"warnings": _warnings(repository, plan, config.state_file, is_apart=is_apart)})


def _warnings(repository: Repository, plan: RunPlan, state_file: str, *, is_apart: bool) -> tuple[str, ...]:
    found = [CONFIG_DIFFERS] if differs_from_tree(repository, plan.subject.tree) else []
    if is_tracked(repository.git, state_file):
        found.append(f"{state_file} is committed, and this run changes it: git rm --cached {shlex.quote(state_file)}")
    unread = passing_versions(repository.git, plan.subject)
    if unread:
        found.append(
            "1 version of a file inside these commits is not in their result; it leaves too, and nobody reads it"
            if unread == 1
            else f"{unread} versions of files inside these commits are not in their result; they leave too, unread"
        )
    touched = 0 if plan.subject.is_staged else touched_files(repository.git)
    if touched:
        found.append(f"{_files(touched)} modified in the work tree; the review is of the commit, not of the disk")
    if plan.has_commands:
        empty = absent_submodules(repository.git, repository.top, plan.subject.tree, is_apart=is_apart)
        found += [
            f"submodule {path} is not here, so commands find it empty: git submodule update --init" for path in empty
        ]
    unknown = work_tree_state(repository.git, state_file)[1] if plan.has_commands and not is_apart else 0
    if unknown:
        found.append(f"{_files(unknown)} not known to git; commands can see them, the commit does not have them")
    return tuple(found)


def _files(count: int) -> str:
    return f"{count} file is" if count == 1 else f"{count} files are"


def _found_tests(repository: Repository, subject: Subject) -> tuple[FoundTests, ...]:
    """Test commands that the reviewed tree itself speaks of."""
    with repository.git.objects() as objects:
        found = objects.read_all([f"{subject.tree}:{name}" for name in TELLING_FILES], limit=MAX_TELLING_BYTES)
        texts = {
            name: item.data.decode("utf-8", "replace")
            for name, item in zip(TELLING_FILES, found, strict=True)
            if item is not None and item.kind == "blob" and not item.is_cut
        }
    return find_tests(texts)


def refuse_dirty_tree(prepared: Prepared) -> None:
    """Commands test the disk, so the disk has to be the commit."""
    if not prepared.plan.has_commands or prepared.options.is_isolated or prepared.options.is_staged:
        return
    unwatched, absent = unwatched_files(prepared.repository.git, prepared.repository.top)
    if absent:
        raise ReviewGateError(
            f"{_files(absent)} not on disk (a sparse checkout), and the plan runs commands there",
            why="the commands would not see all of the commit",
            next_step="review-gate run --isolate (a temporary checkout of HEAD)",
        )
    if unwatched:
        raise ReviewGateError(
            f"{_files(unwatched)} marked assume-unchanged or skip-worktree, and the plan runs commands there",
            why="git cannot tell whether the disk is the commit",
            next_step="review-gate run --isolate (a temporary checkout of HEAD)",
        )
    modified, _ = work_tree_state(prepared.repository.git, prepared.loaded.config.state_file)
    if modified:
        raise ReviewGateError(
            f"{_files(modified)} modified in the work tree, and the plan runs commands there",
            why="the commands would test the disk, and the result would be recorded for the commit",
            next_step="review-gate run --isolate (a temporary checkout of HEAD), or --staged, or commit first",
        )


def execute(prepared: Prepared, progress: Progress) -> RunReport:
    """Run the loops; the result is bound to the object ids taken at the start."""
    started = _now()
    with _command_folder(prepared) as folder:
        loops = run_loops(
            _reviewers(prepared, folder, progress),
            prepared.plan.requested,
            {loop.number: loop.note for loop in prepared.plan.loops},
            dispatch=lambda reviewers: dispatch_in_threads(reviewers, progress),
            progress=progress,
        )
    return RunReport(
        id=secrets.token_hex(16),
        subject=prepared.subject,
        policy=prepared.loaded.policy,
        started=started,
        finished=_now(),
        requested=prepared.plan.requested,
        file_count=len(prepared.changes),
        loops=loops,
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class CommandFolder(NamedTuple):
    """Where commands run, and the commit that has to be there."""

    path: str
    git: Git
    commit: str | None


@contextlib.contextmanager
def _command_folder(prepared: Prepared) -> Iterator[CommandFolder]:
    """Where commands run: the work tree, or a checkout of exactly what is reviewed."""
    subject, git = prepared.subject, prepared.repository.git
    is_apart = prepared.options.is_isolated or subject.is_staged
    if not is_apart or not prepared.plan.has_commands:
        yield CommandFolder(prepared.repository.top, git, subject.commit)
        return
    parent = subject.base if subject.base_label == "HEAD" else None
    commit = subject.commit or commit_of_tree(git, subject.tree, parent)
    with checkout_of(git, commit) as path:
        yield CommandFolder(path, git_at(path, git), commit)


def _reviewers(prepared: Prepared, folder: CommandFolder, progress: Progress) -> dict[int, list[Reviewer]]:
    config = prepared.loaded.config
    shared = SharedPass(prepared.repository.git, prepared.changes, config.model_dump(mode="json"), progress.files_done)
    by_loop: dict[int, list[Reviewer]] = {number: [] for number in LOOPS}
    for planned in prepared.plan.reviewers:
        if planned.command is None:
            by_loop[planned.loop].append(FileReviewer(planned.id, shared))
        else:
            check = StillnessCheck(folder, config.state_file)
            by_loop[planned.loop].append(CommandReviewer(planned.command, config, folder.path, check))
    return by_loop


class StillnessCheck:
    """Whether the folder is still what is reviewed after a command ran in it."""

    def __init__(self, folder: CommandFolder, state_file: str) -> None:
        self._folder = folder
        self._state_file = state_file

    def __call__(self) -> str:
        """Why the result cannot be used, or nothing."""
        git = self._folder.git
        head = git.line("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        if head != self._folder.commit:
            return f"its result does not count: HEAD moved to {str(head)[:8]} while it ran"
        modified, _ = work_tree_state(git, self._state_file)
        return f"{_files(modified)} no longer as committed, so it did not test what is reviewed" if modified else ""


def _remembering(git: Git, report: RunReport, reviews: list[Json]) -> RunReport:
    """The report in the light of what the ledger says of the same content, now that it is about to be written."""
    subject = report.subject
    of_tree = [] if subject.is_staged else ledger.whole_reviews(git, ledger.TREES + subject.tree)
    # Each list is in its own order; only between the two lists the clock has to do.
    merged = heapq.merge(of_tree, reviews, key=lambda review: str(review.get("finished")))
    earlier = [review for review in merged if review.get("policy") == report.policy]
    loops = in_the_light_of(earlier, report.loops, subject=subject, requested=report.requested)
    return report.model_copy(update={"loops": loops})


def ledger_ref(subject: Subject) -> str:
    """The ledger entry that a result belongs to."""
    return (ledger.TREES if subject.is_staged else ledger.COMMITS) + subject.name


class Recorded(NamedTuple):
    """A finished review as it was written down, the gate's word on its commit, and what went wrong with the view."""

    report: RunReport
    decision: Decision | None
    problem: ReviewGateError | None


def record(prepared: Prepared, fresh: RunReport) -> Recorded:
    """Write the review to the ledger, then the view of it; the ledger is first because it decides.

    A view that cannot be written is told, but it does not undo the review.
    """
    repository = prepared.repository
    report = _write_to_ledger(repository.git, fresh)
    problem = None
    _keep_out_of_commits(repository, prepared.loaded.config.state_file)
    try:
        state = loop_state(report, {"allowed": report.is_shippable})
        store.write_state(repository, prepared.loaded.config.state_file, state.to_json())
    except ReviewGateError as error:
        problem = error
    store.add_timings(repository, {one.id: one.seconds for loop in fresh.loops for one in loop.reviewers})
    if report.subject.commit is None:
        return Recorded(report, None, problem)
    decision = judge_commit(repository, report.subject.commit, compiled_configuration(prepared.loaded))
    return Recorded(report, decision, problem)


def _write_to_ledger(git: Git, fresh: RunReport) -> RunReport:
    """Append the review; other runs may have ended since this one began, and what they found counts too."""
    written = fresh

    def make(reviews: list[Json]) -> Json:
        nonlocal written
        written = _remembering(git, fresh, reviews)
        return ledger_review(written)

    ledger.append(git, ledger_ref(fresh.subject), make)
    tree_ref = ledger.TREES + fresh.subject.tree
    if not fresh.subject.is_staged and (_has_failed(written) or ledger.whole_reviews(git, tree_ref)):
        # The same content may come back as the index or as an amended commit, and its failure with it.
        ledger.append_review(git, tree_ref, ledger_review(written))
    return written


def _has_failed(report: RunReport) -> bool:
    return any(loop.status == FAILED for loop in report.loops)


def _keep_out_of_commits(repository: Repository, state_file: str) -> None:
    """Let git ignore the view, which install does too; whoever works without install commits it otherwise."""
    with contextlib.suppress(OSError, UnsafeFileError):
        installed = read_record(repository)
        added = exclude(repository, state_file, installed.exclude if installed else None)
        if installed and added != installed.exclude:
            write_record(repository, installed.model_copy(update={"exclude": added}))
