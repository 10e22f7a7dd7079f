"""Who reviews a plan: the persona or panel that its context names, or the usual one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pydantic import Field, ValidationError

from review_gate.models import Frozen

MOST_PERSONAS = 12
LONGEST = 500
CLAUDE = "Claude"
BOTH = "reviewer_persona is redundant beside reviewer_personas, which counts"
NO_CLAUDE = f"{CLAUDE} was added to the panel: somebody has to look for anti-patterns"
NEITHER = "context.yaml names no reviewer, so the usual panel reviews"


class Persona(Frozen):
    """One expert: the name, the domain, and what it looks at first."""

    name: str = Field(min_length=1, max_length=LONGEST)
    domain: str = Field(default="", max_length=LONGEST)
    focus: tuple[str, ...] = Field(default=(), max_length=50)

    @property
    def is_claude(self) -> bool:
        """Whether it is the one that looks for anti-patterns, which code does."""
        return self.name.lower().startswith(CLAUDE.lower())


ANTI_PATTERNS = Persona(name=CLAUDE, domain="anti-pattern detection", focus=("CLAUDE.md violations",))
USUAL_PANEL = (
    Persona(name="Senior Technical Reviewer", domain="general", focus=("correctness", "clarity")),
    ANTI_PATTERNS,
)


class Panel(NamedTuple):
    """Who reviews, and what was odd about how that was said; `is_chosen` is not set where nobody said it."""

    personas: tuple[Persona, ...]
    warnings: tuple[str, ...] = ()
    is_chosen: bool = True

    @property
    def names(self) -> str:
        """All of them in one line."""
        return ", ".join(persona.name for persona in self.personas)


class PanelError(ValueError):
    """What context.yaml says of reviewers cannot be used; the message names the field and what is allowed."""


def panel_of(context: Mapping[str, object]) -> Panel:
    """The panel that a context names; where it names nobody, the usual one."""
    one, several = context.get("reviewer_persona"), context.get("reviewer_personas")
    if several is not None:
        return _with_claude(_personas(several), (BOTH,) if one is not None else ())
    if one is None:
        return Panel(USUAL_PANEL, (NEITHER,), is_chosen=False)
    if not isinstance(one, str) or not one.strip() or len(one) > LONGEST:
        raise PanelError(f"reviewer_persona must be a text of 1 to {LONGEST} characters")
    return Panel((Persona(name=one.strip()),))


def _personas(several: object) -> tuple[Persona, ...]:
    if not isinstance(several, list) or not 1 <= len(several) <= MOST_PERSONAS:
        raise PanelError(f"reviewer_personas must be a list of 1 to {MOST_PERSONAS} reviewers")
    return tuple(_persona(number, fields) for number, fields in enumerate(several))


def _persona(number: int, fields: object) -> Persona:
    try:
        return Persona.model_validate({"name": fields} if isinstance(fields, str) else fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = "".join(f".{part}" for part in first["loc"])
        raise PanelError(f"reviewer_personas[{number}]{place}: {first['msg']}") from None


def _with_claude(personas: tuple[Persona, ...], warnings: tuple[str, ...]) -> Panel:
    if any(persona.is_claude for persona in personas):
        return Panel(personas, warnings)
    return Panel((*personas, ANTI_PATTERNS), (*warnings, NO_CLAUDE))
