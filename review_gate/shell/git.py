"""Facts from git, by plumbing that runs nothing from the repository; cheap enough for every hook."""

from __future__ import annotations

import os

from review_gate.errors import GitError
from review_gate.shell.spawn import Spawned, Started, run_bounded, spawn, start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# fsmonitor, hooks and ext:: transports run programs that the repository's own configuration names.
HARDENING = (
    "--no-pager",
    "--no-optional-locks",
    "--no-replace-objects",
    "-c",
    "core.fsmonitor=false",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "protocol.ext.allow=never",
    "-c",
    "core.quotePath=false",
    "-c",
    # Our empty graft file below would make git speak of grafts before it speaks of what is wrong.
    "advice.graftFileDeprecated=false",
    "-c",
    # A commit-graph file can be written by anyone, and git believes it over the commits themselves.
    "core.commitGraph=false",
)
# A replaced or grafted history would show the reviewer other commits than a push sends.
HONEST_HISTORY = {
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
    # A partial clone would fetch every commit it is asked about, one by one.
    "GIT_NO_LAZY_FETCH": "1",
    "LC_ALL": "C",
}
UNWANTED = ("GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_PAGER", "GIT_TRACE", "GIT_TRACE2", "GIT_LITERAL_PATHSPECS")
BRANCHES = "refs/heads/"
# Longest lists of arguments that git gets at once; more would pass the limits of Windows and of a pipe's buffer.
REQUESTS_AT_ONCE = 100
# Enough to tell what kind of file it is.
KEPT_OF_LARGE = 8_000
DEADLINE_SECONDS = 120.0
# Longer than the slowest disk needs for a first byte.
ANSWER_SECONDS = 60.0


class Git:
    """The git program, bound to one directory; unhardened it shows the configuration as git itself sees it."""

    def __init__(
        self, directory: str = ".", environ: dict[str, str] | None = None, *, is_hardened: bool = True
    ) -> None:
        self.directory = directory
        self._options: tuple[str, ...] = HARDENING if is_hardened else ("--no-pager", "--no-optional-locks")
        inherited = os.environ if environ is None else environ
        self.environ = {name: value for name, value in inherited.items() if name not in UNWANTED} | HONEST_HISTORY

    def with_more(self, options: Sequence[str], environ: dict[str, str]) -> Git:
        """The same git with options before every command, and other variables."""
        other = Git(self.directory, {})
        other._options = (*self._options, *options)
        # As it is by now, with what was allowed since.
        other.environ = self.environ | environ
        return other

    def argv(self, arguments: Iterable[str]) -> list[str]:
        """The full command line for a git command."""
        return ["git", *self._options, "-C", self.directory, *arguments]

    def try_run(
        self, *arguments: str, stdin: bytes = b"", seconds: float = DEADLINE_SECONDS, may_ask_user: bool = False
    ) -> tuple[int, bytes, bytes]:
        """Exit code, output and error text of a git command."""
        try:
            return run_bounded(
                self.argv(arguments), self.environ, stdin=stdin, seconds=seconds, may_ask_user=may_ask_user
            )
        except FileNotFoundError:
            raise git_is_missing() from None
        except TimeoutError:
            raise _too_slow(arguments[0], seconds) from None

    def run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """The output of a git command that has to work."""
        return _output_of(arguments[0], *self.try_run(*arguments, stdin=stdin))

    def begin(self, *arguments: str) -> Begun:
        """Start a git command; its output is taken later."""
        try:
            return Begun(arguments[0], start(self.argv(arguments), self.environ))
        except FileNotFoundError:
            raise git_is_missing() from None

    def line(self, *arguments: str) -> str | None:
        """The one line a command prints, or None when it fails or prints nothing."""
        code, output, _ = self.try_run(*arguments)
        text = output.decode("utf-8", "surrogateescape").rstrip("\n")
        return text if code == 0 and text else None

    def commit_named(self, name: str) -> str | None:
        """The commit that a user's words stand for; no words would mean HEAD to git, and to us nothing."""
        # In two steps: behind `:/text` a `^{commit}` would become part of the text.
        found = self.object_named(name)
        return self.line("rev-parse", "--verify", "--quiet", f"{found}^{{commit}}") if found is not None else None

    def object_named(self, name: str) -> str | None:
        """The object that a user's words stand for, of whatever kind it is."""
        found = self.line("rev-parse", "--verify", "--quiet", "--end-of-options", name) if name else None
        # `^HEAD` is a commit to leave out, and keeps its caret.
        return None if found is None or found.startswith("^") else found

    def branch(self) -> str | None:
        """The branch at HEAD, None where HEAD is detached; git's own short name changes when a tag has the same."""
        ref = self.line("symbolic-ref", "--quiet", "HEAD")
        return branch_name(ref) if ref else None

    def allow_fetching(self) -> None:
        """Let a partial clone fetch what it lacks: right for a review, too slow for a hook."""
        self.environ.pop("GIT_NO_LAZY_FETCH", None)

    def objects(self) -> ObjectReader:
        """A reader of objects by revision, one process for any number of them."""
        try:
            return ObjectReader(spawn(self.argv(["cat-file", "--batch"]), self.environ))
        except FileNotFoundError:
            raise git_is_missing() from None


