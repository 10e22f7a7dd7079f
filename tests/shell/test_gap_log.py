"""The log of gaps: whole lines, the newest kept, nothing written or read through a link."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Repo

from review_gate.errors import ReviewGateError
from review_gate.pipeline.schema import GapLogEntry
from review_gate.shell.gap_log import append_gaps, clear_gaps, read_gap_log
from review_gate.shell.repository import Repository, open_repository

pytestmark = pytest.mark.usefixtures("same_world")
WHEN = "2026-01-02T03:04:05Z"


def entry(concern: str = "rounding", *files: str) -> GapLogEntry:
    return GapLogEntry(concern=concern, agent="finance-sme", files=files, is_added=True, recommendation="a policy")


@pytest.fixture
def repository(repo: Repo) -> Repository:
    return open_repository(str(repo.path))


def log_of(repository: Repository) -> Path:
    return Path(repository.common_dir, "review-gate/gaps.jsonl")


def concerns(repository: Repository) -> list[str]:
    return [gap.concern for gap in read_gap_log(repository).gaps]


def problem(repository: Repository) -> str:
    with pytest.raises(ReviewGateError) as raised:
        read_gap_log(repository)
    with pytest.raises(ReviewGateError) as written:
        append_gaps(repository, "r", "c", [entry()], WHEN)
    assert written.value.what == raised.value.what
    assert str(log_of(repository)) in raised.value.next_step
    return raised.value.what


def test_what_was_appended_is_read_oldest_first(repository: Repository) -> None:
    assert read_gap_log(repository) == ([], 0)
    append_gaps(repository, "r1", "c" * 40, [], WHEN)
    assert not log_of(repository).exists()
    append_gaps(repository, "r1", "c" * 40, [entry("one", "a\udcff\n.py"), entry("two\u202e")], WHEN)
    append_gaps(repository, "r2", "d" * 40, [entry("three")], WHEN)
    first, *others = read_gap_log(repository).gaps
    assert (first.run, first.commit, first.when, first.agent) == ("r1", "c" * 40, WHEN, "finance-sme")
    assert (first.files, first.file_count, first.is_added) == (("a\udcff\n.py",), 1, True)
    assert [gap.concern for gap in others] == ["two\u202e", "three"]


def test_work_trees_share_the_log(repo: Repo, repository: Repository) -> None:
    repo.git("worktree", "add", "--quiet", "../other")
    append_gaps(open_repository(str(repo.path.parent / "other")), "r", "c", [entry()], WHEN)
    assert concerns(repository) == ["rounding"]


def test_only_the_newest_thousand_are_kept(repository: Repository) -> None:
    append_gaps(repository, "r1", "c", [entry(str(number)) for number in range(999)], WHEN)
    append_gaps(repository, "r2", "c", [entry("a"), entry("b"), entry("c")], WHEN)
    found = concerns(repository)
    assert (len(found), found[0], found[-2:]) == (1_000, "2", ["b", "c"])
    assert len(log_of(repository).read_text().splitlines()) == 1_000


def test_damaged_lines_are_left_out_and_counted(repository: Repository) -> None:
    append_gaps(repository, "r1", "c", [entry("one")], WHEN)
    path = log_of(repository)
    (good,) = path.read_text().splitlines()
    wrong = json.dumps(json.loads(good) | {"version": 2})
    path.write_bytes("\n".join([good, "", "{", "[]", "null", wrong, good[:40]]).encode() + b"\xff")
    assert (concerns(repository), read_gap_log(repository).damaged) == (["one"], 5)
    # The half line at the end does not swallow what comes next.
    append_gaps(repository, "r2", "c", [entry("two")], WHEN)
    assert (concerns(repository), read_gap_log(repository).damaged) == (["one", "two"], 5)


def test_a_link_is_neither_read_nor_written(repository: Repository, tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_text("mine\n")
    log_of(repository).parent.mkdir(exist_ok=True)
    log_of(repository).symlink_to(target)
    assert problem(repository) == "the log of gaps cannot be used: it is a symbolic link"
    with pytest.raises(ReviewGateError):
        clear_gaps(repository)
    assert target.read_text() == "mine\n"


def test_clearing_forgets_all(repository: Repository) -> None:
    assert clear_gaps(repository) == 0
    append_gaps(repository, "r1", "c", [entry("one"), entry("two")], WHEN)
    assert clear_gaps(repository) == 2
    assert (concerns(repository), clear_gaps(repository)) == ([], 0)
