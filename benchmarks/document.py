"""The place in the documentation that the tables of a run are written to."""

from __future__ import annotations

BEGIN = "<!-- results: begin -->"
END = "<!-- results: end -->"


class MisplacedError(Exception):
    """The document has no place for the tables."""


def replace_results(document: str, results: str) -> str:
    """The document with new tables between its two marks."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise MisplacedError(f"there is no place between {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{results}\n{END}{after}"
