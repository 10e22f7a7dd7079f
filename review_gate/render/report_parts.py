"""Who reviewed what, at which price, and what nobody saw: the tables that the reports for people share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from review_gate.gate.record import INCOMPLETE, NOT_RUN
from review_gate.loops.report import LoopResult, ReviewerResult, RunReport
from review_gate.ports import COULD_NOT_RUN, MESSAGES, SESSION, ModelPart, Usage, Withheld
from review_gate.render.report_words import counted

NOBODY = "nobody"


class ReviewerRow(NamedTuple):
    """One reviewer's part in the run as words; what a model would fill is empty where none was asked."""

    loop: int
    reviewer: str
    status: str
    is_good: bool
    note: str = ""
    seconds: str = ""
    model: str = ""
    files: str = ""
    tokens: str = ""
    cost: str = ""
    cached: str = ""


class Gap(NamedTuple):
    """Something that was not reviewed, or only in part, and why."""

    what: str
    because: str
    by: str = ""


class Totals(NamedTuple):
    """What the models of a run were shown and what they took, all together."""

    parts: int
    asked: int
    from_cache: int
    usage: Usage
    usd: float
    # How many parts have no known price: their cost is not in the sum.
    unpriced: int

    @property
    def cost(self) -> str:
        """The sum, and what is not in it."""
        if self.parts and self.unpriced == self.parts:
            return "unknown"
        return dollars(self.usd) + (f" and what {self.unpriced} of unknown price took" if self.unpriced else "")


def reviewer_rows(report: RunReport) -> tuple[ReviewerRow, ...]:
    """Every reviewer in the order of the loops; a loop in which nobody ran has a row too."""
    return tuple(row for loop in report.loops for row in _rows_of(loop))


def _rows_of(loop: LoopResult) -> Iterator[ReviewerRow]:
    if not loop.reviewers:
        status = loop.status.replace("_", " ")
        # The note of a loop often begins with its status.
        note = loop.note.removeprefix(status).removeprefix(": ")
        yield ReviewerRow(loop.number, NOBODY, status, loop.has_passed, note=note)
    for reviewer in loop.reviewers:
        row = ReviewerRow(
            loop.number,
            reviewer.id,
            _status(reviewer, is_kept=loop.is_kept or reviewer.is_kept),
            is_good=reviewer.status not in (COULD_NOT_RUN, "failed"),
            note=reviewer.detail,
            seconds=f"{reviewer.seconds:.1f}",
        )
        yield row if reviewer.model is None else _with_model(row, reviewer.model)


def _status(reviewer: ReviewerResult, *, is_kept: bool) -> str:
    words = reviewer.status.replace("_", " ")
    words += "" if reviewer.is_required else ", optional"
    words += f", via: {reviewer.via}" if reviewer.via else ""
    return words + (", kept from an earlier run" if is_kept else "")


def _with_model(row: ReviewerRow, model: ModelPart) -> ReviewerRow:
    if model.provider == SESSION:
        # What it took, only the session knows.
        return row._replace(model=SESSION, files=f"{model.files_read} of {model.files_shown}")
    return row._replace(
        model=f"{model.provider}/{model.model}" if model.model else model.provider,
        # Whoever looks for reviewers that are missing reads no file to the end.
        files=f"{model.files_read} of {model.files_shown}" if model.files_shown else "",
        # An answer without any token is one whose tokens nobody counted.
        tokens=tokens(model.usage) if model.usage != Usage() or not model.asked else "unknown",
        cost=dollars(model.usd),
        cached=f"{model.from_cache} of {model.asked + model.from_cache}",
    )


def tokens(usage: Usage) -> str:
    """How many tokens went in and came out."""
    cached = f" ({usage.cached_tokens:,} cached)" if usage.cached_tokens else ""
    return f"{usage.input_tokens:,} in{cached}, {usage.output_tokens:,} out"


def dollars(usd: float | None) -> str:
    """A price; one below a cent keeps the digits that tell it from nothing."""
    if usd is None:
        return "unknown"
    return f"${usd:.2f}" if usd == 0 or usd >= 1 else f"${usd:.4f}"


def totals(report: RunReport) -> Totals | None:
    """What models took in this run, None where none had a part in the result."""
    if all(model.provider == SESSION for _, model in report.models):
        return None
    parts = report.models_now
    return Totals(
        parts=len(parts),
        asked=sum(part.asked for part in parts),
        from_cache=sum(part.from_cache for part in parts),
        usage=sum((part.usage for part in parts), Usage()),
        usd=sum(part.usd or 0.0 for part in parts),
        unpriced=sum(part.usd is None for part in parts),
    )


def gaps(report: RunReport) -> tuple[Gap, ...]:
    """Everything that limits what the verdict is worth, the widest first."""
    found = [Gap("checks", f"weakened: {text}") for text in report.weakened]
    for loop in report.loops:
        if loop.status in (NOT_RUN, INCOMPLETE):
            found.append(Gap(f"loop {loop.number}", loop.note or loop.status.replace("_", " ")))
        for one in loop.reviewers:
            if one.status == COULD_NOT_RUN:
                found.append(Gap(one.id, f"could not run: {one.detail}" if one.detail else "could not run", one.id))
    found += [Gap(one.file or "", one.message, one.reviewer) for one in report.not_reviewed]
    for loop in report.loops:
        for one in loop.reviewers:
            found += _model_gaps(one.id, one.model) if one.model is not None else ()
    return tuple(dict.fromkeys(found))


def _model_gaps(reviewer: str, model: ModelPart) -> Iterator[Gap]:
    who = f"the {SESSION if model.provider == SESSION else 'model'}"
    yield from (Gap(one.path, f"not shown to {who}: {one.because}", reviewer) for one in model.not_shown)
    yield from (Gap(path, f"{who} saw only its beginning", reviewer) for path in model.cut)
    yield from (Gap(place_of(one), withheld_words(one), reviewer) for one in model.withheld)
    yield from (Gap(path, f"{who} has not said that it read this", reviewer) for path in model.unread)


def place_of(withheld: Withheld) -> str:
    """Where a model did not see everything because of secrets."""
    return withheld.path or MESSAGES


def withheld_words(withheld: Withheld) -> str:
    """How much of it a model did not see."""
    return f"{counted(withheld.lines, 'line')} withheld from the model: what looks like a secret stays on this machine"


def coverage_words(report: RunReport) -> str:
    """How many files changed, and how many of them nobody could read."""
    unread = len({finding.file for finding in report.not_reviewed})
    left_out = f", {unread} of them not reviewed" if unread else ""
    return f"{counted(report.file_count, 'file')} changed{left_out}"
