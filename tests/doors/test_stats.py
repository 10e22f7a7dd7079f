"""review-gate stats as it is typed: inside and outside of repositories, with a log in any state, in any form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from auditing import entry, log, raw
from conftest import Repo


@pytest.fixture
def home(world: dict[str, str]) -> Path:
    return Path(world["HOME"])


@pytest.fixture
def logs(home: Path) -> Path:
    return home / ".claude/plugins/prompt-review/logs"


@pytest.fixture
def outside(tmp_path: Path, world: dict[str, str]) -> Repo:
    """No repository at all."""
    (tmp_path / "outside").mkdir()
    return Repo(tmp_path / "outside", world | {"GIT_CEILING_DIRECTORIES": str(tmp_path)})


def shown(place: Repo, *options: str, **environ: str) -> str:
    done = place.gate("stats", *options, **environ)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def document(place: Repo, *options: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(shown(place, "--format", "json", *options))
    return found


def test_without_a_log_there_is_a_way_to_get_one(outside: Repo, home: Path) -> None:
    assert shown(outside) == (
        "no prompt review in the log yet\n"
        'next:  review-gate prompt-review "TEXT", which reviews a prompt and logs that it\n'
        "       did\n"
    )
    assert document(outside)["reviews"] == 0
    assert "No prompt review in the log yet." in shown(outside, "--format", "html")
    assert not (home / ".claude").exists()


def test_the_history_outside_of_any_repository(outside: Repo, home: Path) -> None:
    log(home, entry(), entry("2026-02-23", outcome="rejected"), entry("2026-02-23"))
    lines = shown(outside).splitlines()
    assert lines[:5] == [
        "prompt reviews, 2026-02-23 to 2026-02-24, all projects",
        "",
        "reviews       3 on 2 days",
        "approval      67 % of 3 decided: 2 approved, 1 rejected",
        "findings      6: 3 major, 3 nit",
    ]
    found = document(outside)
    assert (found["version"], found["reviews"], found["commits"]) == (1, 3, None)
    assert [day["day"] for day in found["days"]] == ["2026-02-23", "2026-02-24"]


def test_the_reviews_of_commits_of_the_repository_around(repo: Repo) -> None:
    assert document(repo)["commits"] == {"days": [], "damaged": 0}
    repo.review()
    repo.commit("broken", {"broken.py": "("})
    assert repo.gate("run", "--yes").returncode == 1
    repo.git("update-ref", f"refs/review-gate/commits/{'c' * 40}", repo.git("hash-object", "-w", "app.py"))
    (day,) = document(repo)["commits"]["days"]
    assert (day["passed"], day["failed"], day["incomplete"]) == (1, 1, 0)
    text = shown(repo)
    assert text.startswith("no prompt review in the log yet\n")
    assert "reviews of commits of this repository" in text
    assert text.endswith("\nnote:  1 entry of the ledger cannot be read; review-gate doctor names them\n")
    assert document(repo, "--until", "2020-01-01")["commits"]["days"] == []


def test_a_period_and_a_project(outside: Repo, home: Path) -> None:
    log(home, *(entry(f"2026-02-{day}", project="shop" if day > 22 else "infra") for day in range(20, 25)))
    assert document(outside, "--since", "2026-02-21", "--until", "2026-02-23")["reviews"] == 3
    found = document(outside, "--project", "shop")
    assert (found["reviews"], found["project"], found["projects"]) == (2, "shop", {"shop": 2})
    assert document(outside, "--all")["reviews"] == 5
    assert shown(outside, "--since", "1d").startswith("no prompt review in the log: since ")


def test_a_project_that_is_not_there_names_those_that_are(outside: Repo, home: Path) -> None:
    log(home, entry(project="shop-api"), entry(project="in\x1bfra"))
    done = outside.gate("stats", "--project", "shop")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "error: no review of a project called 'shop' is in this part of the log\n"
        "  why:   reviews are there of shop-api and others\n"
        "  next:  review-gate stats --project shop-api\n"
    )
    assert "\x1b" not in outside.gate("stats", "--project", "zzzz").stderr


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--since", "soon"), "error: --since 'soon' is no date\n"),
        (("--until", "2026-02-30"), "error: --until '2026-02-30' is no date\n"),
        (("--since", "2026-02-02", "--until", "2026-02-01"), "error: --since 2026-02-02 is after --until 2026-02-01\n"),
        (("--project", "x", "--all"), "not allowed with argument"),
        (("--format", "sarif"), "invalid choice"),
        (("more",), "unrecognized arguments"),
    ],
    ids=["no date", "no day", "no period", "all of one", "no format", "a word"],
)
def test_misuse_is_exit_2(outside: Repo, options: tuple[str, ...], what: str) -> None:
    done = outside.gate("stats", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert what in done.stderr


def test_damaged_lines_and_files_are_left_out_and_told(outside: Repo, home: Path, logs: Path) -> None:
    log(home, entry())
    with (logs / "2026-02-24.jsonl").open("ab") as file:
        file.write(b"\xff\x00\n" + raw(duration_ms=10**30) + b"\n" + b"[" * 100_000 + b"\n" + b'{"timestamp": "2026')
    (logs / "2026-02-25.jsonl").symlink_to("/etc/passwd")
    lines = shown(outside).splitlines()
    assert lines[-2:] == [
        "note:  4 lines of the log are damaged and left out",
        "note:  1 log file cannot be read: 2026-02-25.jsonl",
    ]
    found = document(outside)
    assert (found["reviews"], found["damaged_lines"]) == (1, 4)
    assert found["unreadable_files"] == ["2026-02-25.jsonl"]


def test_the_result_can_go_into_a_file(outside: Repo, home: Path) -> None:
    log(home, entry())
    done = outside.gate("stats", "--format", "html", "--output", "out")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "written to out\n")
    written = (outside.path / "out").read_text(encoding="utf-8")
    assert written.rstrip("\n") == shown(outside, "--format", "html").rstrip("\n")
