"""Who should review a plan that names nobody: what a model is asked, and which of its choices count."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import NamedTuple

from pydantic import Field

from review_gate.models import Frozen
from review_gate.pipeline.answers import read_answer
from review_gate.pipeline.exhibit import harmless
from review_gate.pipeline.question import repeats_instructions
from review_gate.plans.panel import LONGEST, Persona

LINES_SHOWN = 200
MOST_CHOSEN = 3
PHYSICS = "Physics"
MOST_PHYSICISTS = 2
_TASK = """You choose who reviews the plan above, of which you see the beginning. You do not review it yourself.

The reviewers that can be chosen, one in a line, with what each knows:
{known}

The project is called {project}.

Choose the two or three whose knowledge fits the subject of this plan best.
- For mathematics and physics take reviewers of technical domains; for code and how it is built those of code; for texts
  and documentation those of clear writing and of popular science.
- For software and tools somebody like Knuth with somebody like Liskov fits, for systems Lampson with Ritchie, for
  databases Codd with Gray.
- For symmetry and algebra Noether with Weyl fits, for gauge theory Yang with Atiyah, for topology and geometry Witten
  with Grothendieck, for gravity and cosmology Hawking with Penrose, for condensed matter Anderson with Landau, for
  quantum field theory Weinberg with Wightman.
{physics}- Claude looks for anti-patterns in every plan. Nobody has to choose it.
- `name` is written exactly as in the list; names that are not in it do not count.
- `domain` and `focus` say what this reviewer should look at in this plan.
- `reason` says in one sentence why these.
"""
_PHYSICS_RULE = (
    "- This is a project of physics: choose one physicist for the subject, and one mathematician for the rigour.\n"
)


class ChosenPersona(Frozen):
    """One reviewer as a model puts it."""

    name: str = Field(max_length=LONGEST)
    domain: str = Field(max_length=LONGEST)
    focus: tuple[str, ...]


class PanelAnswer(Frozen):
    """The whole choice."""

    panel: tuple[ChosenPersona, ...]
    reason: str = Field(max_length=2_000)


class Choice(NamedTuple):
    """Who was chosen and why; or, with nobody in it, why the choice cannot be used."""

    personas: tuple[Persona, ...]
    reason: str


def is_about_physics(project: str) -> bool:
    """Whether a project lies in a folder for physics, whose panels need a mathematician too."""
    return PHYSICS in PurePath(project).parts


def selection_task(known: Sequence[Persona], project: str, nonce: str) -> str:
    """What a model is asked that sees the beginning of a plan."""
    return _TASK.format(
        known="\n".join(_line(persona, nonce) for persona in known if not persona.is_claude),
        # Not the whole path: it names the user, and is nobody's business.
        project=harmless(PurePath(project).name, nonce),
        physics=_PHYSICS_RULE if is_about_physics(project) else "",
    )


def choice_of(raw: str, known: Sequence[Persona], project: str, nonce: str) -> Choice:
    """What an answer comes to: only who is known can be chosen, and too few or too many is no choice."""
    answer = read_answer(raw, PanelAnswer)
    if not isinstance(answer, PanelAnswer):
        return Choice((), str(getattr(answer, "why", "it has another shape")))
    if repeats_instructions((raw, answer.model_dump_json()), nonce):
        return Choice((), "it repeats a mark of its instructions")
    by_name = {persona.name.lower(): persona for persona in known}
    named = {one.name.strip().lower(): one for one in answer.panel}
    chosen = [_with_focus(by_name[name], one) for name, one in named.items() if name in by_name]
    experts = tuple(persona for persona in chosen if not persona.is_claude)
    fewest = MOST_PHYSICISTS if is_about_physics(project) else 1
    if not fewest <= len(experts) <= MOST_CHOSEN:
        return Choice((), f"it names {len(experts)} of the reviewers in reviewers.yaml")
    return Choice(experts, " ".join(answer.reason.split()))


def _line(persona: Persona, nonce: str) -> str:
    known = ", ".join(part for part in (persona.domain, *persona.focus) if part)
    return harmless(f"- {persona.name}: {known}" if known else f"- {persona.name}", nonce)


def _with_focus(persona: Persona, chosen: ChosenPersona) -> Persona:
    """What the user's own file says of a person counts; only where it says nothing the model's words do."""
    focus = persona.focus or tuple(word[:100] for word in chosen.focus[:5])
    return persona.model_copy(update={"domain": persona.domain or chosen.domain, "focus": focus})
