"""The audit log: one whole line for each review, never a word of a prompt, and a prompt that goes on where it fails."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from prompting import (
    ALWAYS,
    GUARD,
    NOTHING,
    ONE_GUARD,
    REFINED,
    ROLES,
    TASK,
    Desk,
    adding,
    all_of,
    answer,
    finding,
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


def test_the_same_prompt_has_the_same_hash_and_another_one_another(desk: Desk) -> None:
    desk.claude({"*": NOTHING})
    for prompt in ("one", "one", "two"):
        desk.review(prompt)
    first, second, third = (line["original_prompt_hash"] for line in desk.log())
    assert first == second != third


def test_costs_are_left_out_where_the_settings_want_it(desk: Desk) -> None:
    desk.claude({"*": NOTHING})
    desk.repo.write(".claude/prompt-review.json", '{"budget": {"log_costs": false}}')
    desk.review(TASK)
    assert [line["cost"] for line in desk.log()] == [None]


def test_what_nobody_decided_within_a_day_is_logged_as_undecided(desk: Desk) -> None:
    name = id_in(desk.review(TASK).stdout)
    waiting = desk.cache / f"prompt-reviews/{name}.proposed.json"
    old = time.time() - DAY_SECONDS - 60
    os.utime(waiting, (old, old))
    desk.review(" ")
    assert (desk.outcomes(), desk.waiting()) == (["not_reviewed", "undecided"], [])
    assert desk.review("decide", name, "yes").returncode == 2
    assert len(desk.log()) == 2


def test_eight_at_once_write_eight_whole_lines(desk: Desk) -> None:
    desk.claude({"*": NOTHING})
    desk.repo.write(".claude/prompt-review.json", '{"preset": "quick"}')
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda number: desk.repo.gate("prompt-review", f"prompt {number}"), range(8)))
    assert [(one.returncode, one.stderr) for one in done] == [(0, "")] * 8
    assert desk.outcomes() == ["unchanged"] * 8
    assert len({line["original_prompt_hash"] for line in desk.log()}) == 8


def test_of_several_who_decide_at_once_one_does(desk: Desk) -> None:
    name = id_in(desk.review(TASK).stdout)
    with ThreadPoolExecutor(6) as pool:
        done = list(pool.map(lambda _: desk.repo.gate("prompt-review", "decide", name, "yes"), range(6)))
    assert sorted((one.returncode, one.stdout) for one in done) == [(0, REFINED), *[(2, "")] * 5]
    assert desk.outcomes() == ["approved"]


# Places where nothing can be written


def block(path: Path) -> None:
    """A file where a folder should be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("in the way")


def test_a_log_folder_that_is_a_file_costs_one_warning(desk: Desk) -> None:
    block(desk.logs)
    name = id_in(desk.review(TASK).stdout)
    done = desk.review("decide", name, "yes")
    assert all_of(done) == (
        0,
        REFINED,
        f"warning: the review was not logged: {desk.logs}: File exists (see what stands at {desk.logs}, and move it"
        " away)\n",
    )
    assert desk.waiting() == []


def test_a_log_folder_that_is_a_link_to_one_is_not_written_to(desk: Desk) -> None:
    elsewhere = desk.repo.path.parent / "elsewhere"
    elsewhere.mkdir()
    desk.logs.parent.mkdir(parents=True)
    desk.logs.symlink_to(elsewhere)
    desk.claude({"*": NOTHING})
    done = desk.review(TASK)
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert done.stderr.startswith(
        f"warning: the review was not logged: {desk.logs}: it is not a folder but a link to one ("
    )
    assert list(elsewhere.iterdir()) == []


def test_a_store_that_is_a_file_costs_one_warning_and_no_promise_is_made(desk: Desk) -> None:
    block(desk.cache / "prompt-reviews")
    done = desk.review(TASK)
    assert done.returncode == 0
    assert f"| - {GUARD}\n" in done.stdout
    assert "decide" not in done.stdout
    store = desk.cache / "prompt-reviews"
    assert done.stderr == (
        f"warning: the review cannot wait for a decision: {store}: File exists (look at what is there, its owner"
        f" and mode (ls -ld {desk.cache} {store}), then the same command again); take the refined prompt from here\n"
    )
    assert desk.outcomes() == ["undecided"]
    assert desk.document(TASK)["next"] == ""


