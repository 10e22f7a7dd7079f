"""Which reviewers look at a prompt, and why the others do not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

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


def selected(settings: PromptSettings, prompt: str, context: ProjectContext) -> tuple[Selected, ...]:
    """Every reviewer; those that look come in the order of their priority, as many as the budget allows."""
    roles = dict.fromkeys([Role.SECURITY, *settings.editor.priority_order, *Role])
    found = [_selected(role, settings, prompt, context) for role in roles]
    most = settings.budget.max_reviewers_per_call
    over = [one.role for one in found if one.is_active][most:]
    beyond = f"budget.max_reviewers_per_call is {most}"
    return tuple(Selected(role=one.role, is_active=False, because=beyond) if one.role in over else one for one in found)


def _selected(role: Role, settings: PromptSettings, prompt: str, context: ProjectContext) -> Selected:
    reviewer = settings.reviewers.of(role)
    if not reviewer.enabled:
        return Selected(role=role, is_active=False, because=SWITCHED_OFF)
    if not reviewer.conditional:
        return Selected(role=role, is_active=True)
    because, is_active = _triggered(reviewer.triggers, prompt, context)
    return Selected(role=role, is_active=is_active, because=because)


def _triggered(triggers: Triggers, prompt: str, context: ProjectContext) -> tuple[str, bool]:
    """Why a reviewer is asked or not, and whether it is."""
    text = " ".join(prompt.casefold().split())
    if (word := _first_word(triggers.skip_keywords, text)) is not None:
        return f'the prompt says "{word}"', False
    marker = next((one for one in triggers.project_markers if _has_marker(one, context.files)), None)
    if triggers.project_markers and marker is None:
        return f"the project has none of {', '.join(triggers.project_markers)}", False
    if (word := _first_word(triggers.prompt_keywords, text)) is not None:
        return f'the prompt says "{word}"', True
    used = next((one for one in triggers.stack_markers if one.casefold() in context.stack), None)
    if used is not None:
        return f"the project uses {used}", True
    words = (word.rstrip(".-") for word in _WORD.findall(prompt) if triggers.file_patterns)
    named = dict.fromkeys(name for name in words if "." in name or "/" in name)
    files = (*named, *context.files)
    name = next((name for name in files if any(_matches(name, glob) for glob in triggers.file_patterns)), None)
    if name is not None:
        return f"there is {name}", True
    if marker is not None and not (triggers.prompt_keywords or triggers.file_patterns or triggers.stack_markers):
        return f"the project has {marker}", True
    return NO_TRIGGER, False


def _first_word(words: Iterable[str], text: str) -> str | None:
    """The first of some words that is in a prompt by itself, not as a part of a longer one."""
    for word in words:
        folded = " ".join(word.casefold().split())
        # Most words are not there at all, which is seen much faster without the look around them.
        if folded and folded in text and re.search(rf"(?<!\w){re.escape(folded)}(?!\w)", text):
            return word
    return None


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
