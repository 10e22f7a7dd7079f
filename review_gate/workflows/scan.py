"""A scan: find the texts, look for the checks in force, leave out what is old or suppressed."""

from __future__ import annotations

import os
import pickle

from review_gate.checks.alarm import ScanResult
from review_gate.checks.scan import Scan
from review_gate.errors import MisuseError
from review_gate.globs import matches_any
from review_gate.shell.check_sources import KnownElsewhere
from review_gate.shell.deadline import watch
from review_gate.shell.files import lies_in
from review_gate.shell.listing import ANY_NAME, label_of, see_that_it_exists
from review_gate.shell.parallel import in_processes, jobs_for
from review_gate.shell.scan_pages import Reader, changed_pages, text_page, with_conflict
from review_gate.workflows.baseline import baseline_label
from review_gate.workflows.left_out import absent_note, inner_note
from review_gate.workflows.scan_options import refuse_unstaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from review_gate.checks.alarm import Alarm
    from review_gate.checks.applies import Page
    from review_gate.checks.baseline import Baseline
    from review_gate.checks.plan import CheckPlan
    from review_gate.checks.scan import AddedOf, OldOf
    from review_gate.shell.added_lines import AddedLines
    from review_gate.shell.changes import Change
    from review_gate.shell.listing import Listed, Listing
    from review_gate.shell.repository import Repository
    from review_gate.workflows.scan_options import ScanOptions

    Progress = Callable[[int, int], None]

# From so many files on the faster automaton pays.
MANY_FILES = 100
# Git compares so many changes before it is known whether a check has found something in them.
MOST_FORESEEN = 100


