"""Which lines a change adds, as git itself counts them."""

from __future__ import annotations

from review_gate.checks.new_lines import NewRanges
from review_gate.checks.rule import MARKER
from review_gate.errors import GitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from review_gate.shell.git import Begun, Git

# Attributes and settings of the repository must neither hide a file nor run a program; `-a` makes all of them text.
PATCH = ("-r", "-p", "-U0", "-a", "--raw", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color")
PLAIN = (
    "--full-index",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--no-indent-heuristic",
    "--diff-algorithm=myers",
    "--submodule=short",
    "--ignore-submodules=none",
)
# More paths than this are cheaper to get all together than to name.
MOST_NAMED = 100


class AddedLines:
    """The lines that are new between two versions; `compare` is the git command that shows the difference."""

    def __init__(self, git: Git, compare: Sequence[str]) -> None:
        self._git = git
        self._compare = compare
        self._begun: Begun | None = None
        self._all: Mapping[str, NewRanges] | None = None

    def begin(self) -> None:
        """Let git find out about all files now, as somebody will ask soon."""
        self._begun = self._git.begin(*self._command())

    def abandon(self) -> None:
        """Nobody asks any more, or only much later."""
        begun, self._begun = self._begun, None
        if begun is not None:
            begun.abandon()

    def __call__(self, paths: Sequence[str]) -> Mapping[str, NewRanges]:
        """The new lines of some files."""
        if self._begun is not None:
            self._all, self._begun = parse_patches(self._begun.output()), None
        if self._all is not None:
            return self._all
        named = [f":(literal){path}" for path in paths] if len(paths) <= MOST_NAMED else []
        return parse_patches(self._git.run(*self._command(), *named))

    def _command(self) -> Sequence[str]:
        command, *revisions = self._compare
        # A file may have the name of a revision.
        return (command, *PATCH, *PLAIN, *revisions, "--")


def parse_patches(output: bytes) -> dict[str, NewRanges]:
    """Path -> new lines, from raw entries that are followed by their patches in the same order."""
    raw, separator, patches = output.partition(b"\0\0")
    if not separator:
        return {}
    fields = raw.split(b"\0")
    added: dict[str, NewRanges] = {}
    ranges = _ranges(patches)
    for header, path in zip(fields[0::2], fields[1::2], strict=True):
        # A file that becomes a link, or the other way round, is one entry with two patches: gone, and new.
        # One with a conflict is an entry without a patch.
        for _ in range({b"T": 2, b"U": 0}.get(header[-1:], 1)):
            added[path.decode("utf-8", "surrogateescape")] = next(ranges, NewRanges())
    if next(ranges, None) is not None:
        raise GitError(
            "git shows more patches than changed files",
            why="which lines are new cannot be told",
            next_step="git status (a conflict that is not resolved has no staged version)",
        )
    return added


def _ranges(patches: bytes) -> Iterator[NewRanges]:
    """The new lines of each patch."""
    found: NewRanges | None = None
    is_telling = b"\0" in patches or MARKER in patches
    for line in patches.split(b"\n"):
        # Without context every line of content starts with + or -, so these starts are git's own.
        if line.startswith(b"diff --git "):
            if found is not None:
                yield found
            found = NewRanges()
        elif line.startswith(b"@@ ") and found is not None:
            found.append(_new_lines(line))
        elif is_telling and found is not None and line.startswith(b"-"):
            found.drop_nul = found.drop_nul or b"\0" in line
            found.drop_marker = found.drop_marker or MARKER in line
    if found is not None:
        yield found


def _new_lines(header: bytes) -> range:
    """The lines of `@@ -1,2 +3,4 @@`."""
    start, _, count = header.split(b" ")[2][1:].partition(b",")
    return range(int(start), int(start) + int(count or b"1"))
