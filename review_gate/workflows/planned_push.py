"""The gate's word on a push that git's own hook does not see: only the commit at HEAD can be judged before it."""

from __future__ import annotations

from review_gate.gate.push import RefUpdate
from review_gate.shell.known_remotes import KnownRemotes
from review_gate.workflows.framework_push import SENDS_MANY, positional
from review_gate.workflows.judge import RemoteEvidence, judge_by
from review_gate.workflows.policy import policy_in_force
from review_gate.workflows.verify import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from review_gate.gate.decision import Decision
    from review_gate.shell.repository import Repository

SENDS_NOTHING = {"-n", "--dry-run", "-d", "--delete"}
# `--no-dry-run` takes one of those back, and submodules have hooks of their own.
SENDS_MORE = (*SENDS_MANY, "--recurse-submodules=on-demand", "--recurse-submodules=only", "--no-dry-run", "--no-delete")
UNTOLD = "\0"


class MoreThanHeadError(ValueError):
    """The push may send more than the branch that is checked out."""


def judge_planned_push(repository: Repository, words: Sequence[str]) -> Decision | None:
    """The decision on `git push WORDS`, None if no commit would leave."""
    named, *refspecs = positional(list(words)) or [""]
    # git lets options be shortened.
    has_more = any(UNTOLD in word or (word[3:] and one.startswith(word)) for word in words for one in SENDS_MORE)
    deletes = SENDS_NOTHING & {*words} or (refspecs and all(one[1:] and one[0] == ":" for one in refspecs))
    if deletes and not has_more:
        return None
    remotes = KnownRemotes(repository.git)
    remotes.begin()
    try:
        remote = named or remotes.default() or ""
        if has_more or not _sends_head_only(remotes, remote, refspecs):
            raise MoreThanHeadError
        with repository.git.objects() as objects:
            known = RemoteEvidence(remotes.tracked(remote) if remote in remotes.names() else (), proves_tips=True)
            refs = (RefUpdate("HEAD", resolve(repository, "HEAD"), "HEAD", None),)
            return judge_by(objects, repository, refs, policy_in_force(repository), lambda: known, remotes=remotes)
    finally:
        remotes.end()


def _sends_head_only(remotes: KnownRemotes, remote: str, refspecs: Sequence[str]) -> bool:
    settings = {*remotes.values("push.default"), *remotes.values(f"remote.{remote}.mirror")}
    current = ("HEAD", "@", remotes.branch or "@", f"refs/heads/{remotes.branch}")
    sources = [one.removeprefix("+").partition(":")[0] for one in refspecs or remotes.values(f"remote.{remote}.push")]
    return not settings & {"matching", "true"} and all(source in current for source in sources)
