"""Real repositories, each with a real bare remote beside it, of any size."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from benchmarks.world import World, run_checked

FILES_AT_START = 50
FILES_IN_A_FOLDER = 1000
# A fixed clock gives the same commit ids in every run.
FIRST_SECOND = 1_700_000_000
COMMITTER = "committer A Developer <dev@example.org>"


class Repo:
    """One work tree, its remote called origin, and the commands that a user would type there."""

    def __init__(self, path: Path, remote: Path, environ: Mapping[str, str]) -> None:
        self.path = path
        self.remote = remote
        self.environ = dict(environ)

    def git(self, *arguments: str, stdin: bytes = b"", expected: int = 0) -> str:
        """What a git command prints."""
        output = run_checked(("git", *arguments), self.path, self.environ, stdin=stdin, expected=expected)
        return output.decode("utf-8", "replace").strip()

    def gate(self, *arguments: str) -> None:
        """A review-gate command that has to work."""
        run_checked((sys.executable, "-m", "review_gate", *arguments), self.path, self.environ)

    def write(self, files: Mapping[str, str]) -> None:
        """Files of the work tree."""
        for name, text in files.items():
            path = self.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def commit(self, message: str, files: Mapping[str, str]) -> None:
        """A commit that no hook sees."""
        self.write(files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--no-verify", "--message", message)

    def resolve(self, revision: str) -> str:
        """The object id of a revision."""
        return self.git("rev-parse", "--verify", revision)

    @property
    def hooks(self) -> Path:
        """Where git looks for hooks."""
        return self.path / ".git" / "hooks"


def empty_repository(world: World, name: str) -> Repo:
    """A repository without a commit, and its empty remote."""
    repo = Repo(world.work / name, world.work / f"{name}.git", world.environ)
    run_checked(("git", "init", "--quiet", "--bare", str(repo.remote)), world.work, world.environ)
    run_checked(("git", "init", "--quiet", str(repo.path)), world.work, world.environ)
    repo.git("remote", "add", "origin", str(repo.remote))
    return repo


def published_repository(world: World, name: str, extra: Mapping[str, str] | None = None) -> Repo:
    """A repository of fifty small files that its remote has too."""
    repo = empty_repository(world, name)
    files = {f"text/{number:02d}.txt": f"text number {number}\n" for number in range(FILES_AT_START)}
    repo.commit("Start", files | dict(extra or {}))
    repo.git("push", "--quiet", "--no-verify", "--set-upstream", "origin", "main")
    return repo


def imported_repository(world: World, name: str, *, commits: int, files: int) -> Repo:
    """A repository with a long history or a large tree, whose remote lacks the last commit only."""
    repo = empty_repository(world, name)
    repo.git("fast-import", "--quiet", stdin=b"".join(_stream(commits, files)))
    # The index as after a checkout; nothing here reads the files themselves.
    repo.git("read-tree", "HEAD")
    share_objects(repo)
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD~1")
    run_checked(("git", "update-ref", "refs/heads/main", repo.resolve("HEAD~1")), repo.remote, repo.environ)
    return repo


def share_objects(repo: Repo) -> None:
    """Let the remote borrow the objects: copying 100,000 commits would add nothing to what is measured."""
    (repo.remote / "objects" / "info" / "alternates").write_text(f"{repo.path / '.git' / 'objects'}\n")


def _stream(commits: int, files: int) -> Iterator[bytes]:
    """Input for `git fast-import`: the files in the first commit, then one changed file in each commit."""
    first = (f"M 100644 inline {_place(number)}\n{_data(f'file {number}')}" for number in range(files))
    yield _commit(1, first)
    for number in range(2, commits + 1):
        yield _commit(number, [f"M 100644 inline {_place(0)}\n{_data(f'change {number}')}"])


def _place(number: int) -> str:
    return f"folder{number // FILES_IN_A_FOLDER:03d}/file{number % FILES_IN_A_FOLDER:03d}.txt"


def _commit(number: int, changes: Iterable[str]) -> bytes:
    parent = f"from :{number - 1}\n" if number > 1 else ""
    head = f"commit refs/heads/main\nmark :{number}\n{COMMITTER} {FIRST_SECOND + number} +0000\n"
    return (head + _data(f"Commit {number}") + parent + "".join(changes) + "\n").encode()


def _data(text: str) -> str:
    return f"data {len(text) + 1}\n{text}\n"
