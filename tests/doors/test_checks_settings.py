"""checks.disable and checks.severity hold whichever checks are shown, and whatever they are looked for in."""

from __future__ import annotations

import json

import pytest
from conftest import Repo
from listing import listed
from scanning import CHECKS, CONFIG, check_file, scan, seen

SETTINGS = "checks: {disable: [b, python-eval], severity: {a: critical, python-exec: info}}\n"
A = {"id": "a", "pattern": "AAA", "severity": "info", "examples": {"bad": ["AAA"]}}
B = {"id": "b", "pattern": "BBB", "examples": {"bad": ["BBB"], "good": ["AAA"]}}


@pytest.fixture
def chosen(repo: Repo) -> Repo:
    """A repository whose settings disable one of its two checks and one of a pack, and change two others."""
    repo.write(CONFIG, SETTINGS)
    repo.write(CHECKS, check_file(A, B))
    repo.write("plans/1/plan.md", "AAA\nBBB\n")
    return repo


def severities(repo: Repo, *options: str) -> dict[str, str]:
    wanted = ("a", "b", "python-eval", "python-exec")
    return {one["id"]: one["severity"] for one in listed(repo, *options)["checks"] if one["id"] in wanted}


def test_disabled_checks_and_other_severities_hold_for_every_choice_of_packs(chosen: Repo) -> None:
    own, packs = {"a": "critical"}, {"python-exec": "info"}
    assert severities(chosen) == own | packs
    assert severities(chosen, "--pack", "dangerous-python") == own | packs
    assert severities(chosen, "--no-packs") == severities(chosen, "--pack", "secrets") == own
    assert severities(chosen, "--plan", "plans/1") == own | packs
    assert severities(chosen, "--plan", "plans/1", "--no-packs") == own
    assert severities(chosen, "--checks", CHECKS) == {"a": "info", "b": "major"}


def test_a_scan_of_a_plan_leaves_out_what_is_disabled(chosen: Repo) -> None:
    assert seen(chosen, "--plan", "plans/1") == ["plans/1/plan.md:1 a"]
    assert "plans/1/plan.md:1:1  critical  a  " in scan(chosen, "--plan", "plans/1").stdout
    chosen.write(CONFIG, "checks: {packs: [], disable: [a, b]}\n")
    done = scan(chosen, "--plan", "plans/1")
    assert (done.returncode, done.stderr.partition("\n")[0]) == (
        2,
        "error: No checks found: checks.disable in the configuration names all that the plan has",
    )


def test_a_misspelt_name_is_an_error_where_all_checks_are_known(chosen: Repo) -> None:
    chosen.write(CONFIG, "checks: {disable: [bb]}\n")
    done = chosen.gate("checks", "list")
    assert (done.returncode, done.stderr.partition("\n")[0]) == (
        2,
        "error: checks.disable names bb, and there is no such check; did you mean b?",
    )
    assert severities(chosen, "--no-packs") == {"a": "info", "b": "major"}


def test_a_check_of_a_pack_that_is_left_out_can_be_disabled_and_changed(chosen: Repo) -> None:
    chosen.write(CONFIG, "checks: {packs: [], disable: [plan-somehow], severity: {plan-should-work: major}}\n")
    assert severities(chosen) == {"a": "info", "b": "major"}
    of_plan = {one["id"]: one["severity"] for one in listed(chosen, "--pack", "plan")["checks"]}
    assert ("plan-somehow" in of_plan, of_plan["plan-should-work"]) == (False, "major")
    done = scan(chosen, CONFIG)
    assert (done.returncode, done.stdout, done.stderr) == (0, "no problems; 1 file, 2 checks\n", "")


def test_a_disabled_check_is_named_with_a_command_that_explains_it(chosen: Repo) -> None:
    below = Repo(chosen.path / "plans", chosen.environ)
    for place, name, option in (
        (chosen, "b", f"--checks {CHECKS}"),
        (below, "b", f"--checks ../{CHECKS}"),
        (chosen, "python-eval", "--pack dangerous-python"),
    ):
        done = place.gate("checks", "explain", name)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            f"error: the check {name} is not in force here\n"
            "  why:   checks.disable in the configuration names it (review-gate config show)\n"
            f"  next:  review-gate checks explain {name} {option}\n"
        )
        again = place.gate("checks", "explain", name, *option.split())
        assert (again.returncode, again.stdout.partition(":")[0]) == (0, name)
    shown = chosen.gate("checks", "explain", "python-eval", "--pack", "dangerous-python")
    assert "\n  in force  no, checks.disable in the configuration names it\n" in shown.stdout
    shown = chosen.gate("checks", "explain", "python-eval", "--pack", "dangerous-python", "--format", "json")
    assert json.loads(shown.stdout)["in_force"] is False


# Nothing to try


def test_a_test_of_no_checks_is_misuse(repo: Repo) -> None:
    repo.write("empty.yaml", "checks: []\n")
    why = "  why:   checks of which there is none would all come out right\n"
    for options, what, listing in (
        (["--no-packs"], "no check is in force", ""),
        (["--checks", "empty.yaml"], "empty.yaml: no check is in there", " --checks empty.yaml"),
    ):
        done = repo.gate("checks", "test", *options)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"error: {what}\n{why}  next:  review-gate checks list{listing}\n"
