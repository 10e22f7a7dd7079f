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

    def set_remote_ref(self, ref: str, revision: str) -> None:
        """Let a ref of the remote point at a commit whose objects it has."""
        run_checked(("git", "update-ref", ref, self.resolve(revision)), self.remote, self.environ)

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
    repo.git("fast-import", "--quiet", stdin=b"".join(_history_stream(commits, files)))
    # The index as after a checkout; nothing here reads the files themselves.
    repo.git("read-tree", "HEAD")
    # The remote borrows the objects: copying 100,000 commits would add nothing to what is measured.
    (repo.remote / "objects" / "info" / "alternates").write_text(f"{repo.path / '.git' / 'objects'}\n")
    repo.set_remote_ref("refs/heads/main", "HEAD~1")
    repo.git("fetch", "--quiet", "origin")
    repo.git("branch", "--quiet", "--set-upstream-to", "origin/main")
    return repo


def add_branches(repo: Repo, count: int) -> list[str]:
    """Branches with two commits of their own, of which the remote has the first."""
    names = [f"topic-{number:03d}" for number in range(count)]
    repo.git("fast-import", "--quiet", stdin=b"".join(_branch_stream(names)))
    for name in names:
        repo.set_remote_ref(f"refs/heads/{name}", f"{name}~1")
    return names


def _branch_stream(names: Iterable[str]) -> Iterator[bytes]:
    for mark, name in enumerate(names, start=1):
        start = "from refs/heads/main^0\n"
        yield _commit(f"refs/heads/{name}", 2 * mark, start, [_change(0, f"{name}, on the remote")])
        yield _commit(f"refs/heads/{name}", 2 * mark + 1, f"from :{2 * mark}\n", [_change(0, f"{name}, reviewed")])


def _history_stream(commits: int, files: int) -> Iterator[bytes]:
    """Input for `git fast-import`: the files in the first commit, then one changed file in each commit."""
    yield _commit("refs/heads/main", 1, "", (_change(number, f"file {number}") for number in range(files)))
    for number in range(2, commits + 1):
        yield _commit("refs/heads/main", number, f"from :{number - 1}\n", [_change(0, f"change {number}")])


def _commit(ref: str, mark: int, parent: str, changes: Iterable[str]) -> bytes:
    head = f"commit {ref}\nmark :{mark}\n{COMMITTER} {FIRST_SECOND + mark} +0000\n"
    return (head + _data(f"Commit {mark}") + parent + "".join(changes) + "\n").encode()


def _change(number: int, text: str) -> str:
    place = f"folder{number // FILES_IN_A_FOLDER:03d}/file{number % FILES_IN_A_FOLDER:03d}.txt"
    return f"M 100644 inline {place}\n{_data(text)}"


def _data(text: str) -> str:
    return f"data {len(text) + 1}\n{text}\n"
