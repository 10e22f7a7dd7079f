"""The results of the last runs: found by their ids or as the last one, and nothing else is."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from conftest import Repo
from opening import repository_at

from review_gate.errors import MisuseError, ReviewGateError
from review_gate.shell.repository import Repository, open_repository
from review_gate.shell.run_archive import id_of, list_runs, read_run, write_run

ONE, TWO = "1" * 32, "2" * 32
DOCUMENT = {"version": 1, "findings": ["näïve \ud800"], "usd": None}


def folder_of(repo: Repo) -> Path:
    return repo.path / ".git/review-gate/runs"


@pytest.fixture
def repository(repo: Repo) -> Repository:
    return repository_at(repo)


def written(repo: Repo, repository: Repository, run_id: str, second: int, document: dict[str, object]) -> None:
    write_run(repository, run_id, document)
    os.utime(folder_of(repo) / f"{run_id}.json", (second, second))


def refusal(repository: Repository, run_id: str) -> tuple[str, str, str]:
    with pytest.raises(ReviewGateError) as raised:
        read_run(repository, id_of(repository, run_id))
    return raised.value.what, raised.value.why, raised.value.next_step


def test_a_run_is_found_by_its_id_and_the_last_one_by_that_word(repo: Repo, repository: Repository) -> None:
    written(repo, repository, TWO, 1_000, {"number": 2})
    written(repo, repository, ONE, 2_000, DOCUMENT)
    assert read_run(repository, TWO) == {"number": 2}
    assert read_run(repository, id_of(repository, "last")) == read_run(repository, ONE) == DOCUMENT
    assert [(run.id, run.written.timestamp()) for run in list_runs(repository)] == [(ONE, 2_000), (TWO, 1_000)]
    assert repo.git("status", "--porcelain") == ""


def test_a_run_is_one_file_that_people_can_read(repo: Repo, repository: Repository) -> None:
    write_run(repository, ONE, DOCUMENT)
    assert [path.name for path in folder_of(repo).iterdir()] == [f"{ONE}.json"]
    assert json.loads((folder_of(repo) / f"{ONE}.json").read_text()) == DOCUMENT
    write_run(repository, ONE, {"again": True})
    assert read_run(repository, ONE) == {"again": True}


def test_the_newest_fifty_are_kept(repo: Repo, repository: Repository) -> None:
    for number in range(53):
        written(repo, repository, f"{number:032x}", 1_000 + number, {"number": number})
    assert [int(run.id, 16) for run in list_runs(repository)] == list(range(52, 2, -1))


def test_each_work_tree_has_runs_of_its_own(
    repo: Repo, repository: Repository, same_world: None, tmp_path: Path
) -> None:
    write_run(repository, ONE, DOCUMENT)
    repo.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    linked = open_repository(str(tmp_path / "linked"))
    assert list_runs(linked) == []
    write_run(linked, TWO, {"linked": True})
    assert read_run(linked, id_of(linked, "last")) == {"linked": True}
    assert read_run(repository, id_of(repository, "last")) == DOCUMENT


@pytest.mark.parametrize(
    "run_id", ["", "../../config", "a" * 31, "A" * 32, "a" * 32 + "\n", "/etc/passwd", "Last", "g" * 32]
)
def test_what_is_no_id_is_no_path(repo: Repo, repository: Repository, run_id: str) -> None:
    with pytest.raises(MisuseError) as raised:
        write_run(repository, run_id, {})
    told = raised.value
    assert (
        refusal(repository, run_id)
        == (told.what, told.why, told.next_step)
        == (
            f"{run_id!r} is not the id of a run",
            "an id is 32 digits of 0-9 and a-f, as a run tells it",
            "the id of a run, or the word last",
        )
    )
    assert not folder_of(repo).exists()


def test_a_run_that_is_not_there_is_told(repository: Repository) -> None:
    assert refusal(repository, "last") == (
        "there is no run to look at in this work tree",
        "the results of the last 50 runs are kept, and there are none",
        "review-gate run",
    )
    write_run(repository, ONE, {})
    assert refusal(repository, TWO) == (
        f"there is no run {TWO} in this work tree",
        "only the results of the last 50 runs are kept, each in the work tree of its run",
        "review-gate run",
    )


DAMAGE = {
    "cut off": (b'{"a": ', "not JSON at character 6"),
    "empty": (b"", "not JSON at character 0"),
    "a list": (b"[]", "it is no object"),
    "no text": (b"\xff", "not UTF-8 at byte 0"),
}


@pytest.mark.parametrize(("data", "what"), DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_run_is_told(repo: Repo, repository: Repository, data: bytes, what: str) -> None:
    write_run(repository, ONE, DOCUMENT)
    (folder_of(repo) / f"{ONE}.json").write_bytes(data)
    for name in (ONE, "last"):
        assert refusal(repository, name) == (
            f"the result of run {ONE} cannot be used: {what}",
            "the file was damaged or is not ours; the review itself is in the ledger",
            "review-gate run, or review-gate status",
        )


def test_a_run_that_cannot_be_written_is_told(repo: Repo, repository: Repository) -> None:
    (repo.path / ".git/review-gate").mkdir(exist_ok=True)
    folder_of(repo).write_text("a file")
    with pytest.raises(ReviewGateError) as raised:
        write_run(repository, ONE, {})
    assert raised.value.what == f"the result of run {ONE} cannot be kept: File exists"
    assert raised.value.next_step == "review-gate status"
