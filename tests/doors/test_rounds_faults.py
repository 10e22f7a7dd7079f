"""Faults of reviews in rounds: each ends in a named state, leaves no process, and changes nothing that is reviewed."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import TIMEOUT, Repo
from rounding import SPAWN, Rounds, rounds_in, staged, untouched
from running import catches, wait_until_gone
from voting import NAMES, PASS, Voters, finding, says

# As many as two programs may need to start on a busy machine.
SOON = {"REVIEW_GATE_ROUNDS__ANSWER_SECONDS": "6"}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Voters:
    return staged(tmp_path_factory.mktemp("stage"))


@pytest.fixture
def rounds(repo: Repo, stage: Voters) -> Iterator[Rounds]:
    found = rounds_in(repo, stage)
    yield found
    found.assert_nothing_runs()


def hanging(rounds: Rounds, **environ: str) -> str:
    """A review whose reviewers never answer."""
    for name in NAMES:
        rounds.voters.play(name, trouble="hang")
    return rounds.spawn(**environ)


def answering(rounds: Rounds) -> None:
    for name in NAMES:
        rounds.voters.play(name, PASS)


def votes(rounds: Rounds, review: str) -> dict[str, str]:
    return {name: one["vote"] for name, one in rounds.read(review)["reviewers"].items()}


def problems(rounds: Rounds, review: str) -> dict[str, str]:
    return {name: one["problem"] for name, one in rounds.read(review)["reviewers"].items()}


def test_a_reviewer_that_is_missing_is_named_and_has_no_vote(rounds: Rounds, stage: Voters) -> None:
    program = next(Path(part) / "gemini" for part in stage.path.split(os.pathsep) if part.endswith("/gemini"))
    program.rename(program.with_name("away"))
    try:
        done = rounds.gate(*SPAWN)
        (review,) = (one["id"] for one in rounds.told("rounds", "list"))
        assert done.stderr == "warning: gemini is not asked: gemini is not on PATH\n"
        assert rounds.told(*SPAWN)["not_asked"] == {"gemini": "gemini is not on PATH"}
        assert rounds.check(code=0)["outcome"] == "agreed"
    finally:
        program.with_name("away").rename(program)
    assert votes(rounds, review) == {"codex": "pass", "gemini": "none", "claude": "pass"}
    assert "  gemini: no vote (gemini is not on PATH)\n" in rounds.gate("rounds", "show", review).stdout
    assert rounds.gate("rounds", "replay", review).returncode == 0
    log = (rounds.folder(review) / "log.jsonl").read_text().splitlines()
    assert json.loads(log[0])["not_asked"] == {"gemini": "gemini is not on PATH"}


def test_who_hangs_or_dies_is_given_up_and_the_others_decide(rounds: Rounds) -> None:
    rounds.voters.play("codex", trouble="hang")
    rounds.voters.play("gemini", PASS, trouble="killed")
    with untouched(rounds.repo):
        review = rounds.spawn(**SOON)
        found = rounds.check(code=1)
    assert (found["outcome"], found["status"]) == ("needs_person", "awaiting_decision")
    assert found["reason"] == "1 of 2 reviewers have voted that have to, 2 could not"
    assert problems(rounds, review)["codex"].startswith("timeout: codex gave no answer")
    assert votes(rounds, review) == {"codex": "none", "gemini": "none", "claude": "pass"}
    assert "it was ended by signal 9" in problems(rounds, review)["gemini"]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "interrupted"])
def test_nothing_is_left_of_whoever_asked_and_who_is_missing_is_asked_again(rounds: Rounds, number: int) -> None:
    rounds.voters.play("codex", says(finding()))
    for name in ("gemini", "claude"):
        rounds.voters.play(name, trouble="hang")
    with untouched(rounds.repo):
        review = rounds.spawn()
        asker = rounds.asker(review)
        rounds.wait_until((rounds.folder(review) / "01/codex.answer.json").exists)
        os.kill(asker, number)
        assert wait_until_gone(asker, *rounds.programs()) == []
    for name in NAMES:
        rounds.voters.play(name, PASS)
    done = rounds.gate("check")
    words = f"warning: the process that asked for {review} ended early: interrupted: the round is not asked any more\n"
    assert done.stderr == (words if number == signal.SIGTERM else "")
    assert rounds.check(code=1)["outcome"] == "fix"
    # Whoever has answered is not asked again.
    assert [len(rounds.voters.prompts(name)) for name in NAMES] == [0, 1, 1]


def test_a_review_goes_on_without_who_began_it_or_waits_for_it(rounds: Rounds) -> None:
    for name in NAMES:
        rounds.voters.play(name, trouble="hang")
    with rounds.start(*SPAWN, "--wait") as spawner:
        rounds.wait_for_programs()
        spawner.kill()
    (review,) = (one["id"] for one in rounds.told("rounds", "list"))
    with rounds.start("check", "--wait") as waiting:
        assert waiting.stderr is not None
        rounds.wait_until(lambda: catches(waiting.pid, signal.SIGTERM))
        waiting.send_signal(signal.SIGTERM)
        assert waiting.wait(TIMEOUT) == 130
        assert waiting.stderr.read().endswith(
            "interrupted: the reviewers go on; review-gate check shows what they say\n"
        )
    assert rounds.told("check", code=1)["reviews"][0]["waiting_for"] == 3
    assert rounds.gate("rounds", "close", review, "--because", "too slow").returncode == 0
    rounds.assert_nothing_runs()


def test_two_who_begin_the_same_at_once_begin_one_review(rounds: Rounds) -> None:
    both = [rounds.start(*SPAWN, "--format", "json") for _ in range(2)]
    told = [json.loads(one.communicate(timeout=TIMEOUT)[0]) for one in both]
    assert len({one["id"] for one in told}) == 1
    assert sorted(one["is_new"] for one in told) == [False, True]
    found = [rounds.start("check", told[0]["id"], "--wait") for _ in range(2)]
    assert [one.communicate(timeout=TIMEOUT)[0].count("agreed") for one in found] == [1, 1]
    assert [len(rounds.voters.prompts(name)) for name in NAMES] == [1, 1, 1]


def test_a_reviewer_that_writes_wherever_it_can_finds_no_reviewed_file(rounds: Rounds) -> None:
    rounds.voters.play("gemini", PASS, trouble="intrude")
    path = str(rounds.repo.path)
    with untouched(rounds.repo):
        rounds.spawn(PWD=path, OLDPWD=path, GIT_DIR=f"{path}/.git")
        rounds.check(code=0)
    for call in rounds.voters.calls("gemini"):
        assert call["found"] == []
        assert not [name for name, value in call["environ"].items() if value.startswith(str(rounds.repo.path))]
        assert str(rounds.repo.path) not in call["prompt"] + call["folder"] + "".join(call["arguments"])


DAMAGE = {
    "a state that is none": ("state.json", "{"),
    "a state of another shape": ("state.json", "[]"),
    "no question": ("01/request.json", None),
    "a question of another shape": ("01/request.json", "{}"),
    "an answer that is none": ("01/codex.answer.json", "\x00"),
    "a decision that is none": ("01/decision.json", "null"),
    "a question to somebody elsewhere": ("01/request.json", ("codex", "../../codex")),
    "a forged decision": ("01/decision.json", ('"outcome": "fix"', '"outcome": "agreed"')),
    "an answer that was exchanged": ("01/claude.answer.json", ("major", "info")),
}


def test_files_that_are_damaged_or_forged_are_told_and_never_agreed(rounds: Rounds, tmp_path: Path) -> None:
    rounds.voters.play("claude", says(finding()))
    review = rounds.spawn()
    rounds.check(code=1)
    folder, kept = rounds.folder(review), tmp_path / "kept"
    folder.rename(kept)
    for name, (file, change) in DAMAGE.items():
        shutil.copytree(kept, folder)
        path = folder / file
        if change is None:
            path.unlink()
        else:
            path.write_text(change if isinstance(change, str) else path.read_text().replace(*change))
        for arguments in (("check",), ("check", review), ("rounds", "replay", review), ("rounds", "list")):
            done = rounds.gate(*arguments)
            assert done.returncode == (0 if "list" in arguments else 1), name
            assert "agreed\n" not in done.stdout, name
        shutil.rmtree(folder)


def test_a_damaged_review_keeps_no_other_from_being_told(rounds: Rounds) -> None:
    review = rounds.spawn()
    broken = rounds.home / "code-00000000"
    broken.mkdir(mode=0o700)
    (broken / "state.json").write_text("{")
    done = rounds.gate("check", "--wait", "--format", "json")
    told = json.loads(done.stdout)
    assert (done.returncode, [one["outcome"] for one in told["reviews"]]) == (1, ["agreed"])
    assert told["problems"][0]["what"].startswith("the review code-00000000 cannot be read: state.json: ")
    assert rounds.told("rounds", "list")[0]["id"] == review


@pytest.mark.parametrize("what", ["a link", "open to others"])
def test_a_folder_that_is_not_ours_is_not_used(rounds: Rounds, tmp_path: Path, what: str) -> None:
    rounds.home.parent.mkdir(exist_ok=True)
    (tmp_path / "elsewhere").mkdir()
    if what == "a link":
        rounds.home.symlink_to(tmp_path / "elsewhere")
    else:
        rounds.home.mkdir()
        rounds.home.chmod(0o777)
    done = rounds.gate(*SPAWN)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"blocked: {rounds.home}: ")
    assert os.listdir(tmp_path / "elsewhere") == []
    assert rounds.gate("check").stderr.startswith(f"blocked: {rounds.home} is no folder of ours")
