"""The JSON Schemas of a project's own files in .review-gate/, made from the models; editors read the shipped copies."""

from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter

from review_gate.pipeline.config import ENABLED, KINDS
from review_gate.pipeline.prices import PRICES, PRICES_KIND

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# Every file that a project may have.
FILES = {**KINDS, PRICES: PRICES_KIND}


def schema_text(name: str) -> str:
    """The schema of one of the files, as it is shipped."""
    return json.dumps(schema_of(name), indent=2, ensure_ascii=False) + "\n"


def schema_of(name: str) -> dict[str, Any]:
    """A list of entries; one that is known already needs nothing but its name and what is to be different."""
    kind = FILES[name]
    entry = TypeAdapter(kind.model).json_schema(mode="validation")
    parts = entry.pop("$defs", {})
    entry["required"] = list(kind.keys)
    entry["properties"][ENABLED] = {
        "type": "boolean",
        "default": True,
        "description": "false takes the entry of this name out.",
    }
    return {
        "$schema": DIALECT,
        "title": f".review-gate/{name}.json",
        "type": "array",
        "items": entry,
        **({"$defs": parts} if parts else {}),
    }
