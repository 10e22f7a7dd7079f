"""The order of drafts is drawn before anybody is asked, and stays whoever is quick."""

from __future__ import annotations

import time

import pytest
from conftest import Repo
from fakes import ScriptedProvider
from opening import repository_at

from review_gate.config.schema import Config
from review_gate.consensus.drafts import drafts_of
from review_gate.pipeline.spend import Caps, Spend
from review_gate.ports import NoReply, Question, Reply
from review_gate.shell.asking import Asking
from review_gate.shell.drafting import Drafting
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


def test_who_answers_first_does_not_come_first_and_letters_have_no_gap() -> None:
    providers = [Slow(['{"draft": "slow"}']), ScriptedProvider([("refused", "no")]), ScriptedProvider([GOOD])]
    events: list[tuple[str, int]] = []
    drafting = Drafting(
        [Asking(one, None, spend(), 10.0) for one in providers],
        "shared",
        "task",
        lambda event, **fields: events.append((event, fields["generator"])),
    )
    attempts = drafting.attempts()
    drafting.close()
    assert [(one.id, one.text) for one in drafts_of(attempts)] == [("A", "slow"), ("B", "fine")]
    assert [one.problem for one in attempts] == ["", "refused", ""]
    assert [event for event, number in events if number == 2] == ["asked", "failed", "asked", "failed"]
    assert [len(one.asked) for one in providers] == [1, 2, 1]


@pytest.mark.parametrize("kind", ["no_key", "not_installed", "not_logged_in"])
def test_who_cannot_be_asked_at_all_is_not_asked_again(kind: str) -> None:
    provider = ScriptedProvider([(kind, "no")])  # type: ignore[list-item]  # it is one of the words of a failure
    drafting = Drafting([Asking(provider, None, spend(), 10.0)], "", "", lambda event, **fields: None)
    assert [one.problem for one in drafting.attempts()] == [kind]
    drafting.close()
    assert len(provider.asked) == 1
