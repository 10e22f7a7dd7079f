"""Which reviewers look at a prompt, and why the others do not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from review_gate.models import Frozen
from review_gate.prompts.context import ProjectContext
from review_gate.prompts.schema import Role
from review_gate.prompts.settings import PromptSettings, Triggers

# A name of a file in a sentence: with a dot inside, or a folder before it.
_NAMED_FILE = re.compile(r"[\w./\\-]*\w\.\w+|[\w.-]+/[\w./-]+")
SWITCHED_OFF = "it is switched off"
NO_TRIGGER = "nothing in the prompt or the project asks for it"


class Selected(Frozen):
    """A reviewer, and why it looks or does not."""

    role: Role
    is_active: bool
    because: str = ""


def selected(settings: PromptSettings, prompt: str, context: ProjectContext) -> tuple[Selected, ...]:
    """Every reviewer; those that look come in the order of their priority, as many as the budget allows."""
    found = [_selected(role, settings, prompt, context) for role in _by_priority(settings)]
    most = settings.budget.max_reviewers_per_call
    over = [one.role for one in found if one.is_active][most:]
    beyond = f"budget.max_reviewers_per_call is {most}"
    return tuple(Selected(role=one.role, is_active=False, because=beyond) if one.role in over else one for one in found)


def _by_priority(settings: PromptSettings) -> list[Role]:
    return list(dict.fromkeys([Role.SECURITY, *settings.editor.priority_order, *Role]))


def _selected(role: Role, settings: PromptSettings, prompt: str, context: ProjectContext) -> Selected:
    reviewer = settings.reviewers.of(role)
    if not reviewer.enabled:
        return Selected(role=role, is_active=False, because=SWITCHED_OFF)
    if not reviewer.conditional:
        return Selected(role=role, is_active=True)
    return _triggered(role, reviewer.triggers, prompt, context)


def _triggered(role: Role, triggers: Triggers, prompt: str, context: ProjectContext) -> Selected:
    if (word := _first_word(triggers.skip_keywords, prompt)) is not None:
        return Selected(role=role, is_active=False, because=f'the prompt says "{word}"')
    markers = triggers.project_markers
    if markers and not any(_has_marker(marker, context.files) for marker in markers):
        return Selected(role=role, is_active=False, because=f"the project has none of {', '.join(markers)}")
    because = _trigger(triggers, prompt, context)
    return Selected(role=role, is_active=bool(because), because=because or NO_TRIGGER)


def _trigger(triggers: Triggers, prompt: str, context: ProjectContext) -> str:
    """What asks for a reviewer, empty where nothing does."""
    if (word := _first_word(triggers.prompt_keywords, prompt)) is not None:
        return f'the prompt says "{word}"'
    marker = next((one for one in triggers.stack_markers if one.casefold() in context.stack), None)
    if marker is not None:
        return f"the project uses {marker}"
    files = (*_NAMED_FILE.findall(prompt), *context.files)
    name = next((name for name in files if any(_matches(name, glob) for glob in triggers.file_patterns)), None)
    return f"there is {name}" if name is not None else ""


def _first_word(words: Iterable[str], prompt: str) -> str | None:
    """The first of some words that stands in a prompt by itself, not as a part of a longer one."""
    text = " ".join(prompt.casefold().split())
    return next((word for word in words if _stands_in(" ".join(word.casefold().split()), text)), None)


def _stands_in(word: str, text: str) -> bool:
    return bool(word) and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _matches(name: str, pattern: str) -> bool:
    """Whether a pattern fits the name of a file, or its whole path where it names folders."""
    path = name.replace("\\", "/")
    return fnmatchcase(path if "/" in pattern else path.rpartition("/")[2], pattern)


def _has_marker(marker: str, files: Sequence[str]) -> bool:
    """`docs/` is a folder, `README` a file of that name with or without an ending."""
    if marker.endswith("/"):
        return any(path.startswith(marker) for path in files)
    return any(path == marker or path.startswith(f"{marker}.") for path in files)
