"""What an agent is answered, in the same words for every agent."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Verdict = Literal["nothing", "deny", "context", "keep_working", "notice"]
    Deed = Literal["keep_prompt", "keep_typed", "count_stop", "forget_stops"]
    Effect = tuple[Deed, str, str]

NOTHING: Verdict = "nothing"
DENY: Verdict = "deny"
CONTEXT: Verdict = "context"
KEEP_WORKING: Verdict = "keep_working"
NOTICE: Verdict = "notice"
# What the door has to do before the answer is given; each with two words about it.
KEEP_PROMPT: Deed = "keep_prompt"
# The same for what stands behind /prompt-review.
KEEP_TYPED: Deed = "keep_typed"
COUNT_STOP: Deed = "count_stop"
FORGET_STOPS: Deed = "forget_stops"
ASK = "ask the user to do it, and say what for"


class Answer:
    """What is said to the agent.

    `deny`: it must not go on, and `text` says why. `context`: it goes on and knows `text`. `keep_working`: it may not
    stop yet. `notice`: it goes on, and `notice` is for the user's eyes. A context may come with a notice.
    `refusal`: the context is a no, which an agent that takes no context has to stop the prompt for, with these words.
    """

    __slots__ = ("effects", "notice", "refusal", "text", "verdict")

    def __init__(
        self,
        verdict: Verdict = NOTHING,
        text: str = "",
        *,
        notice: str = "",
        refusal: str = "",
        effects: tuple[Effect, ...] = (),
    ) -> None:
        self.verdict = verdict
        self.text = text
        self.notice = notice
        self.refusal = refusal
        self.effects = effects


def denied(what: str, why: str, next_step: str) -> Answer:
    """A refusal, in the shape of all our refusals."""
    from review_gate.render.decision import error_text

    return Answer(DENY, error_text(what, why, next_step).rstrip("\n"))


def untouchable(path: str, name: str) -> Answer:
    """A refusal to write what the gate decides by; `name` is what it is."""
    why = "what the gate decides by is not an agent's to change, or it would approve its own work"
    return denied(f"{path} is {name}", why, ASK)


def noticed(text: str) -> Answer:
    """It goes on, and the user is told something."""
    return Answer(NOTICE, notice=text)
