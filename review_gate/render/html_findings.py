"""The findings of a run as HTML: by severity with the source around each, and by file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from review_gate.checks.rule import REDACTED_CATEGORIES
from review_gate.models import Finding, Severity, Snippet
from review_gate.render.html_parts import NOTHING, Html, code, element, folded, lines, section, stacked, table, words
from review_gate.render.report_view import ReportView
from review_gate.render.report_words import counted, cut, place

# So many can be looked through at once; more are folded away, as long as they block nothing.
MOST_OPEN = 20
FILES_OPEN = 12
LINKS_SHOWN = 8
EVIDENCE_LINES_OPEN = 12
MOST_EVIDENCE = 8_000

WITHHELD = "There may be a secret in this file, so nothing of it is quoted."

Numbered = tuple[int, Finding]


class Quotes(NamedTuple):
    """What of the source may be shown, by place, and the files of which nothing may."""

    snippets: Mapping[tuple[str, int], Snippet]
    withheld: frozenset[str]


def findings_section(view: ReportView) -> Html:
    """Every finding that is shown, worst first, under a heading for each severity."""
    findings = view.findings
    if not findings:
        return section("Findings", element("p", words("No reviewer found anything."), class_="calm"))
    quotes = Quotes({(one.file, one.line): one for one in view.snippets}, frozenset(view.withheld))
    numbered = enumerate(findings, 1)
    groups = groupby(numbered, key=lambda pair: pair[1].severity)
    shown = [_group(severity, list(group), view, quotes) for severity, group in groups]
    return section("Findings", *shown, _more(view))


def _group(severity: Severity, group: list[Numbered], view: ReportView, quotes: Quotes) -> Html:
    total = view.report.counts[severity]
    count = str(total) if total == len(group) else f"{len(group)} of {total}"
    title = element("span", words(severity.value), class_=f"badge {severity.value}") + words(f" {count}")
    cards = (_card(number, finding, quotes) for number, finding in group)
    return folded(Html(title), *cards, is_open=severity.is_blocking or len(group) <= MOST_OPEN)


def _more(view: ReportView) -> Html:
    left = len(view.report.findings) - len(view.findings)
    if not left:
        return NOTHING
    text = f"{counted(left, 'more finding')} not shown here (limits.max_findings); --format json has them all."
    return element("p", words(text), class_="notice")


def _card(number: int, finding: Finding, quotes: Quotes) -> Html:
    parts = [
        element("h3", words(finding.message)),
        element("p", _origin(finding), class_="origin"),
        *_quoted(finding, quotes),
        _advice(finding),
    ]
    return element("article", stacked(parts), id=f"finding-{number}", class_=finding.severity.value)


def _quoted(finding: Finding, quotes: Quotes) -> Iterator[Html]:
    # What the secrets checks quote themselves has no secret in it any more.
    if finding.file in quotes.withheld and finding.category not in REDACTED_CATEGORIES:
        yield element("p", words(WITHHELD), class_="origin")
        return
    snippet = quotes.snippets.get((finding.file or "", finding.line or 0))
    if snippet is not None:
        yield _source(snippet, finding)
    yield _evidence(finding, is_quoted=snippet is not None)


def _origin(finding: Finding) -> Html:
    where = [code(place(finding))] if finding.file else []
    sure = [] if finding.confidence == 1 else [words(f"{finding.confidence:.0%} sure")]
    parts = [*where, code(finding.rule), words(finding.category), words(f"by {finding.reviewer}"), *sure]
    return Html(" · ".join(parts))


def _advice(finding: Finding) -> Html:
    if not finding.recommendation:
        return NOTHING
    return element("p", element("strong", words("What to do: ")), words(finding.recommendation), class_="advice")


def _source(snippet: Snippet, finding: Finding) -> Html:
    """The lines with their numbers; the one that is meant is marked."""
    shown = [
        _line(number, text, is_meant=number == finding.line) for number, text in enumerate(snippet.lines, snippet.first)
    ]
    return element("pre", Html("\n".join(shown)), class_="source", tabindex="0")


def _line(number: int, text: str, *, is_meant: bool) -> Html:
    label = element("span", words(f"{number:>5}"), class_="number")
    return Html(label + (element("mark", lines(text)) if is_meant else element("span", lines(text))))


def _evidence(finding: Finding, *, is_quoted: bool) -> Html:
    """What the reviewer quotes, unless it is the line that is shown anyway; long output is folded."""
    evidence = cut(finding.evidence.strip("\n"), MOST_EVIDENCE)
    height = evidence.count("\n") + 1
    if not evidence.strip() or (is_quoted and height == 1):
        return NOTHING
    block = element("pre", lines(evidence), class_="evidence", tabindex="0")
    return block if height <= EVIDENCE_LINES_OPEN else folded(words(f"{height} lines of output"), block, is_open=False)


def files_section(view: ReportView) -> Html:
    """The files with findings, those with the worst first, with ways to each finding."""
    by_file: dict[str, list[Numbered]] = {}
    for number, finding in enumerate(view.findings, 1):
        if finding.file:
            by_file.setdefault(finding.file, []).append((number, finding))
    if not by_file:
        return NOTHING
    # Findings come worst first, and so do the files in which they are.
    whole = table(
        ("File", *(severity.value for severity in Severity), "Findings"),
        ((code(file), *_counts(found), _links(found)) for file, found in by_file.items()),
    )
    if len(by_file) <= FILES_OPEN:
        return section("By file", whole)
    return section("By file", folded(words(counted(len(by_file), "file")), whole, is_open=False))


def _counts(found: Sequence[Numbered]) -> list[Html]:
    counts = Counter(finding.severity for _, finding in found)
    return [words(str(counts[severity] or "")) for severity in Severity]


def _links(found: Sequence[Numbered]) -> Html:
    links = [
        element("a", words(f"line {finding.line}" if finding.line else "whole file"), href=f"#finding-{number}")
        for number, finding in found[:LINKS_SHOWN]
    ]
    more = f" and {len(found) - LINKS_SHOWN} more" if len(found) > LINKS_SHOWN else ""
    return Html(", ".join(links) + words(more))
