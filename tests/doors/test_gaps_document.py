"""docs/gaps.md shows what the program prints, and its example of a file can be read."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from conftest import Repo

from review_gate.pipeline.manifest_file import read_amendments
from review_gate.pipeline.schema import AgentManifest, GapLogEntry, PRFacts
from review_gate.shell.gap_log import append_gaps
from review_gate.shell.repository import open_repository

PAGE = (Path(__file__).parents[2] / "docs/gaps.md").read_text(encoding="utf-8")
SHARES = "hares are rounded one by one, so they may not add up"
CLOCKS = "Two clocks are compared that may differ"
SPLIT, CLOSE = "lib/ledger/split.py", "lib/ledger/close.py"


def console(command: str) -> str:
    found = re.search(rf"```console\n\$ {re.escape(command)}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.usefixtures("same_world")
def test_the_gaps_of_the_page(repo: Repo) -> None:
    def log(commit: str, when: str, agent: str, concern: str, *files: str, is_added: bool = True) -> None:
        gap = GapLogEntry(concern=concern, agent=agent, files=files, is_added=is_added, recommendation="")
        append_gaps(open_repository(str(repo.path)), "run", commit * 5, [gap], when)

    log("3f9c2a11", "2026-03-02T09:15:00Z", "finance-sme", f"S{SHARES}", SPLIT)
    log("8be07d42", "2026-03-03T16:40:00Z", "build-reviewer", CLOCKS, "src/lease.py", is_added=False)
    log("c0ffee11", "2026-03-05T11:02:00Z", "finance-sme", f"s{SHARES}", CLOSE, SPLIT)
    assert repo.gate("gaps").stdout == console("review-gate gaps")


def test_the_providers_of_the_page(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    codex = tmp_path / "bin/codex"
    codex.write_text("#!/bin/sh\n")
    codex.chmod(0o755)
    (tmp_path / "bin/git").symlink_to(shutil.which("git") or "")
    path = f"{tmp_path / 'bin'}{os.pathsep}{Path(sys.executable).parent}"
    done = repo.gate("providers", PATH=path, ANTHROPIC_API_KEY="", ANTHROPIC_AUTH_TOKEN="")
    assert done.stdout == console("review-gate providers")


def test_the_file_of_the_page_can_be_read() -> None:
    (example,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    (amendment,) = read_amendments(example.encode(), AgentManifest(entries=()), PRFacts(base="", head="", files=()))
    assert (amendment.agent, amendment.files) == ("finance-sme", (SPLIT,))
