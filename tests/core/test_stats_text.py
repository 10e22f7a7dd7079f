"""The history on a terminal: golden output, what fits, what cannot be shown, and names from outside."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from stats_samples import empty, usual, with_names
from test_hostile_reports import HOSTILE

from review_gate.render.bars import Look, look_of
from review_gate.render.stats_text import stats_text
from review_gate.render.stats_words import percent


@pytest.mark.parametrize(
    ("name", "look"),
    [
        ("usual.txt", Look()),
        ("ascii.txt", Look(has_blocks=False)),
        ("narrow.txt", Look(width=66)),
    ],
)
def test_the_history_is_as_the_golden_file_has_it(name: str, look: Look, golden: Callable[[str, str], None]) -> None:
    golden(f"stats/{name}", stats_text(usual(), look))


@pytest.mark.parametrize("has_blocks", [True, False], ids=["blocks", "ascii"])
@pytest.mark.parametrize("columns", [66, 80])
def test_every_line_fits_the_terminal(*, has_blocks: bool, columns: int) -> None:
    lines = stats_text(usual(), Look(columns, has_blocks)).splitlines()
    assert max(map(len, lines)) == columns
    assert all(line == line.rstrip() for line in lines)


def test_without_blocks_there_are_only_ascii_letters() -> None:
    assert stats_text(usual(), Look(has_blocks=False)).isascii()
    assert "█" in stats_text(usual(), Look())


def test_colour_is_only_where_it_is_wanted_and_changes_no_place() -> None:
    colored = stats_text(usual(), Look(has_color=True))
    assert "\033[36m" in colored
    assert re.sub(r"\033\[\d*m", "", colored) == stats_text(usual(), Look())


def test_the_look_follows_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert look_of("utf-8", 200, is_terminal=True) == Look(80, has_blocks=True, has_color=True)
    assert look_of("ascii", 10, is_terminal=False) == Look(66, has_blocks=False)
    monkeypatch.setenv("NO_COLOR", "1")
    assert look_of("utf-8", 70, is_terminal=True) == Look(70)


def test_an_empty_history_says_how_one_comes_about() -> None:
    assert stats_text(empty(), Look()) == (
        "no prompt review in the log yet\n"
        'next:  review-gate prompt-review "TEXT", which reviews a prompt and logs that it\n'
        "       did\n"
    )


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_hostile_names_do_nothing_to_a_terminal(name: str) -> None:
    text = stats_text(with_names(name), Look())
    assert all(letter.isprintable() or letter == "\n" for letter in text)
    assert not any(line.startswith(("ship:", "next:", "blocked:")) for line in text.splitlines())


@pytest.mark.parametrize(
    ("part", "shown"),
    [(0, "0 %"), (0.0001, "under 1 %"), (0.5, "50 %"), (0.999, "over 99 %"), (1, "100 %")],
)
def test_a_part_of_a_whole(part: float, shown: str) -> None:
    assert percent(part) == shown


def test_names_of_the_log_are_shown_as_people_say_them() -> None:
    stats = usual().model_copy(update={"reasons": {"nobody_to_ask": 8}})
    assert "8 not reviewed (nobody to ask 8)" in stats_text(stats, Look())
