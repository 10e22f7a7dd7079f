"""What is reviewed in rounds: the scope as it was asked for, and the content that is in it now."""

from __future__ import annotations

from hashlib import sha256
from typing import Literal, NamedTuple

from review_gate.consensus.schema import Mode
from review_gate.models import Frozen, Subject
from review_gate.pipeline.exhibit import FileText
from review_gate.ports import Withheld

Kind = Literal["uncommitted", "base", "commit", "range", "plan", "artifact"]
_LABELS = {
    "uncommitted": "the uncommitted changes",
    "base": "the changes since {}",
    "commit": "the commit {}",
    "range": "the range {}",
    "plan": "the plan {}",
    "artifact": "the artifact {}",
}
_ON_HISTORY = "put fixes into fixup commits: git commit --fixup={short}, later git rebase -i --autosquash {short}~1"
_ON_FIRST = "put fixes into fixup commits: git commit --fixup={short}, later git rebase -i --autosquash --root"
_ELSEWHERE = "switch to a branch that has this commit, and put fixes into fixup commits: git commit --fixup={short}"


class Scope(Frozen):
    """A kind of content, and which: the name of a base, a commit, a range, or a path."""

    kind: Kind
    value: str = ""

    @property
    def is_code(self) -> bool:
        """Whether it is a change to a repository, and not one file as it is."""
        return self.kind not in ("plan", "artifact")

    @property
    def diff_args(self) -> str:
        """The scope of a change as it was typed."""
        from shlex import quote

        if self.kind == "uncommitted":
            return "--uncommitted"
        if self.kind == "range":
            return quote(self.value)
        return f"--{self.kind} {quote(self.value)}" if self.is_code else ""

    @property
    def label(self) -> str:
        """The scope in words, for messages."""
        return _LABELS[self.kind].format(self.value)


def scope_of(mode: Mode) -> Scope:
    """The scope that a review was begun with."""
    return Scope.model_validate({"kind": mode.scope, "value": mode.value})


class Material(NamedTuple):
    """The content of one round, without secrets.

    `subject` is there for changes to a repository; `content` stands for what is under review, whatever of it is shown;
    `suggestion` says how fixes of an older commit are best made; `branch` is what is checked out.
    """

    files: tuple[FileText, ...]
    withheld: tuple[Withheld, ...]
    subject: Subject | None
    content: str
    suggestion: str = ""
    branch: str = ""


def content_of_change(base: str, tree: str) -> str:
    """The digest of a change from one tree or commit to another."""
    return sha256(f"{base}\0{tree}".encode()).hexdigest()


def content_of_file(data: bytes) -> str:
    """The digest of a file as it is."""
    return sha256(data).hexdigest()


def fixup_advice(commit: str, *, is_first: bool, is_in_history: bool) -> str:
    """How fixes of a commit are made that is not the newest."""
    advice = (_ON_FIRST if is_first else _ON_HISTORY) if is_in_history else _ELSEWHERE
    return advice.format(short=commit[:8])
