"""Hooks of ours that pre-commit or prek runs: counted only where a refusal of ours cannot be lost."""

from __future__ import annotations

import shutil

import pytest
from conftest import Repo
from framework import EXAMPLE, manager
from installing import HOOKS, complaints, hook_file, install
from managing import by_way_of, hooks_row, lost, nobody, notes, told_of_push

LIMIT = ", which shows it only the first ref of a push (review-gate install adds a hook that sees all)"

pytestmark = pytest.mark.usefixtures("same_world")


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


OUR_HOOK = "repos: [{{repo: 'https://example.org/gate', hooks: [{{id: review-gate-pre-push{}}}]}}]\n"
LOCAL_KEYS = ", language: system, stages: [pre-push], always_run: true, pass_filenames: false"
LOCAL_HOOK = "repos: [{{repo: local, hooks: [{{id: x, entry: {}}}]}}]\n"
NOT_OURS = {
    "another stage": OUR_HOOK.format(", stages: [manual]"),
    "a comment": "repos:\n- repo: local\n  hooks:\n  - id: other # was review-gate-pre-push\n",
    "a local hook of another stage": LOCAL_HOOK.format("review-gate hook pre-push, stages: [pre-commit]"),
    "no YAML": "repos: [\n",
    "stages that are none": OUR_HOOK.format(", stages: [[a], {b: c}, manual]"),
    "a deep trap": "a: " + "[" * 20_000 + "review-gate-pre-push",
    "a trap of aliases": "a: &a [x]\nrepos: [{hooks: [{id: review-gate-pre-push, args: [*a]}]}]\n",
}
IN_VAIN = {
    "always_run off": (OUR_HOOK.format(", always_run: false"), "always_run is not true"),
    "always_run off in old YAML": (OUR_HOOK.format(", always_run: no"), "always_run is not true"),
    "another entry": (OUR_HOOK.format(", entry: 'true', stages: [pre-push]"), "always_run is not true"),
    "another entry that always runs": (
        OUR_HOOK.format(f", entry: 'true'{LOCAL_KEYS}"),
        "entry is more than the plain call: review-gate hook pre-push",
    ),
    "other arguments": (OUR_HOOK.format(", args: [a, b]"), "args is not the one of our hook"),
    "another language": (OUR_HOOK.format(", language: fail"), "language is not the one of our hook"),
    "file names": (OUR_HOOK.format(", pass_filenames: true"), "pass_filenames is not false"),
    "an unknown key": (OUR_HOOK.format(", shell: x"), "shell may switch it off"),
    "our id without our hook": (
        "repos: [{repo: local, hooks: [{id: review-gate-pre-push}]}]\n",
        "always_run is not true",
    ),
    "a local hook that waits for files": (
        LOCAL_HOOK.format("review-gate hook pre-push, language: system, stages: [pre-push], pass_filenames: false"),
        "always_run is not true",
    ),
    "a local hook with file names": (
        LOCAL_HOOK.format(f"review-gate hook pre-push{LOCAL_KEYS}".replace("false", "true")),
        "pass_filenames is not false",
    ),
    "a local hook in another language": (
        LOCAL_HOOK.format(f"review-gate hook pre-push{LOCAL_KEYS}".replace("system", "pygrep")),
        "language is not system",
    ),
    "only the words": (
        LOCAL_HOOK.format(f"echo review-gate hook pre-push{LOCAL_KEYS}"),
        "entry is more than the plain call: review-gate hook pre-push",
    ),
    "a shell that loses the verdict": (
        LOCAL_HOOK.format(f"sh -c 'review-gate hook pre-push || true'{LOCAL_KEYS}"),
        "entry is more than the plain call: review-gate hook pre-push",
    ),
}
OURS = {
    "an old name of the stage": OUR_HOOK.replace("push}}", "push-system}}").format(", stages: [push]"),
    "filters, which a hook that always runs does not ask": OUR_HOOK.format(
        ", files: ^no$, exclude: '.', types: [c], types_or: [c], exclude_types: [text], always_run: true"
    ),
    "filters for all hooks": "files: ^no$\nexclude: '.'\ndefault_stages: [manual]\nfail_fast: true\n"
    "ci: {skip: [review-gate-pre-push]}\n" + OUR_HOOK.format(", verbose: true"),
    "a local hook": LOCAL_HOOK.format(f"/usr/bin/review-gate hook pre-push{LOCAL_KEYS}"),
    "a local hook with its name in the arguments": LOCAL_HOOK.format(
        f"review-gate, args: [hook, pre-push]{LOCAL_KEYS}"
    ),
    "default stages": "default_stages: [pre-push]\n"
    + LOCAL_HOOK.format(f"review-gate hook pre-push{LOCAL_KEYS.replace(', stages: [pre-push]', '')}"),
}


def framework_hook(repo: Repo, config: str) -> None:
    hook_file(repo, "pre-push", "#!/bin/sh\n# File generated by pre-commit\nARGS=(--config=ci.yaml)\n")
    repo.write("ci.yaml", config)


@pytest.mark.parametrize("config", NOT_OURS.values(), ids=NOT_OURS.keys())
def test_the_framework_s_configuration_is_read_and_not_searched(repo: Repo, config: str) -> None:
    framework_hook(repo, config)
    assert told_of_push(repo) == nobody(repo, "a hook manager's")


@pytest.mark.parametrize(("config", "why"), IN_VAIN.values(), ids=IN_VAIN.keys())
def test_a_hook_that_the_framework_may_leave_out_is_not_called_a_guard(repo: Repo, config: str, why: str) -> None:
    framework_hook(repo, config)
    assert told_of_push(repo) == lost("ci.yaml", why)


@pytest.mark.parametrize("config", OURS.values(), ids=OURS.keys())
def test_a_hook_that_the_framework_always_runs_is_called_a_guard(repo: Repo, config: str) -> None:
    framework_hook(repo, config)
    assert told_of_push(repo) == []


def test_filters_do_not_keep_the_framework_from_running_the_hook(repo: Repo) -> None:
    filters = ", files: ^no$, exclude: '.', types: [c], types_or: [c], exclude_types: [text]"
    config = "files: ^no$\nexclude: '.'\n" + LOCAL_HOOK.format(
        f"review-gate hook pre-push, name: x{LOCAL_KEYS}{filters}"
    )
    repo.commit("configure", {".pre-commit-config.yaml": config})
    manager(repo, "install", "--hook-type", "pre-push")
    assert told_of_push(repo) == []
    done = repo.push("origin", "main")
    assert (done.returncode, repo.remote_ref("refs/heads/main")) == (1, None)
    assert "was never reviewed" in done.stdout + done.stderr


def test_prek_reads_its_own_file_and_no_other_once_that_is_there(repo: Repo) -> None:
    hook_file(repo, "pre-push", "#!/bin/sh\n# File generated by prek\n")
    repo.write(".pre-commit-config.yaml", OUR_HOOK.format(""))
    assert told_of_push(repo) == []
    repo.write("prek.toml", "repos = []\n")
    assert told_of_push(repo) == nobody(repo, "a hook manager's")
    repo.write("prek.toml", "[[repos]]\nrepo = 'https://x'\nhooks = [{id = 'review-gate-pre-push'}]\n")
    assert told_of_push(repo) == []
