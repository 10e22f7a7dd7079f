"""Reviews in rounds from end to end: three programs that disagree, then agree, on whatever is reviewed."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from rounding import SETTINGS, SPAWN, Rounds, rounds_in, staged
from voting import NAMES, PASS, Voters, finding, says

SUM = finding(message="The sum is wrong.")


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Voters:
    return staged(tmp_path_factory.mktemp("stage"))


@pytest.fixture
def rounds(repo: Repo, stage: Voters) -> Rounds:
    return rounds_in(repo, stage)


def test_reviewers_disagree_the_code_is_mended_and_they_agree(rounds: Rounds) -> None:
    rounds.voters.play("codex", says(SUM), PASS)
    rounds.voters.play("gemini", says({**SUM, "severity": "critical", "message": "It has to be 3."}), PASS)
    begun = rounds.told(*SPAWN)
    assert begun["reviewers"] == list(NAMES)
    first = rounds.check(code=1)
    assert (first["outcome"], first["place"], first["round"], first["next"].split(",")[0]) == (
        "fix",
        "code",
        1,
        "fix them in the code (related code too",
    )
    # Told once, in the words of who finds it worst.
    assert [(one["message"], one["told_by"]) for one in first["findings"]] == [("It has to be 3.", 2)]
    feedback = Path(first["feedback"]).read_text()
    assert "It has to be 3." in feedback
    assert not [name for name in NAMES if name in feedback + json.dumps(first)]
    rounds.repo.write("app.py", "x = 3\n")
    second = rounds.check(code=0)
    assert (second["outcome"], second["round"], second["status"]) == ("agreed", 2, "resolved")
    asked = {name: rounds.voters.prompts(name) for name in NAMES}
    assert {len(prompts) for prompts in asked.values()} == {2}
    for before, after in asked.values():
        # Nobody sees what another one says in the same round.
        assert ("+x = 2" in before, "It has to be 3." in before) == (True, False)
        assert ("+x = 3" in after, "+x = 2" in after, "It has to be 3." in after) == (True, False, True)
    assert_kept(rounds, begun["id"])


def test_what_was_found_in_what_has_changed_meanwhile_is_told_once(rounds: Rounds) -> None:
    rounds.voters.play("codex", says(SUM), PASS)
    review = rounds.spawn()
    rounds.wait_for_answers(review)
    rounds.repo.write("app.py", "x = 3\n")
    found = rounds.check(code=0)
    (untold,) = found["untold"]
    assert (found["round"], untold["round"], untold["findings"]) == (2, 1, 1)
    assert "The sum is wrong." in Path(untold["feedback"]).read_text()


def assert_kept(rounds: Rounds, review: str) -> None:
    """What is there after two rounds, in the shape of the design, for its owner alone."""
    state = rounds.read(review)
    assert {"version", "status", "trigger_source", "mode", "reviewers", "consensus"} < state.keys()
    assert (state["status"], state["trigger_source"]) == ("resolved", "code-review-iterative")
    assert (state["mode"]["type"], state["mode"]["diff_args"]) == ("code-diff", "--uncommitted")
    assert rounds.told("rounds", "replay", review) == [
        {"round": 1, "agrees": True, "outcome": "fix"},
        {"round": 2, "agrees": True, "outcome": "agreed"},
    ]
    assert [one["id"] for one in rounds.told("rounds", "list")] == [review]
    shown = rounds.told("rounds", "show", review)
    assert [one["votes"]["codex"] for one in shown["rounds"]] == ["fail", "pass"]
    folder = rounds.folder(review)
    assert rounds.gate("rounds", "replay", review).stdout == "round 1: fix: the same\nround 2: agreed: the same\n"
    assert rounds.gate("check").stdout == "no review is open\n"
    events = [json.loads(line)["event"] for line in (folder / "log.jsonl").read_text().splitlines()]
    assert [events[0], events.count("answered"), events.count("decided"), events[-1]] == ["spawned", 6, 2, "resolved"]
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*") if path.is_file()}
    assert (modes, stat.S_IMODE(folder.stat().st_mode), stat.S_IMODE((folder / "01").stat().st_mode)) == (
        {0o600},
        0o700,
        0o700,
    )


def test_a_change_is_named_by_a_commit_and_a_prompt_is_added(rounds: Rounds) -> None:
    commit = rounds.repo.commit("one", {"new.py": "y = 1\n", "app.py": "x = 1\n"})
    rounds.repo.commit("two", {"new.py": "y = 2\n"})
    begun = rounds.told("spawn-code-review", "--commit", "HEAD~1", "--prompt", "Look at <b>y</b>.")
    advice = f"put fixes into fixup commits: git commit --fixup={commit[:8]}, later git rebase -i --autosquash"
    assert begun["suggestion"].startswith(advice)
    assert rounds.check(code=0)["outcome"] == "agreed"
    (prompt,) = rounds.voters.prompts("claude")
    assert ("+y = 1" in prompt, "Moreover: Look at <b>y</b>." in prompt) == (True, True)


def test_a_plan_outside_a_repository_is_reviewed_until_they_agree(rounds: Rounds, tmp_path: Path) -> None:
    outside = rounds.at(tmp_path / "outside")
    outside.repo.write(".review-gate.yaml", json.dumps(SETTINGS))
    plan = outside.repo.write("plan.md", "# Plan\n\nBuild it on Sunday.\n")
    late = finding(file="plan.md", line=3, quote="Build it on Sunday.", message="Sunday is too late.")
    rounds.voters.play("claude", says(late), PASS)
    cache: dict[str, Any] = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    (first,) = outside.told("spawn-plan-review", "plan.md", "--wait", code=1, **cache)["reviews"]
    assert (first["type"], first["outcome"], first["next"].split(",")[0]) == ("plan", "fix", "fix them in the plan")
    plan.write_text("# Plan\n\nBuild it on Friday.\n")
    (second,) = outside.told("check", "--wait", **cache)["reviews"]
    assert (second["outcome"], second["round"]) == ("agreed", 2)
    assert ["Build it on Friday." in one for one in rounds.voters.prompts("codex")] == [False, True]
    assert outside.told("rounds", "list", **cache)[0]["mode"]["plan_path"] == str(plan)


def test_several_reviews_go_on_at_once_and_each_work_tree_sees_its_own(rounds: Rounds, tmp_path: Path) -> None:
    rounds.repo.git("worktree", "add", "--quiet", str(tmp_path / "linked"), "-b", "other")
    linked = rounds.at(tmp_path / "linked")
    linked.repo.write("app.py", "x = 7\n")
    rounds.repo.write("report.md", "All is well.\n")
    own = {rounds.spawn(), rounds.spawn("spawn-plan-review", "--artifact", "report.md")}
    theirs = linked.spawn()
    assert {one["id"] for one in rounds.told("check", "--wait")["reviews"]} == own
    refused = rounds.gate("check", theirs)
    assert (refused.returncode, refused.stderr.splitlines()[0]) == (
        2,
        f"error: {theirs} is a review of another work tree: {linked.repo.path}",
    )
    assert [one["id"] for one in linked.told("check", "--wait")["reviews"]] == [theirs]
    assert {one["id"] for one in rounds.told("rounds", "list")} == own | {theirs}
