"""The context of a plan with the panel that was chosen for it: all else that it says stays."""

from __future__ import annotations

import io
from collections.abc import Sequence

from review_gate.checks.yaml_source import LIMITS
from review_gate.config.yaml_reader import read_yaml
from review_gate.config.yaml_tree import UnreadableError, plain_data
from review_gate.plans.panel import Persona

PANEL = "reviewer_personas"
HEAD = "# Who reviews, and for which project: reviewer_persona, reviewer_personas, project_root, checks.\n"


def with_panel(data: bytes, personas: Sequence[Persona]) -> bytes:
    """The bytes of a context that is known to be a mapping without a panel, with one; its comments stay."""
    text = data.decode("utf-8")
    context = _said(text)
    panel: dict[str, object] = {PANEL: [_fields(persona) for persona in personas]}
    if not context:
        # Nothing but comments, or the braces of a mapping without anything in it.
        return ((_comments(text) if text.strip() else HEAD) + _written("", panel)).encode("utf-8")
    added = _added(text, _written("", panel))
    # What is in braces, has an end mark, or names a panel of nobody, cannot go on below.
    is_same = _said(added) == {**context, **panel}
    return (added if is_same else _written(text, panel)).encode("utf-8")


def _said(text: str) -> dict[str, object] | None:
    """What a context says, None where it is none."""
    try:
        document = read_yaml(text, str, LIMITS)
    except UnreadableError:
        return None
    found = {} if document is None else plain_data(document)
    return found if isinstance(found, dict) else None


def _added(text: str, panel: str) -> str:
    """The text with the panel below, whose lines end as those above."""
    end = "\r\n" if "\r\n" in text else "\n"
    return text + ("" if text.endswith("\n") else end) + panel.replace("\n", end)


def _written(text: str, panel: dict[str, object]) -> str:
    """A context written anew with a panel: its comments stay, its blanks and quotes may be others."""
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.allow_unicode = True
    yaml.width = 4_096
    document = yaml.load(text) or {}
    document.update(panel)
    out = io.StringIO()
    yaml.dump(document, out)
    return out.getvalue()


def _comments(text: str) -> str:
    return "".join(f"{line}\n" for line in text.splitlines() if line.lstrip().startswith("#"))


def _fields(persona: Persona) -> dict[str, object]:
    fields: dict[str, object] = {"name": persona.name, "domain": persona.domain, "focus": list(persona.focus)}
    return {name: value for name, value in fields.items() if value}
