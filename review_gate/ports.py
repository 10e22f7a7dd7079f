"""What the core may ask of the world: a reviewer, a model, and someone to tell about progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from pydantic import Field, SerializeAsAny

from review_gate.models import Finding, Frozen, verdict_of

REVIEWER_PASSED = "passed"
REVIEWER_FAILED = "failed"
COULD_NOT_RUN = "could_not_run"
# By which way an answer came that no model gave in this run: the session of the agent that wrote the code.
Via = Literal["session"]
SESSION: Via = "session"


class Usage(Frozen):
    """What was used: all tokens that went in, how many of these came from a cache, and all that came out."""

    input_tokens: int = Field(default=0, ge=0)
    cached_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
        )


class NotShown(Frozen):
    """One file that no model sees, and why."""

    path: str
    because: str


# What models are shown besides files.
MESSAGES = "commit messages"


class Withheld(Frozen):
    """So many lines of a file are not shown to a model as they are, for the secrets on them; no path: of messages."""

    path: str | None
    lines: int = Field(ge=1)


class ModelPart(Frozen):
    """What a model had to do with a reviewer's opinion: how often it was asked, what that cost, what it saw.

    `asked` are the questions that were put now, `from_cache` those whose answer was known; `cut` are the files of which
    it saw only the beginning, `unread` those that it was shown and does not claim to have read.
    """

    provider: str
    model: str
    asked: int = Field(default=0, ge=0)
    from_cache: int = Field(default=0, ge=0)
    usage: Usage = Usage()
    # None where nobody knows the price.
    usd: float | None = Field(default=None, ge=0)
    files_shown: int = Field(default=0, ge=0)
    files_read: int = Field(default=0, ge=0)
    cut: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    not_shown: tuple[NotShown, ...] = ()
    withheld: tuple[Withheld, ...] = ()


class Outcome(Frozen):
    """What a reviewer says: findings, or that it could not run and why; never silently nothing."""

    findings: tuple[Finding, ...] = ()
    could_not_run: str = ""
    detail: str = ""
    # Whether all that fails is in the commits alone, such as a message: then it is not in the content.
    is_of_commits: bool = False
    # Whether it is an opinion on the content, without which a loop in which nobody else spoke is an empty one.
    is_vote: bool = True
    model: ModelPart | None = None
    # Who answered besides patterns and models, if anybody did.
    via: Via | None = None

    @property
    def status(self) -> str:
        """The outcome in one word."""
        if self.could_not_run:
            return COULD_NOT_RUN
        is_passing = verdict_of(finding.severity for finding in self.findings).is_passing
        return REVIEWER_PASSED if is_passing else REVIEWER_FAILED


class Reviewer(Protocol):
    """One opinion on the subject of a run."""

    @property
    def id(self) -> str:
        """The name it has in reports."""

    @property
    def is_required(self) -> bool:
        """Whether the loop is incomplete without it."""

    def review(self) -> Outcome:
        """Look at the subject; called once, perhaps in a thread of its own."""


class Progress(Protocol):
    """Someone who watches a run."""

    def loop_started(self, number: int, title: str, reviewers: tuple[str, ...]) -> None:
        """A loop begins."""

    def reviewer_finished(self, reviewer: str, status: str, seconds: float) -> None:
        """A reviewer is done."""

    def files_done(self, done: int, total: int) -> None:
        """So many of the changed files were looked at."""

    def loop_finished(self, number: int, status: str) -> None:
        """A loop is done."""


# Why there is no answer. `not_logged_in` is also a key that the service does not accept, `refused` also a request that
# the service, or this program, will not take as it is; `quota` and `overloaded` may pass by themselves.
Failure = Literal[
    "no_key",
    "not_installed",
    "not_logged_in",
    "quota",
    "overloaded",
    "unreachable",
    "timeout",
    "refused",
    "truncated",
    "malformed",
    "crashed",
]
Family = Literal["anthropic", "openai", "google"]


def no_objection(_: NoReply) -> str:
    """Whoever has no account lets a question be put as often as it takes."""
    return ""


@dataclass(frozen=True)
class Question:
    """What a model is asked, and the shape and limits of its answer."""

    # The same for all reviewers of a run: it comes first, so that a provider may keep it in its cache.
    shared: str
    task: str
    answer: type[Frozen]
    max_output_tokens: int
    # From the call of `ask` to its return, with every retry.
    seconds: float
    # Asked before each further try, with what came of those before: why it may not be made, empty where it may.
    objection: Callable[[NoReply], str] = no_objection


class Reply(Frozen):
    """An answer of the shape that was asked for; `usage` and `usd` are of all attempts together."""

    data: SerializeAsAny[Frozen]
    raw: str
    model: str
    usage: Usage
    attempts: int = Field(ge=1)
    # Only where the program itself tells.
    usd: float | None = Field(default=None, ge=0)


class NoReply(Frozen):
    """Why there is no answer; it is never a vote. An answer that could not be used has cost something too."""

    kind: Failure
    why: str
    next_step: str
    raw: str = ""
    attempts: int = Field(default=0, ge=0)
    usage: Usage = Usage()
    usd: float | None = Field(default=None, ge=0)


class ModelProvider(Protocol):
    """A model that can be asked."""

    @property
    def name(self) -> str:
        """What it is called in settings and reports."""

    @property
    def family(self) -> Family:
        """Whose models it asks: two of one family are not independent."""

    @property
    def model(self) -> str:
        """The model that is asked, empty where the program has a choice of its own."""

    def unusable(self) -> NoReply | None:
        """Why it cannot be asked here, as far as that shows without asking anybody."""

    def ask(self, question: Question) -> Reply | NoReply:
        """The answer, by the deadline; nothing that the outside does raises an error."""
