"""An agent meets the gate: pushes, /ship and /review in real repositories."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from conftest import Repo
from deciding import Session, at_work, shared
from tracing import started

NEVER = (
    "blocked: No review state found. Run /review before shipping.\n  why:   commit {} was never reviewed\n  next:  {}"
)
RUN = "review-gate run"


@pytest.fixture
def session(repo: Repo) -> Session:
    return at_work(repo)


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory, templates: Path) -> Session:
    """The same for all tests that only ask."""
    return at_work(shared(tmp_path_factory.mktemp("closed"), templates))


@pytest.fixture(scope="module")
def open_gate(tmp_path_factory: pytest.TempPathFactory, templates: Path) -> Session:
    """One whose latest commit was reviewed, for all tests that only ask."""
    session = at_work(shared(tmp_path_factory.mktemp("open"), templates))
    session.repo.review()
    return session


SPELLINGS = (
    "git push",
    "cd . && git push origin main",
    "bash -c 'git push'",
    "git -C . push",
    "env X=1 /usr/bin/git push",
    "timeout 5 git push origin HEAD:main",
    "git -c alias.out=push out",
    "x=push; git $x",
)


@pytest.mark.parametrize("command", SPELLINGS)
def test_an_unreviewed_push_is_refused_with_the_reason_of_the_gate(closed: Session, command: str) -> None:
    assert closed.shell(command) == NEVER.format(closed.repo.head[:8], RUN)


# What a refusal costs is the time of the git processes: where, branch, settings, objects, refs, what would leave, what
# the remote got lately.
ASKED_AT_MOST = 7
REFUSED = (
    ("git push", ASKED_AT_MOST),
    ("git push origin main", ASKED_AT_MOST),
    ("git push origin HEAD:main", ASKED_AT_MOST),
    ("cd . && git push", ASKED_AT_MOST),
    ("git -C . push", ASKED_AT_MOST),
    ("git push --all", ASKED_AT_MOST + 1),
)


@pytest.mark.parametrize(("command", "most"), REFUSED, ids=[command for command, _ in REFUSED])
def test_a_refused_push_asks_git_no_more_than_it_has_to(
    closed: Session, tmp_path: Path, command: str, most: int
) -> None:
    payload = closed.payload("PreToolUse", tool_name="Bash", tool_input={"command": command})
    asked = started(tmp_path / "trace.json", partial(closed.send, payload))
    # Fewer would mean that it was not refused.
    assert ASKED_AT_MOST <= len(asked) <= most, asked


def test_a_refused_push_of_reviewed_and_other_commits_asks_once_more(session: Session, tmp_path: Path) -> None:
    first = session.repo.head
    session.repo.commit("third", {"app.py": "print('later')\n"})
    session.repo.gate("run", "--yes", "--base", "HEAD~1")
    payload = session.payload("PreToolUse", tool_name="Bash", tool_input={"command": "git push"})
    asked = started(tmp_path / "trace.json", partial(session.send, payload))
    assert f"1 commit ({first[:8]}) below it would leave unreviewed" in session.shell("git push")
    assert len(asked) <= ASKED_AT_MOST + 1, asked


def test_a_reviewed_push_is_left_to_the_user(open_gate: Session) -> None:
    for command in SPELLINGS:
        assert open_gate.shell(command) == ""


def test_an_alias_of_the_repository_is_a_push_too(session: Session) -> None:
    session.repo.git("config", "alias.up", "push origin main")
    assert session.shell("git up").startswith("blocked: No review state found.")


def test_another_branch_is_judged_by_its_own_commit(session: Session) -> None:
    session.repo.review()
    other = session.repo.branch_off("sneaky", "other", {"other.py": "x = 1\n"})
    assert session.shell("git push origin main") == ""
    refusal = session.shell("git push origin main sneaky")
    assert f"commit {other[:8]} was never reviewed" in refusal or "sneaky" in refusal
    assert session.shell("git push --all").startswith("blocked: ")
    assert session.shell("git push origin :old") == ""
    assert session.shell("git push --dry-run origin sneaky") == ""


def test_nothing_new_leaves_with_what_the_remote_has(session: Session) -> None:
    session.repo.git("switch", "--quiet", "--detach", "origin/main")
    assert session.shell("git push origin HEAD:refs/heads/copy") == ""


def test_the_repository_is_that_in_which_the_push_would_happen(session: Session, tmp_path: Path) -> None:
    elsewhere = Session(Repo(tmp_path, session.repo.environ))
    assert elsewhere.shell("git push") == ""
    assert elsewhere.shell(f"cd {session.repo.path} && git push").startswith("blocked: No review state found.")
    assert elsewhere.shell(f"git -C {session.repo.path} push").startswith("blocked: No review state found.")


@pytest.mark.parametrize(
    "command",
    [
        "git push --no-verify",
        "git push --no-veri",
        "git -c core.hooksPath=/dev/null push",
        "git send-pack ../repo.git main",
        "git commit --no-verify -m x",
        "git commit -nm x",
        "git config core.hooksPath /dev/null",
        "git config --global core.hooksPath /dev/null",
        "git update-ref -d refs/review-gate/commits/1",
        "review-gate uninstall",
        "rm .git/hooks/pre-push",
        "echo '{}' > .claude/skills/code-review/loop-state.json",
        "chmod -x .git/hooks/pre-push",
    ],
)
def test_an_agent_never_takes_the_gate_away_even_where_it_is_open(open_gate: Session, command: str) -> None:
    assert open_gate.shell(command).startswith("blocked: ")


@pytest.mark.parametrize(
    "command", ["git status", "ls -la", "git commit -m 'push it'", "git log --oneline", "echo push"]
)
def test_other_commands_go_on_without_a_word(closed: Session, command: str) -> None:
    assert closed.shell(command) == ""


def test_ship_is_told_the_word_of_the_gate(session: Session) -> None:
    head, _, document = session.context("/ship now").partition("\n")
    assert head == "Ship gate: BLOCKED. Show the user the blockers and the suggestion, and do no git operation."
    assert json.loads(document) == {
        "blocked": True,
        "reason": "No review state found. Run /review before shipping.",
        "why": f"commit {session.repo.head[:8]} was never reviewed",
        "state_commit": None,
        "current_commit": session.repo.head,
        "blockers": ["No review state found. Run /review before shipping."],
        "suggestion": "/review, or: review-gate run",
    }
    session.repo.review()
    head, _, document = session.context("/ship").partition("\n")
    assert head == "Ship gate: APPROVED"
    assert json.loads(document)["reviewed_commit"] == session.repo.head


def test_a_repository_that_git_does_not_open_is_told_as_one_and_not_as_none(session: Session) -> None:
    (session.repo.path / ".git/HEAD").write_text("broken")
    what = f"git does not open the repository around {session.repo.path}"
    document = json.loads(session.context("/ship").partition("\n")[2])
    assert (document["blocked"], document["reason"], document["blockers"]) == (True, what, [what])
    assert document["suggestion"] == "git status says what is wrong with it"
    assert json.loads(session.context("/review").partition("\n")[2])["problem"] == what
    started = session.answered("SessionStart", source="startup")["systemMessage"]
    assert started.startswith(
        f"review-gate: gate closed: {what} next: git status says what is wrong with it | protection INCOMPLETE: "
        "git does not open this repository, so nobody can say whether its hooks run; "
    )


def test_a_folder_without_a_repository_has_nothing_to_ship(session: Session, tmp_path: Path) -> None:
    document = json.loads(
        session.answered("UserPromptSubmit", prompt="/ship", cwd=str(tmp_path))["hookSpecificOutput"][
            "additionalContext"
        ].partition("\n")[2]
    )
    assert document["reason"] == "there is no git repository here, so there is nothing to ship"
    started = session.answered("SessionStart", source="startup", cwd=str(tmp_path))
    assert "nothing here would leave unreviewed" in started["hookSpecificOutput"]["additionalContext"]


def test_ship_is_told_that_a_review_is_stale(session: Session) -> None:
    reviewed = session.repo.head
    session.repo.review()
    session.repo.commit("third", {"app.py": "print('later')\n"})
    document = json.loads(session.context("/ship").partition("\n")[2])
    assert (document["blocked"], document["state_commit"]) == (True, reviewed)
    assert document["reason"].startswith(f"Review state is for commit {reviewed[:8]}, current HEAD is ")


def test_ship_is_told_why_a_review_failed(session: Session) -> None:
    session.repo.commit("third", {"app.py": "print('later'\n"})
    assert session.repo.gate("run", "--yes").returncode == 1
    document = json.loads(session.context("/ship").partition("\n")[2])
    assert document["blocked"] is True
    assert document["reason"].startswith("Loop 1 failed: ")
    assert document["blockers"] != []


def test_ship_outside_of_a_repository_is_refused(session: Session, tmp_path: Path) -> None:
    elsewhere = Session(Repo(tmp_path, session.repo.environ))
    assert json.loads(elsewhere.context("/ship").partition("\n")[2])["blocked"] is True


def test_review_is_told_its_scope_and_nothing_is_run(closed: Session) -> None:
    before = closed.repo.git("for-each-ref")
    head, _, text = closed.context("/review all --loops 1,2").partition("\n")
    document = json.loads(text)
    assert head == "Review command detected (nothing has been run yet):"
    assert document == {
        "command": "/review",
        "scope": "all",
        "commit": closed.repo.head,
        "base": closed.repo.git("rev-parse", "origin/main"),
        "base_label": "refs/remotes/origin/main",
        "files": ["app.py"],
        "file_count": 1,
        "uncommitted": 0,
        "loops": [1, 2],
        "options": [],
    }
    assert closed.repo.git("for-each-ref") == before
    assert not closed.repo.state_file.exists()


def test_review_of_an_unknown_base_says_so(closed: Session) -> None:
    document = json.loads(closed.context("/review --base nowhere").partition("\n")[2])
    assert document["problem"] == "the base 'nowhere' is not a commit here"


def test_a_prompt_with_the_mark_waits_for_its_review(session: Session) -> None:
    context = session.context("please push it !!!")
    name = context.partition("prompt-review request ")[2].split(" ")[0]
    done = session.repo.gate("prompt-review", "request", name, "--format", "json", PROMPT_REVIEW_ENABLED="false")
    assert "please push it" in done.stdout


def test_a_prompt_that_is_told_twice_waits_once(session: Session) -> None:
    # Registered with the project and with the user, we are asked about one prompt twice.
    first, second, later = (session.context("please push it !!!", prompt_id=turn) for turn in ("one", "one", "two"))
    assert first == second != later
    assert session.context("/prompt-review it", prompt_id="one") == session.context(
        "/prompt-review it", prompt_id="one"
    )
    assert session.context("please push it !!!") != session.context("please push it !!!")


def test_a_text_behind_prompt_review_waits_for_its_review(session: Session) -> None:
    context = session.context("/prompt-review optimize\n  $HOME !!!")
    name = context.partition("prompt-review request ")[2].split(" ")[0]
    done = session.repo.gate("prompt-review", "request", name, "--format", "json", PROMPT_REVIEW_ENABLED="false")
    assert json.loads(done.stdout)["prompt"] == "optimize\n  $HOME !!!"


OUR_OWN = (
    'review-gate run --loops 2 --yes --findings - <<\'EOF\'\n{"a": "git push, .git/hooks"}\nEOF',
    'review-gate run --loops 2 --yes --manifest "$file"',
    'review-gate expert-review "$plan" --format json',
)


@pytest.mark.parametrize("command", OUR_OWN)
def test_what_our_own_texts_ask_for_is_not_refused(session: Session, command: str) -> None:
    assert session.shell(command) == ""


@pytest.mark.parametrize("command", ["review-gate uninstall", 'review-gate "$verb"', "review-gate --claude uninstall"])
def test_the_gate_is_not_taken_out_by_an_agent(session: Session, command: str) -> None:
    assert "takes the gate away" in session.shell(command)


def test_a_session_begins_with_a_line_about_the_gate(closed: Session) -> None:
    said = closed.answered("SessionStart", source="startup")
    line = said["hookSpecificOutput"]["additionalContext"]
    assert line.startswith("review-gate: gate closed: No review state found. Run /review before shipping. next: ")
    assert "protection INCOMPLETE: git's pre-commit hook is absent (review-gate install); " in line
    assert said["systemMessage"] == line
    assert "\n" not in line


def test_hooks_that_run_twice_say_the_same(closed: Session) -> None:
    assert closed.shell("git push") == closed.shell("git push") != ""
