"""A JSON document with one long list, piece by piece: as one text it would take ten times its size in memory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

INDENT = 2


def document_pieces(document: Any, key: str, items: Iterable[Any], *, depth: int) -> Iterator[str]:
    """The text of an indented document whose empty list under `key`, so many levels down, has these items."""
    # Quotes within texts are escaped, so nothing but the key looks like this.
    head, mark, tail = json.dumps(document, indent=INDENT).partition(f'"{key}": []')
    yield head + mark[:-1]
    outer = "\n" + " " * INDENT * depth
    between = ""
    for item in items:
        text = json.dumps(item, indent=INDENT)
        yield between + outer + " " * INDENT + text.replace("\n", outer + " " * INDENT)
        between = ","
    yield (outer if between else "") + mark[-1:] + tail + "\n"
