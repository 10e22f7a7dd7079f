"""What models answered, and what a reviewer says: the text that was received decides."""

from __future__ import annotations

import json
from typing import Any

import pytest
from builders import finding
from composing import agent, config

from review_gate.models import Severity
from review_gate.pipeline.exhibit import ShownFile
from review_gate.pipeline.gap_vote import NOBODY_MISSING, gap_vote
from review_gate.pipeline.parts import AgentPart, Answered, GapPart, Ground, KnownFile, Look, ModelLooks
from review_gate.pipeline.schema import AgentManifest, ManifestEntry
from review_gate.pipeline.vote import Vote, vote
from review_gate.ports import Outcome, Usage

ENTRY = ManifestEntry(agent="watcher", loop=2, priority=50, because=("every change",))
FILES = (ShownFile(path="a.py", token="t1", shown_lines=3), ShownFile(path="b.py", token="t2", shown_lines=3))
GROUND = Ground(config=config(), nonce="0123", provider="scripted", model="scripted-1")


def said(**fields: Any) -> dict[str, Any]:
    usual = {
        "rule": "other",
        "severity": "major",
        "message": "wrong",
        "file": "a.py",
        "line": 1,
        "quote": "x",
        "recommendation": "do it right",
        "confidence": 0.5,
    }
    return usual | fields


def answered(*findings: dict[str, Any], read: str = "t1 t2", **fields: Any) -> Answered:
    document = {"findings": findings, "files_read": [{"path": "?", "token": token} for token in read.split()]}
    usual = {"files": FILES, "raw": json.dumps(document), "model": "scripted-1", "usage": Usage(input_tokens=10)}
    return Answered.model_validate(usual | fields)


def voted(*looks: Look, ground: Ground = GROUND, entry: ManifestEntry = ENTRY, scanned: Outcome | None = None) -> Vote:
    model = ModelLooks(looks=looks, readable=("a.py", "b.py"))
    return vote(AgentPart(entry=entry, scanned=scanned, model=model), ground)


def one_look(*answers: Answered) -> Look:
    return Look(answers=answers)


def severities(found: Vote) -> list[str]:
    return [one.severity.value for one in found.outcome.findings]


def test_what_blocks_is_told_even_where_another_group_was_not_answered() -> None:
    found = voted(one_look(answered(said()), answered(problem="timeout: no answer", raw="")))
    assert (found.outcome.could_not_run, found.outcome.detail) == ("", "timeout: no answer")
    assert severities(found) == ["major"]


@pytest.mark.parametrize(("line", "told"), [(2, 2), (2**31 - 1, 2**31 - 1), (2**31, None), (0, None), (-5, None)])
def test_a_line_that_no_file_has_is_left_out(line: int, told: int | None) -> None:
    (finding,) = voted(one_look(answered(said(line=line)))).outcome.findings
    assert (finding.file, finding.line) == ("a.py", told)


def test_what_does_not_block_is_no_vote_where_a_group_was_not_answered() -> None:
    found = voted(one_look(answered(said(severity="info")), answered(problem="timeout: no answer", raw="")))
    assert (found.outcome.could_not_run, found.outcome.status) == ("timeout: no answer", "could_not_run")


def test_a_problem_is_told_once_and_of_many_the_first_two() -> None:
    problems = [answered(problem=problem, raw="") for problem in "aabcd"]
    assert voted(one_look(*problems)).outcome.could_not_run == "a; b and 2 more"


def test_a_limit_that_kept_an_answer_away_makes_the_reviewer_required() -> None:
    assert not voted(one_look(answered(problem="timeout", raw=""))).is_required
    assert voted(one_look(answered(problem="models.max_usd", raw="", is_capped=True))).is_required


@pytest.mark.parametrize(
    ("again", "told"),
    [("major", ["major"]), ("info", ["major"]), ("critical", ["critical"])],
    ids=["as before", "milder", "worse"],
)
def test_what_a_second_look_tells_again_counts_once_and_is_never_made_milder(again: str, told: list[str]) -> None:
    assert severities(voted(one_look(answered(said())), one_look(answered(said(severity=again))))) == told


def test_a_second_look_adds_and_what_is_told_twice_in_one_look_stays() -> None:
    twice = answered(said(message="one way"), said(message="another way"))
    found = voted(one_look(twice), one_look(answered(said(line=2, quote="y"))))
    assert [one.message for one in found.outcome.findings] == ["one way", "another way", "wrong"]


def test_files_that_were_known_count_as_read_and_bring_their_findings() -> None:
    known = KnownFile(path="a.py", findings=(finding(reviewer="watcher"),))
    found = voted(Look(known=(known,), answers=(answered(files=FILES[1:], read="t2"),)))
    part = found.outcome.model
    assert part is not None
    assert (part.files_shown, part.files_read, part.from_cache, part.asked) == (2, 2, 1, 1)
    assert severities(found) == ["major"]


