"""What the README shows is what the program prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from conftest import Repo

PROJECT = Path(__file__).resolve().parents[1]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
# Ids, places and times are others in each run; what the interpreter prints differs between its versions.
CHANGING = (
    (r"/\S*/review-gate-demo\.\w+", "WORK"),
    (r"\b[0-9a-f]{8}\b", "ID"),
    (r"Python 3\.\d+", "PYTHON"),
    (r"about [\d.]+ s", "SECONDS"),
)


def steady(text: str) -> list[str]:
    """The lines of a console that are the same in each run."""
    for pattern, word in CHANGING:
        text = re.sub(pattern, word, text)
    return [line.rstrip() for line in text.splitlines() if line.strip() and not line.startswith("    | ")]


def consoles(text: str) -> list[list[str]]:
    """The consoles that a document shows, without the commands that only say how to start."""
    shown = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    return [steady(console) for console in shown if "\n" in console.strip() and "pip install" not in console]


def demo_output(world: dict[str, str], folder: Path, **environ: str) -> list[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{world['PATH']}"
    environ = world | {"TMPDIR": str(folder), "PATH": path} | environ
    done = subprocess.run(
        ["sh", PROJECT / "docs/demo.sh"], env=environ, capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return steady(done.stdout)


def test_the_readme_shows_the_demo_as_it_runs(world: dict[str, str], tmp_path: Path) -> None:
    printed = demo_output(world, tmp_path)
    *excerpts, whole = consoles(README)
    assert whole == printed
    assert len(excerpts) >= 3
    for excerpt in excerpts:
        assert excerpt == printed[printed.index(excerpt[0]) :][: len(excerpt)]


def test_the_demo_leaves_the_repository_alone_that_it_was_started_from(repo: Repo, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in repo.path.rglob("*") if path.is_file()}
    leading = {"GIT_DIR": str(repo.path / ".git"), "GIT_WORK_TREE": str(repo.path), "REVIEW_GATE_TEST_COMMAND": "off"}
    assert demo_output(repo.environ, tmp_path, **leading)[-1].startswith("hooks     installed in WORK")
    assert {path: path.read_bytes() for path in repo.path.rglob("*") if path.is_file()} == before
