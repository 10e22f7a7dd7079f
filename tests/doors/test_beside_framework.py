"""The gate beside pre-commit, whichever came first: every ref is judged, and neither takes the other out."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest
from conftest import Repo
from framework import EXAMPLE, NOTICE, manager, output, side_branch
from installing import HOOKS, complaints, install

pytestmark = pytest.mark.usefixtures("same_world")


def framework_in(repo: Repo) -> None:
    manager(repo, "install")


def framework_out(repo: Repo) -> None:
    manager(repo, "uninstall")


Steps = tuple[Callable[[Repo], object], ...]
OURS_FIRST: Steps = (install, framework_in)
FRAMEWORK_FIRST: Steps = (framework_in, install)
LATER: dict[str, Steps] = {
    "framework again": (*OURS_FIRST, framework_in),
    "framework that was first gone": (*FRAMEWORK_FIRST, framework_out),
}


def take(steps: Steps, repo: Repo) -> None:
    for step in steps:
        step(repo)


@pytest.mark.parametrize("steps", LATER.values(), ids=LATER.keys())
def test_every_ref_is_judged_beside_the_framework(repo: Repo, steps: Steps) -> None:
    repo.commit("configure", {".pre-commit-config.yaml": EXAMPLE.read_bytes()})
    take(steps, repo)
    repo.review()
    side = side_branch(repo)
    done = repo.push("origin", "main", "side")
    assert done.returncode == 1
    assert f", refs/heads/side is {side[:8]}. Run /review again.\n" in output(done)
    assert NOTICE not in output(done)
    assert (repo.remote_ref("refs/heads/main"), repo.remote_ref("refs/heads/side")) == (None, None)
    assert repo.push("origin", "main").returncode == 0
    assert repo.remote_ref("refs/heads/main") == repo.head


def test_a_forced_install_of_the_framework_that_deletes_our_hook_is_found_by_the_doctor(repo: Repo) -> None:
    shutil.copy(EXAMPLE, repo.path)
    take(OURS_FIRST, repo)
    manager(repo, "install", "--overwrite")
    assert [what for what, _ in complaints(repo)] == [
        f"{hook}: a hook manager's hook stands in {repo.path}/.git/hooks, ours does not run" for hook in HOOKS
    ]
    install(repo)
    assert repo.push("origin", "main").returncode == 1
    assert (repo.path / ".git/hooks/pre-push.before-review-gate").exists()