class Begun:
    """A git command that is running while we do something else; it has to work, unless it is asked how it ended."""

    def __init__(self, command: str, child: Started) -> None:
        self._command = command
        self._child = child

    def output(self, stdin: bytes = b"") -> bytes:
        """What it says to this, once it has ended."""
        return self.answer(stdin)[0]

    def answer(self, stdin: bytes = b"") -> tuple[bytes, bytes]:
        """The same, and what it warns of meanwhile."""
        code, output, errors = self.ended(stdin)
        return _output_of(self._command, code, output, errors), errors

    def ended(self, stdin: bytes = b"") -> tuple[int, bytes, bytes]:
        """Exit code, output and error text of a command that may also fail."""
        try:
            return self._child.finish(stdin, DEADLINE_SECONDS)
        except TimeoutError:
            raise _too_slow(self._command, DEADLINE_SECONDS) from None

    def abandon(self) -> None:
        """End it: nobody wants to know any more."""
        self._child.abandon()


def _output_of(command: str, code: int, output: bytes, errors: bytes) -> bytes:
    if code != 0:
        raise GitError(
            f"git {command} failed: {first_line(errors)}",
            why=f"it ended with code {code}",
            next_step="git fsck" if b"unable to read" in errors else "review-gate doctor",
        )
    return output


def _too_slow(command: str, seconds: float) -> GitError:
    return GitError(
        f"git {command} did not end within {seconds:.0f} seconds",
        why="it was stopped, so nothing is known",
        next_step=f"try git {command} by hand",
    )


class GitObject:
    """An object as `cat-file` shows it; `is_cut` when only the beginning of it was kept."""

    __slots__ = ("data", "is_cut", "kind", "oid")

    def __init__(self, oid: str, kind: str, data: bytes, *, is_cut: bool = False) -> None:
        self.oid = oid
        self.kind = kind
        self.data = data
        self.is_cut = is_cut


