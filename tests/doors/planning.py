"""A folder with a plan and its panel, reviewed with a model on loopback."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from modelling import Asked, Model
from plan_models import approves, expert_of, objects

from review_gate.plans.marker import standing_of
from review_gate.plans.outcome import PlanOutcome
from review_gate.plans.schema import Answer
from review_gate.workflows.plan_run import AskPerson, review_plan
from review_gate.workflows.plan_setup import named, set_up, wanted_of

PLAN = "# Move\n\n1. Drop the old table.\n2. Copy the rows.\n"
PANEL = """\
reviewer_personas:
  - {name: Jim Gray, domain: databases, focus: [transactions, recovery]}
  - {name: Barbara Liskov, domain: types, focus: [substitution]}
"""
REVIEWERS = """\
code_technical:
  - {name: Jim Gray, domain: databases, focus: [transactions]}
  - {name: Barbara Liskov, domain: types}
technical_domains: [Emmy Noether]
"""
SECRET = "AKIAIOSFODNN7EXAMPL7"
EVAL = "checks: [{id: no_eval, pattern: eval(, reason: it runs whatever it is given}]\n"


class Plan:
    """A folder with a plan, and whoever is asked about it."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = path
        self.home = path / "home"
        (self.home / ".claude").mkdir(parents=True)
        self.environ = {"HOME": str(self.home), "PATH": ""}
        self.write("plan.md", PLAN)
        self.write("checks.yaml", EVAL)
        self.write("context.yaml", PANEL)
        self.write(".review-gate.yaml", "checks: {packs: []}\n")
        # The configuration of whoever runs the tests says nothing here.
        monkeypatch.setenv("HOME", str(self.home))
        monkeypatch.setenv("XDG_CONFIG_HOME", str(self.home / "config"))
        monkeypatch.chdir(path)

    def write(self, name: str, text: str) -> None:
        """Write a file of the folder."""
        (self.path / name).write_text(text)

    def read(self, name: str) -> str:
        """The text of a file of the folder."""
        return (self.path / name).read_text()

    def settings(self, text: str) -> None:
        """Configure what holds in the folder."""
        self.write(".review-gate.yaml", f"checks: {{packs: []}}\n{text}")

    def review(self, server: Model | None = None, ask: AskPerson = lambda _: None, /, **environ: str) -> PlanOutcome:
        """Review the plan, with a model and somebody who answers."""
        asked = self.environ | (dict(server.environ) if server else {}) | environ
        return review_plan(named(str(self.path), asked), ask, asked)

    def status(self) -> str:
        """How the plan stands, and why."""
        setup = set_up(named(str(self.path), self.environ), is_to_begin=False)
        return "{}: {}".format(*standing_of(setup.folder.read(setup.folder.marker), wanted_of(setup)))


def answers(*said: Answer) -> AskPerson:
    """Somebody who answers so, one question after the other."""
    left = list(said)
    return lambda _: left.pop(0) if left else None


def one_objects(asked: Asked) -> Any:
    """Jim Gray objects, and nobody else."""
    return objects(asked) if expert_of(asked) == "Jim Gray" else approves(asked)
