"""The gate's word on a push before git begins it: what `git push ARGUMENTS` would send, by what is known here.

Git itself asks the gate again, about the very refs; this is the early word, which costs no connection.
"""

from __future__ import annotations

import os

from review_gate.gate.push import RefUpdate
from review_gate.gate.record import is_object_id
from review_gate.shell.known_remotes import KnownRemotes
from review_gate.workflows.judge import RemoteEvidence, judge_by
from review_gate.workflows.policy import policy_in_force

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from review_gate.gate.decision import Decision
    from review_gate.shell.git import Git, ObjectReader
    from review_gate.shell.repository import Repository

    # A name, and the object that it stands for where that is known already.
    Source = tuple[str, str]

HEAD = "HEAD"
BRANCHES, TAGS = "refs/heads/", "refs/tags/"
# Options whose value may be the next word; the long ones may be shortened.
WITH_VALUE = ("--repo", "--receive-pack", "--exec", "--push-option", "--recurse-submodules")
ALL_BRANCHES = ("--all", "--branches")
SENDS_NOTHING = ("-n", "--dry-run", "-d", "--delete", "-h", "--help")
# To explain a refusal takes long for thousands of refs, and the first ones are enough for it.
AT_ONCE = 200
# Bytes of an object of which only the id is wanted.
NOT_ITS_CONTENT = 0
# Git ends reading altogether over some such names: `@{upstream}` where none is, a path outside of the work tree.
ENDS_READING = ("@{", ":")
NO = ("false", "no", "off", "0")
# As short as it may be written.
RECURSION = ("--recu", "--no-recu")
RECURSION_SETTINGS = r"^(push\.recursesubmodules|submodule\.recurse)$"
# `--no-dry-run` and `--no-delete` take those back.
TAKES_BACK = "--no-d"


# Long options that are understood here when they are shortened, as git does.
LONG = (*WITH_VALUE, *ALL_BRANCHES, "--mirror", "--tags", "--dry-run", "--delete")


class NotThereError(ValueError):
    """Something is to be pushed that is not there, or not yet."""


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
            elif _takes_next(word):
                self.options.append(f"{_whole(word)}={next(waiting, '')}")
            else:
                (self.options if word.startswith("-") else names).append(_whole(word))
        self.remote = names[0] if names else self._repo()
        self.refspecs = names[1:]

    def has(self, *options: str) -> bool:
        """Whether one of these options was given."""
        return any(option in self.options for option in options)

    @property
    def sends_nothing(self) -> bool:
        """Whether no commit leaves, whatever the refspecs are."""
        return self.has(*SENDS_NOTHING) and not any(option.startswith(TAKES_BACK) for option in self.options)

    def _repo(self) -> str:
        return next((option[7:] for option in self.options if option.startswith("--repo=")), "")


def pushes_submodules(repository: Repository, words: Sequence[str]) -> bool:
    """Whether git would push submodules too, by an option or a setting; each with its own hooks, if it has any."""
    wanted = Wanted(words)
    if wanted.sends_nothing or not os.path.lexists(os.path.join(repository.top, ".gitmodules")):
        return False
    said = [option for option in wanted.options if option.startswith(RECURSION)]
    if said:
        return not said[-1].startswith("--no-") and _recurses(said[-1].partition("=")[2])
    listed = repository.git.line("config", "--null", "--get-regexp", RECURSION_SETTINGS) or ""
    # Whichever comes last is in force; one without a value is true.
    settings = [setting.partition("\n") for setting in listed.split("\0") if setting]
    return bool(settings) and (not settings[-1][1] or _recurses(settings[-1][2]))


def _recurses(value: str) -> bool:
    return value.lower() not in (*NO, "check")


def judge_foreseen_push(repository: Repository, words: Sequence[str]) -> Decision | None:
    """The decision on what a push would send; None where nothing would leave, as far as anyone here can say."""
    wanted = Wanted(words)
    if wanted.sends_nothing:
        return None
    remotes = KnownRemotes(repository.git)
    remotes.begin()
    try:
        with repository.git.objects() as objects:
            return _judge(repository, wanted, remotes, objects)
    finally:
        remotes.end()


