"""Random checks and random texts, made to meet: few letters, all regex syntax, odd characters, every line end."""

from __future__ import annotations

import random
import re
import warnings

from review_gate.checks.literals import can_match_nothing
from review_gate.checks.rule import MATCH_RULES, REGEX, Rule

LETTERS = "abikKsS "
# Dotted I, dotless i, long s, Kelvin sign, full-width a, zero-width space, soft hyphen, ligature, accents, mark,
# no-break space, a raised two and two, micro sign and Greek mu.
ODD = "\u0130\u0131\u017f\u212a\uff41\u200b\u00ad\ufb00\u00e9e\u0301\ufeff\u2028\x1c\x85\u2065\u00a0\u00b22\u00b5\u03bc"
# What bytes that are not UTF-8 become.
BROKEN = r"[\udc80-\udcff]"
LINE_ENDS = ("\n", "\n", "\n", "\r\n", "\r", "\n\n")


def atom(chance: random.Random, depth: int) -> str:
    """One item of a regex."""
    simple = (
        lambda: re.escape(chance.choice(LETTERS + "é.\u0130\u0131\u017f\uff41\u00a0\u00b2\u00b5")),
        lambda: re.escape(chance.choice(LETTERS)) + re.escape(chance.choice(LETTERS)),
        lambda: ".",
        lambda: "[" + "".join(chance.sample("abkKsé", chance.randint(1, 3))) + "]",
        lambda: chance.choice(
            (r"[\u200b\u212a]", r"[\uff00-\uffff]", r"[^\u00a0\u00b5]", r"[\x1c\x85]", "\u00e9", BROKEN)
        ),
        lambda: chance.choice(("[^a]", "[^\\n]", "[\\s\\S]", "[\\x00-\\x1f]", "[a-s]")),
        lambda: chance.choice((r"\w", r"\s", r"\s", r"\b", r"\B", r"\S", r"\W")),
        lambda: chance.choice(
            ("^", "$", "(?=a)", "(?!b)", "(?<=a)", "(?<!s)", r"(?!\s*b)", r"\A", r"\Z", r"\n", r"\r", r"[\r\n]")
        ),
        # What may see the end of the line before.
        lambda: chance.choice((r"(?<=\s)", r"(?<=\W)", "(?<=[^a])", r"(?<!\n)")),
    )
    nested = (
        lambda: f"(?:{sequence(chance, depth - 1)}|{sequence(chance, depth - 1)})",
        lambda: f"({sequence(chance, depth - 1)})",
        lambda: f"(?i:{sequence(chance, depth - 1)})",
        lambda: f"(?s:{sequence(chance, depth - 1)})",
        lambda: f"(?>{sequence(chance, depth - 1)})",
        lambda: r"(\w)\s*\1",
    )
    weights = [8, 8, 2, 3, 1, 1, 2, 2, 1]
    if depth > 0 and chance.random() < 0.25:
        return chance.choice(nested)()
    return chance.choices(simple, weights)[0]()


def sequence(chance: random.Random, depth: int) -> str:
    """Some items of a regex, some of them repeated."""
    items = ""
    for _ in range(chance.randint(1, 4)):
        item = atom(chance, depth)
        # A repeat of something that repeats can take for ever, in the plain loop too.
        if item.startswith(("^", "$", "\\b", "\\B", "\\A", "\\Z", "(?=", "(?!", "(?<")):
            repeats: tuple[str, ...] = ("",)
        elif item.startswith("("):
            repeats = ("", "", "?", "{2}")
        else:
            repeats = ("", "", "", "", "?", "*", "+", "{2}", "{1,3}", "+?", "*?", "{0,2}", "{5}")
        items += item + chance.choice(repeats)
    return items


def regex(chance: random.Random) -> str:
    """A regex that compiles and cannot match nothing."""
    while True:
        pattern = ("(?i)" if chance.random() < 0.3 else "") + sequence(chance, 2)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                re.compile(pattern)
                if not can_match_nothing(pattern):
                    return pattern
        except re.error:
            continue


def rules(chance: random.Random, count: int) -> list[Rule]:
    """Checks of every match rule."""
    found = []
    for index in range(count):
        match_rule = chance.choice((REGEX, REGEX, *MATCH_RULES))
        pattern = regex(chance) if match_rule == REGEX else line(chance, 4, odd=chance.choice((0.1, 0.5))) or "a"
        if match_rule != REGEX and chance.random() < 0.1:
            pattern += chance.choice(LINE_ENDS) + chance.choice(LETTERS)
        found.append(Rule(f"r{index}", pattern, match_rule=match_rule))
    return found


def line(chance: random.Random, length: int, *, odd: float) -> str:
    """A line of few letters, some of them odd."""
    return "".join(
        chance.choice(ODD) if chance.random() < odd else chance.choice(LETTERS)
        for _ in range(chance.randint(1, length))
    )


def text(chance: random.Random) -> bytes:
    """A text with every kind of line end, sometimes with a byte order mark or bytes that are not UTF-8."""
    odd = chance.choice((0, 0, 0.05, 0.3))
    lines = "".join(line(chance, 14, odd=odd) + chance.choice(LINE_ENDS) for _ in range(chance.randint(0, 5)))
    data = lines.encode()
    if chance.random() < 0.1:
        data = "\ufeff".encode() + data
    if chance.random() < 0.1 and data:
        place = chance.randrange(len(data))
        # The last one is a letter once the ASCII in it is left out.
        data = data[:place] + chance.choice((b"\xff", b"\xc3", b"\x80", b"\xe2", b"\xc3(\xa9")) + data[place:]
    return data
