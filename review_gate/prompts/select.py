"""Which reviewers look at a prompt, and why the others do not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from review_gate.models import Frozen
from review_gate.prompts.project.context import ProjectContext
from review_gate.prompts.schema import Role
from review_gate.prompts.settings import PromptSettings, Triggers

# What may be the name of a file in a sentence. Whether it has a dot or a folder is seen afterwards: to ask here
# takes quadratic time in a prompt of one long word.
_WORD = re.compile(r"[\w./\\-]+")
SWITCHED_OFF = "it is switched off"
NO_TRIGGER = "nothing in the prompt or the project asks for it"


class Selected(Frozen):
    """A reviewer, and why it looks or does not."""

    role: Role
    is_active: bool
    because: str = ""


class _Said(NamedTuple):
    """A prompt in small letters with single blanks, and the files that it names."""

    text: str
    files: tuple[str, ...]


def selected(settings: PromptSettings, prompt: str, context: ProjectContext) -> tuple[Selected, ...]:
    """Every reviewer; those that look come in the order of their priority, as many as the budget allows."""
    said = _said(prompt)
    found = [_selected(role, settings, said, context) for role in _by_priority(settings)]
    most = settings.budget.max_reviewers_per_call
    over = [one.role for one in found if one.is_active][most:]
    beyond = f"budget.max_reviewers_per_call is {most}"
    return tuple(Selected(role=one.role, is_active=False, because=beyond) if one.role in over else one for one in found)


def _said(prompt: str) -> _Said:
    names = (word.rstrip(".-") for word in _WORD.findall(prompt))
    return _Said(_folded(prompt), tuple(dict.fromkeys(name for name in names if "." in name or "/" in name)))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _by_priority(settings: PromptSettings) -> list[Role]:
    return list(dict.fromkeys([Role.SECURITY, *settings.editor.priority_order, *Role]))


def _selected(role: Role, settings: PromptSettings, said: _Said, context: ProjectContext) -> Selected:
    reviewer = settings.reviewers.of(role)
    if not reviewer.enabled:
        return Selected(role=role, is_active=False, because=SWITCHED_OFF)
    if not reviewer.conditional:
        return Selected(role=role, is_active=True)
    return _triggered(role, reviewer.triggers, said, context)


def _triggered(role: Role, triggers: Triggers, said: _Said, context: ProjectContext) -> Selected:
    if (word := _first_word(triggers.skip_keywords, said)) is not None:
        return Selected(role=role, is_active=False, because=f'the prompt says "{word}"')
    markers = triggers.project_markers
    marker = next((one for one in markers if _has_marker(one, context.files)), None)
    if markers and marker is None:
        return Selected(role=role, is_active=False, because=f"the project has none of {', '.join(markers)}")
    because = _trigger(triggers, said, context)
    if marker is not None and not (triggers.prompt_keywords or triggers.file_patterns or triggers.stack_markers):
        because = f"the project has {marker}"
    return Selected(role=role, is_active=bool(because), because=because or NO_TRIGGER)


def _trigger(triggers: Triggers, said: _Said, context: ProjectContext) -> str:
    """What asks for a reviewer, empty where nothing does."""
    if (word := _first_word(triggers.prompt_keywords, said)) is not None:
        return f'the prompt says "{word}"'
    marker = next((one for one in triggers.stack_markers if one.casefold() in context.stack), None)
    if marker is not None:
        return f"the project uses {marker}"
    files = (*said.files, *context.files)
    name = next((name for name in files if any(_matches(name, glob) for glob in triggers.file_patterns)), None)
    return f"there is {name}" if name is not None else ""


def _first_word(words: Iterable[str], said: _Said) -> str | None:
    """The first of some words that stands in a prompt by itself, not as a part of a longer one."""
    return next((word for word in words if _stands_in(_folded(word), said.text)), None)


def _stands_in(word: str, text: str) -> bool:
    at = text.find(word) if word else -1
    while at >= 0:
        if not _goes_on(text[at - 1 : at]) and not _goes_on(text[at + len(word) : at + len(word) + 1]):
            return True
        at = text.find(word, at + 1)
    return False


def _goes_on(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def _matches(name: str, pattern: str) -> bool:
    """Whether a pattern fits the name of a file, or its whole path where it names folders."""
    path, pattern = name.replace("\\", "/").casefold(), pattern.casefold()
    return fnmatchcase(path if "/" in pattern else path.rpartition("/")[2], pattern)


def _has_marker(marker: str, files: Sequence[str]) -> bool:
    """`docs/` is a folder, `README` a file of that name with or without an ending."""
    sought = marker.casefold()
    if sought.endswith("/"):
        return any(path.casefold().startswith(sought) for path in files)
    return any(path.casefold() == sought or path.casefold().startswith(f"{sought}.") for path in files)
