"""Hooks that were there before keep running, and a crash on the way loses nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import Repo
from installing import (
    HOOKS,
    RECORDER,
    assert_gated,
    assert_not_gated,
    hook_file,
    install,
    snapshot,
    typed_install,
    uninstall,
)

pytestmark = pytest.mark.usefixtures("same_world")

# What was there before


def test_the_hook_that_was_there_gets_exactly_what_git_sends(repo: Repo, tmp_path: Path) -> None:
    hook_file(repo, "pre-push", RECORDER)
    repo.git("push", "--quiet", "origin", "main:old", RECORD=os.devnull)
    repo.commit("more")
    repo.git("branch", "other")
    repo.git("tag", "-a", "v1", "-m", "one")
    refs = ("main", "other", "v1", ":old", "main:refs/heads/odd;$(x)")
    repo.review()
    repo.push("--dry-run", "origin", *refs, RECORD=str(tmp_path / "alone"))
    done = typed_install(repo)
    assert "  pre-push: installed; the hook that was there runs too, as pre-push.before-review-gate\n" in done.stdout
    assert repo.push("--dry-run", "origin", *refs, RECORD=str(tmp_path / "kept")).returncode == 0
    assert (tmp_path / "kept").read_bytes() == (tmp_path / "alone").read_bytes()
    assert (tmp_path / "kept").read_bytes().count(b"\n") == 4 + len(refs)


def test_the_hook_that_was_there_does_not_see_a_refused_push(repo: Repo, tmp_path: Path) -> None:
    hook_file(repo, "pre-push", RECORDER)
    repo.environ["RECORD"] = str(tmp_path / "record")
    install(repo)
    assert_gated(repo)
    assert not (tmp_path / "record").exists()


def test_a_kept_pre_push_hook_that_fails_blocks_a_reviewed_push(repo: Repo) -> None:
    hook_file(repo, "pre-push", "#!/bin/sh\necho not today >&2\nexit 3\n")
    install(repo)
    repo.review()
    done = repo.push("origin", "main")
    assert done.returncode == 1
    assert done.stderr.startswith("not today\nerror: failed to push some refs")
    assert repo.remote_ref("refs/heads/main") is None


@pytest.mark.parametrize("hook", ["pre-commit", "commit-msg"])
def test_a_kept_commit_hook_that_fails_blocks_the_commit(repo: Repo, hook: str) -> None:
    hook_file(repo, hook, "#!/bin/sh\necho not today >&2\nexit 3\n")
    install(repo)
    done = repo.run("git", "commit", "--allow-empty", "-m", "fine")
    assert (done.returncode, done.stderr) == (1, "not today\n")


def test_what_kept_commit_hooks_change_is_judged(repo: Repo) -> None:
    hook_file(repo, "pre-commit", "#!/bin/sh\n[ -f stop ] || echo '(' > generated.py && git add generated.py\n")
    hook_file(repo, "commit-msg", "#!/bin/sh\necho 'A finished thing' > \"$1\"\n")
    install(repo)
    done = repo.run("git", "commit", "--allow-empty", "-m", "generate")
    assert done.returncode == 1
    assert done.stderr.startswith("blocked: 1 problem in the staged files\n  generated.py:1: ")
    repo.write("stop", "")
    repo.write("generated.py", "()\n")
    repo.git("commit", "--quiet", "--allow-empty", "-m", "wip")
    assert repo.git("log", "-1", "--format=%s") == "A finished thing"


SCRIPTS = {
    "sh": "#!/bin/sh -e\ntest ! -f forbidden\necho end\n",
    "env": "#!/usr/bin/env -S bash -eu\ntest ! -f forbidden\necho end\n",
    "name": '#!/bin/bash -e\necho "$(basename "$0")"\ntest ! -f forbidden\necho end\n',
    "executed": '#!/bin/bash\nmain() { exit 1; }\nif [[ "${BASH_SOURCE[0]}" == "${0}" ]]; then main; fi\n',
    "sourced": '#!/bin/bash\nname=$(basename "$0")\nmain() { exit 1; }\n(return 0 2>/dev/null) || main\n',
    "library": "#!/bin/sh\n. .git/hooks/pre-push.team\n",
    "name by source": '#!/bin/bash\nhook=$(basename "${BASH_SOURCE[0]}"); [ "$hook" = pre-push ] && exit 1\n',
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_a_hook_that_was_there_refuses_as_before(repo: Repo, script: str) -> None:
    hook_file(repo, "pre-push", script)
    hook_file(repo, "pre-push.team", '[ "$(basename "$0")" != pre-push ] || exit 1\n')
    repo.review()
    repo.write("forbidden", "")
    install(repo)
    assert repo.push("origin", "main").returncode == 1
    assert repo.remote_ref("refs/heads/main") is None


# A crash on the way


def test_install_goes_on_after_a_crash_between_keeping_and_writing(repo: Repo, tmp_path: Path) -> None:
    old = hook_file(repo, "pre-push", RECORDER)
    before = snapshot(repo.path / ".git/hooks")
    os.link(old, f"{old}.before-review-gate")
    install(repo)
    repo.review()
    repo.environ["RECORD"] = str(tmp_path / "record")
    assert_not_gated(repo)
    assert (tmp_path / "record").read_text().startswith("2\norigin\n")
    uninstall(repo)
    assert snapshot(repo.path / ".git/hooks") == before


def test_a_record_of_the_installation_that_cannot_be_read_does_not_stop_uninstall(gated: Repo) -> None:
    (gated.path / ".git/review-gate/install.json").write_text("{")
    uninstall(gated)
    assert not set(HOOKS) & set(os.listdir(gated.path / ".git/hooks"))
