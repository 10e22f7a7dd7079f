"""Fixes of random Markdown, judged by another parser than ours."""

from __future__ import annotations

import os
import random
from collections.abc import Callable

import pytest
from fixing import finder, paragraph, rule, sentence
from markdown_words import BAD, WORD, Writer, harm

from review_gate.checks.fix import Fixed
from review_gate.checks.fix_rounds import fix_until_stable
from review_gate.checks.rule import Rule

# A longer soak: ROUNDS=100000 SEED=7 pytest tests/core/checks/test_fix_random.py
ROUNDS = int(os.environ.get("ROUNDS", "400"))
SEED = int(os.environ.get("SEED", "1"))


def is_part_of(after: str, before: str) -> bool:
    """Whether a text can be made from another by leaving characters out."""
    characters = iter(before)
    return all(character in characters for character in after)


def checks(chance: random.Random) -> list[Rule]:
    """A check for each bad word, all with the same action or each with its own."""
    actions: list[Callable[[str], Rule]] = [sentence, paragraph, lambda pattern: rule(pattern, "goodx")]
    one = chance.choice([*actions[:2], None])
    return [(one or chance.choice(actions))(pattern) for pattern in BAD]


def complaints(text: str, done: Fixed, writer: Writer, rules: list[Rule]) -> list[str]:
    """All that is wrong with a fixed text."""
    found = harm(text, done.text)
    if not is_part_of(done.text.replace("goodx", ""), text):
        found.append("something was written that was not there")
    if done.text.strip("\ufeff") and text.endswith(("\r", "\n")) != done.text.endswith(("\r", "\n")):
        found.append("the final line end")
    if text.startswith("\ufeff") != done.text.startswith("\ufeff"):
        found.append("the byte order mark")
    if fix_until_stable(done.text, finder(*rules)).changes:
        found.append("fixing twice changes more")
    if all(check.fix == ("remove_sentence", "") for check in rules):
        found += wrong_sentences(done, writer)
    return found


def wrong_sentences(done: Fixed, writer: Writer) -> list[str]:
    """Sentences that should be gone, or should not."""
    left = set(WORD.findall(done.text))
    found = []
    for words, is_bad in writer.sentences:
        if is_bad and left.intersection(words) and not done.left:
            found.append(f"{words} should be gone")
        if not is_bad and not left.issuperset(words):
            found.append(f"{words} should not be gone")
    return found


@pytest.mark.parametrize("part", range(4))
def test_random_markdown_keeps_its_structure(part: int) -> None:
    for number in range(part, ROUNDS, 4):
        chance = random.Random(f"{SEED} {number}")
        writer, rules = Writer(chance), checks(chance)
        text = writer.text()
        done = fix_until_stable(text, finder(*rules))
        assert complaints(text, done, writer, rules) == [], (number, text, [r.fix for r in rules], done.text)
