"""Tables as another Markdown parser sees them: the same ones, in the same lines, with the same cells."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from review_gate.checks.markdown_tables import Table, tables_and_loose_rows


def tables_by_another_parser(text: str) -> list[tuple[int, list[list[str]]]]:
    """The first line of each table after its header, and the first three cells of its rows, by markdown-it-py."""
    tables: list[tuple[int, list[list[str]]]] = []
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "table_open" and token.map is not None:
            tables.append((token.map[0] + 1, []))
        elif token.type == "tr_open":
            tables[-1][1].append([])
        elif token.type == "inline" and token.level >= 4 and tables and tables[-1][1]:
            texts = [child.content for child in token.children or () if child.type in ("text", "code_inline")]
            tables[-1][1][-1].append(" ".join("".join(texts).split()))
    return tables


def tables_by_ours(text: str) -> list[tuple[int, list[list[str]]]]:
    return [
        (table.header.line, [[cell.plain for cell in row.cells] for row in (table.header, *table.rows)])
        for table in tables_and_loose_rows(text)
        if isinstance(table, Table)
    ]


DOCUMENT = r"""# Title

paragraph
| Code Pattern | Problem | Fix |
|:---|:-:|--:|
| `a\|b` | c \| d | e |
| `x||y` | cut |
| one |
| 1 | 2 | 3 | 4 |
|  | empty | `` ` `` |
no outer | pipes |
| *a* | <b> | [x](y) |

text

> | a | b |
> |---|---|
> | c | d |

- item

  | a | b |
  |---|---|
  | c | `d\|` |

1. | a |
   |---|
   | b |

```
| a | b |
|---|---|
```

<!--
| a | b |
|---|---|
-->

a | b
--|--
ü | é
"""


CELL_TEXTS = st.lists(
    st.sampled_from(["a", "b", "`", "\\", "|", " ", "*", "_", "&lt;", "<b>", "</b>", "<code>", "</code>"]), max_size=8
).map("".join)


def test_another_parser_sees_the_same_tables_in_the_same_lines() -> None:
    assert tables_by_ours(DOCUMENT) == tables_by_another_parser(DOCUMENT)
    assert len(tables_by_ours(DOCUMENT)) == 5


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(CELL_TEXTS, min_size=1, max_size=4), min_size=1, max_size=5))
def test_another_parser_sees_the_same_cells(rows: list[list[str]]) -> None:
    text = "| a | b |\n|---|---|\n" + "".join(f"| {' | '.join(row)} |\n" for row in rows)
    assert tables_by_ours(text) == tables_by_another_parser(text)
