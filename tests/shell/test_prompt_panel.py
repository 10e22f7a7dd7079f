"""The reviewers of a prompt and their one limit, whatever those who ask them make of it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable

from review_gate.ports import Question, Reply, Usage
from review_gate.prompts.schema import CritiqueAnswer, Role
from review_gate.shell.asking import Asking, Said
from review_gate.shell.prompt_panel import PromptPanel, Task

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
