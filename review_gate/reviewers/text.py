"""Lines, places and safe quotes that every embedded reviewer agrees on."""

from __future__ import annotations

from review_gate.reviewers.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    # Line and column, both from 1.
    Place = tuple[int | None, int | None]

QUOTED_CHARACTERS = 160
MESSAGE_CHARACTERS = 300
LISTED_PROBLEMS = 50
# What a file begins with tells whether it is binary: as much as git looks at (buffer_is_binary, git 2.39).
BEGINNING = 8_000

# str.isprintable() accepts these (variation selectors, fillers, a grapheme joiner), yet nothing of them is drawn.
PRINTABLE_YET_UNSEEN = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))
)

# No character yet, and by Unicode's own word (Default_Ignorable_Code_Point) nothing of them is to be drawn.
UNSEEN_UNASSIGNED = ((0x2065, 0x2065), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF))


def split_lines(text: str) -> list[str]:
    """The lines of a text without their ends; LF, CRLF and CR end a line, as in Python source, and nothing else."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


def decode_utf8(data: bytes) -> str | None:
    """The text of UTF-8 bytes, or None when they are something else."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def decode_anyhow(data: bytes | None) -> str:
    """The text of any bytes, for comparing and quoting only: what is not UTF-8 becomes lone surrogates."""
    return (data or b"").decode("utf-8", "surrogateescape")


def is_binary(data: bytes) -> bool:
    """Whether git itself would call these bytes binary: a NUL among the first of them."""
    return data.find(b"\0", 0, BEGINNING) >= 0


def place_of(text: str, index: int) -> tuple[int, int]:
    """Line and column, both from 1, of a character of a text."""
    before = split_lines(text[: max(0, index)])
    return len(before), len(before[-1]) + 1


def code_point(character: str) -> str:
    """The U+XXXX name of a character."""
    return f"U+{ord(character):04X}"


def visible(text: str) -> str:
    """A text with every control, hidden or unprintable character written out, so that it is safe to show anywhere."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character
        if character == "\t" or (character.isprintable() and character not in PRINTABLE_YET_UNSEEN)
        else f"<{code_point(character)}>"
        for character in text
    )


def quote(line: str, column: int = 1) -> str:
    """A line as evidence: made visible, not indented, and cut to the part around a column when it is long."""
    if len(line) <= QUOTED_CHARACTERS:
        return visible(line.strip(" \t"))
    start = max(0, min(column - 1 - QUOTED_CHARACTERS // 2, len(line) - QUOTED_CHARACTERS))
    end = start + QUOTED_CHARACTERS
    return ("..." if start else "") + visible(line[start:end]) + ("..." if end < len(line) else "")


def located(
    rule: str, severity: str, message: str, lines: Sequence[str], place: Place, *, recommendation: str
) -> Problem:
    """A problem at a place, with the line there as its evidence."""
    number, column = place
    evidence = quote(lines[number - 1], column or 1) if number and number <= len(lines) else ""
    return Problem(
        rule,
        severity,
        visible(message[:MESSAGE_CHARACTERS]),
        line=number,
        column=column,
        evidence=evidence,
        recommendation=recommendation,
    )


def unseen(numbered: list[tuple[int, str]], old_lines: Iterable[str]) -> list[tuple[int, str]]:
    """The numbered lines that the old version does not hold as often: an unrelated edit repeats no old alarm."""
    left = dict.fromkeys((line for _, line in numbered), 0)
    for line in old_lines:
        if line in left:
            left[line] += 1
    fresh = []
    for number, line in numbered:
        left[line] -= 1
        if left[line] < 0:
            fresh.append((number, line))
    return fresh


def capped(problems: Iterable[Problem]) -> list[Problem]:
    """The first problems of a file, given worst first, and then one that says there are more: a flood is cut short."""
    kept: list[Problem] = []
    for problem in problems:
        kept.append(problem)
        if len(kept) > LISTED_PROBLEMS:
            problem.message = (
                f"more than the {LISTED_PROBLEMS} problems listed for this file; the next is: {problem.message}"
            )
            break
    return kept
