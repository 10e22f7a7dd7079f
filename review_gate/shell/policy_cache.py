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
from review_gate.gate.record import policy_text
from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file
from review_gate.shell.pipeline_key import pipeline_files
from review_gate.shell.sealed import seal, unsealed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from review_gate.shell.repository import Repository

CACHE_NAME = "policy.json"
MAX_CACHE_BYTES = 4_000_000
CHECKS_CACHE_NAME = "checks-strictness.json"


class Compiled:
    """The merged configuration as plain data, and the digest of those settings that make a review strict."""

    __slots__ = ("config", "strictness")

    def __init__(self, config: dict[str, object], strictness: str) -> None:
        self.config = config
        self.strictness = strictness

    def section(self, name: str) -> dict[str, object]:
        """One mapping of the configuration."""
        value = self.config.get(name)
        return value if isinstance(value, dict) else {}


class Policy(Compiled):
    """The same with the policy that a review has to be made under: these settings, and the checks in force."""

    __slots__ = ("policy",)

    def __init__(self, compiled: Compiled, checks: str) -> None:
        super().__init__(compiled.config, compiled.strictness)
        self.policy = policy_text(compiled.strictness, checks)


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
    except UnsafeFileError:
        return None
    return compiled_in(data, repository, environ) if data else None


def compiled_in(data: bytes, repository: Repository, environ: Mapping[str, str]) -> Compiled | None:
    """The configuration in what `compiled_bytes` made, if it is still what the files and the environment say."""
    try:
        cached = unsealed(data)
        current = _key(config_sources(repository, environ), pipeline_files(repository.top), environ)
    except UnsafeFileError:
        return None
    if cached is None or cached.get("key") != current:
        return None
    return compiled_from_plain(cached)


def compiled_from_plain(document: dict[str, object]) -> Compiled | None:
    """The configuration that `plain_compiled` made a document of, or None when it is something else."""
    config, strictness = document.get("config"), document.get("strictness")
    if not isinstance(config, dict) or not isinstance(strictness, str):
        return None
    return Compiled(config, strictness)


def plain_compiled(compiled: Compiled) -> dict[str, object]:
    """A compiled configuration as JSON has it."""
    return {"config": compiled.config, "strictness": compiled.strictness}


def _key(sources: list[ConfigSource], pipeline: Mapping[str, str], environ: Mapping[str, str]) -> dict[str, object]:
    """Everything the compiled result depends on, to be compared as it is."""
    texts = [source.text if source.text is None else source.text.decode("latin-1") for source in sources]
    files = [[source.path, text] for source, text in zip(sources, texts, strict=True)]
    environment = config_environment(environ)
    return {"version": __version__, "files": files, "pipeline": dict(pipeline), "environment": environment}


def compiled_bytes(
    environ: Mapping[str, str], sources: list[ConfigSource], pipeline: Mapping[str, str], compiled: Compiled
) -> bytes:
    """A compiled configuration with all that it depends on, as hooks read it."""
    return seal({"key": _key(sources, pipeline, environ), **plain_compiled(compiled)})


def write_compiled(repository: Repository, data: bytes) -> None:
    """Keep a compiled configuration for the hooks; where that cannot be done, the next one makes it again."""
    try:
        replace_file(repository.own_path(CACHE_NAME), data, scratch=repository.scratch)
    except OSError:
        return


def read_checks(repository: Repository, key: list[object]) -> str | None:
    """The strictness of the checks if it was taken of exactly these files and settings, else None."""
    try:
        kept = unsealed(read_plain_file(repository.own_path(CHECKS_CACHE_NAME), MAX_CACHE_BYTES))
    except UnsafeFileError:
        return None
    if kept is None or kept.get("key") != key:
        return None
    strictness = kept.get("strictness")
    return strictness if isinstance(strictness, str) and strictness else None


def write_checks(repository: Repository, key: list[object], strictness: str) -> None:
    """Keep the strictness of the checks for the next push; where that cannot be done, it is taken again."""
    data = seal({"key": key, "strictness": strictness})
    try:
        replace_file(repository.own_path(CHECKS_CACHE_NAME), data, scratch=repository.scratch)
    except OSError:
        return
