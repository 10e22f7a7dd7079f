"""Hooks of ours that a script of somebody's runs: counted only where a refusal of ours cannot be lost."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from conftest import Repo
from installing import HOOKS, assert_gated, assert_not_gated, complaints, hook_file
from managing import CALL, NOT_PLAIN, hooks_row, lost, nobody, notes, told_of_push, told_of_push_with_notes

pytestmark = pytest.mark.usefixtures("same_world")


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
    assert told_of_push_with_notes(repo) == ([], ("pre-push runs by way of .git/hooks/pre-push",))
    done = repo.push("origin", "HEAD:refs/heads/probe")
    assert done.returncode == 1
    assert "was never reviewed" in done.stderr
    assert repo.remote_ref("refs/heads/probe") is None


@pytest.mark.parametrize(("body", "why"), TRAPS.values(), ids=TRAPS.keys())
def test_a_script_that_loses_the_verdict_lets_pushes_out_and_is_not_called_a_guard(
    repo: Repo, body: str, why: str
) -> None:
    hook_file(repo, "pre-push", f"#!/bin/sh\n{body}\n")
    assert told_of_push_with_notes(repo) == (lost(".git/hooks/pre-push", why), ())
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
    assert repo.type(step).returncode == 0
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
    assert told_of_push_with_notes(repo) == ([], ("pre-push runs by way of .husky/pre-push",))
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