def test_who_read_too_little_has_not_voted() -> None:
    problem = "it read 1 of the 2 files that it was shown, without b.py"
    assert voted(one_look(answered(read="t1"))).outcome.could_not_run == problem
    enough = GROUND.model_copy(update={"coverage": 0.5})
    assert voted(one_look(answered(read="t1")), ground=enough).outcome.could_not_run == ""


NO_ANSWERS = {
    "prose": ("approved!", "malformed: the answer holds no JSON"),
    "another shape": ('{"approved": true}', "malformed: the answer has the wrong shape: findings: Field required"),
}


@pytest.mark.parametrize(("raw", "problem"), NO_ANSWERS.values(), ids=NO_ANSWERS)
def test_a_text_that_is_no_answer_is_no_vote(raw: str, problem: str) -> None:
    assert voted(one_look(answered(raw=raw))).outcome.could_not_run.startswith(problem)


def test_patterns_alone_are_a_vote_unless_a_model_is_required() -> None:
    alone = AgentPart(entry=ENTRY, scanned=Outcome())
    ground = GROUND.model_copy(update={"why_no_model": "no model can be asked"})
    assert vote(alone, ground).outcome.could_not_run == ""
    required = ground.model_copy(update={"is_model_required": True})
    assert vote(alone, required) == (Outcome(could_not_run="no model can be asked"), True)
    assert vote(AgentPart(entry=ENTRY), ground).outcome.could_not_run == "no model can be asked"


def test_a_failure_is_of_the_commits_only_where_nothing_else_blocks() -> None:
    scanned = Outcome(findings=(finding(reviewer="watcher"),), is_of_commits=True)
    assert voted(one_look(answered()), scanned=scanned).outcome.is_of_commits
    assert not voted(one_look(answered(said())), scanned=scanned).outcome.is_of_commits


def test_the_failures_of_one_reviewer_together_make_the_worst_one_worse() -> None:
    strict = config(agents=[agent(escalation={"failures": 2})], rules=[], composition=[], domains=[])
    found = voted(
        one_look(answered(said())),
        scanned=Outcome(findings=(finding(category="colour", file="0.py", reviewer="watcher"),)),
        ground=GROUND.model_copy(update={"config": strict}),
    )
    assert [one.severity for one in found.outcome.findings] == [Severity.CRITICAL, Severity.MAJOR]


def gaps_answered(*files: str, shown: tuple[ShownFile, ...] = FILES) -> Answered:
    amendment = {"agent": "banker", "concern": "rounding", "files": files}
    return Answered(files=shown, raw=json.dumps({"amendments": [amendment]}))


def gap_part(*answers: Answered, **fields: Any) -> GapPart:
    paths = ("a.py", "b.py", "c.py")
    usual = {"manifest": AgentManifest(entries=(ENTRY,)), "answers": answers, "paths": paths}
    return GapPart.model_validate(usual | fields)


def test_a_model_that_sees_all_of_a_change_may_mean_all_of_it() -> None:
    (amendment,) = gap_vote(gap_part(gaps_answered()), GROUND).amendments
    assert (amendment.agent, amendment.files) == ("banker", ())


def test_a_model_that_sees_a_part_of_a_change_means_that_part() -> None:
    other = (ShownFile(path="c.py", token="t1", shown_lines=1),)
    nothing = Answered(files=other, raw='{"amendments": []}')
    (amendment,) = gap_vote(gap_part(gaps_answered(), nothing), GROUND).amendments
    assert amendment.files == ("a.py", "b.py")


def test_an_answer_that_was_known_counts_like_a_new_one() -> None:
    asked = gap_vote(gap_part(known=(gaps_answered("a.py"),)), GROUND)
    assert [gap.agent for gap in asked.gaps] == ["banker"]
    assert asked.outcome.model is not None
    assert (asked.outcome.model.from_cache, asked.outcome.model.asked) == (1, 0)
    assert asked.outcome.detail == "added banker: rounding"


def test_what_could_not_be_asked_is_told_beside_what_was_added() -> None:
    asked = gap_vote(gap_part(gaps_answered("a.py"), Answered(problem="timeout: no answer")), GROUND)
    assert asked.outcome.could_not_run == "timeout: no answer; added banker: rounding"
    assert not asked.outcome.is_vote
    assert len(asked.amendments) == 1


def test_a_long_concern_is_told_shortly() -> None:
    long = Answered(raw=json.dumps({"amendments": [{"agent": "banker", "concern": "x " * 300, "files": []}]}))
    detail = gap_vote(gap_part(long), GROUND).outcome.detail
    assert (detail[:21], detail[-5:], len(detail)) == ("added banker: x x x x", "x ...", 217)


def test_nobody_missing_is_said_in_words() -> None:
    assert gap_vote(gap_part(Answered(raw='{"amendments": []}')), GROUND).outcome.detail == NOBODY_MISSING
