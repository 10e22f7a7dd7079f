"""Shell scripts that call our hook: where a refusal of ours counts, and where it may be lost."""

from __future__ import annotations

import pytest

from review_gate.shell.hook_script import lost_verdict, mentions_call

CALL = 'review-gate hook pre-push "$@"'
GUARDS = {
    "the call alone": CALL,
    "comments and blank lines": f"# the gate\n\n{CALL} # the gate\n\n# the end",
    "exec": f"exec {CALL}\necho never",
    "exit 1": f"{CALL} || exit 1\necho done",
    "exit with its code": f"{CALL} || exit $?\necho done",
    "set -e": f"set -u\nset -eux\n{CALL}\necho done",
    "errexit": f"set -o errexit\n{CALL}\necho done",
    "a path": f'"$VENV/bin/{CALL.replace(" ", chr(34) + " ", 1)}',
    "two arguments": 'review-gate hook pre-push "$1" "$2"',
    "the line of husky 8": f'. "$(dirname -- "$0")/_/husky.sh"\n{CALL}',
}
NOT_PLAIN = f"line 2 is more than the plain call: {CALL}"
BEFORE = "line 2 comes before the call, and may end the script or take its input"
AFTER = "line 3 comes after the call, which has no || exit 1"
TRAPS = {
    "exit 0 instead": (f"{CALL} || exit 0", NOT_PLAIN),
    "exit 256, which is 0": (f"{CALL} || exit 256", NOT_PLAIN),
    "true instead": (f"{CALL} || true", NOT_PLAIN),
    "exit 0 on the next line": (f"{CALL}\nexit 0", AFTER),
    "true on the same line": (f"{CALL}; true", NOT_PLAIN),
    "in the background": (f"{CALL} &", NOT_PLAIN),
    "the other way round": (f"! {CALL}", NOT_PLAIN),
    "a branch that is never taken": (f"if false; then\n{CALL}\nfi", BEFORE),
    "input that is eaten": (f"cat >/dev/null\n{CALL}", BEFORE),
    "a continued line": (f"{CALL} \\\n|| true", NOT_PLAIN),
    "set +e": (f"set -e\nset +e\n{CALL}\ntrue", BEFORE.replace("2", "3")),
    "another program that only prints": (f"echo {CALL}", NOT_PLAIN),
    "no call": ("# nothing", "it is not called"),
}
FIRST_LINES = {
    "#!/bin/sh": "",
    "#!/usr/bin/env bash": "",
    "#! /bin/bash": "",
    "#!/bin/sh -n": "#!/bin/sh -n is not a plain shell",
    "#!/usr/bin/env python3": "#!/usr/bin/env python3 is not a plain shell",
    "# no shebang": "",
}


@pytest.mark.parametrize("body", GUARDS.values(), ids=GUARDS)
def test_script_keeps_the_verdict(body: str) -> None:
    script = f"#!/bin/sh\n{body}\n"
    assert mentions_call(script, "pre-push")
    assert lost_verdict(script, "pre-push") == ""


@pytest.mark.parametrize(("body", "why"), TRAPS.values(), ids=TRAPS)
def test_script_may_lose_the_verdict(body: str, why: str) -> None:
    assert lost_verdict(f"#!/bin/sh\n{body}\n", "pre-push") == why


@pytest.mark.parametrize(("first", "why"), FIRST_LINES.items())
def test_only_a_plain_shell_reads_the_script_as_it_is(first: str, why: str) -> None:
    assert lost_verdict(f"{first}\n{CALL}\n", "pre-push") == why


def test_a_shell_that_stops_at_failures_keeps_the_verdict() -> None:
    assert lost_verdict(f"#!/bin/sh -e\n{CALL}\ntrue\n", "pre-push") == ""
    assert lost_verdict(f"{CALL}\ntrue\n", "pre-push", stops_at_failure=True) == ""


def test_the_other_hooks_have_other_arguments() -> None:
    for hook, call in (("pre-commit", "hook pre-commit"), ("commit-msg", 'hook commit-msg "$1"')):
        assert lost_verdict(f"review-gate {call}\n", hook) == ""
    assert lost_verdict("review-gate hook pre-push\n", "pre-push").startswith("line 1 is more than")


@pytest.mark.parametrize("text", [f"# {CALL}", "review-gate hook pre-push-not", "review-gate run"])
def test_a_script_that_does_not_call_us_does_not_mention_us(text: str) -> None:
    assert not mentions_call(text, "pre-push")
