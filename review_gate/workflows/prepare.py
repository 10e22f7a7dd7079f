"""Before a run: resolve what is reviewed, plan, and refuse what cannot be reviewed honestly; nothing is run."""

from __future__ import annotations

import os
import shlex
from functools import cached_property
from typing import TYPE_CHECKING

from review_gate.config.load import Loaded
from review_gate.config.places import REPOSITORY_FILE
from review_gate.embedded import CHECK_REVIEWERS, SECURITY_CHECKS
from review_gate.errors import MisuseError, ReviewGateError
from review_gate.loops.plan import ISOLATED, WORK_TREE, RunPlan, plan_run
from review_gate.loops.report import LOOPS
from review_gate.loops.tests_found import TELLING_FILES, TEST_FOLDERS, FoundTests, find_tests
from review_gate.models import Frozen, Subject
from review_gate.shell import store
from review_gate.shell.changes import changed_between
from review_gate.shell.check_files import differing_check_files
from review_gate.shell.check_reviewers import ScanProcess
from review_gate.shell.git import ObjectReader
from review_gate.shell.process import Commands
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
from review_gate.shell.submodules import absent_submodules, unwatched_in_submodules
from review_gate.workflows.agents import panel_of, pipeline_plan, planned_agents, session_notes, typed_start
from review_gate.workflows.check_compile import policy_of
from review_gate.workflows.configure import differs_from_tree, load_configuration
from review_gate.workflows.models import chosen_provider
from review_gate.workflows.names_apart import keep_names_apart
from review_gate.workflows.pipeline import amended_by_file, first_stages

if TYPE_CHECKING:
    from review_gate.shell.model_panel import Material
    from review_gate.workflows.session import Session

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
    # Nothing will be run.
    is_preview: bool = False
    uses_cache: bool = True
    # The file with reviewers that somebody adds.
    manifest: str | None = None
    # What the session that wrote the code answered, as it was handed in.
    findings: bytes | None = None


class Prepared:
    """Everything a run needs, before anything has run."""

    def __init__(self, repository: Repository, loaded: Loaded, options: RunOptions) -> None:
        self.repository = repository
        self.loaded = loaded
        self.options = options
        self.scan_process = ScanProcess(repository)
        if loaded.config.checks.enabled and not options.is_preview:
            self.scan_process.get_ready()
        self.subject = resolve_subject(repository, loaded, options)
        self.changes = changed_between(repository.git, self.subject.base, self.subject.tree)
        # Before the plan: a loop that needs no checks is bound to them too, for the gate takes all four or none.
        self.policy, self.checks = policy_of(repository, loaded)
        self.commands = Commands()
        self.stages = amended_by_file(first_stages(repository, self.subject, self.changes), options.manifest)
        keep_names_apart(loaded.config, self.checks, self.stages.config)
        self.models = chosen_provider(loaded.config.models, os.environ, self.commands)
        self.session = _session_of(self)
        self.panel = panel_of(self)
        self.plan = _make_plan(self)

    @cached_property
    def material(self) -> Material:
        """What models and the session are shown; nobody pays for it who asks neither."""
        from review_gate.workflows.material import material_of

        return material_of(self)


def _session_of(prepared: Prepared) -> Session | None:
    if prepared.options.findings is None:
        return None
    # What is only for a session is not imported where there is none.
    from review_gate.workflows.session import session_of

    return session_of(prepared)


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
    if any(one.is_vote for one in prepared.plan.reviewers) or prepared.plan.requested != LOOPS:
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
    why = "an empty change is not a passed review"
    if subject.is_staged:
        what, next_step = "nothing to review: nothing is staged", "git add, then review-gate run --staged"
    elif subject.commit == subject.base:
        what = f"nothing to review: {subject.base_label} already has HEAD"
        next_step = "commit something first; for another remote, review-gate run --base REV, or --scope all"
    else:
        what = f"nothing to review: HEAD and {subject.base_label} have the same content"
        why += "; --allow-empty records these commits as reviewed anyway"
        next_step = f"review-gate run{typed_start(prepared.options)} --allow-empty"
    raise ReviewGateError(what, why=why, next_step=next_step)


