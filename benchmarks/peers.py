"""Other hook programs, installed by the benchmark itself into a virtual environment of its own."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.world import FailedToRunError, World, run_checked

PRE_COMMIT, PREK, LEFTHOOK = "pre-commit", "prek", "lefthook"
PACKAGES = (PRE_COMMIT, PREK, LEFTHOOK)
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
        return str(self._bin / name)


def install_peers(world: World) -> Peers:
    """Install what is not there yet; a package that cannot be had is a problem in the table, not an error."""
    venv = world.root / "venv"
    peers = Peers(venv)
    try:
        # pip comes last, so without it an earlier run was interrupted.
        if not Path(peers.program("pip")).exists():
            run_checked([sys.executable, "-m", "venv", str(venv)], world.root, world.installing_environ)
    except FailedToRunError as error:
        peers.problems = dict.fromkeys(PACKAGES, str(error))
        return peers
    for package in PACKAGES:
        _install(world, peers, package)
    return peers


def _install(world: World, peers: Peers, package: str) -> None:
    python = peers.program("python")
    try:
        if not Path(peers.program(package)).exists():
            run_checked([python, "-m", "pip", "install", "--quiet", package], world.root, world.installing_environ)
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
