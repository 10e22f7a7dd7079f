"""Headings of a prompt, read in linear time."""

from __future__ import annotations

import pytest

from review_gate.prompts.editor.layout import lines_of

HEADINGS = {
    "plain": ("# Context", "context"),
    "closed": ("## Context ##", "context"),
    "closed with blanks": ("  ### Context ## \t", "context"),
    "emphasised": ("# **Context:**", "context"),
    "emphasised and closed": ("# *Context* #", "context"),
    "two words": ("# The  Output", "the  output"),
    "without a name": ("# ", ""),
    "a label": ("**Output:**", "output"),
    "no blank": ("#Context", None),
    "text": ("Context", None),
}


@pytest.mark.parametrize(("line", "name"), HEADINGS.values(), ids=HEADINGS)
def test_the_name_of_a_heading(line: str, name: str | None) -> None:
    assert lines_of(line)[0].heading == name


SLOW = {
    "blanks": "# x" + " " * 100_000 + "x",
    "signs": "# " + "#" * 100_000 + "x",
    "both": "# x" + " #" * 100_000 + "x",
    "blanks, signs, blanks": "# x" + " " * 50_000 + "#" * 50_000 + " " * 50_000 + "x",
}


# What takes the square of its length is not done within an hour.
@pytest.mark.timeout(120)
@pytest.mark.parametrize("line", SLOW.values(), ids=SLOW)
def test_no_line_takes_long(line: str) -> None:
    assert lines_of(line)[0].mark == "#"
    assert lines_of(line)[0].heading is not None
