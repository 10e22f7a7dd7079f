"""review-gate scan --plan: a plan against the checks of its folder."""

from __future__ import annotations

import pytest
from conftest import Repo
from scanning import check_file, put_checks, refused, scan, seen

TABLE = "| If you write... | STOP because... |\n|---|---|\n| `global state` | It is hard to test |\n"
PLAN = "# Plan\n\nKeep it in global state.\nThen call eval(x).\nDo it later.\n"
LATER = {"id": "later", "pattern": "later", "scope": ["plan"]}


@pytest.fixture
def planned(repo: Repo) -> Repo:
    """A repository with the check no-eval, and a plan whose folder has two more."""
    put_checks(repo)
    repo.write("plans/1/plan.md", PLAN)
    repo.write("plans/1/checks.yaml", check_file(LATER))
    repo.write("plans/1/project-claude.md", TABLE)
    return repo


def test_a_plan_is_judged_by_the_checks_of_its_folder_and_of_its_project(planned: Repo) -> None:
    done = scan(planned, "--plan", "plans/1")
    assert (done.returncode, done.stderr) == (1, "")
    found = ["plans/1/plan.md:3 anti_pattern_1", "plans/1/plan.md:4", "plans/1/plan.md:5 later"]
    assert seen(planned, "--plan", "plans/1") == found
    assert seen(planned, "--plan", "plans/1", "--as", "plan") == found


def test_another_file_and_standard_input_can_be_the_plan(planned: Repo) -> None:
    planned.write("other.md", "Do it later.\n")
    assert seen(planned, "--plan", "plans/1", "other.md") == ["other.md:1 later"]
    (place,) = seen(planned, "--plan", "plans/1", "-", stdin="One.\nDo it later.\n")
    assert place.endswith(":2 later")


def test_no_setting_hides_a_plan(planned: Repo) -> None:
    put_checks(planned, exclude=["plans/**"])
    planned.write(".gitignore", "plans/\n")
    assert len(seen(planned, "--plan", "plans/1")) == 3


def test_a_plan_without_any_check_is_an_error(planned: Repo) -> None:
    put_checks(planned)
    planned.write("checks/own.yaml", "checks: []\n")
    planned.write("plans/2/plan.md", PLAN)
    assert refused(scan(planned, "--plan", "plans/2")).startswith(
        "error: No checks found (no checks.yaml, no CLAUDE.md Anti-Patterns Table, no context.yaml checks)\n"
    )


def test_the_default_packs_alone_are_no_checks_of_a_plan_and_chosen_ones_are(planned: Repo) -> None:
    planned.write("plans/2/plan.md", "The format is TBD.\n")
    planned.write("checks/own.yaml", "checks: []\n")
    planned.write(".review-gate.yaml", "version: 1\n")
    told = refused(scan(planned, "--plan", "plans/2"))
    assert told.startswith("error: No checks found (")
    assert "or choose packs in .review-gate.yaml: checks: {packs: [plan]}\n" in told
    planned.write(".review-gate.yaml", "version: 1\nchecks: {packs: [plan]}\n")
    assert len(seen(planned, "--plan", "plans/2")) == 1


def test_what_is_no_plan_is_refused(planned: Repo) -> None:
    planned.write("plans/2/checks.yaml", check_file(LATER))
    planned.write("plans/3/plan.md", " \n\n")
    for folder, message, next_step in (
        ("gone", "gone: there is no such folder", "review-gate checks list --plan DIR, with the folder that holds"),
        ("plans/2", "plan.md not found at plans/2/plan.md", "review-gate scan --plan plans/2 FILE"),
        ("plans/3", "empty plan: plans/3/plan.md says nothing", "write the plan, or: review-gate scan --plan plans/3"),
    ):
        told = refused(scan(planned, "--plan", folder))
        assert told.startswith(f"error: {message}\n"), told
        assert f"\n  next:  {next_step}" in told


def test_what_does_not_go_with_a_plan_is_refused(planned: Repo) -> None:
    for options, message in (
        (["--checks", "a.yaml"], "error: --plan and --checks contradict\n"),
        (["--as", "file"], "error: --plan means --as plan\n"),
        (["--update-baseline"], "error: --update-baseline needs all checks\n"),
    ):
        assert refused(scan(planned, "--plan", "plans/1", *options)).startswith(message)
    for options in (["--staged"], ["--all"], ["--diff", "HEAD"]):
        assert "not allowed with argument" in refused(scan(planned, "--plan", "plans/1", *options))
