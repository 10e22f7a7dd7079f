"""The real bash judges: what it starts was foreseen, and of lines without doubts nothing else."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from review_gate.commandline.acts import PUSH, SEND, UNCLEAR, UNKNOWN, Act
from review_gate.commandline.find import acts_in

BASH = shutil.which("bash")
pytestmark = pytest.mark.skipif(BASH is None, reason="there is no bash to compare with")

# It notes its own name and its arguments, one record a call.
STAND_IN = """#!/bin/sh
{ printf '%s\\0' "${0##*/}" "$@"; printf '\\n\\0'; } >> "$RECORDS"
"""
STAND_INS = ("git", "gh", "rm", "tee", "cp", "mv", "jj", "sudo")

PUSHES = (
    *("git push", "git push origin main", '"git" push', "g\\it push", "$'\\x67it' push", "git pu''sh"),
    *("/usr/bin/env git push", "env git push", "env -u A B=c git push o", "env -S 'git push x'", "timeout 5 git push"),
    *("command git push", "nice -n 3 git push", "nohup git push", "FOO=1 git push", "git -C . push", "exec git push"),
    *("git -c a.b=c push", "git --no-pager push", "git {push,origin}", "{git,push,o}", "git $(echo push)"),
    *("git `echo push`", "echo push | xargs git", "xargs git push </dev/null", "echo git push | sh", "time git push"),
    *("bash -c 'git push'", "sh -c 'git \"$@\"' x push y", "eval git push", "eval 'git pu''sh'", "! git push"),
    *("bash <<< 'git push'", "bash <<E\ngit push\nE\n", "bash <<'E'\ngit push $x\nE\n", "$(echo git push)"),
    *("find . -maxdepth 0 -exec git push {} \\;", "printf 'git %s\\n' push | bash", 'a=(git push z); "${a[@]}"'),
    *(">/dev/null git push", "git push 2>&1", "git \\\n push", 'g() { git "$@"; }; g push', 'echo "$(git push)"'),
    *(
        "cat <(git push)",
        "cat <<E\n$(git push)\nE\n",
        "echo $((1 + $(git push; echo 1)))",
        "[[ -n $(git push) ]]",
    ),
    *('set -- push q; git "$@"', "trap 'git push' EXIT", "(git push) &\nwait", "case $(git push) in *) ;; esac"),
    *(
        "bash -c -- 'git push'",
        "bash -ec 'git push; true'",
        "eval \"$(printf 'git %s' push)\"",
    ),
)
OTHERS = (
    *(
        "true",
        "false",
        ":",
        "git status",
        "echo git push",
        "echo 'git push'",
        "# git push",
        "ls",
        "cd .",
        "git commit -m push",
    ),
    *("x=push", "x=status", "x=", "unset x", "git $x", 'git "$x"', "git ${x:-push}", "git ${x:+push}", "git ${x}"),
    *(
        "y=git; $y push",
        "y=status; git $y",
        'echo "git push" >/dev/null',
        "printf '%s' 'git push'",
        "cat <<'E'\ngit push\nE\n",
    ),
    *("export x=push", "read x <<< push", "printf -v x push", "git log --grep=push", "x+=h", "x=pus; x+=h; git $x"),
    *("git stash push", "echo push | cat", "test git = push", "local_=git", "git $1", "alias g=git", "true git push"),
)
SURE = (
    "{0}\n{1}",
    "{0}\ntrue && {1}",
    "( {0}\n)\n{1}",
    "{{ {0}\n}}\n{1}",
    "if true; then {0}\nfi\n{1}",
    "for i in 1; do {0}\n{1}\ndone",
    "f() {{ {0}\n}}\nf\n{1}",
    "true | {{ {0}\n}}\n{1}",
    '{0}\necho "$({1}\n)"',
    "case a in a) {0}\n;; esac\n{1}",
)
DOUBTFUL = (
    "{0}\nfalse && {{ {1}\n}}",
    "true || {{ {0}\n}}\n{1}",
    "if false; then {0}\nelse {1}\nfi",
    "for x in push status; do {0}\n{1}\ndone",
    "for i in 1 2; do {0}\n{1}\ndone",
    "case a in b) {0}\n;; *) {1}\n;; esac",
    "while false; do {0}\ndone\n{1}",
    "x=status; false && x=push\n{0}\n{1}",
    "true || x=push && x=status\n{0}\n{1}",
    "{0} | cat\n{1}",
)
QUOTED = (
    "bash -c {0}",
    "eval {0}",
    "echo {0} | sh",
    "sh -s <<< {0}",
    "env A=b bash -c {0}",
    "trap {0} EXIT",
    "x=push bash -c {0}",
)

# What `sh` may not understand stays with bash, and no trap is set by a trap, which would not be sprung.
OF_BASH = tuple(one for one in QUOTED if not one.startswith(("sh ", "trap ")) and "| sh" not in one)


def nested(parts: tuple[str, ...], shapes: tuple[str, ...], quotes: tuple[str, ...] = QUOTED) -> st.SearchStrategy[str]:
    """Lines that are made of parts, put into shapes and into quotes, some levels deep."""

    def wider(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        shaped = st.tuples(st.sampled_from(shapes), inner, inner).map(lambda one: one[0].format(one[1], one[2]))
        quoted = st.tuples(st.sampled_from(quotes), inner).map(lambda one: one[0].format(shlex.quote(one[1])))
        return st.one_of(shaped, quoted)

    return st.recursive(st.sampled_from(parts), wider, max_leaves=5)


class Bash:
    """A bash whose programs only note that they were called."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.records = folder / "records"
        programs = folder / "programs"
        programs.mkdir()
        for name in STAND_INS:
            (programs / name).write_text(STAND_IN)
            (programs / name).chmod(0o755)
        self.environ = {
            "PATH": f"{programs}{os.pathsep}/usr/bin:/bin",
            "RECORDS": str(self.records),
            "HOME": str(folder),
        }

    def started(self, line: str) -> list[list[str]]:
        """The calls of stand-ins that a line leads to, each as its words."""
        self.records.write_bytes(b"")
        work = self.folder / "work"
        work.mkdir(exist_ok=True)
        assert BASH is not None
        subprocess.run(
            [BASH, "--norc", "-c", line],
            cwd=work,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
        text = self.records.read_bytes().decode("utf-8", "surrogateescape")
        return [record.split("\0")[:-1] for record in text.split("\n\0") if record]


@pytest.fixture(scope="module")
def bash(tmp_path_factory: pytest.TempPathFactory) -> Bash:
    return Bash(tmp_path_factory.mktemp("bash"))


def no_aliases(_folder: str) -> dict[str, str]:
    return {}


def pushes_of(calls: list[list[str]]) -> list[list[str]]:
    return [call for call in calls if call[0] == "git" and "push" in call[1:] and subcommand(call) == "push"]


def subcommand(call: list[str]) -> str:
    at = 1
    while at < len(call) and call[at].startswith("-"):
        at += 2 if call[at] in ("-C", "-c") else 1
    return call[at] if at < len(call) else ""


def arguments(call: list[str]) -> list[str]:
    return call[call.index("push") + 1 :]


def fits(act: Act, given: list[str]) -> bool:
    """Whether these arguments are those of the act, where it knows them."""
    if act.kind == UNCLEAR:
        return True
    if act.kind != PUSH:
        return False
    if any(word == UNKNOWN for word in act.words):
        return True
    return len(act.words) == len(given) and all(
        known == real or UNKNOWN in known for known, real in zip(act.words, given, strict=True)
    )


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(nested((*PUSHES, *OTHERS), (*SURE, *DOUBTFUL)))
def test_every_push_that_bash_starts_was_foreseen(bash: Bash, line: str) -> None:
    acts = acts_in(line, no_aliases)
    for call in pushes_of(bash.started(line)):
        assert any(fits(act, arguments(call)) for act in acts), (line, call, acts)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(nested((*PUSHES, "git status", "echo git push", "cat <<'E'\ngit push\nE\n", "true"), SURE, OF_BASH))
def test_nothing_is_foreseen_that_bash_does_not_start(bash: Bash, line: str) -> None:
    if "exec " in line:
        # After it nothing more is run, which is not looked at.
        return
    foreseen = {act.words for act in acts_in(line, no_aliases) if act.kind in (PUSH, SEND, UNCLEAR)}
    real = [arguments(call) for call in pushes_of(bash.started(line))]
    for words in foreseen:
        assert any(fits(Act(PUSH, words), one) for one in real), (line, words, real)


@pytest.mark.parametrize("line", PUSHES)
def test_each_spelling_of_a_push_is_one_for_bash_and_for_us(bash: Bash, line: str) -> None:
    calls = pushes_of(bash.started(line))
    acts = [act for act in acts_in(line, no_aliases) if act.kind == PUSH]
    assert calls
    assert acts
    assert all(any(fits(act, arguments(call)) for act in acts) for call in calls)
