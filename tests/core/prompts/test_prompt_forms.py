"""A review of a prompt in each of its forms, held by golden files."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from critiquing import critique, op_finding
from reviews import REVIEWS, review

from review_gate.prompts.outcome import CheckedPrompt, PromptChecks, entry_of
from review_gate.prompts.schema import Op, PromptFinding, Role, Weight
from review_gate.render import prompt_report
from review_gate.render.prompt_block import NO_CHANGES, NONE_APPLIED, SAYS_SO, WIDTH, block
from review_gate.render.prompt_json import review_json

Golden = Callable[[str, str], None]
SHOWN = [name for name, one in REVIEWS.items() if one.status != "not_reviewed"]


@pytest.mark.parametrize("name", SHOWN)
def test_the_review_block(name: str, golden: Golden) -> None:
    golden(f"prompts/{name}.txt", f"{block(REVIEWS[name])}\n")


@pytest.mark.parametrize("name", ["four-changes", "removed", "hostile"])
@pytest.mark.parametrize("is_colored", [False, True], ids=["plain", "colored"])
def test_the_block_on_a_terminal_shows_the_words_that_change(name: str, is_colored: bool, golden: Golden) -> None:
    ending = "colored" if is_colored else "plain"
    golden(f"prompts/{name}.{ending}.txt", f"{block(REVIEWS[name], is_colored=is_colored, shows_diff=True)}\n")


SAME = op_finding(Op.ADD_CONSTRAINT, "Be fast.", id="TST-001")
ELSEWHERE = op_finding(Op.REPLACE_VAGUE, "in 10 ms", evidence="soon", id="TST-002")
WITHOUT_CHANGES = {
    "nothing proposed": ((), NO_CHANGES),
    "said already": ((SAME,), SAYS_SO),
    "not there": ((ELSEWHERE,), NONE_APPLIED),
    "one of each": ((SAME, ELSEWHERE), NONE_APPLIED),
    "against each other": ((op_finding(Op.ADD_CONSTRAINT, "Never be fast.", id="TST-003"), SAME), NONE_APPLIED),
}


@pytest.mark.parametrize(("findings", "why"), WITHOUT_CHANGES.values(), ids=WITHOUT_CHANGES)
def test_why_there_are_no_changes(findings: tuple[PromptFinding, ...], why: str) -> None:
    shown = block(review(critique(Role.TESTING, *findings), prompt="Write it. Be fast."))
    assert [sentence for sentence in (NO_CHANGES, SAYS_SO, NONE_APPLIED) if f"| {sentence} " in shown] == [why]
    assert "-- Changes (0) --" in shown


@pytest.mark.parametrize("name", REVIEWS)
def test_the_json_of_a_review(name: str, golden: Golden) -> None:
    golden(f"prompts/{name}.json", f"{review_json(REVIEWS[name])}\n")


@pytest.mark.parametrize("name", SHOWN)
def test_the_frame_of_a_block_is_straight_and_nothing_in_it_is_obeyed(name: str) -> None:
    lines = block(REVIEWS[name]).split("\n")
    assert all(line[0] in "+|" for line in lines)
    assert all(len(line) == WIDTH for line in lines if line.endswith(("|", "+")) and line != "|")
    assert not [letter for letter in block(REVIEWS[name]) if letter != "\n" and not letter.isprintable()]


CHECKS = PromptChecks(
    files=tuple(
        CheckedPrompt(path=f"prompts/{name}.md", review=REVIEWS[name]) for name in ("four-changes", "not-reviewed")
    ),
    fail_on=Weight.MAJOR,
)
FORMS: dict[str, Callable[[PromptChecks], str]] = {
    "txt": lambda checks: prompt_report.checks_text(checks) + "\n",
    "json": lambda checks: prompt_report.checks_json(checks) + "\n",
    "github": prompt_report.checks_github,
    "xml": prompt_report.checks_junit,
    "sarif": lambda checks: "".join(prompt_report.checks_sarif(checks)),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_report_on_files(form: str, golden: Golden) -> None:
    golden(f"prompts/checks.{form}", FORMS[form](CHECKS))


@pytest.mark.parametrize(
    ("name", "fail_on", "fails"),
    [
        ("four-changes", "blocker", False),
        ("four-changes", "major", True),
        ("no-findings", "nit", False),
        ("dropped-and-notes", "minor", True),
        ("dropped-and-notes", "major", False),
        ("one-unavailable", "blocker", True),
        ("not-reviewed", "blocker", True),
        ("not-reviewed", None, False),
        ("four-changes", None, False),
    ],
)
def test_a_file_fails_from_a_severity_on_and_where_somebody_could_not_look(
    name: str, fail_on: str | None, fails: bool
) -> None:
    one = CheckedPrompt(path="a.md", review=REVIEWS[name])
    checks = PromptChecks(files=(one,), fail_on=Weight(fail_on) if fail_on else None)
    assert (checks.fails(one), checks.has_passed) == (fails, not fails)


def test_the_log_has_metadata_and_no_word_of_a_prompt() -> None:
    entry = entry_of(REVIEWS["four-changes"], "approved", "a3f8c2")
    document = json.loads(entry.model_dump_json())
    seed = {
        "timestamp": "2026-02-24T14:32:01Z",
        "project": "shop",
        "trigger": "cli",
        "mode": "subscription",
        "original_prompt_hash": "a3f8c2",
        "reviewers_active": ["domain_sme", "security", "clarity", "testing"],
        "findings_count": 4,
        "severity_max": "major",
        "conflicts": 0,
        "outcome": "approved",
        "cost": {"input_tokens": 2000, "output_tokens": 800, "usd": 0.0},
        "duration_ms": 4000,
    }
    assert {key: document[key] for key in seed} == seed
    assert "optimize" not in entry.model_dump_json() + entry_of(REVIEWS["hostile"], "approved", "").model_dump_json()
