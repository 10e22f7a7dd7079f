"""Where comments are not: in code blocks of Markdown, as a real parser sees them, and in quotes; examples are there."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from review_gate.checks.comments import Quotes, fenced_lines

TEXTS = {
    "plain": "a\n```\nb\n```\nc\n",
    "with a language": "```python\na\n```\nb\n",
    "tildes": "~~~\n```\n~~~\na\n",
    "a longer mark": "````\n```\na\n````\nb\n",
    "a shorter closing mark": "````\na\n```\nb\n",
    "no end": "a\n```\nb\nc\n",
    "backticks behind the mark": "```a`b\nc\n",
    "a closing mark with words": "```\na\n``` b\nc\n```\nd\n",
    "in a bullet": "- ```\n  a\n  ```\nb\n",
    "in a numbered item": "1. ```\n   a\n   ```\nb\n",
    "in a numbered item with a bracket": "12) ```\n    a\n    ```\nb\n",
    "in an item of an item": "- 1. ```\n     a\n     ```\n\nb\n",
    "in an item that ends": "1. ```\n   a\nb\n<!-- c -->\n",
    "blank lines in an item": "- ```\n  a\n\n  b\n  ```\nc\n",
    "in a quotation": "> ```\n> a\n> ```\nb\n",
    "in a quotation that ends": "> ```\n> a\n\nb\nc\n",
    "in a quotation of a quotation": "> > ```\n> > a\n> b\n\nc\n",
    "a quotation in an item": "- > ```\n  > a\n  > ```\n\nb\n",
    "not a mark of an item": "-```\n1.```\na\n",
    "a number that is too long": "1234567890. ```\na\n",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_code_blocks_are_those_of_the_parser(text: str) -> None:
    expected: set[int] = set()
    lines = text.split("\n")
    for token in MarkdownIt().parse(text):
        if token.type == "fence" and token.map:
            expected.update(range(token.map[0] + 2, token.map[1] + 1))
    # Blank lines hold no directive; the end of a text is one of them.
    assert {one for one in fenced_lines(lines) if lines[one - 1].strip()} == {
        one for one in expected if lines[one - 1].strip()
    }


@given(st.text(alphabet="\"'`\\ ra1#"), st.sampled_from(["markdown", "python"]))
def test_quotes_that_were_asked_before_say_the_same_as_new_ones(line: str, language: str) -> None:
    asked = Quotes(line, language)
    assert [asked.hold(at) for at in range(len(line))] == [Quotes(line, language).hold(at) for at in range(len(line))]


class Counted(str):
    """A line that counts how many letters were looked at."""

    __slots__ = ("looked_at",)
    looked_at: int

    def __new__(cls, text: str) -> Counted:
        line = super().__new__(cls, text)
        line.looked_at = 0
        return line

    def __getitem__(self, place: Any) -> str:
        self.looked_at += 1
        return super().__getitem__(place)

    def find(self, text: str, start: Any = 0, end: Any = None) -> int:
        found = super().find(text, start)
        self.looked_at += (len(self) if found < 0 else found) - start
        return found


FLOODS = {
    "in a string": '"' + "# review-gate: ignore " * 200 + '"',
    "in a string that nothing closes": '"' + "# review-gate: ignore " * 200 + "x" * 5_000,
    "between apostrophes in words": "'" + "# review-gate: ignore " * 200 + "don't " * 1_000,
    "in code spans": "`# review-gate: ignore` " * 200,
    "after apostrophes": "' # review-gate: ignore " * 200,
    "after nothing": "# review-gate: ignore " * 200,
}


@pytest.mark.parametrize("text", FLOODS.values(), ids=FLOODS)
def test_quotes_of_a_flood_take_a_few_looks_at_each_letter(text: str) -> None:
    line = Counted(text)
    quotes = Quotes(line, "shell")
    for at in range(0, 4_000, 22):
        quotes.hold(at)
    assert line.looked_at < 6 * len(line)
