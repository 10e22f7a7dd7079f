"""From what a reviewer answered to its vote: findings decide, and whoever did not read everything has none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from review_gate.consensus.question import RoundAnswer, RoundFinding
from review_gate.consensus.schema import Answer, Ballot, Issue, Member, Request, ShownGroup, Vote
from review_gate.fingerprint import fingerprint_of
from review_gate.models import Severity, severity_from
from review_gate.pipeline.answers import read_answer
from review_gate.pipeline.exhibit import Exhibit, bare, harmless, places_of
from review_gate.pipeline.question import LAST_LINE, REPEATS, repeats_instructions

ISSUE = "round"
UNHEARD = "it was not heard"
NOTHING_SHOWN = "it was shown nothing, so there is nothing that it could have read"
EMPTY_FAIL = "it says fail and names nothing that has to change"
PASS_WORDS = ("pass", "passed")


def ballot_of(member: Member, answer: Answer | None, request: Request) -> Ballot:
    """The vote of one reviewer in a round; what blocks is told even where it has none."""
    raw = answer.raw if answer is not None else ()
    read = [_read(one) for one in raw]
    answers = [one for one in read if isinstance(one, RoundAnswer)]
    issues = tuple(_issues(answers, member, request))
    problem = _problem(answer, request) or next((one for one in read if isinstance(one, str)), "")
    problem = problem or _led(raw, answers, request.nonce) or _unread(answers, request.groups)
    if not problem and not any(issue.is_blocking for issue in issues) and not all(map(_passes, answers)):
        problem = EMPTY_FAIL
    if problem:
        issues = tuple(issue for issue in issues if issue.is_blocking)
    vote = Vote.NONE if problem else Vote.FAIL if any(issue.is_blocking for issue in issues) else Vote.PASS
    summary = " ".join(" ".join(one.summary.split()) for one in answers)
    return Ballot(member=member.name, family=member.family, vote=vote, issues=issues, problem=problem, summary=summary)


def _problem(answer: Answer | None, request: Request) -> str:
    if answer is None or answer.problem:
        return answer.problem if answer else UNHEARD
    if not request.groups:
        return NOTHING_SHOWN
    if len(answer.raw) != len(request.groups):
        return f"it answered about {len(answer.raw)} of {len(request.groups)} groups of files"
    return ""


def _read(raw: str) -> RoundAnswer | str:
    """An answer about one group, or why it is none."""
    answer = read_answer(raw, RoundAnswer)
    return answer if isinstance(answer, RoundAnswer) else f"malformed: {getattr(answer, 'why', 'another shape')}"


def _led(raw: Sequence[str], answers: Sequence[RoundAnswer], nonce: str) -> str:
    """Why it may not have judged by itself; what it found is told all the same, or a change could silence it so."""
    texts = (*raw, *(answer.model_dump_json() for answer in answers))
    return REPEATS if repeats_instructions(texts, nonce) else ""


def _unread(answers: Sequence[RoundAnswer], groups: Sequence[ShownGroup]) -> str:
    """Which files whoever answered about each group has not read, if any."""
    for answer, group in zip(answers, groups, strict=True):
        tokens = {file.token for file in answer.files_read}
        unread = [file.path for file in group.files if file.token not in tokens]
        if unread:
            return f"it read {len(group.files) - len(unread)} of {len(group.files)} files, without {unread[0]}"
    return ""


def _passes(answer: RoundAnswer) -> bool:
    return answer.verdict.strip().lower() in PASS_WORDS


def _issues(answers: Sequence[RoundAnswer], member: Member, request: Request) -> Iterator[Issue]:
    paths = {harmless(file.path, request.nonce): file.path for group in request.groups for file in group.files}
    said = [one for answer in answers for one in answer.findings if _says_something(one)]
    # All groups as one, since an answer that is left out takes no place.
    shown = Exhibit(
        text="".join(group.text for group in request.groups),
        files=tuple(file for group in request.groups for file in group.files),
    )
    for one, line in zip(said, places_of(said, shown, request.nonce), strict=True):
        yield _issue(one, line or one.line, member, paths)


def _says_something(said: RoundFinding) -> bool:
    """One that is severe counts even without a word: somebody found something."""
    has_words = any(text.strip() for text in (said.message, said.quote, said.recommendation))
    return has_words or severity_from(said.severity, Severity.MAJOR).is_blocking


def _issue(said: RoundFinding, line: int | None, member: Member, paths: Mapping[str, str]) -> Issue:
    file, quote = paths.get(said.file or ""), "\n".join(bare(one) for one in said.quote.split("\n")).strip()
    message = said.message.strip() or said.recommendation.strip() or quote or "it does not say what"
    return Issue(
        fingerprint=fingerprint_of(ISSUE, file, quote or message),
        # A word of no known scale must not let anything pass.
        severity=severity_from(said.severity, Severity.CRITICAL),
        message=message,
        file=file,
        line=line if file and line and 0 < line <= LAST_LINE else None,
        quote=quote,
        replacement=said.replacement,
        recommendation=said.recommendation.strip(),
        reviewers=(member.name,),
    )


def merged(ballots: Sequence[Ballot]) -> tuple[Issue, ...]:
    """What several reviewers found once, in the words of who finds it worst; worst first."""
    found: dict[str, Issue] = {}
    for issue in (issue for ballot in ballots for issue in ballot.issues):
        known = found.get(issue.fingerprint)
        found[issue.fingerprint] = issue if known is None else _both(known, issue)
    return tuple(sorted(found.values(), key=by_weight))


def _both(one: Issue, other: Issue) -> Issue:
    worst, milder = sorted((one, other), key=_worst_first)
    said = dict.fromkeys((*worst.also, milder.message, *milder.also))
    # Whoever finds it harmless has not found what has to be settled, and cannot take it back.
    is_shared = worst.is_blocking == milder.is_blocking
    return worst.model_copy(
        update={
            "reviewers": tuple(sorted({*worst.reviewers, *(milder.reviewers if is_shared else ())})),
            "also": tuple(sorted(message for message in said if message != worst.message)),
        }
    )


def _worst_first(issue: Issue) -> tuple[object, ...]:
    """Nothing but what was said decides whose words are taken, and of equals who says more."""
    replacement = issue.replacement or ""
    return issue.severity.rank, not issue.quote, issue.replacement is None, issue.message, issue.quote, replacement


def by_weight(issue: Issue) -> tuple[int, str, int, str]:
    """The order of findings: the worst first, then by place."""
    return issue.severity.rank, issue.file or "", issue.line or 0, issue.fingerprint