def _judge(repository: Repository, wanted: Wanted, remotes: KnownRemotes, objects: ObjectReader) -> Decision | None:
    git = repository.git
    remote = wanted.remote or remotes.default() or ""
    sources = _sources(git, wanted, remotes, remote)
    refs = tuple(RefUpdate(name, found or _object(git, objects, name), name, None) for name, found in sources)
    if not refs:
        return None
    # The default one is a remote by itself; what was typed may be an address.
    is_remote = bool(remote) and (not wanted.remote or remote in remotes.names())
    policy = policy_in_force(repository)

    def evidence() -> RemoteEvidence:
        # What the tracking refs have does not leave by this push; whether they tell the truth git asks the remote.
        return RemoteEvidence(remotes.tracked(remote) if is_remote else (), proves_tips=True)

    for start in range(0, len(refs), AT_ONCE):
        decision = judge_by(objects, repository, refs[start : start + AT_ONCE], policy, evidence, remotes=remotes)
        if not decision.allowed:
            break
    return decision


def _object(git: Git, objects: ObjectReader, name: str) -> str:
    """The object that a name stands for; an id is one by itself, whether there is such an object or not."""
    is_asked_alone = is_object_id(name) or any(mark in name for mark in ENDS_READING)
    found = None if is_asked_alone else objects.read(name, limit=NOT_ITS_CONTENT)
    known = found.oid if found is not None else git.object_named(name)
    if known is None:
        raise NotThereError(name)
    return known


def _sources(git: Git, wanted: Wanted, remotes: KnownRemotes, remote: str) -> Iterator[Source]:
    """What is sent, by the names that it has here."""
    mirrors = remotes.values(f"remote.{remote}.mirror")
    if wanted.has("--mirror") or (mirrors and mirrors[-1].lower() not in NO):
        yield from _listed(git, BRANCHES, TAGS)
        return
    if wanted.has("--tags"):
        yield from _listed(git, TAGS)
    if wanted.has(*ALL_BRANCHES):
        yield from _listed(git, BRANCHES)
    elif wanted.refspecs:
        yield from _of_refspecs(git, wanted.refspecs)
    else:
        yield from _by_settings(git, remotes, remote)


def _by_settings(git: Git, remotes: KnownRemotes, remote: str) -> Iterator[Source]:
    """What a push without refspecs sends: what the settings say, else the branch that is checked out."""
    refspecs = remotes.values(f"remote.{remote}.push")
    if refspecs:
        yield from _of_refspecs(git, refspecs)
    elif remotes.values("push.default")[-1:] == ["matching"]:
        yield from _listed(git, BRANCHES)
    else:
        yield HEAD, ""


def _of_refspecs(git: Git, refspecs: Sequence[str]) -> Iterator[Source]:
    waiting = iter(refspecs)
    for refspec in waiting:
        if refspec == "tag":
            yield TAGS + next(waiting, ""), ""
            continue
        if refspec.startswith("^"):
            # It leaves out what others would send.
            continue
        source, target = _ends(refspec.removeprefix("+"))
        if "*" in source:
            yield from _listed(git, source.partition("*")[0])
        elif source:
            yield source, ""
        elif not target:
            # A colon alone stands for all branches that the remote has, too.
            yield from _listed(git, BRANCHES)


def _ends(refspec: str) -> tuple[str, str]:
    """The source and the target; a source may hold colons itself, as `:/text` does."""
    source, colon, target = refspec.rpartition(":")
    return (source, target) if colon else (target, "")


def _takes_next(word: str) -> bool:
    # `-fo value` too: the last letter of a bundle.
    is_bundle = (
        word.startswith("-") and not word.startswith("--") and word.endswith("o") and word.index("o") == len(word) - 1
    )
    return is_bundle or _whole(word) in WITH_VALUE


def _whole(word: str) -> str:
    """The long option that a shortened one stands for; with a value, or where several begin like it, as it is."""
    if not word.startswith("--") or word in ("--", *LONG):
        return word
    begun = [option for option in LONG if option.startswith(word)]
    return begun[0] if len(begun) == 1 else word


def _listed(git: Git, *prefixes: str) -> list[Source]:
    """The refs that begin so: git itself takes only whole names between slashes."""
    folders = [prefix.rpartition("/")[0] + "/" for prefix in prefixes]
    output = git.run("for-each-ref", "--format=%(refname) %(objectname)", "--", *folders)
    lines = output.decode("utf-8", "surrogateescape").split("\n")[:-1]
    refs = [(name, found) for name, _, found in (line.partition(" ") for line in lines)]
    return [ref for ref in refs if ref[0].startswith(prefixes)]
