"""The reviewers of a prompt and their one limit, whatever those who ask them make of it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable

from review_gate.ports import NoReply, Question, Reply, Usage
from review_gate.prompts.outcome import Task
from review_gate.prompts.schema import CritiqueAnswer, Role
from review_gate.shell.asking import Asking, Said
from review_gate.shell.prompt_panel import PromptPanel

SECONDS = 2
# Far longer than the limit, and not for ever: who waits for it gets an answer, and that is seen.
STUBBORN_SECONDS = 15


class Deaf(Asking):
    """Knows no limit: who looks after security answers once all is over."""

    def __init__(self, over: threading.Event) -> None:
        self._over = over

    def ask(self, question_within: Callable[[float], Question]) -> Said:
        role = Role.SECURITY if Role.SECURITY.value in question_within(60).task else Role.CLARITY
        if role is Role.SECURITY:
            self._over.wait(STUBBORN_SECONDS)
        said: dict[str, object] = {
            "reviewer_role": role.value,
            "severity_max": None,
            "confidence": 1,
            "findings": [],
            "no_issues": True,
        }
        data = CritiqueAnswer.model_validate(said)
        return Said(Reply(data=data, raw=json.dumps(said), model="m", usage=Usage(input_tokens=1), attempts=1))


def test_who_does_not_keep_to_the_limit_is_not_waited_for() -> None:
    over = threading.Event()
    tasks = [Task(role, role.value, "") for role in (Role.SECURITY, Role.CLARITY)]
    try:
        late, heard = PromptPanel(Deaf(over), "", "n", SECONDS, None).heard(tasks)
    finally:
        over.set()
    assert (late.reviewed.role, late.reviewed.problem) == (Role.SECURITY, "it gave no answer within 2 seconds")
    assert late.usd is None
    assert (heard.reviewed.role, heard.reviewed.problem) == (Role.CLARITY, "")
    assert heard.usage == Usage(input_tokens=1)


class Impatient(Asking):
    """Gives up by itself, as a provider does that is told the same limit."""

    def __init__(self) -> None:
        pass

    def ask(self, question_within: Callable[[float], Question]) -> Said:
        question_within(60)
        return Said(NoReply(kind="timeout", why="claude gave no answer within 2 seconds", next_step="try again"))


def test_whoever_gives_up_first_says_the_same() -> None:
    (late,) = PromptPanel(Impatient(), "", "n", SECONDS, None).heard([Task(Role.SECURITY, "security", "")])
    assert late.reviewed.problem == "it gave no answer within 2 seconds"
