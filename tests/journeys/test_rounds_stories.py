"""Stories of reviews in rounds by three scripted models, and of drafts by the same three."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from journey import Journey
from voting import NAMES, PASS, Voters, finding, says

SETTINGS: dict[str, Any] = {"checks": {"packs": []}, "models": {"names": {name: f"{name}-test" for name in NAMES}}}
SUM = finding(message="The sum is wrong.")
SPAWN = "review-gate spawn-code-review --uncommitted"
CHECK = "review-gate check --wait"


class Table:
    """A story in which app.py was changed, and the three who vote on it; by themselves they pass all of it."""

    def __init__(self, story: Journey) -> None:
        self.story = story
        self.voters = Voters(story.repo)
        story.repo.environ["PATH"] = self.voters.path
        self.settings()
        story.commit("Begin", {"app.py": "x = 1\n"})
        story.repo.write("app.py", "x = 2\n")

    def settings(self, **rounds: Any) -> None:
        """Set how the rounds go."""
        self.story.repo.write(".review-gate.yaml", json.dumps({**SETTINGS, "rounds": rounds}))

    def check(self) -> dict[str, Any]:
        """Wait until a round is decided; the only review there is, for people and for programs."""
        self.story.type(CHECK)
        (found,) = self.story.json(f"{CHECK} --format json")["reviews"]
        return dict(found)

    @property
    def review(self) -> str:
        """The id of the latest review."""
        return str(json.loads(self.story.repo.gate("rounds", "list", "--format", "json").stdout)[0]["id"])

    def look_back(self, review: str) -> None:
        """Record all that can be seen of a review later."""
        for verb in ("list", f"show {review}", f"replay {review}"):
            self.story.type(f"review-gate rounds {verb}")
            self.story.json(f"review-gate rounds {verb} --format json")


@pytest.fixture
def table(fresh_journey: Journey) -> Table:
    fresh_journey.use_own_cache()
    return Table(fresh_journey)


def test_reviewers_disagree_and_agree_after_a_fix(table: Table) -> None:
    story = table.story
    table.voters.play("codex", says(SUM), PASS)
    table.voters.play("gemini", says({**SUM, "severity": "critical", "message": "It has to be 3."}), PASS)
    story.type(SPAWN)
    found = table.check()
    story.file(str(Path(found["feedback"]).relative_to(story.repo.path)))
    story.repo.write("app.py", "x = 3\n")
    story.note("The fix begins the next round by itself")
    story.type(CHECK)
    story.type(CHECK)
    table.look_back(table.review)
    story.fact("questions", {name: len(table.voters.prompts(name)) for name in NAMES})
    story.refs()


def test_all_three_agree_at_once(table: Table) -> None:
    table.story.json(f"{SPAWN} --format json")
    table.story.json(f"{CHECK} --format json")
    table.look_back(table.review)
    table.story.type(f"review-gate check {table.review}")


def test_one_fail_against_two_passes_is_no_agreement(table: Table) -> None:
    table.voters.play("gemini", says(SUM))
    table.story.type(f"{SPAWN} --wait")
    table.check()
    table.story.note("The same command again shakes nothing off")
    table.story.json(f"{SPAWN} --format json")


def test_one_of_three_cannot_vote_and_two_are_enough(table: Table) -> None:
    table.voters.play("gemini", PASS, trouble="exit_3")
    table.story.type(f"{SPAWN} --wait")
    table.look_back(table.review)


def test_two_of_three_cannot_vote_and_a_person_decides(table: Table) -> None:
    table.voters.play("codex", PASS, trouble="unauthorized")
    table.voters.play("gemini", "I think that it is fine.")
    table.story.type(SPAWN)
    table.check()
    table.look_back(table.review)


def test_a_finding_is_refuted_with_a_line_that_shows_it(table: Table) -> None:
    story = table.story
    table.voters.play("claude", says(SUM), PASS)
    story.type(SPAWN)
    (wrong,) = table.check()["findings"]
    refute = f"review-gate rounds refute {table.review} {wrong['fingerprint'][:8]} --because 'It is two.' --evidence"
    story.type(f"{refute} app.py:9")
    story.type(f"{refute} app.py:1")
    story.type(CHECK)
    table.look_back(table.review)


def test_a_person_grants_another_round_and_then_closes_the_review(table: Table) -> None:
    story = table.story
    table.settings(max_rounds=1)
    table.voters.play("claude", says(SUM))
    story.type(SPAWN)
    table.check()
    story.repo.write("app.py", "x = 2 # still\n")
    table.check()
    story.type(f"review-gate rounds continue {table.review}")
    table.check()
    story.type(f"review-gate rounds close {table.review} --because 'It is good enough.'")
    story.type("review-gate check")
    table.look_back(table.review)


def test_a_plan_is_reviewed_in_rounds(table: Table) -> None:
    story = table.story
    story.repo.write("plan.md", "# Plan\n\nBuild it on Sunday.\n")
    late = finding(file="plan.md", line=3, quote="Build it on Sunday.", message="Sunday is too late.")
    table.voters.play("claude", says(late), PASS)
    story.type("review-gate spawn-plan-review plan.md --wait")
    table.check()
    story.repo.write("plan.md", "# Plan\n\nBuild it on Friday.\n")
    story.type(CHECK)
    table.look_back(table.review)


def test_rounds_cannot_begin_without_a_scope_a_reviewer_or_a_change(table: Table) -> None:
    story = table.story
    story.type("review-gate spawn-code-review")
    story.type("review-gate spawn-plan-review gone.md")
    story.type(SPAWN, REVIEW_GATE_MODELS__USE="off")
    story.type(SPAWN, REVIEW_GATE_ROUNDS__REVIEWERS="[]")
    story.repo.write("app.py", "x = 1\n")
    story.repo.git("checkout", "--quiet", ".")
    story.type(SPAWN)
    story.type("review-gate check")
    story.json("review-gate check --format json")
    story.type("review-gate check code-nothing")


def test_a_run_takes_the_agreement_of_rounds(journey: Journey) -> None:
    journey.use_own_cache()
    journey.repo.environ["REVIEW_GATE_MODELS__USE"] = "off"
    table = Table(journey)
    table.settings(loop=4)
    journey.commit("Begin to agree in rounds", {"app.py": "x = 2\n"})
    journey.note("No reviewer has agreed on it")
    journey.type("review-gate run --yes")
    journey.type("git push")
    del journey.repo.environ["REVIEW_GATE_MODELS__USE"]
    journey.type("review-gate spawn-code-review --base origin/main --wait")
    journey.repo.environ["REVIEW_GATE_MODELS__USE"] = "off"
    journey.json("review-gate run --yes --format json")
    journey.type("git push")
    journey.refs()


def test_drafts_of_three_models_are_put_together(table: Table) -> None:
    story = table.story
    for name in NAMES:
        table.voters.play(name, json.dumps({"draft": "The sum is right, the name is not."}))
    story.type("review-gate generate --list")
    story.type("review-gate generate --type healthcheck --prompt 'Look at money first.'")
    story.json("review-gate generate --type architecture-review --format json")
    story.note("The finished draft is reviewed like a plan")
    story.repo.write("health.md", "# Health\n\nThe sum is right.\n")
    story.type("review-gate spawn-plan-review --artifact health.md --wait", REVIEW_GATE_ROUNDS__REVIEWERS="[]")
    for name in NAMES:
        table.voters.play(name, PASS)
    story.type("review-gate spawn-plan-review --artifact health.md --wait")
    story.fact("kept", kept_drafts(story))


def test_one_generator_fails_and_the_others_go_on(table: Table) -> None:
    story = table.story
    for name in NAMES:
        table.voters.play(name, json.dumps({"draft": "The sum is right."}))
    table.voters.play("gemini", "", trouble="exit_3")
    story.type("review-gate generate --type healthcheck")
    story.json("review-gate generate --type healthcheck --format json")
    story.type("review-gate generate --type healthcheck", MIN_DRAFTS="3")
    story.type("review-gate generate --type helthcheck")
    story.fact("kept", kept_drafts(story))


def kept_drafts(story: Journey) -> list[str]:
    """The files of all drafts."""
    home = story.repo.path / ".git/review-gate/drafts"
    return sorted(str(path.relative_to(home)) for path in home.rglob("*") if path.is_file())
