"""The folders that drafts are kept in: numbered, private, not too many, and never behind a link."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from conftest import Repo
from opening import repository_at

from review_gate.shell.draft_archive import MOST_KEPT, begin_iteration
from review_gate.shell.repository import Repository


@pytest.fixture
def repository(repo: Repo) -> Repository:
    return repository_at(repo)


def folder_of(repo: Repo) -> Path:
    return repo.path / ".git/review-gate/drafts/own"


def test_the_oldest_goes_and_no_number_comes_back(repo: Repo, repository: Repository) -> None:
    begin_iteration(repository, "own")
    for number in range(2, MOST_KEPT + 2):
        (folder_of(repo) / f"{number:02}").mkdir()
    made = begin_iteration(repository, "own")
    kept = sorted(os.listdir(folder_of(repo)), key=int)
    assert (os.path.basename(made.folder), len(kept), kept[0]) == (str(MOST_KEPT + 2), MOST_KEPT, "03")
    (folder_of(repo) / "99").mkdir()
    assert os.path.basename(begin_iteration(repository, "own").folder) == "100"


def test_the_log_grows(repository: Repository) -> None:
    iteration = begin_iteration(repository, "own")
    iteration.keep("A.md", "ü\ud800\n")
    iteration.log("asked", generator=1)
    iteration.log("answered", generator=1)
    lines = (Path(iteration.folder) / "log.jsonl").read_text().splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["asked", "answered"]
