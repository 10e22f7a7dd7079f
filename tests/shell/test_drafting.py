"""The order of drafts is drawn before anybody is asked, and stays whoever is quick."""

from __future__ import annotations

import time

import pytest
from conftest import Repo
from fakes import ScriptedProvider
from opening import repository_at

from review_gate.config.schema import Config
from review_gate.consensus.drafts import Attempt, drafts_of
from review_gate.pipeline.spend import Caps, Spend
from review_gate.ports import NoReply, Question, Reply
from review_gate.shell.asking import Asking
from review_gate.shell.drafting import ask_for_drafts
from review_gate.shell.process import Commands
from review_gate.workflows.generate import drawn

GOOD = '{"draft": "fine"}'


class Slow(ScriptedProvider):
    """One that takes its time."""

    def ask(self, question: Question) -> Reply | NoReply:
        """The same, later."""
        time.sleep(0.1)
        return super().ask(question)


def spend() -> Spend:
    return Spend(Caps(), time.monotonic)


def test_the_order_is_another_one_each_time(repo: Repo) -> None:
    providers = [ScriptedProvider([GOOD], name=name) for name in ("codex", "gemini", "claude")]
    orders = {
        tuple(one.provider.name for one in drawn(providers, Config(), repository_at(repo), spend())) for _ in range(60)
    }
    # That 60 draws out of 6 orders miss one of them has a chance of 1 in 10,000; that they miss three, none.
    assert len(orders) >= 4


def attempts_of(*providers: ScriptedProvider, events: list[tuple[str, int]] | None = None) -> tuple[Attempt, ...]:
    def log(event: str, **fields: int) -> None:
        if events is not None and "generator" in fields:
            events.append((event, fields["generator"]))

    return ask_for_drafts([Asking(one, None, spend(), 10.0) for one in providers], "shared", "task", log, Commands())


def test_drafts_stand_in_the_drawn_order_and_letters_have_no_gap() -> None:
    providers = [Slow(['{"draft": "slow"}']), ScriptedProvider([("refused", "no")]), ScriptedProvider([GOOD])]
    events: list[tuple[str, int]] = []
    attempts = attempts_of(*providers, events=events)
    assert [(one.id, one.text) for one in drafts_of(attempts)] == [("A", "slow"), ("B", "fine")]
    assert [one.problem for one in attempts] == ["", "refused", ""]
    assert [event for event, number in events if number == 2] == ["asked", "failed", "asked", "failed"]
    assert [len(one.asked) for one in providers] == [1, 2, 1]


@pytest.mark.parametrize("kind", ["no_key", "not_installed", "not_logged_in"])
def test_generator_is_not_asked_again_when_it_cannot_be_asked_at_all(kind: str) -> None:
    provider = ScriptedProvider([(kind, "no")])  # type: ignore[list-item]  # it is one of the words of a failure
    assert [one.problem for one in attempts_of(provider)] == [kind]
    assert len(provider.asked) == 1
