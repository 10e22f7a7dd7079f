"""What models are shown, without the secrets in it: they leave this machine by no question.

Whole files are looked at, before and after the change: a key can begin above the lines that are shown. What could not
be looked at is not shown. No comment lets a secret out, and who switched the checks off gets the shipped ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from review_gate.checks.applies import Page
from review_gate.checks.plan import CheckPlan
from review_gate.checks.withhold import withheld_lines
from review_gate.config.schema import Checks
from review_gate.pipeline.exhibit import FileText
from review_gate.ports import Withheld
from review_gate.reviewers.text import decode_anyhow
from review_gate.shell.change_text import with_stand_ins
from review_gate.shell.changes import Change
from review_gate.shell.git import Git
from review_gate.workflows.secret_search import SecretSearch

NOT_SEARCHED = "it could not be searched for secrets, which must not leave this machine"
TELLING_NAME = "its name holds what looks like a secret ({})"
MESSAGE_NOT_SHOWN = "[withheld: this message could not be searched for secrets]"


class ToSearch(NamedTuple):
    """A change in which secrets are looked for, with all checks in force and their settings."""

    git: Git
    changes: Sequence[Change]
    plan: CheckPlan | None
    settings: Checks


class Shown(NamedTuple):
    """Files and commit messages as models may see them, and how much of each was withheld."""

    files: tuple[FileText, ...]
    messages: tuple[str, ...]
    withheld: tuple[Withheld, ...]


def without_secrets(change: ToSearch, files: Sequence[FileText], messages: Sequence[str] = ()) -> Shown:
    """All that models are shown of a change, with stand-ins for secrets."""
    search = SecretSearch(change.plan, change.settings.seconds_per_file)
    named = list(without_secret_names(files, search))
    secret = _secret_lines(named, change.changes, _Versions(search, change.git, change.settings.max_file_bytes))
    shown = [_without(file, secret[file.path]) if file.path in secret else (file, 0) for file in named]
    said, count = _messages(messages, search)
    withheld = [Withheld(path=file.path, lines=lines) for file, lines in shown if lines]
    withheld += [Withheld(path=None, lines=count)] if count else []
    return Shown(tuple(file for file, _ in shown), said, tuple(withheld))


# Shown instead of each line that holds a secret; None for a file that is not shown at all.
_Lines = Mapping[str, str] | None


class _Versions:
    """The search in the old or the new versions of files; `limit` is the size of one that is too large for it."""

    def __init__(self, search: SecretSearch, git: Git, limit: int) -> None:
        self._search = search
        self._git = git
        self._limit = limit

    def lines(self, wanted: Mapping[str, str]) -> dict[str, _Lines]:
        """The lines with secrets of some blobs, by path; only of those that have some."""
        texts: dict[str, str] = {}
        too_large: list[str] = []
        hits = self._search.hits(self._pages(wanted, texts, too_large))
        found: dict[str, _Lines] = dict.fromkeys(too_large)
        for path, of_file in hits.items():
            if of_file is None or of_file:
                found[path] = None if of_file is None else _as_shown(withheld_lines(texts[path], of_file))
        return found

    def _pages(self, wanted: Mapping[str, str], texts: dict[str, str], too_large: list[str]) -> Iterator[Page]:
        """The files to look at; what has no blob here has nothing that could be shown."""
        with self._git.objects() as objects:
            for path, blob in zip(wanted, objects.read_all(list(wanted.values()), limit=self._limit), strict=True):
                if blob is None or blob.kind != "blob":
                    continue
                if blob.is_cut:
                    too_large.append(path)
                    continue
                texts[path] = decode_anyhow(blob.data)
                yield Page(path, blob.data, is_change=True, is_new=True)


def _as_shown(lines: Mapping[str, str] | None) -> _Lines:
    """The same with lines as they are shown, where bytes that are no UTF-8 look alike."""
    return None if lines is None else {_readable(line): _readable(shown) for line, shown in lines.items()}


def _readable(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _secret_lines(files: Sequence[FileText], changes: Iterable[Change], versions: _Versions) -> dict[str, _Lines]:
    """The lines with secrets of all files that are shown, in their old and new versions."""
    paths = {file.path for file in files if not file.why_not}
    read = [change for change in changes if change.path in paths]
    new = versions.lines({change.path: change.oid for change in read if change.oid is not None})
    old = versions.lines({change.path: change.old_oid for change in read if change.old_oid is not None})
    return new | {path: _both(lines, new.get(path, {})) for path, lines in old.items()}


def _both(one: _Lines, other: _Lines) -> _Lines:
    return None if one is None or other is None else {**one, **other}


def _without(file: FileText, secret: _Lines) -> tuple[FileText, int]:
    """A file with stand-ins for its secrets, and how many lines have one."""
    if secret is None:
        return file._replace(lines=(), why_not=NOT_SEARCHED), 0
    shown, count = with_stand_ins(file.lines, secret)
    return file._replace(lines=shown), count


def without_secret_names(files: Sequence[FileText], search: SecretSearch) -> Iterator[FileText]:
    """The files, but those are not shown whose name alone tells a secret."""
    found = dict(search.in_words([file.path for file in files if not file.why_not]))
    for file in files:
        hits = found.get(file.path, [])
        if hits is None:
            yield file._replace(lines=(), why_not=NOT_SEARCHED)
        else:
            yield file._replace(lines=(), why_not=TELLING_NAME.format(hits[0].rule.id)) if hits else file


def _messages(messages: Sequence[str], search: SecretSearch) -> tuple[tuple[str, ...], int]:
    """Commit messages with stand-ins for secrets, and how many lines have one."""
    shown: list[str] = []
    count = 0
    for message, hits in search.in_words(messages):
        lines = withheld_lines(message, hits) if hits else {} if hits is not None else None
        whole = message.split("\n")
        kept = [MESSAGE_NOT_SHOWN] if lines is None else [lines.get(line, line) for line in whole]
        shown.append("\n".join(kept))
        count += len(whole) if lines is None else sum(line in lines for line in whole)
    return tuple(shown), count
