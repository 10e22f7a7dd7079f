"""Where comments are: the code blocks of Markdown, in which a directive is an example, as a real parser sees them."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from review_gate.checks.comments import fenced_lines

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
