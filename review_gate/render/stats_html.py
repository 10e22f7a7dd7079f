"""The history of reviews as one HTML page with plots that needs nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from review_gate.prompts.history.period import Day, timeline
from review_gate.prompts.history.stats import CommitHistory, DayOfReviews, Stats, together
from review_gate.render.html_page import page
from review_gate.render.html_parts import NOTHING, Html, element, pairs, section, stacked, table, words
from review_gate.render.html_plots import Plot, Series, columns, strip, whole
from review_gate.render.report_words import counted
from review_gate.render.stats_style import STATS_STYLE
from review_gate.render.stats_words import (
    facts,
    in_words,
    money,
    notes,
    nothing,
    percent,
    severity_names,
    span,
    tokens,
    usd,
)

MOST_COLUMNS = 62
MOST_NAMES = 12
TITLE = "History of reviews"


def stats_html(stats: Stats) -> str:
    """The page."""
    banner = [element("p", words("review-gate"), class_="brand"), element("h1", words(TITLE)), _about(stats)]
    body = stacked(
        [
            element("header", stacked(banner), class_="history"),
            element("main", stacked([*_prompts(stats), _commits(stats.commits), *_notes(stats)])),
            element("footer", words("Made by review-gate stats from hashes and figures; no prompt is in the log.")),
        ]
    )
    return page(f"{TITLE}: {span(stats)}", body, STATS_STYLE)


def _about(stats: Stats) -> Html:
    if stats.reviews:
        return element("p", words(f"Prompt reviews, {span(stats)}. Days are in UTC."))
    what, following = nothing(stats)
    return stacked([element("p", words(_sentence(what))), pairs([("Next", words(following))])])


def _prompts(stats: Stats) -> list[Html]:
    if not stats.reviews:
        return []
    return [
        _tiles(stats),
        section("In words", pairs((name.capitalize(), words(said)) for name, said in facts(stats))),
        *_over_time(stats.days),
        _reviewers(stats),
        _names("What became of the prompts", "Outcome", _in_words(stats.outcomes)),
        _names("Projects", "Project", stats.projects),
        _names("Triggers", "Trigger", stats.triggers),
        _names("Modes", "Mode", stats.modes),
        _names("Why there was no review", "Reason", _in_words(stats.reasons)) if stats.reasons else NOTHING,
    ]


def _in_words(counts: Mapping[str, int]) -> dict[str, int]:
    return {in_words(name): count for name, count in counts.items()}


def _tiles(stats: Stats) -> Html:
    """What is asked for most, at first sight."""
    approval = "-" if stats.approval_rate is None else percent(stats.approval_rate)
    tiles = (
        (f"{stats.reviews:,}", "reviews"),
        (approval, "approved"),
        (f"{stats.findings:,}", "findings"),
        (money(stats.cost).replace(" or more", "+").replace("price not known", "?"), "spent"),
    )
    return element(
        "ul", *(element("li", element("b", words(value)), words(name)) for value, name in tiles), class_="numbers"
    )


def _series(name: str, tone: str, held: Mapping[str, Sequence[Day]], value: Callable[[Day], float]) -> Series:
    return Series(name, tone, tuple(sum(value(day) for day in inside) for inside in held.values()))


def _over_time(days: Sequence[DayOfReviews]) -> list[Html]:
    unit, held = timeline(days, MOST_COLUMNS)
    reviews = (
        _series("approved or edited", "accepted", held, lambda day: day.accepted),
        _series("rejected", "refused", held, lambda day: day.rejected),
        _series("not decided", "rest", held, lambda day: day.reviews - day.accepted - day.rejected),
    )
    total = counted(sum(day.reviews for day in days), "review")
    labels, cost = (*held,), together(day.cost for day in days)
    when = f"per {unit}, {labels[0]} to {labels[-1]}"
    plots = [_plot(f"Reviews per {unit}", Plot(f"Prompt reviews {when}: {total} in all", unit, labels, reviews, whole))]
    if cost.usd:
        series = _series("US dollars", "count", held, lambda day: day.cost.usd)
        # A column cannot show that it would be higher.
        title = f"Cost per {unit}{', as far as prices are known' if cost.unknown_price else ''}"
        plots.append(_plot(title, Plot(f"Cost {when}: {money(cost)} in all", unit, labels, (series,), usd)))
    elif cost.input_tokens or cost.output_tokens:
        both = (
            _series("tokens in", "count", held, lambda day: day.cost.input_tokens),
            _series("tokens out", "rest", held, lambda day: day.cost.output_tokens),
        )
        about = f"Tokens {when}: {tokens(cost.input_tokens)} in, {tokens(cost.output_tokens)} out"
        plots.append(_plot(f"Tokens per {unit}", Plot(about, unit, labels, both, lambda value: tokens(round(value)))))
    return plots


def _plot(title: str, plot: Plot) -> Html:
    return section(title, columns(plot))


def _reviewers(stats: Stats) -> Html:
    """Each reviewer with what it found, by severity."""
    if not stats.reviewers:
        return NOTHING
    most = max(one.total for one in stats.reviewers)
    rows = [
        (
            words(one.role.label),
            strip([(weight.value, count) for weight, count in one.findings.items()], most),
            *(words(f"{count:,}" if count else "") for count in one.findings.values()),
            words(f"{one.failed:,} of {one.asked:,}" if one.failed else ""),
        )
        for one in stats.reviewers
    ]
    legend = [element("li", element("i", class_=name), words(name)) for name in severity_names()]
    whole_table = table(("Reviewer", "Findings", *severity_names(), "failed"), rows)
    return section("Findings by reviewer", element("ul", *legend, class_="legend"), whole_table)


def _names(title: str, kind: str, counts: Mapping[str, int]) -> Html:
    """The most frequent, with how often each was seen."""
    shown = list(counts.items())[:MOST_NAMES]
    rows = [
        (words(name or "(no name)"), strip([("count", count)], shown[0][1]), words(f"{count:,}"))
        for name, count in shown
    ]
    left = len(counts) - len(shown)
    more = element("p", words(f"{left:,} more; --format json has them all."), class_="notice") if left else NOTHING
    return section(title, table((kind, "", "Reviews"), rows), more)


def _commits(history: CommitHistory | None) -> Html:
    if history is None or not history.days:
        return NOTHING
    unit, held = timeline(history.days, MOST_COLUMNS)
    series = (
        _series("passed", "accepted", held, lambda day: day.passed),
        _series("failed", "refused", held, lambda day: day.failed),
        _series("incomplete", "rest", held, lambda day: day.incomplete),
    )
    labels, total = (*held,), sum(day.reviews for day in history.days)
    about = f"Reviews of commits per {unit}, {labels[0]} to {labels[-1]}: {total:,} in all"
    title = f"Reviews of commits of this repository per {unit}"
    return _plot(title, Plot(about, unit, labels, series, whole))


def _notes(stats: Stats) -> list[Html]:
    return [element("p", words(_sentence(note)), class_="notice") for note in notes(stats)]


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
