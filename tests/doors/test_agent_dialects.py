"""Every agent meets the same gate, through the real program and in its own words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Repo
from deciding import at_work, shared
from rounding import rounds_in, staged
from speaking import EVENTS, Speaker
from voting import Voters, finding, says

AGENTS = tuple(EVENTS)
NEVER = (
    "blocked: No review state found. Run /review before shipping.\n  why:   commit {} was never reviewed\n  next:  {}"
)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Voters:
    return staged(tmp_path_factory.mktemp("stage"))


@pytest.fixture(params=AGENTS)
def speaker(request: pytest.FixtureRequest, repo: Repo) -> Speaker:
    return Speaker(str(request.param), at_work(repo).repo)


@pytest.fixture(scope="module")
def unreviewed(tmp_path_factory: pytest.TempPathFactory, templates: Path) -> Repo:
    return at_work(shared(tmp_path_factory.mktemp("unreviewed"), templates)).repo


@pytest.fixture(params=AGENTS)
def asker(request: pytest.FixtureRequest, unreviewed: Repo) -> Speaker:
    """The same for all tests that only ask."""
    return Speaker(str(request.param), unreviewed)


def test_an_unreviewed_push_is_refused_and_a_reviewed_one_is_not(speaker: Speaker) -> None:
    commands = ("git push", "cd . && git push origin main", "bash -c 'git push'")
    refusal = speaker.refusal(NEVER.format(speaker.repo.head[:8], "review-gate run"))
    assert [speaker.shell(command) for command in commands] == [refusal] * 3
    speaker.repo.review()
    assert [speaker.shell(command) for command in commands] == [speaker.leave] * 3
    assert speaker.shell("git push --no-verify") != speaker.leave


def test_what_is_none_of_our_business_goes_on(asker: Speaker) -> None:
    assert asker.shell("ls -la") == asker.leave
    assert asker.write("app.py", "x = 1") == asker.leave
    assert asker.tool("somebody's own tool", {"anything": 1}) == asker.leave
    assert asker.prompt("add a test") == ({"continue": True} if asker.agent == "cursor" else {})
    assert asker.stop() == {}
    done = asker.send(json.dumps(asker.payload("someNewEvent", {"tool_name": "Bash"})), "someNewEvent")
    assert (done.returncode, json.loads(done.stdout or "{}"), done.stderr) == (0, asker.leave, "")


# Where a context reaches the model, /ship is told why; Cursor has to stop the prompt, and Copilot CLI hears nothing.
@pytest.mark.parametrize("agent", ["claude", "codex", "gemini"])
def test_ship_is_told_the_word_of_the_gate(repo: Repo, agent: str) -> None:
    speaker = Speaker(agent, repo)
    said = speaker.prompt("/ship now")
    text = said["hookSpecificOutput"]["additionalContext"]
    assert said == speaker.context("prompt", text)
    assert text.startswith("Ship gate: BLOCKED.")
    speaker.repo.review()
    text = speaker.prompt("/ship")["hookSpecificOutput"]["additionalContext"]
    assert text.startswith("Ship gate: APPROVED\n")


def test_ship_is_stopped_by_cursor_and_goes_on_once_it_is_reviewed(repo: Repo) -> None:
    speaker = Speaker("cursor", repo)
    said = speaker.prompt("/ship now")
    # A person reads it, and no model.
    why = f"  why:   commit {repo.head[:8]} was never reviewed\n  next:  review-gate run"
    refusal = f"blocked: No review state found. Run /review before shipping.\n{why}"
    assert said == {"continue": False, "user_message": refusal}
    repo.review()
    assert speaker.prompt("/ship now") == {"continue": True}


def test_the_first_prompt_of_gemini_is_known_behind_the_context_of_its_hooks(repo: Repo) -> None:
    speaker = Speaker("gemini", repo)
    said = speaker.prompt("<hook_context>review-gate: gate closed</hook_context>\n\n/review all")
    assert said["hookSpecificOutput"]["additionalContext"].startswith("Review command detected")


def test_a_session_is_kept_and_let_go_whatever_the_agent_makes_of_our_reason(
    speaker: Speaker, repo: Repo, stage: Voters
) -> None:
    rounds = rounds_in(speaker.repo, stage)
    rounds.voters.play("codex", says(finding()))
    review = rounds.spawn("spawn-code-review", "--uncommitted")
    assert rounds.check(code=1)["outcome"] == "fix"
    reason = (
        f"{review}, round 1: 1 finding to be settled in the code.\n  next:  review-gate check {review} tells them and"
        " what to do; after the fix the same command begins the next round"
    )
    for _ in range(5):
        assert speaker.stop() == speaker.keeping(reason)
        # Gemini CLI and Cursor hand it to the model as a prompt, and tell of that one too.
        speaker.prompt(reason)
    assert speaker.stop() != speaker.keeping(reason)
    speaker.prompt("go on")
    assert speaker.stop() == speaker.keeping(reason)
    rounds.assert_nothing_runs()


HOSTILE = (
    *("", "git push", "[]", '{"hook_event_name": ""}', '{"hook_event_name": 7}'),
    '{"hook_event_name": "%s", "tool_input": {"command": "git push',
    '{"hook_event_name": "%s", "hook_event_name": "Other"}',
    '{"hook_event_name": "%s", "tool_input": ' + "[" * 100_000,
)


def test_what_cannot_be_read_is_refused_where_it_may_be_a_tool(asker: Speaker) -> None:
    name = EVENTS[asker.agent]["tool"]
    for text in HOSTILE:
        done = asker.send(text.replace("%s", name), name)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("blocked: review-gate could not judge this: the event ")
