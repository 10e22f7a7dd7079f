"""Stories of pushes: each reason for which the gate refuses, and the way out of it."""

from __future__ import annotations

from journey import Journey


def test_push_of_a_missing_review(journey: Journey) -> None:
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("git push")
    journey.json("review-gate verify --format json")
    journey.type("review-gate run --yes")
    journey.type("git push")
    journey.refs()
    journey.file(".claude/skills/code-review/loop-state.json")
    journey.json("review-gate verify --format json")


def test_push_of_a_stale_review(journey: Journey) -> None:
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("review-gate run --yes")
    journey.note("An amended commit is another commit")
    journey.repo.git("commit", "--quiet", "--amend", "--no-verify", "-m", "Add sales tax")
    journey.type("git push")
    journey.json("review-gate verify --format json")
    journey.type("review-gate run --yes")
    journey.type("git push")
    journey.refs()
