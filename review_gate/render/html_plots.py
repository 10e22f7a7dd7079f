"""Plots as inline SVG without a script: lengths are parts of the width, so that letters keep their size on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from review_gate.render.html_parts import Html, element, folded, stacked, table, words

HEIGHT, TOP, BOTTOM = 190, 10, 24
SCALE_WIDTH = 52
# So many columns are so wide that each name has room in the middle below its own.
FEW = 5
# One column alone must not fill the page.
WIDEST = 7.0
GAP = 0.22
BAR_HEIGHT = 14


class Series(NamedTuple):
    """What is counted, by the tone in which it is drawn."""

    name: str
    tone: str
    values: tuple[float, ...]


class Plot(NamedTuple):
    """Columns one beside the other, in each the series one above the other."""

    about: str
    unit: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    shown: Callable[[float], str]


def columns(plot: Plot) -> Html:
    """The plot with its legend, and the same as a table for who cannot see it or wants the numbers."""
    most = nice(max((sum(values) for values in zip(*(one.values for one in plot.series), strict=True)), default=0))
    drawing = element("div", _scale(plot, most), _drawing(plot, most), class_="plot")
    return element("figure", stacked([_legend(plot), drawing, _numbers(plot)]))


def nice(value: float) -> float:
    """The next round number, for the top of a scale."""
    if value <= 0:
        return 1.0
    power = 10.0 ** floor(log10(value))
    return next(step * power for step in (1, 2, 4, 5, 10) if value <= step * power * (1 + 1e-9))


def _legend(plot: Plot) -> Html:
    entries = [element("li", element("i", class_=one.tone), words(one.name)) for one in plot.series]
    return element("ul", *entries, class_="legend")


def _y(value: float, most: float) -> float:
    return HEIGHT - BOTTOM - value / most * (HEIGHT - BOTTOM - TOP)


def _svg(*children: Html, width: str, **attributes: str) -> Html:
    return element("svg", *children, width=width, height=str(HEIGHT), **attributes)


def _scale(plot: Plot, most: float) -> Html:
    marks = [
        _text(plot.shown(value), x=str(SCALE_WIDTH - 6), y=f"{_y(value, most) + 4:.1f}", anchor="end")
        for value in (0.0, most / 2, most)
        # Half a review is none.
        if plot.shown(value) != plot.shown(0.0) or not value
    ]
    return _svg(*marks, width=str(SCALE_WIDTH), **{"aria-hidden": "true"})


def _text(text: str, *, x: str, y: str, anchor: str, tone: str = "name") -> Html:
    return element("text", words(text), x=x, y=y, class_=tone, **{"text-anchor": anchor})


def _drawing(plot: Plot, most: float) -> Html:
    lines = [_line(_y(value, most)) for value in (0.0, most / 2, most)]
    drawn = [_column(plot, most, at) for at in range(len(plot.labels))]
    return _svg(*lines, *drawn, *_labels(plot), width="100%", role="img", **{"aria-label": plot.about})


def _line(y: float) -> Html:
    return element("line", x1="0", x2="100%", y1=f"{y:.1f}", y2=f"{y:.1f}")


def _column(plot: Plot, most: float, at: int) -> Html:
    """One column; resting on it shows its numbers."""
    slot = 100 / len(plot.labels)
    width = min(slot * (1 - GAP), WIDEST)
    left = slot * at + (slot - width) / 2
    parts, below = [], 0.0
    for one in plot.series:
        value = one.values[at]
        if value > 0:
            top = _y(below + value, most)
            place = {"x": f"{left:.3f}%", "width": f"{width:.3f}%", "y": f"{top:.1f}"}
            parts.append(element("rect", **place, height=f"{_y(below, most) - top:.1f}", class_=one.tone))
            below += value
    told = ", ".join(f"{plot.shown(one.values[at])} {one.name}" for one in plot.series if one.values[at])
    return element("g", element("title", words(f"{plot.labels[at]}: {told or 'nothing'}")), *parts)


def _labels(plot: Plot) -> Iterable[Html]:
    """Names below the columns, so few that they have room on a phone too."""
    labels, y = plot.labels, str(HEIGHT - 6)
    slot = 100 / max(1, len(labels))
    shown = sorted({0, len(labels) // 2, len(labels) - 1})[: len(labels)]
    if len(labels) <= FEW:
        return [_text(labels[at], x=f"{slot * (at + 0.5):.3f}%", y=y, anchor="middle") for at in shown]
    # Below their own columns, the first and the last would stand out of the picture.
    return [
        _text(labels[0], x="0", y=y, anchor="start"),
        # Where a screen is very narrow, there is no room for one between the others.
        _text(labels[shown[1]], x=f"{slot * (shown[1] + 0.5):.3f}%", y=y, anchor="middle", tone="between"),
        _text(labels[-1], x="100%", y=y, anchor="end"),
    ]


def _numbers(plot: Plot) -> Html:
    head = (plot.unit.capitalize(), *(one.name for one in plot.series))
    rows = [
        (words(label), *(words(plot.shown(one.values[at])) for one in plot.series))
        for at, label in enumerate(plot.labels)
    ]
    return folded(words("The numbers"), table(head, rows), is_open=False)


def strip(parts: Sequence[tuple[str, float]], most: float) -> Html:
    """A lying bar of parts, each in its tone; the numbers stand beside it, so it says nothing by itself."""
    drawn, left = [], 0.0
    for tone, value in parts:
        width = value / most * 100 if most else 0.0
        if value > 0:
            place = {"x": f"{left:.3f}%", "width": f"{max(width, 0.4):.3f}%"}
            drawn.append(element("rect", y="0", height=str(BAR_HEIGHT), class_=tone, **place))
        left += width
    hidden = {"aria-hidden": "true"}
    return element("svg", *drawn, width="100%", height=str(BAR_HEIGHT), class_="strip", **hidden)


def whole(value: float) -> str:
    """A number of things on a scale."""
    return f"{ceil(value):,}" if value == ceil(value) else ""
