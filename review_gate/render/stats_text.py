"""The history of reviews on a terminal: a line for each figure, and bars for what changes or differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from review_gate.prompts.history.period import timeline
from review_gate.prompts.history.stats import CommitDay, DayOfReviews, Stats, together
from review_gate.render.bars import Look, bar
from review_gate.render.report_words import counted, cut
from review_gate.render.stats_words import facts, money, notes, nothing, severity_names, span
from review_gate.safe_text import safe_line

MOST_STRETCHES = 31
MOST_NAMES = 8
LABEL = 14
NUMBER = 9
LONGEST_NAME = 24


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


def _head(first: str, room: int, names: Sequence[str]) -> str:
    return f"{first:<{LABEL + 2}}{'':<{room}}" + _cells(names)


def _row(label: str, drawn: str, cells: Sequence[str]) -> str:
    return f"  {label:<{LABEL}}{drawn}" + _cells(cells)


def _cells(cells: Sequence[str]) -> str:
    return "".join(f"{cell:>{NUMBER}}" for cell in cells)


def _room(look: Look, cells: int) -> int:
    """How long a bar may be beside so many numbers."""
    return max(4, look.width - 2 - LABEL - cells * NUMBER)


def _over_time(days: Sequence[DayOfReviews], look: Look) -> Iterator[str]:
    by_day = {day.day: day for day in days}
    line = timeline(by_day, MOST_STRETCHES)
    held = [(stretch.label, [by_day[day] for day in stretch.days]) for stretch in line.stretches]
    most = max(sum(day.reviews for day in inside) for _, inside in held)
    room = _room(look, 3)
    yield ""
    yield _head(f"per {line.unit}", room, ("reviews", "findings", "cost"))
    for label, inside in held:
        reviews, findings = sum(day.reviews for day in inside), sum(day.findings for day in inside)
        cost = money(together(day.cost for day in inside)).replace(" or more", "+").replace("price not known", "?")
        yield _row(label, bar(reviews, most, room, look), (f"{reviews:,}", f"{findings:,}", cost if inside else ""))


def _reviewers(stats: Stats, look: Look) -> Iterator[str]:
    """What each reviewer found, and how often it failed."""
    if not stats.reviewers:
        return
    most = max(one.total for one in stats.reviewers)
    room = _room(look, 5)
    yield ""
    yield _head("findings by", room, (*severity_names(), "failed"))
    for one in stats.reviewers:
        counts = [f"{count:,}" if count else "-" for count in one.findings.values()]
        failed = f"{one.failed:,}/{one.asked:,}" if one.failed else "-"
        yield _row(one.role.label, bar(one.total, most, room, look), (*counts, failed))


def _names(title: str, counts: Mapping[str, int], look: Look) -> Iterator[str]:
    """The most frequent names, with how often each was seen."""
    shown = list(counts.items())[:MOST_NAMES]
    names = [cut(safe_line(name) or "(no name)", LONGEST_NAME) for name, _ in shown]
    width = max(LABEL, max(map(len, names), default=0) + 2)
    room = max(4, look.width - 2 - width - NUMBER)
    yield ""
    yield title
    for name, (_, count) in zip(names, shown, strict=True):
        yield f"  {name:<{width}}{bar(count, shown[0][1], room, look)}{count:>{NUMBER},}"
    if len(counts) > MOST_NAMES:
        yield f"  and {counted(len(counts) - MOST_NAMES, 'other')}; --format json has them all"


def _commits(stats: Stats, look: Look) -> Iterator[str]:
    """The reviews of commits of the repository around."""
    if stats.commits is None or not stats.commits.days:
        return
    by_day = {day.day: day for day in stats.commits.days}
    line = timeline(by_day, MOST_STRETCHES)
    held = [(stretch.label, [by_day[day] for day in stretch.days]) for stretch in line.stretches]
    most = max(sum(day.reviews for day in inside) for _, inside in held)
    room = _room(look, 3)
    yield ""
    yield "reviews of commits of this repository"
    yield _head(f"per {line.unit}", room, ("passed", "failed", "neither"))
    for label, inside in held:
        yield _row(label, bar(sum(day.reviews for day in inside), most, room, look), _results(inside))


def _results(days: Sequence[CommitDay]) -> tuple[str, str, str]:
    passed, failed = sum(day.passed for day in days), sum(day.failed for day in days)
    return f"{passed:,}", f"{failed:,}", f"{sum(day.incomplete for day in days):,}"
