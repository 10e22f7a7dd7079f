"""What a round of reviewers is asked to look at, as it was asked for."""

from __future__ import annotations

from typing import Literal

from review_gate.consensus.schema import Mode
from review_gate.models import Frozen

Kind = Literal["uncommitted", "base", "commit", "range", "plan", "artifact"]
_LABELS = {
    "uncommitted": "the uncommitted changes",
    "base": "the changes since {}",
    "commit": "the commit {}",
    "range": "the range {}",
    "plan": "the plan {}",
    "artifact": "the artifact {}",
}


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
    def follows_branch(self) -> bool:
        """Whether it is another change once another branch is checked out."""
        end = self.value.rpartition("..")[2].removeprefix(".")
        is_head = self.kind in ("commit", "range") and (not end or end.startswith(("HEAD", "@")))
        return self.kind == "base" or is_head

    @property
    def label(self) -> str:
        """The scope in words, for messages."""
        return _LABELS[self.kind].format(self.value)


def scope_of(mode: Mode) -> Scope:
    """The scope that a review was begun with."""
    return Scope.model_validate({"kind": mode.scope, "value": mode.value})
