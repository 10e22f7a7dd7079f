"""Ways to hook a repository: none, a script, review-gate, and the frameworks; each shows that it really runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from benchmarks.bench import Bench
from benchmarks.peers import LEFTHOOK, PRE_COMMIT, PREK
from benchmarks.repositories import Repo, empty_repository
from benchmarks.world import FailedToRunError, run_checked

SH_HOOK = "#!/bin/sh\nexit 0\n"
PYTHON_HOOK = f"#!/bin/sh\nexec '{sys.executable}' -I -S -c pass\n"

BARE = "bare git"
SH = "sh hook, one line"
PYTHON = "`python -I -S -c pass` hook"
NATIVE = "review-gate"
PREK_SYSTEM = "prek, `true`"
PREK_PYTHON = "prek, empty Python hook"
LEFTHOOK_TRUE = "lefthook, `true`"
PRE_COMMIT_SYSTEM = "pre-commit, `true`"
PRE_COMMIT_PYTHON = "pre-commit, empty Python hook"

EMPTY_HOOK_FILES = {
    "setup.py": "from setuptools import setup\n"
    "setup(name='empty-hook', version='1', py_modules=['empty_hook'],\n"
    "      entry_points={'console_scripts': ['empty-hook = empty_hook:main']})\n",
    "empty_hook.py": "def main():\n    pass\n",
    ".pre-commit-hooks.yaml": "- {id: noop, name: noop, language: python, entry: empty-hook}\n",
}
FIXED_DATE = {"GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}
# What all frameworks print when the hook of this id has run.
NOOP = "noop"
# What the gate says of an unreviewed commit and of a broken file.
BLOCKED = "blocked:"
HOOK_SETTINGS = "always_run: true, pass_filenames: false, stages: [{stage}]"


def _nothing(_: Repo) -> None:
    return


@dataclass(frozen=True)
class Way:
    """How a repository gets its hook; `shows` is what the hook prints, which proves that it was not skipped."""

    name: str
    set_up: Callable[[Repo], None] = _nothing
    files: Mapping[str, str] = field(default_factory=dict)
    shows: str = ""
    is_gate: bool = False

    @property
    def refusal(self) -> int:
        """The exit code of git for content that only the gate refuses."""
        return 1 if self.is_gate else 0

    def check(self, output: str) -> None:
        """See in git's output that the hook was at work: one that is silently not started would win everything."""
        if self.shows not in output:
            raise FailedToRunError(f"{self.name}: the hook did not run: {output[-200:]}")


def script(name: str, hook: str, text: str) -> Way:
    """A hook file with the given text."""

    def set_up(repo: Repo) -> None:
        path = repo.hooks / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    return Way(name, set_up)


def native() -> Way:
    """Our own hooks, as `review-gate install` writes them."""
    return Way(NATIVE, lambda repo: repo.gate("install"), shows=BLOCKED, is_gate=True)


def available(bench: Bench, names: Iterable[str], hook: str) -> tuple[list[Way], dict[str, str]]:
    """The ways that these names stand for, and why some of them cannot be had here."""
    ways, missing = [], {}
    for name in names:
        peer = next((peer for peer in (PREK, LEFTHOOK, PRE_COMMIT) if name.startswith(peer)), "")
        if peer and peer in bench.peers.problems:
            missing[name] = bench.peers.problems[peer]
        else:
            ways.append(_way(bench, name, hook))
    return ways, missing


def _way(bench: Bench, name: str, hook: str) -> Way:
    makers: dict[str, Callable[[], Way]] = {
        BARE: lambda: Way(BARE),
        SH: lambda: script(SH, hook, SH_HOOK),
        PYTHON: lambda: script(PYTHON, hook, PYTHON_HOOK),
        NATIVE: native,
        LEFTHOOK_TRUE: lambda: _lefthook(bench, hook),
        PREK_SYSTEM: lambda: _framework(bench, name, PREK, hook, _system_config(hook)),
        PREK_PYTHON: lambda: _framework(bench, name, PREK, hook, _python_config(bench, hook)),
        PRE_COMMIT_SYSTEM: lambda: _framework(bench, name, PRE_COMMIT, hook, _system_config(hook)),
        PRE_COMMIT_PYTHON: lambda: _framework(bench, name, PRE_COMMIT, hook, _python_config(bench, hook)),
    }
    return makers[name]()


def _framework(bench: Bench, name: str, peer: str, hook: str, config: str) -> Way:
    program = bench.peers.program(peer)
    environ = bench.world.installing_environ

    def set_up(repo: Repo) -> None:
        run_checked((program, "install", "--install-hooks", "--hook-type", hook), repo.path, environ)

    return Way(name, set_up, {".pre-commit-config.yaml": config}, shows=NOOP)


def _lefthook(bench: Bench, hook: str) -> Way:
    binary = bench.peers.lefthook_binary

    def set_up(repo: Repo) -> None:
        # Without it the hook file starts lefthook twice: once to see whether it is there.
        repo.environ["LEFTHOOK_BIN"] = binary
        run_checked((binary, "install", hook), repo.path, repo.environ)

    config = f'{hook}:\n  commands:\n    {NOOP}:\n      run: "true"\n'
    return Way(LEFTHOOK_TRUE, set_up, {"lefthook.yml": config}, shows=NOOP)


def _system_config(hook: str) -> str:
    settings = HOOK_SETTINGS.format(stage=hook)
    return (
        "repos:\n- repo: local\n  hooks:\n"
        f'  - {{id: {NOOP}, name: {NOOP}, language: system, entry: "true", {settings}}}\n'
    )


def _python_config(bench: Bench, hook: str) -> str:
    repo = _empty_hook_repository(bench)
    settings = HOOK_SETTINGS.format(stage=hook)
    return f"repos:\n- repo: {repo.path}\n  rev: {repo.resolve('HEAD')}\n  hooks:\n  - {{id: {NOOP}, {settings}}}\n"


def _empty_hook_repository(bench: Bench) -> Repo:
    """A Python package whose one command does nothing; its fixed commit id lets the frameworks keep their copies."""
    path = bench.world.work / "empty-hook"
    if path.exists():
        return Repo(path, path, bench.world.environ)
    repo = empty_repository(bench.world, "empty-hook")
    repo.environ |= FIXED_DATE
    repo.commit("An empty hook", EMPTY_HOOK_FILES)
    return repo
