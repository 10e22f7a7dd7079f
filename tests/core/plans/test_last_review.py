"""What the last review of a plan adds to how the plan stands by its marker."""

from __future__ import annotations

import pytest

from review_gate.plans.marker import Ended, Ending, LastReview, ReviewRecord, Standing, standing_with
from review_gate.render.plan_result import status_document, status_text

PLAN, OTHER = "a" * 64, "b" * 64
BEGAN, AT = "2026-03-01T12:00:00Z", "2026-03-01T12:00:05Z"
APPROVED = Standing("approved", "approved by checks at 2026-03-01T12:00:05Z")
MISSING = Standing("missing", "the plan was not approved")
LOST = f"the review that began at {BEGAN} ended without a word; the same command again goes on from where it was"


def running() -> LastReview:
    return LastReview("running", ReviewRecord(began=BEGAN, pid=7))


def lost() -> LastReview:
    return running()._replace(state="lost")


def ended(verdict: Ending, reason: str = "", plan: str = PLAN, text: str = "What?\n") -> LastReview:
    end = Ended(at=AT, plan=plan, verdict=verdict, reason=reason, text=text, document={"verdict": verdict})
    return LastReview("ended", ReviewRecord(began=BEGAN, pid=7, ended=end))


CASES: dict[str, tuple[Standing, LastReview | None, Standing]] = {
    "nothing is known": (MISSING, None, MISSING),
    "going on": (MISSING, running(), Standing("missing", f"a review of it is going on since {BEGAN}")),
    "just beginning": (MISSING, LastReview("running", None), Standing("missing", "a review of it is just beginning")),
    "going on for an approved plan": (APPROVED, running(), APPROVED),
    "lost": (MISSING, lost(), Standing("missing", LOST)),
    "asking": (MISSING, ended("asking"), Standing("missing", "the review waits for an answer")),
    "asking about another text": (MISSING, ended("asking", plan=OTHER), MISSING),
    "incomplete": (
        MISSING,
        ended("incomplete", "user aborted"),
        Standing("missing", "the last review ended: INCOMPLETE, user aborted"),
    ),
    "rejected": (MISSING, ended("rejected"), Standing("missing", "the last review ended: REJECTED")),
    "an error": (MISSING, ended("error", "\x1b[2J"), Standing("missing", "the last review ended: ERROR, \\x1b[2J")),
}


@pytest.mark.parametrize(("found", "last", "expected"), CASES.values(), ids=CASES)
def test_how_a_plan_stands(found: Standing, last: LastReview | None, expected: Standing) -> None:
    assert standing_with(found, last, PLAN) == expected


def test_only_a_question_that_waits_is_told_with_what_to_type() -> None:
    last = ended("asking", text="What?\x1b[2J\n")
    waiting = standing_with(MISSING, last, PLAN)
    question = "What?\\x1b[2J\nnext:  review-gate expert-review 'a b' --answer approve (or abort, or replace=TEXT)\n"
    assert status_text(waiting, last.ended_with(PLAN), "a b") == f"missing: the review waits for an answer\n{question}"
    assert status_text(APPROVED, last.ended_with(PLAN), "a b") == f"approved: {APPROVED.reason}\n"


def test_programs_are_told_of_a_review_of_this_text_alone() -> None:
    about = {"state": "ended", "began": BEGAN, "ended": AT, "result": {"verdict": "rejected"}}
    assert status_document(MISSING, ended("rejected"), PLAN) == {
        "status": "missing",
        "reason": "the plan was not approved",
        "review": about,
    }
    assert status_document(MISSING, ended("rejected", plan=OTHER), PLAN)["review"] is None
    lost_one = {"state": "lost", "began": BEGAN, "ended": None, "result": None}
    assert status_document(MISSING, lost(), PLAN)["review"] == lost_one
