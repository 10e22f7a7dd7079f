"""The only ways to make HTML: text is escaped on its way in, and a type tells what has been."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import NewType

from review_gate.render.report_words import cut
from review_gate.safe_text import safe, safe_line

Html = NewType("Html", str)

NOTHING = Html("")
MOST_IN_TEXT = 2_000


def words(text: str, most: int = MOST_IN_TEXT) -> Html:
    """A text on one line."""
    return Html(html.escape(safe_line(cut(text, most))))


def lines(text: str) -> Html:
    """A text whose line ends and tabs stay what they are."""
    return Html(html.escape(safe(text)))


def element(name: str, *children: Html, **attributes: str) -> Html:
    """An element; an attribute whose name is a word of Python is given with an underscore behind it."""
    given = "".join(f' {key.rstrip("_")}="{html.escape(safe_line(value))}"' for key, value in attributes.items())
    return Html(f"<{name}{given}>{''.join(children)}</{name}>")


def stacked(parts: Iterable[Html]) -> Html:
    """Parts one below the other, so that the source of the page can be read too."""
    return Html("\n".join(part for part in parts if part))


def code(text: str) -> Html:
    """Code within a sentence or a cell."""
    return element("code", words(text))


def table(head: Sequence[str], rows: Iterable[Sequence[Html]]) -> Html:
    """A table; the first cell of a row names it."""
    return grouped_table(head, [("", rows)])


def grouped_table(head: Sequence[str], groups: Iterable[tuple[str, Iterable[Sequence[Html]]]]) -> Html:
    """A table in parts with a title each, which scrolls by itself where a screen is narrow."""
    titles = element("tr", *(element("th", words(title), scope="col") for title in head))
    bodies = [_body(title, rows, width=len(head)) for title, rows in groups]
    whole = element("table", stacked([element("thead", titles), *bodies]))
    # With a keyboard only what can have the focus can be scrolled.
    return element("div", whole, class_="wide", tabindex="0")


def _body(title: str, rows: Iterable[Sequence[Html]], *, width: int) -> Html:
    heading = element("tr", element("th", words(title), scope="rowgroup", colspan=str(width)), class_="group")
    return element("tbody", stacked([heading if title else NOTHING, *map(_row, rows)]))


def _row(cells: Sequence[Html]) -> Html:
    first = element("th", cells[0], scope="row")
    return element("tr", first, *(element("td", cell) for cell in cells[1:]))


def pairs(entries: Iterable[tuple[str, Html]]) -> Html:
    """Names and what belongs to each."""
    parts = (element("div", element("dt", words(name)), element("dd", value)) for name, value in entries)
    return element("dl", stacked(parts))


def section(title: str, *parts: Html) -> Html:
    """A part of the page with a heading."""
    return element("section", stacked([element("h2", words(title)), *parts]))


def folded(title: Html, *parts: Html, is_open: bool) -> Html:
    """A part that can be opened and closed."""
    opening = {"open": ""} if is_open else {}
    return element("details", stacked([element("summary", title), *parts]), **opening)
