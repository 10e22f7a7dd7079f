"""What models cost: list prices by provider and model, which a project extends in .review-gate/prices.json."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Literal

from pydantic import Field

from review_gate.errors import ConfigError
from review_gate.models import Frozen
from review_gate.pipeline.config import Kind, Layer, load_entries
from review_gate.pipeline.config_schema import Said
from review_gate.ports import Family, Usage

PRICES = "prices"
PER = 1_000_000
WILD = "*?"
# Whose models a program asks; a service that is asked directly has the name of the family.
FAMILY_OF: dict[str, Family] = {"claude": "anthropic", "codex": "openai", "gemini": "google"}

Usd = Annotated[float, Field(ge=0, le=100_000, allow_inf_nan=False, strict=True)]
Provider = Literal["anthropic", "openai", "google", "claude", "codex", "gemini"]
ModelGlob = Annotated[str, Field(pattern=r"^[A-Za-z0-9._:/@*?-]+$", max_length=100)]


class Price(Frozen):
    """USD for a million tokens: of input, of input that comes from the provider's cache, of output."""

    input: Usd
    cached: Usd
    output: Usd
    # What Anthropic takes for input that it puts into its cache.
    written: Usd | None = None

    @property
    def fresh(self) -> float:
        """The price of input that does not come from a cache, at most: no usage tells what of it went into one."""
        return max(self.input, self.written or 0.0)

    def cost(self, usage: Usage) -> float:
        """USD for what was used; no more can come from a cache than went in."""
        cached = min(usage.cached_tokens, usage.input_tokens)
        fresh = usage.input_tokens - cached
        return (fresh * self.fresh + cached * self.cached + usage.output_tokens * self.output) / PER


class PriceEntry(Price):
    """The price of all models of a provider whose names match; `*` and `?` stand for any and for one character."""

    # A family of models, or a program that asks them and comes first: a subscription makes it cheaper.
    provider: Provider
    model: ModelGlob
    description: Said


class PriceTable(Frozen):
    """All prices that are known."""

    entries: tuple[PriceEntry, ...]

    def price(self, provider: str, model: str) -> Price | None:
        """The price of a model, None where nobody knows it; of several entries the most specific one holds."""
        for name in dict.fromkeys((provider, FAMILY_OF.get(provider, provider))):
            found = [one for one in self.entries if one.provider == name and fnmatchcase(model, one.model)]
            if found:
                return max(found, key=_specificity)
        return None


def _specificity(entry: PriceEntry) -> tuple[bool, int]:
    literal = sum(letter not in WILD for letter in entry.model)
    return literal == len(entry.model), literal


PRICES_KIND = Kind(PriceEntry, "model", within="provider")


def load_prices(layers: Sequence[Layer]) -> PriceTable:
    """The prices of all layers, the later one winning field by field."""
    try:
        return PriceTable.model_validate({"entries": load_entries(PRICES, PRICES_KIND, layers)})
    except ConfigError as error:
        raise ConfigError(
            error.what,
            why="what a review may cost is reckoned with this file, and a price that is not understood would be missed",
            next_step=error.next_step,
        ) from None
