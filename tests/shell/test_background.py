"""review-gate in the background: what it says is kept, up to a limit."""

from __future__ import annotations

import os
import time
from pathlib import Path

from running import PATIENCE

from review_gate.shell.background import MOST_SAID, said_in, start_in_background


def said_by(arguments: list[str], folder: Path) -> tuple[int | None, str]:
    log = str(folder / "log")
    process = start_in_background(arguments, directory=str(folder), environ=os.environ, log=log)
    until = time.monotonic() + PATIENCE
    while process.exit_code is None and time.monotonic() < until:
        time.sleep(0.01)
    return process.exit_code, said_in(log)


def test_an_error_in_the_background_is_in_its_log(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("of an earlier call\n")
    told = "error: there is no verb 'nothing'; review-gate --help lists the verbs\n"
    assert said_by(["nothing"], tmp_path) == (2, told)
    # A module of the folder it works in is none of ours.
    (tmp_path / "review_gate.py").write_text("raise SystemExit(7)\n")
    assert said_by(["nothing"], tmp_path) == (2, told)


def test_a_log_has_a_limit(tmp_path: Path) -> None:
    code, said = said_by(["x" * 50_000], tmp_path)
    assert (tmp_path / "log").stat().st_mode & 0o777 == 0o600
    assert (code, len(said), said[:30]) == (2, MOST_SAID, "error: there is no verb 'xxxxx")
