"""What agents are answered, by event."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from known_facts import CLOSED, HERE, OPEN, KnownFacts, event, reviewed

from review_gate.agents.answer import Answer
from review_gate.agents.evaluate import evaluate
from review_gate.agents.event import CONFIG, OTHER, PLAN, PROMPT, SHELL, START, STOP, WRITE, Edits
from review_gate.agents.facts import INTACT, MISSING, NEVER_INSTALLED, GateAnswer

FORGET = ("forget_stops", "s", "")


def said(answer: Answer) -> tuple[str, str]:
    return answer.verdict, answer.text


def document_in(answer: Answer) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(answer.text.partition("\n")[2])
    return document


def test_ship_is_told_why_the_gate_is_closed() -> None:
    answer = evaluate(event(PROMPT, text="/ship now"), KnownFacts())
    assert answer.text.startswith("Ship gate: BLOCKED.")
    assert answer.refusal == CLOSED.text
    assert document_in(answer) == {
        "blocked": True,
        "reason": "No review state found. Run /review before shipping.",
        "why": "commit 1111 was never reviewed",
        "state_commit": None,
        "current_commit": "1" * 40,
        "blockers": ["No review state found. Run /review before shipping."],
        "suggestion": "/review, or: review-gate run",
    }


def test_ship_is_told_that_the_gate_is_open() -> None:
    answer = evaluate(event(PROMPT, text="/review-gate:ship"), KnownFacts(gate=OPEN))
    assert answer.text.startswith("Ship gate: APPROVED\n")
    assert answer.refusal == ""
    assert document_in(answer) == {
        "blocked": False,
        "reviewed_commit": "1" * 40,
        "all_loops_passed": True,
        "message": "Commit 11111111 passed its review.",
    }


def test_without_a_repository_nothing_is_approved_for_shipping() -> None:
    answer = evaluate(event(PROMPT, text="/ship"), KnownFacts(gate=None))
    assert document_in(answer)["blocked"] is True
    assert answer.refusal == (
        "blocked: there is no git repository here, so there is nothing to ship\n"
        "  next:  cd to the repository, then /ship again"
    )


WISHES = {
    "/review": ("changed", [1, 2, 3, 4], None, []),
    "/review all": ("all", [1, 2, 3, 4], None, []),
    "/review staged --loops 1,3": ("staged", [1, 3], None, []),
    "/review --loops=2 --base origin/main deep": ("changed", [2], "origin/main", ["deep"]),
    "/review-gate:review --loops 9": ("changed", [1, 2, 3, 4], None, []),
    "/review\nall": ("all", [1, 2, 3, 4], None, []),
}


@pytest.mark.parametrize(("prompt", "wish"), WISHES.items(), ids=WISHES)
def test_review_is_told_what_it_would_be_about(prompt: str, wish: tuple[Any, ...]) -> None:
    answer = evaluate(event(PROMPT, text=prompt), KnownFacts())
    assert answer.text.startswith("Review command detected (nothing has been run yet):\n")
    document = document_in(answer)
    assert document["command"] == "/review"
    assert document["files"] == ["a.py"]
    assert (document["scope"], document["loops"], document["base"], document["options"]) == wish


def test_a_loop_that_is_none_is_told() -> None:
    document = document_in(evaluate(event(PROMPT, text="/review --loops 2,9,all"), KnownFacts()))
    assert (document["loops"], document["no_such_loops"]) == ([2], ["9", "all"])
    assert "no_such_loops" not in document_in(evaluate(event(PROMPT, text="/review --loops 2"), KnownFacts()))


def test_a_prompt_with_the_mark_is_kept_and_its_review_asked_for() -> None:
    answer = evaluate(event(PROMPT, text="please push it !!!"), KnownFacts())
    assert answer.verdict == "context"
    assert "review-gate prompt-review request prompt-0123456789ab --format json" in answer.text
    assert answer.effects == (("keep_prompt", "prompt-0123456789ab", "please push it"), FORGET)


TYPED = {
    "one line": ("/prompt-review optimize it", "optimize it"),
    "as it was typed": ("/prompt-review  a\n\n  b $HOME `id` !!!\n", "a\n\n  b $HOME `id` !!!"),
    "of the plugin": ("/review-gate:prompt-review x", "x"),
    "below the command": ("/prompt-review\nx", "x"),
}


@pytest.mark.parametrize(("prompt", "kept"), TYPED.values(), ids=TYPED)
def test_what_stands_behind_prompt_review_is_kept_to_the_letter(prompt: str, kept: str) -> None:
    answer = evaluate(event(PROMPT, text=prompt), KnownFacts())
    assert answer.verdict == "context"
    assert answer.text == (
        "The text behind /prompt-review is kept as it was typed, under the ID prompt-0123456789ab. Begin with\n"
        "`review-gate prompt-review request prompt-0123456789ab --format json`."
    )
    assert answer.effects == (("keep_typed", "prompt-0123456789ab", kept), FORGET)


NO_COMMANDS = (
    "push it",
    " /ship",
    "say /ship",
    "/shipping news",
    "/shipit",
    "/prompt-review",
    "/prompt-review-stats now",
    "/other all !!!",
    "!!!",
    "what!!! now",
    "",
)


@pytest.mark.parametrize("prompt", NO_COMMANDS)
def test_a_prompt_that_asks_for_nothing_of_ours_goes_on(prompt: str) -> None:
    answer = evaluate(event(PROMPT, text=prompt), KnownFacts())
    assert said(answer) == ("nothing", "")
    # What a program reports is no word of the user's, and begins no new count.
    assert answer.effects == (() if "<task-notification>" in prompt else (FORGET,))


@pytest.mark.parametrize(
    "prompt", ["<task-notification>\n/ship !!!</task-notification>", "\n<task-notification> do it !!!"]
)
def test_what_a_machine_wrote_asks_for_nothing_and_begins_nothing_anew(prompt: str) -> None:
    answer = evaluate(event(PROMPT, text=prompt), KnownFacts())
    assert said(answer) == ("nothing", "")
    assert answer.effects == ()


def test_exactly_the_approved_plan_may_be_carried_out() -> None:
    facts = KnownFacts(approved="# Plan\n")
    assert said(evaluate(event(PLAN, text="# Plan\n", paths=("/p.md",)), facts)) == ("nothing", "")
    refused = evaluate(event(PLAN, text="# Plan\nand more\n", paths=("/p.md",)), facts)
    assert said(refused) == (
        "deny",
        "blocked: the plan was not approved\n"
        "  why:   only a plan whose very text was approved may be carried out\n"
        "  next:  review-gate expert-review /p.md",
    )


@pytest.mark.parametrize("plan", [None, "", " \n"])
def test_a_plan_that_was_not_sent_along_is_not_approved(plan: str | None) -> None:
    verdict, text = said(evaluate(event(PLAN, text=plan), KnownFacts(approved=plan)))
    assert verdict == "deny"
    assert text.startswith("blocked: the plan was not sent along")


def test_what_the_gate_decides_by_is_not_written_by_an_agent() -> None:
    facts = KnownFacts(guarded={"loop-state.json": "the state of the latest review"})
    verdict, text = said(evaluate(event(WRITE, paths=("a.py", "loop-state.json")), facts))
    assert verdict == "deny"
    assert text.startswith("blocked: loop-state.json is the state of the latest review\n")
    assert said(evaluate(event(WRITE, paths=("a.py",)), facts)) == ("nothing", "")


def test_settings_may_change_as_long_as_we_stay_registered() -> None:
    facts = KnownFacts(guarded={"settings.json": "where Claude Code is told to ask review-gate"})
    kept, lost = Edits(whole='{"hooks": "review-gate"}'), Edits(whole="{}")
    assert evaluate(event(WRITE, paths=("settings.json",), edits=kept), facts).verdict == "nothing"
    assert evaluate(event(WRITE, paths=("settings.json",), edits=lost), facts).verdict == "deny"
    assert evaluate(event(WRITE, paths=("settings.json",)), facts).verdict == "deny"


def test_a_session_works_on_while_rounds_say_fix() -> None:
    answer = evaluate(event(STOP), KnownFacts(rounds=(reviewed("fix"),)))
    assert answer.verdict == "keep_working"
    assert answer.text == (
        "code-0011aabb, round 1: 2 findings to be settled in the code.\n"
        "  next:  review-gate check code-0011aabb tells them and what to do; after the fix the same command begins the"
        " next round"
    )
    assert answer.effects == (("count_stop", "s", ""),)


@pytest.mark.parametrize(("stops", "verdict"), [(0, "keep_working"), (4, "keep_working"), (5, "notice"), (9, "notice")])
def test_a_session_is_let_go_after_so_many_times(stops: int, verdict: str) -> None:
    answer = evaluate(event(STOP), KnownFacts(rounds=(reviewed("fix"),), stops=stops))
    assert answer.verdict == verdict
    assert ("kept from stopping" in answer.notice) == (verdict == "notice")


def test_a_prompt_that_an_agent_made_of_our_reason_does_not_begin_the_count_anew() -> None:
    facts = KnownFacts(rounds=[reviewed("fix")])
    kept = evaluate(event(STOP), facts).text
    assert evaluate(event(PROMPT, text=kept), facts).effects == ()
    assert evaluate(event(PROMPT, text="go on"), facts).effects == (FORGET,)
    # Whoever quotes it is answered all the same.
    assert evaluate(event(PROMPT, text=f"/ship {kept}"), facts).text.startswith("Ship gate: BLOCKED.")


def test_a_session_stops_while_background_work_goes_on_and_says_so() -> None:
    answer = evaluate(event(STOP, has_background=True), KnownFacts(rounds=(reviewed("fix", open_findings=1),)))
    assert answer.verdict == "notice"
    assert answer.notice == (
        "review-gate: background work goes on, so the session may stop; still to be fixed: code-0011aabb (1 finding)"
    )


STANDINGS = {
    "waiting": "review-gate: code-0011aabb is under way: review-gate check code-0011aabb --wait",
    "needs_person": "review-gate: code-0011aabb needs you: review-gate check code-0011aabb",
}


@pytest.mark.parametrize(("outcome", "notice"), STANDINGS.items(), ids=STANDINGS)
def test_where_the_agent_can_do_nothing_it_may_stop(outcome: str, notice: str) -> None:
    answer = evaluate(event(STOP), KnownFacts(rounds=(reviewed(outcome),)))
    assert (answer.verdict, answer.notice) == ("notice", notice)


def test_a_stop_without_rounds_is_none_of_our_business() -> None:
    answer = evaluate(event(STOP), KnownFacts())
    assert (answer.verdict, answer.notice, answer.effects) == ("nothing", "", ())


def test_a_session_begins_with_one_line_about_gate_and_protection() -> None:
    answer = evaluate(event(START), KnownFacts(gate=OPEN))
    assert said(answer) == (
        "context",
        "review-gate: gate open: Commit 11111111 passed its review. | protection complete",
    )
    assert answer.notice == ""


def test_missing_protection_is_told_to_the_user_too() -> None:
    lost = ("git's pre-push hook is absent (review-gate install)",)
    answer = evaluate(event(START), KnownFacts(lost=lost, unregistered=("Stop is not registered",)))
    assert answer.text.count("\n") == 0
    assert answer.text.endswith(
        "| protection INCOMPLETE: git's pre-push hook is absent (review-gate install); Stop is not registered"
    )
    assert answer.notice == answer.text


def test_a_start_is_told_in_a_line_that_can_be_read() -> None:
    gate = GateAnswer(is_open=False, text="x", document={"message": "no " * 300, "next": "review-gate run"})
    _, text = said(evaluate(event(START), KnownFacts(gate=gate)))
    assert text == f"review-gate: gate closed: {('no ' * 300)[:200]}... next: review-gate run | protection complete"


def test_a_change_of_settings_that_removes_us_is_refused() -> None:
    facts = KnownFacts(unregistered=("PreToolUse is not registered",))
    answer = evaluate(event(CONFIG, paths=("/repo/.claude/settings.json",)), facts)
    assert answer.verdict == "deny"
    assert "PreToolUse is not registered" in answer.text
    assert answer.text.endswith("Restore it: review-gate doctor names the command")
    assert evaluate(event(CONFIG), KnownFacts()).verdict == "nothing"


def test_an_event_that_is_none_of_our_business_is_not_answered() -> None:
    assert evaluate(event(OTHER, text="git push"), KnownFacts()).verdict == "nothing"


GUARDED = {".git/hooks/pre-push": "a hook of git's", "loop-state.json": "the state of the latest review"}
# Whether git asks the gate itself or not.
REFUSED = {
    "git push --no-verify": "`git push --no-verify` skips git's hooks",
    "SKIP=review-gate git push": "`git push` skips git's hooks",
    "git send-pack origin main": "`git send-pack origin main` sends commits past git's hooks",
    "jj git push": "`jj git push` sends commits past git's hooks",
    "git config core.hooksPath /dev/null": "`git config core.hooksPath /dev/null` leads git away",
    "git update-ref -d refs/review-gate/commits/1": "`git update-ref -d refs/review-gate/commits/1` changes",
    "review-gate uninstall": "`review-gate uninstall` takes the gate away",
    "pre-commit uninstall": "`pre-commit uninstall` takes the gate away",
    "rm .git/hooks/pre-push": ".git/hooks/pre-push is a hook",
    "echo {} > loop-state.json; rm .git/hooks/pre-push": "loop-state.json is the state",
    'eval "$x" --no-verify': "`... --no-verify` is unclear",
    "git push 'x": "`git push 'x` cannot be read as a command of bash",
    'eval "$x"; git push --no-verify': "`git push --no-verify` skips git's hooks",
    "git svn dcommit": "No review state found",
}
# Left to git's own hook, if there is one.
ASKED = (
    *("git push", "cd sub && git push origin main", "git push --all", "gh pr create --fill", 'git "$verb" # push'),
    *("bash -c 'git push'", "python3 -c 'os.system(\"git push\")'"),
)
LEFT_ALONE = (
    *("git status", "git commit -m 'push it'", "git commit -n -m x", "SKIP=mypy git commit -m x", "ls", "rm a.py", ""),
    *("echo git push", "gh api repos/a/b/git/refs -f ref=x", "git status 'x", 'eval "$git"', "gh pr view"),
)


@pytest.mark.parametrize("hooks", [INTACT, MISSING])
@pytest.mark.parametrize(("command", "start"), REFUSED.items(), ids=REFUSED)
def test_way_around_the_hooks_is_refused(command: str, start: str, hooks: str) -> None:
    verdict, text = said(evaluate(event(SHELL, text=command), KnownFacts(guarded=GUARDED, hooks=hooks)))
    assert (verdict, text.startswith(f"blocked: {start}")) == ("deny", True), text


@pytest.mark.parametrize("command", ASKED)
def test_push_is_left_to_the_hook_and_asks_the_gate_without_one(command: str) -> None:
    push = event(SHELL, text=command)
    assert said(evaluate(push, KnownFacts())) == ("nothing", "")
    assert said(evaluate(push, KnownFacts(hooks=MISSING))) == ("deny", CLOSED.text)
    assert said(evaluate(push, KnownFacts(hooks=MISSING, gate=OPEN))) == ("nothing", "")
    assert said(evaluate(push, KnownFacts(hooks=NEVER_INSTALLED))) == ("nothing", "")


@pytest.mark.parametrize(
    "command", [one for one in REFUSED if "review-gate unin" not in one and one[:2] not in ("rm", "ec")]
)
def test_repository_without_the_gate_is_ignored(command: str) -> None:
    assert said(evaluate(event(SHELL, text=command), KnownFacts(hooks=NEVER_INSTALLED))) == ("nothing", "")


@pytest.mark.parametrize("command", ["pip uninstall review-gate", "git config --global core.hooksPath x"])
def test_what_reaches_every_repository_is_refused_in_any(command: str) -> None:
    assert evaluate(event(SHELL, text=command), KnownFacts(hooks=NEVER_INSTALLED)).verdict == "deny"


@pytest.mark.parametrize("command", LEFT_ALONE)
def test_other_command_is_left_alone(command: str) -> None:
    facts = KnownFacts(guarded=GUARDED, hooks=MISSING)
    assert said(evaluate(event(SHELL, text=command), facts)) == ("nothing", "")


def test_push_is_judged_in_its_folder_by_its_arguments() -> None:
    facts = KnownFacts(gate=OPEN, hooks=MISSING)
    assert said(evaluate(event(SHELL, text="git -C sub push origin main"), facts)) == ("nothing", "")
    assert facts.pushes == [(f"{HERE}/sub", ("origin", "main"))]


def test_push_behind_a_commit_is_refused_without_the_hook() -> None:
    push = event(SHELL, text="git commit -qm x && git push")
    assert evaluate(push, KnownFacts()).verdict == "nothing"
    assert said(evaluate(push, KnownFacts(hooks=MISSING, gate=OPEN))) == (
        "deny",
        "blocked: nobody can say yet what `git push` would send\n"
        "  why:   the same line changes commits or branches first, and git's own pre-push hook does not run here\n"
        "  next:  push by a command of its own, or: review-gate install",
    )


def test_push_that_skips_the_hooks_is_told_what_to_leave_out() -> None:
    _, text = said(evaluate(event(SHELL, text=f"git --exec-path=/{'x' * 200} push"), KnownFacts()))
    assert text.endswith(f"\n  next:  the same command without --exec-path=/{'x' * 107}...")


def test_missing_parser_refuses_a_line_that_names_a_push(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter_bash", None)
    assert said(evaluate(event(SHELL, text="bash -c 'git push'"), KnownFacts())) == (
        "deny",
        "blocked: `bash -c 'git push'` cannot be read, because tree-sitter is missing or broken\n"
        "  why:   it names a push, or the hooks that keep unreviewed work here\n"
        "  next:  install review-gate again: pip install --force-reinstall review-gate",
    )
    assert evaluate(event(SHELL, text="git commit -m 'x'"), KnownFacts()).verdict == "nothing"
    assert evaluate(event(SHELL, text="npm test 'a b'"), KnownFacts()).verdict == "nothing"


def test_command_of_powershell_is_looked_at_word_by_word() -> None:
    command = "if ($?) { git push origin main --no-verify }"
    answer = evaluate(event(SHELL, text=command, is_powershell=True), KnownFacts())
    assert answer.text.startswith("blocked: `git push origin main --no-verify` skips git's hooks\n")


@pytest.mark.parametrize(("agent", "verdict"), [("claude", "deny"), ("gemini", "deny"), ("cursor", "nothing")])
def test_a_write_to_a_file_without_a_name_is_refused_where_all_names_are_known(agent: str, verdict: str) -> None:
    assert evaluate(event(WRITE, agent=agent), KnownFacts()).verdict == verdict


def test_a_command_that_was_not_sent_along_is_refused() -> None:
    verdict, text = said(evaluate(event(SHELL, text=None), KnownFacts()))
    assert (verdict, text.partition("\n")[0]) == (
        "deny",
        "blocked: the command was not sent along, so nobody can say what it does",
    )
