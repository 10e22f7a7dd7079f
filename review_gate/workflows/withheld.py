"""Secrets taken out of what leaves a run: out of what models are shown, and out of what its reviewers said.

Models are shown no secret of the old and new versions of the whole files: a key can begin above the lines that are
shown. What could not be searched is not shown. No comment lets a secret out, and without the project's checks the
shipped ones hold. The check engine shows only how a secret begins; a parser, a command or a model may quote all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from review_gate.checks.applies import Page
from review_gate.checks.withhold import QUOTED, redacted, withheld_lines, without_words, words_of_secrets
from review_gate.embedded import CHECK_REVIEWERS
from review_gate.errors import GitError
from review_gate.loops.run import judge_loop
from review_gate.ports import Withheld
from review_gate.reviewers.text import decode_anyhow
from review_gate.shell.snippets import text_files

if TYPE_CHECKING:
    from review_gate.checks.plan import CheckPlan
    from review_gate.checks.rule import Hit
    from review_gate.config.schema import Checks
    from review_gate.loops.report import LoopResult, ReviewerResult
    from review_gate.models import Finding
    from review_gate.pipeline.exhibit import FileText
    from review_gate.shell.changes import Change
    from review_gate.shell.git import Git
    from review_gate.workflows.prepare import Prepared
    from review_gate.workflows.secret_search import SecretSearch

NOT_SEARCHED = "it could not be searched for secrets, which must not leave this machine"
TELLING_NAME = "its name holds what looks like a secret ({})"
MESSAGE_NOT_SHOWN = "[withheld: this message could not be searched for secrets]"
# What of a finding may quote a secret.
TEXTS = ("message", "evidence", "recommendation")
# Shown instead of each line that holds a secret; None for a file that is not shown at all.
_Lines = Mapping[str, str] | None
# How quotes of the secrets in a file are known; None for a file that could not be searched.
_Words = Mapping[str, frozenset[str] | None]


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


# What models are shown


def without_secrets(change: ToSearch, files: Sequence[FileText], messages: Sequence[str] = ()) -> Shown:
    """All that models are shown of a change, with stand-ins for secrets."""
    search = _search(change.plan, change.settings)
    named = list(without_secret_names(files, search))
    secret = _secret_lines(named, change, search)
    shown = [_without(file, secret[file.path]) if file.path in secret else (file, 0) for file in named]
    said, count = _messages(messages, search)
    withheld = [Withheld(path=file.path, lines=lines) for file, lines in shown if lines]
    withheld += [Withheld(path=None, lines=count)] if count else []
    return Shown(tuple(file for file, _ in shown), said, tuple(withheld))


def without_secret_names(files: Sequence[FileText], search: SecretSearch) -> Iterator[FileText]:
    """The files, but those are not shown whose name alone tells a secret."""
    found = dict(search.in_words([file.path for file in files if not file.why_not]))
    for file in files:
        hits = found.get(file.path, [])
        if hits is None:
            yield file._replace(lines=(), why_not=NOT_SEARCHED)
        else:
            yield file._replace(lines=(), why_not=TELLING_NAME.format(hits[0].rule.id)) if hits else file


def _search(plan: CheckPlan | None, settings: Checks) -> SecretSearch:
    # A run in which nothing is shown or quoted does not pay for this import.
    from review_gate.workflows.secret_search import SecretSearch

    return SecretSearch(plan, settings.seconds_per_file)


def _secret_lines(files: Sequence[FileText], change: ToSearch, search: SecretSearch) -> dict[str, _Lines]:
    """The lines with secrets of all files that are shown, in their old and new versions."""
    paths = {file.path for file in files if not file.why_not}
    read = [one for one in change.changes if one.path in paths]
    found: dict[str, _Lines] = {}
    for blobs in ({one.path: one.oid for one in read}, {one.path: one.old_oid for one in read}):
        wanted = {path: oid for path, oid in blobs.items() if oid is not None}
        for path, lines in _lines_of_blobs(wanted, change, search):
            known = found.get(path, {})
            found[path] = None if lines is None or known is None else {**known, **lines}
    return found


def _lines_of_blobs(wanted: Mapping[str, str], change: ToSearch, search: SecretSearch) -> Iterator[tuple[str, _Lines]]:
    """The lines with secrets of some blobs, by path; a blob that is too large or not searched has None."""
    texts: dict[str, str] = {}
    too_large: list[str] = []

    def pages() -> Iterator[Page]:
        limit = change.settings.max_file_bytes
        with change.git.objects() as objects:
            for path, blob in zip(wanted, objects.read_all(list(wanted.values()), limit=limit), strict=True):
                if blob is not None and blob.kind == "blob" and blob.is_cut:
                    too_large.append(path)
                elif blob is not None and blob.kind == "blob":
                    yield _page(path, blob.data, texts)

    hits = search.hits(pages())
    yield from ((path, None) for path in too_large)
    for path, of_file in hits.items():
        if of_file is None or of_file:
            lines = None if of_file is None else withheld_lines(texts[path], of_file)
            # Where bytes are no UTF-8, lines are shown otherwise than they are.
            yield path, None if lines is None else {_readable(line): _readable(kept) for line, kept in lines.items()}


def _page(path: str, data: bytes, texts: dict[str, str]) -> Page:
    texts[path] = decode_anyhow(data)
    return Page(path, data, is_change=True, is_new=True)


def _readable(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _without(file: FileText, secret: _Lines) -> tuple[FileText, int]:
    """A file with stand-ins for its secrets, and how many lines have one."""
    if secret is None:
        return file._replace(lines=(), why_not=NOT_SEARCHED), 0
    # A run that asks no model does not pay for this import.
    from review_gate.shell.change_text import with_stand_ins

    shown, count = with_stand_ins(file.lines, secret)
    return file._replace(lines=shown), count


def _messages(messages: Sequence[str], search: SecretSearch) -> tuple[tuple[str, ...], int]:
    """Commit messages with stand-ins for secrets, and how many lines have one."""
    shown: list[str] = []
    count = 0
    for message, hits in search.in_words(messages):
        text, lines = redacted(message, hits), message.split("\n")
        shown.append(MESSAGE_NOT_SHOWN if text is None else text)
        count += len(lines) if text is None else sum(map(str.__ne__, text.split("\n"), lines))
    return tuple(shown), count


# What reviewers said


def veiled(prepared: Prepared, loops: Sequence[LoopResult]) -> tuple[LoopResult, ...]:
    """The loops of a run without quoted secrets; nothing is searched where no reviewer quotes anything."""
    quoting = [one for loop in loops for one in loop.reviewers if one.id not in CHECK_REVIEWERS]
    findings = [finding for one in quoting for finding in one.findings]
    texts = [getattr(finding, name) for finding in findings for name in TEXTS] + [one.detail for one in quoting]
    said = list(dict.fromkeys(text for text in texts if text))
    if not said:
        return tuple(loops)
    search = _search(prepared.checks, prepared.loaded.config.checks)
    words = _words_in_files(prepared, [finding.file for finding in findings if finding.file], search)
    known = {text: _or_quoted(redacted(text, hits)) for text, hits in search.in_words(said)}
    return tuple(_veiled(loop, known, words) for loop in loops)


def _or_quoted(text: str | None) -> str:
    return QUOTED if text is None else text


def _words_in_files(prepared: Prepared, paths: Iterable[str], search: SecretSearch) -> _Words:
    """What quotes of the secrets in some files hold, by file; only of those that have any."""
    texts: dict[str, str] = {}
    names = list(dict.fromkeys(paths))
    found: Mapping[str, list[Hit] | None]
    try:
        with prepared.repository.git.objects() as reader:
            files = text_files(reader, prepared.subject.tree, names)
            found = search.hits(_page(path, data, texts) for path, data in files)
    except GitError:
        return dict.fromkeys(names)
    return {
        path: None if hits is None else words_of_secrets(texts[path], hits)
        for path, hits in found.items()
        if hits is None or hits
    }


def _veiled(loop: LoopResult, known: Mapping[str, str], words: _Words) -> LoopResult:
    results = tuple(one if one.id in CHECK_REVIEWERS else _result(one, known, words) for one in loop.reviewers)
    return loop if results == loop.reviewers else judge_loop(loop.number, results, loop.note)


def _result(one: ReviewerResult, known: Mapping[str, str], words: _Words) -> ReviewerResult:
    findings = tuple(_finding(finding, known, words) for finding in one.findings)
    return one.model_copy(update={"findings": findings, "detail": known.get(one.detail, one.detail)})


def _finding(finding: Finding, known: Mapping[str, str], words: _Words) -> Finding:
    texts = {name: known.get(getattr(finding, name), "") for name in TEXTS}
    of_file = words.get(finding.file or "", frozenset())
    if of_file is None:
        texts["evidence"] = QUOTED if finding.evidence else ""
    else:
        texts = {name: without_words(text, of_file) for name, text in texts.items()}
    return finding.model_copy(update=texts)
