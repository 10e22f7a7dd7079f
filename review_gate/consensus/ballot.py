"""From what a reviewer answered to its vote: findings decide, and whoever did not read everything has none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from review_gate.consensus.question import RoundAnswer, RoundFinding
from review_gate.consensus.schema import Answer, Ballot, Issue, Member, Request, ShownGroup, Vote
from review_gate.fingerprint import fingerprint_of
from review_gate.models import Severity, severity_from
from review_gate.pipeline.answers import read_answer
from review_gate.pipeline.exhibit import ShownFile, harmless
from review_gate.pipeline.question import LAST_LINE, REPEATS, repeats_instructions

Part = tuple[ShownGroup, ShownGroup | None]
ISSUE = "round"
UNHEARD = "it was not heard"
EMPTY_FAIL = "it says fail and names nothing that has to change"
PASS_WORDS = ("pass", "passed")


def ballot_of(member: Member, answer: Answer | None, request: Request) -> Ballot:
    """The vote of one reviewer in a round."""
    if answer is None or answer.problem:
        return _none(member, answer.problem if answer else UNHEARD)
    if len(answer.raw) != len(request.groups):
        return _none(member, f"it answered about {len(answer.raw)} of {len(request.groups)} groups of files")
    read = [_read(raw, part, request.nonce) for raw, part in zip(answer.raw, request.parts, strict=True)]
    problem = next((one for one in read if isinstance(one, str)), "")
    answers = [one for one in read if isinstance(one, RoundAnswer)]
    if problem:
        return _none(member, problem)
    files = (file for part in request.parts for file in files_of(part))
    paths = {harmless(file.path, request.nonce): file.path for file in files}
    issues = tuple(_issue(said, member, paths) for one in answers for said in one.findings if _says_something(said))
    summary = " ".join(" ".join(one.summary.split()) for one in answers)
    return _voted(member, issues, answers, summary)


def _voted(member: Member, issues: tuple[Issue, ...], answers: Sequence[RoundAnswer], summary: str) -> Ballot:
    ballot = Ballot(member=member.name, family=member.family, vote=Vote.FAIL, issues=issues, summary=summary)
    if any(issue.is_blocking for issue in issues):
        return ballot
    if all(one.verdict.strip().lower() in PASS_WORDS for one in answers):
        return ballot.model_copy(update={"vote": Vote.PASS})
    return ballot.model_copy(update={"vote": Vote.NONE, "problem": EMPTY_FAIL})


def _none(member: Member, problem: str) -> Ballot:
    return Ballot(member=member.name, family=member.family, vote=Vote.NONE, problem=problem)


def files_of(part: Part) -> tuple[ShownFile, ...]:
    """The files of a group as they are now, each with the token that whoever read that version can name."""
    group, added = part
    if added is None:
        return group.files
    replaced = {*added.gone, *(file.path for file in added.files)}
    return (*(file for file in group.files if file.path not in replaced), *added.files)


def _read(raw: str, part: Part, nonce: str) -> RoundAnswer | str:
    """An answer about one group, or why it is none."""
    answer = read_answer(raw, RoundAnswer)
    if not isinstance(answer, RoundAnswer):
        return f"malformed: {getattr(answer, 'why', 'another shape')}"
    if repeats_instructions((raw, answer.model_dump_json()), nonce):
        return REPEATS
    tokens = {file.token for file in answer.files_read}
    files = files_of(part)
    unread = [file.path for file in files if file.token not in tokens]
    if unread:
        return f"it read {len(files) - len(unread)} of {len(files)} files, without {unread[0]}"
    return answer


def _says_something(said: RoundFinding) -> bool:
    """One that is severe counts even without a word: somebody found something."""
    has_words = any(text.strip() for text in (said.message, said.quote, said.recommendation))
    return has_words or severity_from(said.severity, Severity.MAJOR).is_blocking


def _issue(said: RoundFinding, member: Member, paths: dict[str, str]) -> Issue:
    file, quote = paths.get(said.file or ""), said.quote.strip()
    message = said.message.strip() or said.recommendation.strip() or quote or "it does not say what"
    return Issue(
        fingerprint=fingerprint_of(ISSUE, file, quote or message),
        # A word of no known scale must not let anything pass.
        severity=severity_from(said.severity, Severity.MAJOR),
        message=message,
        file=file,
        line=said.line if file and said.line and 0 < said.line <= LAST_LINE else None,
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
    return tuple(sorted(found.values(), key=_order))


def _both(one: Issue, other: Issue) -> Issue:
    worst = min(one, other, key=lambda issue: issue.severity.rank)
    return worst.model_copy(update={"reviewers": tuple(dict.fromkeys((*one.reviewers, *other.reviewers)))})


def _order(issue: Issue) -> tuple[int, str, int, str]:
    return issue.severity.rank, issue.file or "", issue.line or 0, issue.fingerprint


def shown_lines(request: Request) -> dict[str, frozenset[str]]:
    """The lines of each file as a round showed them, without numbers and signs."""
    found: dict[str, set[str]] = {}
    for group, added in request.parts:
        replaced = {*added.gone, *(file.path for file in added.files)} if added else set()
        for path, line in _lines(group, request.nonce):
            if path not in replaced:
                found.setdefault(path, set()).add(line)
        for path, line in _lines(added, request.nonce) if added else ():
            found.setdefault(path, set()).add(line)
    return {path: frozenset(lines) for path, lines in found.items()}


def _lines(group: ShownGroup, nonce: str) -> Iterator[tuple[str, str]]:
    headings = {f"=== file {harmless(file.path, nonce)} |": file.path for file in group.files}
    path = ""
    for line in group.text.split("\n"):
        heading = line[: line.find("|") + 1] if line.startswith("=== file ") else ""
        if heading in headings:
            path = headings[heading]
        elif path and line[7:8] in ("+", " "):
            yield path, " ".join(line[8:].split())


def stands_in(quote: str, lines: frozenset[str]) -> bool:
    """Whether every line of a quote stood so among some lines, or is a part of one."""
    quoted = [" ".join(line.split()) for line in quote.split("\n") if line.strip()]
    return bool(quoted) and all(line in lines or any(line in other for other in lines) for line in quoted)
