"""What all reviewers of a round are shown, and what stands for exactly this content."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

from review_gate.models import Subject
from review_gate.pipeline.exhibit import FileText
from review_gate.ports import Withheld

_ON_HISTORY = "put fixes into fixup commits: git commit --fixup={short}, later git rebase -i --autosquash {short}~1"
_ON_FIRST = "put fixes into fixup commits: git commit --fixup={short}, later git rebase -i --autosquash --root"
_ELSEWHERE = "switch to a branch that has this commit, and put fixes into fixup commits: git commit --fixup={short}"


class Material(NamedTuple):
    """The content of one round, without secrets.

    `subject` is there for changes to a repository; `content` stands for what is under review, whatever of it is shown;
    `suggestion` says how fixes of an older commit are best made; `branch` is what is checked out, where it matters.
    """

    files: tuple[FileText, ...]
    withheld: tuple[Withheld, ...]
    subject: Subject | None
    content: str
    suggestion: str = ""
    branch: str = ""


def content_of_change(base: str, tree: str) -> str:
    """What stands for a change from one tree or commit to another."""
    return sha256(f"{base}\0{tree}".encode()).hexdigest()


def content_of_file(data: bytes) -> str:
    """What stands for a file as it is."""
    return sha256(data).hexdigest()


def fixup_advice(commit: str, *, is_first: bool, is_in_history: bool) -> str:
    """How fixes of a commit are made that is not the newest."""
    advice = (_ON_FIRST if is_first else _ON_HISTORY) if is_in_history else _ELSEWHERE
    return advice.format(short=commit[:8])
