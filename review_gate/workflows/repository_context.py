"""What generators are shown of a repository: gathered from the objects of HEAD by code, without the secrets in it.

Generators have no tools: a program that could search the repository could also be led by it. So this module chooses for
them, within a budget of characters; `consensus.outlook` says by which rules.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from review_gate.checks.applies import Page
from review_gate.checks.withhold import withheld_lines
from review_gate.consensus import outlook
from review_gate.consensus.outlook import UNKNOWN_SIZE, Outlook, TreeFile
from review_gate.errors import MisuseError
from review_gate.pipeline.exhibit import FileText
from review_gate.ports import NotShown, Withheld
from review_gate.reviewers.text import decode_anyhow, is_binary
from review_gate.shell.git import Git
from review_gate.workflows.secret_search import SecretSearch

PLAIN_MODES = (b"100644", b"100755")
NOT_SEARCHED = "it could not be searched for secrets, which must not leave this machine"
TELLING_NAME = "its name holds what looks like a secret"
UNSEARCHED_NAMES = "[withheld: the names of the files could not be searched for secrets]"


class RepositoryContext(NamedTuple):
    """A commit as generators are shown it, and what is told of that."""

    region: str
    outlook: Outlook


class _Names(NamedTuple):
    """The lines of the list of files, and the lines whose names hold a secret."""

    lines: tuple[str, ...]
    secret: Mapping[str, str]


def gather(git: Git, search: SecretSearch, nonce: str) -> RepositoryContext:
    """What is shown of HEAD."""
    commit = git.commit_named("HEAD")
    if commit is None:
        raise MisuseError(
            "there is no commit yet",
            why="drafts are about the content of HEAD, and there is none",
            next_step="git commit, then the same command again",
        )
    files = list(_files(git, commit))
    listed = outlook.listed_files(files)
    texts = _texts(git, outlook.chosen_files(files))
    names = _names(listed, list(texts), search)
    read, withheld = _without_secrets(texts, names, search)
    region = outlook.region(names.lines, len(files) - len(listed), [file for file in read if not file.why_not], nonce)
    return RepositoryContext(
        region.text,
        Outlook(
            commit=commit,
            files=len(files),
            listed=len(listed),
            characters=len(region.text),
            shown=region.shown,
            cut=region.cut,
            not_shown=tuple(NotShown(path=file.path, because=file.why_not) for file in read if file.why_not),
            withheld=tuple(one for one in withheld if one.path in region.shown),
        ),
    )


def _files(git: Git, commit: str) -> Iterator[TreeFile]:
    """The plain files of a commit; links and submodules are no text of this repository."""
    for entry in _entries(git, commit).split(b"\0"):
        head, tab, path = entry.partition(b"\t")
        mode, _, oid, *size = head.split() if tab else (b"", b"", b"")
        if mode in PLAIN_MODES:
            told = int(size[0]) if size and size[0].isdigit() else UNKNOWN_SIZE
            yield TreeFile(os.fsdecode(path), oid.decode("ascii"), told)


def _entries(git: Git, commit: str) -> bytes:
    """What the tree of a commit holds; a partial clone that lacks some of it would fetch all that for the sizes."""
    whole = ("-r", "-z", "--full-tree", commit)
    code, output, _ = git.try_run("ls-tree", "-l", *whole)
    return output if code == 0 else git.run("ls-tree", *whole)


def _texts(git: Git, chosen: Mapping[str, TreeFile]) -> dict[str, str]:
    """The text of each chosen file that is not binary."""
    # What a partial clone lacks of these few it may fetch.
    git.allow_fetching()
    with git.objects() as objects:
        blobs = list(objects.read_all([file.oid for file in chosen.values()], limit=outlook.LARGEST))
    found = zip(chosen, blobs, strict=True)
    return {path: decode_anyhow(blob.data) for path, blob in found if blob is not None and not is_binary(blob.data)}


def _names(listed: Sequence[TreeFile], more: Sequence[str], search: SecretSearch) -> _Names:
    """The list of files without secrets, searched together with the names of all that may be shown."""
    lines = [outlook.listing_line(file) for file in listed]
    text = _readable("\n".join([*lines, *map(outlook.one_line, more)]))
    ((_, hits),) = search.in_words([text])
    secret = withheld_lines(text, hits) if hits else {} if hits is not None else None
    if secret is None:
        return _Names((UNSEARCHED_NAMES,), {outlook.one_line(path): "" for path in more})
    return _Names(tuple(secret.get(_readable(line), line) for line in lines), secret)


def _readable(text: str) -> str:
    """A text as it is searched, where bytes that are no UTF-8 look alike."""
    return text.encode("utf-8", "replace").decode()


def _without_secrets(
    texts: Mapping[str, str], names: _Names, search: SecretSearch
) -> tuple[list[FileText], list[Withheld]]:
    """The chosen files with stand-ins for their secrets, and how many lines of each have one.

    Files are searched as a whole: a key can begin above what is shown.
    """
    pages = [
        Page(path, text.encode("utf-8", "surrogateescape"), is_change=True, is_new=True) for path, text in texts.items()
    ]
    found = search.hits(pages)
    read: list[FileText] = []
    withheld: list[Withheld] = []
    for path, text in texts.items():
        hits, about = found[path], outlook.about(path)
        secret = withheld_lines(text, hits) if hits else {} if hits is not None else None
        if _readable(outlook.one_line(path)) in names.secret:
            read.append(FileText(path, about, (), TELLING_NAME))
        elif secret is None:
            read.append(FileText(path, about, (), NOT_SEARCHED))
        else:
            lines = text.removesuffix("\n").split("\n")
            read.append(FileText(path, about, tuple(secret.get(line, line).removesuffix("\r") for line in lines)))
            count = sum(line in secret for line in lines)
            withheld += [Withheld(path=path, lines=count)] if count else []
    return read, withheld
