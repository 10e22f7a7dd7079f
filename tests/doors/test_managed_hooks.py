"""Hooks of ours that a script or a hook manager runs: counted only where a refusal of ours cannot be lost."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from conftest import Repo
from framework import EXAMPLE, manager
from installing import HOOKS, assert_gated, assert_not_gated, complaints, hook_file, install

from review_gate.shell.repository import open_repository
from review_gate.workflows.doctor import examine

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
LIMIT = ", which shows it only the first ref of a push (review-gate install adds a hook that sees all)"
CALL = 'review-gate hook pre-push "$@"'

pytestmark = pytest.mark.usefixtures("same_world")


def notes(repo: Repo) -> tuple[str, ...]:
    return examine(open_repository(str(repo.path))).notes


def hooks_row(repo: Repo) -> str:
    return next(line for line in repo.gate("status").stdout.splitlines() if line.startswith("hooks"))


def by_way_of(name: str, limit: str = "") -> tuple[str, ...]:
    return tuple(f"{hook} runs by way of {name}{limit if hook == 'pre-push' else ''}" for hook in HOOKS)


def told_of_push(repo: Repo) -> list[str]:
    """What the doctor says against the pre-push hook."""
    return [what for what, _ in complaints(repo) if what.startswith("pre-push")]


def lost(file: str, why: str) -> list[str]:
    return [f"pre-push: {file} calls our hook, but its verdict may be lost: {why}"]


def nobody(repo: Repo, whose: str = "another") -> list[str]:
    return [f"pre-push: {whose} hook stands in {repo.path}/.git/hooks, ours does not run"]


# A plain shell script


GUARDS = {
    "the call alone": CALL,
    "a comment and a blank line before": f"# the gate\n\n{CALL}\n\n# the end",
    "a comment behind": f"{CALL} # the gate",
    "exec": f"exec {CALL}\necho never",
    "exit 1": f"{CALL} || exit 1\necho done",
    "exit with its code": f"{CALL} || exit $?\necho done",
    "exit alone": f"{CALL} || exit\necho done",
    "set -e": f"set -e\n{CALL}\necho done",
    "set -eu": f"set -u\nset -eux\n{CALL}\necho done",
    "errexit": f"set -o errexit\n{CALL}\necho done",
    "a path": f'"$VENV/bin/{CALL.replace(" ", chr(34) + " ", 1)}',
    "two arguments": 'review-gate hook pre-push "$1" "$2"',
}
BEFORE = "line 2 comes before the call, and may end the script or take its input"
NOT_PLAIN = f"line 2 is more than the plain call: {CALL}"
AFTER = "line 3 comes after the call, which has no || exit 1"
TRAPS = {
    "exit 0 instead": (f"{CALL} || exit 0", NOT_PLAIN),
    "exit 256, which is 0": (f"{CALL} || exit 256", NOT_PLAIN),
    "true instead": (f"{CALL} || true", NOT_PLAIN),
    "a word instead": (f"{CALL} || echo careful", NOT_PLAIN),
    "exit 0 on the next line": (f"{CALL}\nexit 0", AFTER),
    "a command on the next line": (f"{CALL}\necho done", AFTER),
    "true on the same line": (f"{CALL}; true", NOT_PLAIN),
    "in the background": (f"{CALL} &", NOT_PLAIN),
    "the other way round": (f"! {CALL}", NOT_PLAIN),
    "a condition": (f"if {CALL}; then echo ok; fi", NOT_PLAIN),
    "a branch that is never taken": (f"if false; then\n{CALL}\nfi", BEFORE),
    "a here-document": (f"cat <<END\n{CALL}\nEND", BEFORE),
    "input that is eaten": (f"cat >/dev/null\n{CALL}", BEFORE),
    "an early end": (f"exit 0\n{CALL}", BEFORE),
    "a function": (f"gate() {{\n{CALL}\n}}", BEFORE),
    "a pipe": (f"{CALL} | cat", NOT_PLAIN),
    "a continued line": (f"{CALL} \\\n|| true", NOT_PLAIN),
    "no input": (f"{CALL} </dev/null", NOT_PLAIN),
    "set +e": (
        f"set -e\nset +e\n{CALL}\ntrue",
        "line 3 comes before the call, and may end the script or take its input",
    ),
    "a trap": (f"trap 'exit 0' EXIT\n{CALL}", BEFORE),
    "another program that only prints": (f"echo {CALL}", NOT_PLAIN),
    "a setting that is another program's": (f"PATH=/nowhere:$PATH\n{CALL}\ntrue", BEFORE),
}
# Sound, but of another shape: a list of shapes has to end somewhere.
SOUND = {
    "a condition that refuses": (f"if ! {CALL}; then exit 1; fi", NOT_PLAIN),
    "a setting before the call": (f"A=1 {CALL}", NOT_PLAIN),
    "no arguments": ("review-gate hook pre-push", NOT_PLAIN),
}


@pytest.mark.parametrize("body", GUARDS.values(), ids=GUARDS.keys())
def test_a_script_that_guards_pushes_is_called_a_guard(repo: Repo, body: str) -> None:
    (repo.path.parent / "bin").symlink_to(Path(sys.executable).parent)
    repo.environ["VENV"] = str(repo.path.parent)
    hook_file(repo, "pre-push", f"#!/bin/sh\n{body}\n")
    assert (told_of_push(repo), notes(repo)) == ([], ("pre-push runs by way of .git/hooks/pre-push",))
    done = repo.push("origin", "HEAD:refs/heads/probe")
    assert done.returncode == 1
    assert "was never reviewed" in done.stderr
    assert repo.remote_ref("refs/heads/probe") is None


@pytest.mark.parametrize(("body", "why"), TRAPS.values(), ids=TRAPS.keys())
def test_a_script_that_loses_the_verdict_lets_pushes_out_and_is_not_called_a_guard(
    repo: Repo, body: str, why: str
) -> None:
    hook_file(repo, "pre-push", f"#!/bin/sh\n{body}\n")
    assert (told_of_push(repo), notes(repo)) == (lost(".git/hooks/pre-push", why), ())
    assert_not_gated(repo)


@pytest.mark.parametrize(("body", "why"), SOUND.values(), ids=SOUND.keys())
def test_a_script_of_an_unknown_shape_is_not_called_a_guard(repo: Repo, body: str, why: str) -> None:
    hook_file(repo, "pre-push", f"#!/bin/sh\n{body}\n")
    assert told_of_push(repo) == lost(".git/hooks/pre-push", why)


FIRST_LINES = {
    "#!/bin/sh": "",
    "#!/usr/bin/env bash": "",
    "#! /bin/bash": "",
    "#!/bin/sh -n": "#!/bin/sh -n is not a plain shell",
    "#!/usr/bin/env python3": "#!/usr/bin/env python3 is not a plain shell",
    "#!/bin/sh\r": "the script holds control characters",
    "# no shebang": "",
}


@pytest.mark.parametrize(("first", "why"), FIRST_LINES.items())
def test_only_a_plain_shell_reads_the_script_as_it_stands(repo: Repo, first: str, why: str) -> None:
    hook_file(repo, "pre-push", f"{first}\n{CALL}\n")
    assert told_of_push(repo) == (lost(".git/hooks/pre-push", why) if why else [])


def test_a_shell_that_stops_at_failures_guards_whatever_comes_later(repo: Repo) -> None:
    hook_file(repo, "pre-push", f"#!/bin/sh -e\n{CALL}\ntrue\n")
    assert told_of_push(repo) == []
    assert_gated(repo)


@pytest.mark.parametrize("text", ["# " + CALL, "review-gate hook pre-push-not", "review-gate run"])
def test_a_script_that_does_not_call_us_is_another_hook(repo: Repo, text: str) -> None:
    hook_file(repo, "pre-push", f"#!/bin/sh\n{text}\n")
    assert told_of_push(repo) == nobody(repo)


def test_the_screens_agree_on_a_call_whose_verdict_is_lost(repo: Repo) -> None:
    for hook in HOOKS:
        hook_file(repo, hook, f'#!/bin/sh\nexec review-gate hook {hook} "$@"\n')
    assert notes(repo) == tuple(f"{hook} runs by way of .git/hooks/{hook}" for hook in HOOKS)
    assert hooks_row(repo).startswith(f"hooks     installed in {repo.path}/.git/hooks, by way of ")
    hook_file(repo, "pre-push", f"#!/bin/sh\n{CALL} || true\n")
    step = f"cd {repo.path} && review-gate install"
    assert complaints(repo) == [(lost(".git/hooks/pre-push", NOT_PLAIN)[0], step)]
    assert hooks_row(repo) == (
        "hooks     not installed: pre-push; nothing stops a push; the call in .git/hooks/pre-push may be in vain "
        "(why: review-gate doctor) (review-gate install)"
    )
    assert repo.run("sh", "-c", step).returncode == 0
    assert complaints(repo) == []
    assert_gated(repo)


# husky


HUSKY_WRAPPER = '#!/usr/bin/env sh\n. "$(dirname "$0")/h"'
HUSKY_H = """\
#!/usr/bin/env sh
n=$(basename "$0")
s=$(dirname "$(dirname "$0")")/$n
[ ! -f "$s" ] && exit 0
sh -e "$s" "$@"
c=$?
exit $c
"""


def husky(repo: Repo, script: str) -> None:
    repo.git("config", "core.hooksPath", ".husky/_")
    repo.write(".husky/_/h", HUSKY_H)
    repo.write(".husky/_/husky.sh", "echo old\n")
    repo.write(".husky/_/pre-push", HUSKY_WRAPPER).chmod(0o755)
    repo.write(".husky/pre-push", script)


HUSKY_GUARDS = {
    "the call alone": f"{CALL}\n",
    "more behind it, as husky stops at failures": f"{CALL}\nnpm test\n",
    "the two lines of husky 8": f'#!/usr/bin/env sh\n. "$(dirname -- "$0")/_/husky.sh"\n\n{CALL}\n',
}


@pytest.mark.parametrize("script", HUSKY_GUARDS.values(), ids=HUSKY_GUARDS.keys())
def test_a_husky_script_that_guards_pushes_is_called_a_guard(repo: Repo, script: str) -> None:
    husky(repo, script)
    assert (told_of_push(repo), notes(repo)) == ([], ("pre-push runs by way of .husky/pre-push",))
    done = repo.push("origin", "HEAD:refs/heads/probe")
    assert (done.returncode, repo.remote_ref("refs/heads/probe")) == (1, None)


@pytest.mark.parametrize(
    ("script", "why"),
    [
        (f"{CALL} || true\n", "line 1 is more than the plain call: " + CALL),
        (f"cat >/dev/null\n{CALL}\n", "line 1 comes before the call, and may end the script or take its input"),
    ],
)
def test_a_husky_script_that_loses_the_verdict_is_not(repo: Repo, script: str, why: str) -> None:
    husky(repo, script)
    assert told_of_push(repo) == lost(".husky/pre-push", why)
    assert_not_gated(repo)


def test_a_wrapper_that_is_not_husky_s_own_runs_no_script_of_husky(repo: Repo) -> None:
    husky(repo, f"{CALL}\n")
    repo.write(".husky/_/pre-push", f"#!/usr/bin/env sh\nexit 0\n{HUSKY_WRAPPER}")
    where = f"{repo.path}/.husky/_ (core.hooksPath, local)"
    assert told_of_push(repo) == [f"pre-push: another hook stands in {where}, ours does not run"]
    (repo.path / ".husky/_/pre-push").chmod(0o644)
    assert len(told_of_push(repo)) == 1


# pre-commit and prek


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


# lefthook


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
    assert (told_of_push(repo), notes(repo)) == ([], ("pre-push runs by way of lefthook.yml",))


@pytest.mark.parametrize(("config", "why"), LEFTHOOK_TRAPS.values(), ids=LEFTHOOK_TRAPS.keys())
def test_a_job_that_lefthook_may_leave_out_is_not(repo: Repo, config: str, why: str) -> None:
    lefthook(repo)
    repo.write("lefthook.yml", config)
    assert (told_of_push(repo), notes(repo)) == (lost("lefthook.yml", why), ())


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
