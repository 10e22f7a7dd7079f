"""Names that stand for two things, and prompts that are missing, are told before anything runs."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from conftest import Repo

AGENT = {"name": "n", "description": "d", "loop": 2, "prompt": "own.md", "capabilities": ["c"]}
RULE = {
    "id": "python-eval",
    "name": "n",
    "severity": "info",
    "agent": "finance-sme",
    "category": "c",
    "description": "d",
    "detection": "d",
    "recommendation": "r",
    "check": {"pattern": "qqq", "examples": {"bad": ["qqq"], "good": ["x"]}},
}
KNOWN = "rules, agents, composition, domains, prices"
FAILING = 'commands: [{name: own-reviewer, loop: 2, run: ["false"]}]\n'


def policies(agent: str) -> list[dict[str, Any]]:
    trigger, dispatch = {"type": "always"}, {"agent": agent}
    return [{"id": "own", "description": "d", "priority": 50, "trigger": trigger, "dispatch": dispatch}]


def refusal(repo: Repo, files: dict[str, Any], *options: str) -> str:
    written = {name: text if isinstance(text, str) else json.dumps(text) for name, text in files.items()}
    repo.commit("Change who looks", {**written, "src/a.py": "print(eval(input()))\n"})
    told = repo.gate("run", "--base", "HEAD~1", *options)
    assert (told.returncode, told.stdout) == (2, "")
    return told.stderr


@pytest.mark.parametrize("options", [("--yes",), ("--plan-only",)])
def test_a_command_is_not_called_like_a_reviewer(gated: Repo, options: tuple[str]) -> None:
    files = {
        ".review-gate.yaml": FAILING,
        ".review-gate/agents.json": [{**AGENT, "id": "own-reviewer"}],
        ".review-gate/composition.json": policies("own-reviewer"),
        ".review-gate/prompts/own.md": "# Own\n",
    }
    assert refusal(gated, files, *options) == (
        'error: .review-gate.yaml: commands[0].name is "own-reviewer", which is a reviewer of agents.json\n'
        "  why:   of two reviewers with one name, the word of only one would count\n"
        "  next:  give the command another name, then the same command again\n"
    )


def test_a_rule_does_not_take_the_place_of_a_check(gated: Repo) -> None:
    told = refusal(gated, {".review-gate/rules.json": [RULE]}, "--yes")
    assert re.sub(r":[0-9]+\)", ":N)", told) == (
        "error: .review-gate/rules.json: a rule and a check (pack:dangerous-python:N) have the id python-eval\n"
        "  why:   what one of the two finds would be told as found by the other, or not at all\n"
        "  next:  give one of them another id, then the same command again\n"
    )


def test_a_rule_may_have_the_id_of_a_check_that_is_switched_off(gated: Repo) -> None:
    off = "checks: {disable: [python-eval]}\n"
    gated.commit("Change who looks", {".review-gate.yaml": off, ".review-gate/rules.json": json.dumps([RULE])})
    told = gated.gate("run", "--base", "HEAD~1", "--plan-only")
    assert told.returncode == 0, told.stderr


@pytest.mark.parametrize(
    ("prompt", "what"), [(None, "it does not exist, and agents.json names it"), (" \n", "it says nothing")]
)
def test_a_prompt_is_looked_at_where_no_model_is_asked_too(gated: Repo, prompt: str | None, what: str) -> None:
    files: dict[str, Any] = {
        ".review-gate/agents.json": [{**AGENT, "id": "own-reviewer"}],
        ".review-gate/composition.json": policies("own-reviewer"),
    }
    assert refusal(gated, files | ({".review-gate/prompts/own.md": prompt} if prompt else {}), "--plan-only") == (
        f"error: .review-gate/prompts/own.md: {what}\n"
        "  why:   who reviews what, and how, is decided by this file\n"
        "  next:  mend the file, then the same command again\n"
    )


@pytest.mark.parametrize(
    ("name", "shown", "meant"),
    [
        ("rule.json", "rule.json", "did you mean rules.json?"),
        ("my\x1bs.json", "my\\x1bs.json", f"those that are: {KNOWN}"),
    ],
    ids=["near", "far"],
)
def test_a_file_that_nobody_reads_is_told(gated: Repo, name: str, shown: str, meant: str) -> None:
    assert refusal(gated, {f".review-gate/{name}": [RULE]}, "--plan-only") == (
        f"error: .review-gate/{shown}: a file of that name is not read; {meant}\n"
        "  why:   who reviews what, and how, is decided by this file\n"
        "  next:  mend the file, then the same command again\n"
    )
