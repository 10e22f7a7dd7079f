"""Other programs, installed by the benchmark itself into virtual environments of their own."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.world import FailedToRunError, World, run_checked

PRE_COMMIT, PREK, LEFTHOOK = "pre-commit", "prek", "lefthook"
RIPGREP, SEMGREP = "ripgrep", "semgrep"
HOOK_PROGRAMS = (PRE_COMMIT, PREK, LEFTHOOK)
SEARCHERS = (RIPGREP, SEMGREP)
# Where the command is not called like the package.
COMMANDS = {RIPGREP: "rg"}
# The newest releases have only a source archive, which needs a Rust registry; the last one with a binary is as fast.
OPTIONS = {RIPGREP: ("--only-binary", RIPGREP)}
ASK_VERSION = "import sys; from importlib.metadata import version; print(version(sys.argv[1]))"
# The wheel's own command is a Python program that the hook file would start twice; the binary inside is the real one.
ASK_LEFTHOOK_FILES = (
    "from importlib.metadata import distribution\nfor file in distribution('lefthook').files: print(file.locate())"
)


class Peers:
    """The programs that could be installed, and why the others could not."""

    def __init__(self, venv: Path) -> None:
        self._bin = venv / ("Scripts" if sys.platform == "win32" else "bin")
        self.versions: dict[str, str] = {}
        self.problems: dict[str, str] = {}
        self.lefthook_binary = ""

    def program(self, name: str) -> str:
        """The path of an installed program."""
        return str(self._bin / COMMANDS.get(name, name))


def install_peers(world: World) -> Peers:
    """The hook programs."""
    return _installed(world, "venv", HOOK_PROGRAMS)


def install_searchers(world: World) -> Peers:
    """The programs that look for patterns; what they depend on must not change what hook programs depend on."""
    return _installed(world, "venv-searchers", SEARCHERS)


def _installed(world: World, folder: str, packages: Sequence[str]) -> Peers:
    """Install what is not there yet; a package that cannot be had is a problem in the table, not an error."""
    venv = world.root / folder
    peers = Peers(venv)
    try:
        # pip comes last, so without it an earlier run was interrupted.
        if not Path(peers.program("pip")).exists():
            run_checked([sys.executable, "-m", "venv", str(venv)], world.root, world.installing_environ)
    except FailedToRunError as error:
        peers.problems = dict.fromkeys(packages, str(error))
        return peers
    for package in packages:
        _install(world, peers, package)
    return peers


def _install(world: World, peers: Peers, package: str) -> None:
    python = peers.program("python")
    argv = [python, "-m", "pip", "install", "--quiet", *OPTIONS.get(package, ()), package]
    try:
        if not Path(peers.program(package)).exists():
            run_checked(argv, world.root, world.installing_environ)
        version = run_checked([python, "-I", "-c", ASK_VERSION, package], world.root, world.environ)
        if package == LEFTHOOK:
            peers.lefthook_binary = _lefthook_binary(world, python)
        peers.versions[package] = version.decode().strip()
    except FailedToRunError as error:
        peers.problems[package] = f"not installed: {str(error)[-200:]}"


def _lefthook_binary(world: World, python: str) -> str:
    files = run_checked([python, "-I", "-c", ASK_LEFTHOOK_FILES], world.root, world.environ).decode().splitlines()
    binaries = [file for file in files if Path(file).stem == "lefthook" and Path(file).parent.parent.name == "bin"]
    if not binaries:
        raise FailedToRunError("the package holds no binary for this machine")
    return binaries[0]
