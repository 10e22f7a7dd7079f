"""A run as one Markdown report, for the body of a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from review_gate.gate.decision import Decision
from review_gate.loops.report import RunReport
from review_gate.models import Finding
from review_gate.render.markdown_parts import code, prose, row_line, table
from review_gate.render.report_parts import Gap, ReviewerRow, coverage_words, gaps, reviewer_rows, totals
from review_gate.render.report_words import (
    CLOSED,
    OPEN,
    WAITING,
    bindings,
    counted,
    gate_words,
    leave,
    opinion,
    place,
    subject_kind,
    tone,
    verdict_words,
)

# GitHub refuses a body of more than 65,536 characters; whoever posts the report may want to add something.
MOST_CHARACTERS = 60_000
MOST_OF_REVIEWERS = 15_000
MOST_OF_GAPS = 12_000
MOST_GAPS = 50
ALERTS = {OPEN: "TIP", WAITING: "WARNING", CLOSED: "CAUTION"}
COLUMNS = ("Rule", "Place", "What", "What to do")
REVIEWER_COLUMNS = ("Loop", "Reviewer", "Status", "Seconds")
MODEL_COLUMNS = ("Model", "Files read", "Tokens", "Cost", "From cache")


def markdown(report: RunReport, decision: Decision | None, *, shown: int) -> str:
    """The verdict, the findings by severity, who reviewed what, what nobody saw, and what the result is bound to."""
    head = [*_verdict(report, decision), *_counts(report)]
    tail = [*_reviewers(report), *_gaps(report), *_bindings(report)]
    room = MOST_CHARACTERS - sum(len(line) + 1 for line in (*head, *tail))
    return "\n".join([*head, *_findings(report.findings, shown, room), *tail]) + "\n"


def _verdict(report: RunReport, decision: Decision | None) -> Iterator[str]:
    words = gate_words(decision)
    subject = f"{subject_kind(report)} {code(report.subject.name[:8])}"
    said = leave(report, decision).capitalize()
    yield "## review-gate"
    yield ""
    yield f"> [!{ALERTS[tone(report, decision)]}]"
    yield f"> **{said}** (verdict: {verdict_words(report)}): {subject} {opinion(report)}."
    for label, text in (("Gate", words.what), ("Why", words.why), ("Next", words.next_step)):
        if text:
            yield ">"
            yield f"> {label}: {prose(text)}"
    yield ""


def _counts(report: RunReport) -> Iterator[str]:
    yield from table([severity.capitalize() for severity in report.counts], [[str(n) for n in report.counts.values()]])
    yield ""
    yield f"{coverage_words(report)}."
    yield ""


def _findings(findings: Sequence[Finding], shown: int, room: int) -> Iterator[str]:
    if not findings:
        return
    yield "### Findings"
    yield ""
    rows = _fitting(map(_cells, findings[:shown]), room)
    for severity, group in groupby(zip(findings, rows, strict=False), key=lambda pair: pair[0].severity):
        yield f"#### {severity.value.capitalize()}"
        yield ""
        yield from table(COLUMNS, ())
        yield from (row for _, row in group)
        yield ""
    yield from _more(len(findings) - len(rows), "more finding")


def _fitting(rows: Iterable[Sequence[str]], room: int) -> list[str]:
    """The lines of as many rows as there is room for."""
    lines: list[str] = []
    for line in map(row_line, rows):
        room -= len(line) + 1
        if room < 0:
            break
        lines.append(line)
    return lines


def _more(left: int, noun: str) -> Iterator[str]:
    if left:
        yield f"... and {counted(left, noun)}; `--format json` has them all."
        yield ""


def _cells(finding: Finding) -> tuple[str, ...]:
    # A finding without a place has at least somebody who says it.
    where = code(place(finding)) or prose(finding.reviewer)
    return code(finding.rule), where, prose(finding.message), prose(finding.recommendation)


def _reviewers(report: RunReport) -> Iterator[str]:
    rows = reviewer_rows(report)
    has_models = any(row.model for row in rows)
    yield "### Who reviewed what"
    yield ""
    yield from table(REVIEWER_COLUMNS + (MODEL_COLUMNS if has_models else ()), ())
    lines = _fitting((_reviewer_cells(row, has_models=has_models) for row in rows), MOST_OF_REVIEWERS)
    yield from lines
    yield ""
    yield from _more(len(rows) - len(lines), "more reviewer")
    total = totals(report)
    if total is not None:
        asked = f"{counted(total.asked, 'question')} asked, {counted(total.from_cache, 'answer')} from the cache"
        yield f"Models in all: {asked}, cost {prose(total.cost)}."
        yield ""


def _reviewer_cells(row: ReviewerRow, *, has_models: bool) -> list[str]:
    status = row.status if row.is_good else f"**{row.status}**"
    note = f": {prose(row.note)}" if row.note else ""
    cells = [str(row.loop), prose(row.reviewer), status + note, row.seconds]
    if has_models:
        # Prices have a dollar sign, which GitHub takes for the start of a formula.
        cells += [prose(text) for text in (row.model, row.files, row.tokens, row.cost, row.cached)]
    return cells


def _gaps(report: RunReport) -> Iterator[str]:
    found = gaps(report)
    if not found:
        return
    yield "### Not reviewed, or only in part"
    yield ""
    yield from table(("What", "Why", "Reviewer"), ())
    lines = _fitting(map(_gap_cells, found[:MOST_GAPS]), MOST_OF_GAPS)
    yield from lines
    yield ""
    yield from _more(len(found) - len(lines), "more such thing")


def _gap_cells(gap: Gap) -> tuple[str, str, str]:
    return code(gap.what), prose(gap.because), prose(gap.by)


def _bindings(report: RunReport) -> Iterator[str]:
    yield "### What the result is bound to"
    yield ""
    yield from table(("", ""), [(name, code(value)) for name, value in bindings(report)])
