"""What a review of a prompt stands on: the settings, the project around, who can be asked, and what may be shown."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from review_gate.checks.withhold import withheld_lines
from review_gate.config.load import Source, source_from_bytes
from review_gate.config.schema import Config
from review_gate.errors import ConfigError
from review_gate.prompts.layers import LOOK_AGAIN, Places, is_decided_by_project, settings_in
from review_gate.prompts.project.context import ExtraFile, ProjectContext
from review_gate.prompts.settings import PromptSettings
from review_gate.shell.audit_log import home_of
from review_gate.shell.current_folder import see_current_folder
from review_gate.shell.files import UnsafeFileError, is_plainly_below, read_plain_file
from review_gate.shell.repository import Repository
from review_gate.workflows.check_compile import keep_strictness
from review_gate.workflows.configure import load_configuration, load_of_folder
from review_gate.workflows.scan_repository import repository_here
from review_gate.workflows.secret_search import SecretSearch

USER_FILE = ".claude/plugins/prompt-review/config.json"
PROJECT_FILE = ".claude/prompt-review.json"
ASKED_BY_PROJECT = f"{PROJECT_FILE} of this project decides who is asked: mode {{}}, {{}}"
MAX_FILE_BYTES = 256_000


class NotReviewedError(Exception):
    """Why a prompt goes on as it is: a word for the log, and a sentence for the reader."""

    def __init__(self, reason: str, why: str) -> None:
        super().__init__(why)
        self.reason = reason
        self.why = why


class Ground(NamedTuple):
    """The project that a prompt is for."""

    top: str
    repository: Repository | None
    config: Config
    settings: PromptSettings
    # What has to be told of the settings.
    notes: tuple[str, ...] = ()


def ground_here(environ: Mapping[str, str], preset: str) -> Ground:
    """The project of the current folder, and all settings that hold there."""
    see_current_folder()
    repository = repository_here()
    top = repository.top if repository is not None else os.getcwd()
    settings = _settings(top, environ, preset)
    if not settings.enabled:
        raise NotReviewedError("switched_off", "prompt review is switched off (enabled is false)")
    loaded = load_of_folder(top) if repository is None else load_configuration(repository)
    if loaded.config.models.use == "off":
        raise NotReviewedError("switched_off", "models are off (models.use in the configuration)")
    # A preset that was named on the command line is the user's own wish.
    is_foreign = not preset and is_decided_by_project(settings, _user_file(environ), environ)
    asked = ASKED_BY_PROJECT.format(settings.mode, settings.models.reviewer)
    return Ground(top, repository, loaded.config, settings, (asked,) if is_foreign else ())


def settings_here(environ: Mapping[str, str], preset: str) -> PromptSettings:
    """All settings of prompt review that hold in the current folder."""
    repository = repository_here()
    return _settings(repository.top if repository is not None else os.getcwd(), environ, preset)


def _settings(top: str, environ: Mapping[str, str], preset: str) -> PromptSettings:
    path = os.path.join(top, *PROJECT_FILE.split("/"))
    if os.path.lexists(path) and not is_plainly_below(top, PROJECT_FILE):
        raise _unreadable(PROJECT_FILE, "its folder is a link")
    return settings_in(Places(_user_file(environ), _source(PROJECT_FILE, path)), environ, preset)


def _user_file(environ: Mapping[str, str]) -> Source | None:
    home = home_of(environ)
    # Whoever keeps settings elsewhere has a link here.
    return _source(f"~/{USER_FILE}", os.path.realpath(os.path.join(home, *USER_FILE.split("/")))) if home else None


def _source(label: str, path: str) -> Source | None:
    try:
        data = read_plain_file(path, MAX_FILE_BYTES)
    except UnsafeFileError as error:
        raise _unreadable(label, str(error)) from None
    return None if data is None else source_from_bytes(label, data, look_again=LOOK_AGAIN)


def _unreadable(label: str, why: str) -> ConfigError:
    return ConfigError(
        f"{label} cannot be read: {why}",
        why="prompt review does not guess what was meant",
        next_step="mend or remove that file",
    )


class Shown(NamedTuple):
    """A prompt and a project as models may see them, and what is told of that."""

    lines: tuple[str, ...]
    context: ProjectContext
    notes: tuple[str, ...]
    has_secret: bool


def shown_to_models(prompt: str, context: ProjectContext, ground: Ground) -> Shown:
    """The prompt and its project without the secrets in them."""
    settings = ground.config.checks
    plan = (
        None if ground.repository is None else keep_strictness(ground.repository, settings.model_dump(mode="json"))[0]
    )
    texts = [prompt, *_texts(context)]
    prompt_shown, *others = _without_secrets(texts, SecretSearch(plan, settings.seconds_per_file))
    if prompt_shown is None:
        raise NotReviewedError(
            "unsearched", "the prompt could not be searched for secrets, which must not leave this machine"
        )
    changed = sum(one != other for one, other in zip(prompt.split("\n"), prompt_shown.split("\n"), strict=True))
    notes = (
        [f"secrets were withheld from the reviewers in {changed} line{'s' if changed > 1 else ''}"] if changed else []
    )
    if any(one is None for one in others):
        notes.append("what could not be searched for secrets is not shown of the project")
    safe = _with_texts(context, [one or "" for one in others])
    return Shown(tuple(line.removesuffix("\r") for line in prompt_shown.split("\n")), safe, tuple(notes), changed > 0)


def _texts(context: ProjectContext) -> list[str]:
    known = [context.claude_md or "", context.structure, "\n".join(context.conventions), context.project_name]
    return [*known, *(text for file in context.extra_files for text in (file.path, file.text))]


def _with_texts(context: ProjectContext, texts: Sequence[str]) -> ProjectContext:
    claude_md, structure, conventions, name, *extra = texts
    return context.model_copy(
        update={
            "claude_md": claude_md or None,
            "structure": structure,
            "conventions": tuple(filter(None, conventions.split("\n"))),
            "project_name": name,
            "extra_files": tuple(
                ExtraFile(path=path, text=text) for path, text in zip(extra[::2], extra[1::2], strict=True)
            ),
        }
    )


def _without_secrets(texts: Sequence[str], search: SecretSearch) -> list[str | None]:
    """Each text with stand-ins for its secrets, None for one that could not be searched."""
    shown: list[str | None] = []
    for text, hits in search.in_words(texts):
        secret = None if hits is None else withheld_lines(text, hits)
        shown.append(None if secret is None else "\n".join(secret.get(line, line) for line in text.split("\n")))
    return shown
