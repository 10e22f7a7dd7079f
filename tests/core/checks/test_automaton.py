"""Many texts sought at once: every way to do that finds the same."""

from __future__ import annotations

import random
import sys

import pytest
import random_patterns as made
from comparing import engine_for, places, slowly

from review_gate.checks.automaton import SAMPLE, finder, one_by_one, rare_end


def test_the_way_without_automaton_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "review_gate.checks.engine.finder", lambda needles, *, is_large: lambda data: list(one_by_one(needles, data))
    )
    for number in range(100):
        chance = random.Random(31_000 + number)
        rules, data = made.rules(chance, 5), made.text(chance)
        assert places(engine_for(rules).hits(data)) == slowly(rules, data)


@pytest.mark.parametrize("hits", ["few", "many"])
def test_the_way_over_one_occurrence_to_all_finds_the_same(hits: str) -> None:
    letters = "aZ" if hits == "many" else "abcdeXYZ"
    for number in range(40):
        chance = random.Random(57_000 + number)
        needles = list({"".join(chance.choices(letters, k=chance.randint(3, 18))) for _ in range(12)})
        sought = [needle.encode() for needle in needles]
        found = finder(sought, is_large=True)
        for _ in range(3 * SAMPLE):
            # Needles that overlap, and parts of some.
            parts = [chance.choice([*needles, *letters])[chance.randint(0, 2) :] for _ in range(chance.randint(0, 6))]
            data = "".join(parts if chance.random() < 0.5 else chance.choices(letters, k=40)).encode()
            assert sorted(found(data)) == sorted(one_by_one(sought, data)), (needles, data)


def test_a_long_text_is_looked_for_by_its_rarest_end() -> None:
    assert rare_end(b"pdb.set_trace()") == b"db.set_trace()"
    assert rare_end(b"XXX") == b"XXX"


@pytest.mark.parametrize("error", [ImportError, OSError])
def test_an_automaton_that_cannot_be_loaded_is_done_without(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    class Broken:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "ahocorasick_rs":
                raise error("wrong ELF class")

    monkeypatch.delitem(sys.modules, "ahocorasick_rs", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])
    assert finder([b"b"], is_large=False)(b"abc") == [(0, 1, 2)]
