"""`review-gate scan`, whole: the repository around, the checks in force, old findings, fixes."""

from __future__ import annotations

import os

from review_gate.errors import MisuseError
from review_gate.shell.files import UnsafeFileError, lies_in, read_plain_file
from review_gate.shell.listing import Listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from review_gate.checks.alarm import ScanResult
    from review_gate.shell.changes import Change
    from review_gate.shell.git import Git
    from review_gate.shell.repository import Repository
    from review_gate.workflows.scan import Scanner
    from review_gate.workflows.scan_options import ScanJob, ScanOptions

# A longer file says something.
_BLANK_BYTES = 100_000
UNUSED = "the checks and settings of the repository {} are not used: the current folder is outside of it"


def scan_here(job: ScanJob, progress: Callable[[int, int], None] = lambda done, total: None) -> ScanResult:
    """Scan, mend what is to be mended, and leave out what was known before."""
    repository, options = repository_here(), job.options
    _refuse_git_directory(repository, options.paths)
    git, top = (repository.git, repository.top) if repository else (None, os.getcwd())
    staged = _begin_staged(git) if git and options.is_staged else None
    listing = Listing(git, top, options.paths) if options.is_of_files else None
    # Git looks while the rest of the program is imported and reads the settings and the checks.
    from review_gate.workflows.scan import Scanner
    from review_gate.workflows.scan_ground import Ground

    ground = Ground(job, repository)
    scanner = Scanner(
        repository,
        ground.settings,
        ground.plan,
        options,
        jobs=job.jobs,
        staged=staged,
        listing=listing,
        is_elsewhere=ground.is_elsewhere,
        baseline=ground.baseline_path,
    )
    result = scanner.run(progress, keeps_old=ground.baseline is not None)
    result.is_dry_run = job.is_dry_run
    result.notes += [*_unread_checks(repository, job), *_emptiness(scanner, result, options)]
    if job.updates_baseline or ground.baseline is not None:
        from review_gate.workflows.baseline_use import use_baseline

        use_baseline(ground, scanner, result, job)
    if job.is_fixing:
        from review_gate.workflows.fix import fix_files

        fix_files(ground, scanner, result, is_dry_run=job.is_dry_run)
    return result


def _begin_staged(git: Git) -> Callable[[], tuple[str, list[Change]]]:
    from review_gate.shell.changes import begin_staged_changes

    return begin_staged_changes(git)


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
    """Whose checks are not used, though what is looked at lies in a repository."""
    if repository is not None and repository.is_bare and not job.options.only and job.plan_folder is None:
        yield "the checks and settings of this repository are not read: it is bare, so it has no files"

    if repository is None and not job.options.only and job.plan_folder is None:
        tops = dict.fromkeys(_repository_around(os.path.abspath(path)) for path in job.options.paths)
        yield from (UNUSED.format(top) for top in tops if top is not None)


def _emptiness(scanner: Scanner, result: ScanResult, options: ScanOptions) -> Iterator[str]:
    """What makes a scan that found nothing worth less than it seems."""
    if options.is_of_files and not scanner.seen and not result.failures:
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
        if _repository_around(os.getcwd()) is not None:
            raise
        return None


def _repository_around(folder: str) -> str | None:
    """The nearest folder, this one or above, that git would take for the top of a repository."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    return folder


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
