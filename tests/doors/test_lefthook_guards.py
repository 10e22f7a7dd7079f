"""Hooks of ours that lefthook runs: counted only where a refusal of ours cannot be lost."""

from __future__ import annotations

import pytest
from conftest import Repo
from installing import HOOKS, complaints, hook_file
from managing import CALL, NOT_PLAIN, by_way_of, lost, nobody, notes, told_of_push, told_of_push_with_notes

LEFTHOOK = """\
#!/bin/sh

if [ "$LEFTHOOK_VERBOSE" = "1" -o "$LEFTHOOK_VERBOSE" = "true" ]; then
  set -x
fi

if [ "$LEFTHOOK" = "0" ]; then
  exit 0
fi

call_lefthook()
{
  if lefthook -h >/dev/null 2>&1
  then
    lefthook "$@"
  else
    echo "Can't find lefthook in PATH"
    echo "ERROR: Operation is aborted due to lefthook settings."
    exit 1
  fi
}

call_lefthook run "@HOOK@" "$@"
"""

pytestmark = pytest.mark.usefixtures("same_world")


def lefthook(repo: Repo, *hooks: str) -> None:
    for hook in hooks or ("pre-push",):
        hook_file(repo, hook, LEFTHOOK.replace("@HOOK@", hook))
    repo.write(".lefthook/pre-push/gate.sh", f"#!/bin/sh\nexec {CALL}\n")


PUSH = "pre-push: {{{}scripts: {{gate.sh: {{use_stdin: true{}}}}}}}\n"
JOBS = "pre-push: {{jobs: [{}]}}\n"
LEFTHOOK_GUARDS = {
    "a script": PUSH.format("", ""),
    "its runner and words": PUSH.format("", ", runner: sh, fail_text: no, priority: 1, tags: [a]"),
    "beside others": PUSH.format("parallel: true, commands: {t: {run: x, glob: '*', skip: true}}, ", ""),
    "settings of lefthook": "assert_lefthook_installed: true\ncolors: false\nmin_version: 1.0.0\n"
    + PUSH.format("", ""),
    "another hook": "mine: {jobs: [{run: x}]}\npre-commit: {skip: true, jobs: []}\n" + PUSH.format("", ""),
    "a job": JOBS.format("{script: gate.sh, use_stdin: true, name: gate}"),
    "a group": JOBS.format("{name: all, group: {piped: true, jobs: [{script: gate.sh, use_stdin: true}]}}"),
}
LEAVES_OUT = "{} may switch it off"
LEFTHOOK_TRAPS = {
    **{
        f"the job's {key}": (PUSH.format("", f", {key}: {value}"), LEAVES_OUT.format(key))
        for key, value in {
            "skip": "[merge]",
            "only": "[{ref: main}]",
            "glob": "'*.py'",
            "files": "ls",
            "exclude": "[a]",
            "root": "web/",
            "file_types": "text",
            "env": "{A: b}",
            "interactive": "true",
            "args": "x",
        }.items()
    },
    "skip that is off, for now": (PUSH.format("", ", skip: false"), LEAVES_OUT.format("skip")),
    **{
        f"the hook's {key}": (PUSH.format(f"{key}: {value}, ", ", tags: [slow]"), LEAVES_OUT.format(f"pre-push.{key}"))
        for key, value in {
            "skip": "true",
            "only": "[merge]",
            "files": "ls",
            "exclude": "[a]",
            "exclude_tags": "[slow]",
            "setup": "[{run: x}]",
        }.items()
    },
    **{
        f"{key} for all": (f"{key}: {value}\n" + PUSH.format("", ""), LEAVES_OUT.format(key))
        for key, value in {
            "extends": "[other.yml]",
            "remotes": "[{git_url: x}]",
            "rc": "~/.rc",
            "lefthook": "'true'",
            "templates": "{a: b}",
            "source_dir": "other",
        }.items()
    },
    "no input": (
        PUSH.format("", "").replace("use_stdin: true", "runner: sh"),
        "without use_stdin: true it does not get the list of refs",
    ),
    "input for two": (
        PUSH.format("commands: {t: {run: cat, use_stdin: true}}, ", ""),
        "another job has use_stdin, and only one gets the list of refs",
    ),
    "a runner that is no shell": (PUSH.format("", ", runner: echo"), "its runner is not sh"),
    "a group that is left out": (
        JOBS.format("{skip: true, group: {jobs: [{script: gate.sh, use_stdin: true}]}}"),
        LEAVES_OUT.format("skip"),
    ),
    "a run job": (
        JOBS.format("{run: 'review-gate hook pre-push {1} {2}', use_stdin: true}"),
        "lefthook leaves a run job out when another branch than HEAD is pushed; a script always runs",
    ),
}


