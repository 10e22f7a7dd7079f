"""What keeps the experts of a plan from being fooled, passed over, robbed or left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from io import BufferedIOBase
from pathlib import Path
from typing import Any

import pytest
from modelling import Asked, model
from plan_models import chosen, expert_of, plan_model
from planning import PANEL, PLAN, REVIEWERS, SECRET, Plan, answers, one_objects
from running import wait_until_gone, written_numbers

from review_gate.plans.schema import Answer, Phase


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    return Plan(tmp_path, monkeypatch)


def hangs_up(wire: BufferedIOBase, _: threading.Event) -> None:
    wire.write(b"")


def test_a_service_that_has_said_something_was_reached(plan: Plan) -> None:
    plan.settings("models: {answer_seconds: 1.5}\n")
    asked: list[str] = []

    def garbage_and_then_nothing(one: Asked) -> Any:
        asked.append(expert_of(one))
        return "no JSON" if asked.count(expert_of(one)) == 1 else hangs_up

    with model(plan_model(garbage_and_then_nothing)) as server:
        outcome = plan.review(server)
    assert outcome.review.phase is Phase.INCOMPLETE
    assert outcome.review.reason.startswith("Jim Gray could not review: unreachable: ")


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
        "no panel was chosen by a model: what is said of the reviewers holds a secret"
    )


def test_no_secret_is_sent_with_the_words_of_a_check(plan: Plan) -> None:
    plan.write("checks.yaml", f"checks: [{{id: no_key, pattern: table, reason: {SECRET} is not for plans}}]\n")
    with model(plan_model()) as server:
        outcome = plan.review(server)
    assert server.asked == []
    assert outcome.question is not None
    assert outcome.question.explanation == ""


def test_a_plan_with_the_line_ends_of_windows_is_shown_without_them(plan: Plan) -> None:
    (plan.path / "plan.md").write_bytes((PLAN + SECRET + "\n").replace("\n", "\r\n").encode())
    with model(plan_model(one_objects)) as server:
        outcome = plan.review(server, answers(Answer(kind="replace", text="Keep it.")))
    assert "    3 1. Drop the old table.\n" in server.asked[0].shared
    assert "<U+000D>" not in server.asked[0].shared
    assert SECRET not in server.asked[0].shared
    assert outcome.question is not None
    assert (plan.path / "plan.md").read_bytes().startswith(b"# Move\r\n\r\n1. Keep it.\r\n")


def foreign_folder(answers: Path) -> None:
    answers.mkdir(parents=True)
    answers.chmod(0o777)


def file_in_the_place(answers: Path) -> None:
    answers.parent.mkdir(parents=True)
    answers.write_text("")


def link_to_nowhere(answers: Path) -> None:
    answers.parent.mkdir(parents=True)
    answers.symlink_to("nowhere")


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="what others may write to is told by POSIX modes")
@pytest.mark.parametrize("make", [foreign_folder, file_in_the_place, link_to_nowhere])
def test_answers_are_kept_in_no_folder_but_our_own(plan: Plan, make: Callable[[Path], None]) -> None:
    make(plan.home / ".cache/review-gate/plan-answers")
    with model(plan_model()) as server:
        for _ in range(2):
            assert plan.review(server).review.phase is Phase.APPROVED
    assert len(server.asked) == 4


CONTEXTS: dict[str, tuple[bytes, bytes]] = {
    "an empty file": (b"", b"# Who reviews, and for which project: "),
    "another layout": (
        b"project_root:\t'.'  # here\nchecks:\n    - {id: a, pattern: \"zz\"}",
        b"project_root:\t'.'  # here\nchecks:\n    - {id: a, pattern: \"zz\"}\nreviewer_personas:\n- name: Jim Gray\n",
    ),
    "line ends of Windows": (
        b"project_root: '.'\r\n",
        b"project_root: '.'\r\nreviewer_personas:\r\n- name: Jim Gray\r\n",
    ),
    "braces": (b"{project_root: .}\n", b"{project_root: ., reviewer_personas: [{name: Jim Gray, "),
    "an end mark": (b"project_root: .\n...\n", b"project_root: .\nreviewer_personas:\n- name: Jim Gray\n"),
    "a panel of nobody": (b"reviewer_personas:\n# end\n", b"reviewer_personas:\n- name: Jim Gray\n"),
}


@pytest.mark.parametrize(("before", "after"), CONTEXTS.values(), ids=CONTEXTS)
def test_all_that_a_context_says_stays_when_a_panel_is_written_into_it(plan: Plan, before: bytes, after: bytes) -> None:
    (plan.path / "context.yaml").write_bytes(before)
    (plan.home / ".claude/reviewers.yaml").write_text(REVIEWERS)
    with model(plan_model(panel=lambda _: chosen("Jim Gray"))) as server:
        assert plan.review(server).panel.names == "Jim Gray, Claude"
    assert (plan.path / "context.yaml").read_bytes().startswith(after)


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
    command = [sys.executable, "-c", START]
    with subprocess.Popen(command, cwd=plan.path, env=environ, stderr=subprocess.PIPE, text=True) as review:
        pids = written_numbers(plan.path / "pids", 2)
        review.send_signal(number)
        _, errors = review.communicate(timeout=30)
    assert (review.returncode, errors.splitlines()[-1]) == (
        130,
        "interrupted: the same command again goes on from where it was",
    )
    assert wait_until_gone(*pids) == []
