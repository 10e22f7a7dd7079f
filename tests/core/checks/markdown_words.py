"""Random Markdown in which every word is another one, and what an independent parser says about each of them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import NamedTuple

from markdown_it import MarkdownIt

BAD = ("badone", "badtwo", "badthree")
WORD = re.compile(r"[qQ]\d+z")
MARKUP = ("*{}*", "**{}**", "`{}`", "[{}](u.html)", "_{}_", "<b>{}</b>")
TAILS = (", e.g. like", " v1.2", "'s", " (a b)", " éé", " \udcff\udcfe")
BLOCKS = ("p", "p", "p", "heading", "underlined", "list", "list", "numbers", "quotation")
OTHERS = ("fence", "code", "table", "rule", "html", "comment")
_PARSER = MarkdownIt("commonmark").enable("table")


class Sentence(NamedTuple):
    """The words of a sentence, and whether a check finds something in it."""

    words: list[str]
    is_bad: bool


class Writer:
    """Writes one text; blocks are lists of lines."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.count = 0
        self.sentences: list[Sentence] = []

    def text(self) -> str:
        """A whole text, with any line ends, and with or without a mark and a final line end."""
        lines, chance = self.blocks(0, chance_of(self.chance, 1, 6)), self.chance
        kind = chance.choice(["\n", "\n", "\n", "\r\n", "\r", "mixed"])
        text = ""
        for line in lines:
            # LF right behind CR would be one line end with it.
            ends = ["\r\n", "\r"] if not line and text.endswith("\r") else ["\n", "\r\n", "\r"]
            text += line + (chance.choice(ends) if kind == "mixed" else kind)
        if chance.random() < 0.3:
            text = text.rstrip("\r\n")
        text = "\n" * chance.choice([0] * 9 + [2]) + text + "\n" * chance.choice([0] * 9 + [2])
        return "\ufeff" + text if chance.random() < 0.1 else text

    def blocks(self, depth: int, number: int) -> list[str]:
        """Some blocks, mostly with blank lines between them."""
        lines: list[str] = []
        for _ in range(number):
            if lines:
                lines += [""] * self.chance.choice([0, 1, 1, 1, 1, 2])
            lines += self.block(depth)
        return lines

    def block(self, depth: int) -> list[str]:
        """One block, with others in it unless it is deep."""
        kind = self.chance.choice((*BLOCKS, *OTHERS) if depth < 3 else ("p", "p", "heading", "fence"))
        writers: dict[str, Callable[[], list[str]]] = {
            "heading": lambda: ["#" * chance_of(self.chance, 1, 4) + " " + self.paragraph(1)[0]],
            "underlined": lambda: [*self.paragraph(1), self.chance.choice(["===", "---"])],
            "list": lambda: self.items(depth, self.chance.choice("-*+")),
            "numbers": lambda: self.items(depth, ""),
            "quotation": lambda: [f"> {line}" if line else ">" for line in self.blocks(depth + 1, 2)],
            "fence": lambda: ["```", *(self.code() for _ in range(chance_of(self.chance, 1, 4))), "```"],
            "code": lambda: ["", *("    " + (self.code() or self.word()) for _ in range(chance_of(self.chance, 1, 3)))],
            "table": self.table,
            "rule": lambda: [self.chance.choice(["___", "***"])],
            "html": lambda: ["<div>", self.code() or self.word(), "</div>", ""],
            "comment": lambda: [f"<!-- {self.code()} -->"],
        }
        return writers.get(kind, self.paragraph)()

    def word(self) -> str:
        """A word that is nowhere else."""
        self.count += 1
        return f"q{self.count}z"

    def code(self) -> str:
        """A line of code, now and then an empty one."""
        if self.chance.random() < 0.15:
            return ""
        return " ".join([self.word(), *([self.chance.choice(BAD)] if self.chance.random() < 0.25 else [])])

    def sentence(self) -> str:
        """A sentence with markup and other difficulties."""
        chance = self.chance
        words = [self.word() for _ in range(chance_of(chance, 1, 5))]
        words[0] = words[0].upper().replace("Z", "z")
        self.sentences.append(Sentence(list(words), is_bad=chance.random() < 0.3))
        if self.sentences[-1].is_bad:
            words.insert(chance_of(chance, 1, len(words)), chance.choice(BAD))
        place = chance.randrange(len(words))
        if chance.random() < 0.15:
            words[place] = chance.choice(MARKUP if place else MARKUP[:2]).format(words[place])
        elif chance.random() < 0.1:
            words[place] += chance.choice(TAILS)
        return " ".join(words) + chance.choice("...!?")

    def paragraph(self, most_lines: int = 9) -> list[str]:
        """Some sentences on some lines."""
        text = " ".join(self.sentence() for _ in range(self.chance.choice([1, 1, 2, 3])))
        lines = [""]
        for word in text.split(" "):
            if lines[-1] and len(lines) < most_lines and self.chance.random() < 0.12:
                lines.append("")
            lines[-1] += f" {word}" if lines[-1] else word
        if len(lines) > 1 and self.chance.random() < 0.05:
            lines[0] += self.chance.choice(["  ", "\\"])
        return lines

    def items(self, depth: int, mark: str) -> list[str]:
        """Bullets, or numbers where there is no mark, some with blocks below their text."""
        lines: list[str] = []
        is_tight = self.chance.random() < 0.6
        for number in range(1, chance_of(self.chance, 2, 5)):
            begin = f"{mark or f'{number}.'} "
            item = self.paragraph()
            for _ in range(self.chance.choice([0, 0, 0, 1, 2])):
                item += ([] if is_tight and self.chance.random() < 0.7 else [""]) + self.block(depth + 1)
            lines += [begin + item[0], *(" " * len(begin) + line if line else "" for line in item[1:])]
            lines += [] if is_tight else [""]
        return lines if is_tight else lines[:-1]

    def table(self) -> list[str]:
        """A table with sentences in its cells."""
        columns = range(chance_of(self.chance, 1, 3))
        rows = [[self.paragraph(1)[0] for _ in columns] for _ in range(chance_of(self.chance, 1, 3))]
        head = [self.word() for _ in columns]
        return [*(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(columns), *rows)), ""]


