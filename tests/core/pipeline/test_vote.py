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
from review_gate.pipeline.question import canary_of
from review_gate.pipeline.schema import AgentManifest, ManifestEntry
from review_gate.pipeline.vote import AgentPart, Answered, GapPart, Ground, KnownFile, Look, ModelLooks, Vote, vote
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


def handed_in(*findings: dict[str, Any], read: str = "t1 t2") -> ModelLooks:
    """What a session answered."""
    looks = (one_look(answered(*findings, read=read, model="", usage=Usage())),)
    return ModelLooks(looks=looks, readable=("a.py", "b.py"))


OWN = GROUND.model_copy(update={"session_nonce": "4567"})
# Without a model the reason why: nobody is asked where models are off, nobody can be where they are unreachable.
OFF, UNREACHABLE = "no model can be asked: models: they are off", "no model can be asked: claude: not on PATH"
ALONE = (
    "only the session that wrote the code answered for it, and assurance: independent wants a model's vote too ({});"
    " review-gate providers tells how one can be asked"
)
CLEAN = ModelLooks(looks=(one_look(answered()),), readable=("a.py", "b.py"))
LATE = ModelLooks(looks=(one_look(answered(problem="timeout", raw="")),), readable=("a.py", "b.py"))
# models.use, what became of the model, what the session answered -> the outcome, and whether it is required, under
# each assurance. The reviewer has patterns that found nothing, and its entry does not require it.
PASS, NO = "passed", "could_not_run"
Case = tuple[str, ModelLooks | None, ModelLooks | None, tuple[str, bool], tuple[str, bool]]
ASSURANCE: dict[str, Case] = {
    "off, no session": ("off", None, None, (PASS, False), (PASS, False)),
    "off, session": ("off", None, handed_in(), (PASS, False), (NO, True)),
    "off, session that read nothing": ("off", None, handed_in(read=""), (NO, False), (NO, True)),
    "off, session that found something": ("off", None, handed_in(said()), ("failed", False), ("failed", True)),
    "auto, unreachable, no session": ("auto", None, None, (PASS, False), (PASS, False)),
    "auto, unreachable, session": ("auto", None, handed_in(), (PASS, False), (NO, True)),
    "auto, unreachable, session finds": ("auto", None, handed_in(said()), ("failed", False), ("failed", True)),
    "auto, model, no session": ("auto", CLEAN, None, (PASS, False), (PASS, False)),
    "auto, model and session": ("auto", CLEAN, handed_in(), (PASS, False), (PASS, False)),
    "auto, model, session finds": ("auto", CLEAN, handed_in(said()), ("failed", False), ("failed", False)),
    "auto, model, session that read nothing": ("auto", CLEAN, handed_in(read=""), (PASS, False), (PASS, False)),
    "auto, late model, no session": ("auto", LATE, None, (NO, False), (NO, False)),
    "auto, late model, session": ("auto", LATE, handed_in(), (NO, False), (NO, True)),
    "required, unreachable, no session": ("required", None, None, (NO, True), (NO, True)),
    "required, unreachable, session": ("required", None, handed_in(), (PASS, True), (NO, True)),
    "required, unreachable, session finds": ("required", None, handed_in(said()), ("failed", True), ("failed", True)),
    "required, model and session": ("required", CLEAN, handed_in(), (PASS, True), (PASS, True)),
    "required, model, session finds": ("required", CLEAN, handed_in(said()), ("failed", True), ("failed", True)),
    "required, late model, session": ("required", LATE, handed_in(), (NO, True), (NO, True)),
}


@pytest.mark.parametrize("case", ASSURANCE.values(), ids=ASSURANCE)
@pytest.mark.parametrize("is_enough", [True, False], ids=["session", "independent"])
def test_what_a_vote_may_rest_on(case: Case, is_enough: bool) -> None:
    use, model, session, by_session, independent = case
    why = OFF if use == "off" else UNREACHABLE
    facts = {"is_model_required": use == "required", "why_no_model": why, "is_session_enough": is_enough}
    ground = OWN.model_copy(update=facts)
    found = vote(AgentPart(entry=ENTRY, scanned=Outcome(), model=model, session=session), ground)
    assert (found.outcome.status, found.is_required) == (by_session if is_enough else independent)
    assert found.outcome.via == ("session" if session else None)
    is_alone = not is_enough and session is not None and model is not CLEAN
    told = found.outcome.could_not_run or found.outcome.detail
    assert (told == ALONE.format("timeout" if model is LATE else why)) == is_alone


def test_a_reviewer_that_has_no_patterns_votes_by_the_session() -> None:
    found = vote(AgentPart(entry=ENTRY, session=handed_in()), OWN)
    assert (found.outcome.status, found.outcome.could_not_run) == ("passed", "")


def test_what_the_session_saw_is_told_and_cost_the_run_nothing() -> None:
    part = vote(AgentPart(entry=ENTRY, session=handed_in(read="t1")), OWN).outcome.model
    assert part is not None
    assert (part.provider, part.asked, part.usd, part.usage) == ("session", 0, 0.0, Usage())
    assert (part.files_shown, part.files_read, part.unread) == (2, 1, ("b.py",))


def test_an_answer_of_the_session_that_is_no_vote_is_told_beside_the_model_that_voted() -> None:
    found = vote(AgentPart(entry=ENTRY, model=CLEAN, session=handed_in(read="")), OWN)
    problem = "it read 0 of the 2 files that it was shown, without a.py"
    assert found.outcome.detail == f"what the session answered for it is no vote: {problem}"


def test_what_session_and_model_both_find_is_told_once_at_its_worst() -> None:
    model = ModelLooks(looks=(one_look(answered(said(severity="warning"))),), readable=("a.py", "b.py"))
    found = vote(AgentPart(entry=ENTRY, model=model, session=handed_in(said(severity="critical"))), OWN)
    assert severities(found) == ["critical"]


@pytest.mark.parametrize(("nonce", "status"), [("4567", "could_not_run"), ("0123", "passed")])
def test_the_mark_of_the_session_is_its_own(nonce: str, status: str) -> None:
    warned = said(severity="warning", message=canary_of(nonce))
    assert vote(AgentPart(entry=ENTRY, session=handed_in(warned)), OWN).outcome.status == status
