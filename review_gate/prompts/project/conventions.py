"""What a CLAUDE.md says: its title, as much of its text as is shown, and the rules that it lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from review_gate.pipeline.estimate import tokens_in
from review_gate.reviewers.text import split_lines, visible

MOST_CONVENTIONS = 30
LONGEST_CONVENTION = 200
LONGEST_TITLE = 100
_HEADINGS = (
    *("convention", "style", "rule", "guideline", "gotcha", "standard", "practice", "pattern", "principle"),
    *("architecture", "important", "must", "never", "always", "avoid", "do not", "don't", "constraint"),
)
_RULES = (
    *("always ", "never ", "do not ", "don't ", "dont ", "must ", "prefer ", "avoid ", "use ", "keep ", "follow "),
    *("only ", "no ", "ensure ", "make sure ", "write ", "run ", "all "),
)
_BULLETS = ("- ", "* ", "+ ")
_FENCES = ("```", "~~~")
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
    fits = _most_characters(written, tokens)
    # A whole number of lines, unless that would leave out most of what fits.
    end = written.rfind("\n", fits // 2, fits + 1)
    return Shown(written[: end if end >= 0 else fits].rstrip(), len(written))


def _most_characters(text: str, tokens: int) -> int:
    low, high = 0, min(len(text), 3 * tokens)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens_in(text[:middle]) <= tokens else (low, middle - 1)
    return low


def title(text: str) -> str:
    """The first heading of the highest level, empty where it only names the file."""
    named = next((words for level, words in _headings(text) if level == 1), "")
    return "" if named.casefold() in _NO_TITLES else named[:LONGEST_TITLE]


def conventions(text: str) -> tuple[str, ...]:
    """The items of lists that are rules: by the heading above them, or by the word that they begin with."""
    found: dict[str, None] = {}
    level_of_rules = 0
    for line in _lines(text):
        level, words = _heading(line)
        if level:
            is_below = 0 < level_of_rules < level
            level_of_rules = level_of_rules if is_below else level if _has_rules(words) else 0
        elif (item := _item(line)) and (level_of_rules or item.replace("*", "").casefold().startswith(_RULES)):
            found[item if len(item) <= LONGEST_CONVENTION else f"{item[: LONGEST_CONVENTION - 3]}..."] = None
    return tuple(found)[:MOST_CONVENTIONS]


def _has_rules(words: str) -> bool:
    return any(word in words.casefold() for word in _HEADINGS)


def _headings(text: str) -> Iterator[tuple[int, str]]:
    return (found for found in map(_heading, _lines(text)) if found[0])


def _heading(line: str) -> tuple[int, str]:
    """Level and words of a heading; level 0 is none, and 7 that of a label such as **Rules:**."""
    plain = line.strip()
    words = plain.lstrip("#")
    level = len(plain) - len(words)
    if 1 <= level <= 6 and words[:1] == " ":
        return level, words.rstrip("#").strip(" *_")
    is_label = plain.startswith("**") and plain.rstrip(":").endswith("**") and ":" in plain
    return (7, plain.strip("*_: ")) if is_label and not plain.startswith("***") else (0, "")


def _item(line: str) -> str:
    plain = line.strip()
    number, dot, _ = plain[:5].partition(". ")
    if plain.startswith(_BULLETS):
        return plain[2:].strip()
    return plain[len(number) + 2 :].strip() if dot and number.isdecimal() else ""


def _lines(text: str) -> Iterator[str]:
    """The lines that stand in no fence, an item with what goes on below it as one."""
    fence, joined = "", ""
    for line in split_lines(text):
        plain = line.strip()
        if plain.startswith(_FENCES) and (not fence or plain.startswith(fence)):
            fence = "" if fence else plain[:3]
        elif not fence and joined and line[:1].isspace() and plain and not _item(line):
            # Beyond what is shown of an item it only grows.
            joined = joined if len(joined) > LONGEST_CONVENTION else f"{joined} {plain}"
        elif not fence:
            yield joined
            joined = line if _item(line) else ""
            if not joined:
                yield line
    yield joined