def chance_of(chance: random.Random, low: int, high: int) -> int:
    """A number from low to high."""
    return chance.randint(low, high)


class Place(NamedTuple):
    """Where a word is: the number of its leaf, and kind and number of every block around it."""

    leaf: int
    kinds: tuple[str, ...]
    numbers: tuple[int, ...]


class Parsed:
    """What the independent parser makes of a text."""

    def __init__(self, text: str) -> None:
        self.words: dict[str, Place] = {}
        self.empty_items = 0
        self._open: list[tuple[str, int]] = []
        plain = (
            text.removeprefix("\ufeff").encode("utf-8", "replace").decode().replace("\r\n", "\n").replace("\r", "\n")
        )
        for number, token in enumerate(_PARSER.parse(plain)):
            if token.nesting == 1:
                self._open.append((token.type + token.tag, number))
            elif token.nesting == -1:
                kind, begun = self._open.pop()
                self.empty_items += kind == "list_item_openli" and begun == number - 1
            else:
                self._take(number, token.type, token.content)

    def _take(self, number: int, kind: str, content: str) -> None:
        # Two lists with nothing between them are one.
        around = [one for one in self._open if not one[0].endswith(("_list_openul", "_list_openol", "paragraph_openp"))]
        kinds = (*(name for name, _ in around), kind)
        for word in WORD.findall(content):
            self.words[word] = Place(number, kinds, tuple(begun for _, begun in around))

    def shared(self, one: str, other: str) -> int:
        """How many blocks are around both of two words."""
        pair = zip(self.words[one].numbers, self.words[other].numbers, strict=False)
        return sum(1 for left, right in pair if left == right)


def harm(before: str, after: str) -> list[str]:
    """What a parser finds changed beside what is gone."""
    old, new = Parsed(before), Parsed(after)
    found = ["an empty bullet is left"] if new.empty_items > old.empty_items else []
    last = ""
    for word, place in new.words.items():
        if word not in old.words or old.words[word].kinds != place.kinds:
            found.append(f"{word}: {old.words[word].kinds if word in old.words else 'nothing'} became {place.kinds}")
        elif last and (old.words[last].leaf == old.words[word].leaf) != (new.words[last].leaf == place.leaf):
            found.append(f"{last}, {word}: one block became two, or two one")
        elif last and old.shared(last, word) != new.shared(last, word):
            found.append(f"{last}, {word}: they share other blocks")
        last = word if word in old.words else ""
    lost = (set(WORD.findall(after)) & set(old.words)) - set(new.words)
    return found + [f"{word}: it is shown no more" for word in sorted(lost)]
