"""What reviewers of a prompt say: findings, each with operations out of a bounded set."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from review_gate.models import FOREIGN_SEVERITY, Frozen, Severity

LONGEST_VALUE = 4_000
LONGEST_TEXT = 2_000
MOST_FINDINGS = 50
MOST_OPERATIONS = 20
# Of one reviewer: more than fit into an answer of the usual length, and than anybody reads.
MOST_OPERATIONS_IN_ALL = 100


class Role(StrEnum):
    """Who reviews a prompt."""

    DOMAIN_SME = "domain_sme"
    SECURITY = "security"
    CLARITY = "clarity"
    TESTING = "testing"
    FRONTEND_UX = "frontend_ux"
    DOCUMENTATION = "documentation"

    @property
    def label(self) -> str:
        """The name that people read."""
        return LABELS[self]


LABELS = {
    Role.DOMAIN_SME: "Domain SME",
    Role.SECURITY: "Security",
    Role.CLARITY: "Clarity",
    Role.TESTING: "Testing",
    Role.FRONTEND_UX: "Frontend/UX",
    Role.DOCUMENTATION: "Documentation",
}


class Weight(StrEnum):
    """How much a finding about a prompt matters, worst first."""

    BLOCKER = "blocker"
    MAJOR = "major"
    MINOR = "minor"
    NIT = "nit"

    @property
    def rank(self) -> int:
        """Position in the order worst to mildest."""
        return list(Weight).index(self)

    @property
    def severity(self) -> Severity:
        """The same on the scale of all other findings."""
        return FOREIGN_SEVERITY.get(self.value) or Severity(self.value)

    @classmethod
    def of(cls, severity: Severity) -> Weight:
        """The weight that is told as such a severity elsewhere."""
        return next(one for one in cls if one.severity is severity)


class Op(StrEnum):
    """All that can be proposed."""

    ADD_CONSTRAINT = "AddConstraint"
    REMOVE_CONSTRAINT = "RemoveConstraint"
    REFACTOR_STRUCTURE = "RefactorStructure"
    REPLACE_VAGUE = "ReplaceVague"
    ADD_CONTEXT = "AddContext"
    ADD_GUARDRAIL = "AddGuardrail"
    ADD_ACCEPTANCE_CRITERIA = "AddAcceptanceCriteria"

    @property
    def is_addition(self) -> bool:
        """Whether it only puts something in."""
        return self.value.startswith("Add")

    @property
    def puts_in(self) -> bool:
        """Whether its value comes into the prompt."""
        return self.is_addition or self is Op.REPLACE_VAGUE


class Target(StrEnum):
    """The part of a prompt that an operation is about."""

    CONTEXT = "context"
    CONSTRAINTS = "constraints"
    STRUCTURE = "structure"
    OUTPUT = "output"
    EXAMPLES = "examples"


class Operation(Frozen):
    """One proposed edit; what it replaces or removes is the evidence of its finding."""

    op: Op
    target: Target
    value: str = Field(max_length=LONGEST_VALUE)


class PromptFinding(Frozen):
    """One thing that is wrong with a prompt."""

    id: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")
    severity: Weight
    confidence: float = Field(ge=0, le=1)
    issue: str = Field(min_length=1, max_length=LONGEST_TEXT)
    evidence: str = Field(max_length=LONGEST_VALUE)
    suggested_ops: tuple[Operation, ...] = Field(max_length=MOST_OPERATIONS)


class CritiqueAnswer(Frozen):
    """The whole answer of a reviewer."""

    reviewer_role: Role
    # Nothing is worst where nothing was found.
    severity_max: Weight | None
    confidence: float = Field(ge=0, le=1)
    findings: tuple[PromptFinding, ...] = Field(max_length=MOST_FINDINGS)
    no_issues: bool


class Critique(Frozen):
    """What counts of one reviewer's answer; `dropped` findings were not of the form that was asked for."""

    role: Role
    findings: tuple[PromptFinding, ...] = ()
    confidence: float = Field(default=1.0, ge=0, le=1)
    dropped: int = Field(default=0, ge=0)

    @property
    def severity_max(self) -> Weight | None:
        """The worst of what was found, whatever the reviewer itself made of that."""
        return min((finding.severity for finding in self.findings), key=lambda one: one.rank, default=None)
