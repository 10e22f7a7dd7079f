"""What models cost: the most specific price holds, and a project's own file is layered over what is shipped."""

from __future__ import annotations

import json
from typing import Any

import pytest

from review_gate.errors import ConfigError
from review_gate.pipeline.config import Layer
from review_gate.pipeline.prices import Price, PriceTable, load_prices
from review_gate.ports import Usage
from review_gate.shell.pipeline_files import layers
from review_gate.workflows.models import USUAL_MODELS

PLACE = ".review-gate"
SHIPPED = load_prices(layers("no such folder"))


def entry(model: str, provider: str = "anthropic", **fields: Any) -> dict[str, Any]:
    return {
        "provider": provider,
        "model": model,
        "input": 3.0,
        "cached": 0.3,
        "output": 15.0,
        "description": "it",
    } | fields


def loaded(*own: Any, shipped: tuple[dict[str, Any], ...] = (entry("claude-sonnet-4*"),)) -> PriceTable:
    files = [
        Layer(place, {"prices": json.dumps(data).encode()}) for place, data in (("built-in", shipped), (PLACE, own))
    ]
    return load_prices(files)


def input_price(table: PriceTable, provider: str, model: str) -> float | None:
    price = table.price(provider, model)
    return None if price is None else price.input


SPECIFIC: dict[str, tuple[list[str], str]] = {
    "the longer glob": (["*", "claude-*", "claude-opus-4*"], "claude-opus-4*"),
    "a name without wild cards": (["claude-opus-4-?*********", "claude-opus-4-5"], "claude-opus-4-5"),
}


@pytest.mark.parametrize(("globs", "expected"), SPECIFIC.values(), ids=SPECIFIC)
def test_the_most_specific_entry_holds(globs: list[str], expected: str) -> None:
    entries = [entry(glob, input=float(number)) for number, glob in enumerate(globs)]
    assert input_price(loaded(shipped=tuple(entries)), "anthropic", "claude-opus-4-5") == globs.index(expected)


def test_a_program_asks_the_models_of_its_family_and_may_have_prices_of_its_own() -> None:
    table = loaded(entry("*", "claude", input=0.0))
    assert input_price(table, "anthropic", "claude-sonnet-4-5") == 3
    assert input_price(table, "claude", "claude-sonnet-4-5") == 0
    assert input_price(table, "claude", "") == 0
    assert input_price(loaded(), "claude", "claude-sonnet-4-5") == 3


def test_cached_tokens_cost_what_cached_tokens_cost() -> None:
    price = Price(input=3, cached=0.3, output=15)
    usage = Usage(input_tokens=1_000_000, cached_tokens=400_000, output_tokens=100_000)
    assert price.cost(usage) == pytest.approx(0.6 * 3 + 0.4 * 0.3 + 0.1 * 15)
    assert price.cost(Usage()) == 0
    assert price.cost(Usage(input_tokens=10, cached_tokens=20)) == pytest.approx(10 * 0.3 / 1e6)


LIST_PRICES = {
    ("anthropic", "claude-opus-4-1-20250805"): (15, 1.5, 75),
    ("claude", "claude-sonnet-4-5-20250929"): (3, 0.3, 15),
    ("anthropic", "claude-haiku-5-5"): (0.1, 0.01, 0.5),
    ("codex", "gpt-5-codex"): (1.25, 0.125, 10),
    ("codex", "gpt-5-mini"): (0.25, 0.025, 2),
    ("gemini", "gemini-2.5-flash-lite"): (0.1, 0.01, 0.4),
}


@pytest.mark.parametrize(("asked", "expected"), LIST_PRICES.items(), ids=[model for _, model in LIST_PRICES])
def test_the_shipped_prices_are_the_list_prices(asked: tuple[str, str], expected: tuple[float, ...]) -> None:
    price = SHIPPED.price(*asked)
    assert price is not None
    assert (price.input, price.cached, price.output) == expected


@pytest.mark.parametrize("model", ["gpt-5-pro", "gpt-5.4-pro", "gpt-7", "claude-fable-5-2", "claude-sonnet-6"])
def test_a_model_of_another_price_does_not_get_that_of_its_relatives(model: str) -> None:
    assert SHIPPED.price("openai" if model.startswith("gpt") else "anthropic", model) is None


def test_the_model_that_is_asked_by_default_has_a_price() -> None:
    assert [SHIPPED.price(provider, model) is None for provider, model in USUAL_MODELS.items()] == [False]


def test_a_project_adds_prices_changes_fields_and_takes_entries_out() -> None:
    changed = loaded({"provider": "anthropic", "model": "claude-sonnet-4*", "input": 2}, entry("gpt-9", "openai"))
    price = changed.price("anthropic", "claude-sonnet-4-5")
    assert price is not None
    assert (price.input, price.output) == (2, 15)
    assert changed.price("codex", "gpt-9") is not None
    gone = loaded({"provider": "anthropic", "model": "claude-sonnet-4*", "enabled": False})
    assert gone.price("anthropic", "claude-sonnet-4-5") is None


BROKEN: dict[str, tuple[tuple[Any, ...], str]] = {
    "no provider": (({"model": "x"},), "prices.json: [0]: it must be an object with a text for provider and model"),
    "an unknown field": (
        ({"provider": "anthropic", "model": "claude-sonnet-4*", "inptu": 1},),
        "prices.json: [0] (anthropic claude-sonnet-4*).inptu: there is no such field; did you mean input?",
    ),
    "a price in words": (
        (entry("x", input="3"),),
        "prices.json: [0] (anthropic x).input: Input should be a valid number",
    ),
}


@pytest.mark.parametrize(("own", "what"), BROKEN.values(), ids=BROKEN)
def test_a_mistake_is_told_with_its_file_and_place(own: tuple[Any, ...], what: str) -> None:
    with pytest.raises(ConfigError) as raised:
        loaded(*own)
    assert raised.value.what == f"{PLACE}/{what}"
    assert raised.value.why.startswith("what a review may cost")
