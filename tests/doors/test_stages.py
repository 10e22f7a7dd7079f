"""The repositories that tests begin with are as good as ones that were installed where they are."""

from __future__ import annotations

import pytest
from conftest import Reach, Repo
from installing import complaints

from review_gate.shell.install_record import was_installed_in
from review_gate.shell.policy_cache import read_compiled
from review_gate.shell.repository import open_repository

pytestmark = pytest.mark.usefixtures("same_world")


@pytest.mark.parametrize("name", ["gated", "opened", "published"])
def test_a_copied_repository_is_healthy_and_its_hooks_have_nothing_to_compile(
    repo: Repo, reach: Reach, name: str
) -> None:
    reach(name, repo)
    repository = open_repository(str(repo.path))
    assert complaints(repo) == []
    assert was_installed_in(repository, str(repo.path / ".git/hooks"))
    assert read_compiled(repository, repo.environ) is not None
    assert repo.git("status", "--porcelain") == ""


@pytest.mark.parametrize("name", ["opened", "published"])
def test_what_a_copied_repository_pushed_is_on_its_own_remote(repo: Repo, reach: Reach, name: str) -> None:
    reach(name, repo)
    assert repo.url_of("origin") == str(repo.path.parent / "repo.git")
    assert repo.remote_ref("refs/heads/main") == repo.head == repo.git("rev-parse", "@{upstream}")
    assert repo.state_file.exists() == (name == "published")
    assert repo.gate("verify").returncode == 0
