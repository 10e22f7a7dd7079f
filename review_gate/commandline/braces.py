"""Brace expansion: `{a,b}` makes several words of one."""

from __future__ import annotations

from review_gate.commandline.acts import UNKNOWN
from review_gate.commandline.syntax import Literal, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.commandline.syntax import Part

    Token = str | Part

# More words than a command needs; braces after braces multiply.
_MOST_WORDS = 64
_MOST_GROUPS = 12
_MANY = Literal(UNKNOWN, is_quoted=False)


def alternatives(word: Word) -> list[Word]:
    """The words that one word stands for; one that is not told where there are too many, or a sequence."""
    if not any(isinstance(part, Literal) and not part.is_quoted and "{" in part.text for part in word.parts):
        return [word]
    tokens = _tokens(word)
    groups = _groups(tokens)
    if not groups:
        return [word]
    if len(groups) > _MOST_GROUPS:
        return [Word([_MANY])]
    made = _expanded(tokens, 0, len(tokens), groups)
    return [Word([_MANY])] if made is None else [_word(one) for one in made]


def _tokens(word: Word) -> list[Token]:
    tokens: list[Token] = []
    for part in word.parts:
        if isinstance(part, Literal) and not part.is_quoted:
            tokens.extend(part.text)
        else:
            tokens.append(part)
    return tokens


def _groups(tokens: list[Token]) -> dict[int, tuple[int, list[int]]]:
    """By the place of each brace that opens a group: where it closes, and its commas; none for a sequence."""
    groups: dict[int, tuple[int, list[int]]] = {}
    opened: list[tuple[int, list[int]]] = []
    dots: list[int] = []
    for place, one in enumerate(tokens):
        if one == "{":
            opened.append((place, []))
        elif one == "," and opened:
            opened[-1][1].append(place)
        elif one == "." and tokens[place - 1] == "." and opened:
            dots.append(opened[-1][0])
        elif one == "}" and opened:
            start, commas = opened.pop()
            if commas or (dots and dots[-1] == start):
                groups[start] = (place, commas)
    return groups


def _expanded(
    tokens: list[Token], start: int, end: int, groups: dict[int, tuple[int, list[int]]]
) -> list[list[Token]] | None:
    made: list[list[Token]] = [[]]
    place = start
    while place < end:
        group = groups.get(place)
        if group is None or group[0] >= end:
            for one in made:
                one.append(tokens[place])
            place += 1
            continue
        inner = _inside(tokens, place, group, groups)
        if inner is None or len(made) * len(inner) > _MOST_WORDS:
            return None
        made = [one + other for one in made for other in inner]
        place = group[0] + 1
    return made


def _inside(
    tokens: list[Token], start: int, group: tuple[int, list[int]], groups: dict[int, tuple[int, list[int]]]
) -> list[list[Token]] | None:
    end, commas = group
    if not commas:
        return [[_MANY]]
    inner: list[list[Token]] = []
    for left, right in zip([start, *commas], [*commas, end], strict=True):
        made = _expanded(tokens, left + 1, right, groups)
        if made is None:
            return None
        inner.extend(made)
    return inner if len(inner) <= _MOST_WORDS else None


def _word(tokens: list[Token]) -> Word:
    parts: list[Part] = []
    run: list[str] = []
    for one in tokens:
        if isinstance(one, str):
            run.append(one)
            continue
        if run:
            parts.append(Literal("".join(run), is_quoted=False))
            run = []
        parts.append(one)
    if run:
        parts.append(Literal("".join(run), is_quoted=False))
    return Word(parts)
