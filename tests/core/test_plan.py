"""The preview of a run: who runs in which loop, where, why, and for how long by experience."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from builders import subject

from review_gate.config.schema import Config
from review_gate.loops.plan import ISOLATED, OBJECTS, WORK_TREE, RunPlan, plan_run
from review_gate.loops.report import LOOPS
from review_gate.loops.tests_found import FoundTests

EMBEDDED = ["syntax", "conflict-markers", "hygiene"]
PYTEST = FoundTests(argv=("pytest",), because="pytest.ini")
MAKE = FoundTests(argv=("make", "test"), because="Makefile")
NOT_FOUND = "nothing to run; no test command was found"
OFFER = "found pytest (pytest.ini), not run: accept it with --tests, or set test_command"


def plan(
    paths: Sequence[str] = ("app.py",),
    *,
    requested: Sequence[int] = LOOPS,
    found: Sequence[FoundTests] = (),
    takes_found_tests: bool = False,
    timings: Mapping[str, Sequence[float]] | None = None,
    where: str = WORK_TREE,
    **config: Any,
) -> RunPlan:
    return plan_run(
        Config.model_validate(config),
        subject(),
        paths,
        scope="changed",
        requested=requested,
        commands_run_in=where,
        found_tests=found,
        takes_found_tests=takes_found_tests,
        timings=timings or {},
    )


def command(name: str, loop: int = 1, **fields: Any) -> dict[str, Any]:
    return {"name": name, "loop": loop, "run": [name], **fields}


def names(made: RunPlan) -> list[list[str]]:
    return [[one.id for one in loop.reviewers] for loop in made.loops]


def test_without_configuration_the_embedded_reviewers_run_over_objects_and_nothing_else_does() -> None:
    made = plan()
    assert names(made) == [EMBEDDED, ["checks"], ["security-checks"], []]
    assert [loop.note for loop in made.loops] == ["", "", "", "nothing to run"]
    assert {one.where for one in made.reviewers} == {OBJECTS}
    assert all(one.is_required for one in made.reviewers)
    assert not made.has_commands
    assert [loop.title for loop in made.loops] == [
        "compilation + basic checks",
        "standards compliance",
        "security + performance",
        "integration + e2e",
    ]


SWITCHES = {"syntax": "syntax", "conflict_markers": "conflict-markers", "hygiene": "hygiene"}


@pytest.mark.parametrize(("key", "name"), SWITCHES.items())
def test_an_embedded_reviewer_can_be_switched_off(key: str, name: str) -> None:
    off: dict[str, Any] = {key: {"enabled": False}}
    assert names(plan(**off))[0] == [one for one in EMBEDDED if one != name]


def test_the_check_engine_is_switched_off_in_both_its_loops() -> None:
    made = plan(checks={"enabled": False})
    assert names(made) == [EMBEDDED, [], [], []]
    assert [loop.note for loop in made.loops] == ["", "nothing to run", "nothing to run", "nothing to run"]


def test_a_first_loop_without_reviewers_says_so() -> None:
    off: dict[str, Any] = {key: {"enabled": False} for key in SWITCHES}
    made = plan(**off)
    assert (names(made)[0], made.loops[0].note) == ([], "nothing to run")


def test_commands_run_in_their_loop_in_the_order_of_the_configuration() -> None:
    made = plan(commands=[command("b", 2), command("a", 2), command("types"), command("e2e", 4, required=False)])
    assert names(made) == [[*EMBEDDED, "types"], ["checks", "b", "a"], ["security-checks"], ["e2e"]]
    assert [one.is_required for one in made.loops[3].reviewers] == [False]
    assert made.has_commands


@pytest.mark.parametrize("where", [WORK_TREE, ISOLATED])
def test_the_preview_says_where_commands_run_and_what_is_run(where: str) -> None:
    made = plan(
        commands=[command("lint", run=["ruff", "check", "my src"]), command("all", run="a && b", shell=True)],
        where=where,
    )
    assert [(one.where, one.what) for one in made.loops[0].reviewers[3:]] == [
        (where, "ruff check 'my src'"),
        (where, "a && b"),
    ]


def test_a_command_that_no_changed_file_concerns_is_left_out_and_named() -> None:
    commands = [command("web", 2, when_changed=["web/**"]), command("py", 2, when_changed=["*.md", "*.py"])]
    made = plan(["src/app.py"], commands=commands)
    assert names(made)[1] == ["checks", "py"]
    assert made.loops[1].note == "web left out: no changed file concerns it"
    made = plan(["README.rst"], commands=commands)
    assert names(made)[1] == ["checks"]
    assert made.loops[1].note == "web, py left out: no changed file concerns it"


def test_only_requested_loops_count_as_running() -> None:
    made = plan(requested=[2, 4], commands=[command("types"), command("lint", 2)])
    assert made.requested == (2, 4)
    assert [one.id for one in made.reviewers] == ["checks", "lint"]
    assert not plan(requested=[2], commands=[command("types")]).has_commands


TESTS: dict[str, tuple[dict[str, Any], list[str], str, tuple[FoundTests, ...]]] = {
    "nothing found": ({}, [], "nothing to run", ()),
    "found: offered, not run": (
        {"found": [PYTEST, MAKE]}, [], f"nothing to run; {OFFER}; also found: make test", (PYTEST, MAKE),
    ),
    "found and accepted": (
        {"found": [PYTEST, MAKE], "takes_found_tests": True},
        ["pytest"],
        "tests found in pytest.ini: pytest; also found: make test",
        (),
    ),
    "found and wanted by configuration": (
        {"found": [MAKE], "test_command": "auto"}, ["make test"], "tests found in Makefile: make test", (),
    ),
    "wanted by configuration but not found": ({"test_command": "auto"}, [], NOT_FOUND, ()),
    "accepted but not found": ({"takes_found_tests": True}, [], NOT_FOUND, ()),
    "switched off": ({"found": [PYTEST], "test_command": "off"}, [], "nothing to run", ()),
    "switched off and asked for": (
        {"found": [PYTEST], "test_command": "off", "takes_found_tests": True},
        [],
        "nothing to run; test_command is off, so --tests has nothing to accept",
        (),
    ),
    "configured": (
        {"found": [PYTEST], "test_command": ["tox", "-q"]}, ["tox -q"], "test command from the configuration", (),
    ),
    "configured as a mapping": (
        {"test_command": {"run": "make check | tee log", "shell": True, "timeout": 5, "required": False}},
        ["make check | tee log"],
        "test command from the configuration",
        (),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("options", "runs", "note", "offered"), TESTS.values(), ids=TESTS.keys())
def test_the_test_command_of_loop_4(
    options: dict[str, Any], runs: list[str], note: str, offered: tuple[FoundTests, ...]
) -> None:
    made = plan(**options)
    assert [one.what for one in made.loops[3].reviewers] == runs
    assert [one.id for one in made.loops[3].reviewers] == ["tests"] * len(runs)
    assert (made.loops[3].note, made.offered_tests) == (note, offered)


def test_found_tests_are_offered_beside_the_commands_of_loop_4() -> None:
    made = plan(found=[PYTEST], commands=[command("e2e", 4)])
    assert (names(made)[3], made.loops[3].note) == (["e2e"], OFFER)


def test_the_mapping_of_a_test_command_is_kept_whole() -> None:
    options = {"run": ["t"], "timeout": 5, "required": False, "env": {"CI": "1"}, "severity": "critical"}
    (one,) = plan(test_command=options).loops[3].reviewers
    assert one.command is not None
    assert not one.is_required
    assert (one.command.timeout, dict(one.command.env), one.command.severity.value) == (5, {"CI": "1"}, "critical")


ESTIMATES: dict[str, tuple[dict[str, list[float]], tuple[int, ...], float | None]] = {
    "no experience": ({}, LOOPS, None),
    "experience with others": ({"old": [9.0]}, LOOPS, None),
    "an empty list": ({"syntax": []}, LOOPS, None),
    "the mean of earlier runs": ({"syntax": [1.0, 3.0]}, LOOPS, 2.0),
    "a loop takes as long as its slowest": ({"syntax": [1.0], "types": [5.0], "hygiene": [2.0]}, LOOPS, 5.0),
    "loops add up": ({"syntax": [1.0], "lint": [4.0]}, LOOPS, 5.0),
    "only requested loops count": ({"syntax": [1.0], "lint": [4.0]}, (2,), 4.0),
}


@pytest.mark.parametrize(("timings", "requested", "seconds"), ESTIMATES.values(), ids=ESTIMATES.keys())
def test_the_estimate_is_made_of_earlier_runs(
    timings: dict[str, list[float]], requested: tuple[int, ...], seconds: float | None
) -> None:
    commands = [command("types"), command("lint", 2)]
    assert plan(timings=timings, requested=requested, commands=commands).estimate_seconds == seconds
