"""Data in motion: what each stage of the pipeline hands to the next."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pydantic import Field, InstanceOf

from review_gate.models import Frozen
from review_gate.pipeline.config_schema import ChangeType, RiskLevel, Said

Status = Literal["A", "M", "D"]
Scope = Literal["small", "medium", "large", "huge"]


class FileFact(NamedTuple):
    """One changed file; line counts are None where it is binary or nobody counted.

    No model: a change may have 100,000 of them.
    """

    path: str
    status: str
    added: int | None
    deleted: int | None
    domains: tuple[str, ...]


class CommitFact(Frozen):
    """One commit of the change; its message is an author's claim and kept from the first look."""

    id: str
    subject: str


class PRFacts(Frozen):
    """Stage 1: what changed, taken from objects; every later stage reads it and none alters it."""

    base: str
    head: str
    files: tuple[InstanceOf[FileFact], ...]
    commits: tuple[CommitFact, ...] = ()
    are_lines_counted: bool = True

    @property
    def paths(self) -> tuple[str, ...]:
        """The changed paths in the order that git gives them."""
        return tuple(file.path for file in self.files)

    @property
    def added(self) -> int:
        """Lines that the change adds, as far as they were counted."""
        return sum(file.added or 0 for file in self.files)

    @property
    def deleted(self) -> int:
        """Lines that the change takes away."""
        return sum(file.deleted or 0 for file in self.files)


class RiskReason(Frozen):
    """One thing that makes a change risky."""

    points: int = Field(ge=1)
    because: str


class PRClassification(Frozen):
    """Stage 2: domains with the number of their files, risk with its reasons, type and scope."""

    domains: dict[str, int]
    risk: int = Field(ge=0, le=100)
    risk_level: RiskLevel
    risk_reasons: tuple[RiskReason, ...]
    change_type: ChangeType
    scope: Scope


class ManifestEntry(Frozen):
    """One reviewer that is going to look, at which files, in which loop and why."""

    agent: str
    loop: int
    priority: int = Field(ge=0, le=100)
    is_required: bool = False
    # None means all files of the change.
    files: tuple[str, ...] | None = None
    because: tuple[str, ...] = Field(min_length=1)
    by: Literal["policy", "gap"] = "policy"


class NotChosen(Frozen):
    """One reviewer that is not going to look, and why."""

    agent: str
    because: str


class AgentManifest(Frozen):
    """Stage 3: who looks, the highest priority first, and who does not."""

    entries: tuple[ManifestEntry, ...]
    not_chosen: tuple[NotChosen, ...] = ()

    def entry(self, agent: str) -> ManifestEntry | None:
        """The part of one reviewer."""
        return next((entry for entry in self.entries if entry.agent == agent), None)


class Amendment(Frozen):
    """Stage 4, from outside: a reviewer to add, for some files or all, and the concern that nobody else covers."""

    agent: str
    concern: Said
    files: tuple[str, ...] = ()


class GapLogEntry(Frozen):
    """What the configuration missed, and what would have caught it."""

    concern: str
    agent: str
    files: tuple[str, ...]
    is_added: bool
    recommendation: str
