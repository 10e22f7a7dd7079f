"""The commands, skills and subagents: all are there, and each says what it is for."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from review_gate.shell.plugin_files import plugin_folder, plugin_texts

TEXTS = plugin_texts()
COMMANDS = (
    "code-review",
    "expert-review",
    "healthcheck",
    "plan-review",
    "prompt-review",
    "review",
    "review-stats",
    "ship",
)
EVERY_TEXT = pytest.mark.parametrize("name", TEXTS)


def front_matter(text: str) -> dict[str, str]:
    """The keys above a text."""
    lines = text.split("\n")
    assert lines[0] == "---"
    pairs = (line.partition(": ") for line in lines[1 : lines.index("---", 1)])
    return {key: value.strip('"') for key, _, value in pairs}


def test_the_plugin_lies_beside_the_package() -> None:
    assert plugin_folder() == str(Path(__file__).resolve().parents[2] / "plugin")


def test_everything_that_was_promised_is_there() -> None:
    assert set(TEXTS) == {
        *(f"commands/{name}.md" for name in COMMANDS),
        *(f"agents/{name}.md" for name in ("expert-review", "git-agent", "quality-checker")),
        "skills/review-orchestration/SKILL.md",
    }


@EVERY_TEXT
def test_a_text_says_what_it_is_for(name: str) -> None:
    keys = front_matter(TEXTS[name].decode())
    assert keys["description"]
    if not name.startswith("commands/"):
        assert keys["name"] == name.removesuffix("/SKILL.md").removesuffix(".md").rpartition("/")[2]


def test_the_model_cannot_ship_by_itself() -> None:
    forbidden = {
        name for name, text in TEXTS.items() if front_matter(text.decode()).get("disable-model-invocation") == "true"
    }
    assert forbidden == {"commands/ship.md"}


def test_a_text_that_starts_a_subagent_names_one_that_is_there() -> None:
    texts = " ".join(text.decode() for text in TEXTS.values())
    assert set(re.findall(r"([a-z]+-[a-z-]+)\s+subagent\b", texts)) == {"expert-review", "git-agent", "quality-checker"}


def test_the_subagent_that_answers_questions_can_change_nothing_by_itself() -> None:
    assert front_matter(TEXTS["agents/quality-checker.md"].decode())["tools"] == "Bash, Read"


def test_the_page_about_a_session_names_every_command_and_every_hook() -> None:
    project = Path(__file__).resolve().parents[2]
    page = (project / "docs/claude-code.md").read_text(encoding="utf-8")
    hooks = json.loads((project / "plugin/hooks/hooks.json").read_bytes())["hooks"]
    for name in (*(f"`/{command}" for command in COMMANDS), *(f"| `{event}` " for event in hooks)):
        assert name in page