def test_a_review_that_is_too_long_to_be_kept_is_shown_and_cannot_wait(desk: Desk) -> None:
    def wishes(role: str) -> list[dict[str, Any]]:
        value = f"{{}}-{{}} {role} {chr(0x5B57) * 3_950}"
        ops = [{"op": "AddContext", "target": "context"} for _ in range(20)]
        return [
            finding(*({**op, "value": value.format(number, one)} for one, op in enumerate(ops))) for number in range(5)
        ]

    desk.claude({role: answer(*wishes(role)) for role in ROLES})
    done = desk.review("--preset", "all", TASK)
    assert (done.returncode, "decide" in done.stdout) == (0, False)
    assert re.fullmatch(
        r"warning: the review cannot wait for a decision: it has [0-9,]+ bytes, and more than 20,000,000 are not kept"
        r" \(review a shorter prompt\); take the refined prompt from here\n",
        done.stderr,
    )
    assert (desk.waiting(), desk.outcomes()) == ([], ["undecided"])


def test_without_a_home_the_review_is_shown_and_cannot_wait(desk: Desk) -> None:
    done = desk.review(TASK, HOME="", XDG_CACHE_HOME="")
    assert (done.returncode, "decide" in done.stdout, f"| - {GUARD}\n" in done.stdout) == (0, False, True)
    assert done.stderr == (
        "warning: the review cannot wait for a decision: there is no home folder (set HOME, then the same command"
        " again); take the refined prompt from here\n"
    )


def test_without_a_home_a_prompt_that_is_not_reviewed_goes_on_with_two_lines(desk: Desk) -> None:
    done = desk.review(" ", HOME="", XDG_CACHE_HOME="")
    assert all_of(done) == (
        0,
        " ",
        "warning: there is no audit log: HOME is not set to a folder (set HOME, then the same command again)\n"
        "prompt review: the prompt goes on as it is: the prompt is empty\n",
    )


needs_tmpfs = pytest.mark.skipif(
    os.name == "nt" or os.getuid() != 0 or not os.path.exists("/proc/mounts"), reason="it mounts a small disk"
)


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Path:
    """A folder on a small disk of its own."""
    path = tmp_path / "disk"
    path.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "none", str(path)], check=False)
    if mounted.returncode != 0:
        pytest.skip("nothing may be mounted here")
    return path


@needs_tmpfs
@pytest.mark.parametrize("options", ["full", "ro"])
def test_a_home_that_is_full_or_read_only_lets_the_prompt_go_on(desk: Desk, tiny_disk: Path, options: str) -> None:
    environ = {"HOME": str(tiny_disk), "XDG_CACHE_HOME": str(tiny_disk)}
    try:
        early = id_in(desk.review(TASK, **environ).stdout)
        if options == "full":
            with pytest.raises(OSError, match="No space left"), (tiny_disk / "filler").open("wb", buffering=0) as file:
                while file.write(b"x" * 65_536):
                    pass
        else:
            subprocess.run(["mount", "-o", "remount,ro", str(tiny_disk)], check=True)
        said = "No space left on device" if options == "full" else "Read-only file system"
        for prompt, ending in ((TASK, f"| - {GUARD}\n"), (" ", "")):
            done = desk.review(prompt, **environ)
            assert (done.returncode, ending in done.stdout) == (0, True)
            warnings = [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
            assert len(warnings) == 1
            assert said in warnings[0]
        assert desk.review(" ", **environ).stdout == " "
        decided = desk.review("decide", early, "yes", **environ)
        assert (decided.returncode, decided.stdout) == (0, REFINED)
        assert (decided.stderr.count("\n"), said in decided.stderr) == (1, True)
        found = json.loads(desk.review("--format", "json", TASK, CLAUDECODE="1", **environ).stdout)
        assert (found["status"], found["prompt"], said in found["why"]) == ("not_reviewed", TASK, True)
    finally:
        subprocess.run(["umount", str(tiny_disk)], check=True)
