"""review-gate providers: who could be asked from here, without asking anybody."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from conftest import Repo
from fakes import ScriptedProvider

from review_gate.config.schema import Models
from review_gate.render.providers_text import providers_text
from review_gate.workflows.models import AUTO, USUAL_MODELS
from review_gate.workflows.providers import look_at

NOTE = "note: nobody was asked; whether a login or a key is accepted shows at the first question"
KEY = "sk-ant-not-a-real-key-0123456789"


@pytest.fixture
def bare(repo: Repo, tmp_path: Path) -> dict[str, str]:
    """Settings in which there is nobody to ask, and on PATH nothing but review-gate and git."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "git").symlink_to(shutil.which("git") or "")
    path = f"{folder}{os.pathsep}{Path(sys.executable).parent}"
    return {"PATH": path, "ANTHROPIC_API_KEY": "", "ANTHROPIC_AUTH_TOKEN": ""}


def put(tmp_path: Path, name: str) -> Path:
    """A program that leaves a mark when it is started."""
    program = tmp_path / "bin" / name
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    program.chmod(0o755)
    return tmp_path / "started"


def shown(repo: Repo, environ: dict[str, str], *options: str) -> str:
    done = repo.gate("providers", *options, **environ)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_first_usable_one_would_be_chosen_and_none_is_started(
    repo: Repo, bare: dict[str, str], tmp_path: Path
) -> None:
    mark = put(tmp_path, "codex")
    put(tmp_path, "gemini")
    lines = shown(repo, bare).splitlines()
    assert "codex      usable (its own choice of model)" in lines
    assert "auto: anthropic, claude, codex, gemini; codex would be asked" in lines
    found = json.loads(shown(repo, bare, "--format", "json"))
    assert (found["order"], found["is_auto"], found["models_off"]) == (list(AUTO), True, False)
    assert found["chosen"] == "codex"
    states = {state.pop("name"): state for state in found["providers"]}
    nothing = {"problem": None, "why": None, "next_step": None}
    assert states["codex"] == {"family": "openai", "model": None, "usable": True, **nothing}
    assert (states["claude"]["usable"], states["claude"]["problem"]) == (False, "not_installed")
    assert not mark.exists()


def test_a_key_is_used_and_never_shown(repo: Repo, bare: dict[str, str]) -> None:
    text = shown(repo, bare | {"ANTHROPIC_API_KEY": KEY})
    assert text.startswith(f"anthropic  usable ({USUAL_MODELS['anthropic']})\n")
    assert "anthropic would be asked" in text
    assert KEY not in text + shown(repo, bare | {"ANTHROPIC_API_KEY": f"{KEY} "}, "--format", "json")


def test_inside_a_reviewer_no_one_is_usable(repo: Repo, bare: dict[str, str], tmp_path: Path) -> None:
    put(tmp_path, "claude")
    found = json.loads(shown(repo, bare | {"REVIEW_GATE_REVIEWING": "1"}, "--format", "json"))
    assert (found["chosen"], {state["problem"] for state in found["providers"]}) == (None, {"refused"})


def test_the_settings_of_the_repository_decide(repo: Repo, bare: dict[str, str], tmp_path: Path) -> None:
    for name in ("claude", "gemini"):
        put(tmp_path, name)
    repo.write(".review-gate.yaml", "models: {providers: [gemini, claude], names: {gemini: gemini-test-1}}\n")
    lines = shown(repo, bare).splitlines()
    assert "gemini     usable (gemini-test-1)" in lines
    assert "models.providers: gemini, claude; gemini would be asked" in lines
    repo.write(".review-gate.yaml", "models: {use: off}\n")
    off = "models.use is off in the configuration, so no model would be asked"
    assert f"auto: anthropic, claude, codex, gemini; {off}" in shown(repo, bare).splitlines()
    found = json.loads(shown(repo, bare, "--format", "json"))
    assert (found["models_off"], found["chosen"]) == (True, None)


def test_the_order_decides_and_not_the_list() -> None:
    fakes = [ScriptedProvider([], name="claude", model="one\x1b"), ScriptedProvider([], name="codex", model="two")]
    found = look_at(fakes, Models(providers=("gemini", "codex", "claude")))
    assert providers_text(found) == (
        "claude  usable (one\\x1b)\ncodex   usable (two)\n"
        f"models.providers: gemini, codex, claude; codex would be asked\n{NOTE}\n"
    )
