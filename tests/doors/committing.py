"""Steps of the tests about commits."""

from __future__ import annotations

import sys

from conftest import Repo, Result

PYTHON = f"Python {sys.version_info.major}.{sys.version_info.minor} cannot compile this"
CONFLICT = "ours\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic\n"
SCISSORS = "# ------------------------ >8 ------------------------"
WIP = "message:1: work in progress on the protected branch {} [wip-subject]"


def stage(repo: Repo, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        repo.write(name, content)
    repo.git("add", "-A")


def commit(repo: Repo, *options: str, **environ: str) -> Result:
    return repo.run("git", "commit", "--quiet", *options, **environ)


def refused_files(*problems: str) -> str:
    count = f"{len(problems)} problem{'' if len(problems) == 1 else 's'}"
    lines = "".join(f"  {problem}\n" for problem in problems)
    return f"blocked: {count} in the staged files\n{lines}  next:  fix the files, git add them, git commit again\n"


def refused_message(problem: str, file: str = '"$(git rev-parse --git-path COMMIT_EDITMSG)"') -> str:
    return f"blocked: 1 problem in the commit message\n  {problem}\n  next:  git commit -e -F {file}\n"


def assert_refused(done: Result, text: str) -> None:
    assert (done.returncode, done.stderr) == (1, text)


def assert_silent(done: Result) -> None:
    assert (done.returncode, done.stderr) == (0, "")


OPEN_BRACKET = f"{PYTHON}: '(' was never closed [syntax-python]"
