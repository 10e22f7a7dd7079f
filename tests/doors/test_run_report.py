"""review-gate run: what is written down and what is reported."""

from __future__ import annotations

import json
import re

import pytest
from conftest import Repo
from running import BROKEN

from review_gate.gate.record import EMPTY_TREES
from review_gate.gate.state_view import OUR_FIELDS, SEED_FIELDS

EMPTY = EMPTY_TREES[0]
FAILING = "commands:\n  - {name: %s, loop: %d, run: [sh, -c, 'exit 1']}\n"


def test_the_state_file_has_exactly_the_fields_of_the_seed_and_ours(repo: Repo) -> None:
    repo.review()
    state = json.loads(repo.state_file.read_text())
    assert set(state) == set(SEED_FIELDS) | set(OUR_FIELDS) == {
        "head_commit", "timestamp", "loop_1_passed", "loop_2_passed", "loop_3_passed", "loop_4_passed", "ship_allowed",
        "blockers", "loop_details", "version", "base_commit", "tree", "policy", "reviewers", "decision",
    }  # fmt: skip
    assert state["loop_details"] == {f"loop_{number}": {"passed": True, "issues": []} for number in (1, 2, 3, 4)}
    assert (state["head_commit"], state["base_commit"], state["ship_allowed"]) == (repo.head, EMPTY, True)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", state["timestamp"])
    assert [one["status"] for one in state["reviewers"]] == ["passed"] * 8 + ["nothing_to_run"]
    assert state["decision"]["loops"] == {
        "loop_1": "passed", "loop_2": "passed", "loop_3": "passed", "loop_4": "nothing to run",
    }  # fmt: skip
    entry = json.loads(repo.git("cat-file", "blob", f"refs/review-gate/commits/{repo.head}"))
    assert (entry["subject"], entry["reviews"][0]["id"]) == (repo.head, state["decision"]["record"])


def test_findings_are_reported_worst_first_and_only_the_first_failing_loop_speaks(repo: Repo) -> None:
    repo.commit("bad", {"z.py": BROKEN, "a.bin": b"\0\1\2", ".review-gate.yaml": FAILING % ("later", 2)})
    done = repo.gate("run", "--yes")
    assert done.returncode == 1
    lines = [line for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert lines[:4] == [
        "loop 1  FAIL",
        *(f"loop {number}  - (not run: loop 1 did not pass)" for number in (2, 3, 4)),
    ]
    assert [line.split(": ")[:2] for line in lines[4:6]] == [["critical", "z.py:1:12"], ["warning", "a.bin"]]
    assert lines[6] == "4 files changed, 1 of them not reviewed; 1 critical, 1 warning; verdict: fail"
    assert lines[7].startswith("ship: BLOCKED (Loop 1 failed: z.py:1: ")


@pytest.mark.parametrize(("maximum", "shown"), [(2, 2), (3, 3)])
def test_as_many_findings_are_shown_as_the_configuration_says(repo: Repo, maximum: int, shown: int) -> None:
    config = f"limits: {{max_findings: {maximum}}}\n"
    repo.commit("bad", {"a.py": BROKEN, "b.py": BROKEN, "c.py": BROKEN, ".review-gate.yaml": config})
    text = repo.gate("run", "--yes").stdout
    assert len(re.findall(r"^critical: ", text, re.MULTILINE)) == shown
    assert ("more findings; --format json has them all" in text) is (shown < 3)


def test_no_format_says_that_a_commit_may_ship_while_the_gate_is_closed(repo: Repo) -> None:
    base = repo.head
    repo.commit("second")
    results = {
        form: repo.gate("run", "--yes", "--base", base, "--format", form) for form in ("json", "sarif", "github")
    }
    assert {done.returncode for done in results.values()} == {0}
    report = json.loads(results["json"].stdout)
    assert (report["passed"], report["ship_allowed"], report["decision"]["reason"]) == (True, False, "uncovered")
    properties = json.loads(results["sarif"].stdout)["runs"][0]["properties"]
    assert (properties["passed"], properties["shippable"]) == (True, False)
    assert results["github"].stdout == (
        f"::warning title=review-gate::ship not allowed yet: commit {repo.head[:8]} passed the review"
        " (loop 1 passed, loop 2 passed, loop 3 passed, loop 4 nothing to run)"
        f"%0AThe review starts at {base[:8]}, but 1 commit ({base[:8]}) below it would leave unreviewed."
        "%0Anext: review-gate run --scope all\n"
    )
    assert "allowed" not in json.loads(repo.state_file.read_text())["decision"]


def test_a_reader_that_goes_away_is_no_traceback(repo: Repo) -> None:
    done = repo.run("sh", "-c", "review-gate run --yes | true")
    assert "Traceback" not in done.stderr
