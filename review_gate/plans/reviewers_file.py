"""The reviewers that a user knows: reviewers.yaml, in groups such as technical_domains, as names or with more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import ValidationError

from review_gate.plans.panel import LONGEST, Persona

MOST_KNOWN = 500
# What people call the domain of a reviewer.
DOMAINS = ("domain", "expertise", "specialty", "speciality")
OF_A_PERSON = frozenset((*DOMAINS, "focus"))


def known_personas(document: object) -> tuple[Persona, ...]:
    """All reviewers in a document, in its order and each once; what is none of them is passed over."""
    found: dict[str, Persona] = {}
    for persona in _personas(document, ""):
        found.setdefault(persona.name.lower(), persona)
        if len(found) >= MOST_KNOWN:
            break
    return tuple(found.values())


def _personas(value: object, group: str) -> Iterator[Persona]:
    if isinstance(value, list):
        for one in value:
            yield from _one(one, group) if isinstance(one, str) else _personas(one, group)
    elif isinstance(value, Mapping):
        if isinstance(value.get("name"), str):
            yield from _one(value["name"], group, value)
            return
        for key, inner in value.items():
            if isinstance(inner, Mapping) and OF_A_PERSON & inner.keys() and "name" not in inner:
                yield from _one(str(key), group, inner)
            else:
                yield from _personas(inner, str(key))


def _one(name: str, group: str, fields: Mapping[str, object] | None = None) -> Iterator[Persona]:
    fields = fields or {}
    domain = next((fields[word] for word in DOMAINS if isinstance(fields.get(word), str)), group.replace("_", " "))
    focus = fields.get("focus")
    several = [focus] if isinstance(focus, str) else focus if isinstance(focus, list) else []
    try:
        yield Persona(name=name.strip(), domain=str(domain)[:LONGEST], focus=tuple(map(str, several[:20])))
    except ValidationError:
        # A name that is empty or a whole text is nobody's.
        return
