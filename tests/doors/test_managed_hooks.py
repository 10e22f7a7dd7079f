"""Hooks of ours that a hook manager runs: status and doctor see through to them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import Repo
from framework import EXAMPLE, manager
from installing import HOOKS, complaints, hook_file, install

from review_gate.shell.repository import open_repository
from review_gate.workflows.doctor import examine

LEFTHOOK = '#!/bin/sh\ncall_lefthook run "$0" "$@"\n'
LIMIT = ", which shows it only the first ref of a push (review-gate install adds a hook that sees all)"

pytestmark = pytest.mark.usefixtures("same_world")


def notes(repo: Repo) -> tuple[str, ...]:
    return examine(open_repository(str(repo.path))).notes


def hooks_row(repo: Repo) -> str:
    return next(line for line in repo.gate("status").stdout.splitlines() if line.startswith("hooks"))


def by_way_of(name: str, limit: str = "") -> tuple[str, ...]:
    return tuple(f"{hook} runs by way of {name}{limit if hook == 'pre-push' else ''}" for hook in HOOKS)


def test_our_ids_in_the_framework_are_seen(repo: Repo) -> None:
    shutil.copy(EXAMPLE, repo.path)
    manager(repo, "install")
    assert complaints(repo) == []
    assert notes(repo) == by_way_of(".pre-commit-config.yaml", LIMIT)
    row = f"hooks     installed in {repo.path}/.git/hooks, by way of .pre-commit-config.yaml"
    assert hooks_row(repo) == row
    assert f"note     {notes(repo)[2]}\n" in repo.gate("doctor").stdout
    install(repo)
    assert notes(repo) == ()


def test_a_framework_that_does_not_name_us_protects_nothing(repo: Repo) -> None:
    shutil.copy(EXAMPLE, repo.path)
    manager(repo, "install")
    repo.write(".pre-commit-config.yaml", "repos: []\n# - id: review-gate-pre-push\n")
    assert len(complaints(repo)) == len(HOOKS)
    assert "nothing stops a push" in hooks_row(repo)


def test_calls_from_lefthook_and_husky_and_a_plain_hook_are_seen(repo: Repo) -> None:
    for hook in HOOKS:
        hook_file(repo, hook, LEFTHOOK)
    assert len(complaints(repo)) == len(HOOKS)
    repo.write("lefthook.yml", "".join(f"{hook}: run: review-gate hook {hook}\n" for hook in HOOKS))
    assert (complaints(repo), notes(repo)) == ([], by_way_of("lefthook.yml"))
    for hook in HOOKS:
        hook_file(repo, hook, f'#!/bin/sh\nexec review-gate hook {hook} "$@"\n')
    assert notes(repo) == tuple(f"{hook} runs by way of .git/hooks/{hook}" for hook in HOOKS)
    repo.git("config", "core.hooksPath", ".husky/_")
    for hook in HOOKS:
        repo.write(f".husky/_/{hook}", "#!/bin/sh\n. ./h\n").chmod(0o755)
        repo.write(f".husky/{hook}", f'review-gate hook {hook} "$@"\n')
    assert notes(repo) == tuple(f"{hook} runs by way of .husky/{hook}" for hook in HOOKS)
    Path(repo.path / ".husky/_/pre-push").chmod(0o644)
    assert len(complaints(repo)) == 1
