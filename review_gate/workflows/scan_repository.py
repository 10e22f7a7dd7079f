"""`review-gate scan`, whole: the repository around, the checks in force, old findings, fixes."""

from __future__ import annotations

import os

from review_gate.checks.applies import FILE
from review_gate.errors import ConfigError, MisuseError
from review_gate.shell.changes import begin_staged_changes
from review_gate.shell.check_sources import KnownElsewhere, anything
from review_gate.shell.files import UnsafeFileError, lies_in, read_plain_file
from review_gate.shell.listing import Listing
from review_gate.shell.policy_cache import read_compiled
from review_gate.workflows.baseline import baseline_path, read_baseline_file
from review_gate.workflows.baseline_use import leave_out_known, write_baseline
from review_gate.workflows.check_plan import plan_made_here
from review_gate.workflows.scan_options import ScanOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from review_gate.checks.alarm import ScanResult
    from review_gate.checks.baseline import Baseline
    from review_gate.checks.plan import CheckPlan
    from review_gate.shell.repository import Repository
    from review_gate.workflows.scan import Scanner


# A longer file says something.
_BLANK_BYTES = 100_000


class ScanJob:
    """What a scan is to do beside looking."""

    __slots__ = (
        "baseline",
        "has_baseline",
        "is_dry_run",
        "is_fixing",
        "jobs",
        "options",
        "plan_folder",
        "updates_baseline",
    )

    def __init__(
        self,
        options: ScanOptions,
        *,
        baseline: str | None = None,
        has_baseline: bool = True,
        updates_baseline: bool = False,
        is_fixing: bool = False,
        is_dry_run: bool = False,
        jobs: int = 0,
        plan_folder: str | None = None,
    ) -> None:
        self.options = options
        self.baseline = baseline
        self.has_baseline = has_baseline
        self.updates_baseline = updates_baseline
        self.is_fixing = is_fixing
        self.is_dry_run = is_dry_run
        self.jobs = jobs
        self.plan_folder = plan_folder


class Ground:
    """Where a scan takes place: the repository if there is one, its settings and its checks."""

    def __init__(self, job: ScanJob) -> None:
        self.repository = repository_here()
        # Git looks while we read the settings and the checks.
        git, options = self.repository.git if self.repository else None, job.options
        _refuse_git_directory(self.repository, options.paths)
        self.staged = begin_staged_changes(git) if git and options.is_staged else None
        self.listing = Listing(git, self.top, options.paths) if _is_of_files(options) else None
        self.settings = _settings(self.repository)
        self.plan = self._plan_for(job)
        if job.plan_folder is not None:
            # Who asks about a plan wants to hear about it, wherever it lies.
            self.settings = {**self.settings, "exclude": []}
        is_part = bool(options.only) or job.plan_folder is not None
        self.is_elsewhere = anything if is_part else KnownElsewhere(self.settings)
        self.baseline_path = _baseline_path(self.repository, self.settings, job)
        self.baseline = self._read_baseline(job)

    @property
    def top(self) -> str:
        """The folder that paths in reports start from."""
        return self.repository.top if self.repository else os.getcwd()

    def _plan_for(self, job: ScanJob) -> CheckPlan:
        try:
            if job.plan_folder is not None:
                return _plan_of_folder(job.plan_folder, self.settings)
            plan = _plan(self.repository, self.settings, job.options)
        except ConfigError as error:
            from review_gate.workflows.look_again import complete, source_options

            complete(error, source_options(job.options.only, job.plan_folder))
            raise
        _refuse_nothing(plan, job.options)
        return plan

    def is_whole(self, job: ScanJob) -> bool:
        """Whether a scan looks for everything everywhere, so that what it does not find is not there."""
        options, top = job.options, os.path.realpath(self.top)
        is_part = bool(options.only) or job.plan_folder is not None or options.place != FILE
        return _is_of_files(options) and not is_part and any(os.path.realpath(one) == top for one in options.paths)

    def _read_baseline(self, job: ScanJob) -> Baseline | None:
        path, is_named = self.baseline_path, job.baseline is not None and not job.updates_baseline
        if path is None or not (os.path.lexists(path) or is_named):
            return None
        try:
            return read_baseline_file(path)
        except ConfigError:
            # Who looks at all files and takes every finding for known needs nothing of what is damaged.
            if job.updates_baseline and self.is_whole(job):
                return None
            raise


def scan_here(job: ScanJob, progress: Callable[[int, int], None] = lambda done, total: None) -> ScanResult:
    """Scan, mend what is to be mended, and leave out what was known before."""
    ground = Ground(job)
    from review_gate.workflows.scan import Scanner

    scanner = Scanner(
        ground.repository,
        ground.settings,
        ground.plan,
        job.options,
        jobs=job.jobs,
        staged=ground.staged,
        listing=ground.listing,
        is_elsewhere=ground.is_elsewhere,
        baseline=ground.baseline_path,
    )
    result = scanner.run(progress, keeps_old=ground.baseline is not None)
    result.notes += [*_unread_checks(ground.repository, job), *_emptiness(scanner, result, job.options)]
    if job.updates_baseline:
        write_baseline(ground, scanner, result, is_possible=_is_of_files(job.options))
    if ground.baseline is not None:
        leave_out_known(ground, scanner, result, job)
    if job.is_fixing:
        from review_gate.workflows.fix import fix_files

        fix_files(ground, scanner, result, is_dry_run=job.is_dry_run)
    return result


