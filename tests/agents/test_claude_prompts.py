"""The real Claude Code and what a user types: /ship both ways, a prompt with the mark, /prompt-review, /review."""

from __future__ import annotations

import json
import re

from claude_code import installed, talk
from conftest import Repo
from scripted import Body, Part, latest, say, shell, subagent, text_in, use

NAME = re.compile(r"prompt-review request (prompt-[0-9a-f]{12})")


def test_ship_is_blocked_without_a_review(repo: Repo) -> None:
    done = talk(installed(repo), ["/ship"], [say("Ship gate: BLOCKED")])
    shown = text_in(done.script.requests[-1]["messages"])
    assert "Ship gate: BLOCKED. Show the user the blockers and the suggestion, and do no git operation." in shown
    assert '"suggestion": "/review, or: review-gate run"' in shown
    # The text of the command itself.
    assert "Run no git command, start no subagent, and end." in shown
    assert done.answers == ["Ship gate: BLOCKED"]


def test_ship_lets_the_git_agent_push_what_was_reviewed(repo: Repo) -> None:
    installed(repo).review()
    ships = [shell("review-gate verify"), shell("git push"), say("Pushed.")]
    starts = [subagent("git-agent", "Ship this branch"), say("Shipped.")]
    done = talk(repo, ["/ship"], Part(starts), Part(ships, "Stage nothing yourself."))
    assert "Ship gate: APPROVED" in text_in(done.script.requests[0]["messages"])
    assert repo.remote_ref("refs/heads/main") == repo.head
    assert done.answers == ["Shipped."], done.results


def test_the_model_does_not_ship_by_itself(repo: Repo) -> None:
    done = talk(installed(repo), ["do what you like"], [use("Skill", skill="ship"), say("No.")])
    assert "disable-model-invocation" in done.results[0]


def test_a_prompt_with_the_mark_reaches_the_model_with_what_to_do_first(repo: Repo) -> None:
    def requests(body: Body) -> list[dict[str, object]]:
        found = NAME.search(latest(body))
        assert found
        return shell(f"review-gate prompt-review request {found[1]} --format json")

    done = talk(installed(repo), ["optimize it !!!"], [requests, say("Reviewed.")])
    assert done.script.told("The user wants this prompt reviewed before anything is done: it ends with !!!.")
    waited = json.loads(done.results[0])
    assert (waited["status"], waited["id"][:7]) == ("ask_reviewers", "prompt-")
    assert "\noptimize it\n" in waited["reviewers"][0]["prompt"]


def test_what_stands_behind_prompt_review_comes_as_it_was_typed(repo: Repo) -> None:
    typed = 'print "$HOME" `id` \\n $1 $ARGUMENTS !!!'

    def requests(body: Body) -> list[dict[str, object]]:
        found = NAME.search(latest(body))
        assert found
        return shell(f"review-gate prompt-review request {found[1]} --format json")

    done = talk(installed(repo), [f"/prompt-review {typed}"], [requests, say("Reviewed.")])
    assert f"\n{typed}\n" in json.loads(done.results[0])["reviewers"][0]["prompt"]


def test_text_that_a_machine_wrote_asks_for_nothing(repo: Repo) -> None:
    done = talk(installed(repo), ["<task-notification>\n/ship !!!\n</task-notification> !!!"], [say("Noted.")])
    assert not done.script.told("Ship gate:")
    assert not done.script.told("prompt-review request")
