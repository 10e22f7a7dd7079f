"""What a review rests on, as docs/how-the-gate-decides.md has it: real runs, and the gate's word on each."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from answering import CODE, Findings, answers, finding, submit
from conftest import Repo, Result
from modelling import model

PAGE = (Path(__file__).parents[2] / "docs/how-the-gate-decides.md").read_text(encoding="utf-8")
HEAD = "| models.use | can a model be asked | answers of the session | assurance: session | assurance: independent |"
ASSURANCES = ("session", "independent")


class Case(NamedTuple):
    """One line of the table under one value of assurance."""

    use: str
    is_reachable: bool
    is_answered: bool
    assurance: str
    reason: str


def cases() -> Iterator[Case]:
    for line in PAGE.partition(HEAD)[2].partition("\n\n")[0].splitlines()[2:]:
        use, reachable, answered, *reasons = (cell.strip() for cell in line.strip("|").split("|"))
        for assurance, reason in zip(ASSURANCES, reasons, strict=True):
            yield Case(use, reachable == "yes", answered == "yes", assurance, reason)


CASES = list(cases())


@pytest.fixture
def changed(published: Repo) -> Repo:
    published.commit("Make totals right", dict(CODE))
    return published


@contextlib.contextmanager
def world_of(case: Case) -> Iterator[Mapping[str, str]]:
    """The settings of a case, with a model on loopback where there is one."""
    settings = {"REVIEW_GATE_MODELS__USE": case.use, "REVIEW_GATE_ASSURANCE": case.assurance}
    if case.is_reachable:
        with model() as server:
            yield {**settings, **server.environ}
    else:
        yield settings


def run(repo: Repo, case: Case, environ: Mapping[str, str], found: Findings | None = None) -> Result:
    if case.is_answered:
        return submit(repo, answers(repo, found=found, environ=environ), **environ)
    return repo.gate("run", "--yes", **environ)


def reason(repo: Repo, environ: Mapping[str, str]) -> str:
    """What the gate says, in one word."""
    word: str = json.loads(repo.gate("verify", "--format", "json", **environ).stdout)["reason"]
    return word


def test_the_table_has_a_line_for_each_combination() -> None:
    lines = {(case.use, case.is_reachable, case.is_answered) for case in CASES if case.assurance == "session"}
    usable = {("auto", way, answered) for way in (True, False) for answered in (True, False)}
    required = {("required", way, answered) for _, way, answered in usable}
    assert lines == usable | required | {("off", False, True), ("off", False, False)}
    assert len(CASES) == 2 * len(lines)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: re.sub(r"\W+", "-", "-".join(map(str, case))))
def test_the_gate_says_what_the_table_says(changed: Repo, case: Case) -> None:
    with world_of(case) as environ:
        done = run(changed, case, environ)
        assert reason(changed, environ) == case.reason, done.stdout
    assert done.returncode == (0 if case.reason == "approved" else 1)


@pytest.mark.parametrize("assurance", ASSURANCES)
def test_a_blocking_finding_of_the_session_blocks_beside_a_model_that_passed(changed: Repo, assurance: str) -> None:
    case = Case("required", is_reachable=True, is_answered=True, assurance=assurance, reason="failed")
    with world_of(case) as environ:
        done = run(changed, case, environ, {"build-reviewer": [finding()]})
        assert reason(changed, environ) == "failed"
    assert "major: src/app.py:2: this is wrong [build-reviewer-other]" in done.stdout.splitlines()


INCOMPLETE = (
    "only the session that wrote the code answered for it, and assurance: independent wants a model's vote too"
    " (no model can be asked: models: they are off); review-gate providers tells how one can be asked"
)


def test_the_preview_the_report_and_the_gate_say_why_a_loop_is_incomplete(changed: Repo) -> None:
    case = Case("off", is_reachable=False, is_answered=True, assurance="independent", reason="incomplete")
    with world_of(case) as environ:
        done = run(changed, case, environ)
        pushed = changed.push("origin", "main", **environ)
    note = (
        "loop 2, loop 3 will be incomplete: assurance: independent wants a model's vote too, and no model can be asked"
    )
    assert f"note: {note}" in done.stderr.splitlines()
    both = "build-reviewer (via: session), test-reviewer (via: session)"
    assert f"  {both} could not run: {INCOMPLETE}" in done.stdout.splitlines()
    told = "blocked: Loop 2 could not finish: build-reviewer, test-reviewer could not run"
    assert f"{told}: {INCOMPLETE}. Re-run /review." in pushed.stderr
    assert pushed.returncode != 0


def test_a_review_made_under_another_assurance_is_one_under_another_policy(changed: Repo) -> None:
    assert submit(changed, answers(changed)).returncode == 0
    assert changed.gate("verify").returncode == 0
    pushed = changed.push("origin", "main", REVIEW_GATE_ASSURANCE="independent")
    assert f"blocked: The review of {changed.head[:8]} was made under another policy." in pushed.stderr
    assert reason(changed, {"REVIEW_GATE_ASSURANCE": "independent"}) == "policy_changed"
    assert changed.push("origin", "main").returncode == 0


def test_a_word_that_is_no_assurance_is_refused(changed: Repo) -> None:
    done = changed.gate("run", "--yes", REVIEW_GATE_ASSURANCE="none")
    assert (done.returncode, "allowed: session or independent" in done.stderr) == (2, True)
