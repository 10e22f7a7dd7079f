"""What each agent really sends, read as an event; and every answer as each agent wants to read it."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from review_gate.agents.answer import CONTEXT, DENY, KEEP_WORKING, NOTHING, NOTICE, Answer
from review_gate.agents.claude import edits_of
from review_gate.agents.event import CONFIG, OTHER, PLAN, PROMPT, SHELL, START, STOP, WRITE, Event, UnreadableEventError

if TYPE_CHECKING:
    from review_gate.agents.event import Kind

PAYLOADS = Path(__file__).parents[2] / "payloads"
AGENTS = ("claude", "codex", "gemini", "cursor", "copilot")
SESSION = "00000000-0000-4000-8000-000000000001"
PUSH = (SHELL, "git push origin main", ())
PATCH_IN_A_LINE = (
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: .review-gate.yaml\n+limits: {}\n*** End Patch\nEOF\n"
)
KEPT = (
    "code-0badc0de, round 1: 1 finding to be settled in the code.\n"
    "  next:  review-gate check code-0badc0de tells them and what to do; after the fix the same command begins the next"
    " round"
)
PLAN_FILE = "/home/user/.claude/plans/make-a-plan-wild-gadget.md"
UNSAID: tuple[Kind, None, tuple[str, ...]] = (SHELL, None, ())
OURS_NOT: tuple[Kind, str, tuple[str, ...]] = (OTHER, "", ())
# What is recorded of each agent, and what it comes to: kind, text, files.
RECORDED: dict[str, tuple[Kind, str | None, tuple[str, ...]]] = {
    "claude/ConfigChange-local": (CONFIG, "", ("/repo/.claude/settings.local.json",)),
    "claude/ConfigChange-project": (CONFIG, "", ("/repo/.claude/settings.json",)),
    "claude/PermissionRequest-Bash": OURS_NOT,
    "claude/PermissionRequest-ExitPlanMode": OURS_NOT,
    "claude/PostToolBatch-denied": OURS_NOT,
    "claude/PostToolUse-Bash": OURS_NOT,
    "claude/PostToolUse-ExitPlanMode": OURS_NOT,
    "claude/PostToolUseFailure-Bash": OURS_NOT,
    "claude/PreToolUse-Bash-git-push": PUSH,
    "claude/PreToolUse-ExitPlanMode-no-plan-file": (PLAN, None, ()),
    "claude/PreToolUse-ExitPlanMode": (PLAN, "# Plan\n1. do x\n", (PLAN_FILE,)),
    "claude/PreToolUse-in-subagent": (OTHER, None, ()),
    "claude/SessionEnd": OURS_NOT,
    "claude/SessionStart": (START, "", ()),
    "claude/Stop-active": (STOP, "", ()),
    "claude/Stop-background-task": (STOP, "", ()),
    "claude/Stop-first": (STOP, "", ()),
    "claude/SubagentStart": OURS_NOT,
    "claude/SubagentStop": OURS_NOT,
    "claude/UserPromptExpansion-bundled-review": (OTHER, "/code-review all", ()),
    "claude/UserPromptExpansion-project": (OTHER, "/ship now", ()),
    "claude/UserPromptSubmit-bang": (PROMPT, "please push it !!!", ()),
    "claude/UserPromptSubmit-bundled-review": (PROMPT, "/review all", ()),
    "claude/UserPromptSubmit-slash": (PROMPT, "/ship now", ()),
    "codex/PostToolUse": OURS_NOT,
    "codex/PreToolUse": PUSH,
    "codex/PreToolUse-apply_patch": (WRITE, None, (".review-gate.yaml",)),
    "codex/PreToolUse-patch-in-a-line": (SHELL, PATCH_IN_A_LINE, ()),
    "codex/SessionEnd": OURS_NOT,
    "codex/SessionStart": (START, "", ()),
    "codex/Stop-active": (STOP, "", ()),
    "codex/Stop": (STOP, "", ()),
    "codex/UserPromptSubmit": (PROMPT, "do it", ()),
    "gemini/AfterAgent-active": (STOP, "do it", ()),
    "gemini/AfterAgent": (STOP, "do it", ()),
    "gemini/AfterTool": OURS_NOT,
    "gemini/BeforeAgent": (PROMPT, "do it", ()),
    "gemini/BeforeAgent-after-context": (PROMPT, "do it", ()),
    "gemini/BeforeAgent-kept": (PROMPT, KEPT, ()),
    "gemini/BeforeTool": PUSH,
    "gemini/BeforeTool-replace": (WRITE, "", ("app.py",)),
    "gemini/BeforeTool-write_file": (WRITE, "", (".review-gate.yaml",)),
    "gemini/SessionEnd": OURS_NOT,
    "gemini/SessionStart": (START, "", ()),
}


def dialect(agent: str) -> ModuleType:
    return import_module(f"review_gate.agents.{agent}")


def recorded(name: str) -> dict[str, Any]:
    payload: dict[str, Any] = json.loads((PAYLOADS / f"{name}.json").read_text(encoding="utf-8"))
    return payload


@pytest.mark.parametrize(("name", "told"), RECORDED.items(), ids=RECORDED)
def test_a_recorded_event_is_read_as_what_it_is(name: str, told: tuple[Kind, str | None, tuple[str, ...]]) -> None:
    agent = name.partition("/")[0]
    event = dialect(agent).read(recorded(name))
    assert (event.kind, event.text if event.kind != OTHER else told[1], event.paths) == told
    assert (event.agent, event.session, event.folder) == (agent, SESSION, "/repo")


def test_every_recorded_payload_is_in_the_table() -> None:
    names = {f"{path.parent.name}/{path.stem}" for path in PAYLOADS.glob("*/*.json")}
    no_events = {"claude/statusLine-after-turn", "claude/statusLine-start"}
    assert names - no_events - {"claude/UserPromptSubmit-task-notification"} == set(RECORDED)


def test_what_a_program_wrote_is_read_as_a_prompt_and_asks_for_nothing() -> None:
    event = dialect("claude").read(recorded("claude/UserPromptSubmit-task-notification"))
    assert (event.kind, (event.text or "")[:19]) == (PROMPT, "<task-notification>")


def test_background_tasks_are_seen() -> None:
    assert dialect("claude").read(recorded("claude/Stop-background-task")).has_background
    assert not dialect("claude").read(recorded("claude/Stop-first")).has_background


# By the documentation of the two that were not recorded.
DOCUMENTED: dict[str, tuple[str, dict[str, Any], tuple[Kind, str | None, tuple[str, ...]]]] = {
    "a shell of Cursor": (
        "cursor",
        {"hook_event_name": "beforeShellExecution", "command": "git push origin main", "cwd": "/repo"},
        PUSH,
    ),
    "a shell of Cursor that sends no command": ("cursor", {"hook_event_name": "beforeShellExecution"}, UNSAID),
    "a tool of Claude Code without a command": (
        "claude",
        {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": 7}},
        UNSAID,
    ),
    "a tool of Gemini CLI without anything": (
        "gemini",
        {"hook_event_name": "BeforeTool", "tool_name": "run_shell_command"},
        UNSAID,
    ),
    "a shell of Copilot without a command": (
        "copilot",
        {"hook_event_name": "preToolUse", "toolName": "bash", "toolArgs": "{}"},
        UNSAID,
    ),
    "words that Codex runs without a shell": (
        "codex",
        {
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": ["bash", "-lc", "git push; ls"]},
        },
        (SHELL, "bash -lc 'git push; ls'", ()),
    ),
    "a tool of Cursor": (
        "cursor",
        {"hook_event_name": "preToolUse", "tool_name": "Shell", "tool_input": {"command": "git push origin main"}},
        PUSH,
    ),
    "an edit of Cursor": (
        "cursor",
        {"hook_event_name": "preToolUse", "tool_name": "Write", "tool_input": {"file_path": "/repo/a", "content": "x"}},
        (WRITE, None, ("/repo/a",)),
    ),
    "a prompt of Cursor": ("cursor", {"hook_event_name": "beforeSubmitPrompt", "prompt": "x"}, (PROMPT, "x", ())),
    "a stop of Cursor": ("cursor", {"hook_event_name": "stop", "status": "completed"}, (STOP, "", ())),
    "a shell of Copilot": (
        "copilot",
        {"hook_event_name": "preToolUse", "toolName": "bash", "toolArgs": '{"command": "git push origin main"}'},
        PUSH,
    ),
    "Copilot in Claude's spelling": (
        "copilot",
        {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push origin main"}},
        PUSH,
    ),
    "an edit of Copilot": (
        "copilot",
        {"hook_event_name": "preToolUse", "toolName": "edit", "toolArgs": {"path": "/repo/a"}},
        (WRITE, None, ("/repo/a",)),
    ),
    "a new file of Copilot": (
        "copilot",
        {"hook_event_name": "preToolUse", "toolName": "create", "toolArgs": '{"path": "/repo/a", "file_text": "x"}'},
        (WRITE, None, ("/repo/a",)),
    ),
    "a file that Copilot looks at": (
        "copilot",
        {
            "hook_event_name": "preToolUse",
            "toolName": "str_replace_editor",
            "toolArgs": {"command": "view", "path": "/repo/a"},
        },
        OURS_NOT,
    ),
    "an editor of Copilot": (
        "copilot",
        {
            "hook_event_name": "preToolUse",
            "toolName": "str_replace_editor",
            "toolArgs": {"command": "str_replace", "path": "/repo/a", "old_str": "x", "new_str": "y"},
        },
        (WRITE, None, ("/repo/a",)),
    ),
    "a patch of Copilot": (
        "copilot",
        {"hook_event_name": "preToolUse", "toolName": "apply_patch", "toolArgs": "*** Begin Patch\n*** Add File: a"},
        (WRITE, None, ("a",)),
    ),
    "a patch of Copilot among arguments": (
        "copilot",
        {"hook_event_name": "preToolUse", "toolName": "apply_patch", "toolArgs": {"input": "*** Delete File: a"}},
        (WRITE, None, ("a",)),
    ),
    "typing into a shell of Copilot": (
        "copilot",
        {"hook_event_name": "preToolUse", "toolName": "write_bash", "toolArgs": {"input": "git push{enter}"}},
        (SHELL, "git push\n", ()),
    ),
    "an edit of Copilot in Claude's spelling": (
        "copilot",
        {"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": {"path": "/repo/a", "old_str": "x"}},
        (WRITE, None, ("/repo/a",)),
    ),
    "a patch of Copilot in Claude's spelling": (
        "copilot",
        {"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": "*** Update File: a"},
        (WRITE, None, ("a",)),
    ),
    "a file that Cursor deletes": (
        "cursor",
        {"hook_event_name": "preToolUse", "tool_name": "Delete", "tool_input": {"path": "/repo/a"}},
        (WRITE, None, ("/repo/a",)),
    ),
    "a notebook of Cursor": (
        "cursor",
        {"hook_event_name": "preToolUse", "tool_name": "EditNotebook", "tool_input": {"target_notebook": "/repo/a"}},
        (WRITE, None, ("/repo/a",)),
    ),
    "a patch of Cursor": (
        "cursor",
        {"hook_event_name": "preToolUse", "tool_name": "ApplyPatch", "tool_input": "*** Add File: a\n*** Add File: b"},
        (WRITE, None, ("a", "b")),
    ),
    "a stop of Copilot": ("copilot", {"hook_event_name": "agentStop"}, (STOP, "", ())),
    "a patch of Codex": (
        "codex",
        {
            "hook_event_name": "PreToolUse",
            "tool_name": "apply_patch",
            "tool_input": {"command": "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n*** End Patch"},
        },
        (WRITE, None, ("a", "b")),
    ),
    "a write of Gemini": (
        "gemini",
        {"hook_event_name": "BeforeTool", "tool_name": "replace", "tool_input": {"file_path": "/repo/a"}},
        (WRITE, None, ("/repo/a",)),
    ),
}


@pytest.mark.parametrize(("agent", "payload", "told"), DOCUMENTED.values(), ids=DOCUMENTED)
def test_a_documented_event_is_read_as_what_it_is(
    agent: str, payload: dict[str, Any], told: tuple[Kind, str | None, tuple[str, ...]]
) -> None:
    event = dialect(agent).read(payload)
    kind, text, paths = told
    assert (event.kind, event.paths, event.agent) == (kind, paths, agent)
    assert kind == WRITE or event.text == text or (kind == OTHER and not event.text)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("field", [{}, {"tool_name": "", "toolName": ""}, {"tool_name": 7, "toolName": None}])
def test_a_tool_without_a_name_cannot_be_judged(agent: str, field: dict[str, Any]) -> None:
    payload = {"hook_event_name": dialect(agent).TOOL, "tool_input": {"command": "git push"}, **field}
    with pytest.raises(UnreadableEventError, match="does not say which tool"):
        dialect(agent).read(payload)


TOOL = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "no"}
BLOCK = {"decision": "block", "reason": "no"}
WRITTEN: dict[str, tuple[str, Kind, Answer, dict[str, Any]]] = {
    "claude denies": ("claude", SHELL, Answer(DENY, "no"), {"hookSpecificOutput": TOOL}),
    "claude refuses a plan": ("claude", PLAN, Answer(DENY, "no"), {"hookSpecificOutput": TOOL}),
    "claude keeps": ("claude", STOP, Answer(KEEP_WORKING, "no"), BLOCK),
    "claude refuses settings": ("claude", CONFIG, Answer(DENY, "no"), BLOCK),
    "claude tells": (
        "claude",
        PROMPT,
        Answer(CONTEXT, "x", notice="y"),
        {
            "systemMessage": "y",
            "hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "x"},
        },
    ),
    "claude at the start": (
        "claude",
        START,
        Answer(CONTEXT, "x"),
        {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "x"}},
    ),
    "claude notices": ("claude", STOP, Answer(NOTICE, notice="y"), {"systemMessage": "y"}),
    "codex denies": ("codex", SHELL, Answer(DENY, "no"), {"hookSpecificOutput": TOOL}),
    "codex tells both at the start": (
        "codex",
        START,
        Answer(CONTEXT, "x", notice="y"),
        {"systemMessage": "y", "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "x"}},
    ),
    "codex keeps": ("codex", STOP, Answer(KEEP_WORKING, "no"), BLOCK),
    "gemini denies": ("gemini", SHELL, Answer(DENY, "no"), {"decision": "deny", "reason": "no"}),
    "gemini keeps": ("gemini", STOP, Answer(KEEP_WORKING, "no"), BLOCK),
    "gemini tells": (
        "gemini",
        PROMPT,
        Answer(CONTEXT, "x"),
        {"hookSpecificOutput": {"hookEventName": "BeforeAgent", "additionalContext": "x"}},
    ),
    "cursor denies": (
        "cursor",
        SHELL,
        Answer(DENY, "no"),
        {"permission": "deny", "user_message": "no", "agent_message": "no"},
    ),
    "cursor keeps": ("cursor", STOP, Answer(KEEP_WORKING, "no"), {"followup_message": "no"}),
    "cursor stops a prompt": (
        "cursor",
        PROMPT,
        Answer(CONTEXT, "for a model", refusal="no"),
        {"continue": False, "user_message": "no"},
    ),
    "cursor lets a prompt go on": ("cursor", PROMPT, Answer(CONTEXT, "x"), {"continue": True}),
    "cursor refuses a prompt": ("cursor", PROMPT, Answer(DENY, "no"), {"continue": False, "user_message": "no"}),
    "cursor at the start": ("cursor", START, Answer(CONTEXT, "x"), {"additional_context": "x"}),
    "copilot denies": (
        "copilot",
        SHELL,
        Answer(DENY, "no"),
        {"permissionDecision": "deny", "permissionDecisionReason": "no"},
    ),
    "copilot keeps": ("copilot", STOP, Answer(KEEP_WORKING, "no"), BLOCK),
    "copilot at the start": ("copilot", START, Answer(CONTEXT, "x"), {"additionalContext": "x"}),
    "copilot drops what is said to a prompt": ("copilot", PROMPT, Answer(CONTEXT, "x"), {}),
    "copilot cannot stop a prompt": ("copilot", PROMPT, Answer(DENY, "x"), {}),
}


@pytest.mark.parametrize(("agent", "kind", "answer", "said"), WRITTEN.values(), ids=WRITTEN)
def test_an_answer_is_written_as_its_agent_reads_it(
    agent: str, kind: Kind, answer: Answer, said: dict[str, Any]
) -> None:
    assert dialect(agent).write(answer, Event(kind, agent=agent)) == said


# Cursor takes silence for a failure of the hook, and is told to refuse where a guard fails.
LEAVE: dict[Kind, dict[str, Any]] = {
    PROMPT: {"continue": True},
    SHELL: {"permission": "allow"},
    WRITE: {"permission": "allow"},
    OTHER: {"permission": "allow"},
}


@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_is_told_nothing_where_there_is_nothing_to_say(agent: str) -> None:
    kinds: tuple[Kind, ...] = (PROMPT, SHELL, WRITE, PLAN, STOP, START, CONFIG, OTHER)
    for kind in kinds:
        leave = LEAVE.get(kind, {}) if agent == "cursor" else {}
        assert dialect(agent).write(Answer(NOTHING), Event(kind, agent=agent)) == leave


@pytest.mark.parametrize(("tool", "is_powershell"), [("bash", False), ("powershell", True), ("write_powershell", True)])
def test_copilot_says_which_shell_a_command_is_for(tool: str, is_powershell: bool) -> None:
    given = {"hook_event_name": "preToolUse", "toolName": tool, "toolArgs": {"command": "ls"}}
    assert dialect("copilot").read(given).is_powershell == is_powershell


EDITED = {
    "the whole file": ({"content": "b"}, "b"),
    "the whole file for Cursor": ({"contents": "b"}, "b"),
    "the whole file for Copilot": ({"file_text": "b"}, "b"),
    "a piece": ({"old_string": "a", "new_string": "b"}, "b c a"),
    "a piece everywhere": ({"old_string": "a", "new_string": "b", "replace_all": True}, "b c b"),
    "a piece for Copilot": ({"old_str": "a", "new_str": "b"}, "b c a"),
    "half of a piece": ({"old_str": "a"}, None),
}


@pytest.mark.parametrize(("given", "after"), EDITED.values(), ids=EDITED)
def test_what_would_become_of_a_file_is_told(given: dict[str, Any], after: str | None) -> None:
    edits = edits_of(given)
    assert (edits.applied_to("a c a") if edits else None) == after


def test_the_context_of_hooks_is_no_part_of_a_prompt_only_where_it_ends() -> None:
    read = dialect("gemini").read
    assert read({"hook_event_name": "BeforeAgent", "prompt": "<hook_context>/ship"}).text == "<hook_context>/ship"
    told = "<hook_context>a</hook_context>\n\n/ship </hook_context> now"
    assert read({"hook_event_name": "BeforeAgent", "prompt": told}).text == "/ship </hook_context> now"


@pytest.mark.parametrize("status", ["aborted", "error"])
def test_a_turn_that_the_user_or_a_failure_ended_is_not_begun_anew(status: str) -> None:
    assert dialect("cursor").read({"hook_event_name": "stop", "status": status}).kind == OTHER


@pytest.mark.parametrize("given", ["{", "not JSON", '{"a": 1, "a": 2}'])
def test_arguments_that_cannot_be_read_are_an_error_for_our_tools_and_nothing_for_others(given: str) -> None:
    read = dialect("copilot").read
    with pytest.raises(ValueError, match="toolArgs cannot be read"):
        read({"hook_event_name": "preToolUse", "toolName": "bash", "toolArgs": given})
    assert read({"hook_event_name": "preToolUse", "toolName": "view", "toolArgs": given}).kind == OTHER
