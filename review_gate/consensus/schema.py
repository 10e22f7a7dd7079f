"""What is kept of rounds: the state of a review, and of each round what was asked, answered, found and decided."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from review_gate.models import Frozen, Severity
from review_gate.pipeline.exhibit import ShownFile
from review_gate.ports import Failure, Family, NotShown, Usage, Withheld

REVIEW_ID = r"^[a-z0-9][a-z0-9-]{3,40}$"
Time = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$")]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Source = Literal["code-review-iterative", "plan-review-iterative", "artifact-review-iterative"]
Status = Literal["pending", "awaiting_decision", "resolved"]
Place = Literal["code", "plan", "artifact"]
# "opposites" stands only in records of earlier versions.
Because = Literal["agreed", "findings", "no_quorum", "oscillation", "opposites", "disputed", "unheard", "tools"]
# Of requests: in version 1 a round showed only what had changed since the round before.
VERSION: Literal[2] = 2


class Kept(Frozen):
    """A record in which earlier versions had more fields, which are ignored."""

    model_config = ConfigDict(extra="ignore")


class Vote(StrEnum):
    """What a reviewer's answer comes to; whoever could not look has none, and that is never a pass."""

    PASS = "pass"  # noqa: S105 - a vote, not a password
    FAIL = "fail"
    NONE = "none"


class Member(Frozen):
    """One reviewer of the pool."""

    name: str
    family: Family
    model: str = ""


class Mode(Frozen):
    """What is reviewed, as it was asked for; of a plan or an artifact the path."""

    type: Literal["code-diff", "plan", "artifact"]
    scope: str
    value: str = ""
    diff_args: str = ""
    plan_path: str = ""
    artifact_path: str = ""
    prompt: str = ""

    @property
    def place(self) -> Place:
        """Where whatever is found has to be mended."""
        return "code" if self.type == "code-diff" else self.type


class Settings(Kept):
    """By what a review is decided, from its beginning to its end."""

    quorum: int = Field(ge=1)
    independent_families: bool
    max_rounds: int = Field(ge=1)
    answer_seconds: float = Field(gt=0)


class ReviewerState(Frozen):
    """How a reviewer stands in the current round."""

    status: Literal["asked", "answered", "could_not_run"]
    family: Family
    model: str = ""
    vote: Vote = Vote.NONE
    problem: str = ""


class ConsensusState(Frozen):
    """What the last decision said, and why a review ended."""

    outcome: Literal["", "waiting", "agreed", "fix", "needs_person", "closed"] = ""
    reason: str = ""
    round: int = 0
    passes: int = 0
    votes: int = 0
    quorum: int = 0
    # So many findings have to be settled.
    open: int = 0


class ReviewState(Frozen):
    """state.json of one review."""

    version: Literal[1] = 1
    id: str = Field(pattern=REVIEW_ID)
    status: Status
    trigger_source: Source
    mode: Mode
    settings: Settings
    # Of which repository and work tree it is; nothing where there is none.
    worktree: str = ""
    # The session of a coding agent that began it.
    session: str = ""
    created: Time
    round: int = Field(ge=1)
    # More rounds than the settings allow, granted by a person.
    granted: int = Field(default=0, ge=0)
    # The round after which a person wanted another one, whatever it said.
    granted_after: int = Field(default=0, ge=0)
    # How often the current round had to be asked anew, because whoever asked was gone.
    starts: int = Field(default=0, ge=0)
    reviewers: dict[str, ReviewerState]
    consensus: ConsensusState = ConsensusState()

    @property
    def has_open_findings(self) -> bool:
        """Whether the current round is decided, and what it found has to be settled."""
        return self.status == "awaiting_decision" and self.consensus.open > 0


class Subject(Frozen):
    """Which objects a round is about; of a text there are none."""

    base: str = ""
    tree: str = ""
    commit: str | None = None
    base_label: str = ""
    # What was checked out, where another branch would be another change.
    branch: str = ""


class ShownGroup(Kept):
    """One group of files as reviewers were shown it."""

    text: str
    files: tuple[ShownFile, ...]


class Refutation(Frozen):
    """Why a finding is wrong, with the line that shows it; it holds while what it is about stays as it is."""

    fingerprint: str
    because: str
    file: str
    line: int = Field(ge=1)
    # The words of that line, and those that the finding quotes.
    evidence: str
    quote: str
    made: Time


class Issue(Kept):
    """One finding, in the words of who finds it worst, whoever else has it."""

    fingerprint: str
    severity: Severity
    message: str
    file: str | None
    line: int | None
    quote: str
    replacement: str | None = None
    recommendation: str
    reviewers: tuple[str, ...]
    # What a tool finds is a fact: it cannot be refuted, and no vote comes with it.
    source: Literal["model", "tool"] = "model"
    # What others, or the same reviewer once more, say about the same words.
    also: tuple[str, ...] = ()
    # Unheard: none of its finders has a vote in this round, so none can say that it is fixed.
    standing: Literal["new", "open", "came_back", "unheard"] = "new"
    # The first round that had it, and how often it was gone in between.
    since: int = 1
    returned: int = 0

    @property
    def is_blocking(self) -> bool:
        """Whether it has to be settled before the review can agree."""
        return self.severity.is_blocking


class Request(Kept):
    """One round: who was asked about what, until when; with it and the answers everything is worked out again."""

    version: Literal[1, 2] = VERSION
    round: int = Field(ge=1)
    began: Time
    deadline: Time
    nonce: str
    content: Digest
    subject: Subject = Subject()
    members: tuple[Member, ...]
    groups: tuple[ShownGroup, ...]
    not_shown: tuple[NotShown, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    refutations: tuple[Refutation, ...] = ()
    # What the checks find in the change, or why they could not look.
    tools: tuple[Issue, ...] = ()
    tool_problem: str = ""


class Answer(Frozen):
    """What came of asking one reviewer: a text for each group, or why there is none."""

    version: Literal[1] = 1
    member: str
    raw: tuple[str, ...] = ()
    problem: str = ""
    failure: Failure | None = None
    model: str = ""
    usage: Usage = Usage()
    # None where nobody knows the price.
    usd: float | None = 0.0
    seconds: float = 0.0
    finished: Time


class Ballot(Frozen):
    """What one answer comes to."""

    member: str
    family: Family
    vote: Vote
    issues: tuple[Issue, ...] = ()
    problem: str = ""
    summary: str = ""


class Decision(Frozen):
    """What a round comes to, worked out from the archive alone."""

    version: Literal[1] = 1
    round: int
    outcome: Literal["agreed", "fix", "needs_person"]
    # Why it ends, or goes on: in one word, and in words.
    because: Because
    reason: str
    votes: dict[str, Vote]
    problems: dict[str, str]
    quorum: int
    issues: tuple[Issue, ...]
    # What had to be settled before this round and is not told any more; of it, what was refuted.
    fixed: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()
    # Files of which no reviewer saw everything.
    unseen: tuple[str, ...] = ()

    @property
    def blocking(self) -> tuple[Issue, ...]:
        """What has to be settled."""
        return tuple(issue for issue in self.issues if issue.is_blocking)
