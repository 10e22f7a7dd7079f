"""SETUP of a plan review: the plan, who reviews it, the checks that hold for it, and what is remembered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from review_gate.checks.rule import Rule
from review_gate.config.yaml_reader import read_yaml
from review_gate.config.yaml_tree import UnreadableError, plain_data
from review_gate.errors import ConfigError, MisuseError
from review_gate.plans.panel import Panel, PanelError, panel_of
from review_gate.plans.schema import PlanState
from review_gate.plans.target import target_of
from review_gate.shell.plan_folder import PlanFolder, folder_of
from review_gate.shell.plan_state import state_from
from review_gate.workflows.checks import load_plan_here

MINIMAL = b"# Who reviews, and for which project: reviewer_persona, reviewer_personas, project_root, checks.\n{}\n"
AGAIN = "review-gate expert-review PATH"


class PlanSetup(NamedTuple):
    """Everything a review of a plan begins with."""

    folder: PlanFolder
    plan: bytes
    panel: Panel
    rules: tuple[Rule, ...]
    state: PlanState
    warnings: tuple[str, ...]


def named(text: str, environ: Mapping[str, str]) -> PlanFolder:
    """The plan that a text names."""
    return folder_of(target_of(text), environ)


def set_up(folder: PlanFolder, *, is_to_begin: bool = True) -> PlanSetup:
    """What is in a folder, read and checked; what is missing or malformed is an error that says so.

    Nothing is written for who only asks how a plan stands.
    """
    plan = folder.read_plan()
    if plan is None:
        raise _refused(f"plan.md not found at {folder.plan}", "there is nothing to review")
    if not plan.strip():
        raise _refused("empty plan", f"{folder.plan} says nothing")
    panel = _panel(folder, is_to_begin=is_to_begin)
    loaded = load_plan_here(folder.path)
    state, odd = state_from(folder.read(folder.state), folder.state)
    warnings = (*panel.warnings, *loaded.warnings, *([odd] if odd else []))
    return PlanSetup(folder, plan, panel, loaded.rules, state, warnings)


def _panel(folder: PlanFolder, *, is_to_begin: bool) -> Panel:
    data = folder.read(folder.context)
    if data is None:
        if is_to_begin:
            folder.write(folder.context, MINIMAL)
        return panel_of({})
    try:
        document = read_yaml(data.decode("utf-8"), lambda line: f"{folder.context}:{line}")
        context = {} if document is None else plain_data(document)
    except UnreadableError as error:
        raise _malformed(error.origin, error.text) from None
    except UnicodeDecodeError as error:
        raise _malformed(folder.context, f"not UTF-8 at byte {error.start}") from None
    if not isinstance(context, dict):
        raise _malformed(folder.context, "it must be a mapping")
    try:
        return panel_of(context)
    except PanelError as error:
        raise _malformed(folder.context, str(error)) from None


def _malformed(where: str, what: str) -> ConfigError:
    return ConfigError(
        f"{where}: {what}",
        why="who reviews a plan, and for which project, is decided by this file",
        next_step=f"correct it, then: {AGAIN}",
    )


def _refused(what: str, why: str) -> MisuseError:
    return MisuseError(what, why=why, next_step=AGAIN)
