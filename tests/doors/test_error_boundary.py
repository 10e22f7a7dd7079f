"""The edge of the program: exit codes when nobody can read the errors, and refusals of the system."""

from __future__ import annotations

import errno
import sys
from pathlib import Path

import pytest
from conftest import MakeRepo, Repo
from refusals import block

from git_hooks.boundary import guarded
from review_gate.render.problems import problems_text
from review_gate.reviewers.problem import Problem
from review_gate.reviewers.result import HookResult

WHY = "review-gate cannot go on without it, and what it was doing is not done"
LOOK = "look at what is there, its owner and mode"
CODES = {"bogus": 2, "hook bogus": 2, "run --bogus": 2, "run": 2, "verify": 1, "install": 0}


def test_the_exit_code_is_the_same_when_nothing_can_be_said(repo: Repo) -> None:
    for arguments, code in CODES.items():
        repo.write(".review-gate.yaml", "bsae: main\n" if arguments == "install" else "")
        for stream in ("2>&-", "2>/dev/full"):
            done = repo.run("sh", "-c", f"review-gate {arguments} {stream}")
            assert (arguments, stream, done.returncode) == (arguments, stream, code)


def test_a_file_in_the_place_of_our_folder_is_no_bug_of_ours(repo: Repo) -> None:
    folder = repo.write(".git/review-gate", "")
    done = repo.gate("install")
    step = f"{LOOK} (ls -ld {folder.parent} {folder}), then the same command again"
    assert (done.returncode, done.stderr) == (1, block(f"{folder}: File exists", WHY, step))
    assert repo.run("ls", "-ld", str(folder.parent), str(folder)).returncode == 0
    folder.unlink()
    assert repo.gate("install").returncode == 0


def test_a_disk_without_room_is_no_bug_of_ours(repo: Repo) -> None:
    done = repo.run("sh", "-c", "ulimit -f 0 && review-gate install")
    step = "make room (df -h . shows how much there is, ulimit -f what is allowed), then the same command again"
    assert (done.returncode, done.stderr) == (1, block("the system refused: File too large", WHY, step))
    assert repo.gate("install").returncode == 0


# pydantic makes errors of its own of whatever comes while it builds a model or writes one.
INTERRUPTED = """
import sys
from typing import Annotated
from pydantic import BaseModel, PlainSerializer
from pydantic_core import SchemaValidator, core_schema
from review_gate.cli import main, status

class Member:
    @property
    def value(self):
        raise KeyboardInterrupt

def interrupt(_):
    raise KeyboardInterrupt("it goes on")

class Written(BaseModel):
    field: Annotated[int, PlainSerializer(interrupt)] = 1

class Named:
    def __set_name__(self, *_):
        raise KeyboardInterrupt

def named():
    class Owner:
        name = Named()

class Panic(BaseException):
    pass

def panic():
    raise Panic("failed to import")

WAYS = {
    "built": lambda: SchemaValidator(core_schema.enum_schema(Member, [Member()])),
    "written": lambda: Written().model_dump_json(),
    "named": named,
    "panic": panic,
}
status.run = lambda _: WAYS[sys.argv[2]]()
status.add_arguments = lambda parser: parser.add_argument("way")
sys.argv.insert(1, "status")
main.main()
"""


@pytest.mark.parametrize(
    ("way", "code", "words"),
    [
        ("built", 130, "\ninterrupted: nothing was recorded\n"),
        ("written", 130, "\ninterrupted: it goes on\n"),
        ("named", 130, "\ninterrupted: nothing was recorded\n"),
        ("panic", 3, "error: review-gate itself failed: Panic: failed to import\n"),
    ],
)
def test_an_interrupt_that_pydantic_tells_in_its_own_way_ends_in_words(
    repo: Repo, way: str, code: int, words: str
) -> None:
    done = repo.run(sys.executable, "-c", INTERRUPTED, way)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith(words)


def test_a_hook_that_the_system_refuses_says_so_too(capsys: pytest.CaptureFixture[str]) -> None:
    def refused(_: list[str]) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", "/x/.git/index")

    assert guarded(refused, []) == 1
    step = f"{LOOK} (ls -ld /x/.git /x/.git/index), then the same command again"
    assert capsys.readouterr().err == block("/x/.git/index: Permission denied", WHY, step)


def test_a_hook_that_breaks_refuses_and_shows_where_when_asked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: list[str]) -> int:
        raise KeyError("x")

    told = block(
        "review-gate itself failed: KeyError: 'x'",
        "this is a bug of ours, and a gate that breaks stays closed",
        "the same command again with REVIEW_GATE_DEBUG=1 in the environment shows where; please report it",
    )
    assert (guarded(broken, []), capsys.readouterr().err) == (1, told)
    monkeypatch.setenv("REVIEW_GATE_DEBUG", "1")
    assert guarded(broken, []) == 1
    trace = capsys.readouterr().err.removesuffix(told)
    assert (trace.splitlines()[0], trace.splitlines()[-1]) == ("Traceback (most recent call last):", "KeyError: 'x'")


def test_what_install_and_uninstall_print_of_a_path_is_harmless(make_repo: MakeRepo, tmp_path: Path) -> None:
    folder, shown = tmp_path / "odd\x1b[31m\u202e\nname", f"{tmp_path}/odd\\x1b[31m<U+202E>\\nname"
    repos = [make_repo("one"), make_repo("two")]
    for repo in repos:
        repo.git("config", "core.hooksPath", str(folder))
        assert repo.gate("install").stdout.startswith(f"installed in {shown}\n")
    assert repos[0].gate("uninstall").stdout == (
        f"{shown}: the hooks stay for other repositories, and leave this one alone\n"
    )


def test_the_next_step_of_a_refused_commit_is_harmless() -> None:
    problem = Problem("empty", "major", "the message is empty")
    result = HookResult("the commit message", [("message", problem)], next_step="git commit -F /x/\x1b[2J")
    assert problems_text(result) == (
        "blocked: 1 problem in the commit message\n"
        "  message: the message is empty [empty]\n"
        "  next:  git commit -F /x/\\x1b[2J\n"
    )


def test_every_verb_works_in_an_interpreter_of_its_own(repo: Repo) -> None:
    verbs = (
        "install",
        "status",
        "doctor",
        "config show",
        "checks list",
        "scan --all",
        "run --yes",
        "verify",
        "uninstall",
    )
    done = {verb: repo.run("sh", "-c", f"review-gate {verb}") for verb in verbs}
    assert {verb: one.returncode for verb, one in done.items()} == dict.fromkeys(verbs, 0)
    assert not any("Traceback" in one.stderr for one in done.values())


def test_a_current_folder_that_is_gone_is_told_by_every_verb(repo: Repo) -> None:
    told = block(
        "the current folder is gone",
        "it was deleted or moved while this shell was in it, and paths start from it",
        "cd to a folder that exists, then the same command again",
    ).replace("blocked: ", "error: ")
    verbs = ["run", "verify", "status", "install", "uninstall", "doctor", "checks", "scan", "config show"]
    steps = "; ".join(f"review-gate {verb}; echo $?" for verb in verbs)
    done = repo.run("sh", "-c", f"mkdir gone && cd gone && rmdir ../gone && {{ {steps}; }}")
    assert (done.stdout, done.stderr) == ("2\n" * len(verbs), told * len(verbs))
    done = repo.run("sh", "-c", "mkdir gone && cd gone && rmdir ../gone && review-gate scan --help")
    assert (done.returncode, done.stderr) == (0, "")
