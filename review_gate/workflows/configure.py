"""The configuration of this user and repository: load it, and keep a compiled copy for the hooks."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from review_gate.config.load import Loaded, load, source_from_bytes
from review_gate.config.places import MAX_CONFIG_BYTES, REPLACEMENT_VARIABLE, REPOSITORY_FILE
from review_gate.config.schema import Config
from review_gate.errors import ConfigError, ReviewGateError
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.git import ObjectReader
from review_gate.shell.pipeline_key import pipeline_files, pipeline_files_of, pipeline_text
from review_gate.shell.policy_cache import Compiled, ConfigSource, compiled_bytes, config_sources, write_compiled
from review_gate.shell.repository import Repository
from review_gate.workflows.compile_child import complain
from review_gate.workflows.policy import see_settings

Found = TypeVar("Found")


def load_configuration(repository: Repository) -> Loaded:
    """The merged configuration in force, compiled for the hooks on the way."""
    return _load_and_keep(repository)[0]


def _load_and_keep(repository: Repository) -> tuple[Loaded, bytes]:
    """The configuration, and its compiled form, which is kept where that can be done."""
    see_settings(repository)
    environ = dict(os.environ)
    sources = _sources(repository, environ)
    pipeline = _readable(lambda: pipeline_files(repository.top))
    loaded = _loaded(sources, environ, pipeline)
    data = compiled_bytes(environ, sources, pipeline, compiled_configuration(loaded))
    write_compiled(repository, data)
    return loaded, data


def load_of_folder(folder: str) -> Loaded:
    """The configuration of the user, and of a folder that belongs to no repository."""
    environ = dict(os.environ)
    return _loaded(_sources(Repository(folder, folder, folder, is_bare=True), environ), environ, {})


def _loaded(sources: Sequence[ConfigSource], environ: dict[str, str], pipeline: Mapping[str, str]) -> Loaded:
    texts = [source_from_bytes(source.label, source.text) for source in sources if source.text is not None]
    return load(texts, environ, pipeline_text(pipeline))


def _sources(repository: Repository, environ: dict[str, str]) -> list[ConfigSource]:
    return _readable(lambda: config_sources(repository, environ))


def _readable(read: Callable[[], Found]) -> Found:
    try:
        return read()
    except UnsafeFileError as error:
        raise ConfigError(
            f"a configuration file cannot be read: {error}",
            why="the gate has no policy to judge by",
            next_step=f"mend or remove that file (or the variable {REPLACEMENT_VARIABLE} that names it)",
        ) from None


def state_file_of(repository: Repository) -> str:
    """The state file's place; where the configuration has a mistake, the usual one."""
    try:
        return load_configuration(repository).config.state_file
    except ConfigError:
        return Config().state_file


def ready_for_hooks(repository: Repository) -> tuple[str, tuple[str, ...]]:
    """The state file's place, with all made that hooks read; a mistake in a file is no reason to protect nothing."""
    from review_gate.workflows.check_compile import keep_strictness

    state_file = Config().state_file
    try:
        config = load_configuration(repository).config
        state_file = config.state_file
        keep_strictness(repository, config.checks.model_dump(mode="json"))
    except ReviewGateError as error:
        return state_file, (f"every commit and push is refused until this is mended: {error.what}",)
    return state_file, ()


def compiled_configuration(loaded: Loaded) -> Compiled:
    """The plain form that the gate reads."""
    return Compiled(loaded.config.model_dump(mode="json"), loaded.strictness)


def differs_from_tree(repository: Repository, tree: str, objects: ObjectReader) -> bool:
    """Whether the configuration on disk, which is in force, is another one than this tree has."""
    committed = objects.read(f"{tree}:{REPOSITORY_FILE}", limit=MAX_CONFIG_BYTES)
    on_disk = read_plain_file(os.path.realpath(os.path.join(repository.top, REPOSITORY_FILE)), MAX_CONFIG_BYTES)
    return (committed.data if committed is not None else None) != on_disk


def configuration_after_switch(repository: Repository, commit: str) -> Loaded:
    """What the configuration would be with the repository's file as a commit has it."""
    environ = dict(os.environ)
    with repository.git.objects() as objects:
        committed = objects.read(f"{commit}:{REPOSITORY_FILE}", limit=MAX_CONFIG_BYTES)
    sources = [source for source in _sources(repository, environ) if source.label != REPOSITORY_FILE]
    texts = [(source.label, source.text) for source in sources]
    texts.append((REPOSITORY_FILE, committed.data if committed is not None else None))
    pipeline = pipeline_text(pipeline_files_of(repository.git, commit))
    return load([source_from_bytes(label, text) for label, text in texts if text is not None], environ, pipeline)


def main() -> None:
    """Compile the configuration for a hook that found its copy out of date; it is printed, for it may not be kept."""
    repository = Repository(*sys.argv[2:5])
    try:
        loaded, data = _load_and_keep(repository)
    except ReviewGateError as error:
        complain(error)
    else:
        _keep_checks(repository, loaded.config.checks.model_dump(mode="json"))
        sys.stdout.write(data.decode("ascii"))


def _keep_checks(repository: Repository, settings: dict[str, object]) -> None:
    """Read the checks too, since the imports are paid for; who needs them says what is wrong with them."""
    from review_gate.workflows.check_compile import keep_strictness

    with contextlib.suppress(ReviewGateError):
        keep_strictness(repository, settings)
