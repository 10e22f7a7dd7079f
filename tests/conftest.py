"""A real repository with a real bare remote, in a world without the user's own settings."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from gate_server import Call, GateServer
from hypothesis import settings
from plain_path import without_models

if TYPE_CHECKING:
    from journey import Journey

# On a busy machine one example in a hundred takes longer than hypothesis allows by itself.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

Result = subprocess.CompletedProcess[str]
TIMEOUT = 120
# Before any test changed it.
STARTED_WITH = dict(os.environ)
# How the settings of whoever runs the tests begin, and the session that may do so; SKIP is what pre-commit leaves out.
PERSONAL = ("ANTHROPIC_", "CLAUDECODE", "GIT_", "PROMPT_REVIEW_", "REVIEW_GATE", "PRE_COMMIT", "SKIP")


# The last three save time: nothing here has to outlive a power cut, and no repository lives long enough to be tidied.
GIT_CONFIG = """\
[user]
	name = A Developer
	email = dev@example.org
[init]
	defaultBranch = main
[advice]
	detachedHead = false
[protocol "file"]
	allow = always
[core]
	fsync = none
[maintenance]
	auto = false
[receive]
	autogc = false
"""
GOLDEN = Path(__file__).parent / "golden"
# Words in which no shell sees anything to do.
PLAIN_COMMAND = re.compile(r"(?:git|review-gate)(?: [\w./:@^=+-][\w./:@^=+~-]*)+", re.ASCII)


def pytest_addoption(parser: pytest.Parser) -> None:
    """An option of ours."""
    parser.addoption("--update-golden", action="store_true", help="write what is produced now as what is expected")


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One worker more than there are processors: some tests wait for a deadline, and compute nothing meanwhile."""
    return (yield) + 1


