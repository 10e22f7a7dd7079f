"""A real repository with a real bare remote, in a world without the user's own settings."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from review_gate.shell.repository import open_repository
from review_gate.workflows.install import install

Result = subprocess.CompletedProcess[str]
TIMEOUT = 120
# How the settings of whoever runs the tests begin; SKIP is what pre-commit leaves out.
PERSONAL = ("GIT_", "REVIEW_GATE", "PRE_COMMIT", "SKIP")


GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    """An option of ours."""
    parser.addoption("--update-golden", action="store_true", help="write what is produced now as what is expected")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with a file of tests/golden, or write that file."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        assert text == path.read_bytes().decode()

    return compare


def clean_world(home: Path) -> dict[str, str]:
    """An environment in which git and review-gate find nobody's personal configuration."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(PERSONAL)}
    return kept | {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        # Shared by all tests: what review-gate derives from its own packs is the same for each.
        "XDG_CACHE_HOME": str(home.parent.parent / "cache"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(home / "gitconfig"),
        "GIT_TERMINAL_PROMPT": "0",
        "PRE_COMMIT_HOME": str(home / "pre-commit"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "LC_ALL": "C.UTF-8",
    }


class Repo:
    """One work tree and the commands a user would type in it."""

    def __init__(self, path: Path, environ: dict[str, str]) -> None:
        self.path = path
        self.environ = environ

    def run(self, *argv: str, stdin: str | None = None, **environ: str) -> Result:
        """Any program, in this work tree; at the deadline it is ended with all that it started."""
        with subprocess.Popen(
            argv,
            cwd=self.path,
            env=self.environ | environ,
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="surrogateescape",
            start_new_session=True,
        ) as child:
            try:
                output, errors = child.communicate(stdin, timeout=TIMEOUT)
            except BaseException:
                # A grandchild that lives on would hold the pipes, and the test, for ever.
                os.killpg(child.pid, signal.SIGKILL)
                raise
            return Result(argv, child.returncode, output, errors)

    def git(self, *arguments: str, **environ: str) -> str:
        """A git command that has to work; what it prints."""
        done = self.run("git", *arguments, **environ)
        assert done.returncode == 0, f"git {arguments}: {done.stdout}{done.stderr}"
        return done.stdout.strip()

    def gate(self, *arguments: str, **environ: str) -> Result:
        """A review-gate command."""
        return self.run("review-gate", *arguments, **environ)

    def push(self, *arguments: str, **environ: str) -> Result:
        """A git push, which the gate may refuse."""
        return self.run("git", "push", *arguments, **environ)

    def write(self, name: str, content: str | bytes) -> Path:
        """A file of the work tree."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def commit(self, message: str = "change", files: dict[str, str | bytes] | None = None, *options: str) -> str:
        """A commit past the commit hooks; its id."""
        for name, content in (files or {"file.txt": f"{message}\n"}).items():
            self.write(name, content)
        self.git("add", "-A")
        self.git("commit", "--quiet", "--no-verify", "-m", message, *options)
        return self.head

    def branch_off(self, name: str, message: str, files: dict[str, str | bytes]) -> str:
        """A new branch with one more commit, HEAD returns to main; the commit."""
        self.git("switch", "--quiet", "--create", name)
        commit = self.commit(message, files)
        self.git("switch", "--quiet", "main")
        return commit

    def review(self, *arguments: str) -> None:
        """A review of HEAD that has to pass."""
        done = self.gate("run", "--yes", *arguments)
        assert done.returncode == 0, done.stdout + done.stderr

    @property
    def head(self) -> str:
        """The commit at HEAD."""
        return self.git("rev-parse", "HEAD")

    @property
    def state_file(self) -> Path:
        """Where the view of the latest run is."""
        return self.path / ".claude/skills/code-review/loop-state.json"

    def remote_ref(self, ref: str, remote: str = "origin") -> str | None:
        """What a ref of the remote points at, asked from the remote repository itself."""
        url = self.git("remote", "get-url", remote)
        done = subprocess.run(
            ["git", "--git-dir", url, "rev-parse", "--verify", "--quiet", ref],
            env=self.environ,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout.strip() or None


@pytest.fixture
def world(tmp_path: Path) -> dict[str, str]:
    """The environment of one test."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "gitconfig").write_text(
        "[user]\n\tname = A Developer\n\temail = dev@example.org\n[init]\n\tdefaultBranch = main\n"
        '[advice]\n\tdetachedHead = false\n[protocol "file"]\n\tallow = always\n'
    )
    return clean_world(home)


@pytest.fixture
def same_world(world: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Our functions, called in this process, see the settings that the programs see which a test starts."""
    for name in [name for name in os.environ if name.startswith(PERSONAL)]:
        monkeypatch.delenv(name)
    for name, value in world.items():
        monkeypatch.setenv(name, value)


MakeRepo = Callable[..., Repo]


@pytest.fixture
def make_repo(tmp_path: Path, world: dict[str, str]) -> MakeRepo:
    """Make an empty repository with an empty bare remote called origin."""

    def make(name: str = "repo", *, object_format: str = "sha1") -> Repo:
        bare, path = tmp_path / f"{name}.git", tmp_path / name
        for arguments in (["--bare", str(bare)], [str(path)]):
            subprocess.run(
                ["git", "init", "--quiet", f"--object-format={object_format}", *arguments], env=world, check=True
            )
        repo = Repo(path, world)
        repo.git("remote", "add", "origin", str(bare))
        return repo

    return make


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    """A repository with one commit, nothing pushed, no hooks."""
    made = make_repo()
    made.commit("first", {"app.py": "print('hello')\n"})
    return made


@pytest.fixture
def gated(repo: Repo, same_world: None) -> Repo:
    """The same with our hooks installed, in this process: a new one would cost 0.4 s for importing the same modules."""
    install(open_repository(str(repo.path)), with_watcher=False)
    return repo


@pytest.fixture
def opened(gated: Repo) -> Repo:
    """A gated repository whose first commit is on the remote, without a state file."""
    from pushing import publish

    publish(gated)
    return gated


@pytest.fixture
def published(gated: Repo) -> Repo:
    """A gated repository whose first commit was reviewed and pushed to main."""
    gated.review()
    done = gated.push("--quiet", "--set-upstream", "origin", "main")
    assert done.returncode == 0, done.stderr
    return gated
