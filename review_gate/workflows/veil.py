"""What the reviewers of a run said, without the secrets that they quote: no report, record or page has them.

The check engine shows only how a secret begins. A parser, a command or a model quotes whole lines, and knows of none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from review_gate.checks.applies import Page
from review_gate.checks.withhold import QUOTED, withheld_lines, without_words, words_of_secrets
from review_gate.embedded import CHECK_REVIEWERS
from review_gate.errors import GitError
from review_gate.loops.report import LoopResult, ReviewerResult
from review_gate.loops.run import judge_loop
from review_gate.models import Finding
from review_gate.reviewers.text import decode_anyhow
from review_gate.shell.snippets import text_files

if TYPE_CHECKING:
    from review_gate.workflows.prepare import Prepared
    from review_gate.workflows.secret_search import SecretSearch

TEXTS = ("message", "evidence", "recommendation")
# By what a file is known that could not be searched: nothing of it is quoted.
UNKNOWN = None
_Words = Mapping[str, frozenset[str] | None]


def veiled(prepared: Prepared, loops: Sequence[LoopResult]) -> tuple[LoopResult, ...]:
    """The loops of a run without quoted secrets; nothing is searched where nobody quotes anything."""
    said = list(_said(loops))
    if not said:
        return tuple(loops)
    # A run in which nobody finds anything does not wait for the import.
    from review_gate.workflows.secret_search import SecretSearch

    checks = prepared.loaded.config.checks
    search = SecretSearch(prepared.checks, checks.seconds_per_file)
    paths = dict.fromkeys(finding.file for one in _quoting(loops) for finding in one.findings if finding.file)
    words = _words_in_files(prepared, list(paths), search)
    known = dict(zip(said, _without_secrets(said, search), strict=True))
    return tuple(_veiled(loop, known, words) for loop in loops)


def _quoting(loops: Sequence[LoopResult]) -> list[ReviewerResult]:
    """Who may quote a secret; the check engine has seen to its own findings."""
    return [one for loop in loops for one in loop.reviewers if one.id not in CHECK_REVIEWERS]


def _said(loops: Sequence[LoopResult]) -> dict[str, None]:
    """All texts that may quote one, each once."""
    texts = [getattr(finding, name) for one in _quoting(loops) for finding in one.findings for name in TEXTS]
    texts += [one.detail for one in _quoting(loops)]
    return dict.fromkeys(text for text in texts if text)


def _without_secrets(texts: Sequence[str], search: SecretSearch) -> Iterator[str]:
    """The texts without what is a secret wherever it stands."""
    for text, hits in search.in_words(texts):
        lines = None if hits is None else withheld_lines(text, hits)
        yield QUOTED if lines is None else "\n".join(lines.get(line, line) for line in text.split("\n"))


def _words_in_files(prepared: Prepared, paths: Sequence[str], search: SecretSearch) -> _Words:
    """What quotes of the secrets in some files hold, by file; only of those that have any."""
    texts: dict[str, str] = {}
    try:
        with prepared.repository.git.objects() as reader:
            pages = _pages(text_files(reader, prepared.subject.tree, paths), texts)
            found = search.hits(pages)
    except GitError:
        return dict.fromkeys(paths, UNKNOWN)
    return {
        path: UNKNOWN if hits is None else words_of_secrets(texts[path], hits)
        for path, hits in found.items()
        if hits is None or hits
    }


def _pages(files: Iterator[tuple[str, bytes]], texts: dict[str, str]) -> Iterator[Page]:
    for path, data in files:
        texts[path] = decode_anyhow(data)
        yield Page(path, data, is_change=True, is_new=True)


def _veiled(loop: LoopResult, known: Mapping[str, str], words: _Words) -> LoopResult:
    results = tuple(_result(one, known, words) for one in loop.reviewers)
    return loop if results == loop.reviewers else judge_loop(loop.number, results, loop.note)


def _result(one: ReviewerResult, known: Mapping[str, str], words: _Words) -> ReviewerResult:
    if one.id in CHECK_REVIEWERS:
        return one
    findings = tuple(_finding(finding, known, words) for finding in one.findings)
    return one.model_copy(update={"findings": findings, "detail": known.get(one.detail, one.detail)})


def _finding(finding: Finding, known: Mapping[str, str], words: _Words) -> Finding:
    texts = {name: known.get(getattr(finding, name), "") for name in TEXTS}
    of_file = words.get(finding.file or "", frozenset())
    if of_file is UNKNOWN:
        texts["evidence"] = QUOTED if finding.evidence else ""
    else:
        texts = {name: without_words(text, of_file) for name, text in texts.items()}
    return finding.model_copy(update=texts)
