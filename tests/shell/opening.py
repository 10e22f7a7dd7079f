"""What our shell works on, made for a repository of a test without asking git."""

from __future__ import annotations

from conftest import Repo

from review_gate.shell.git import Git
from review_gate.shell.repository import Repository


def git_of(repo: Repo) -> Git:
    """Git in this repository, in the world of the test."""
    return Git(str(repo.path), repo.environ)


def repository_at(repo: Repo) -> Repository:
    """The repository as the hooks know it."""
    git_dir = str(repo.path / ".git")
    return Repository(str(repo.path), git_dir, git_dir)
