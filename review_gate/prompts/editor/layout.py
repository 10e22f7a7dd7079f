"""Where the parts of a prompt begin and end: headings, lists, and lines in a fence, which are none of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from review_gate.prompts.schema import Target

# The signs that may end it are taken off its name afterwards: here they would take cubic time in a line of blanks.
HEADING = re.compile(r"[ ]{0,3}(?P<mark>#{1,6})[ \t]+(?P<name>[^\n]*)$")
# `Constraints:` on a line of its own, emphasised or not.
LABEL = re.compile(r"[ ]{0,3}(?P<open>\*\*|__)?(?P<name>[A-Za-z][A-Za-z /-]{0,40}):?(?P<close>\*\*|__)?:?[ \t]*$")
FENCE = re.compile(r"[ ]{0,3}(?P<fence>```+|~~~+)")
ITEM = re.compile(r"(?P<before>[ \t]*)(?P<bullet>[-*+]|(?P<number>\d{1,4})(?P<dot>[.)]))[ \t]+(?=\S)")
TAB = 4


class Line(NamedTuple):
    """One line with its place, its line end left out."""

    start: int
    text: str
    is_fenced: bool
    # It goes on with the item of a list above it, or with an item below that one.
    is_inner: bool = False

    @property
    def end(self) -> int:
        """Where it ends, before the line end."""
        return self.start + len(self.text)

    @property
    def heading(self) -> str | None:
        """The name of the part that it begins, None where it begins none."""
        # What an item holds begins no part of the prompt.
        is_none = self.is_fenced or self.is_inner
        found = None if is_none else HEADING.match(self.text)
        if found:
            return found["name"].rstrip(" \t").rstrip("#").strip("*_: \t").casefold()
        label = None if is_none else LABEL.match(self.text)
        is_one = label is not None and ":" in self.text and bool(label["open"]) == bool(label["close"])
        return label["name"].strip().casefold() if label is not None and is_one else None

    @property
    def mark(self) -> str:
        """The signs before its name, if it is a Markdown heading."""
        found = None if self.is_fenced or self.is_inner else HEADING.match(self.text)
        return found["mark"] if found else ""


def newline_of(text: str) -> str:
    """How lines end in a text."""
    return "\r\n" if "\r\n" in text else "\n"


def lines_of(text: str) -> list[Line]:
    """The lines of a text."""
    lines: list[Line] = []
    fence, start, column = "", 0, 0
    for whole in text.split("\n"):
        line = whole.removesuffix("\r")
        spaced = line.expandtabs(TAB)
        indent = len(spaced) - len(spaced.lstrip(" "))
        is_inner = bool(column and spaced.strip() and indent >= column)
        if not fence and spaced.strip() and not is_inner:
            column = _column(spaced)
        content = spaced[min(indent, column) :]
        found = FENCE.match(content) if fence else FENCE.match(content[_column(content) :])
        is_fenced = bool(fence or found)
        if fence and found and found["fence"].startswith(fence) and not content[found.end() :].strip():
            fence = ""
        elif not fence and found:
            fence = found["fence"]
        lines.append(Line(start, line, is_fenced, is_inner))
        start += len(whole) + 1
    return lines


def _column(line: str) -> int:
    """Where the text of an item begins, 0 where a line begins none."""
    found = ITEM.match(line)
    return found.end() if found else 0


class Part(NamedTuple):
    """A part of a prompt: the place where one more line of it goes, and the item or line that it goes on from."""

    end: int
    last: Line


def names_of(target: Target) -> tuple[str, ...]:
    """What the part of a target is called in a prompt."""
    return tuple(dict.fromkeys((target.value, target.value.removesuffix("s"), f"{target.value.removesuffix('s')}s")))


def part_for(target: Target, lines: Sequence[Line]) -> Part | None:
    """The part of a prompt that a target names, if it has one."""
    names = names_of(target)
    heads = [number for number, line in enumerate(lines) if line.heading is not None]
    first = next((number for number in heads if lines[number].heading in names), None)
    if first is None:
        return None
    after = next((number for number in heads if number > first), len(lines))
    own = [line for line in lines[first:after] if line.text.strip()]
    # Not one below another item: what is added is as much as all of that.
    outer = next((line for line in reversed(own) if not line.is_inner), own[-1])
    return Part(own[-1].end, outer)


def without_frame(value: str, target: Target) -> str:
    """What is put into a part, without the heading of that part and the bullet of a single item: it has its own."""
    first, _, rest = value.partition("\n")
    is_headed = bool(rest.strip()) and Line(0, first, is_fenced=False).heading in names_of(target)
    bare = rest.strip() if is_headed else value
    found = ITEM.match(bare)
    return bare[found.end() :] if found and "\n" not in bare else bare


def bullet_after(line: Line) -> str:
    """How one more item begins after a line."""
    found = None if line.is_fenced else ITEM.match(line.text)
    if found is None:
        return "- "
    if found["number"]:
        return f"{found['before']}{int(found['number']) + 1}{found['dot']} "
    return f"{found['before']}{found['bullet']} "


def heading_for(target: Target, lines: Sequence[Line]) -> str:
    """The line that begins a new part, in the way of the prompt."""
    marks = [line.mark for line in lines if line.mark]
    name = target.value.capitalize()
    return f"{marks[-1]} {name}" if marks else f"{name}:"
