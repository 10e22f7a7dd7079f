"""One pass of the embedded reviewers over changed files, each read once from git's objects."""

from __future__ import annotations

from review_gate.embedded import CONFLICT_MARKERS, FILE_REVIEWERS, HYGIENE, SYNTAX, section_of
from review_gate.errors import GitError
from review_gate.gate.record import short
from review_gate.globs import matches_any
from review_gate.reviewers import conflict_markers, hygiene, syntax
from review_gate.reviewers.file_kind import kind_of
from review_gate.reviewers.problem import Problem, ReviewedFile
from review_gate.shell.changes import SUBMODULE_MODE
from review_gate.shell.syntax_child import SyntaxChild

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from review_gate.shell.changes import Change
    from review_gate.shell.contents import Contents
    from review_gate.shell.git import Git, ObjectReader

    Also = Callable[[Change, ReviewedFile], None]

# A commit with no more than this is read at once; with less Python than this a second process does not pay.
MOST_AHEAD = 4_000_000
LEAST_AHEAD = 8_000


class StoppedError(Exception):
    """The pass was told to end before it had looked at everything."""


class FilePass:
    """The settings of the embedded reviewers, from the compiled configuration."""

    def __init__(self, config: dict[str, object], *, may_fork: bool = False) -> None:
        self._config = config
        limits = self._section("limits")
        self.max_bytes = int(str(limits["max_file_bytes"]))
        self.yaml_seconds = float(str(limits["yaml_seconds"]))
        self.binary = str(self._section("hygiene")["binary"])
        self.problems: dict[str, list[tuple[str, Problem]]] = {name: [] for name in FILE_REVIEWERS}
        self.failures: dict[str, str] = {}
        self._child = SyntaxChild(self.yaml_seconds, may_fork=may_fork)
        self._compiler = SyntaxChild(self.yaml_seconds, may_fork=may_fork)
        self._compiled: set[ReviewedFile] = set()
        self._is_stopped = False

    def _section(self, name: str) -> dict[str, object]:
        section = self._config.get(name)
        return section if isinstance(section, dict) else {}

    def is_enabled(self, reviewer: str) -> bool:
        """Whether the configuration wants this reviewer."""
        return bool(self._section(section_of(reviewer)).get("enabled", True))

    def wants(self, reviewer: str, path: str) -> bool:
        """Whether this reviewer looks at this path."""
        exclude = self._section(section_of(reviewer)).get("exclude")
        return self.is_enabled(reviewer) and not matches_any(path, exclude if isinstance(exclude, list) else [])

    def review(
        self, contents: Contents, progress: Callable[[int], None] | None = None, *, also: Also | None = None
    ) -> None:
        """Look at every change; what is wrong is in `problems`, who could not run in `failures`.

        `also` is shown each file too.
        """
        self._see_whether_to_go_on()
        self.warm_up(contents.changes)
        children = (self._child, self._compiler)
        try:
            self._review_files(contents, progress, also)
            for child in children:
                child.finish()
        finally:
            for child in children:
                child.close()
        for child in children:
            self.problems[SYNTAX] += child.problems
            if child.failure:
                self.failures[SYNTAX] = child.failure

    def warm_up(self, changes: Sequence[Change]) -> None:
        """Start the process that parses YAML when there is something for it."""
        kinds = {kind_of(change.path, None) for change in changes if change.has_content}
        wanted = [kind for kind in self._child.kinds if kind in kinds]
        if wanted:
            self._child.warm_up(wanted)

    def stop(self) -> None:
        """End the pass, from another thread: before its next file, and the process that parses at once."""
        self._is_stopped = True
        self._child.stop()
        self._compiler.stop()

    def _see_whether_to_go_on(self) -> None:
        if self._is_stopped:
            raise StoppedError("it was told to end")

    def _review_files(self, contents: Contents, progress: Callable[[int], None] | None, also: Also | None) -> None:
        self._review_submodules(contents.changes)
        # Beside the reader that streams the new versions another one answers for old ones in between.
        with _OldVersions(contents.git) as old_versions:
            for done, (change, file) in enumerate(self._files(contents), start=1):
                self._see_whether_to_go_on()
                self._review_file(old_versions, change, file)
                if self._is_for_child(file):
                    self._child.take(file)
                if also is not None:
                    also(change, file)
                if progress is not None:
                    progress(done)

    def _files(self, contents: Contents) -> Iterable[tuple[Change, ReviewedFile]]:
        """The changed files; where they are few, all are read before the first is looked at.

        Then a second process can compile what is written in Python meanwhile, which takes longest.
        """
        files = contents.files(self.max_bytes)
        if not self._compiler.may_fork or sum(contents.sizes.values()) > MOST_AHEAD:
            return files
        ahead = list(files)
        python = [file for _, file in ahead if self.wants(SYNTAX, file.path) and self._is_python(file)]
        if sum(len(file.data or b"") for file in python) > LEAST_AHEAD:
            self._compiled = set(python)
            for file in python:
                self._compiler.take(file)
            self._compiler.begin()
        return ahead

    def _is_python(self, file: ReviewedFile) -> bool:
        return syntax.parsed_kind(file, max_bytes=self.max_bytes) == "python"

    def _review_submodules(self, changes: Sequence[Change]) -> None:
        for change in changes:
            if change.mode == SUBMODULE_MODE and self.is_enabled(HYGIENE):
                self._add(HYGIENE, change.path, _submodule(change))
                for problem in hygiene.review_name(change.path) if change.old_oid is None else ():
                    self._add(HYGIENE, change.path, problem)

    def _is_for_child(self, file: ReviewedFile) -> bool:
        if file in self._compiled:
            return False
        return self.wants(SYNTAX, file.path) and syntax.belongs_in_child(
            file, max_bytes=self.max_bytes, kinds=self._child.kinds
        )

    def _review_file(self, old_versions: _OldVersions, change: Change, file: ReviewedFile) -> None:
        if file not in self._compiled and self.wants(SYNTAX, file.path):
            for problem in syntax.review(file, max_bytes=self.max_bytes, child_kinds=self._child.kinds):
                self._add(SYNTAX, file.path, problem)
        found = self._line_problems(file)
        if found and change.old_oid and file.data is not None:
            # Only now is the old version worth reading: a line it already had is not news.
            file.old = old_versions.read(change.old_oid)
            found = self._line_problems(file)
        for reviewer, problem in found:
            self._add(reviewer, file.path, problem)

    def _line_problems(self, file: ReviewedFile) -> list[tuple[str, Problem]]:
        found: list[tuple[str, Problem]] = []
        if self.wants(CONFLICT_MARKERS, file.path):
            found += [(CONFLICT_MARKERS, problem) for problem in conflict_markers.review(file)]
        if self.wants(HYGIENE, file.path):
            problems = hygiene.review(file, max_bytes=self.max_bytes, binary=self.binary)
            found += [(HYGIENE, problem) for problem in problems]
        return found

    def _add(self, reviewer: str, path: str, problem: Problem) -> None:
        self.problems[reviewer].append((path, problem))


class _OldVersions:
    """The content that files had before, from a reader that is started when the first is asked for."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._reader: ObjectReader | None = None

    def __enter__(self) -> _OldVersions:
        return self

    def __exit__(self, *_: object) -> None:
        if self._reader is not None:
            self._reader.close()

    def read(self, oid: str) -> bytes | None:
        """A file's content, None where there is none."""
        self._reader = self._reader or self._git.objects()
        try:
            old = self._reader.read(oid)
        except GitError:
            # In a partial clone it may not be here; then every line counts as new.
            self._reader.close()
            self._reader = None
            return None
        return old.data if old is not None and old.kind == "blob" else None


def _submodule(change: Change) -> Problem:
    return Problem(
        "not-reviewed-submodule",
        "warning",
        f"not reviewed: the submodule now points at {short(str(change.oid))}",
        evidence=str(change.oid),
        recommendation="review the submodule's own commits in its repository",
    )
