"""Data at rest: what rules.json, agents.json, composition.json and domains.json may say."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationInfo

from review_gate.checks.languages import LANGUAGES
from review_gate.config.glob_faults import path_fault
from review_gate.models import Frozen, Severity

# Loop 1 is about syntax and builds, where no opinion is asked for.
FIRST_LOOP, LAST_LOOP = 2, 4
LOWEST_PRIORITY, HIGHEST_PRIORITY = 0, 100
# The context in which patterns are not tried out: a test does it for all that is shipped, and here it would take longer
# than everything else that a run does with these files.
SHIPPED = "shipped"


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text


def _usable_glob(glob: str, info: ValidationInfo) -> str:
    fault = "" if info.context == SHIPPED else path_fault(glob)
    if fault:
        raise ValueError(f"{glob!r} {fault}")
    return glob


def _known_language(name: str) -> str:
    if name not in LANGUAGES:
        raise ValueError(f"{name!r} is no language that checks know")
    return name


def _regex(pattern: str, info: ValidationInfo) -> str:
    if info.context == SHIPPED:
        return pattern
    try:
        empty = re.compile(pattern).match("")
    except re.error as error:
        raise ValueError(f"no regular expression: {error}") from None
    if empty:
        raise ValueError("matches the empty text, so it would be found everywhere")
    return pattern


Said = Annotated[str, Field(max_length=2_000), AfterValidator(_said)]
Glob = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_usable_glob)]
AgentId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", max_length=40)]
RuleId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)+$", max_length=60)]
PolicyId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", max_length=60)]
DomainName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", max_length=40)]
Category = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", max_length=40)]
PromptFile = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*\.md$", max_length=60)]
Priority = Annotated[int, Field(ge=LOWEST_PRIORITY, le=HIGHEST_PRIORITY, strict=True)]
RiskLevel = Literal["low", "medium", "high"]
ChangeType = Literal["feature", "fix", "refactor", "docs", "tests", "dependencies", "configuration", "mixed"]


class RuleExamples(Frozen):
    """Texts that a pattern must find, and texts that it must leave alone."""

    bad: tuple[str, ...] = Field(min_length=1)
    good: tuple[str, ...] = Field(min_length=1)


class RuleCheck(Frozen):
    """How a pattern finds what a rule is about, where one can: then the rule works without any model."""

    pattern: Annotated[str, Field(min_length=1, max_length=2_000), AfterValidator(_regex)]
    languages: tuple[Annotated[str, AfterValidator(_known_language)], ...] = ()
    include: tuple[Glob, ...] = ()
    exclude: tuple[Glob, ...] = ()
    examples: RuleExamples


class ReviewRule(Frozen):
    """One thing that a reviewer looks for: part of its checklist, and what its findings are explained with."""

    id: RuleId
    name: Said
    severity: Severity
    agent: AgentId
    category: Category
    description: Said
    detection: Said
    recommendation: Said
    check: RuleCheck | None = None


class Escalation(Frozen):
    """When so many categories of one reviewer fail, the worst of its findings becomes critical."""

    failures: Annotated[int, Field(ge=2, le=50, strict=True)]
    severity: Severity = Severity.MAJOR
    to: Severity = Severity.CRITICAL


class AgentEntry(Frozen):
    """A reviewer: what it is for, the loop it speaks in, its prompt, and the words it may use for severities."""

    id: AgentId
    name: Said
    description: Said
    loop: Annotated[int, Field(ge=FIRST_LOOP, le=LAST_LOOP, strict=True)]
    prompt: PromptFile
    # None of them writes: a reviewer is shown the change and answers, and agents that can read files only read.
    tools: tuple[Literal["Read", "Grep", "Glob"], ...] = ("Read", "Grep", "Glob")
    capabilities: tuple[Said, ...] = Field(min_length=1)
    # Other words for severities that this reviewer thinks in; null means that such a thing is no finding.
    severity_words: dict[str, Severity | None] = Field(default_factory=dict)
    escalation: Escalation | None = None
    required: bool = False


class Always(Frozen):
    """Dispatches for every change."""

    type: Literal["always"]


class OnDomain(Frozen):
    """Dispatches when a changed file belongs to one of some domains."""

    type: Literal["domain"]
    domains: tuple[DomainName, ...] = Field(min_length=1)


class OnRisk(Frozen):
    """Dispatches when a change is at least so risky."""

    type: Literal["risk"]
    at_least: RiskLevel


class OnChangeType(Frozen):
    """Dispatches for some types of change."""

    type: Literal["change_type"]
    types: tuple[ChangeType, ...] = Field(min_length=1)


Trigger = Annotated[Always | OnDomain | OnRisk | OnChangeType, Field(discriminator="type")]


class Dispatch(Frozen):
    """Whom a policy sends, and to which files: all of the change, or those of the domains that triggered it."""

    agent: AgentId
    scope: Literal["all", "domain"] = "all"


class CompositionPolicy(Frozen):
    """When to dispatch which reviewer; a higher priority is asked and reported first."""

    id: PolicyId
    description: Said
    trigger: Trigger
    dispatch: Dispatch
    priority: Priority


class DomainMapping(Frozen):
    """Files that belong to a domain, and how much a change of them adds to the risk."""

    domain: DomainName
    description: Said
    globs: tuple[Glob, ...] = Field(min_length=1)
    risk: Annotated[int, Field(ge=0, le=50, strict=True)] = 0


class PipelineConfig(Frozen):
    """The four files together."""

    rules: tuple[ReviewRule, ...]
    agents: tuple[AgentEntry, ...]
    composition: tuple[CompositionPolicy, ...]
    domains: tuple[DomainMapping, ...]

    def agent(self, name: str) -> AgentEntry:
        """The reviewer of that id."""
        return next(agent for agent in self.agents if agent.id == name)

    def rules_of(self, agent: str) -> tuple[ReviewRule, ...]:
        """The checklist of a reviewer."""
        return tuple(rule for rule in self.rules if rule.agent == agent)
