"""The audit log: one whole line for each review, never a word of a prompt, and a prompt that goes on where it fails."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest
from conftest import Repo
from prompting import (
    ALWAYS,
    GUARD,
    ONE_GUARD,
    REFINED,
    TASK,
    Desk,
    adding,
    answer,
    id_in,
)

from review_gate.prompts.history.audit import AuditEntry

SECRET_WORD = "zyzzyva"
DAY_SECONDS = 86_400


@pytest.fixture
def desk(repo: Repo) -> Desk:
    return Desk(repo).claude(ONE_GUARD)


def test_a_line_has_metadata_and_a_hash_and_no_word_of_anybody(desk: Desk) -> None:
    prompt = f"{TASK}, {SECRET_WORD}"
    finding = adding(f"{GUARD} {SECRET_WORD}", severity="blocker", issue=SECRET_WORD, evidence=SECRET_WORD)
    desk.claude({"security": answer(finding), "clarity": 429})
    desk.review("decide", desk.document(prompt)["id"], "yes")
    (path,) = desk.logs.glob("*.jsonl")
    assert SECRET_WORD not in path.read_text()
    (line,) = desk.log()
    assert re.fullmatch(r"[0-9a-f]{32}", line["original_prompt_hash"])
    assert (path.stem, line["project"], line["mode"], line["trigger"]) == (
        line["timestamp"][:10],
        "repo",
        "subscription",
        "cli",
    )
    assert (line["reviewers_active"], line["reviewers_failed"]) == ([*ALWAYS], ["clarity"])
    assert (line["findings"], line["severity_max"], line["outcome"]) == (
        {"security": {"blocker": 1}},
        "blocker",
        "approved",
    )
    assert line["cost"] == {"input_tokens": 4000, "output_tokens": 400, "usd": 0.0}
    assert AuditEntry.model_validate(line).findings_count == 1


def test_what_nobody_decided_within_a_day_is_logged_as_undecided(desk: Desk) -> None:
    name = id_in(desk.review(TASK).stdout)
    waiting = desk.cache / f"prompt-reviews/{name}.proposed.json"
    old = time.time() - DAY_SECONDS - 60
    os.utime(waiting, (old, old))
    desk.review(" ")
    assert (desk.outcomes(), desk.waiting()) == (["not_reviewed", "undecided"], [])
    assert desk.review("decide", name, "yes").returncode == 2
    assert len(desk.log()) == 2


# Places where nothing can be written


def block(path: Path) -> None:
    """A file where a folder should be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("in the way")


def test_a_log_folder_that_is_a_file_costs_one_warning(desk: Desk) -> None:
    block(desk.logs)
    name = id_in(desk.review(TASK).stdout)
    done = desk.review("decide", name, "yes")
    assert (done.returncode, done.stdout) == (0, REFINED)
    assert done.stderr.startswith(
        f"warning: the review was not logged: {desk.logs}: File exists (look at what is there"
    )
    assert desk.waiting() == []


def test_without_a_home_the_review_is_shown_and_cannot_wait(desk: Desk) -> None:
    done = desk.review(TASK, HOME="", XDG_CACHE_HOME="")
    assert (done.returncode, "decide" in done.stdout, f"| - {GUARD}\n" in done.stdout) == (0, False, True)
    assert done.stderr == (
        "warning: the review cannot wait for a decision: there is no home folder (set HOME, then the same command"
        " again); take the refined prompt from here\n"
    )
