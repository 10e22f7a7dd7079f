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


PUSHES = ("git push", "cd . && git push origin main", "bash -c 'git push'", "git push origin HEAD:main", "gh pr create")
UNSEEN = (
    "\n  why:   git's own pre-push hook, which judges every ref of a push, does not run here"
    "\n  next:  review-gate install, and the same push again"
)


def test_unreviewed_push_is_refused_with_the_reason_of_the_gate_where_the_hooks_are_gone(closed: Session) -> None:
    for command in (*PUSHES, "git -c alias.out=push out", 'x=push; git "$x"'):
        assert closed.shell(command) == NEVER.format(closed.repo.head[:8], RUN)


# A refusal costs the time of the git processes: where, hooks folder, branch, settings, objects, refs, what would leave,
# what the remote got lately.
ASKED_AT_MOST = 11


def test_refused_push_asks_git_no_more_than_it_has_to(closed: Session, tmp_path: Path) -> None:
    payload = closed.payload("PreToolUse", tool_name="Bash", tool_input={"command": "git push origin main"})
    asked = started(tmp_path / "trace.json", partial(closed.send, payload))
    assert 7 <= len(asked) <= ASKED_AT_MOST, asked


def test_reviewed_push_goes_on_where_the_hooks_are_gone(open_gate: Session) -> None:
    for command in PUSHES:
        assert open_gate.shell(command) == ""


def test_push_of_more_than_the_current_branch_is_refused_where_the_hooks_are_gone(session: Session) -> None:
    session.repo.review()
    session.repo.branch_off("other", "other", {"other.py": "x = 1\n"})
    session.repo.git("switch", "--quiet", "main")
    more = ("--all", "origin other", "origin main other", "origin v1", "--tags", "--mirr", "origin $branch", "origin :")
    for words in (*more, "-n --no-dry-run", "--recurse-submodules=on-demand", "origin 'refs/heads/*'"):
        refusal = session.shell(f"git push {words}")
        assert refusal == f"blocked: this push may send more than the branch that is checked out{UNSEEN}", words
    for words in ("origin :old", "--dry-run origin other", "-d origin old", "-u origin main", "-o x origin HEAD", ""):
        assert session.shell(f"git push {words}") == "", words
    session.repo.git("config", "push.default", "matching")
    assert session.shell("git push").endswith(UNSEEN)
    session.repo.git("config", "push.default", "simple")
    session.repo.git("config", "remote.origin.push", "refs/heads/other")
    assert session.shell("git push").endswith(UNSEEN)


def test_push_behind_a_commit_on_the_same_line_is_refused_where_the_hooks_are_gone(open_gate: Session) -> None:
    assert open_gate.shell("git commit -am x && git push origin main") == (
        "blocked: nobody can say yet what `git push origin main` would send\n"
        "  why:   the same line changes commits or branches first, and git's own pre-push hook does not run here\n"
        "  next:  push by a command of its own, or: review-gate install"
    )


def test_push_is_left_to_git_where_its_hook_asks_the_gate(session: Session) -> None:
    session.repo.gate("install")
    session.repo.git("config", "alias.up", "push --no-verify")
    for command in (
        *PUSHES,
        "git push --all",
        "git commit -am x && git push",
        'eval "$x"; git push',
        "make; git $x push",
    ):
        assert session.shell(command) == "", command
    for command in (
        "git push --no-verify",
        "git up",
        "HUSKY=0 git push",
        "git -c core.hooksPath=/ push",
        "jj git push",
    ):
        assert session.shell(command).startswith("blocked: "), command


def test_repository_in_which_nothing_was_installed_is_ignored(repo: Repo) -> None:
    session = Session(repo)
    for command in (
        "git push",
        "git push --no-verify",
        "rm .git/hooks/pre-push",
        "pre-commit uninstall",
        "git push 'x",
    ):
        assert session.shell(command) == ""
    assert session.tool("Write", file_path=".git/config", content="x") == ""
    # These are about review-gate itself, or about all repositories of the user.
    for command in ("review-gate uninstall", "pip uninstall review-gate", "git config --global core.hooksPath x"):
        assert session.shell(command).startswith("blocked: ")


@pytest.mark.parametrize("file", [".review-gate.yaml", ".claude/settings.json", ".pre-commit-config.yaml"])
def test_shared_file_that_names_review_gate_counts_as_installed(repo: Repo, file: str) -> None:
    repo.write(file, "{} # review-gate\n")
    assert Session(repo).shell("git push --no-verify").startswith("blocked: ")


def test_repository_is_that_in_which_the_push_would_happen(closed: Session, tmp_path: Path) -> None:
    elsewhere = Session(Repo(tmp_path, closed.repo.environ))
    assert elsewhere.shell("git push") == ""
    for command in ("cd {} && git push", "git -C {} push", "git --git-dir={}/.git push", "GIT_DIR={}/.git git push"):
        assert elsewhere.shell(command.format(closed.repo.path)).startswith("blocked: No review state found.")


def test_push_from_a_repository_that_git_does_not_open_is_refused(session: Session) -> None:
    (session.repo.path / ".git/HEAD").write_text("broken")
    assert session.shell("git -c safe.directory='*' push") == (
        f"blocked: git does not open the repository around {session.repo.path}\n"
        "  why:   it is broken or belongs to somebody else, and nobody can say whether its commits were reviewed\n"
        "  next:  git status says what is wrong with it"
    )


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


def test_ship_is_told_that_a_review_is_stale(session: Session) -> None:
    reviewed = session.repo.head
    session.repo.review()
    session.repo.commit("third", {"app.py": "print('later')\n"})
    document = json.loads(session.context("/ship").partition("\n")[2])
    assert (document["blocked"], document["state_commit"]) == (True, reviewed)
    assert document["reason"].startswith(f"Review state is for commit {reviewed[:8]}, current HEAD is ")


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


def test_a_prompt_with_the_mark_waits_for_its_review(session: Session) -> None:
    context = session.context("please push it !!!")
    name = context.partition("prompt-review request ")[2].split(" ")[0]
    done = session.repo.gate("prompt-review", "request", name, "--format", "json", PROMPT_REVIEW_ENABLED="false")
    assert "please push it" in done.stdout


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


def test_what_our_own_texts_ask_for_is_not_refused(closed: Session) -> None:
    assert [closed.shell(command) for command in OUR_OWN] == [""] * len(OUR_OWN)
