"""What the README shows is what the program prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

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


def demo_output(world: dict[str, str], folder: Path) -> list[str]:
    environ = world | {"TMPDIR": str(folder), "PATH": f"{Path(sys.executable).parent}{os.pathsep}{world['PATH']}"}
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
