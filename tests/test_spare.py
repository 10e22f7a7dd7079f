"""A spare is what a new interpreter would be."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such sockets")

# It starts the same program three times, once in the background; if there are spares, there are two of them.
SCRIPT = """
import json, os, sys
kind, folder, program = sys.argv[1:]
from spare import Spares, put_in_place
from review_gate.shell.background import start_in_background
from review_gate.shell.spawn import start
from review_gate.shell import background
if kind == "spare":
    put_in_place(Spares("check", []))
os.chdir(folder)
def said(code, output, errors):
    return [code, output.decode(), errors.decode()]
found = [said(*start([sys.executable, "-I", "-c", program, "a b", "c"], {"ONE": "1"}).finish(b"given", 60))]
background.PROGRAM = "import sys; sys.argv.pop(1); sys.stdout = sys.stderr; " + program
log = os.path.join(folder, "log")
process = start_in_background(["a b", "c"], directory=os.path.dirname(folder), environ={"TWO": "2"}, log=log)
found.append([process._child.wait(), process.exit_code, open(log).read()])
found.append(said(*start([sys.executable, "-I", "-c", program, "a b", "c"], {"ONE": "1"}).finish(b"given", 60)))
print(json.dumps(found))
"""
SEEN = """
import json, os, sys
print(json.dumps({
    "arguments": sys.argv,
    "environment": {name: value for name, value in os.environ.items() if name in ("HOME", "ONE", "TWO")},
    "folder": os.getcwd(),
    "input": sys.stdin.read(),
    "leads its group": os.getpgrp() == os.getpid(),
    "leads its session": os.getsid(0) == os.getpid(),
    "name": __name__,
    "open": sorted(os.listdir("/proc/self/fd")),
    "parent": os.getppid() == os.getpgid(os.getppid()),
}))
"""
IS_NEW = "import sys; print('spare' not in sys.modules)"


def told(kind: str, tmp_path: Path, program: str) -> list[Any]:
    """What a command is told by what it starts, which has spares or has none."""
    folder = tmp_path / kind
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, kind, str(folder), program],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found: list[Any] = json.loads(done.stdout.replace(str(folder), "FOLDER").replace(str(tmp_path), "BASE"))
    return found


@pytest.mark.parametrize(
    "program",
    [SEEN, "print('said')", "import sys; sys.exit(3)", "import sys; sys.exit('words')", "exit()", "print(1 / 0)"],
    ids=["what it sees", "an end", "an exit code", "words", "no exit code", "an error"],
)
def test_a_spare_is_what_a_new_interpreter_is(program: str, tmp_path: Path) -> None:
    assert told("spare", tmp_path, program) == told("new", tmp_path, program)


def test_who_starts_more_than_there_are_spares_gets_a_new_one(tmp_path: Path) -> None:
    first, in_background, last = told("spare", tmp_path, IS_NEW)
    assert (first[1], in_background[2], last[1]) == ("False\n", "False\n", "True\n")
