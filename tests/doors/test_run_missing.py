"""A model finds that a reviewer is missing: who is added looks in the same run, and nobody else changes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import Repo
from modelling import Asked, Model, found, missing, model, nothing_found, reviewers, run

CODE = {"src/app.py": "def total(a, b):\n    return a + b\n", "docs/guide.md": "# Guide\n"}
BOTH = ["docs/guide.md", "src/app.py"]


@pytest.fixture
def changed(gated: Repo) -> Repo:
    gated.commit("Add totals", dict(CODE))
    return gated


def shown_to(server: Model, reviewer: str) -> list[list[str]]:
    return [sorted(asked.files) for asked in server.asked if asked.reviewer == reviewer and not asked.is_second]


def test_a_reviewer_of_a_later_loop_is_added_and_its_finding_blocks(changed: Repo) -> None:
    def says(asked: Asked) -> dict[str, Any]:
        is_finance = asked.reviewer == "Finance expert"
        return found(asked, message="totals are floats", file="src/app.py") if is_finance else nothing_found(asked)

    with model(says, gaps=missing("finance-sme", "Totals are money", "src/app.py")) as server:
        result = run(changed, server)
    assert "  gap-detection passed: added finance-sme: Totals are money" in result.stdout.splitlines()
    assert "major: src/app.py:1: totals are floats [finance-sme-other]" in result.stdout
    assert result.returncode == 1
    assert shown_to(server, "Finance expert") == [["src/app.py"]]
    assert len(server.asked_about_gaps) == 1


def test_a_reviewer_of_the_same_loop_is_added_while_the_loop_runs(changed: Repo) -> None:
    with model(gaps=missing("design-auditor", "The guide is a page")) as server:
        result = run(changed, server, "--format", "json")
    loop = json.loads(result.stdout)["loops"][1]
    assert [one["id"] for one in loop["reviewers"]] == [
        "checks", "gap-detection", "build-reviewer", "test-reviewer", "design-auditor"
    ]  # fmt: skip
    assert reviewers(result)["design-auditor"]["model"]["files_read"] == 2
    assert shown_to(server, "Design auditor") == [BOTH]


def test_a_reviewer_that_sees_some_files_is_shown_more_and_asked_only_about_these(gated: Repo) -> None:
    gated.commit("Add prices", {"src/billing/price.py": "A = 1\n", "src/app.py": "B = 2\n"})
    with model(gaps=missing("finance-sme", "It uses the price", "src/app.py")) as server:
        result = run(gated, server, "--format", "json")
    # Which of the two questions comes in first is up to the network.
    assert sorted(shown_to(server, "Finance expert")) == [["src/app.py"], ["src/billing/price.py"]]
    part = reviewers(result)["finance-sme"]["model"]
    assert (part["files_shown"], part["files_read"], part["asked"]) == (2, 2, 4)


def test_what_was_added_is_logged_and_told_to_programs(changed: Repo) -> None:
    with model(gaps=missing("finance-sme", "Totals are money", "src/app.py")) as server:
        result = run(changed, server, "--format", "json")
    assert json.loads(result.stdout)["gaps"] == [
        {
            "concern": "Totals are money",
            "agent": "finance-sme",
            "files": ["src/app.py"],
            "is_added": True,
            "recommendation": "a policy that sends finance-sme to such files",
        }
    ]
    assert "finance-sme: Totals are money (once, last " in changed.gate("gaps").stdout


USELESS = {
    "nobody": ({"amendments": []}, "nobody is missing"),
    "an unknown reviewer": (
        {"amendments": [{"agent": "nobody", "concern": "c", "files": []}]},
        "there is no reviewer nobody, so a concern for it was dropped",
    ),
    "one that looks already": (
        {"amendments": [{"agent": "build-reviewer", "concern": "c", "files": []}]},
        "build-reviewer sees these files already, so its concern was not added",
    ),
    "other files": (
        {"amendments": [{"agent": "finance-sme", "concern": "c", "files": ["/etc/passwd"]}]},
        "/etc/passwd named for finance-sme: not part of the change; "
        "finance-sme was not added, as none of its files is part of the change",
    ),
}


@pytest.mark.parametrize(("answer", "told"), USELESS.values(), ids=USELESS)
def test_an_answer_that_adds_nobody_changes_nothing(changed: Repo, answer: dict[str, Any], told: str) -> None:
    with model(gaps=lambda _: answer) as server:
        result = run(changed, server, "--loops", "2", "--format", "json")
    assert reviewers(result)["gap-detection"]["detail"] == told
    assert result.returncode == 0
    assert "nothing was logged" in changed.gate("gaps").stdout


@pytest.mark.parametrize("use", ["required"])
def test_an_answer_that_is_none_is_told_and_counts_where_a_model_is_required(changed: Repo, use: str) -> None:
    with model(gaps=lambda _: "All is covered, trust me.") as server:
        result = run(changed, server, "--loops", "2", "--format", "json", REVIEW_GATE_MODELS__USE=use)
    told = reviewers(result)["gap-detection"]
    assert (told["status"], told["detail"][:32]) == ("could_not_run", "malformed: the answer holds no J")
    assert result.returncode == (0 if use == "auto" else 1)


def test_who_only_asks_for_others_is_no_vote(changed: Repo) -> None:
    changed.write(".review-gate.yaml", "checks: {enabled: false}\n")
    with model(lambda _: 401) as server:
        result = run(changed, server, "--loops", "2", "--format", "json")
    loop = json.loads(result.stdout)["loops"][1]
    assert (reviewers(result)["gap-detection"]["status"], loop["status"]) == ("passed", "nothing_to_run")


def test_nobody_is_asked_where_it_is_switched_off_or_somebody_else_has_looked(changed: Repo) -> None:
    (changed.path / "plan.json").write_text('{"amendments": []}')
    with model() as server:
        run(changed, server, "--loops", "2", REVIEW_GATE_MODELS__GAPS="false")
        run(changed, server, "--loops", "2", "--manifest", "plan.json")
        run(changed, server, "--loops", "1")
    assert server.asked_about_gaps == []


def test_the_answer_about_the_same_change_is_not_asked_for_again(changed: Repo) -> None:
    with model(gaps=missing("finance-sme", "Totals are money", "src/app.py")) as server:
        run(changed, server)
        again = run(changed, server)
    assert len(server.asked_about_gaps) == 1
    assert "  gap-detection passed: added finance-sme: Totals are money" in again.stdout.splitlines()
    # Nor is it a second time that the policies missed it.
    assert "finance-sme: Totals are money (once, last " in changed.gate("gaps").stdout
