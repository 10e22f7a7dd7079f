"""review-gate status: one screen for each situation, and the same facts for programs."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from conftest import MakeRepo, Repo
from installing import HOOKS, change_line

from review_gate.render.status import status_text
from review_gate.shell.repository import open_repository
from review_gate.workflows.status import status

EMPTY_TREE = "4b825dc6"
LOOPS = "1 passed, 2 passed, 3 passed, 4 nothing to run"
STATE = ".claude/skills/code-review/loop-state.json"
NOT_INSTALLED = "not installed: pre-commit, commit-msg, pre-push; nothing stops a push (review-gate install)"


pytestmark = pytest.mark.usefixtures("same_world")


def rows_of(text: str) -> list[tuple[str, str]]:
    return [(line[:9].rstrip(), line[10:]) for line in text.splitlines()]


def screen(repo: Repo) -> list[tuple[str, str]]:
    """The rows of the status screen."""
    return rows_of(status_text(status(open_repository(str(repo.path))), datetime.now(UTC)))


def commit_row(repo: Repo, subject: str) -> tuple[str, str]:
    return "commit", f"{repo.head[:8]} (main) {subject}"


def hooks_row(repo: Repo) -> tuple[str, str]:
    return "hooks", f"installed in {repo.path}/.git/hooks"


def test_before_the_first_commit(make_repo: MakeRepo) -> None:
    assert screen(make_repo()) == [
        ("commit", "none yet"),
        ("review", "none of this commit"),
        ("current", "no"),
        ("gate", "nothing to judge"),
        ("next", "git commit, then review-gate run"),
        ("hooks", NOT_INSTALLED),
    ]


def test_a_tag_with_the_name_of_the_branch_changes_nothing(gated: Repo) -> None:
    gated.git("tag", "main")
    gated.review()
    rows = dict(screen(gated))
    assert ("commit", rows["commit"]) == commit_row(gated, "first")
    assert rows["next"] == "git push -u origin HEAD"
    done = gated.type(rows["next"])
    assert done.returncode == 0, done.stderr
    assert gated.remote_ref("refs/heads/main") == gated.head


def test_a_commit_that_was_never_reviewed(gated: Repo) -> None:
    done = gated.gate("status")
    assert (done.returncode, done.stderr) == (0, "")
    assert rows_of(done.stdout) == [
        commit_row(gated, "first"),
        ("review", "none of this commit"),
        ("current", "no"),
        ("gate", "closed (missing): No review state found. Run /review before shipping."),
        ("why", f"commit {gated.head[:8]} was never reviewed"),
        ("next", "review-gate run"),
        hooks_row(gated),
    ]


def test_the_review_that_opens_the_gate_is_shown_and_not_a_later_half_one(gated: Repo) -> None:
    gated.commit("second", {"b.py": "b = 1\n"})
    gated.review()
    gated.gate("run", "--yes", "--loops", "1", "--base", "HEAD~1")
    rows = dict(screen(gated))
    assert (rows["loops"], rows["gate"]) == (LOOPS, f"open: Commit {gated.head[:8]} passed its review.")


def test_a_configuration_that_is_not_the_committed_one(gated: Repo) -> None:
    gated.write(".review-gate.yaml", "hygiene: {binary: block}\n")
    row = ("config", ".review-gate.yaml on disk, which is in force, is not the one in this commit")
    assert row in screen(gated)
    gated.commit("configuration")
    assert row not in screen(gated)
    assert json.loads(gated.gate("status", "--format", "json").stdout)["config_differs"] is False


def test_a_reviewed_commit_with_some_hooks_missing(gated: Repo) -> None:
    gated.review()
    (gated.path / ".git/hooks/pre-push").unlink()
    assert screen(gated) == [
        commit_row(gated, "first"),
        ("review", f"finished just now, against {EMPTY_TREE}"),
        ("current", "yes"),
        ("loops", LOOPS),
        ("gate", f"open: Commit {gated.head[:8]} passed its review."),
        ("next", "git push -u origin HEAD"),
        ("hooks", "not installed: pre-push; nothing stops a push (review-gate install)"),
    ]


DEAD = "installed, but their interpreter or package is gone: {}; every {} is refused"
FAULTS = {
    "all interpreters": ("python=", "python=/gone", HOOKS, DEAD.format(", ".join(HOOKS), "commit and push")),
    "one package": ("place=", "place=/gone", ("pre-push",), DEAD.format("pre-push", "push")),
}


@pytest.mark.parametrize(("start", "line", "dead", "words"), FAULTS.values(), ids=FAULTS)
def test_hooks_that_refuse_everything_are_not_called_missing(
    gated: Repo, start: str, line: str, dead: tuple[str, ...], words: str
) -> None:
    gated.review()
    for hook in dead:
        change_line(gated.path / ".git/hooks" / hook, start, line)
    rows = dict(screen(gated))
    assert rows["hooks"] == f"{words} (review-gate install)"
    assert rows["next"] == "review-gate install, then git push -u origin HEAD"
    facts = json.loads(gated.gate("status", "--format", "json").stdout)
    assert (facts["dead_hooks"], facts["changed_hooks"]) == (list(dead), [])
    assert facts["hooks"] == [hook for hook in HOOKS if hook not in dead]
    healed = gated.type("review-gate install && git push --quiet -u origin main")
    assert healed.returncode == 0, healed.stderr


def test_a_dead_a_changed_and_a_missing_hook_are_told_apart(gated: Repo) -> None:
    change_line(gated.path / ".git/hooks/pre-commit", "python=", "python=/gone")
    change_line(gated.path / ".git/hooks/commit-msg", "hook=", "hook='other'")
    (gated.path / ".git/hooks/pre-push").unlink()
    rows = dict(screen(gated))
    dead = DEAD.format("pre-commit", "commit")
    rest = "edited, or another review-gate's: commit-msg; not installed: pre-push; nothing stops a push"
    assert rows["hooks"] == f"{dead}; {rest} (review-gate install)"
    assert json.loads(gated.gate("status", "--format", "json").stdout)["changed_hooks"] == ["commit-msg"]


def test_a_review_that_went_stale(gated: Repo) -> None:
    gated.review()
    reviewed = gated.head[:8]
    gated.commit("one more")
    now = gated.head[:8]
    assert screen(gated) == [
        commit_row(gated, "one more"),
        ("review", f"none of this commit; the last review here is of {reviewed}"),
        ("current", "no"),
        (
            "gate",
            f"closed (stale): Review state is for commit {reviewed}, current HEAD is {now}. Run /review again.",
        ),
        ("why", "no reviewer saw the content of this commit"),
        ("next", "review-gate run"),
        hooks_row(gated),
    ]


def test_a_review_that_failed_shows_its_blockers(gated: Repo) -> None:
    gated.commit("broken", {"new.json": "{", "notes.txt": "<<<<<<< a\n=======\n>>>>>>> b\n"})
    assert gated.gate("run", "--yes").returncode == 1
    rows = screen(gated)
    assert rows[:4] == [
        commit_row(gated, "broken"),
        ("review", f"finished just now, against {EMPTY_TREE}"),
        ("current", "yes"),
        ("loops", "1 failed, 2 not run, 3 not run, 4 not run"),
    ]
    assert [name for name, _ in rows[4:]] == ["blocker", "blocker", "gate", "why", "next", "hooks"]
    assert "new.json:1" in rows[4][1]
    assert "notes.txt:1" in rows[5][1]
    assert rows[6][1].startswith("closed (failed): Loop 1 failed: ")
    assert rows[8] == ("next", "fix, commit, then review-gate run")


def test_blockers_that_do_not_fit_are_counted(gated: Repo) -> None:
    gated.commit("broken", {f"b{number:03}.json": "{" for number in range(150)})
    assert gated.gate("run", "--yes").returncode == 1
    blockers = [value for name, value in screen(gated) if name == "blocker"]
    assert (len(blockers), blockers[-1]) == (11, "and 140 more (review-gate run lists them all)")
    answer = json.loads(gated.gate("verify", "--format", "json").stdout)
    assert [blocker[:4] for blocker in answer["blockers"]] == [f"b{number:03}" for number in range(100)]
    assert "(and 147 more). Fix issues" in answer["message"]


def test_the_review_of_the_index_is_shown_until_it_is_committed(published: Repo) -> None:
    published.write("new.py", "def broken(:\n")
    published.git("add", "-A")
    assert published.gate("run", "--yes", "--staged").returncode == 1
    tree = published.git("write-tree")[:8]
    rows = dict(screen(published))
    assert rows["gate"].startswith("open: ")
    failed = f"the index (tree {tree}) did not pass its review: fix, git add, review-gate run --staged"
    assert rows["staged"] == failed
    published.write("new.py", "()\n")
    published.git("add", "-A")
    assert dict(screen(published))["staged"] == f"the tree {tree} did not pass its review; the index has changed since"
    published.review("--staged")
    tree = published.git("write-tree")[:8]
    passed = f"the index (tree {tree}) passed its review: commit it, and the commit inherits that"
    assert dict(screen(published))["staged"] == passed
    published.git("commit", "--quiet", "-m", "staged")
    assert "staged" not in dict(screen(published))


def test_a_rewritten_commit_is_not_sent_by_a_plain_push(published: Repo) -> None:
    published.git("commit", "--quiet", "--amend", "-m", "better words")
    published.review()
    step = "git push --force-with-lease, if you rewrote what origin/main has; git pull --rebase, if others added to it"
    assert f"\nnext      {step}\n" in published.gate("status").stdout
    assert published.push("--force-with-lease").returncode == 0


def test_a_review_under_another_policy_is_not_current(gated: Repo) -> None:
    gated.review()
    gated.write(".review-gate.yaml", "hygiene: {binary: block}\n")
    rows = screen(gated)
    assert rows[2] == ("current", "no: it was made under another policy")
    what = f"The review of {gated.head[:8]} was made under another policy. Run /review again."
    why = "the settings that decide how strict a review is have changed since"
    assert rows[4:7] == [("gate", f"closed (policy_changed): {what}"), ("why", why), ("next", "review-gate run")]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"{}", "the field head_commit is missing"),
        (b'{"a": 1, "a": 2}', "not JSON: a key stands twice in one object"),
    ],
    ids=["without fields", "duplicate key"],
)
def test_a_corrupt_state_file_is_named(gated: Repo, content: bytes, why: str) -> None:
    gated.write(STATE, content)
    rows = screen(gated)
    assert ("gate", f"closed (corrupt): Cannot read review state file. Check {STATE}.") in rows
    assert ("state", f"{STATE} cannot be used: {why}") in rows


def test_a_state_file_that_is_a_link_is_named(gated: Repo) -> None:
    gated.write(STATE, "{}").unlink()
    (gated.path / STATE).symlink_to("/etc/passwd")
    assert ("state", f"{STATE} cannot be used: it is a symbolic link") in screen(gated)


def test_a_detached_head_is_called_so(gated: Repo) -> None:
    gated.git("switch", "--quiet", "--detach")
    assert screen(gated)[0] == ("commit", f"{gated.head[:8]} (detached HEAD) first")


def test_words_from_a_commit_cannot_write_to_the_terminal(repo: Repo) -> None:
    repo.commit("red \x1b[31m \u202e end")
    assert screen(repo)[0] == commit_row(repo, "red \\x1b[31m <U+202E> end")


def test_the_status_in_json(gated: Repo) -> None:
    never = json.loads(gated.gate("status", "--format", "json").stdout)
    assert (never["commit"], never["branch"], never["review"], never["current"]) == (gated.head, "main", None, False)
    assert (never["decision"]["allowed"], never["decision"]["reason"]) == (False, "missing")
    gated.review()
    now = json.loads(gated.gate("status", "--format", "json").stdout)
    assert now["current"] is True
    assert now["review"]["commit"] == gated.head
    assert now["review"]["loops"] == ["passed", "passed", "passed", "nothing_to_run"]
    assert (now["decision"]["allowed"], now["decision"]["reason"]) == (True, "approved")
    assert now["hooks"] == ["pre-commit", "commit-msg", "pre-push"]
    assert (now["state_file"], now["state_error"], now["unseen_pushes"]) == (STATE, None, [])


def test_the_status_before_the_first_commit_in_json(make_repo: MakeRepo) -> None:
    now = json.loads(make_repo().gate("status", "--format", "json").stdout)
    assert (now["commit"], now["branch"], now["review"], now["decision"]) == (None, "main", None, None)
    assert now["hooks"] == []


def test_looking_at_the_status_changes_nothing_a_user_sees(gated: Repo) -> None:
    gated.review()
    before = gated.git("for-each-ref"), gated.git("status", "--porcelain"), gated.state_file.read_bytes()
    gated.gate("status")
    assert (gated.git("for-each-ref"), gated.git("status", "--porcelain"), gated.state_file.read_bytes()) == before