# Each takes longer than a hundred others; started last, it would run on while the other workers have nothing to do.
LONGEST = ("test_no_play_gets_an_uncovered_commit_out", "test_a_hundred_thousand_changed_files", "test_sixteen_writers")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests come first; all others stay in their order."""
    items.sort(key=lambda item: not item.name.startswith(LONGEST))


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


def clean_world(home: Path, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """An environment in which git and review-gate find nobody's personal configuration."""
    kept = {name: value for name, value in environ.items() if not name.startswith(PERSONAL)}
    return kept | {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        # Shared by all tests: what review-gate derives from its own packs is the same for each.
        "XDG_CACHE_HOME": str(home.parent.parent / "cache"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(home / "gitconfig"),
        "GIT_TERMINAL_PROMPT": "0",
        "PRE_COMMIT_HOME": str(home / "pre-commit"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{without_models(environ['PATH'])}",
        "LC_ALL": "C.UTF-8",
    }


# The library is needed for this alone; with it in memory every fork takes half as long again.
API_KEY, API_LIBRARY = "ANTHROPIC_API_KEY", "anthropic"
_servers: dict[bool, GateServer] = {}


def gate_server(*, asks_api: bool) -> GateServer:
    """The one of this worker, or the one for commands that ask models through the API."""
    if asks_api not in _servers:
        modules = [API_LIBRARY] if asks_api else []
        _servers[asks_api] = GateServer(clean_world(Path(os.devnull), STARTED_WITH), modules)
    return _servers[asks_api]


def gate_served(call: Call) -> Result | None:
    """The result of a command if no new interpreter is needed for it; other systems have no such sockets."""
    if sys.platform != "linux":
        return None
    server = gate_server(asks_api=bool(call.environ.get(API_KEY)))
    return server.run(call, TIMEOUT) if server.can_start(call.environ) else None


def pytest_sessionfinish() -> None:
    """End what this worker started."""
    for server in _servers.values():
        server.close()


class Repo:
    """One work tree and the commands a user would type in it."""

    def __init__(self, path: Path, environ: dict[str, str]) -> None:
        self.path = path
        self.environ = environ
        self._urls: dict[tuple[tuple[bytes, ...], str], str] = {}

    def run(self, *argv: str, stdin: str | None = None, **environ: str) -> Result:
        """Any program, in this work tree; at the deadline it is ended with all that it started."""
        if argv[0] == "review-gate" and (done := gate_served(Call(argv[1:], self.path, self.environ | environ, stdin))):
            return done
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

    def type(self, line: str, **environ: str) -> Result:
        """A line as a user types it; where a shell would do nothing but split it into words, no shell is started.

        So `review-gate` in it costs no new interpreter; tests of the program's own start take `run` and a shell.
        """
        commands = line.split(" && ")
        if not all(map(PLAIN_COMMAND.fullmatch, commands)):
            return self.run("sh", "-c", line, **environ)
        done = [self.run(*commands[0].split(" "), **environ)]
        for command in commands[1:]:
            if done[-1].returncode == 0:
                done.append(self.run(*command.split(" "), **environ))
        output, errors = ("".join(getattr(one, name) for one in done) for name in ("stdout", "stderr"))
        return Result(line, done[-1].returncode, output, errors)

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

    def url_of(self, remote: str) -> str:
        """Where a remote is; git is asked again only when a file of its settings is another one."""
        files = (self.path / ".git/config", Path(self.environ["GIT_CONFIG_GLOBAL"]))
        settings = tuple(file.read_bytes() if file.is_file() else b"" for file in files)
        known = self._urls.get((settings, remote))
        if known is None or not all(settings):
            known = self._urls[settings, remote] = self.git("remote", "get-url", remote)
        return known

    def remote_ref(self, ref: str, remote: str = "origin") -> str | None:
        """What a ref of the remote points at, asked from the remote repository itself."""
        url = self.url_of(remote)
        done = subprocess.run(
            ["git", "--git-dir", url, "rev-parse", "--verify", "--quiet", ref],
            env=self.environ,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout.strip() or None


def make_world(folder: Path, environ: Mapping[str, str] = STARTED_WITH) -> dict[str, str]:
    """The environment of repositories in a folder, with a home there."""
    home = folder / "home"
    home.mkdir(parents=True)
    (home / "gitconfig").write_text(GIT_CONFIG)
    return clean_world(home, environ)


@pytest.fixture
def world(tmp_path: Path) -> dict[str, str]:
    """The environment of one test."""
    return make_world(tmp_path, os.environ)


@pytest.fixture
def same_world(world: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Our functions, called in this process, see the settings that the programs see which a test starts."""
    for name in [name for name in os.environ if name.startswith(PERSONAL)]:
        monkeypatch.delenv(name)
    for name, value in world.items():
        monkeypatch.setenv(name, value)


MakeRepo = Callable[..., Repo]
Reach = Callable[[str, Repo], Repo]
# Where the bare remote of a template lies, until a copy says where its own is.
SOMEWHERE = "/a/bare/remote.git"


def in_git_config(value: str) -> str:
    """A value as a file of git's settings has it."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


@cache
def template(folder: Path, object_format: str) -> Path:
    """A bare repository, an empty one that has it as origin, and the same with one commit: copying costs no process."""
    environ = make_world(folder)
    for arguments in (["--bare", "bare"], ["empty"]):
        argv = ["git", "init", "--quiet", f"--object-format={object_format}", *arguments]
        subprocess.run(argv, cwd=folder, env=environ, check=True)
    for sample in [*folder.glob("bare/hooks/*.sample"), *folder.glob("empty/.git/hooks/*.sample")]:
        # One shows as well as fourteen that samples are no hooks.
        if sample.name != "pre-push.sample":
            sample.unlink()
    Repo(folder / "empty", environ).git("remote", "add", "origin", SOMEWHERE)
    shutil.copytree(folder / "empty", folder / "first")
    Repo(folder / "first", environ).commit("first", {"app.py": "print('hello')\n"})
    return folder


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the templates of this worker are."""
    return tmp_path_factory.mktemp("templates")


def place_repo(
    folder: Path,
    world: dict[str, str],
    templates: Path,
    name: str = "repo",
    *,
    object_format: str = "sha1",
    start: str = "empty",
) -> Repo:
    """An empty repository in a folder, or one with a first commit, with an empty bare remote called origin."""
    bare, path = folder / f"{name}.git", folder / name
    source = template(templates / object_format, object_format)
    shutil.copytree(source / "bare", bare)
    shutil.copytree(source / start, path)
    config = path / ".git/config"
    config.write_text(config.read_text().replace(SOMEWHERE, in_git_config(str(bare))))
    made = Repo(path, world)
    if start == "first":
        # The copied index tells of the files that were copied.
        made.git("update-index", "-q", "--refresh")
    return made


@pytest.fixture
def make_repo(tmp_path: Path, world: dict[str, str], templates: Path) -> MakeRepo:
    """Make repositories in the folder of a test."""
    return partial(place_repo, tmp_path, world, templates)


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    """A repository with one commit, nothing pushed, no hooks."""
    return make_repo(start="first")


@pytest.fixture(scope="session")
def reach(tmp_path_factory: pytest.TempPathFactory, templates: Path) -> Reach:
    """Bring a repository with one commit to a stage of tests/stages.py, which is made when the first test wants it."""
    from stages import bring_to, stage

    roots = cache(tmp_path_factory.mktemp)

    def reached(name: str, repo: Repo) -> Repo:
        bring_to(repo, stage(roots(name), templates, name))
        return repo

    return reached


@pytest.fixture
def gated(repo: Repo, same_world: None, reach: Reach) -> Repo:
    """The same with our hooks installed."""
    return reach("gated", repo)


@pytest.fixture
def opened(repo: Repo, same_world: None, reach: Reach) -> Repo:
    """A gated repository whose first commit is on the remote, without a state file."""
    return reach("opened", repo)


@pytest.fixture
def published(repo: Repo, same_world: None, reach: Reach) -> Repo:
    """A gated repository whose first commit was reviewed and pushed to main."""
    return reach("published", repo)


@pytest.fixture
def journey(request: pytest.FixtureRequest, published: Repo) -> Generator[Journey, None, None]:
    """A story in a gated repository whose first commit was reviewed and pushed to main; golden files hold it."""
    yield from _told(request, published)


@pytest.fixture
def fresh_journey(request: pytest.FixtureRequest, repo: Repo) -> Generator[Journey, None, None]:
    """A story in a repository with one commit, nothing pushed, no hooks."""
    yield from _told(request, repo)


def _told(request: pytest.FixtureRequest, repo: Repo) -> Generator[Journey, None, None]:
    from journey import Journey

    told = Journey(request.node.name.removeprefix("test_").replace("_", "-"), repo)
    yield told
    told.compare(update=request.config.getoption("--update-golden"))
