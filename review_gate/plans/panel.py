"""Who reviews a plan: the persona or panel that its context names, or the usual one."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pydantic import Field, ValidationError

from review_gate.config.display import quoted
from review_gate.models import Frozen

MOST_PERSONAS = 12
LONGEST = 500
CLAUDE = "Claude"
BOTH = "reviewer_persona is redundant beside reviewer_personas, which counts"
NO_CLAUDE = f"{CLAUDE} was added to the panel: somebody has to look for anti-patterns"
NEITHER = "context.yaml names no reviewer, so the usual panel reviews"
NO_EXPERT = "an expert"
UNKNOWN = "{} is not in reviewers.yaml, so only its name says what it looks at"
# What people call the domain of a reviewer in reviewers.yaml.
DOMAINS = ("domain", "expertise", "specialty", "speciality")
# Other people are called so too: Claude Shannon, Claude-Louis Navier.
IS_CLAUDE = re.compile(r"claude(?: code)?(?:\s*[(:,].*|\s+-.*)?", re.IGNORECASE | re.DOTALL)


class Persona(Frozen):
    """One expert: the name, the domain, and what it looks at first."""

    name: str = Field(min_length=1, max_length=LONGEST, pattern=r"\S")
    domain: str = Field(default="", max_length=LONGEST)
    focus: tuple[str, ...] = Field(default=(), max_length=50)

    @property
    def words(self) -> tuple[str, ...]:
        """All that a model is told of it."""
        return (self.name, self.domain, *self.focus)

    @property
    def is_claude(self) -> bool:
        """Whether it is the one that looks for anti-patterns, which code does."""
        return bool(IS_CLAUDE.fullmatch(self.name))


ANTI_PATTERNS = Persona(name=CLAUDE, domain="anti-pattern detection", focus=("CLAUDE.md violations",))
USUAL_PANEL = (
    Persona(name="Senior Technical Reviewer", domain="general", focus=("correctness", "clarity")),
    ANTI_PATTERNS,
)


class Panel(NamedTuple):
    """Who reviews, and what was odd about how that was said; `is_chosen` is not set where nobody said it.

    A single persona speaks for the checks too; in a panel that is Claude's part.
    """

    personas: tuple[Persona, ...]
    warnings: tuple[str, ...] = ()
    is_chosen: bool = True

    @property
    def names(self) -> str:
        """All of them in one line."""
        return ", ".join(persona.name for persona in self.personas)

    @property
    def experts(self) -> tuple[Persona, ...]:
        """Those whom a model has to be asked for."""
        return tuple(persona for persona in self.personas if not persona.is_claude)

    @property
    def voice(self) -> Persona:
        """Who speaks for the checks."""
        return next((persona for persona in self.personas if persona.is_claude), self.personas[0])


class PanelError(ValueError):
    """What context.yaml says of reviewers cannot be used; the message names the field and what is allowed."""


def panel_of(context: Mapping[str, object], known: Sequence[Persona] = ()) -> Panel:
    """The panel that a context names; where it names nobody, the usual one. `known` tells more of those named."""
    one, several = context.get("reviewer_persona"), context.get("reviewer_personas")
    if several is not None:
        personas, warnings = _told(_personas(several), known)
        return with_claude(personas, (*((BOTH,) if one is not None else ()), *warnings))
    if one is None:
        return Panel(USUAL_PANEL, (NEITHER,), is_chosen=False)
    if not isinstance(one, str) or not one.strip() or len(one) > LONGEST:
        raise PanelError(f"reviewer_persona must be a text of 1 to {LONGEST} characters")
    # A single persona describes itself, so that nobody need be known.
    return Panel((_known(Persona(name=one.strip()), known) or Persona(name=one.strip()),))


def _told(personas: Sequence[Persona], known: Sequence[Persona]) -> tuple[tuple[Persona, ...], tuple[str, ...]]:
    """The personas, those that have only a name with what is known of them."""
    bare = {one.name for one in personas if not one.domain and not one.focus and not one.is_claude}
    told = tuple((_known(one, known) if one.name in bare else None) or one for one in personas)
    unknown = [one.name for one in personas if known and one.name in bare and _known(one, known) is None]
    return told, tuple(UNKNOWN.format(quoted(name)) for name in unknown)


def _known(persona: Persona, known: Sequence[Persona]) -> Persona | None:
    return next((one for one in known if one.name.lower() == persona.name.lower()), None)


def _personas(several: object) -> tuple[Persona, ...]:
    if not isinstance(several, list) or not 1 <= len(several) <= MOST_PERSONAS:
        raise PanelError(f"reviewer_personas must be a list of 1 to {MOST_PERSONAS} reviewers")
    personas = tuple(_persona(number, fields) for number, fields in enumerate(several))
    names = [persona.name.lower() for persona in personas]
    twice = next((persona.name for persona in personas if names.count(persona.name.lower()) > 1), None)
    if twice is not None:
        raise PanelError(f"reviewer_personas names {quoted(twice)} twice")
    return personas


def _persona(number: int, fields: object) -> Persona:
    try:
        return Persona.model_validate({"name": fields} if isinstance(fields, str) else fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = "".join(f".{part}" for part in first["loc"])
        raise PanelError(f"reviewer_personas[{number}]{place}: {first['msg']}") from None


def with_claude(personas: tuple[Persona, ...], warnings: tuple[str, ...]) -> Panel:
    """A panel of these, to which Claude belongs always."""
    if any(persona.is_claude for persona in personas):
        return Panel(personas, warnings)
    return Panel((*personas, ANTI_PATTERNS), (*warnings, NO_CLAUDE))


def known_personas(document: object) -> tuple[Persona, ...]:
    """The reviewers in reviewers.yaml, each once: in groups such as technical_domains, as names or with more."""
    found: dict[str, Persona] = {}
    for persona in _listed(document, ""):
        found.setdefault(persona.name.lower(), persona)
    return tuple(found.values())


def _listed(value: object, group: str) -> Iterator[Persona]:
    if isinstance(value, list):
        for one in value:
            yield from _one(one, group, {}) if isinstance(one, str) else _listed(one, group)
    elif isinstance(value, Mapping) and isinstance(value.get("name"), str):
        yield from _one(value["name"], group, value)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            # A group of reviewers, or one by name.
            is_one = isinstance(inner, Mapping) and not {*DOMAINS, "focus"}.isdisjoint(inner) and "name" not in inner
            yield from _one(str(key), group, inner) if is_one else _listed(inner, str(key))


def _one(name: str, group: str, fields: Mapping[str, object]) -> Iterator[Persona]:
    domain = next((fields[word] for word in DOMAINS if isinstance(fields.get(word), str)), group.replace("_", " "))
    focus = fields.get("focus")
    several = [focus] if isinstance(focus, str) else focus if isinstance(focus, list) else []
    # A name that is empty or a whole text is nobody's.
    with contextlib.suppress(ValidationError):
        yield Persona(name=name.strip(), domain=str(domain)[:LONGEST], focus=tuple(map(str, several[:20])))
