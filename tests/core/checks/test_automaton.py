"""Many texts sought at once: every way to do that finds the same."""

from __future__ import annotations

import random
import sys

import pytest
import random_patterns as made
from comparing import engine_for, places, slowly

from review_gate.checks.automaton import finder, one_by_one


def test_the_way_without_automaton_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "review_gate.checks.engine.finder", lambda needles, *, is_large: lambda data: list(one_by_one(needles, data))
    )
    for number in range(100):
        chance = random.Random(31_000 + number)
        rules, data = made.rules(chance, 5), made.text(chance)
        assert places(engine_for(rules).hits(data)) == slowly(rules, data)


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
