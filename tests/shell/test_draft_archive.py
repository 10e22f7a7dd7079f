"""The folders that drafts are kept in: numbered, private, not too many, and never behind a link."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from conftest import Repo
from opening import repository_at

from review_gate.errors import ReviewGateError
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


def test_what_is_no_iteration_stays(repo: Repo, repository: Repository) -> None:
    folder_of(repo).mkdir(parents=True)
    for path in (repo.path.parent / "d", folder_of(repo) / "notes"):
        path.mkdir()
    (folder_of(repo) / "07").symlink_to(repo.path.parent / "d")
    assert os.path.basename(begin_iteration(repository, "own").folder) == "01"
    assert sorted(os.listdir(folder_of(repo))) == ["01", "07", "notes"]


def test_a_file_in_the_way_is_an_error_and_no_endless_loop(repo: Repo, repository: Repository) -> None:
    folder_of(repo).mkdir(parents=True)
    (folder_of(repo) / "01").write_text("x")
    with pytest.raises(FileExistsError):
        begin_iteration(repository, "own")


def test_a_link_is_not_followed(repo: Repo, repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    folder_of(repo).parent.mkdir(parents=True)
    folder_of(repo).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ReviewGateError, match="is a link, or lies behind one"):
        begin_iteration(repository, "own")


def test_the_log_grows(repository: Repository) -> None:
    iteration = begin_iteration(repository, "own")
    iteration.keep("A.md", "ü\ud800\n")
    iteration.log("asked", generator=1)
    iteration.log("answered", generator=1)
    lines = (Path(iteration.folder) / "log.jsonl").read_text().splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["asked", "answered"]
