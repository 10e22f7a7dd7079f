"""The preview and the summary of a run, word for word, and their JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from builders import (
    BASE,
    COMMIT,
    NO,
    NOT_COVERED,
    TREE,
    YES,
    decided,
    empty_loop,
    finding,
    loop_result,
    reviewer_result,
    run_report,
    subject,
)

from review_gate.cli.output import colored
from review_gate.config.schema import Config
from review_gate.embedded import EMBEDDED
from review_gate.gate.decision import FAILED, Decision, Words
from review_gate.loops.plan import WORK_TREE, RunPlan, plan_run
from review_gate.loops.report import LOOPS, RunReport, not_run
from review_gate.loops.tests_found import FoundTests
from review_gate.render.run_text import plan_json, plan_text, report_json, report_text

HOSTILE = "a\x1b[2J\u202eb\nship: approved\tx\udcff"
HARMLESS = "a\\x1b[2J<U+202E>b\\nship: approved\\tx\\xff"


def plan(*paths: str, **options: Any) -> RunPlan:
    known = {
        "scope": "changed",
        "requested": LOOPS,
        "commands_run_in": WORK_TREE,
        "found_tests": (),
        "takes_found_tests": False,
        "timings": {},
    }
    config = Config.model_validate(options.pop("config", {}))
    return plan_run(config, options.pop("about", subject()), paths, **{**known, **options})


PREVIEW = """\
review of commit c0ffee11 against origin/main (ba5eba33)
scope: changed files, 2 changed: app.py, web/index.js
loop 1  compilation + basic checks
  syntax: Python, JSON, YAML and TOML files parse [git objects]
  conflict-markers: no merge conflict was committed [git objects]
  hygiene: no hidden characters; files can be read and are not too large [git objects]
  types: mypy src [work tree]
loop 2  standards compliance (docs left out: no changed file concerns it)
  checks: added lines and messages keep to the checks of this project, its user and the chosen packs [git objects]
  lint: ruff check | head [work tree, optional]
loop 3  security + performance
  security-checks: added lines and messages hold no secret, no dangerous call, nothing aimed at reviewers [git objects]
