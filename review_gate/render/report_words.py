"""What every report of a run for people says, before it has a form: the opinion, the gate's word, the place."""

from __future__ import annotations

from typing import NamedTuple

from review_gate.gate.decision import Decision
from review_gate.gate.record import short
from review_gate.loops.report import ReviewerResult, RunReport
from review_gate.models import Finding

# How a report as a whole looks at first sight.
OPEN, WAITING, CLOSED = "open", "waiting", "closed"
MOST_OF_GATE = 200
INHERITED = "a commit of exactly this tree on this HEAD inherits the result"


class GateWords(NamedTuple):
    """What the gate says of the commit, why, and what to type next; any of them may be empty."""

    what: str
    why: str = ""
    next_step: str = ""


def leave(report: RunReport, decision: Decision | None) -> str:
    """Whether the content may leave, in a few words."""
    if decision is not None and decision.allowed:
        return "ship allowed"
    return "ship not allowed yet" if report.has_passed_requested else "ship blocked"


def opinion(report: RunReport) -> str:
    """What the run alone says of its subject, as the end of a sentence."""
    if report.has_passed_all:
        return "passed the review"
    if report.has_passed_requested:
        return "passed the requested loops only"
    return f"did not pass the review, {counted(len(report.blockers), 'blocker')}"


def tone(report: RunReport, decision: Decision | None) -> str:
    """Open, waiting or closed; a run that failed is never open, whatever an earlier one said."""
    if not report.has_passed_requested:
        return CLOSED
    return OPEN if decision is not None and decision.allowed else WAITING


def gate_words(decision: Decision | None) -> GateWords:
    """What the gate says; of staged content it has nothing to say yet."""
    if decision is None:
        return GateWords(INHERITED)
    words = decision.leading.words
    # It names the blockers one after the other, and the report has a table of them.
    return GateWords(cut(words.what, MOST_OF_GATE), words.why, words.next_step)


def verdict_words(report: RunReport) -> str:
    """The opinion on the content; without the word of a required reviewer there is none."""
    return report.verdict.value.replace("_", " ") if report.is_complete else "incomplete"


def subject_kind(report: RunReport) -> str:
    """What kind of thing was reviewed."""
    return "staged tree" if report.subject.is_staged else "commit"


def subject_words(report: RunReport) -> str:
    """What was reviewed, with a short id."""
    return f"{subject_kind(report)} {short(report.subject.name)}"


def bindings(report: RunReport) -> tuple[tuple[str, str], ...]:
    """What the result holds for, with full ids: for anything else it says nothing."""
    subject = report.subject
    return (
        ("commit", subject.commit or "none yet, the content is staged"),
        ("tree", subject.tree),
        ("base", f"{subject.base} ({subject.base_label})"),
        ("policy", report.policy),
        ("review", report.id),
        ("started", report.started),
        ("finished", report.finished),
    )


def place(finding: Finding) -> str:
    """Where a finding is, empty where it is about no file."""
    if not finding.file:
        return ""
    return f"{finding.file}:{finding.line}" if finding.line else finding.file


def named(reviewer: ReviewerResult) -> str:
    """A reviewer with the way by which its word came, where that is not the usual one."""
    return f"{reviewer.id} (via: {reviewer.via})" if reviewer.via else reviewer.id


def counted(number: int, noun: str) -> str:
    """A number of things."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def cut(text: str, most: int) -> str:
    """The beginning of a text that is too long, with a sign that it is one."""
    return text if len(text) <= most else text[: most - 1] + "…"
