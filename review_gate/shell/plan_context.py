"""The context of a plan with the panel that was chosen for it: all else that it says stays."""

from __future__ import annotations

import io
from collections.abc import Sequence

from review_gate.plans.panel import Persona

PANEL = "reviewer_personas"
HEAD = "# Who reviews, and for which project: reviewer_persona, reviewer_personas, project_root, checks.\n"


def with_panel(data: bytes | None, personas: Sequence[Persona]) -> bytes:
    """The bytes of a context that is known to be a mapping without a panel, with one; its comments stay."""
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.allow_unicode = True
    yaml.width = 4_096
    text = (data or b"").decode("utf-8")
    document = yaml.load(text)
    if not document:
        # Nothing but comments, or the braces of a mapping without anything in it.
        text, document = HEAD if not text.strip() else _comments(text), {}
    else:
        text = ""
    document[PANEL] = [_fields(persona) for persona in personas]
    out = io.StringIO()
    yaml.dump(document, out)
    return (text + out.getvalue()).encode("utf-8")


def _comments(text: str) -> str:
    return "".join(f"{line}\n" for line in text.splitlines() if line.lstrip().startswith("#"))


def _fields(persona: Persona) -> dict[str, object]:
    fields: dict[str, object] = {"name": persona.name, "domain": persona.domain, "focus": list(persona.focus)}
    return {name: value for name, value in fields.items() if value}
