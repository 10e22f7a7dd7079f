"""The gate's word on a push before git begins it: what `git push ARGUMENTS` would send, by what is known here.

Git itself asks the gate again, about the very refs; this is the early word, which costs no connection.
"""

from __future__ import annotations

from review_gate.gate.push import RefUpdate
from review_gate.shell import remote as remotes
from review_gate.workflows.judge import RemoteEvidence, judge
from review_gate.workflows.policy import policy_in_force

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from review_gate.gate.decision import Decision
    from review_gate.shell.git import Git
    from review_gate.shell.repository import Repository

HEAD = "HEAD"
BRANCHES, TAGS = "refs/heads/", "refs/tags/"
# Options whose value may be the next word.
WITH_VALUE = ("--repo", "--receive-pack", "--exec", "-o", "--push-option", "--recurse-submodules")
ALL_BRANCHES = ("--all", "--branches")
SENDS_NOTHING = ("-n", "--dry-run", "-d", "--delete", "-h", "--help")


class Wanted:
    """What the words behind `git push` ask for."""

    __slots__ = ("options", "refspecs", "remote")

    def __init__(self, words: Sequence[str]) -> None:
        self.options: list[str] = []
        names: list[str] = []
        waiting = iter(words)
        for word in waiting:
            if word == "--":
                names += waiting
            elif word in WITH_VALUE:
                self.options.append(f"{word}={next(waiting, '')}")
            else:
                (self.options if word.startswith("-") else names).append(word)
        self.remote = names[0] if names else self._repo()
        self.refspecs = names[1:]

    def has(self, *options: str) -> bool:
        """Whether one of these options was given."""
        return any(option in self.options for option in options)

    def _repo(self) -> str:
        return next((option[7:] for option in self.options if option.startswith("--repo=")), "")


def judge_foreseen_push(repository: Repository, words: Sequence[str]) -> Decision | None:
    """The decision on what a push would send; None where nothing would leave, as far as anyone here can say."""
    wanted = Wanted(words)
    if wanted.has(*SENDS_NOTHING):
        return None
    git = repository.git
    remote = wanted.remote or remotes.default(git) or ""
    commits = {name: git.commit_named(name) for name in dict.fromkeys(_sources(git, wanted, remote))}
    refs = tuple(RefUpdate(name, commit, name, None) for name, commit in commits.items() if commit is not None)
    if not refs:
        return None
    known = remotes.tracked(git, remote) if remote in remotes.names(git) else ()
    # What the tracking refs have does not leave by this push; whether they tell the truth git asks the remote.
    return judge(repository, refs, policy_in_force(repository), lambda: RemoteEvidence(known, proves_tips=True))


def _sources(git: Git, wanted: Wanted, remote: str) -> Iterator[str]:
    """What is sent, by the names that it has here."""
    if wanted.has("--mirror"):
        yield from _listed(git, "refs/heads/", "refs/tags/")
        return
    if wanted.has("--tags"):
        yield from _listed(git, TAGS)
    if wanted.has(*ALL_BRANCHES):
        yield from _listed(git, BRANCHES)
    elif wanted.refspecs:
        yield from _of_refspecs(git, wanted.refspecs)
    else:
        yield from _by_settings(git, remote)


def _by_settings(git: Git, remote: str) -> Iterator[str]:
    """What a push without refspecs sends: what the settings say, else the branch that is checked out."""
    set_for_remote = (git.line("config", "--null", "--get-all", f"remote.{remote}.push") or "") if remote else ""
    refspecs = [one for one in set_for_remote.split("\0") if one]
    if refspecs:
        yield from _of_refspecs(git, refspecs)
    elif git.line("config", "--get", "push.default") == "matching":
        yield from _listed(git, BRANCHES)
    else:
        yield HEAD


def _of_refspecs(git: Git, refspecs: Sequence[str]) -> Iterator[str]:
    waiting = iter(refspecs)
    for refspec in waiting:
        if refspec == "tag":
            yield TAGS + next(waiting, "")
            continue
        source, colon, _ = refspec.removeprefix("+").partition(":")
        if source.endswith("*"):
            yield from _listed(git, source.removesuffix("*"))
        elif source:
            yield source
        elif not (colon and refspec.removeprefix("+")[1:]):
            # A colon alone stands for all branches that the remote has, too.
            yield from _listed(git, BRANCHES)


def _listed(git: Git, *prefixes: str) -> list[str]:
    output = git.run("for-each-ref", "--format=%(refname)", "--", *prefixes)
    return output.decode("utf-8", "surrogateescape").split("\n")[:-1]
