"""The page of the history: golden, whole, without anything that could act, and with words for who cannot see plots."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from stats_samples import empty, usual, with_names
from test_hostile_reports import HOSTILE
from test_html_report import MARKUP, Page

from review_gate.prompts.history.stats import Stats
from review_gate.render.html_plots import nice
from review_gate.render.stats_html import stats_html
from review_gate.render.stats_style import STATS_STYLE


def test_the_page_is_as_the_golden_file_has_it(golden: Callable[[str, str], None]) -> None:
    golden("stats/usual.html", stats_html(usual()))


@pytest.mark.parametrize("stats", [usual(), empty(), with_names("x")], ids=["usual", "empty", "small"])
def test_a_page_is_whole_and_loads_and_runs_nothing(stats: Stats) -> None:
    text = stats_html(stats)
    page = Page(text)
    assert text.startswith("<!DOCTYPE html>\n")
    assert not re.search(r"url\(|@import|https?:|<script|javascript:| on\w+=| style=", text)
    assert {"script", "link", "img", "iframe", "object", "use", "image"}.isdisjoint(page.tags)
    assert page.tags.count("h1") == 1


@pytest.mark.parametrize("name", [*HOSTILE.values(), *MARKUP.values()])
def test_no_hostile_name_is_more_than_text(name: str) -> None:
    page, plain = Page(stats_html(with_names(name))), Page(stats_html(with_names("x")))
    assert page.tags == plain.tags
    assert [item[:2] for item in page.attributes] == [item[:2] for item in plain.attributes]


def test_every_plot_has_words_and_its_numbers_as_a_table() -> None:
    text = stats_html(usual())
    figures = re.findall(r"<figure>.*?</figure>", text, re.DOTALL)
    assert len(figures) == 3
    for figure in figures:
        assert re.search(r'role="img" aria-label="[^"]{20,}"', figure)
        assert "<table>" in figure
    told = "Prompt reviews per day, 2026-02-09 to 2026-02-20: 48 reviews in all"
    assert told in Page(text).values("aria-label")
    drawn = [item for item in Page(text).attributes if item[0] == "svg"]
    hidden = {("svg", "aria-hidden", "true"), ("svg", "role", "img")} & {*drawn}
    assert len(hidden) == 2


def test_every_tone_that_is_drawn_has_a_colour() -> None:
    text = stats_html(usual())
    tones = {*re.findall(r'<rect[^>]* class="(\w+)"', text), *re.findall(r'<i class="(\w+)"', text)}
    assert {"accepted", "refused", "rest", "blocker", "major", "minor", "nit", "count"} == tones
    assert [tone for tone in tones if f"rect.{tone}" not in STATS_STYLE or f"i.{tone}" not in STATS_STYLE] == []


def test_the_page_of_nothing_says_what_to_do() -> None:
    text = stats_html(empty())
    assert "<p>No prompt review in the log yet.</p>" in text
    assert "<dd>review-gate prompt-review &quot;TEXT&quot;, which reviews a prompt and logs that it did</dd>" in text


@pytest.mark.parametrize(
    ("value", "top"), [(0, 1), (1, 1), (1.5, 2), (3, 4), (41, 50), (73, 100), (100, 100), (0.03, 0.04), (1e9, 1e9)]
)
def test_a_scale_ends_at_a_round_number(value: float, top: float) -> None:
    assert nice(value) == pytest.approx(top)
