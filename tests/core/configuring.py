"""Configurations in a few words: loaded, refused, looked up."""

from __future__ import annotations

import pytest

from review_gate.config.keys import setting_fields
from review_gate.config.load import Loaded, Source, load
from review_gate.config.schema import Config
from review_gate.errors import ConfigError

FILE = ".review-gate.yaml"
# One command, left open for more keys.
ONE = "commands: [{name: types, run: [mypy]"
FIELDS = dict(setting_fields())


def loaded(text: str, **environ: str) -> Loaded:
    """What a repository with this file and this environment is set to."""
    return load([Source(FILE, text)], environ)


def refusal(text: str, **environ: str) -> ConfigError:
    """What is said about a file or an environment that is refused."""
    with pytest.raises(ConfigError) as caught:
        loaded(text, **environ)
    return caught.value


def value_at(config: Config, key: str) -> object:
    """The value of a setting, as JSON has it."""
    value: object = config.model_dump(mode="json")
    for part in key.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]  # type: ignore[index]  # JSON is untyped
    return value
