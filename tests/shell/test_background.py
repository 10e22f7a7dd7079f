"""review-gate in the background: what it says is kept."""

from __future__ import annotations

import os
import time
from pathlib import Path

from running import PATIENCE

from review_gate.shell.background import said_in, start_in_background


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
    (tmp_path / "log").unlink()
    assert said_by(["nothing"], tmp_path) == (2, told)
    assert (tmp_path / "log").stat().st_mode & 0o777 == 0o600
