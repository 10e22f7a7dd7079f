"""Texts and environment to one validated configuration that knows where each value came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from review_gate.config.complaints import LOOK_AGAIN, Complaint, complaints_about, config_error, in_order, origin_at
from review_gate.config.keys import Path
from review_gate.config.layers import NOTHING, Source, environment_layers, file_layer, merged
from review_gate.config.policy import strictness_of
from review_gate.config.rules import refusals
from review_gate.config.schema import Config
from review_gate.config.yaml_tree import Node, UnreadableError, plain_data

__all__ = ["BUILT_IN", "Loaded", "Source", "load", "source_from_bytes"]

BUILT_IN = NOTHING.origin


@dataclass(frozen=True, slots=True)
class Loaded:
    """The configuration in force, the origin of every value, and the digest of its strictness."""

    config: Config
    origins: dict[str, str]
    strictness: str


def source_from_bytes(label: str, data: bytes, *, look_again: str = LOOK_AGAIN) -> Source:
    """The source that a file's bytes make; reading more than MAX_CONFIG_BYTES + 1 of them is never needed."""
    try:
        return Source(label, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        text = f"not UTF-8: the byte 0x{data[error.start]:02x} cannot be read; save the file as UTF-8"
        raise config_error([Complaint(f"{label}:{line}", text)], look_again=look_again) from None


def load(sources: Sequence[Source], environ: Mapping[str, str], pipeline: str = "") -> Loaded:
    """The defaults, overlaid with the sources in order and then with the environment.

    `pipeline` stands for the files that decide who reviews what, which are a part of the policy.
    """
    tree = NOTHING
    complaints: list[Complaint] = []
    for layer in _layers(sources, environ):
        if isinstance(layer, Complaint):
            complaints.append(layer)
        else:
            tree = merged(tree, layer)
    config, mistakes = _validated(tree)
    complaints += mistakes
    if config is None or complaints:
        raise config_error(in_order(complaints, [source.label for source in sources]))
    return Loaded(config, _origins(config, tree), strictness_of(config, pipeline))


def _layers(sources: Sequence[Source], environ: Mapping[str, str]) -> Iterator[Node | Complaint]:
    for source in sources:
        try:
            yield file_layer(source)
        except UnreadableError as error:
            yield Complaint(error.origin, error.text)
    yield from environment_layers(environ)


def _validated(tree: Node) -> tuple[Config | None, list[Complaint]]:
    data: Any = plain_data(tree)
    try:
        config, details = Config.model_validate(data), []
    except ValidationError as error:
        config, details = None, error.errors(include_url=False)
    return config, complaints_about(details, refusals(data), tree)


def _origins(config: Config, tree: Node) -> dict[str, str]:
    return {
        ".".join(map(str, path)): origin_at(tree, path) if is_set else BUILT_IN
        for path, is_set in _leaves(config, (), is_set=True)
    }


def _leaves(value: object, path: Path, *, is_set: bool) -> Iterator[tuple[Path, bool]]:
    """Every value that `config show` prints on a line of its own, and whether somebody set it."""
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            given = is_set and name in value.model_fields_set
            yield from _leaves(getattr(value, name), (*path, name), is_set=given)
    elif isinstance(value, Mapping) and value:
        for name in value:
            yield from _leaves(value[name], (*path, name), is_set=is_set)
    elif isinstance(value, tuple) and value and isinstance(value[0], BaseModel):
        for index, item in enumerate(value):
            yield from _leaves(item, (*path, index), is_set=is_set)
    else:
        yield path, is_set
