"""Stories of coding agents: registered, asked about each of their events in their own words, and taken out again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import Result
from journey import Journey
from registering import OWN, SETTINGS, files_in
from speaking import NOTHING, Speaker
from test_rounds_stories import CHECK, SPAWN, Table
from voting import finding, says

PAYLOADS = Path(__file__).parents[1] / "payloads"


@pytest.fixture(autouse=True)
def _own_cache(journey: Journey) -> None:
    journey.use_own_cache()


class Door(Speaker):
    """A session of one agent, which calls the commands of its settings file."""

    def __init__(self, agent: str, story: Journey) -> None:
        super().__init__(agent, story.repo)
        self.session = "session-1"
        self.story = story
        self.commands = commands(json.loads((story.repo.path / SETTINGS[agent]).read_text()))

    def send(self, text: str, name: str = "", environ: Mapping[str, str] = NOTHING) -> Result:
        """Send an event to the registered command; what that does where the program is gone is another story."""
        self.story.note(f"{name}: {about(text)}")
        done = self.story.pipe(text, self.commands[name].partition(" ||")[0])
        said = json.loads(done.stdout) if done.stdout else {}
        context = said.get("hookSpecificOutput", said).get("additionalContext", "")
        if "\n{" in context:
            self.story.fact("context", json.loads(context[context.index("\n{") :]))
        return done


def about(text: str) -> str:
    """What an event is about, in a line; an event that cannot be read, as it is."""
    try:
        event = json.loads(text)
    except ValueError:
        return text
    given = event.get("tool_input") or json.loads(event.get("toolArgs", "{}")) or event
    words = [str(given[name]) for name in ("command", "file_path", "path", "prompt") if name in given]
    return " ".join(words).replace("\n", " ")


def commands(settings: Any) -> dict[str, str]:
    """Event -> registered command."""
    found = {}
    for event, entries in settings["hooks"].items():
        inner = [hook for entry in entries for hook in entry.get("hooks", [entry])]
        (found[event],) = {hook.get("command") or hook["bash"] for hook in inner if "review-gate" in json.dumps(hook)}
    return found


def install(story: Journey, agent: str) -> Door:
    """Register the gate with an agent."""
    before = set(files_in(story.repo.path))
    story.type(f"review-gate install --{agent}")
    story.fact("written", sorted(set(files_in(story.repo.path)) - before))
    story.file(SETTINGS[agent])
    door = Door(agent, story)
    story.fact("commands", {event: line.partition(" ||")[0].split() for event, line in door.commands.items()})
    return door


def work(story: Journey, agent: str, *, own: str = "") -> None:
    """A session from its beginning to its end: what the agent may do, and what not."""
    if own:
        story.repo.write(SETTINGS[agent], own)
    before = files_in(story.repo.path)
    door = install(story, agent)
    story.note("A session starts, looks around, and writes a file")
    door.told("start", source="startup")
    door.shell("ls -la")
    door.write("app.py", "x = 1")
    story.note("It may neither go around the gate nor write what the gate decides by")
    door.shell("git push --no-verify")
    door.shell("git -c core.hooksPath=/dev/null push")
    door.write(".git/hooks/pre-push", "exit 0")
    door.write(".review-gate.yaml", "models: off")
    story.note("Without git's own hook only this door asks the gate")
    (story.repo.path / ".git/hooks/pre-push").unlink()
    story.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    door.shell("git push origin main")
    door.prompt("/ship now")
    story.repo.review()
    door.shell("git push origin main")
    door.prompt("/ship now")
    door.prompt("add a test")
    door.stop()
    story.note("The gate is taken out of the settings again")
    story.type(f"review-gate uninstall --{agent}")
    after = files_in(story.repo.path)
    story.fact("changed", sorted(name for name in {*before, *after} if before.get(name) != after.get(name)))


def test_a_session_of_claude_code_meets_the_gate(journey: Journey) -> None:
    work(journey, "claude", own=OWN)


def test_a_session_of_codex_meets_the_gate(journey: Journey) -> None:
    work(journey, "codex")


def test_a_session_of_gemini_cli_meets_the_gate(journey: Journey) -> None:
    work(journey, "gemini", own='{"theme": "Default"}\n')


def test_a_session_of_cursor_meets_the_gate(journey: Journey) -> None:
    work(journey, "cursor")


def test_a_session_of_copilot_cli_meets_the_gate(journey: Journey) -> None:
    work(journey, "copilot")


def test_review_is_given_its_context(journey: Journey) -> None:
    door = install(journey, "claude")
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    door.prompt("/review")
    journey.repo.review()
    door.prompt("/review")


def test_a_plan_is_carried_out_only_when_its_text_was_approved(journey: Journey) -> None:
    door = install(journey, "claude")
    journey.repo.write(".review-gate.yaml", "models: {use: off}\nchecks: {packs: [plan]}\n")
    plan = Path(journey.repo.environ["HOME"]) / ".claude/plans/a-wild-gadget.md"
    plan.parent.mkdir(parents=True)
    text = "# Plan\n\n1. Read the rates once.\n2. Test the empty list.\n"
    plan.write_text(text)
    given = {"plan": text, "planFilePath": str(plan)}
    door.tool("ExitPlanMode", given)
    journey.type(f"review-gate expert-review {plan}")
    door.tool("ExitPlanMode", given)
    journey.note("The plan is changed, and then other words are shown than its file has")
    door.tool("ExitPlanMode", {**given, "plan": f"{text}3. Drop the table.\n"})
    plan.write_text(f"{text}3. Drop the table.\n")
    door.tool("ExitPlanMode", {**given, "plan": plan.read_text()})


def test_open_findings_keep_a_session_at_work(journey: Journey) -> None:
    table = Table(journey)
    door = install(journey, "claude")
    table.voters.play("codex", says(finding()))
    journey.type(SPAWN)
    journey.type(CHECK)
    for turn in range(3):
        door.told("stop", stop_hook_active=turn > 0, last_assistant_message=f"Done {turn}.", background_tasks=[])
    journey.note("Background work lets it stop, and so does the limit")
    task = {"id": "a", "type": "subagent", "status": "running"}
    door.told("stop", stop_hook_active=True, last_assistant_message="Waiting.", background_tasks=[task])
    journey.repo.environ["REVIEW_GATE_AGENTS__STOP_LIMIT"] = "1"
    door.told("stop", stop_hook_active=True, last_assistant_message="Done at last.", background_tasks=[])
    journey.type("review-gate statusline")
    journey.type(f"review-gate rounds close {table.review} --because 'It is good enough.'")
    door.told("stop", stop_hook_active=False, last_assistant_message="Done.", background_tasks=[])


def test_the_status_line_tells_the_project_and_its_review(journey: Journey) -> None:
    door = install(journey, "claude")
    told = json.dumps({"cwd": str(journey.repo.path), "session_id": door.session, "version": "2.1.325"})
    journey.pipe(told, "review-gate statusline")
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.pipe(told, "review-gate statusline")
    journey.pipe("no JSON", "review-gate statusline")


def test_an_event_that_cannot_be_read_blocks_a_tool_and_no_prompt(journey: Journey) -> None:
    door = install(journey, "claude")
    for text in (
        '{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push',
        '{"hook_event_name": "UserPromptSubmit", "prompt": "add a test',
        '{"hook_event_name": "UserPromptSubmit", "prompt": "/ship',
        "",
    ):
        door.send(text, "PreToolUse")


def test_the_program_is_gone_and_tools_are_blocked(journey: Journey) -> None:
    door = install(journey, "claude")
    folder = journey.repo.path.parent / "no-program"
    folder.mkdir()
    (folder / "sh").symlink_to("/bin/sh")
    for event in ("PreToolUse", "UserPromptSubmit", "Stop"):
        journey.note(event)
        done = journey.repo.run("/bin/sh", "-c", door.commands[event], stdin="{}", PATH=str(folder))
        journey.fact("exit", done.returncode)
        journey.fact("says something", bool(done.stderr))


def test_a_change_of_settings_that_takes_the_gate_out_is_told(journey: Journey) -> None:
    door = install(journey, "claude")
    text = (PAYLOADS / "claude/ConfigChange-project.json").read_text().replace('"/repo', f'"{journey.repo.path}')
    door.send(text, "ConfigChange")
    journey.repo.write(".claude/settings.json", '{"hooks": {}}\n')
    door.send(text, "ConfigChange")
    journey.repo.write(".claude/settings.json", '{"disableAllHooks": true}\n')
    door.send(text, "ConfigChange")
    journey.type("review-gate doctor")


def test_the_gate_is_registered_for_all_projects_of_a_user(journey: Journey) -> None:
    home = Path(journey.repo.environ["HOME"])
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text(OWN)
    before = files_in(home)
    journey.type("review-gate install --claude --user")
    written = set(files_in(home)) - set(before)
    journey.fact("written", sorted(name for name in written if name.startswith(".claude")))
    journey.file(".claude/settings.json", at=home)
    journey.type("review-gate uninstall --claude --user")
    after = files_in(home)
    journey.fact("changed", sorted(name for name in {*before, *after} if before.get(name) != after.get(name)))


def test_agents_without_hooks_read_a_block_in_agents_md(journey: Journey) -> None:
    journey.repo.write("AGENTS.md", "# Shop\n\nPrices are integers.\n")
    journey.type("review-gate install --agents-md")
    journey.file("AGENTS.md")
    journey.type("review-gate install --agents-md")
    journey.type("review-gate uninstall --agents-md")
    journey.file("AGENTS.md")


def test_settings_that_cannot_be_understood_are_left_alone(journey: Journey) -> None:
    journey.repo.write(".claude/settings.json", '{"hooks": {}')
    journey.type("review-gate install --claude")
    journey.file(".claude/settings.json")
    journey.repo.write(".claude/settings.json", '{"hooks": []}')
    journey.type("review-gate install --claude")
    journey.type("review-gate uninstall --claude")


RECORDED = {
    "claude": (
        "SessionStart",
        "PreToolUse-Bash-git-push",
        "PreToolUse-ExitPlanMode",
        "UserPromptSubmit-slash",
        "Stop-first",
        "ConfigChange-project",
    ),
    "codex": ("SessionStart", "PreToolUse", "PreToolUse-apply_patch", "UserPromptSubmit", "Stop"),
    "gemini": ("SessionStart", "BeforeTool", "BeforeTool-write_file", "BeforeAgent", "AfterAgent"),
}


def test_events_that_real_agents_sent_are_answered(journey: Journey) -> None:
    for agent, names in RECORDED.items():
        door = install(journey, agent)
        for name in names:
            text = (PAYLOADS / agent / f"{name}.json").read_text().replace("/home/user", journey.repo.environ["HOME"])
            door.send(text.replace('"/repo', f'"{journey.repo.path}'), name.partition("-")[0])
    told = (PAYLOADS / "claude/statusLine-after-turn.json").read_text()
    journey.pipe(told.replace('"/repo', f'"{journey.repo.path}'), "review-gate statusline")
