"""Hooks of ours that a script or a hook manager runs: what git does, and what doctor, status and sessions say."""

from __future__ import annotations

import json
import shutil

import pytest
from conftest import Repo
from framework import EXAMPLE, manager
from installing import HOOKS, assert_gated, assert_not_gated, complaints, hook_file, install

from review_gate.shell.repository import open_repository
from review_gate.workflows.doctor import examine
from review_gate.workflows.protection import lost_protection

pytestmark = pytest.mark.usefixtures("same_world")
CALL = 'review-gate hook pre-push "$@"'
WHY = f"line 2 is more than the plain call: {CALL}"
LOST = f"pre-push: .git/hooks/pre-push calls our hook, but its verdict may be lost: {WHY}"
RUNS_HOOKS = "git runs our hooks in every work tree"


def notes(repo: Repo) -> tuple[str, ...]:
    return examine(open_repository(str(repo.path))).notes


def hooks_row(repo: Repo) -> str:
    return next(line for line in repo.gate("status").stdout.splitlines() if line.startswith("hooks"))


def test_the_screens_agree_on_scripts_that_call_us(repo: Repo) -> None:
    for hook in HOOKS:
        hook_file(repo, hook, f'#!/bin/sh\nexec review-gate hook {hook} "$@"\n')
    assert notes(repo) == tuple(f"{hook} runs by way of .git/hooks/{hook}" for hook in HOOKS)
    assert RUNS_HOOKS in examine(open_repository(str(repo.path))).healthy
    assert hooks_row(repo).startswith(f"hooks     installed in {repo.path}/.git/hooks, by way of ")
    assert lost_protection(open_repository(str(repo.path))) == []
    assert_gated(repo)
    hook_file(repo, "pre-push", f"#!/bin/sh\n{CALL} || true\n")
    step = f"cd {repo.path} && review-gate install"
    assert complaints(repo) == [(LOST, step)]
    assert hooks_row(repo) == (
        "hooks     not installed: pre-push; nothing stops a push; the call in .git/hooks/pre-push may be in vain "
        "(why: review-gate doctor) (review-gate install)"
    )
    assert_not_gated(repo)
    repo.git("push", "--quiet", "--no-verify", "origin", ":refs/heads/probe")
    assert repo.type(step).returncode == 0
    assert complaints(repo) == []
    assert_gated(repo)


def test_our_ids_in_pre_commit_are_not_verified(repo: Repo) -> None:
    shutil.copy(EXAMPLE, repo.path)
    manager(repo, "install")
    done = repo.gate("doctor")
    limit = "; it sees only the first ref of a push (review-gate install adds a hook that sees all)"
    told = [f"{hook}: managed by pre-commit (.pre-commit-config.yaml), not verified" for hook in HOOKS]
    assert (done.returncode, complaints(repo)) == (0, [])
    assert notes(repo) == (*told[:2], told[2] + limit)
    assert f"note     {told[0]}\n" in done.stdout
    assert RUNS_HOOKS not in done.stdout
    assert hooks_row(repo).endswith("/.git/hooks, by way of .pre-commit-config.yaml (not verified)")
    shown = json.loads(repo.gate("status", "--format", "json").stdout)
    assert (shown["hooks"], shown["managers"]) == (list(HOOKS), [".pre-commit-config.yaml"])
    assert lost_protection(open_repository(str(repo.path))) == []
    install(repo)
    assert (notes(repo), lost_protection(open_repository(str(repo.path)))) == ((), [])
    assert RUNS_HOOKS in repo.gate("doctor").stdout


def test_pre_commit_that_does_not_name_us_protects_nothing(repo: Repo) -> None:
    shutil.copy(EXAMPLE, repo.path)
    manager(repo, "install")
    repo.write(".pre-commit-config.yaml", "repos: []\n# - id: review-gate-pre-push\n")
    assert len(complaints(repo)) == len(HOOKS)
    assert "nothing stops a push" in hooks_row(repo)


def test_a_husky_script_that_calls_us_guards_pushes(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", ".husky/_")
    repo.write(".husky/_/h", 'n=$(basename "$0")\ns=$(dirname "$(dirname "$0")")/$n\nsh -e "$s" "$@"\n')
    repo.write(".husky/_/pre-push", '#!/usr/bin/env sh\n. "$(dirname "$0")/h"').chmod(0o755)
    repo.write(".husky/pre-push", f"{CALL}\ntrue\n")
    assert notes(repo) == ("pre-push runs by way of .husky/pre-push",)
    assert_gated(repo)
