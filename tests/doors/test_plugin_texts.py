"""No text that an agent works by names a command that is not there: each goes through the parser of its verb."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from review_gate.agents import door, evaluate, on_prompt, on_shell
from review_gate.cli import main

PROJECT = Path(__file__).resolve().parents[2]
PLUGIN = PROJECT / "plugin"
TEXTS = sorted([*PLUGIN.rglob("*.md"), PROJECT / "review_gate/registration/agents-block.md"])
COMMANDS = (
    *("code-review", "expert-review", "healthcheck", "plan-review", "prompt-review", "review", "review-stats", "ship"),
)
AGENTS = ("expert-review", "git-agent", "quality-checker")
# A command stands in code: between backticks, which may go over the end of a line, or in a block.
INLINE = re.compile(r"(?<!`)`(review-gate [^`]+)`(?!`)")
BLOCK = re.compile(r"^ *```\w*\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
# What the reader puts in; OPTIONS and $ARGUMENTS may stand for nothing at all.
LEFT_OUT = re.compile(r"\$ARGUMENTS\b|\bOPTIONS\b|<<.*|\|.*|>.*")
BY_HAND = {"git", *door.AGENTS}


def commands_in(text: str) -> Iterator[str]:
    """The command lines of ours in a text."""
    for block in BLOCK.findall(text):
        yield from (line.strip() for line in block.splitlines() if line.strip().startswith("review-gate "))
    yield from (" ".join(command.split()) for command in INLINE.findall(BLOCK.sub("", text)))


def named() -> Iterator[tuple[str, str]]:
    """Every command line, with the text that has it."""
    for path in TEXTS:
        for command in commands_in(path.read_text()):
            yield f"{path.relative_to(PROJECT)}: {command}", command
    # What the hooks tell an agent.
    for words in (on_prompt.REVIEW_PROMPT, on_prompt.TYPED):
        for command in commands_in(words):
            yield f"hook: {command}", command
    for step in (evaluate.NO_PLAN[2].partition(", then ")[2], *(never[2] for never in on_shell.NEVER.values())):
        if step.startswith("review-gate "):
            yield f"next step: {step}", step


NAMED = dict(named())


def refusal_of(command: str) -> int | None:
    """The exit code with which the program's own parser turns a command line down, None where it takes it."""
    verb, *arguments = shlex.split(LEFT_OUT.sub("", command))[1:]
    if verb == "hook":
        return None if arguments[0] in BY_HAND else 2
    if verb not in main.VERBS:
        return 2
    module = __import__("review_gate.cli", fromlist=(verb.replace("-", "_"),))
    parser = main._parser(verb, getattr(module, verb.replace("-", "_")))
    arguments = [re.sub(r"^[A-Z]+$", "1", argument) for argument in arguments]
    try:
        parser.parse_args(arguments)
    except SystemExit as end:
        return int(end.code or 0)
    return None


@pytest.mark.parametrize("command", NAMED.values(), ids=NAMED)
def test_every_command_that_a_text_names_is_one(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert refusal_of(command) is None, capsys.readouterr().err


MISTAKES = (
    "review-gate reviews",
    "review-gate run --loop 1",
    "review-gate run --findings",
    "review-gate expert-review",
    "review-gate rounds refute ID FINDING --because TEXT",
    "review-gate report --format yaml",
    "review-gate hook claud",
)


@pytest.mark.parametrize("command", MISTAKES)
def test_a_command_that_is_none_would_be_seen(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert refusal_of(command) == 2


def test_the_commands_are_found_in_every_way_that_they_are_written() -> None:
    block = "```sh\nreview-gate scan - <<'X'\nreview-gate\n```\n   ```\n   review-gate stats\n   ```\n"
    text = f"`review-gate run\n--yes` and\n\n{block}"
    assert list(commands_in(text)) == ["review-gate scan - <<'X'", "review-gate stats", "review-gate run --yes"]
    assert len(NAMED) > 50


def front_matter(path: Path) -> dict[str, object]:
    """What a text says of itself."""
    head = path.read_text().split("---\n")
    assert head[0] == ""
    read = YAML(typ="safe").load(head[1])
    assert isinstance(read, dict)
    return read


def test_every_command_agent_and_skill_says_what_it_is() -> None:
    assert sorted(path.stem for path in PLUGIN.glob("commands/*")) == sorted(COMMANDS)
    assert sorted(path.stem for path in PLUGIN.glob("agents/*")) == sorted(AGENTS)
    for path in PLUGIN.glob("commands/*.md"):
        assert front_matter(path)["description"], path
        assert f"\n# /{path.stem}\n" in path.read_text()
    for path in PLUGIN.glob("agents/*.md"):
        assert front_matter(path)["name"] == path.stem
    assert front_matter(PLUGIN / "skills/review-orchestration/SKILL.md")["name"] == "review-orchestration"


def test_only_the_user_ships() -> None:
    named = {path.stem for path in PLUGIN.glob("commands/*.md") if "disable-model-invocation" in front_matter(path)}
    assert named == {"ship"}
    assert front_matter(PLUGIN / "commands/ship.md")["disable-model-invocation"] is True


def test_a_text_that_starts_a_subagent_names_one_that_is_there() -> None:
    texts = " ".join(path.read_text() for path in PLUGIN.rglob("*.md"))
    assert set(re.findall(r"([a-z]+-[a-z-]+)\s+subagent\b", texts)) == set(AGENTS)


def test_the_subagent_that_answers_questions_can_change_nothing_by_itself() -> None:
    assert front_matter(PLUGIN / "agents/quality-checker.md")["tools"] == "Bash"