@pytest.mark.parametrize("config", LEFTHOOK_GUARDS.values(), ids=LEFTHOOK_GUARDS.keys())
def test_a_job_that_lefthook_always_runs_is_called_a_guard(repo: Repo, config: str) -> None:
    lefthook(repo)
    repo.write("lefthook.yml", config)
    assert told_of_push_with_notes(repo) == ([], ("pre-push runs by way of lefthook.yml",))


@pytest.mark.parametrize(("config", "why"), LEFTHOOK_TRAPS.values(), ids=LEFTHOOK_TRAPS.keys())
def test_a_job_that_lefthook_may_leave_out_is_not(repo: Repo, config: str, why: str) -> None:
    lefthook(repo)
    repo.write("lefthook.yml", config)
    assert told_of_push_with_notes(repo) == (lost("lefthook.yml", why), ())


LOCAL_FILES = {
    "lefthook-local.yml": "pre-push: {scripts: {gate.sh: {skip: true}}}\n",
    ".lefthook-local.toml": "[pre-push]\nskip = true\n",
    ".config/lefthook-local.json": '{"extends": ["mine.yml"]}\n',
    "lefthook-local.yaml": "rc: ~/.rc\n",
    ".lefthook-local.jsonc": "{ not to be read\n",
}


@pytest.mark.parametrize(("name", "content"), LOCAL_FILES.items())
def test_a_local_file_of_lefthook_may_take_the_guard_away(repo: Repo, name: str, content: str) -> None:
    lefthook(repo)
    repo.write("lefthook.yml", PUSH.format("", ""))
    repo.write("lefthook-local.json", '{"colors": false, "pre-commit": {"jobs": [{"run": "x"}]}}\n')
    assert told_of_push(repo) == []
    repo.write(name, content)
    assert told_of_push(repo) == lost("lefthook.yml", f"{name} may switch it off")


def test_the_script_that_lefthook_runs_has_to_guard(repo: Repo) -> None:
    lefthook(repo)
    repo.write("lefthook.yml", PUSH.format("", ""))
    repo.write(".lefthook-local/pre-push/gate.sh", f"{CALL}\n")
    assert told_of_push(repo) == lost("lefthook.yml", "more than one script of that name would run")
    (repo.path / ".lefthook-local/pre-push/gate.sh").unlink()
    repo.write(".lefthook/pre-push/gate.sh", f"#!/bin/sh\n{CALL} || true\n")
    assert told_of_push(repo) == lost("lefthook.yml", NOT_PLAIN)
    (repo.path / ".lefthook/pre-push/gate.sh").unlink()
    assert told_of_push(repo) == nobody(repo)


def test_only_the_file_that_lefthook_reads_counts(repo: Repo) -> None:
    lefthook(repo)
    repo.write("lefthook.toml", "[pre-push.scripts.'gate.sh']\nuse_stdin = true\n")
    assert notes(repo) == ("pre-push runs by way of lefthook.toml",)
    repo.write(".lefthook.yml", "pre-commit: {jobs: [{run: x}]}\n")
    assert told_of_push(repo) == nobody(repo)


def test_a_hook_of_lefthook_that_was_changed_or_fails_open_is_no_guard(repo: Repo) -> None:
    lefthook(repo)
    repo.write("lefthook.yml", PUSH.format("", ""))
    text = LEFTHOOK.replace("@HOOK@", "pre-push")
    hook_file(repo, "pre-push", text.replace('    echo "ERROR: Operation is aborted due to lefthook settings."\n', ""))
    why = "lefthook lets everything through where it is not found (assert_lefthook_installed)"
    assert told_of_push(repo) == lost("lefthook.yml", why)
    for changed in (text + "exit 0\n", text.replace("call_lefthook()", "exit 0\ncall_lefthook()"), "# lefthook\n"):
        hook_file(repo, "pre-push", changed)
        assert told_of_push(repo) == nobody(repo)


def test_each_work_tree_has_its_own_configuration(repo: Repo) -> None:
    lefthook(repo, *HOOKS)
    runs = "pre-commit: {jobs: [{run: review-gate hook pre-commit}]}\n" + (
        "commit-msg: {commands: {gate: {run: 'review-gate hook commit-msg {1}'}}}\n"
    )
    repo.write("lefthook.yml", runs + PUSH.format("", ""))
    assert (complaints(repo), notes(repo)) == ([], by_way_of("lefthook.yml"))
    repo.git("worktree", "add", "--quiet", "../bare", "--detach")
    assert len(complaints(repo)) == len(HOOKS)
