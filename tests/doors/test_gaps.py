"""review-gate gaps: what was logged, as text and JSON, whatever the log holds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import Repo

from review_gate.pipeline.schema import GapLogEntry
from review_gate.shell.gap_log import append_gaps
from review_gate.shell.repository import open_repository

pytestmark = pytest.mark.usefixtures("same_world")
WHEN = "2026-01-02T03:04:05Z"
HOSTILE = "rounding\x1b]0;owned\x07 \u202e@everyone\nship: approved"


def log(repo: Repo, agent: str, concern: str, *files: str, is_added: bool = True, commit: str = "c" * 40) -> None:
    gap = GapLogEntry(concern=concern, agent=agent, files=files, is_added=is_added, recommendation="x")
    append_gaps(open_repository(str(repo.path)), "run-1", commit, [gap], WHEN)


def shown(repo: Repo, *options: str) -> str:
    done = repo.gate("gaps", *options)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def document(repo: Repo) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(shown(repo, "--format", "json"))
    return found


def test_nothing_logged_is_one_line_that_says_how_gaps_come_about(repo: Repo) -> None:
    assert shown(repo) == (
        "no gaps: nothing was logged; a gap comes about when review-gate run --manifest FILE, or the model that looks "
        "for gaps, adds a reviewer that no policy sent\n"
    )
    assert document(repo) == {"gaps": [], "damaged": 0}


def test_each_gap_is_shown_with_what_to_add(repo: Repo) -> None:
    log(repo, "finance-sme", "Rounding of shares", "lib/ledger/split.py", commit="a" * 40)
    log(repo, "finance-sme", "rounding  of shares", "lib/ledger/close.py", commit="b" * 40)
    log(repo, "build-reviewer", "Clocks go back", "src/clock.py", is_added=False)
    assert shown(repo).splitlines() == [
        "finance-sme: rounding of shares (2 times, last 2026-01-02T03:04:05Z)",
        "  commits: bbbbbbbb, aaaaaaaa",
        "  files:   lib/ledger/close.py, lib/ledger/split.py",
        "  add:     a policy that sends finance-sme to such files",
        "build-reviewer: Clocks go back (once, last 2026-01-02T03:04:05Z)",
        "  commits: cccccccc",
        "  files:   src/clock.py",
        "  add:     a rule of build-reviewer about this",
        "next:  add what you agree with, then review-gate gaps --clear; --format json has an issue text for each gap",
    ]


def test_programs_get_an_issue_text(repo: Repo) -> None:
    log(repo, "finance-sme", "Rounding of shares", "lib/ledger/split.py")
    (gap,) = document(repo)["gaps"]
    assert (gap["agent"], gap["concern"], gap["count"], gap["last"]) == ("finance-sme", "Rounding of shares", 1, WHEN)
    assert (gap["commits"], gap["files"], gap["reviewer_was_there"]) == (["c" * 40], ["lib/ledger/split.py"], False)
    assert gap["issue"]["title"] == "Review gap: finance-sme: Rounding of shares"
    assert gap["suggestion"] == "a policy that sends finance-sme to such files"
    assert gap["suggestion"] in gap["issue"]["body"]


def test_hostile_text_does_nothing_to_a_terminal(repo: Repo) -> None:
    log(repo, "finance-sme", HOSTILE, "lib/\x1b[2J\udcff.py")
    log(repo, "no-such\x1bone", HOSTILE, commit="\x1b[0m")
    log(repo, "build-reviewer", HOSTILE, is_added=False)
    text = shown(repo)
    assert all(letter.isprintable() or letter == "\n" for letter in text)
    assert not any(line.startswith("ship:") for line in text.splitlines())
    assert "rounding\\x1b]0;owned\\x07 <U+202E>@everyone ship: approved" in text
    assert document(repo)["gaps"][2]["concern"] == HOSTILE


def test_clear_forgets_all_and_says_how_many(repo: Repo) -> None:
    assert shown(repo, "--clear") == "there was no gap to forget\n"
    log(repo, "finance-sme", "one")
    log(repo, "finance-sme", "two")
    assert json.loads(shown(repo, "--clear", "--format", "json")) == {"cleared": 2}
    assert shown(repo).startswith("no gaps: ")