loop 4  integration + e2e (nothing to run; found go test (go.mod), not run: accept it with --tests, or set test_command)
estimate: at least 2.5 s, by earlier runs (never run here before: conflict-markers, hygiene, checks, security-checks)
note: 2 files are modified in the work tree
"""


def test_the_preview_names_subject_scope_reviewers_places_and_estimate() -> None:
    commands = [
        {"name": "types", "run": ["mypy", "src"]},
        {"name": "lint", "loop": 2, "run": "ruff check | head", "shell": True, "required": False},
        {"name": "docs", "loop": 2, "run": ["vale"], "when_changed": ["*.md"]},
    ]
    made = plan(
        "app.py",
        "web/index.js",
        config={"commands": commands},
        found_tests=[FoundTests(argv=("go", "test"), because="go.mod")],
        timings={"types": [2.0], "syntax": [0.1], "lint": [0.5]},
    ).model_copy(update={"warnings": ("2 files are modified in the work tree",)})
    assert plan_text(made) == PREVIEW


PREVIEW_LINES: dict[str, tuple[RunPlan, str]] = {
    "staged content": (
        plan("a", about=subject(commit=None, base_label="HEAD")),
        "review of staged tree 7ee7ee22 against HEAD (ba5eba33)",
    ),
    "no change": (plan(), "scope: changed files, none changed"),
    "eight files": (plan(*"abcdefgh"), "scope: changed files, 8 changed: a, b, c, d, e, f, g, h"),
    "more than fit": (
        plan(*map(str, range(100))), "scope: changed files, 100 changed: 0, 1, 2, 3, 4, 5, 6, 7, and 92 more",
    ),
    "the whole tree": (plan("a", scope="all"), "scope: all files, 1 in all: a"),
    "a loop that is left out": (plan("a", requested=(1, 4)), "loop 2  standards compliance: not requested"),
    "no experience": (plan("a"), "estimate: no earlier run to judge by"),
    "little experience": (
        plan("a", timings={name: [0.001] for name in EMBEDDED}),
        "estimate: about 0.1 s, by earlier runs",
    ),
    "half an experience": (
        plan("a", requested=(1,), timings={"syntax": [3.0], "hygiene": [1.0]}),
        "estimate: at least 3.0 s, by earlier runs (never run here before: conflict-markers)",
    ),
    "hostile file names": (plan(HOSTILE), f"scope: changed files, 1 changed: {HARMLESS}"),
    "a hostile base": (
        plan("a", about=subject(base_label=HOSTILE)), f"review of commit c0ffee11 against {HARMLESS} (ba5eba33)",
    ),
    "a hostile command": (
        plan("a", config={"commands": [{"name": "x", "run": HOSTILE, "shell": True}]}), f"  x: {HARMLESS} [work tree]",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("made", "line"), PREVIEW_LINES.values(), ids=PREVIEW_LINES.keys())
def test_a_line_of_the_preview(made: RunPlan, line: str) -> None:
    assert line in plan_text(made).split("\n")


def test_the_preview_for_programs_has_everything_the_text_has() -> None:
    offered = FoundTests(argv=("make", "test"), because="Makefile")
    made = plan("app.py", found_tests=[offered], timings={"syntax": [2.0]})
    data = json.loads(plan_json(made.model_copy(update={"warnings": ("w",)})))
    assert list(data) == ["subject", "scope", "files", "loops", "offered_tests", "estimate_seconds", "warnings"]
    assert data["subject"] == {"commit": COMMIT, "tree": TREE, "base": BASE, "base_label": "origin/main"}
    assert (data["scope"], data["files"], data["estimate_seconds"], data["warnings"]) == (
        "changed", ["app.py"], 2.0, ["w"],
    )  # fmt: skip
    assert data["offered_tests"] == [{"argv": ["make", "test"], "because": "Makefile"}]
    assert [(loop["loop"], loop["requested"], len(loop["reviewers"])) for loop in data["loops"]] == [
        (1, True, 3),
        (2, True, 1),
        (3, True, 1),
        (4, True, 0),
    ]
    assert data["loops"][0]["reviewers"][0] == {
        "id": "syntax",
        "where": "git objects",
        "what": "Python, JSON, YAML and TOML files parse",
        "is_required": True,
        "via": None,
    }


def test_the_summary_of_a_run_that_passed() -> None:
    assert report_text(run_report(), YES, shown=9) == (
        "loop 1  pass: syntax\n"
        "loop 2  pass (nothing to run)\n"
        "loop 3  pass (nothing to run)\n"
        "loop 4  pass (nothing to run)\n"
        "1 file changed; no findings; verdict: pass\n"
        "ship: approved (Commit c0ffee11 passed its review.)\n"
    )


def mixed_report() -> RunReport:
    first = loop_result(
        status="failed",
        reviewers=(
            reviewer_result(status="failed", findings=(finding(), finding(severity="info", line=9, column=2))),
            reviewer_result(id="types", status="could_not_run", detail="mypy was not found", is_required=False),
            reviewer_result(
                id="lint",
                status="failed",
                findings=(
                    finding(
                        rule="command-failed", severity="critical", message="exit code 1: no", file=None, line=None,
                        evidence="first\nno", reviewer="lint",
                    ),
                ),
            ),
            reviewer_result(id="slow", detail="its output was cut"),
            reviewer_result(
                id="hygiene",
                findings=(finding(severity="warning", rule="long", message="long", recommendation="cut", line=None),),
            ),
        ),
    )  # fmt: skip
    rest = [not_run(2, "not run: loop 1 did not pass"), loop_result(number=3, is_kept=True), empty_loop(4)]
    return run_report(loops=(first, *rest), file_count=3)


def test_the_summary_of_a_run_that_failed_lists_every_finding_worst_first() -> None:
    assert report_text(mixed_report(), NO, shown=9) == (
        "loop 1  FAIL\n"
        "  slow, hygiene passed\n"
        "  syntax, lint failed\n"
        "  types could not run: mypy was not found\n"
        "  slow passed: its output was cut\n"
        "loop 2  - (not run: loop 1 did not pass)\n"
        "loop 3  pass: syntax (kept from an earlier run)\n"
        "loop 4  pass (nothing to run)\n"
        "critical: lint: exit code 1: no [command-failed]\n"
        "    | first\n"
        "    | no\n"
        "major: app.py:3: invalid syntax [python-syntax]\n"
        "warning: app.py: long [long]\n"
        "    cut\n"
        "info: app.py:9:2: invalid syntax [python-syntax]\n"
        "3 files changed; 1 critical, 1 major, 1 warning, 1 info; verdict: fail\n"
        "ship: BLOCKED (Loop 1 failed: app.py:3: bad.)\n"
        "  next:  fix, commit, then review-gate run\n"
    )


def test_the_summary_says_how_many_files_nobody_could_review_and_when_a_reviewer_was_missing() -> None:
    unread = [finding(rule="not-reviewed-binary", severity="warning", file=name) for name in ("a", "b", "a")]
    loop = loop_result(reviewers=(reviewer_result(findings=tuple(unread)),))
    rest = [loop_result(number=2, status="incomplete"), not_run(3, "x"), not_run(4, "x")]
    lines = report_text(run_report(loops=(loop, *rest), file_count=5), NO, shown=9).splitlines()
    assert "5 files changed, 2 of them not reviewed; 3 warning; verdict: incomplete" in lines
    assert json.loads(report_json(run_report(loops=(loop, *rest)), NO))["complete"] is False


def test_the_summary_says_what_is_missing_from_the_default_checks() -> None:
    report = run_report(weakened=("all packs are off", "check a is \x1b[31mdisabled"))
    lines = report_text(report, YES, shown=9).splitlines()
    assert lines[-3] == "checks weakened: all packs are off; check a is \\x1b[31mdisabled"
    assert json.loads(report_json(report, YES))["weakened"] == list(report.weakened)
    assert "weakened" not in report_text(run_report(), YES, shown=9)


def test_an_approval_that_is_not_this_run_s_is_said_to_be_an_earlier_review_s() -> None:
    loops = (loop_result(status="incomplete"), *(not_run(number, "x") for number in (2, 3, 4)))
    assert report_text(run_report(loops=loops), YES, shown=9).splitlines()[-2:] == [
        "1 file changed; no findings; verdict: incomplete",
        "ship: approved by an earlier review, not by this run (Commit c0ffee11 passed its review.)",
    ]


@pytest.mark.parametrize(
    ("loops", "word"),
    [((), "passed"), ((not_run(2, "x"),), "did not pass")],
    ids=["passed", "failed"],
)
def test_the_summary_of_a_staged_review_says_who_inherits_it(loops: tuple[Any, ...], word: str) -> None:
    report = run_report(
        subject=subject(commit=None), loops=(loop_result(), *(loops or (empty_loop(2),)), empty_loop(3), empty_loop(4))
    )
    last = report_text(report, None, shown=9).splitlines()[-1]
    assert (
        last == f"ship: the staged tree 7ee7ee22 {word}; a commit of exactly this tree on this HEAD inherits the result"
    )


def test_hostile_text_cannot_reach_the_terminal_nor_make_a_line_of_its_own() -> None:
    bad = finding(message=HOSTILE, file=HOSTILE, rule=HOSTILE, recommendation=HOSTILE)
    failed = finding(rule="command-failed", evidence=f"{HOSTILE}\r{HOSTILE}", reviewer=HOSTILE, file=None, line=None)
    loop = loop_result(
        status="failed",
        note=HOSTILE,
        reviewers=(reviewer_result(id=HOSTILE, status="failed", detail=HOSTILE, findings=(bad, failed)),),
    )
    report = run_report(loops=(loop, *(not_run(number, HOSTILE) for number in (2, 3, 4))))
    text = report_text(report, decided(FAILED, Words(HOSTILE, why=HOSTILE, next_step=HOSTILE)), shown=9)
    assert all(letter.isprintable() or letter == "\n" for letter in text)
    assert not [line for line in text.splitlines() if line.startswith("ship: approved")]


def test_more_findings_than_are_shown_are_counted() -> None:
    many = tuple(finding(line=line) for line in range(1, 251))
    loop = loop_result(status="failed", reviewers=(reviewer_result(status="failed", findings=many),))
    report = run_report(loops=(loop, *(not_run(number, "x") for number in (2, 3, 4))))
    lines = report_text(report, NO, shown=240).splitlines()
    assert len([line for line in lines if line.startswith("major: ")]) == 240
    assert "... and 10 more findings; --format json has them all" in lines
    assert "1 file changed; 250 major; verdict: needs_fixes" in lines


def test_the_result_for_programs_has_every_finding_and_the_decision() -> None:
    data = json.loads(report_json(mixed_report(), NO))
    assert list(data) == [
        "id", "commit", "tree", "base", "policy", "started", "finished", "verdict", "counts", "complete",
        "passed", "ship_allowed", "blockers", "loops", "findings", "not_reviewed", "weakened", "gaps", "decision",
    ]  # fmt: skip
    assert [one["severity"] for one in data["findings"]] == ["critical", "major", "warning", "info"]
    assert data["counts"] == {"critical": 1, "major": 1, "warning": 1, "info": 1}
    assert data["findings"][1] == finding().model_dump(mode="json")
    assert [(loop["loop"], loop["status"], loop["passed"], loop["kept"]) for loop in data["loops"]] == [
        (1, "failed", False, False),
        (2, "not_run", False, False),
        (3, "passed", True, True),
        (4, "nothing_to_run", True, False),
    ]
    assert (data["decision"]["allowed"], data["decision"]["reason"]) == (False, "failed")
    assert (data["passed"], data["ship_allowed"], data["verdict"]) == (False, False, "fail")


LEAVES = {
    "the gate is open": (YES, True),
    "commits below it are not covered": (NOT_COVERED, False),
    "staged": (None, False),
}


@pytest.mark.parametrize(("decision", "allowed"), LEAVES.values(), ids=LEAVES.keys())
def test_a_passed_review_may_ship_only_if_the_gate_says_so(decision: Decision | None, allowed: bool) -> None:
    data = json.loads(report_json(run_report(), decision))
    assert (data["passed"], data["ship_allowed"]) == (True, allowed)
    assert data["decision"] is None if decision is None else data["decision"]["allowed"] is allowed


def test_colour_touches_only_the_first_word_of_our_own_lines() -> None:
    plain = "ship: approved (x)\nship: BLOCKED (y)\n  major: inside\nmajor: z [r]\nloop 1  pass\n"
    assert colored(plain) == (
        "\033[32;1mship: approved\033[0m (x)\n\033[31;1mship: BLOCKED\033[0m (y)\n  major: inside\n"
        "\033[31mmajor:\033[0m z [r]\nloop 1  pass\n"
    )
