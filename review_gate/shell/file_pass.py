"""One pass of the embedded reviewers over changed files, each read once from git's objects."""

from __future__ import annotations

import os
import sys

from review_gate.reviewers import conflict_markers, hygiene, syntax
from review_gate.reviewers.globs import matches_any
from review_gate.reviewers.problem import Problem, ReviewedFile
from review_gate.shell.changes import LINK_MODE, SUBMODULE_MODE
from review_gate.shell.spawn import run_bounded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from review_gate.shell.changes import Change
    from review_gate.shell.git import Git, ObjectReader

SYNTAX = "syntax"
CONFLICT_MARKERS = "conflict-markers"
HYGIENE = "hygiene"
FILE_REVIEWERS = (SYNTAX, CONFLICT_MARKERS, HYGIENE)
SECTIONS = {SYNTAX: "syntax", CONFLICT_MARKERS: "conflict_markers", HYGIENE: "hygiene"}
CHILD_BYTES_AT_ONCE = 16_000_000


class CouldNotRunError(Exception):
    """A reviewer could not do its work; the message says why."""


class FilePass:
    """The settings of the embedded reviewers, from the compiled configuration."""

    def __init__(self, config: dict[str, object]) -> None:
        self._config = config
        limits = self._section("limits")
        self.max_bytes = int(str(limits["max_file_bytes"]))
        self.yaml_seconds = float(str(limits["yaml_seconds"]))
        self.binary = str(self._section("hygiene")["binary"])
        self.problems: dict[str, list[tuple[str, Problem]]] = {name: [] for name in FILE_REVIEWERS}
        self.failures: dict[str, str] = {}

    def _section(self, name: str) -> dict[str, object]:
        section = self._config.get(name)
        return section if isinstance(section, dict) else {}

    def is_enabled(self, reviewer: str) -> bool:
        """Whether the configuration wants this reviewer."""
        return bool(self._section(SECTIONS[reviewer]).get("enabled", True))

    def wants(self, reviewer: str, path: str) -> bool:
        """Whether this reviewer looks at this path."""
        exclude = self._section(SECTIONS[reviewer]).get("exclude")
        return self.is_enabled(reviewer) and not matches_any(path, exclude if isinstance(exclude, list) else [])

    def review(self, git: Git, changes: Sequence[Change], progress: Callable[[int], None] | None = None) -> None:
        """Look at every change; what is wrong is in `problems`, who could not run in `failures`."""
        for_child: list[ReviewedFile] = []
        waiting_bytes = 0
        # Two readers: one streams the new versions, the other answers for old ones in between.
        with git.objects() as new_versions, git.objects() as old_versions:
            for done, (change, file) in enumerate(self._files(git, new_versions, changes), start=1):
                self._review_file(old_versions, change, file)
                if self._is_for_child(file):
                    for_child.append(file)
                    waiting_bytes += len(file.data or b"")
                if waiting_bytes > CHILD_BYTES_AT_ONCE:
                    self._review_in_child(for_child)
                    for_child, waiting_bytes = [], 0
                if progress is not None:
                    progress(done)
        self._review_in_child(for_child)

    def _files(
        self, git: Git, objects: ObjectReader, changes: Sequence[Change]
    ) -> Iterator[tuple[Change, ReviewedFile]]:
        """Every changed file with its content, one at a time; what is too large is never read."""
        for change in changes:
            if change.mode == SUBMODULE_MODE and self.is_enabled(HYGIENE):
                self._add(HYGIENE, change.path, _submodule(change))
        readable = [change for change in changes if change.has_content]
        sizes = _sizes(git, [str(change.oid) for change in readable])
        wanted = [change for change in readable if 0 <= sizes.get(str(change.oid), -1) <= self.max_bytes]
        contents = objects.read_all([str(change.oid) for change in wanted])
        for change, found in zip(wanted, contents, strict=True):
            yield change, _reviewed_file(change, found.data if found else None, sizes.get(str(change.oid)))
        for change in readable:
            if not 0 <= sizes.get(str(change.oid), -1) <= self.max_bytes:
                yield change, _reviewed_file(change, None, sizes.get(str(change.oid)))

    def _is_for_child(self, file: ReviewedFile) -> bool:
        return self.wants(SYNTAX, file.path) and syntax.belongs_in_child(file, max_bytes=self.max_bytes)

    def _review_file(self, old_versions: ObjectReader, change: Change, file: ReviewedFile) -> None:
        if self.wants(SYNTAX, file.path):
            for problem in syntax.review(file, max_bytes=self.max_bytes):
                self._add(SYNTAX, file.path, problem)
        found = self._line_problems(file)
        if found and change.old_oid and file.data is not None:
            # Only now is the old version worth reading: a line it already had is not news.
            old = old_versions.read(change.old_oid)
            file.old = old.data if old is not None and old.kind == "blob" else None
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

    def _review_in_child(self, files: list[ReviewedFile]) -> None:
        """Parse YAML and long Python in a child that can be stopped: both take for ever on hostile input."""
        if not files:
            return
        argv = [sys.executable, "-I", "-c", SYNTAX_CHILD, package_place()]
        try:
            code, answer, errors = run_bounded(
                argv, dict(os.environ), stdin=syntax.encode_frames(files), seconds=self.yaml_seconds
            )
            if code != 0:
                raise ValueError(errors.decode("utf-8", "replace").strip()[-200:] or f"exit code {code}")
            for index, problem in syntax.decode_yaml_answer(answer, files):
                self._add(SYNTAX, files[index].path, problem)
        except TimeoutError:
            self.failures[SYNTAX] = f"the parser did not finish {_named(files)} within {self.yaml_seconds:g} seconds"
        except (OSError, ValueError) as error:
            self.failures[SYNTAX] = f"the parser failed on {_named(files)}: {error}"


SYNTAX_CHILD = (
    "import sys; sys.path.append(sys.argv[1]); from review_gate.reviewers.yaml_syntax import main; sys.exit(main())"
)


def package_place() -> str:
    """The directory that holds the package, for children that are started isolated."""
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def _named(files: list[ReviewedFile]) -> str:
    more = f" and {len(files) - 3} more" if len(files) > 3 else ""
    return ", ".join(file.path for file in files[:3]) + more


def _sizes(git: Git, oids: list[str]) -> dict[str, int]:
    """Object sizes before anything is read: a 2 GB blob must not reach memory."""
    request = "".join(f"{oid}\n" for oid in oids).encode("ascii")
    output = git.run("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=request).decode("ascii", "replace")
    pairs = (line.split(" ") for line in output.splitlines())
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdigit()}


def _reviewed_file(change: Change, data: bytes | None, size: int | None) -> ReviewedFile:
    unread = "" if data is not None else "git does not have its content" if size is None else "it is too large"
    return ReviewedFile(change.path, data, size=size or 0, is_link=change.mode == LINK_MODE, unread=unread)


def _submodule(change: Change) -> Problem:
    return Problem(
        "not-reviewed-submodule",
        "warning",
        f"not reviewed: the submodule now points at {str(change.oid)[:8]}",
        evidence=str(change.oid),
        recommendation="review the submodule's own commits in its repository",
    )