def _refuse_git_directory(repository: Repository | None, paths: Sequence[str]) -> None:
    """Refuse git's own folder, in which no work tree is: git would only say that it cannot list one."""
    own = repository.git_dir if repository is not None and not repository.is_bare else ""
    for path in paths if own else ():
        if os.path.isdir(path) and lies_in(path, own):
            raise MisuseError(
                f"{path}: this is git's own folder, which is not scanned",
                why="no file of the work tree is in there",
                next_step="review-gate scan PATH, with a folder of the work tree",
            )


def _unread_checks(repository: Repository | None, job: ScanJob) -> Iterator[str]:
    if repository is not None and repository.is_bare and not job.options.only and job.plan_folder is None:
        yield "the checks and settings of this repository are not read: it is bare, so it has no files"


def _emptiness(scanner: Scanner, result: ScanResult, options: ScanOptions) -> Iterator[str]:
    """What makes a scan that found nothing worth less than it seems."""
    if _is_of_files(options) and not scanner.seen and not result.failures:
        yield "no file was looked at: there is none, or git ignores it, or checks.exclude leaves it out"


def repository_here() -> Repository | None:
    """The repository around the current folder; where there is none, a scan works all the same."""
    from review_gate.shell.repository import open_repository, repository_of_hook

    if os.path.exists(".git"):
        return repository_of_hook(os.environ)
    try:
        return open_repository(".")
    except MisuseError:
        # One that git does not trust, for instance, has settings that must not be passed over.
        if _is_below_a_repository(os.getcwd()):
            raise
        return None


def _is_below_a_repository(folder: str) -> bool:
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
    return True


def _settings(repository: Repository | None) -> Mapping[str, object]:
    compiled = read_compiled(repository, os.environ) if repository is not None else None
    if compiled is not None:
        return compiled.section("checks")
    from review_gate.workflows.configure import load_configuration, load_of_folder

    loaded = load_of_folder(os.getcwd()) if repository is None else load_configuration(repository)
    return loaded.config.checks.model_dump(mode="json")


def _plan(repository: Repository | None, settings: Mapping[str, object], options: ScanOptions) -> CheckPlan:
    if repository is not None:
        return plan_made_here(repository, settings, options.only)
    from review_gate.shell.check_key import settings_for, sources_in_force
    from review_gate.workflows.check_compile import compiled

    wanted = settings_for(settings, options.only)
    return compiled(sources_in_force(os.getcwd(), wanted, dict(os.environ), options.only), wanted)


def _plan_of_folder(folder: str, settings: Mapping[str, object]) -> CheckPlan:
    from review_gate.checks.plan import plan_of
    from review_gate.workflows.checks import load_plan_checks

    packs = settings.get("packs")
    loaded = load_plan_checks(folder, packs=packs if isinstance(packs, list) else (), settings=settings)
    return plan_of(loaded.rules, loaded.warnings)


def plan_file(folder: str) -> str:
    """The plan in a folder, which has to say something."""
    from shlex import quote

    from review_gate.workflows.checks import see_that_folder_exists

    see_that_folder_exists(folder)
    path, again = os.path.join(folder, "plan.md"), f"review-gate scan --plan {quote(folder)}"
    if not os.path.lexists(path):
        raise MisuseError(f"plan.md not found at {path}", why="it is what is looked at", next_step=f"{again} FILE")
    if _is_blank(path):
        raise MisuseError(
            f"empty plan: {path} says nothing",
            why="nothing can be found in it, so it would pass",
            next_step=f"write the plan, or: {again} FILE",
        )
    return path


def _is_blank(path: str) -> bool:
    """Whether a small file has nothing but blanks; what cannot be read is for the scan to tell."""
    try:
        data = read_plain_file(path, _BLANK_BYTES)
    except UnsafeFileError:
        return False
    return data is not None and not data.strip()


def _refuse_nothing(plan: CheckPlan, options: ScanOptions) -> None:
    if not plan.rules:
        from review_gate.workflows.look_again import nothing_to_look_for

        raise nothing_to_look_for(options.only, "a scan that looks for nothing finds nothing, whatever the files say")


def _baseline_path(repository: Repository | None, settings: Mapping[str, object], job: ScanJob) -> str | None:
    if not job.has_baseline:
        return None
    if job.baseline is not None:
        return job.baseline
    return baseline_path(repository.top if repository else os.getcwd(), settings)


def _is_of_files(options: ScanOptions) -> bool:
    return not options.is_staged and options.range is None and options.read_text is None
