"""The state file and the timings of earlier runs: written under a lock, replaced whole, read with suspicion."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from builders import run_report
from conftest import Repo
from opening import repository_at
from running import hide_state, nothing_recorded, said, state_not_written

from review_gate.gate.state_view import read_state
from review_gate.loops.state import loop_state
from review_gate.shell import store

WRITERS, READERS, ROUNDS = 16, 4, 12
RUN_NOT_KEPT = (
    r"warning: the result of run [0-9a-f]{32} cannot be kept: File too large\n"
    r"  why:   nobody can look at this run again; the review itself is in the ledger\n"
    r"  next:  review-gate status\n"
)


def test_a_run_whose_state_does_not_fit_on_the_disk_keeps_the_old_state_and_says_so(repo: Repo) -> None:
    hide_state(repo)
    repo.review()
    old = repo.state_file.read_bytes()
    repo.commit("second", {"b.py": "b = 1\n"})
    done = repo.run("prlimit", f"--fsize={len(old) - 200}", "review-gate", "run", "--yes")
    assert done.returncode == 0
    *_, told = done.stderr.partition(state_not_written("File too large"))
    assert re.fullmatch(RUN_NOT_KEPT, told)
    assert len(list((repo.path / ".git/review-gate/runs").iterdir())) == 1
    assert repo.state_file.read_bytes() == old
    assert repo.gate("verify").returncode == 0


def test_a_run_whose_record_does_not_fit_on_the_disk_is_no_review(repo: Repo) -> None:
    code, text = said(repo.run("prlimit", "--fsize=64", "review-gate", "run", "--yes"))
    assert code == 1
    assert re.search(r"^blocked: .*File too large", text, re.MULTILINE)
    assert nothing_recorded(repo)


STATE_WRITER = """
import os, sys, time
from review_gate.shell.repository import open_repository
from review_gate.shell.store import write_state
top, go, documents = sys.argv[1:4]
repository = open_repository(top)
datas = open(documents, "rb").read().split(b"\\0")
while not os.path.exists(go):
    time.sleep(0.001)
for number in range(int(sys.argv[4])):
    write_state(repository, "folder/state.json", datas[number % len(datas)])
"""
STATE_READER = """
import os, sys
from review_gate.gate.state_view import read_state
from review_gate.shell.files import read_plain_file
path, stop = sys.argv[1:]
reads = 0
while not os.path.exists(stop):
    data = read_plain_file(path, 10**7)
    if data is not None:
        read_state(data)
        reads += 1
print(reads)
"""


@pytest.mark.slow
def test_sixteen_writers_of_the_state_never_show_a_torn_one_to_four_readers(repo: Repo, tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    states = [loop_state(run_report(id=f"{size:032x}", policy="p" * size)).to_json() for size in (1, 5_000, 300_000)]
    documents.write_bytes(b"\0".join(states))
    go, stop, path = tmp_path / "go", tmp_path / "stop", repo.path / "folder/state.json"
    argv = [sys.executable, "-c", STATE_WRITER, str(repo.path), str(go), str(documents), str(ROUNDS)]
    writers = [subprocess.Popen(argv, env=repo.environ) for _ in range(WRITERS)]
    reader = [sys.executable, "-c", STATE_READER, str(path), str(stop)]
    readers = [subprocess.Popen(reader, stdout=subprocess.PIPE) for _ in range(READERS)]
    go.touch()
    codes = [writer.wait(100) for writer in writers]
    stop.touch()
    counts = [int(reader.communicate(timeout=60)[0]) for reader in readers]
    assert codes == [0] * WRITERS
    assert all(counts), "every reader has read something"
    assert path.read_bytes() in states
    assert os.listdir(path.parent) == ["state.json"]
    read_state(path.read_bytes())


def test_the_last_five_timings_are_kept(repo: Repo) -> None:
    repository = repository_at(repo)
    for number in range(7):
        store.add_timings(repository, {"syntax": number + 0.001})
    assert store.read_timings(repository) == {"syntax": [2.0, 3.0, 4.0, 5.0, 6.0]}
