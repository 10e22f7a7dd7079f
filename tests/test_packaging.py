"""The wheel and the sdist hold everything, and what pip installs from them guards a push."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from conftest import Repo, clean_world

from review_gate import __version__

PROJECT = Path(__file__).resolve().parents[1]
NAME = f"review_gate-{__version__}"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel that was built from that sdist, as a packager would."""
    folder = tmp_path_factory.mktemp("dist")
    argv = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(PROJECT)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def in_wheel(built: Path) -> dict[str, bytes]:
    """The files of the wheel."""
    with zipfile.ZipFile(built / f"{NAME}-py3-none-any.whl") as wheel:
        return {name: wheel.read(name) for name in wheel.namelist()}


@pytest.fixture(scope="module")
def in_sdist(built: Path) -> set[str]:
    """The names in the sdist, without its top folder."""
    with tarfile.open(built / f"{NAME}.tar.gz") as sdist:
        return {member.name.partition("/")[2] for member in sdist.getmembers() if member.isfile()}


def files_below(folder: str) -> set[str]:
    """The project's own files in a folder, without what Python leaves there."""
    paths = (PROJECT / folder).rglob("*")
    return {str(path.relative_to(PROJECT)) for path in paths if path.is_file() and "__pycache__" not in path.parts}


def test_nothing_but_sdist_and_wheel_is_built(built: Path) -> None:
    assert {path.name for path in built.iterdir()} == {f"{NAME}.tar.gz", f"{NAME}-py3-none-any.whl"}


def test_the_wheel_holds_both_packages_the_check_packs_and_the_plugin(in_wheel: dict[str, bytes]) -> None:
    packs = {name.replace("checks/", "review_gate/packs/", 1) for name in files_below("checks")}
    plugin = {f"review_gate/{name}" for name in files_below("plugin")}
    expected = files_below("review_gate") | files_below("git_hooks") | packs | plugin
    assert {name for name in in_wheel if not name.startswith(f"{NAME}.dist-info/")} == expected
    assert {"git_hooks/shim.sh", "review_gate/py.typed", "review_gate/packs/README.md"} <= expected
    assert {"review_gate/plugin/.claude-plugin/plugin.json", "review_gate/plugin/commands/ship.md"} <= expected


def test_the_wheel_says_who_may_use_it_and_which_command_it_brings(in_wheel: dict[str, bytes]) -> None:
    information = f"{NAME}.dist-info"
    assert in_wheel[f"{information}/licenses/LICENSE"] == (PROJECT / "LICENSE").read_bytes()
    assert b"review-gate = review_gate.cli.main:main\n" in in_wheel[f"{information}/entry_points.txt"]
    metadata = in_wheel[f"{information}/METADATA"].decode()
    assert f"\nVersion: {__version__}\n" in metadata
    assert "\nRequires-Python: >=3.11\n" in metadata


def test_the_sdist_holds_what_is_needed_to_build_and_test(in_sdist: set[str]) -> None:
    folders = ("review_gate", "git_hooks", "checks", "plugin", ".claude-plugin")
    assert set().union(*map(files_below, folders)) <= in_sdist
    files = {"LICENSE", "README.md", "pyproject.toml", "Makefile", ".pre-commit-hooks.yaml", ".pre-commit-config.yaml"}
    assert files | {"tests/conftest.py", "tests/test_packaging.py", "docs/demo.sh"} <= in_sdist


def test_the_sdist_holds_nothing_private(in_sdist: set[str]) -> None:
    assert [
        name for name in in_sdist if name.startswith((".git/", ".venv/", ".claude/")) or "__pycache__" in name
    ] == []


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin directory of a new virtual environment with the wheel in it; its dependencies are those of this run."""
    place = tmp_path_factory.mktemp("clean") / "venv"
    venv.create(place, with_pip=False, symlinks=True)
    wheel = str(built / f"{NAME}-py3-none-any.whl")
    python = place / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "install", "--no-deps", "--no-index", wheel], check=True, timeout=300)
    site = next((place / "lib").glob("python*/site-packages"))
    # A path file is not read for further path files, so the editable install of this run stays out.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return place / "bin"


def test_an_installed_wheel_guards_a_push(repo: Repo, installed: Path, tmp_path: Path) -> None:
    world = clean_world(tmp_path / "home") | {"PATH": f"{installed}{os.pathsep}{os.environ['PATH']}"}
    clean = Repo(repo.path, world)
    version = clean.gate("--version")
    assert (version.returncode, version.stdout) == (0, f"review-gate {__version__}\n")
    done = clean.gate("install")
    assert done.returncode == 0, done.stderr
    agent = clean.gate("install", "--claude")
    assert agent.returncode == 0, agent.stderr
    assert (clean.path / ".claude/commands/ship.md").read_bytes() == (PROJECT / "plugin/commands/ship.md").read_bytes()
    assert clean.gate("uninstall", "--claude").returncode == 0
    shim = (clean.path / ".git/hooks/pre-push").read_text()
    assert f"python={installed}/python" in shim
    assert f"place={installed.parent}/lib/" in shim
    refused = clean.push("origin", "main")
    assert refused.returncode == 1
    assert refused.stderr.startswith("blocked: No review state found. Run /review before shipping.\n")
    clean.review()
    assert clean.push("--quiet", "origin", "main").returncode == 0
    clean.write("new.yaml", "a: [\n")
    clean.git("add", "-A")
    commit = clean.run("git", "commit", "-m", "A change")
    assert (commit.returncode, commit.stderr.splitlines()[0]) == (1, "blocked: 1 problem in the staged files")