def _make_plan(prepared: Prepared) -> RunPlan:
    repository, options, config = prepared.repository, prepared.options, prepared.loaded.config
    is_apart = options.is_isolated or options.is_staged
    # One reader for all that is asked about the tree.
    with repository.git.objects() as objects:
        found_tests = _found_tests(repository, prepared.subject, objects)
        is_other_config = differs_from_tree(repository, prepared.subject.tree, objects)
    plan = plan_run(
        config,
        prepared.subject,
        [change.path for change in prepared.changes],
        scope=options.scope,
        requested=options.loops,
        commands_run_in=ISOLATED if is_apart else WORK_TREE,
        found_tests=found_tests,
        takes_found_tests=options.takes_found_tests,
        timings=store.read_timings(repository),
        agents=planned_agents(prepared),
    )
    found = _warnings(repository, plan, config.state_file, config.checks.baseline, is_apart=is_apart)
    warnings = (*session_notes(prepared), *([CONFIG_DIFFERS] if is_other_config else []), *found)
    return plan.model_copy(update={"warnings": warnings, "pipeline": pipeline_plan(prepared)})


def _warnings(
    repository: Repository, plan: RunPlan, state_file: str, baseline: str | None, *, is_apart: bool
) -> tuple[str, ...]:
    found: list[str] = []
    if any(reviewer.id in CHECK_REVIEWERS for reviewer in plan.reviewers):
        found += [
            f"{path} on disk, which decides what is looked for, is not the one under review"
            for path in differing_check_files(repository, plan.subject.tree, baseline)
        ]
    if is_tracked(repository.git, state_file):
        found.append(f"{state_file} is committed, and this run changes it: git rm --cached {shlex.quote(state_file)}")
    unread = passing_versions(repository.git, plan.subject)
    if unread:
        found.append(_unread(unread, are_secrets_sought=SECURITY_CHECKS in [one.id for one in plan.reviewers]))
    touched = 0 if plan.subject.is_staged else touched_files(repository.git)
    if touched:
        found.append(f"{files_are(touched)} modified in the work tree; the review is of the commit, not of the disk")
    if plan.has_commands:
        empty = absent_submodules(repository.git, repository.top, plan.subject.tree, is_apart=is_apart)
        found += [
            f"submodule {path} is not here, so commands find it empty: git submodule update --init" for path in empty
        ]
    unknown = work_tree_state(repository.git, state_file)[1] if plan.has_commands and not is_apart else 0
    if unknown:
        found.append(f"{files_are(unknown)} not known to git; commands can see them, the commit does not have them")
    return tuple(found)


def _unread(count: int, *, are_secrets_sought: bool) -> str:
    """Word of versions that a push sends and no review of the result sees."""
    sees = "only secrets are looked for in" if are_secrets_sought else "nobody reads"
    if count == 1:
        return f"1 version of a file inside these commits is not in their result; it leaves too, and {sees} it"
    return f"{count} versions of files inside these commits are not in their result; they leave too, and {sees} them"


def files_are(count: int) -> str:
    """So many files, as the beginning of a sentence about them."""
    return f"{count} file is" if count == 1 else f"{count} files are"


def _found_tests(repository: Repository, subject: Subject, objects: ObjectReader) -> tuple[FoundTests, ...]:
    """Test commands that the reviewed tree itself speaks of."""
    found = objects.read_all([f"{subject.tree}:{name}" for name in TELLING_FILES], limit=MAX_TELLING_BYTES)
    texts = {
        name: item.data.decode("utf-8", "replace")
        for name, item in zip(TELLING_FILES, found, strict=True)
        if item is not None and item.kind == "blob" and not item.is_cut
    }
    names = repository.git.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", subject.tree, *TEST_FOLDERS)
    return find_tests(texts, names.decode("utf-8", "surrogateescape").split("\0"))


def refuse_dirty_tree(prepared: Prepared) -> None:
    """Commands test the disk, so the disk has to be the commit."""
    if not prepared.plan.has_commands or prepared.options.is_isolated or prepared.options.is_staged:
        return
    git, top = prepared.repository.git, prepared.repository.top
    unwatched, absent = map(sum, zip(unwatched_files(git, top), unwatched_in_submodules(git, top), strict=True))
    if absent:
        raise ReviewGateError(
            f"{files_are(absent)} not on disk (a sparse checkout), and the plan runs commands there",
            why="the commands would not see all of the commit",
            next_step="review-gate run --isolate (a temporary checkout of HEAD)",
        )
    if unwatched:
        raise ReviewGateError(
            f"{files_are(unwatched)} marked assume-unchanged or skip-worktree, and the plan runs commands there",
            why="git cannot tell whether the disk is the commit",
            next_step="review-gate run --isolate (a temporary checkout of HEAD)",
        )
    modified, _ = work_tree_state(prepared.repository.git, prepared.loaded.config.state_file)
    if modified:
        raise ReviewGateError(
            f"{files_are(modified)} modified in the work tree, and the plan runs commands there",
            why="the commands would test the disk, and the result would be recorded for the commit",
            next_step="review-gate run --isolate (a temporary checkout of HEAD), or --staged, or commit first",
        )