class ObjectReader:
    """Objects by revision through one `git cat-file --batch`."""

    def __init__(self, process: Spawned) -> None:
        self._process = process
        # What was read and not yet taken starts at `_at`: cutting it off the front each time would copy it each time.
        self._buffer = b""
        self._at = 0

    def __enter__(self) -> ObjectReader:
        return self

    def __exit__(self, error: object, *_: object) -> None:
        try:
            if error is None:
                self._see_that_all_was_answered()
        finally:
            self.close()

    def close(self) -> None:
        """End the process."""
        self._process.close()

    def _see_that_all_was_answered(self) -> None:
        """Ask for what cannot exist and nobody can foresee: a forged answer somewhere would have left one over."""
        question = b"?" + os.urandom(8).hex().encode("ascii")
        self._process.write(question + b"\n")
        if self._take_line() != question + b" missing":
            raise _out_of_step()

    def read_all(self, names: Sequence[str], *, limit: int | None = None) -> Iterator[GitObject | None]:
        """The object behind each revision, None where there is none; of what is over the limit the beginning comes."""
        for first in range(0, len(names), REQUESTS_AT_ONCE):
            chunk = names[first : first + REQUESTS_AT_ONCE]
            # The whole request fits a pipe's buffer, so git never waits for us while we wait for git.
            requests = [name for name in chunk if "\n" not in name]
            self._process.write(b"".join(name.encode("utf-8", "surrogateescape") + b"\n" for name in requests))
            for name in chunk:
                # A name with a line end would be two questions, and every later answer the wrong one.
                yield None if "\n" in name else self._read_one(limit)

    def read(self, name: str, *, limit: int | None = None) -> GitObject | None:
        """The object behind one revision."""
        (found,) = self.read_all((name,), limit=limit)
        return found

    def _read_one(self, limit: int | None) -> GitObject | None:
        header = self._take_line()
        fields = header.rsplit(b" ", 2)
        if len(fields) != 3 or not fields[2].isdigit():
            # "<name> missing", "<name> ambiguous": the name itself may hold blanks.
            return None
        oid, kind, size = fields[0].decode("ascii"), fields[1].decode("ascii"), int(fields[2])
        is_cut = limit is not None and size > limit
        data = self._take(min(size, KEPT_OF_LARGE) if is_cut else size)
        self._skip(size - len(data) + 1)
        return GitObject(oid, kind, data, is_cut=is_cut)

    def _take_line(self) -> bytes:
        while (end := self._buffer.find(b"\n", self._at)) < 0:
            self._buffer, self._at = self._buffer[self._at :] + self._next_piece(), 0
        line, self._at = self._buffer[self._at : end], end + 1
        return line

    def _take(self, count: int) -> bytes:
        if len(self._buffer) - self._at < count:
            self._collect(count)
        data = self._buffer[self._at : self._at + count]
        self._at += count
        return data

    def _collect(self, count: int) -> None:
        pieces, have = [self._buffer[self._at :]], len(self._buffer) - self._at
        while have < count:
            pieces.append(self._next_piece())
            have += len(pieces[-1])
        self._buffer, self._at = b"".join(pieces), 0

    def _skip(self, count: int) -> None:
        while len(self._buffer) - self._at < count:
            count -= len(self._buffer) - self._at
            self._buffer, self._at = self._next_piece(), 0
        self._at += count

    def _next_piece(self) -> bytes:
        try:
            piece = self._process.read(ANSWER_SECONDS)
        except TimeoutError:
            # A damaged loose object can also be shorter than git says.
            raise _out_of_step() from None
        if not piece:
            raise GitError(
                "git cat-file ended too early", why="the object database did not answer", next_step="git fsck"
            )
        return piece


def _out_of_step() -> GitError:
    """A damaged loose object can be longer than git 2.39 says, and its rest would pass for the next answers."""
    return GitError(
        "git's answers do not fit the questions",
        why="an object of this repository is damaged, so nothing that was read can be believed",
        next_step="git fsck",
    )


def branch_name(ref: str) -> str | None:
    """The name of a branch without `refs/heads/`, None for any other ref."""
    return ref.removeprefix(BRANCHES) if ref.startswith(BRANCHES) else None


def git_is_missing() -> GitError:
    """The error for a machine without git."""
    return GitError("git was not found on PATH", why="review-gate asks git about every commit", next_step="install git")


def first_line(data: bytes) -> str:
    """The first line of an error text, for one-line messages."""
    lines = data.decode("utf-8", "replace").strip().splitlines()
    telling = [line for line in lines if not line.startswith(("hint:", "warning:"))]
    return (telling or lines or ["no error text"])[0]


def clean_environment(environ: dict[str, str]) -> dict[str, str]:
    """An environment without git's own variables, for programs that may touch other repositories."""
    return {name: value for name, value in environ.items() if not name.startswith("GIT_")}
