"""The watcher: a push that went round the gate is noted, and nothing else is slowed, noted or refused."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from conftest import Repo
from installing import change_line, complaints, install, venv_at

VETO = '#!/bin/sh\n[ "$1" = prepared ] || exit 0\nif grep -q refs/heads/forbidden; then echo no >&2; exit 1; fi\n'


@pytest.fixture
def watched(repo: Repo, same_world: None) -> Repo:
    """One commit on main, our hooks and the watcher."""
    install(repo, with_watcher=True)
    return repo


def unseen(repo: Repo) -> list[tuple[object, object]]:
    """Ref and object id of every push that was noted."""
    log = repo.path / ".git/review-gate/unseen-pushes.jsonl"
    if not log.exists():
        return []
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    assert all(set(entry) == {"time", "ref", "old", "id"} for entry in entries)
    return [(entry["ref"], entry["id"]) for entry in entries]


def noted(ref: str) -> str:
    return f"review-gate: {ref} received a push that the gate never saw; review-gate status shows it\n"


def test_the_watcher_is_installed_on_request_only(repo: Repo) -> None:
    hook = repo.path / ".git/hooks/reference-transaction"
    assert repo.gate("install").returncode == 0
    assert not hook.exists()
    done = repo.gate("install", "--watch")
    assert done.stdout.endswith(
        "  pre-push: installed\n  reference-transaction: installed\n"
        "next:  work as usual, and before git push: review-gate run\n"
    )
    assert os.access(hook, os.X_OK)


def test_a_push_round_the_gate_is_noted_and_shown(watched: Repo) -> None:
    done = watched.push("--quiet", "--no-verify", "origin", "main")
    assert (done.returncode, done.stderr) == (0, noted("refs/remotes/origin/main"))
    head = watched.head
    assert unseen(watched) == [("refs/remotes/origin/main", head)]
    warning = f"WARNING   a push went round the gate: refs/remotes/origin/main got {head[:8]}\n"
    assert watched.gate("status").stdout.endswith(warning)
    doctor = watched.gate("doctor")
    assert doctor.returncode == 1
    assert doctor.stdout.splitlines()[-2:] == [
        f"PROBLEM  1 push went round the gate, the last one {head[:8]} to refs/remotes/origin/main",
        f"         next: review-gate run --scope all, then rm {watched.path}/.git/review-gate/unseen-pushes.jsonl",
    ]


def test_a_push_through_the_gate_is_not_noted(watched: Repo) -> None:
    watched.review()
    done = watched.push("--quiet", "origin", "main")
    assert (done.returncode, done.stderr) == (0, "")
    assert unseen(watched) == []


def test_a_fetch_is_not_noted(watched: Repo, tmp_path: Path) -> None:
    watched.review()
    watched.git("push", "--quiet", "origin", "main")
    other = Repo(tmp_path / "clone", watched.environ)
    watched.git("clone", "--quiet", watched.git("remote", "get-url", "origin"), str(other.path))
    other.commit("from elsewhere")
    other.git("push", "--quiet", "origin", "HEAD:main", "HEAD:more")
    done = watched.run("git", "fetch", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    assert watched.git("rev-parse", "origin/main") == other.head
    assert unseen(watched) == []


def test_every_ref_of_a_push_round_the_gate_is_noted(watched: Repo) -> None:
    refs = ["main", 'we"ird', "grün", "a;$(b)"]
    for ref in refs[1:]:
        watched.git("branch", ref)
    watched.push("--quiet", "--no-verify", "--all", "origin")
    assert sorted(unseen(watched)) == sorted((f"refs/remotes/origin/{ref}", watched.head) for ref in refs)


def test_a_deletion_round_the_gate_is_not_noted(watched: Repo) -> None:
    watched.review()
    watched.git("push", "--quiet", "origin", "main", "main:gone")
    assert watched.push("--quiet", "--no-verify", "origin", ":gone").returncode == 0
    assert unseen(watched) == []


def test_a_push_round_the_gate_from_a_linked_worktree_is_noted_for_all(watched: Repo) -> None:
    watched.git("worktree", "add", "--quiet", "../linked")
    linked = Repo(watched.path.parent / "linked", watched.environ)
    assert linked.push("--quiet", "--no-verify", "origin", "linked").returncode == 0
    assert unseen(watched) == [("refs/remotes/origin/linked", linked.head)]


def test_the_hook_that_was_there_still_runs_and_can_veto(repo: Repo, request: pytest.FixtureRequest) -> None:
    hook = repo.write(".git/hooks/reference-transaction", VETO)
    hook.chmod(0o755)
    request.getfixturevalue("watched")
    assert hook.read_text() != VETO
    vetoed = repo.run("git", "branch", "forbidden")
    assert vetoed.returncode != 0
    assert vetoed.stderr.startswith("no\n")
    repo.git("branch", "fine")
    assert repo.git("branch", "--format=%(refname:short)").split() == ["fine", "main"]


def test_ordinary_work_goes_on_under_the_watcher(watched: Repo) -> None:
    watched.write("new.py", "()\n")
    watched.git("add", "-A")
    watched.git("commit", "--quiet", "-m", "A change")
    watched.git("switch", "--quiet", "-c", "topic")
    watched.git("commit", "--quiet", "--allow-empty", "-m", "More")
    watched.git("rebase", "--quiet", "--force-rebase", "main")
    watched.git("tag", "v1")
    watched.git("stash", "list")
    watched.git("pack-refs", "--all")
    watched.git("branch", "--quiet", "-m", "renamed")
    watched.git("gc", "--quiet")
    assert watched.git("log", "--format=%s") == "More\nA change\nfirst"
    assert unseen(watched) == []


# A watcher that cannot run


def not_watched(python: Path | str) -> str:
    return (
        "warning: this ref update was done, but not watched\n"
        f"  why:   review-gate does not run from where it was installed ({python})\n"
        "  next:  install review-gate again and run: review-gate install --watch\n"
    )


def test_a_watcher_whose_virtual_environment_was_deleted_warns_once_a_push_and_refuses_nothing(
    repo: Repo, tmp_path: Path
) -> None:
    python = venv_at(tmp_path / "venv")
    assert repo.run(str(python), "-m", "review_gate", "install", "--watch").returncode == 0
    (tmp_path / "venv").unlink()
    for branch in ("one", "two"):
        repo.git("branch", branch)
    for refs in (["--all"], [":one", "main:three"]):
        push = repo.push("--quiet", "--no-verify", "origin", *refs)
        assert (push.returncode, push.stderr) == (0, not_watched(python))
    repo.git("commit", "--quiet", "--no-verify", "--allow-empty", "-m", "More")
    fetch = repo.run("git", "fetch", "--quiet")
    assert (fetch.returncode, fetch.stderr) == (0, "")


def test_the_gate_still_refuses_a_push_when_the_package_of_all_hooks_is_gone(watched: Repo) -> None:
    for name in ("reference-transaction", "pre-push"):
        change_line(watched.path / ".git/hooks" / name, "place=", "place=/gone")
    assert watched.push("--quiet", "origin", "main").returncode == 1
    assert watched.push("--quiet", "--no-verify", "origin", "main").returncode == 0


@pytest.mark.parametrize(
    ("start", "line", "what"),
    [
        ("python=", "python=/gone", "its interpreter /gone is gone, no push is watched"),
        ("exit 0", "exit 1", "{hook} was edited, or another review-gate wrote it"),
    ],
    ids=["interpreter gone", "edited"],
)
def test_the_doctor_names_a_watcher_that_does_not_watch(watched: Repo, start: str, line: str, what: str) -> None:
    hook = watched.path / ".git/hooks/reference-transaction"
    change_line(hook, start, line)
    step = "review-gate install --watch"
    assert complaints(watched) == [(f"reference-transaction: {what.format(hook=hook)}", step)]
    assert watched.type(step).returncode == 0
    assert complaints(watched) == []
