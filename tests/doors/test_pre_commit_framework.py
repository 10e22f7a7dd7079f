"""The gate behind pre-commit: what its hooks can judge there, and what they say about the rest."""

from __future__ import annotations

import sys

import pytest
from committing import stage
from conftest import MakeRepo, Repo
from framework import EXAMPLE, IDS, MANIFEST, NOTICE, manager, output, side_branch
from refusals import missing

SEVERAL = """\
blocked: this push sends several refs, and the hook framework shows only the first of them
  why:   the others would leave without being judged
  next:  review-gate install (a native hook that judges every ref), or push one ref at a time
"""


@pytest.fixture
def framed(repo: Repo) -> Repo:
    """A repository with our example configuration and pre-commit's hooks, without ours."""
    repo.commit("configure", {".pre-commit-config.yaml": EXAMPLE.read_bytes()})
    manager(repo, "install")
    return repo


# One ref, judged behind the framework


def test_a_first_push_is_blocked_until_it_is_reviewed_and_told_what_stays_hidden(framed: Repo) -> None:
    refused = framed.push("origin", "main")
    assert refused.returncode == 1
    assert NOTICE + missing(framed.head) in output(refused)
    assert framed.remote_ref("refs/heads/main") is None
    framed.review()
    passed = framed.push("origin", "main")
    assert passed.returncode == 0
    assert f"{NOTICE}approved: Commit {framed.head[:8]} passed its review.\n" in output(passed)
    assert framed.remote_ref("refs/heads/main") == framed.head


def test_the_pushed_branch_is_judged_and_not_head(framed: Repo) -> None:
    framed.review()
    side = side_branch(framed)
    refused = framed.push("origin", "side")
    assert refused.returncode == 1
    assert f", refs/heads/side is {side[:8]}. Run /review again.\n" in output(refused)
    framed.git("switch", "--quiet", "side")
    assert framed.push("origin", "main").returncode == 0
    assert framed.remote_ref("refs/heads/side") is None


def test_an_annotated_tag_is_judged_by_its_commit(framed: Repo) -> None:
    framed.git("tag", "-a", "v1", "-m", "one")
    refused = framed.push("origin", "v1")
    assert refused.returncode == 1
    assert missing(framed.head) in output(refused)
    framed.review()
    assert framed.push("origin", "v1").returncode == 0
    assert framed.remote_ref("refs/tags/v1^{commit}") == framed.head


def test_a_leaked_range_does_not_stand_in_for_what_is_pushed(framed: Repo) -> None:
    framed.review()
    reviewed = framed.head
    framed.commit("unreviewed")
    leaked = {"PRE_COMMIT_TO_REF": reviewed, "PRE_COMMIT_FROM_REF": reviewed, "PRE_COMMIT_SOURCE": reviewed}
    done = framed.push("origin", "main", **leaked)
    assert done.returncode == 1
    assert (
        "blocked: PRE_COMMIT_TO_REF and PRE_COMMIT_LOCAL_BRANCH (refs/heads/main) name different commits\n"
        "  why:   one of them was left over in the environment, so nobody knows what is being pushed\n"
        "  next:  unset PRE_COMMIT_TO_REF, then git push\n"
    ) in output(done)
    assert framed.remote_ref("refs/heads/main") is None


@pytest.mark.parametrize("leaked", ["1" * 40, "--output=pwned"])
def test_a_leaked_name_of_nothing_closes_the_gate(framed: Repo, leaked: str) -> None:
    framed.review()
    assert framed.push("origin", "main", PRE_COMMIT_TO_REF=leaked).returncode == 1
    assert framed.remote_ref("refs/heads/main") is None
    assert not (framed.path / "pwned").exists()


# What the framework hides


on_linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux shows the command line of git push to the hook"
)


@on_linux
def test_a_push_of_several_refs_is_refused_where_the_command_line_shows_it(framed: Repo) -> None:
    framed.review()
    side_branch(framed)
    done = framed.push("origin", "main", "side")
    assert done.returncode == 1
    assert NOTICE + SEVERAL in output(done)
    assert (framed.remote_ref("refs/heads/main"), framed.remote_ref("refs/heads/side")) == (None, None)


# The other stages


def test_the_staged_content_and_the_message_are_judged_through_the_framework(framed: Repo) -> None:
    stage(framed, {"new.py": "(\n"})
    refused = framed.run("git", "commit", "-m", "A change")
    assert refused.returncode == 1
    assert "blocked: 1 problem in the staged files\n  new.py:1: " in output(refused)
    stage(framed, {"new.py": "()\n"})
    unfinished = framed.run("git", "commit", "-m", "wip")
    assert unfinished.returncode == 1
    assert "message:1: work in progress on the protected branch main [wip-subject]" in output(unfinished)
    assert framed.run("git", "commit", "-m", "A change").returncode == 0


def test_the_manual_stage_judges_the_index_and_head(framed: Repo) -> None:
    refused = framed.run("pre-commit", "run", "--hook-stage", "manual")
    assert refused.returncode == 1
    assert missing(framed.head) in refused.stdout
    framed.review()
    passed = framed.run("pre-commit", "run", "--hook-stage", "manual")
    assert passed.returncode == 0, passed.stdout
    assert f"approved: Commit {framed.head[:8]} passed its review.\n" in passed.stdout
    stage(framed, {"new.py": "(\n"})
    assert "new.py:1: " in framed.run("pre-commit", "run", "--hook-stage", "manual").stdout


def test_a_configuration_that_names_our_repository_and_a_revision_works(repo: Repo, make_repo: MakeRepo) -> None:
    ours = make_repo("ours")
    revision = ours.commit("manifest", {".pre-commit-hooks.yaml": MANIFEST.read_bytes()})
    ids = "".join(f"      - id: {name}-system\n" for name in IDS)
    config = (
        "default_install_hook_types: [pre-commit, commit-msg, pre-push]\n"
        f"repos:\n  - repo: {ours.path}\n    rev: {revision}\n    hooks:\n{ids}"
    )
    repo.commit("configure", {".pre-commit-config.yaml": config})
    manager(repo, "install")
    stage(repo, {"new.py": "(\n"})
    refused = repo.run("git", "commit", "-m", "A change")
    assert "blocked: 1 problem in the staged files\n  new.py:1: " in output(refused)
    repo.git("reset", "--quiet", "--hard")
    assert NOTICE in repo.push("origin", "main").stdout
    assert repo.remote_ref("refs/heads/main") is None
    repo.review()
    assert repo.push("origin", "main").returncode == 0
