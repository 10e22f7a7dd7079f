"""SETUP of a plan review: the plan, who reviews it, the checks that hold for it, and what is remembered."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from review_gate.checks.rule import Rule
from review_gate.checks.strictness import checks_strictness
from review_gate.config.display import quoted
from review_gate.config.keys import nearest
from review_gate.config.schema import Config
from review_gate.config.yaml_tree import UnreadableError
from review_gate.errors import ConfigError, MisuseError, ReviewGateError
from review_gate.plans.marker import Wanted
from review_gate.plans.panel import NO_EXPERT, Panel, PanelError, Persona, known_personas, panel_of, with_claude
from review_gate.plans.schema import PlanState
from review_gate.plans.target import target_of
from review_gate.shell.plan_folder import PlanFolder, digest_of, folder_of, state_from, yaml_in
from review_gate.workflows.checks import load_plan_here, project_root_of, settings_here
from review_gate.workflows.plan_experts import PlanExperts
from review_gate.workflows.plan_search import is_empty

MINIMAL = b"# Who reviews, and for which project: reviewer_persona, reviewer_personas, project_root, checks.\n{}\n"
AGAIN = "review-gate expert-review PATH"
FIELDS = ("reviewer_persona", "reviewer_personas", "project_root", "checks")
UNREAD_REVIEWERS = "{}: {}; nobody in it can be chosen"
CHOSEN = "the panel was chosen by a model and written to {}: {}"
NOT_CHOSEN = "context.yaml names no reviewer and no panel was chosen by a model ({}), so the usual panel reviews"
NO_REVIEWERS = "nobody is named in {} to choose from"


class PlanSetup(NamedTuple):
    """Everything a review of a plan begins with."""

    folder: PlanFolder
    plan: bytes
    context: bytes
    panel: Panel
    known: tuple[Persona, ...]
    rules: tuple[Rule, ...]
    state: PlanState
    warnings: tuple[str, ...]
    config: Config
    # Whose settings these are: the repository around, or the current folder.
    top: str


def named(text: str, environ: Mapping[str, str]) -> PlanFolder:
    """The plan that a text names."""
    return folder_of(target_of(text), environ)


def set_up(folder: PlanFolder, *, is_to_begin: bool = True) -> PlanSetup:
    """What is in a folder, read and checked; what is missing or malformed is an error that says so.

    Nothing is written for who only asks how a plan stands.
    """
    if folder.plan == folder.context:
        raise _refused(f"{folder.plan} is no plan", "a review writes that file itself")
    plan = folder.read_plan()
    if plan is None:
        raise _refused(f"plan.md not found at {folder.plan}", "there is nothing to review")
    if is_empty(plan):
        raise _refused("empty plan", f"{folder.plan} says nothing")
    known, odd_reviewers = _known_reviewers(folder)
    context, fields = _context(folder, is_to_begin=is_to_begin)
    panel = _panel(folder, fields, known)
    top, config = settings_here()
    loaded = load_plan_here(folder.path, settings=config.checks)
    state, odd = state_from(folder.read(folder.state), folder.state)
    warnings = (
        *odd_reviewers,
        *_unknown_fields(folder, fields),
        *panel.warnings,
        *loaded.warnings,
        *([odd] if odd else []),
    )
    return PlanSetup(folder, plan, context, panel, known, loaded.rules, state, warnings, config, top)


def with_chosen_panel(setup: PlanSetup, experts: PlanExperts, environ: Mapping[str, str]) -> PlanSetup:
    """The setup with a panel that a model chose, where nobody else did; it is written into the context."""
    if setup.panel.is_chosen:
        return setup
    project = project_root_of(setup.folder.path, environ)
    if not setup.known:
        return _told(setup, NOT_CHOSEN.format(NO_REVIEWERS.format(setup.folder.reviewers)))
    choice = experts.choice(setup.known, project, setup.plan)
    if not choice.personas:
        return _told(setup, NOT_CHOSEN.format(choice.reason))
    panel = with_claude(choice.personas, ())
    _, said = _context(setup.folder, is_to_begin=False)
    context = with_panel(setup.context, said, panel.personas)
    setup.folder.change(setup.folder.context, setup.context, context)
    # Read as any other: what cannot be understood later is not begun with now.
    read = _panel(setup.folder, _context(setup.folder, is_to_begin=False)[1], setup.known)
    told = _told(setup, CHOSEN.format(setup.folder.context, f"{panel.names} ({choice.reason})"))
    return told._replace(panel=read, context=context)


def with_panel(data: bytes, said: Mapping[str, object], personas: Sequence[Persona]) -> bytes:
    """A context that says this, and names no panel, with one: below all else, or, in braces, written anew."""
    panel = {"reviewer_personas": [one.model_dump(exclude_defaults=True, mode="json") for one in personas]}
    if not said:
        comments = "".join(f"{line}\n" for line in (data or MINIMAL).decode().splitlines() if line.startswith("#"))
        return f"{comments}{_dumped(panel)}".encode()
    added = data.rstrip(b"\n") + b"\n" + _dumped(panel).encode()
    try:
        is_same = yaml_in(added, "") == {**said, **panel}
    except UnreadableError:
        is_same = False
    return added if is_same else _dumped({**said, **panel}).encode()


def _dumped(document: Mapping[str, object]) -> str:
    from ruamel.yaml import YAML

    yaml, out = YAML(), io.StringIO()
    yaml.allow_unicode = True
    yaml.width = 4_096
    yaml.dump(document, out)
    return out.getvalue()


def wanted_of(setup: PlanSetup) -> Wanted:
    """What an approval of the plan has to be of."""
    experts = tuple(persona.name for persona in setup.panel.experts) or (NO_EXPERT,)
    return Wanted(
        plan=digest_of(setup.plan),
        checks=checks_strictness(setup.rules, None),
        panel=tuple(persona.name for persona in setup.panel.personas),
        required=experts if setup.config.models.use == "required" else (),
    )


def _told(setup: PlanSetup, note: str) -> PlanSetup:
    """The setup with a note on its panel in the place of what was odd about that before."""
    warnings = [warning for warning in setup.warnings if warning not in setup.panel.warnings]
    return setup._replace(warnings=(*warnings, note))


def _context(folder: PlanFolder, *, is_to_begin: bool) -> tuple[bytes, Mapping[str, object]]:
    """The text of context.yaml and its fields."""
    data = folder.read(folder.context)
    if data is None:
        if is_to_begin:
            folder.write(folder.context, MINIMAL)
        return MINIMAL, {}
    try:
        context = yaml_in(data, folder.context)
    except UnreadableError as error:
        raise _malformed(error.origin, error.text) from None
    if context is not None and not isinstance(context, dict):
        raise _malformed(folder.context, "it must be a mapping")
    return data, context or {}


def _panel(folder: PlanFolder, context: Mapping[str, object], known: tuple[Persona, ...]) -> Panel:
    try:
        return panel_of(context, known)
    except PanelError as error:
        raise _malformed(folder.context, str(error)) from None


def _unknown_fields(folder: PlanFolder, context: Mapping[str, object]) -> list[str]:
    """A note for each field that is not read: it was meant to be one of those that are."""
    odd = {field: nearest(field, FIELDS) or f"one of {', '.join(FIELDS)}" for field in context if field not in FIELDS}
    return [f"{folder.context}: {quoted(field)} is not read; did you mean {near}?" for field, near in odd.items()]


def _known_reviewers(folder: PlanFolder) -> tuple[tuple[Persona, ...], list[str]]:
    """The reviewers in reviewers.yaml; a file that cannot be read names none, which is a warning."""
    label = os.path.basename(folder.reviewers)
    try:
        return known_personas(yaml_in(folder.read(folder.reviewers) or b"", label)), []
    except UnreadableError as error:
        return (), [UNREAD_REVIEWERS.format(error.origin, error.text)]
    except ReviewGateError as error:
        return (), [f"{error.what}; nobody in it can be chosen"]


def _malformed(where: str, what: str) -> ConfigError:
    return ConfigError(
        f"{where}: {what}",
        why="who reviews a plan, and for which project, is decided by this file",
        next_step=f"correct it, then: {AGAIN}",
    )


def _refused(what: str, why: str) -> MisuseError:
    return MisuseError(what, why=why, next_step=AGAIN)
