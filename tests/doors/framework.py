"""Steps of the tests about pre-commit, the hook framework that the gate can live behind or beside."""

from __future__ import annotations

from conftest import Repo, Result
from installing import PROJECT

MANIFEST = PROJECT / ".pre-commit-hooks.yaml"
EXAMPLE = PROJECT / ".pre-commit-config.yaml"
IDS = ("review-gate-pre-commit", "review-gate-commit-msg", "review-gate-pre-push")
SCAN = "review-gate-scan"
NOTICE = """\
review-gate: the hook framework shows this hook only the first ref of a push, and some pushes not at all.
  next:  review-gate install (a native hook beside the framework, which judges every ref)
"""


def output(done: Result) -> str:
    """All that a command said, on either stream."""
    return done.stdout + done.stderr


def manager(repo: Repo, *arguments: str) -> Result:
    """A pre-commit command that has to work."""
    done = repo.run("pre-commit", *arguments)
    assert done.returncode == 0, output(done)
    return done


def side_branch(repo: Repo) -> str:
    """A commit on `side` that nobody reviewed, HEAD stays on main; its id."""
    return repo.branch_off("side", "unreviewed", {"side.py": "x = 1\n"})
