"""What a CLAUDE.md says: its title, as much of its text as is shown, and the rules that it lists."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from review_gate.pipeline.estimate import tokens_in
from review_gate.reviewers.text import split_lines, visible

MOST_CONVENTIONS = 30
LONGEST_CONVENTION = 200
LONGEST_TITLE = 100
# The parts whose items are rules.
_RULES_BELOW = re.compile(
    r"convention|style|rule|guideline|gotcha|standard|practice|pattern|principle|architecture|important|must|never"
    r"|always|avoid|do not|don't|constraint",
    re.IGNORECASE,
)
# Elsewhere an item is a rule if it begins like one.
_RULE = re.compile(
    r"\**(?:always|never|do not|don'?t|must|prefer|avoid|use|keep|follow|only|no|ensure|make sure|write|run|all)\** ",
    re.IGNORECASE,
)
# A heading, or a label such as **Rules:**, which is below all headings.
_HEADING = re.compile(r" {0,3}(?P<mark>#{1,6}) (?P<words>.*)|\s*\*\*(?P<label>[^*\n]+)\*\*:?\s*$")
_LABEL_LEVEL = 7
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,3}\.)[ \t]+(?P<text>\S.*)")
# What names the file and not the project.
_NO_TITLES = ("claude.md", "claude", "claude code", "project", "overview", "instructions", "guidelines")


class Shown(NamedTuple):
    """As much of a text as is shown, and how many of its characters there would be in all."""

    text: str
    whole: int

    @property
    def is_cut(self) -> bool:
        """Whether some of it is missing."""
        return len(self.text) < self.whole


def written_out(text: str) -> str:
    """A text with every character that cannot be seen written out, and with the line ends of Unix."""
    return "\n".join(map(visible, split_lines(text.removeprefix("\ufeff")))).rstrip()


def shown(written: str, tokens: int) -> Shown:
    """As much of a text as has so many tokens; what could not be seen in it is written out already."""
    if tokens_in(written) <= tokens:
        return Shown(written, len(written))
    ends = range(1, min(len(written), 3 * tokens) + 1)
    fits = bisect_right(ends, tokens, key=lambda end: tokens_in(written[:end]))
    # A whole number of lines, unless that would leave out most of what fits.
    end = written.rfind("\n", fits // 2, fits + 1)
    return Shown(written[: end if end >= 0 else fits].rstrip(), len(written))


def title(text: str) -> str:
    """The first heading of the highest level, empty where it only names the file."""
    named = next((words for level, words in map(_heading, _lines(text)) if level == 1), "")
    return "" if named.casefold() in _NO_TITLES else named[:LONGEST_TITLE]


def conventions(text: str) -> tuple[str, ...]:
    """The items of lists that are rules: by the heading above them, or by the word that they begin with."""
    found: dict[str, None] = {}
    level_of_rules = 0
    for line in _lines(text):
        level, words = _heading(line)
        item = _ITEM.match(line)
        if level and not 0 < level_of_rules < level:
            level_of_rules = level if _RULES_BELOW.search(words) else 0
        elif item and (level_of_rules or _RULE.match(item["text"])):
            rule = item["text"].strip()
            found[rule if len(rule) <= LONGEST_CONVENTION else f"{rule[: LONGEST_CONVENTION - 3]}..."] = None
    return tuple(found)[:MOST_CONVENTIONS]


def _heading(line: str) -> tuple[int, str]:
    """Level and words of a heading; level 0 is none."""
    found = _HEADING.match(line)
    if not found:
        return 0, ""
    words = found["label"] or found["words"].rstrip().rstrip("#")
    return len(found["mark"] or "#" * _LABEL_LEVEL), words.strip(" *_:")


def _lines(text: str) -> Iterator[str]:
    """The lines outside fences, an item together with the indented lines that continue it."""
    fence, item = "", ""
    for line in split_lines(text):
        plain = line.strip()
        if plain.startswith(fence or ("```", "~~~")):
            fence = "" if fence else plain[:3]
        elif not fence and item and line[:1].isspace() and plain and not _ITEM.match(line):
            # Beyond what is shown of an item it only grows.
            item = item if len(item) > LONGEST_CONVENTION else f"{item} {plain}"
        elif not fence:
            yield item
            item = line
    yield item
