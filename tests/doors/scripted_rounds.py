"""Reviews in rounds within the test's own process: scripted models, and no process in the background."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from voting import NAMES, PASS

from review_gate.config.schema import Config
from review_gate.consensus.schema import ReviewState
from review_gate.consensus.scope import Scope
from review_gate.pipeline.answers import Unusable, read_answer
from review_gate.ports import Family, NoReply, Question, Reply, Usage
from review_gate.render.rounds_text import Shown, check_text, outcome_of
from review_gate.shell.repository import open_repository
from review_gate.shell.rounds_store import ReviewFolder
from review_gate.workflows import pool, round_ask, round_begin, round_check
from review_gate.workflows.round_ask import ask_round
from review_gate.workflows.round_begin import Spawned, spawn
from review_gate.workflows.round_check import Look, look
from review_gate.workflows.round_place import Place, store_of

FAMILIES: dict[str, Family] = {"codex": "openai", "gemini": "google", "claude": "anthropic", "anthropic": "anthropic"}
TOKENS = re.compile(r"^=== file (.*) \| [a-z ]+ \| token ([0-9a-f]{8})$", re.MULTILINE)
SILENT = NoReply(kind="timeout", why="no answer came", next_step="ask again")


class Model:
    """A model that says one thing after the other; the last one stays. `$FILES` are the files that it was shown."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.family = FAMILIES[name]
        self.model = f"{name}-test"
        self.said: list[str | NoReply] = [PASS]
        self.prompts: list[str] = []
        self.problem = NoReply(kind="no_key", why="it has no key", next_step="-") if name == "anthropic" else None

    def unusable(self) -> NoReply | None:
        return self.problem

    def ask(self, question: Question) -> Reply | NoReply:
        said = self.said[min(len(self.prompts), len(self.said) - 1)]
        self.prompts.append(question.shared + question.task)
        if isinstance(said, NoReply):
            return said
        files = [{"path": path, "token": token} for path, token in TOKENS.findall(question.shared)]
        raw = said.replace('"$FILES"', json.dumps(files))
        read = read_answer(raw, question.answer)
        if isinstance(read, Unusable):
            return NoReply(kind="malformed", why=read.why, next_step="-", raw=raw)
        return Reply(data=read, raw=raw, model=self.model, usage=Usage(), attempts=1)


class ScriptedRounds:
    """A repository, the models that vote on what is in it, and its reviews."""

    def __init__(self, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
        self.repo = repo
        self.models = {name: Model(name) for name in FAMILIES}
        self.settings: dict[str, Any] = {}
        # Whether the process that would ask ends at once.
        self.is_asker_killed = False
        self._to_ask: list[tuple[ReviewFolder, int]] = []
        for module in (pool, round_ask):
            monkeypatch.setattr(module, "all_providers", lambda *_: list(self.models.values()))
        for starter in (round_begin, round_check):
            monkeypatch.setattr(starter, "start_asking", self._start)

    def _start(self, folder: ReviewFolder, number: int, place: Place) -> None:
        """Called with the lock held that the asking threads need; they are started once it is free."""
        if not self.is_asker_killed:
            self._to_ask.append((folder, number))

    def _ask(self) -> None:
        """What the process in the background does."""
        for folder, number in self._to_ask:
            ask_round(ReviewFolder(folder.path), number, self.place.config, self.place.top, self.repo.environ)
        self._to_ask.clear()

    @property
    def place(self) -> Place:
        repository = open_repository(str(self.repo.path))
        config = Config.model_validate({"checks": {"enabled": False}, "rounds": self.settings})
        return Place(store_of(repository, self.repo.environ), config, repository, repository.top, self.repo.environ)

    def says(self, name: str, *said: str | NoReply) -> None:
        """What a model says the first time it is asked from now on, the second, and so on."""
        self.models[name].said = list(said)
        self.models[name].prompts.clear()

    def prompts(self, name: str) -> list[str]:
        return self.models[name].prompts

    def begun(self, scope: Scope | None = None, prompt: str = "") -> Spawned:
        found = spawn(self.place, scope or Scope(kind="uncommitted"), prompt)
        self._ask()
        return found

    def spawn(self, scope: Scope | None = None, prompt: str = "") -> ReviewFolder:
        return self.begun(scope, prompt).folder

    def check(self, folder: ReviewFolder) -> Look:
        """How a review stands once no reviewer is waited for any more."""
        found = look(ReviewFolder(folder.path), self.place)
        while self._to_ask:
            self._ask()
            found = look(ReviewFolder(folder.path), self.place)
        return found

    def outcome(self, folder: ReviewFolder) -> str:
        return outcome_of(self.check(folder).step)

    def told(self, folder: ReviewFolder) -> str:
        """What `check` prints."""
        found = self.check(folder)
        return check_text(Shown(found.state, found.decision, found.step, "feedback.md", found.request))

    def change(self, folder: ReviewFolder, name: str, change: Callable[[dict[str, Any]], object]) -> None:
        """Change a record behind its back."""
        path = Path(folder.path, name)
        record = json.loads(path.read_text())
        change(record)
        path.write_text(json.dumps(record))

    def votes(self, folder: ReviewFolder) -> dict[str, str]:
        return {name: str(one.vote) for name, one in self.state(folder).reviewers.items()}

    def state(self, folder: ReviewFolder) -> ReviewState:
        return ReviewFolder(folder.path).state()


def scripted_rounds(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> ScriptedRounds:
    """A repository whose app.py has changed since its last commit; every model passes whatever it is."""
    repo.commit("first", {".review-gate.yaml": "checks: {packs: []}\n", "app.py": "x = 1\n"})
    repo.write("app.py", "x = 2\n")
    assert set(NAMES) < FAMILIES.keys()
    return ScriptedRounds(repo, monkeypatch)
