"""Answers of reviewers are found again by content, and nothing but what was written is ever found."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import Repo
from hypothesis import given
from hypothesis import strategies as st
from opening import repository_at

from review_gate.shell.answer_cache import MAX_ENTRY_BYTES, AnswerCache, CacheReport, place_in
from review_gate.shell.repository import open_repository

ANSWER = {"findings": [{"message": "näïve \ud800"}], "usd": 0.25, "read": None}
PROCESSES, ROUNDS = 6, 40


def key_of(number: int) -> str:
    return AnswerCache.key_of([str(number)])


def folder_of(repo: Repo) -> Path:
    return repo.path / ".git/review-gate/answers"


def file_of(repo: Repo, key: str) -> Path:
    return folder_of(repo) / key[:2] / key


@pytest.fixture
def cache(repo: Repo) -> AnswerCache:
    return AnswerCache(place_in(repository_at(repo)))


def filled(cache: AnswerCache, repo: Repo, count: int) -> list[str]:
    """So many answers, each a second older than the next."""
    keys = [key_of(number) for number in range(count)]
    for number, key in enumerate(keys):
        cache.put(key, ANSWER)
        os.utime(file_of(repo, key), (1_000_000 + number, 1_000_000 + number))
    return keys


def test_an_answer_is_found_again_as_it_was(repo: Repo, cache: AnswerCache) -> None:
    key = key_of(1)
    assert cache.get(key) is None
    cache.put(key, ANSWER)
    assert cache.get(key) == ANSWER
    assert AnswerCache(place_in(repository_at(repo))).get(key) == ANSWER
    cache.put(key, {"other": 1})
    assert cache.get(key) == {"other": 1}
    assert [str(path.relative_to(folder_of(repo))) for path in folder_of(repo).rglob("*") if path.is_file()] == [
        f"{key[:2]}/{key}"
    ]


def test_work_trees_share_their_answers(repo: Repo, cache: AnswerCache, same_world: None, tmp_path: Path) -> None:
    cache.put(key_of(1), ANSWER)
    repo.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    linked = AnswerCache(place_in(open_repository(str(tmp_path / "linked"))))
    assert linked.get(key_of(1)) == ANSWER
    linked.put(key_of(2), {})
    assert cache.get(key_of(2)) == {}


@given(st.lists(st.text()), st.lists(st.text()))
def test_different_parts_have_different_keys(one: list[str], two: list[str]) -> None:
    assert (AnswerCache.key_of(one) == AnswerCache.key_of(two)) == (one == two)
    assert len(AnswerCache.key_of(one)) == 64


@pytest.mark.parametrize("key", ["", "a" * 63, "A" * 64, "../" + "a" * 61, "a" * 64 + "\n"])
def test_what_is_no_key_is_no_path(cache: AnswerCache, key: str) -> None:
    with pytest.raises(ValueError, match="key_of"):
        cache.get(key)
    with pytest.raises(ValueError, match="key_of"):
        cache.put(key, {})


def test_a_damaged_answer_is_not_used_and_can_be_replaced(repo: Repo, cache: AnswerCache) -> None:
    key = key_of(1)
    cache.put(key, ANSWER)
    path = file_of(repo, key)
    sound = path.read_bytes()
    for damaged in (b"", b"{}", sound[:-5], sound.replace(b"0.25", b"0.26"), sound + b"\n", b"\xff" * 40):
        path.write_bytes(damaged)
        assert damaged != sound
        assert cache.get(key) is None
    cache.put(key, ANSWER)
    assert cache.get(key) == ANSWER


def test_an_answer_that_was_moved_is_no_answer_to_something_else(repo: Repo, cache: AnswerCache) -> None:
    cache.put(key_of(1), ANSWER)
    other = file_of(repo, key_of(2))
    other.parent.mkdir(exist_ok=True)
    file_of(repo, key_of(1)).rename(other)
    assert cache.get(key_of(2)) is None


def test_the_oldest_answers_go_when_there_are_too_many(repo: Repo) -> None:
    cache = AnswerCache(place_in(repository_at(repo)), max_entries=3)
    keys = filled(cache, repo, 5)
    assert [cache.get(key) is not None for key in keys] == [False, False, True, True, True]


def test_the_oldest_answers_go_when_they_are_too_large(repo: Repo) -> None:
    filled(AnswerCache(place_in(repository_at(repo))), repo, 4)
    size = file_of(repo, key_of(0)).stat().st_size
    cache = AnswerCache(place_in(repository_at(repo)), max_bytes=3 * size)
    cache.put(key_of(9), ANSWER)
    assert [cache.get(key_of(number)) is not None for number in (0, 1, 2, 3, 9)] == [False, False, True, True, True]


def test_an_answer_of_unusual_size_is_not_kept(cache: AnswerCache) -> None:
    cache.put(key_of(1), {"text": "a" * MAX_ENTRY_BYTES})
    assert cache.report() == CacheReport()


def test_a_folder_that_cannot_be_made_is_no_obstacle(repo: Repo, cache: AnswerCache) -> None:
    (repo.path / ".git/review-gate").mkdir(exist_ok=True)
    folder_of(repo).write_text("a file")
    cache.put(key_of(1), ANSWER)
    assert (cache.get(key_of(1)), cache.report(), cache.clear()) == (None, CacheReport(), 0)


def test_the_report_counts_answers_and_nothing_else(repo: Repo, cache: AnswerCache) -> None:
    assert cache.report() == CacheReport()
    keys = filled(cache, repo, 3)
    (folder_of(repo) / "notes.txt").write_text("mine")
    (file_of(repo, keys[0]).parent / ".half.tmp").write_text("half")
    report = cache.report()
    assert (report.entries, report.bytes) == (3, sum(file_of(repo, key).stat().st_size for key in keys))
    assert report.oldest is not None
    assert report.newest is not None
    assert (report.oldest.timestamp(), report.newest.timestamp()) == (1_000_000, 1_000_002)


def test_clearing_forgets_every_answer_and_touches_nothing_of_others(repo: Repo, cache: AnswerCache) -> None:
    keys = filled(cache, repo, 3)
    note = folder_of(repo) / "notes.txt"
    note.write_text("mine")
    assert cache.clear() == 3
    assert [cache.get(key) for key in keys] == [None] * 3
    assert note.exists()
    assert cache.clear() == 0
