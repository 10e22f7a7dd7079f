"""review-gate report: a run is worked out again from what was said in it, to the same bytes in every form."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from modelling import Asked, found, missing, model, nothing_found, run

FORMS = ("text", "json", "sarif", "junit", "github", "markdown", "html")
CODE = {"src/app.py": "def total(a, b):\n    return eval(a + b)\n", "logo.png": "\0"}


@pytest.fixture
def changed(gated: Repo) -> Repo:
    gated.commit("Add totals", dict(CODE))
    return gated


def said_by_many(asked: Asked) -> dict[str, Any] | str:
    """A finding, a warning, words that are no answer, and nothing."""
    if asked.reviewer == "Build reviewer":
        return found(asked, severity="warning", message="a name says nothing \u202e\x1b[2J", file="src/app.py", line=1)
    if asked.reviewer == "Finance expert":
        return "Sure! {} is my answer"
    return nothing_found(asked)


def kept_runs(repo: Repo) -> list[Path]:
    return sorted((repo.path / ".git/review-gate/runs").iterdir(), key=lambda path: path.stat().st_mtime_ns)


@pytest.mark.parametrize("form", ["json", "html"])
def test_the_report_comes_out_byte_for_byte_the_same(changed: Repo, form: str) -> None:
    with model(said_by_many, gaps=missing("finance-sme", "Totals are money", "src/app.py")) as server:
        first = run(changed, server, "--format", form)
    again = changed.gate("report", "--format", form)
    assert (again.stdout, again.returncode) == (first.stdout, first.returncode)
    assert again.stdout
    assert all(changed.gate("report", "--format", other).stdout for other in FORMS)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_each_form_of_a_report_comes_out_byte_for_byte_the_same(changed: Repo, form: str) -> None:
    with model(said_by_many, gaps=missing("finance-sme", "Totals are money", "src/app.py")) as server:
        first = run(changed, server, "--format", form)
    assert changed.gate("report", "--format", form).stdout == first.stdout


def test_as_many_findings_are_shown_as_then(changed: Repo) -> None:
    changed.write("src/app.py", "def total(a, b):\n    return eval(a) + eval(b) + eval(a + b)\n")
    changed.git("commit", "-q", "--amend", "--no-edit", "--no-verify", "-a")
    few = {"REVIEW_GATE_LIMITS__MAX_FINDINGS": "1"}
    first = changed.gate("run", "--base", "HEAD~1", "--yes", **few)
    assert changed.gate("report").stdout == first.stdout


def test_it_is_made_of_the_raw_answers_and_of_nothing_that_was_concluded_from_them(changed: Repo) -> None:
    with model(lambda asked: found(asked, message="told at first", file="src/app.py")) as server:
        run(changed, server, "--loops", "2")
    (path,) = kept_runs(changed)
    assert "told at first" in changed.gate("report").stdout
    path.write_text(path.read_text().replace("told at first", "told otherwise").replace(r"\"major\"", r"\"info\""))
    told = changed.gate("report", "--format", "json")
    report = json.loads(told.stdout)
    assert "told at first" not in told.stdout
    assert report["counts"] == {"critical": 0, "major": 0, "warning": 0, "info": 2}
    assert (told.returncode, report["verdict"]) == (0, "pass")


def test_answers_from_the_cache_and_loops_of_earlier_runs_come_out_the_same(changed: Repo) -> None:
    with model(said_by_many) as server:
        run(changed, server, "--loops", "1")
        run(changed, server, "--loops", "2")
        again = run(changed, server, "--loops", "2", "--format", "json")
    loops = json.loads(again.stdout)["loops"]
    assert [loop["kept"] for loop in loops] == [True, False, False, False]
    assert changed.gate("report", "--format", "json").stdout == again.stdout


def test_a_run_of_what_is_staged_and_one_that_a_limit_ended_come_out_the_same(changed: Repo) -> None:
    changed.write("src/more.py", "A = 1\n")
    changed.git("add", "src/more.py")
    with model() as server:
        staged = changed.gate("run", "--staged", "--yes", "--format", "json", **server.environ)
        assert changed.gate("report", "--format", "json").stdout == staged.stdout
        capped = run(changed, server, "--no-cache", REVIEW_GATE_MODELS__MAX_TOKENS="1000")
    assert changed.gate("report").stdout == capped.stdout


def test_each_run_is_found_by_its_id_and_listed_with_the_newest_first(changed: Repo) -> None:
    ids = []
    for loops in ("1", "1,2"):
        result = changed.gate("run", "--base", "HEAD~1", "--yes", "--loops", loops, "--format", "json")
        ids.append(json.loads(result.stdout)["id"])
    assert json.loads(changed.gate("report", ids[0], "--format", "json").stdout)["id"] == ids[0]
    lines = changed.gate("report", "--list").stdout.splitlines()
    assert [line.split("  ")[0] for line in lines] == ids[::-1]
    commit = changed.git("rev-parse", "HEAD").strip()
    assert lines[1].endswith(f"  {commit[:8]}  loops 1 passed: pass_with_warnings")
    listed = json.loads(changed.gate("report", "--list", "--format", "json").stdout)["runs"]
    assert [(one["id"], one["requested"], one["passed"]) for one in listed] == [
        (ids[1], [1, 2], True),
        (ids[0], [1], True),
    ]


def test_it_says_on_the_side_which_run_it_is(changed: Repo) -> None:
    result = changed.gate("run", "--base", "HEAD~1", "--yes", "--loops", "1", "--format", "json")
    told = json.loads(result.stdout)
    assert changed.gate("report").stderr == (
        f"run {told['id']} of commit {told['commit'][:8]}, finished {told['finished']}; "
        "what the gate says now: review-gate verify\n"
    )


def test_without_a_run_it_says_what_to_type(changed: Repo) -> None:
    told = changed.gate("report")
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr == (
        "error: there is no run to look at in this work tree\n"
        "  why:   the results of the last 50 runs are kept, and there are none\n"
        "  next:  review-gate run\n"
    )
    assert changed.gate("report", "--list").stdout == "no run is kept in this work tree\n"


def headed(kept: dict[str, Any], **fields: object) -> dict[str, Any]:
    return {**kept, "head": {**kept["head"], **fields}}


DAMAGE: dict[str, Callable[[dict[str, Any]], object]] = {
    "another version": lambda kept: {**kept, "version": 2},
    "a part that is missing": lambda kept: {name: value for name, value in kept.items() if name != "loops"},
    "the id of another run": lambda kept: headed(kept, id="0" * 32),
    "a time that is none": lambda kept: headed(kept, finished="\x1b[31mnow\n"),
    "an id that is none": lambda kept: headed(kept, subject={**kept["head"]["subject"], "tree": "--help"}),
    "a loop of nobody": lambda kept: headed(kept, requested=[7]),
    "no loop": lambda kept: {**kept, "loops": []},
    "a status of nobody": lambda kept: {**kept, "loops": [*kept["loops"][:3], {**kept["loops"][3], "status": "fine"}]},
    "a reviewer of nobody": lambda kept: {**kept, "ground": {**kept["ground"], "config": {**NOBODY}}},
}
NOBODY: dict[str, list[object]] = {"rules": [], "agents": [], "composition": [], "domains": []}


def test_a_damaged_run_is_an_error_and_left_out_of_the_list(changed: Repo) -> None:
    with model() as server:
        run(changed, server, "--loops", "2")
    (path,) = kept_runs(changed)
    whole = path.read_text()
    for name, damage in DAMAGE.items():
        path.write_text(json.dumps(damage(json.loads(whole))))
        told = changed.gate("report")
        what = "it is another run" if name == "the id of another run" else "it has another shape"
        assert (name, told.returncode, told.stderr) == (
            name,
            2,
            f"error: the result of run {path.stem} cannot be used: {what}\n"
            "  why:   the file was damaged or is not ours; the review itself is in the ledger\n"
            "  next:  review-gate run, or review-gate status\n",
        )
        assert changed.gate("report", "--list").stdout == "no run is kept in this work tree\n"
