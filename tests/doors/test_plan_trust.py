"""What keeps the experts of a plan from being fooled, passed over, robbed or left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from modelling import Asked, Raw, model
from plan_models import approves, chosen, expert_of, plan_model
from planning import PANEL, PLAN, REVIEWERS, SECRET, Plan, answers
from running import wait_until_gone, written_numbers

from review_gate.errors import ReviewGateError
from review_gate.plans.schema import Answer, Phase
from review_gate.ports import Family, NoReply, Question, Reply


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    return Plan(tmp_path, monkeypatch)


TURNED_AWAY: dict[str, Any] = {
    "a firewall": Raw(403, b"<html>blocked</html>", {"content-type": "text/html"}),
}


@pytest.mark.parametrize("said", TURNED_AWAY.values(), ids=TURNED_AWAY)
def test_a_plan_that_keeps_itself_from_the_experts_is_not_approved(plan: Plan, said: Any) -> None:
    with model(plan_model(lambda _: said)) as server:
        outcome = plan.review(server)
        assert "Nothing is asked yet" in server.asked[-1].task
    assert PLAN.splitlines()[-1] not in server.asked[-1].shared
    assert outcome.review.phase is Phase.INCOMPLETE
    assert "Barbara Liskov could not review: " in outcome.review.reason


class Fake:
    """Says always the same."""

    family: Family = "google"

    def __init__(self, said: Callable[[Question], Reply | NoReply], name: str = "fake", model: str = "") -> None:
        self.said = said
        self.name = name
        self.model = model

    def unusable(self) -> None:
        return None

    def ask(self, question: Question) -> Reply | NoReply:
        return self.said(question)


def test_where_models_are_required_a_panel_of_nobody_but_claude_does_not_do(plan: Plan) -> None:
    plan.write("context.yaml", "reviewer_personas: [Claude (self-review)]\n")
    with model(plan_model()) as server:
        assert plan.review(server).review.phase is Phase.APPROVED
        plan.settings("models: required\n")
        assert plan.status() == "stale: models are required, and the plan was approved without an expert"
        outcome = plan.review(server)
    assert outcome.review.phase is Phase.INCOMPLETE
    assert outcome.review.reason == (
        "models are required, and the panel names nobody but Claude, whose part is the checks"
    )


def test_no_secret_is_sent_with_what_is_said_of_an_expert(plan: Plan) -> None:
    plan.write("context.yaml", PANEL.replace("databases", f"databases with the key {SECRET}"))
    with model(plan_model()) as server:
        outcome = plan.review(server)
    assert server.asked == []
    assert outcome.review.reason.startswith(
        "Jim Gray could not review: what is said of the reviewers holds a secret, which must not leave this machine; "
    )


def test_no_secret_is_sent_with_the_list_of_those_who_can_be_chosen(plan: Plan) -> None:
    plan.write("context.yaml", "{}\n")
    (plan.home / ".claude/reviewers.yaml").write_text(REVIEWERS.replace("Emmy Noether", f"Emmy {SECRET}"))
    with model(plan_model(panel=lambda _: chosen("Jim Gray"))) as server:
        outcome = plan.review(server)
    assert not [asked for asked in server.asked if "You choose who reviews" in asked.task]
    assert outcome.warnings[-1].startswith(
        "context.yaml names no reviewer and no panel was chosen by a model (what is said of the reviewers holds"
    )


CONTEXTS: dict[str, tuple[bytes, bytes]] = {
    "an empty file": (b"", b"# Who reviews, and for which project: "),
    "another layout": (
        b"project_root:\t'.'  # here\nchecks:\n    - {id: a, pattern: \"zz\"}",
        b"project_root:\t'.'  # here\nchecks:\n    - {id: a, pattern: \"zz\"}\nreviewer_personas:\n- name: Jim Gray\n",
    ),
    "braces": (b"{project_root: .}\n", b"project_root: .\nreviewer_personas:\n- name: Jim Gray\n"),
}


@pytest.mark.parametrize(("before", "after"), CONTEXTS.values(), ids=CONTEXTS)
def test_all_that_a_context_says_stays_when_a_panel_is_written_into_it(plan: Plan, before: bytes, after: bytes) -> None:
    (plan.path / "context.yaml").write_bytes(before)
    (plan.home / ".claude/reviewers.yaml").write_text(REVIEWERS)
    with model(plan_model(panel=lambda _: chosen("Jim Gray"))) as server:
        assert plan.review(server).panel.names == "Jim Gray, Claude"
    assert (plan.path / "context.yaml").read_bytes().startswith(after)


def test_a_plan_that_is_changed_while_the_experts_look_is_not_approved(plan: Plan) -> None:
    def meanwhile(asked: Asked) -> Any:
        plan.write("plan.md", PLAN + "3. Delete all backups.\n")
        return approves(asked)

    with model(plan_model(meanwhile)) as server, pytest.raises(ReviewGateError) as raised:
        plan.review(server)
    assert raised.value.what == "the plan was changed by somebody else during the review"
    assert plan.status() == "missing: the plan was not approved"


# A shell's background job, as the tests may be one, ignores interrupts, and so does what it starts.
START = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp("review-gate", ["review-gate", "expert-review", "plan.md"])
"""
ENDLESS = "#!/bin/sh\necho $$ >> {}\nexec sleep 60\n"


@pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["end", "interrupt"])
def test_a_signal_ends_the_programs_that_were_asked(plan: Plan, number: signal.Signals) -> None:
    plan.write("claude", ENDLESS.format(plan.path / "pids"))
    (plan.path / "claude").chmod(0o755)
    path = os.pathsep.join([str(plan.path), os.path.dirname(sys.executable), os.environ["PATH"]])
    environ = {**os.environ, **plan.environ, "PATH": path, "ANTHROPIC_API_KEY": ""}
    command = [sys.executable, "-IS", "-c", START]
    with subprocess.Popen(command, cwd=plan.path, env=environ, stderr=subprocess.PIPE, text=True) as review:
        pids = written_numbers(plan.path / "pids", 2)
        review.send_signal(number)
        _, errors = review.communicate(timeout=30)
    assert (review.returncode, errors.splitlines()[-1]) == (
        130,
        "interrupted: edits and answers so far are kept, and the same command goes on from there",
    )
    assert wait_until_gone(*pids) == []


OUR_KEY = "checks: [{{id: our_key, category: secrets, pattern: KEY-1234567890, reason: it is ours, {}}}]\n"


@pytest.mark.parametrize("only", ["scope: plan", "languages: [markdown]", "include: ['*.md']"])
def test_a_secret_is_one_whatever_texts_its_check_is_for(plan: Plan, only: str) -> None:
    plan.write("checks.yaml", OUR_KEY.format(only))
    plan.write("plan.md", PLAN + "3. Use KEY-1234567890.\n")
    with model(plan_model()) as server:
        plan.review(server, answers(Answer(kind="approve")))
    shown = [asked.shared + asked.task for asked in server.asked if expert_of(asked)]
    assert len(shown) == 2
    assert not [text for text in shown if "KEY-1234567890" in text]


def test_no_secret_is_sent_with_the_words_of_a_check(plan: Plan) -> None:
    plan.write("checks.yaml", f"checks: [{{id: no_key, pattern: table, reason: {SECRET} is not for plans}}]\n")
    with model(plan_model()) as server:
        outcome = plan.review(server)
    assert server.asked == []
    assert outcome.question is not None
    assert outcome.question.explanation == ""
