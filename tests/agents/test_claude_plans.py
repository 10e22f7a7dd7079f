"""The real Claude Code and plans: nothing is carried out whose very text was not approved."""

from __future__ import annotations

import re

from claude_code import installed, talk
from conftest import Repo
from scripted import Block, Body, Step, say, shell, text_in, use

CHECKS = "| If you write... | STOP because... |\n|---|---|\n| `eval(` | it runs whatever it is given |\n"
FILE = re.compile(r"(/\S+/plans/[\w-]+\.md)")
PLAN = "# Plan\n\n1. Greet by name in `app.py`, with a test.\n"


# In plan mode the rest would be for a judge at the vendor's.
ALLOWED = ("--allowedTools", "Bash(review-gate expert-review *)")


def file_of(body: Body) -> str:
    """Where the plan has to be, as Claude Code tells the model."""
    found = FILE.search(text_in(body["messages"]))
    assert found, text_in(body["messages"])[-3000:]
    return found[1]


def write_plan(text: str) -> Step:
    """The model writes its plan."""
    return lambda body: use("Write", file_path=file_of(body), content=text)


def review_plan(body: Body) -> list[Block]:
    """What the subagent of /expert-review does."""
    return shell(f"review-gate expert-review {file_of(body)} --format json")


def test_a_plan_is_refused_until_exactly_it_is_approved(repo: Repo) -> None:
    # The model of the session is no expert of ours.
    repo.commit("rules", {"CLAUDE.md": CHECKS, ".review-gate.yaml": "models: off\n"})
    steps: list[Step] = [
        use("EnterPlanMode"),
        write_plan(PLAN),
        use("ExitPlanMode"),
        review_plan,
        lambda body: use("Edit", file_path=file_of(body), old_string="with a test", new_string="quickly"),
        use("ExitPlanMode"),
        review_plan,
        use("ExitPlanMode"),
        say("The plan may be carried out."),
    ]
    done = talk(installed(repo), ["make a plan"], steps, options=ALLOWED)
    for number in (2, 5):
        assert done.results[number].startswith("PreToolUse:ExitPlanMode hook error: blocked: "), done.results
        assert "review-gate expert-review /" in done.results[number]
    assert '"verdict": "approved"' in done.results[3]
    assert done.results[7].startswith("User has approved your plan"), done.results[7]


def test_a_plan_that_has_no_file_is_not_approved(repo: Repo) -> None:
    steps: list[Step] = [use("EnterPlanMode"), use("ExitPlanMode", plan=PLAN), say("Refused.")]
    done = talk(installed(repo), ["make a plan"], steps)
    assert "blocked: the plan was not sent along, so nobody can say that it is approved" in done.results[1]
