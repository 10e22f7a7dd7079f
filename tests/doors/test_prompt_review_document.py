"""docs/prompt-review.md shows what the program prints, with a claude that says what the page has of it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from prompting import ID, Desk, adding, all_of, answer, id_in, replacing

PAGE = (Path(__file__).parents[2] / "docs/prompt-review.md").read_text(encoding="utf-8")
CONSOLES = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
EXAMPLES = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
ONCE = "make the settings page render once per change, not on every key"
PROMPT = "optimize the settings page"
REACT = json.dumps({"name": "shop", "dependencies": {"react": "19"}})


def criterion(value: str, **changes: Any) -> dict[str, Any]:
    """A finding that wants one more thing of the result."""
    finding = adding(value, "AddAcceptanceCriteria", **changes)
    finding["suggested_ops"][0]["target"] = "output"
    return finding


SAYS = {
    "security": answer(
        adding(
            "Never write the value of a key into code, logs or commits.",
            "AddGuardrail",
            issue="The page shows API keys; nothing says that they stay out of the code.",
        )
    ),
    "testing": answer(
        criterion(
            "npx vitest run passes, with a test that counts the renders.", issue="Nothing would show that it broke."
        )
    ),
    "domain_sme": answer(adding("Named exports and pure functions, as in src/.", severity="minor")),
    "frontend_ux": answer(criterion("The field that has the focus keeps it.", severity="minor")),
    "clarity": answer(replacing(PROMPT, ONCE, severity="minor")),
}


@pytest.fixture
def desk(repo: Repo) -> Desk:
    desk = Desk(repo).claude(SAYS)
    desk.repo.write("package.json", REACT)
    return desk


def without_ids(text: str) -> str:
    return ID.sub("prompt-ID", text)


def test_a_review_and_its_decision(desk: Desk) -> None:
    done = desk.review(PROMPT)
    decided = desk.review("decide", id_in(done.stdout), "yes")
    shown = f'$ review-gate prompt-review "{PROMPT}"\n{done.stdout}{done.stderr}'
    shown += f"$ review-gate prompt-review decide {id_in(done.stdout)} yes\n{decided.stdout}"
    assert without_ids(shown).rstrip("\n") == without_ids(CONSOLES[0]).rstrip("\n")


def test_the_same_prompt_comes_from_the_cache(desk: Desk) -> None:
    desk.review(PROMPT)
    done = desk.review(PROMPT)
    shown = f'$ review-gate prompt-review "{PROMPT}"\n{done.stdout}{done.stderr}'
    assert shown.startswith(CONSOLES[1])


def test_broken_settings_are_told_with_their_line(desk: Desk) -> None:
    desk.repo.write(".claude/prompt-review.json", '{"budget": {"timeout": 5000}}')
    done = desk.review("add a field")
    # The prompt goes on as it is, and has no line end.
    assert CONSOLES[2] == f'$ review-gate prompt-review "add a field"\n{done.stderr}{done.stdout}\n'


def test_prompts_in_a_repository(desk: Desk) -> None:
    desk.repo.write("prompts/summary.md", f"{PROMPT}\n")
    desk.repo.write("prompts/weekly.md", f"{PROMPT}, weekly\n")
    code, printed, told = all_of(desk.review("--file", "prompts/summary.md", "prompts/weekly.md", "--fail-on", "major"))
    command, *lines = CONSOLES[3].splitlines()
    assert command == "$ review-gate prompt-review --file prompts/*.md --fail-on major"
    beginning, end = "\n".join(lines).split("\n...\n")
    assert code == 1
    assert f"{printed}{told}".startswith(f"{beginning}\n")
    assert f"{printed}{told}".endswith(f"{end}\n")


def test_the_settings_that_are_shown_are_settings(desk: Desk) -> None:
    hooks, settings = map(json.loads, EXAMPLES)
    desk.repo.write(".claude/prompt-review.json", json.dumps(settings))
    done = desk.review("--settings")
    assert (done.returncode, done.stderr) == (0, "")
    assert '"timeout_ms": 5000' in done.stdout
    commands = [hooks["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"], hooks["statusLine"]["command"]]
    for command in commands:
        told = json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": "do it", "cwd": str(desk.repo.path)})
        assert desk.run(*command.split()[1:], stdin=told).returncode == 0
        assert f"`{command}" in PAGE
