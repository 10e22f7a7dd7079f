"""review-gate cache: how many answers are kept, and forgetting them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from conftest import Repo

from review_gate.shell.answer_cache import AnswerCache, place_in
from review_gate.shell.repository import Repository
from review_gate.shell.user_answers import PLANS, PROMPTS, answers_of_user


def cache_of(repo: Repo) -> AnswerCache:
    git_dir = str(repo.path / ".git")
    return AnswerCache(place_in(Repository(str(repo.path), git_dir, git_dir)))


def fill(repo: Repo) -> None:
    for number in range(3):
        cache_of(repo).put(AnswerCache.key_of([str(number)]), {"text": "x" * 1_000})


def test_an_empty_cache_is_told(repo: Repo) -> None:
    done = repo.gate("cache")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "answers   0 of at most 5,000\nsize      0 bytes of at most 50.0 MB\n"


def test_answers_are_counted_with_their_size_and_age(repo: Repo) -> None:
    fill(repo)
    path = next(path for path in Path(repo.path, ".git/review-gate/answers").rglob("*") if path.is_file())
    old = path.stat().st_mtime - 3 * 86_400 - 60
    os.utime(path, (old, old))
    assert repo.gate("cache").stdout == (
        "answers   3 of at most 5,000\nsize      3.5 kB of at most 50.0 MB\noldest    3 days ago\nnewest    just now\n"
    )


def test_programs_read_the_same_as_json(repo: Repo) -> None:
    fill(repo)
    found = json.loads(repo.gate("cache", "--format", "json").stdout)
    report = cache_of(repo).report()
    assert found == {
        **report.model_dump(mode="json"),
        "max_entries": 5_000,
        "max_bytes": 50_000_000,
        "removed": 0,
    }
    cleared = json.loads(repo.gate("cache", "--clear", "--format", "json").stdout)
    assert (cleared["entries"], cleared["removed"], cleared["oldest"]) == (0, 3, None)


def test_clearing_says_what_is_gone(repo: Repo) -> None:
    fill(repo)
    done = repo.gate("cache", "--clear")
    assert (done.returncode, done.stdout, done.stderr) == (0, "removed 3 answers (3.5 kB)\n", "")
    assert repo.gate("cache", "--clear").stdout == "removed 0 answers (0 bytes)\n"
    assert cache_of(repo).report().entries == 0


@pytest.mark.parametrize(("of", "about"), [("plans", PLANS), ("prompts", PROMPTS)])
def test_answers_about_plans_and_prompts_belong_to_the_user(repo: Repo, of: str, about: str) -> None:
    fill(repo)
    own = answers_of_user(repo.environ, about)
    assert own is not None
    own.put(AnswerCache.key_of(["one"]), {"raw": "x"})
    assert repo.gate("cache", "--of", of).stdout.startswith("answers   1 of at most 5,000\n")
    assert repo.gate("cache", "--of", of, "--clear").stdout.startswith("removed 1 answer (")
    assert (own.report().entries, cache_of(repo).report().entries) == (0, 3)


def test_without_a_home_there_are_no_answers_of_a_user(repo: Repo) -> None:
    done = repo.gate("cache", "--of", "prompts", HOME="", XDG_CACHE_HOME="")
    assert (done.returncode, done.stderr.splitlines()[0]) == (
        1,
        "blocked: there is no folder where answers of yours could be kept",
    )
