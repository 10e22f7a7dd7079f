"""What a model behind a provider does in a test, in words that every stage can play in its own dialect."""

from __future__ import annotations

from typing import Literal, NamedTuple

from review_gate.models import Frozen
from review_gate.ports import Question

GOOD = '{"verdict": "approve", "lines": [3, 5], "note": "grüße"}'
KEY = "sk-ant-test-0123456789abcdef"
LOGIN_PAGE = "<!DOCTYPE html><html><body>Please sign in</body></html>"
REASON = "please come back \x1b[31mlater\x1b[0m\x07"
Ending = Literal["", "refusal", "max_tokens"]
Trouble = Literal[
    "overloaded",
    "limited",
    "unauthorized",
    "tell_key",
    "login_page",
    "nothing",
    "hang",
    "hang_midway",
    "drip",
    "flood",
    # Only a program can do these.
    "killed",
    "daemon",
    "far_daemon",
    "exit_3",
    "loud",
]


class Verdict(Frozen):
    """The answer that all questions of these tests ask for."""

    verdict: Literal["approve", "reject"]
    lines: tuple[int, ...] = ()
    note: str = ""


class Step(NamedTuple):
    """One try: the model says something, or there is trouble."""

    text: str = GOOD
    ending: Ending = ""
    trouble: Trouble | Literal[""] = ""

    def as_json(self) -> dict[str, str]:
        """For a stage in another process."""
        return self._asdict()


def trouble(name: Trouble) -> Step:
    """A try that brings no answer."""
    return Step(trouble=name)


def ask(seconds: float = 20.0, shared: str = "the change\n\nwith ümlauts", task: str = "Is it good?") -> Question:
    """A question about nothing much."""
    return Question(shared, task, answer=Verdict, max_output_tokens=1000, seconds=seconds)