class Scanner:
    """One scan of a repository, or of a folder that belongs to none."""

    def __init__(
        self,
        repository: Repository | None,
        settings: Mapping[str, object],
        plan: CheckPlan,
        options: ScanOptions,
        *,
        jobs: int = 1,
        staged: Callable[[], tuple[str, list[Change]]] | None = None,
        listing: Listing | None = None,
        is_elsewhere: Callable[[str], bool] | None = None,
        baseline: str | None = None,
    ) -> None:
        top = repository.top if repository else os.getcwd()
        self.baseline = baseline_label(top, settings) if baseline is None else label_of(baseline, top)
        self._is_elsewhere = is_elsewhere or KnownElsewhere(settings, top=repository.top if repository else "")
        self._jobs = jobs
        self._staged = staged
        self._listing = listing
        self._repository = repository
        self._settings = settings
        self._plan = plan
        self._options = options
        self._seen: set[str] = set()
        # Files that were listed and not read.
        self._unread: set[str] = set()
        # Path in reports -> name on disk, and which of these files were named themselves.
        self._names: dict[str, str] = {}
        self._named: set[str] = set()
        # Files that a change adds, and those of them that did not only move.
        self._named_anew: set[str] = set()
        self._new: set[str] = set()
        self._moved_from: Callable[[str], str] = lambda _: ""
        self._moves: Mapping[str, str] = {}
        # How git compares the change.
        self._compared: tuple[str, ...] = ()
        # What changed files held before.
        self.versions_before: OldOf = lambda _: {}
        self._gone: set[str] = set()
        self._blobs: dict[str, str] = {}
        self._left_out_by_git: Collection[str] | None = None
        self._reader = self._new_reader()
        self._later: Callable[[], Iterable[Listed]] = tuple
        self._conflicts: Sequence[str] = ()
        self._added_of: AddedOf = lambda _: {}
        self._added_lines: AddedLines | None = None

    def run(self, progress: Progress = lambda done, total: None, *, keeps_old: bool = False) -> ScanResult:
        """Look at everything."""
        pages, total, self._added_of = self._pages()
        limit = watch(float(str(self._settings["seconds_per_file"])))
        scan = Scan(
            self._plan,
            added_of=self._added_of,
            old_of=self.versions_before,
            watch=limit,
            is_large=total > MANY_FILES,
            keeps_old=keeps_old,
            is_elsewhere=self._is_elsewhere,
            baseline=self.baseline,
        )
        self._scan = scan
        for path in self._conflicts:
            self._complain(path, "it has a conflict that is not resolved, so no staged version")
        if self._names:
            self._look_at_files(progress)
        else:
            self._look_at(pages, lambda done: progress(done, total))
        self._name_unread_folders()
        scan.result.notes += self._notes()
        result = scan.finish()
        if self._added_lines is not None:
            self._added_lines.abandon()
        return result

    def _notes(self) -> Iterator[str]:
        """What was left out."""
        if self._reader.left_out:
            yield f"left out by checks.exclude: {self._reader.left_out} files"
        root = self._repository.top if self._repository else os.getcwd()
        inner = {label_of(name, root): name for name in (self._listing.inner if self._listing else ())}
        excluded = [path for path in inner if matches_any(path, self._exclude())]
        if self._listing is not None and self._absent:
            yield from absent_note(sorted(self._below_paths(list(self._absent))))
        yield from inner_note({path: name for path, name in inner.items() if path not in excluded})

    def _name_unread_folders(self) -> None:
        """Say which folders could not be read; nobody knows what is in there, only what would be left out anyway."""
        for folder, why in self._listing.unread.items() if self._listing else ():
            if not matches_any(folder + ANY_NAME, self._exclude()):
                self._complain(folder, why)

    def _look_at(self, pages: Iterable[Page], progress: Callable[[int], None]) -> None:
        for done, page in enumerate(pages, start=1):
            self._scan.look_at(page)
            self._seen.add(page.path)
            progress(done)

    @property
    def seen(self) -> Collection[str]:
        """The paths of what was looked at."""
        return self._names.keys() - self._unread if self._names else self._seen

    def _look_at_files(self, progress: Progress) -> None:
        """First the files that are known at once, then those that git has found meanwhile."""
        self._search(list(self._names), progress)
        known = len(self._names)
        self._take_names(self._later())
        self._search(list(self._names)[known:], lambda done, total: progress(known + done, known + total))

    def _search(self, names: Sequence[str], progress: Progress) -> None:
        jobs = jobs_for(self._jobs, len(names))
        if jobs > 1:
            self._in_processes(names, jobs, progress)
        else:
            self._read_and_look(names, lambda done: progress(done, len(names)))

    def _read_and_look(self, paths: Iterable[str], progress: Callable[[int], None]) -> None:
        names, named, read, look_at = self._names, self._named, self._reader.file, self._scan.look_at_file
        place = self._options.place
        for done, path in enumerate(paths, start=1):
            data = read(names[path], path, is_named=path in named)
            if data is None:
                self._unread.add(path)
            else:
                look_at(path, data, place)
            progress(done)

    def _in_processes(self, names: Sequence[str], jobs: int, progress: Progress) -> None:
        """The same by several processes; what each of them found is put together."""
        scan = self._scan
        # What was found so far would be told by every child as well.
        scan.settle()

        def look(number: int) -> bytes:
            if number:
                scan.result, self._unread = ScanResult(), set()
            # One process speaks for all; what the others say at the same time would run backwards.
            show = _silently if number else progress
            share = names[number::jobs]
            self._read_and_look(share, lambda done: show(min(done * jobs, len(names)), len(names)))
            scan.settle()
            return pickle.dumps((scan.result, self._unread)) if number else b""

        for answer in in_processes(look, jobs):
            if answer is None:
                scan.result.fail("some of the files: the process that looked at them ended early")
            else:
                result, unread = pickle.loads(answer)  # noqa: S301 - from our own child
                scan.take(result)
                self._unread |= unread
        scan.result.failures.sort()

    @property
    def old(self) -> Sequence[Alarm]:
        """What a scan that keeps it found in lines that are not new."""
        return self._scan.old

    def _complain(self, path: str, why: str) -> None:
        self._scan.could_not_look_at(path, why)

    def _pages(self) -> tuple[Iterable[Page], int, AddedOf]:
        """The texts that are no files, how many there are in all, and who knows which of their lines are new."""
        options, reader = self._options, self._reader
        root = self._repository.top if self._repository else os.getcwd()
        if options.read_text is not None:
            return text_page(reader, options.text_name, options.read_text, root), 1, lambda _: {}
        if self._listing is not None:
            return self._files(self._listing)
        return self._changed()

    def _files(self, listing: Listing) -> tuple[Iterable[Page], int, AddedOf]:
        self._refuse_bare(self._options.paths)
        self._later = listing.others
        self._take_names(listing.known())
        if len(self._names) < MANY_FILES:
            # Too little to do while git looks for more.
            self._take_names(listing.others())
            self._later = tuple
        return (), len(self._names), lambda _: {}

    def _take_names(self, listed: Iterable[Listed]) -> None:
        for files, are_named in listed:
            wanted = self._reader.wanted(files)
            # A file that comes twice keeps its first name and place.
            self._names.update({path: name for path, name in wanted.items() if path not in self._names})
            if are_named:
                self._named.update(wanted)

    def _new_reader(self) -> Reader:
        most = int(str(self._settings["max_file_bytes"]))
        return Reader(most, self._exclude(), self._complain, place=self._options.place)

    def _exclude(self) -> list[str]:
        exclude = self._settings.get("exclude")
        return exclude if isinstance(exclude, list) else []

    def _refuse_bare(self, paths: Sequence[str]) -> None:
        if self._repository and self._repository.is_bare and any(lies_in(path, self._repository.top) for path in paths):
            raise MisuseError(
                "a bare repository has no files to scan",
                why="it has no work tree and nothing is staged in it",
                next_step="review-gate scan --diff A..B",
            )

    def _changed(self) -> tuple[Iterable[Page], int, AddedOf]:
        from review_gate.shell.added_lines import AddedLines
        from review_gate.shell.changes import changed_between
        from review_gate.shell.commit_range import ends_of_range
        from review_gate.shell.old_content import OldContent

        git = self._needed_repository().git
        if self._staged is not None:
            self._refuse_bare([self._needed_repository().top])
            base, changes = self._staged()
            compare = ("diff-index", "--cached", base)
        else:
            old, new = self._options.trees or ends_of_range(git, str(self._options.range))
            changes, compare = changed_between(git, old, new), ("diff-tree", old, new)
        self._compared = compare
        self._gone = {change.path for change in changes if change.oid is None}
        wanted = self._below_paths([change.path for change in changes])
        old_content = OldContent(
            self._needed_repository(), changes, is_staged=self._options.is_staged, exclude=self._exclude()
        )
        # In a merge pre-commit names the files that had a conflict; one that was resolved to ours is not staged.
        if not wanted and not old_content.is_of_merge:
            refuse_unstaged(self._options)
        changes = [change for change in changes if change.path in wanted]
        self._conflicts = with_conflict(git, changes) if self._options.is_staged else []
        changes = [change for change in changes if not old_content.is_settled(change)]
        self._named_anew = {change.path for change in changes if change.old_oid is None}
        self._new = {change.path for change in changes if old_content.is_new(change)}
        self._blobs = {change.path: change.oid for change in changes if change.oid is not None}
        self._moved_from, self._moves = old_content.moved_from, old_content.moves
        self.versions_before = old_content.versions
        pages = changed_pages(git, changes, self._reader, old_content)
        self._added_lines = AddedLines(git, compare)
        if 0 < sum(change.old_oid is not None for change in changes) <= MOST_FORESEEN:
            self._added_lines.begin()
        return pages, len(changes), old_content.beside(self._added_lines)

    def is_gone(self, path: str) -> bool:
        """Whether a file is no more: a change deletes it, or it is not on disk though nothing keeps it off."""
        if self._options.is_change:
            return path in self._gone
        return not os.path.lexists(self.disk_name(path)) and path not in self._absent

    def renamed(self, known: Baseline, alarms: Sequence[Alarm]) -> Baseline:
        """A baseline with the names that files have since the change."""
        moves = self._renames(known.files(), alarms)
        if self._options.paths:
            # The file that was renamed may be another one than those that were looked at.
            return known.moved(moves)
        return known.renamed(alarms, is_gone=self.is_gone, is_new=self._named_anew.__contains__, moves=moves)

    def _renames(self, known: Collection[str], alarms: Sequence[Alarm]) -> dict[str, str]:
        """What files that are known are called now, as far as git can tell."""
        from review_gate.shell.names_since import NamesSince, renames_of

        repository, found = self._needed_repository(), dict[str, str]()
        is_in_doubt = any(alarm.file in self._named_anew and alarm.file not in known for alarm in alarms)
        if is_in_doubt and self._compared[0] == "diff-tree":
            # Within a range of commits a file may have been added, become known and been renamed.
            names = NamesSince(repository, os.path.join(repository.top, self.baseline))
            found |= names.renames_to(self._compared[-1])
        if any(map(self.is_gone, known)):
            found |= renames_of(repository.git, *self._compared)
        return found | dict(self._moves)

    @property
    def _absent(self) -> Collection[str]:
        """The files that git has and a sparse checkout leaves out."""
        if self._left_out_by_git is None:
            self._left_out_by_git = ()
            if self._repository is not None and self._repository.is_sparse:
                from review_gate.shell.sparse import absent_files

                self._left_out_by_git = frozenset(absent_files(self._repository))
        return self._left_out_by_git

    def disk_name(self, path: str) -> str:
        """Where a file of the report is on disk."""
        top = self._repository.top if self._repository else os.getcwd()
        return self._names.get(path) or os.path.join(top, path)

    def page(self, path: str, data: bytes) -> Page:
        """Another version of a file that was looked at, to be looked at in the same way."""
        is_change, is_new = path in self._blobs, path in self._new
        return self._reader.page(path, data, is_change=is_change, is_new=is_new, moved_from=self._moved_from(path))

    def added_lines(self, path: str) -> Sequence[range] | None:
        """The lines of a file that count, None when all of them do."""
        if path not in self._blobs or path in self._new:
            return None
        return self._added_of([path]).get(path, ())

    def is_change(self, path: str) -> bool:
        """Whether what was looked at is a version that git holds, and not the file on disk."""
        return path in self._blobs

    @property
    def version(self) -> str:
        """What a version that git holds is called."""
        return "staged" if self._options.is_staged else "committed"

    def scanned(self, path: str) -> bytes | None:
        """The version of a file that git holds and that was looked at."""
        with self._needed_repository().git.objects() as objects:
            found = objects.read(self._blobs[path])
        return found.data if found is not None else None

    def _below_paths(self, paths: Sequence[str]) -> set[str]:
        """Those of the paths that were named, or lie in folders that were; all of them when none was named."""
        root = self._needed_repository().top
        if not self._options.paths:
            return set(paths)
        wanted: set[str] = set()
        for named in self._options.paths:
            label = "" if os.path.realpath(named) == os.path.realpath(root) else label_of(named, root)
            found = {path for path in paths if not label or path == label or path.startswith(label + "/")}
            if not found:
                see_that_it_exists(named)
            wanted |= found
        return wanted

    def _needed_repository(self) -> Repository:
        if self._repository is None:
            raise MisuseError(
                "this is not a git repository",
                why="--staged and --diff ask git what changed",
                next_step="review-gate scan PATH",
            )
        return self._repository


def _silently(done: int, total: int) -> None:
    """Say nothing."""
