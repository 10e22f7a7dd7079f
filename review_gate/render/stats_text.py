"""The history of reviews on a terminal: a line for each figure, and bars for what changes or differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import NamedTuple

from review_gate.prompts.history.period import timeline
from review_gate.prompts.history.stats import CommitDay, DayOfReviews, ReviewerStats, Stats, together
from review_gate.render.bars import Look, bar
from review_gate.render.cells import cut_to, padded, width
from review_gate.render.report_words import counted
from review_gate.render.stats_words import facts, money, notes, nothing, severity_names, span
from review_gate.safe_text import safe_line

MOST_STRETCHES = 31
MOST_NAMES = 8
INDENT = 2
LABEL = 14
NUMBER = 9
LONGEST_NAME = 24
SHORTEST_BAR = 4
NONE = "-"


class Row(NamedTuple):
    """One line of a table: a name, what its bar shows, and numbers."""

    label: str
    value: float
    cells: tuple[str, ...]


def stats_text(stats: Stats, look: Look) -> str:
    """All of it, in at most as many columns as the terminal has."""
    lines = [*_prompts(stats, look), *_commits(stats, look)]
    told = [line for note in notes(stats) for line in _wrapped("note:  ", note, look)]
    lines += ["", *told] if told else []
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _prompts(stats: Stats, look: Look) -> Iterator[str]:
    if not stats.reviews:
        what, following = nothing(stats)
        yield from _wrapped("", what, look)
        yield from _wrapped("next:  ", following, look)
        return
    yield from _wrapped("prompt reviews, ", span(stats), look)
    yield ""
    for name, said in facts(stats):
        yield from _wrapped(f"{name:<{LABEL}}", said, look)
    yield from _over_time(stats.days, look)
    yield from _reviewers(stats, look)
    tables = {"projects": stats.projects, "triggers": stats.triggers, "modes": stats.modes}
    for title, counts in tables.items():
        yield from _names(title, counts, look)


def _wrapped(label: str, text: str, look: Look) -> list[str]:
    """A text behind a label; its further lines stand below its first."""
    return wrap(text, look.width, initial_indent=label, subsequent_indent=" " * len(label), break_on_hyphens=False)


def _table(title: str, heads: Sequence[str], rows: Sequence[Row], look: Look, gap: int = 1) -> Iterator[str]:
    """Rows with as long a bar as there is room for beside the numbers."""
    label = max([LABEL, *(width(row.label) + gap for row in rows)])
    texts = zip(heads, *(row.cells for row in rows), strict=True)
    cells = [max(NUMBER, 1 + max(map(len, column))) for column in texts]
    room = look.width - INDENT - label - sum(cells)
    room = room if room >= SHORTEST_BAR else 0
    most = max((row.value for row in rows), default=0)
    yield f"{padded(title, INDENT + label + room)}{_cells(heads, cells)}"
    for row in rows:
        drawn = bar(row.value, most, room, look) if room else ""
        yield f"{'':{INDENT}}{padded(row.label, label)}{drawn}{_cells(row.cells, cells)}"


def _cells(texts: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(f"{text:>{room}}" for text, room in zip(texts, widths, strict=True))


def _over_time(days: Sequence[DayOfReviews], look: Look) -> Iterator[str]:
    unit, held = timeline(days, MOST_STRETCHES)
    rows = [_stretch(label, inside) for label, inside in held.items()]
    yield ""
    yield from _table(f"per {unit}", ("reviews", "findings", "cost"), rows, look)


def _stretch(label: str, days: Sequence[DayOfReviews]) -> Row:
    reviews, findings = sum(day.reviews for day in days), sum(day.findings for day in days)
    cost = money(together(day.cost for day in days)).replace(" or more", "+").replace("price not known", "?")
    return Row(label, reviews, (f"{reviews:,}", f"{findings:,}", cost if days else ""))


def _reviewers(stats: Stats, look: Look) -> Iterator[str]:
    """What each reviewer found, and how often it failed."""
    if not stats.reviewers:
        return
    yield ""
    rows = [_reviewer(one) for one in stats.reviewers]
    yield from _table("findings by", (*severity_names(), "failed"), rows, look)


def _reviewer(one: ReviewerStats) -> Row:
    counts = [f"{count:,}" if count else NONE for count in one.findings.values()]
    failed = f"{one.failed:,}/{one.asked:,}" if one.failed else NONE
    return Row(one.role.label, one.total, (*counts, failed))


def _names(title: str, counts: Mapping[str, int], look: Look) -> Iterator[str]:
    """The most frequent names, with how often each was seen."""
    shown = list(counts.items())[:MOST_NAMES]
    rows = [Row(cut_to(safe_line(name) or "(no name)", LONGEST_NAME), count, (f"{count:,}",)) for name, count in shown]
    yield ""
    yield from _table(title, ("",), rows, look, gap=2)
    if len(counts) > MOST_NAMES:
        yield f"  and {counted(len(counts) - MOST_NAMES, 'other')}; --format json has them all"


def _commits(stats: Stats, look: Look) -> Iterator[str]:
    """The reviews of commits of the repository around."""
    if stats.commits is None or not stats.commits.days:
        return
    unit, held = timeline(stats.commits.days, MOST_STRETCHES)
    rows = [Row(label, sum(day.reviews for day in inside), _results(inside)) for label, inside in held.items()]
    yield ""
    yield "reviews of commits of this repository"
    yield from _table(f"per {unit}", ("passed", "failed", "neither"), rows, look)


def _results(days: Sequence[CommitDay]) -> tuple[str, str, str]:
    passed, failed = sum(day.passed for day in days), sum(day.failed for day in days)
    return f"{passed:,}", f"{failed:,}", f"{sum(day.incomplete for day in days):,}"
