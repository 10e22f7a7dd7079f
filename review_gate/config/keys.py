"""The names of all settings, read off the schema: what is valid where, and what is nearest to a wrong one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from review_gate.config.places import PREFIX
from review_gate.config.schema import Config

Path = tuple[str | int, ...]
_LONGEST_GUESSED = 60


def setting_fields(model: type[BaseModel] = Config, prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Every setting as a dotted key; the settings of each item of a list of mappings follow as `list[].key`."""
    for name, field in keys_of(model).items():
        inner = model_inside(field.annotation)
        is_section = inner is not None and inner is field.annotation
        if not is_section:
            yield prefix + name, field
        if inner is not None and (is_section or get_origin(field.annotation) is tuple):
            yield from setting_fields(inner, f"{prefix}{name}." if is_section else f"{prefix}{name}[].")


def sections() -> frozenset[str]:
    """The keys that hold nothing but further keys."""
    return frozenset(
        name for name, field in Config.model_fields.items() if model_inside(field.annotation) is field.annotation
    )


def variables() -> dict[str, tuple[str, FieldInfo]]:
    """The environment variable of every setting that has one, with its dotted key and field."""
    return {PREFIX + key.replace(".", "__").upper(): (key, field) for key, field in setting_fields() if "[" not in key}


def model_inside(annotation: object) -> type[BaseModel] | None:
    """The model that an annotation is, or that it wraps in a tuple, union or Annotated."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(model_inside, get_args(annotation))), None)


def keys_of(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """The keys that a model takes, as users write them, and their fields."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def model_at(path: Path, root: type[BaseModel] = Config) -> type[BaseModel] | None:
    """The model whose keys are valid at a path."""
    field = field_at(path, root) if path else None
    return root if not path else model_inside(field.annotation) if field else None


def field_at(path: Path, root: type[BaseModel] = Config) -> FieldInfo | None:
    """The field of the deepest key of a path that the schema knows."""
    model: type[BaseModel] | None = root
    field: FieldInfo | None = None
    for part in path:
        known = keys_of(model) if model is not None else {}
        if isinstance(part, str) and part in known:
            field = known[part]
            model = model_inside(field.annotation)
    return field


def path_text(path: Path) -> str:
    """A path as users write it, such as `commands[0].run`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice that looks most like a word, if any does."""
    if len(word) > _LONGEST_GUESSED:
        return None
    return next(iter(difflib.get_close_matches(word, list(choices), 1)), None)


def nearest_key(path: Path, root: type[BaseModel] = Config) -> str | None:
    """The valid key that an unknown one was probably meant to be: beside it, or else in another section."""
    model = model_at(path[:-1], root)
    word = str(path[-1])
    beside = nearest(word, keys_of(model)) if model else None
    if beside:
        return path_text((*path[:-1], beside))
    last_parts = {key.rpartition(".")[2]: key for key, _ in setting_fields(root)}
    elsewhere = nearest(word, last_parts)
    return last_parts[elsewhere] if elsewhere else None
