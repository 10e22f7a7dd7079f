"""The commands, skills and subagents: every command line in them is real, and nobody is told to go round the gate."""

from __future__ import annotations

import argparse
import re
from importlib import import_module
from pathlib import Path

import pytest

from review_gate.cli.main import VERBS
from review_gate.shell.plugin_files import plugin_folder, plugin_texts
from review_gate.workflows.agents_md import agents_block

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
CALLED = re.compile(r"`(review-gate [^`]+)`")


def front_matter(text: str) -> dict[str, str]:
    """The keys above a text."""
    lines = text.split("\n")
    assert lines[0] == "---"
    pairs = (line.partition(": ") for line in lines[1 : lines.index("---", 1)])
    return {key: value.strip('"') for key, _, value in pairs}


def options_of(verb: str) -> set[str]:
    """What a verb can be told."""
    parser = argparse.ArgumentParser()
    import_module(f"review_gate.cli.{verb.replace('-', '_')}").add_arguments(parser)
    return set(re.findall(r"--[a-z][a-z-]*", parser.format_help()))


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


@pytest.mark.parametrize("name", [*TEXTS, "AGENTS.md"])
def test_every_command_line_is_real(name: str) -> None:
    text = agents_block() if name == "AGENTS.md" else TEXTS[name].decode()
    for line in CALLED.findall(text):
        verb, *words = line.split()[1:]
        assert verb in VERBS, line
        assert {word for word in words if word.startswith("--")} <= options_of(verb), line


def test_the_texts_name_command_lines_at_all() -> None:
    assert sum(len(CALLED.findall(text.decode())) for text in TEXTS.values()) > 10


def test_an_option_that_a_verb_does_not_have_would_be_seen() -> None:
    assert "--plan-only" in options_of("run")
    assert "--no-verify" not in options_of("run")
