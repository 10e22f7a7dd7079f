"""A run as one HTML page that needs nothing else: no script, no font, no picture, no network."""

from __future__ import annotations

from itertools import groupby

from review_gate.gate.record import short
from review_gate.loops.report import TITLES
from review_gate.render.html_findings import files_section, findings_section
from review_gate.render.html_page import page
from review_gate.render.html_parts import (
    NOTHING,
    Html,
    code,
    element,
    folded,
    grouped_table,
    pairs,
    section,
    stacked,
    table,
    words,
)
from review_gate.render.html_style import STYLE
from review_gate.render.report_parts import NOBODY, ReviewerRow, coverage_words, gaps, reviewer_rows, tokens, totals
from review_gate.render.report_view import ReportView
from review_gate.render.report_words import (
    bindings,
    gate_words,
    leave,
    opinion,
    subject_kind,
    subject_words,
    tone,
    verdict_words,
)

GAPS_OPEN = 20
MOST_GAPS = 2_000
ROW_COLUMNS = ("Reviewer", "Status", "Seconds")
MODEL_COLUMNS = ("Model", "Files read", "Tokens", "Cost", "From cache")


def html(view: ReportView) -> str:
    """The page; it is shown, never obeyed: whether a commit may leave, the gate alone says."""
    body = stacked(
        [
            _banner(view),
            element("main", stacked([_numbers(view), *_sections(view)])),
            element("footer", words("Made by review-gate. A push asks the gate, not this page.")),
        ]
    )
    return page(f"{leave(view.report, view.decision)}: {subject_words(view.report)}", body, STYLE)


def _banner(view: ReportView) -> Html:
    """The verdict at first sight, and what to do next."""
    report, gate = view.report, gate_words(view.decision)
    subject = element("code", words(short(report.subject.name)))
    sentence = [words(f"{subject_kind(report).capitalize()} "), subject, words(f" {opinion(report)}.")]
    parts = [
        element("p", words("review-gate"), class_="brand"),
        element("h1", words(leave(report, view.decision).capitalize())),
        element("p", *sentence, words(f" Verdict: {verdict_words(report)}.")),
        _gate(gate.what, gate.why, gate.next_step),
    ]
    return element("header", stacked(parts), class_=tone(report, view.decision))


def _gate(what: str, why: str, next_step: str) -> Html:
    entries = (("Gate", words(what)), ("Why", words(why)), ("Next", code(next_step) if next_step else NOTHING))
    return pairs([entry for entry in entries if entry[1]])


def _numbers(view: ReportView) -> Html:
    """How many findings of each severity."""
    tiles = [
        element(
            "li", element("b", words(f"{count:,}")), words(severity.value), class_=severity.value if count else "none"
        )
        for severity, count in view.report.counts.items()
    ]
    return element("ul", stacked(tiles), class_="numbers")


def _sections(view: ReportView) -> list[Html]:
    return [
        findings_section(view),
        files_section(view),
        _reviewers(view),
        _coverage(view),
        _gaps(view),
        section("What the result is bound to", pairs((name, code(value)) for name, value in bindings(view.report))),
    ]


def _reviewers(view: ReportView) -> Html:
    rows = reviewer_rows(view.report)
    has_models = any(row.model for row in rows)
    head = ROW_COLUMNS + (MODEL_COLUMNS if has_models else ())
    groups = [
        (f"Loop {number}: {TITLES[number]}", [_reviewer_cells(row, has_models=has_models) for row in group])
        for number, group in groupby(rows, key=lambda row: row.loop)
    ]
    return section("Who reviewed what", grouped_table(head, groups))


def _reviewer_cells(row: ReviewerRow, *, has_models: bool) -> list[Html]:
    # Where nobody ran, there is nothing to be glad of either.
    mood = "bad" if not row.is_good else "idle" if row.reviewer == NOBODY else "good"
    status = element("span", words(row.status), class_=mood)
    note = element("span", words(row.note), class_="note") if row.note else NOTHING
    cells = [words(row.reviewer), Html(f"{status} {note}"), words(row.seconds)]
    if has_models:
        cells += [words(text) for text in (row.model, row.files, row.tokens, row.cost, row.cached)]
    return cells


def _coverage(view: ReportView) -> Html:
    entries = [("Files", words(coverage_words(view.report)))]
    total = totals(view.report)
    if total is None:
        entries.append(("Models", words("none was asked")))
    else:
        entries += [
            ("Questions", words(f"{total.asked:,} asked, {total.from_cache:,} answered from the cache")),
            ("Tokens", words(tokens(total.usage))),
            ("Cost", words(total.cost)),
        ]
    return section("Coverage and cost", pairs(entries))


def _gaps(view: ReportView) -> Html:
    found = gaps(view.report)
    if not found:
        return NOTHING
    rows = [(code(gap.what), words(gap.because), words(gap.by)) for gap in found[:MOST_GAPS]]
    whole = table(("What", "Why", "Reviewer"), rows)
    left = len(found) - len(rows)
    more = element("p", words(f"{left:,} more; --format json has them all."), class_="notice") if left else NOTHING
    shown = whole if len(found) <= GAPS_OPEN else folded(words(f"{len(found):,} in all"), whole, is_open=False)
    return section("Not reviewed, or only in part", shown, more)
