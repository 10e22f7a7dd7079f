"""Critiques as one list of proposed edits in an order that nothing but their content decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from review_gate.models import Frozen
from review_gate.prompts.editor.layout import without_frame
from review_gate.prompts.schema import Critique, Op, Operation, PromptFinding, Role, Target, Weight

USUAL_ORDER = (Role.SECURITY, Role.TESTING, Role.DOMAIN_SME, Role.DOCUMENTATION, Role.FRONTEND_UX, Role.CLARITY)


class Proposal(Frozen):
    """One operation with who proposes it and why; the lower `rank` wins."""

    role: Role
    rank: int
    finding: str
    severity: Weight
    op: Op
    target: Target
    value: str
    evidence: str
    # Other reviewers that propose the same edit.
    also: tuple[Role, ...] = ()

    @property
    def old(self) -> tuple[str, ...]:
        """What it would replace or remove, in the order in which it is looked for."""
        if self.op is Op.REMOVE_CONSTRAINT:
            # Some name the text to remove as the value, some only as the evidence.
            return tuple(dict.fromkeys(text for text in (self.value.strip(), self.evidence.strip()) if text))
        return (self.evidence.strip(),) if self.op is Op.REPLACE_VAGUE and self.evidence.strip() else ()

    @property
    def new(self) -> str:
        """What it would put in."""
        return "" if self.op is Op.REMOVE_CONSTRAINT else self.value.strip()

    @property
    def is_outline(self) -> bool:
        """Whether it is a new order for the whole prompt, and not one more heading."""
        return self.op is Op.REFACTOR_STRUCTURE and "\n" in self.value

    @property
    def effect(self) -> tuple[str, ...]:
        """What it does to a text: two proposals with the same effect are one edit."""
        if self.op.is_addition:
            return ("add", folded(self.new))
        if self.op is Op.REMOVE_CONSTRAINT:
            return ("remove", folded(self.old[0]))
        return (self.op.value, folded(self.evidence), folded(self.new))

    @property
    def order(self) -> tuple[object, ...]:
        """Its place among all others: by priority first, then by nothing but what it says."""
        return (
            self.rank,
            self.severity.rank,
            self.op.value,
            self.target.value,
            self.value,
            self.evidence,
            self.finding,
        )


def folded(text: str) -> str:
    """A text for comparison: how it is laid out and written large makes no difference, nor a full stop at its end."""
    return " ".join(text.split()).rstrip(".!;, ").casefold()


def worded(operation: Operation) -> str:
    """The words of an operation, as they go into a prompt or are looked for in it."""
    value = operation.value.strip()
    return without_frame(value, operation.target) if operation.op.is_addition else value


def proposals(critiques: Iterable[Critique], order: Sequence[Role] = USUAL_ORDER) -> tuple[Proposal, ...]:
    """Every proposed edit once, by priority; whichever version of the same edit is more severe stands for all."""
    found = sorted(_all(critiques, order), key=lambda one: (one.severity.rank, *one.order))
    kept: dict[tuple[str, ...], Proposal] = {}
    for one in found:
        first = kept.setdefault(one.effect, one)
        if one.role is not first.role and one.role not in first.also:
            kept[one.effect] = first.model_copy(update={"also": (*first.also, one.role)})
    return tuple(sorted(kept.values(), key=lambda one: one.order))


def _all(critiques: Iterable[Critique], order: Sequence[Role]) -> Iterable[Proposal]:
    for critique in critiques:
        rank = _rank(critique.role, order)
        for finding in critique.findings:
            for operation in finding.suggested_ops:
                yield _proposal(critique.role, rank, finding, operation)


def _rank(role: Role, order: Sequence[Role]) -> int:
    """The place of a role: security wins in any order, and whoever is in none comes last, equal to all others there."""
    if role is Role.SECURITY:
        return -1
    return order.index(role) if role in order else len(order)


def _proposal(role: Role, rank: int, finding: PromptFinding, operation: Operation) -> Proposal:
    return Proposal(
        role=role,
        rank=rank,
        finding=finding.id,
        severity=finding.severity,
        op=operation.op,
        target=operation.target,
        value=worded(operation),
        evidence=finding.evidence.strip(),
    )
