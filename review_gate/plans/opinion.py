"""What an expert says of a plan: worked out from what the model answered, never from words such as approve."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from review_gate.fingerprint import fingerprint_of
from review_gate.models import Frozen, Severity, severity_from
from review_gate.pipeline.answers import read_answer
from review_gate.pipeline.question import REPEATS, repeats_instructions
from review_gate.plans.expert import LONGEST_SUMMARY, ExpertAnswer, ExpertFinding
from review_gate.plans.schema import Violation
from review_gate.ports import Failure, Usage

EXPERT = "expert:"
UNREAD = "it does not name the token at the end of the plan, so it has not read all of it"
# Where it stands makes no difference to who asks nobody: the service does not answer, or not to us.
OUT_OF_REACH: tuple[Failure, ...] = ("no_key", "not_installed", "not_logged_in", "unreachable")
SHORTEST_QUOTE = 3
WORDLESS = "it finds something and does not say what"
# What a model may copy along with a line.
NUMBER = re.compile(r"^ *\d+ ")


class Stance(StrEnum):
    """Where an expert stands; whoever could not review, or was not asked, has no vote."""

    APPROVES = "approves"
    OBJECTS = "objects"
    COULD_NOT_REVIEW = "could_not_review"
    NOT_ASKED = "not_asked"


HAVE_VOTED = (Stance.APPROVES, Stance.OBJECTS)


class Remark(Frozen):
    """One finding of an expert with its place in the plan: `start` and `end` are those of the quote, if it is there."""

    id: str
    severity: Severity
    message: str
    line: int
    quote: str
    recommendation: str
    confidence: float
    start: int | None = None
    end: int | None = None


class Opinion(Frozen):
    """What one expert says, or why there is nothing."""

    expert: str
    stance: Stance
    remarks: tuple[Remark, ...] = ()
    verified: str = ""
    problem: str = ""
    is_out_of_reach: bool = False
    model: str = ""
    usage: Usage = Usage()
    # None where nobody knows the price; nothing was paid for what was known.
    usd: float | None = 0.0
    is_known: bool = False

    @property
    def is_unasked(self) -> bool:
        """Whether nobody was asked for this expert."""
        return self.stance is Stance.NOT_ASKED

    @property
    def objections(self) -> tuple[Remark, ...]:
        """What keeps the plan from being approved, worst first."""
        blocking = (remark for remark in self.remarks if remark.severity.is_blocking)
        return tuple(sorted(blocking, key=lambda remark: (remark.severity.rank, remark.line)))


def opinion_of(expert: str, raw: str, plan: str, token: str, nonce: str) -> Opinion:
    """What an answer about a plan comes to; a text that is no such answer is no vote."""
    answer = read_answer(raw, ExpertAnswer)
    if not isinstance(answer, ExpertAnswer):
        return unheard(expert, f"malformed: {getattr(answer, 'why', 'another shape')}")
    if repeats_instructions((raw, answer.model_dump_json()), nonce):
        return unheard(expert, REPEATS)
    if answer.token != token:
        return unheard(expert, UNREAD)
    remarks = tuple(_remarks(expert, answer.findings, plan))
    stance = Stance.OBJECTS if any(remark.severity.is_blocking for remark in remarks) else Stance.APPROVES
    return Opinion(expert=expert, stance=stance, remarks=remarks, verified=_short(answer.verified))


def unheard(expert: str, problem: str, *, is_out_of_reach: bool = False) -> Opinion:
    """An expert who was asked and has no vote."""
    return Opinion(expert=expert, stance=Stance.COULD_NOT_REVIEW, problem=problem, is_out_of_reach=is_out_of_reach)


def not_asked(expert: str, why: str) -> Opinion:
    """An expert whom nobody could ask."""
    return Opinion(expert=expert, stance=Stance.NOT_ASKED, problem=why)


class Objection(NamedTuple):
    """What has to be settled before the plan is approved, and who says so."""

    expert: str
    remark: Remark

    @property
    def violation(self) -> Violation:
        """The same as the machine knows it."""
        remark = self.remark
        return Violation(
            check=remark.id,
            pattern=remark.quote or "the plan",
            reason=remark.message,
            line=remark.line,
            matched=remark.quote,
            has_fix=False,
            rejects=False,
            voice=self.expert,
            advice=remark.recommendation,
        )


def first_objection(opinions: Sequence[Opinion], approved: Iterable[str]) -> Objection | None:
    """The first that no person has approved, in the order of the panel."""
    settled = frozenset(approved)
    for opinion in opinions:
        for remark in opinion.objections:
            if remark.id not in settled:
                return Objection(opinion.expert, remark)
    return None


def without_vote(opinions: Sequence[Opinion]) -> tuple[Opinion, ...]:
    """Who was asked and could not review."""
    return tuple(one for one in opinions if one.stance is Stance.COULD_NOT_REVIEW)


def nobody_in_reach(opinions: Sequence[Opinion]) -> bool:
    """Whether the model turned out to be one that cannot be asked: nobody has said anything for that reason alone."""
    return bool(opinions) and all(one.is_out_of_reach for one in opinions)


def _remarks(expert: str, findings: Sequence[ExpertFinding], plan: str) -> Iterator[Remark]:
    """A remark for each finding; of several about the same words each has an id of its own: it is settled alone."""
    seen: Counter[str] = Counter()
    for said in findings:
        remark = _remark(expert, said, plan)
        seen[remark.id] += 1
        again = seen[remark.id]
        yield remark if again == 1 else remark.model_copy(update={"id": f"{remark.id}:{again}"})


def _remark(expert: str, said: ExpertFinding, plan: str) -> Remark:
    quote = said.quote.strip()
    # What has no words keeps a plan back all the same.
    message = said.message.strip() or quote or said.recommendation.strip() or WORDLESS
    lines = plan.count("\n") + 1
    claimed = said.line if said.line is not None and 1 <= said.line <= lines else None
    start = _nearest(plan, quote, claimed or 1)
    if start is None:
        quote = NUMBER.sub("", quote)
        start = _nearest(plan, quote, claimed or 1)
    line = claimed or 1 if start is None else plan.count("\n", 0, start) + 1
    # A word of no known scale must not let anything pass.
    severity = severity_from(said.severity, Severity.MAJOR)
    return Remark(
        id=_id(expert, severity, quote if start is not None else message),
        severity=severity,
        message=message,
        line=line,
        quote=quote if start is not None else "",
        recommendation=said.recommendation.strip(),
        confidence=said.confidence,
        start=start,
        end=None if start is None else start + len(quote),
    )


def _id(expert: str, severity: Severity, about: str) -> str:
    """The same words of the plan have the same id, however the expert puts it; what is worse now is something else."""
    slug = "".join(letter if letter.isalnum() else "-" for letter in expert.lower()).strip("-")
    return f"{EXPERT}{slug[:40]}:{fingerprint_of(expert, severity.value, about)[:8]}"


def _nearest(plan: str, quote: str, line: int) -> int | None:
    """Where a quote stands, of several places the one nearest to the line that was named."""
    if len(quote) < SHORTEST_QUOTE:
        return None
    places: list[int] = []
    at = plan.find(quote)
    while at >= 0 and len(places) < 1_000:
        places.append(at)
        at = plan.find(quote, at + 1)
    return min(places, key=lambda place: abs(plan.count("\n", 0, place) + 1 - line), default=None)


def _short(text: str) -> str:
    said = " ".join(text.split())
    return said if len(said) <= LONGEST_SUMMARY else f"{said[:LONGEST_SUMMARY]}..."
