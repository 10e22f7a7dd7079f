"""The compiled configuration that hooks read: YAML and pydantic would cost them ten times their own time."""

from __future__ import annotations

import os
import sys

from review_gate import __version__
from review_gate.config.places import (
    MAX_CONFIG_BYTES,
    MISNAMED,
    REPLACEMENT_VARIABLE,
    REPOSITORY_FILE,
    USER_FILE,
    config_environment,
    user_config_file,
)
from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file
from review_gate.strict_json import StrictJsonError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from review_gate.shell.repository import Repository

CACHE_NAME = "policy.json"
MAX_CACHE_BYTES = 4_000_000


class Compiled:
    """The merged configuration as plain data, and the digest of what makes a review strict."""

    __slots__ = ("config", "policy")

    def __init__(self, config: dict[str, object], policy: str) -> None:
        self.config = config
        self.policy = policy

    def section(self, name: str) -> dict[str, object]:
        """One mapping of the configuration."""
        value = self.config.get(name)
        return value if isinstance(value, dict) else {}


class ConfigSource:
    """One configuration file; `text` is None when it does not exist."""

    __slots__ = ("label", "path", "text")

    def __init__(self, label: str, path: str, text: bytes | None) -> None:
        self.label = label
        self.path = path
        self.text = text


def config_sources(repository: Repository, environ: Mapping[str, str]) -> list[ConfigSource]:
    """The configuration files of this user and work tree, lowest priority first, read now."""
    places = []
    user_file = user_config_file(environ, sys.platform)
    if user_file:
        places.append((USER_FILE + user_file, user_file))
    named = environ.get(REPLACEMENT_VARIABLE)
    if named:
        places.append((named, os.path.join(repository.top, named)))
    else:
        _refuse_misnamed(repository.top)
        places.append((REPOSITORY_FILE, os.path.join(repository.top, REPOSITORY_FILE)))
    return [ConfigSource(label, path, _read(path, is_named=label == named)) for label, path in places]


def _refuse_misnamed(top: str) -> None:
    """Refuse the other spelling of the name: a file that nobody reads may hold the tests of loop 4."""
    if os.path.lexists(os.path.join(top, MISNAMED)):
        raise UnsafeFileError(f"{MISNAMED} is not read, rename it to {REPOSITORY_FILE}")


def _read(path: str, *, is_named: bool) -> bytes | None:
    # Dotfiles are often links, so links are followed; what they lead to still has to be a plain file.
    try:
        text = read_plain_file(os.path.realpath(path), MAX_CONFIG_BYTES)
    except UnsafeFileError as error:
        raise UnsafeFileError(f"{path}: {error}") from None
    if text is None and (is_named or os.path.lexists(path)):
        # A wrong name must not mean "no settings": that could open the gate.
        raise UnsafeFileError(f"{path} does not exist" if is_named else f"{path} is a link to nowhere")
    return text


def read_compiled(repository: Repository, environ: Mapping[str, str]) -> Compiled | None:
    """The compiled configuration if it is still what the files and the environment say, else None."""
    try:
        data = read_plain_file(repository.own_path(CACHE_NAME), MAX_CACHE_BYTES)
        cached = parse(data) if data else None
        current = _key(config_sources(repository, environ), environ)
    except (UnsafeFileError, StrictJsonError):
        return None
    if not isinstance(cached, dict) or cached.get("key") != current:
        return None
    config, policy = cached.get("config"), cached.get("policy")
    if not isinstance(config, dict) or not isinstance(policy, str):
        return None
    return Compiled(config, policy)


def _key(sources: list[ConfigSource], environ: Mapping[str, str]) -> dict[str, object]:
    """Everything the compiled result depends on, to be compared as it is: hashing would cost an import."""
    texts = [source.text if source.text is None else source.text.decode("latin-1") for source in sources]
    files = [[source.path, text] for source, text in zip(sources, texts, strict=True)]
    return {"version": __version__, "files": files, "environment": config_environment(environ)}


def write_compiled(
    repository: Repository, environ: Mapping[str, str], sources: list[ConfigSource], compiled: Compiled
) -> None:
    """Keep a compiled configuration for the hooks."""
    import json

    document = {"key": _key(sources, environ), "config": compiled.config, "policy": compiled.policy}
    path = repository.own_path(CACHE_NAME)
    replace_file(path, json.dumps(document, indent=1).encode("ascii"), scratch=repository.scratch)
