"""Headings of a prompt, read in linear time."""

from __future__ import annotations

import pytest

from review_gate.prompts.editor.layout import lines_of

HEADINGS = {
    "plain": ("# Context", "context"),
    "closed": ("## Context ##", "context"),
    "emphasised": ("# **Context:**", "context"),
    "a label": ("**Output:**", "output"),
    "no blank": ("#Context", None),
    "text": ("Context", None),
}


@pytest.mark.parametrize(("line", "name"), HEADINGS.values(), ids=HEADINGS)
def test_the_name_of_a_heading(line: str, name: str | None) -> None:
    assert lines_of(line)[0].heading == name


FENCED = {
    "a fence": ("a\n```\nb\n```\nc", [1, 2, 3]),
    "a fence that is never closed": ("```\na", [0, 1]),
    "signs behind words that nothing closes": ("a ```\nb", []),
    "words behind the end of a real fence": ("```\na\n``` b\nc", [0, 1, 2, 3]),
}


@pytest.mark.parametrize(("text", "numbers"), FENCED.values(), ids=FENCED)
def test_the_lines_of_a_fence(text: str, numbers: list[int]) -> None:
    assert [number for number, line in enumerate(lines_of(text)) if line.is_fenced] == numbers
