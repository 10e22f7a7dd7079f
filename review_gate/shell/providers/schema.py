"""The JSON Schema of an answer, as strict as all services take it."""

from __future__ import annotations

from review_gate.models import Frozen

# Services refuse defaults in a strict schema; titles say nothing that the names do not.
LEFT_OUT = ("default", "title")


def strict_schema(answer: type[Frozen]) -> dict[str, object]:
    """The schema with every property required and no other allowed: a model has to say what it leaves empty."""
    schema = _strict(answer.model_json_schema())
    if not isinstance(schema, dict):
        raise TypeError(f"{answer.__name__} has no schema of an object")
    return schema


def _strict(node: object) -> object:
    if isinstance(node, list):
        return [_strict(part) for part in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        # A reference may have no neighbours.
        return {"$ref": node["$ref"]}
    kept = {key: _parts(key, value) for key, value in node.items() if key not in LEFT_OUT}
    if isinstance(properties := node.get("properties"), dict):
        kept |= {"required": list(properties), "additionalProperties": False}
    return kept


def _parts(key: str, value: object) -> object:
    """Names of properties and definitions are no keywords, even where one is called `title`."""
    if key in ("properties", "$defs") and isinstance(value, dict):
        return {name: _strict(part) for name, part in value.items()}
    return value if key in ("enum", "const", "examples") else _strict(value)
