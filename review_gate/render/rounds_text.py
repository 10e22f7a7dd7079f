"""Reviews in rounds in words: what has come in and what to do next, without the names of reviewers that voted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from shlex import quote
from typing import NamedTuple

from review_gate.consensus.engine import (
    Agreed,
    AskAgain,
    AskPerson,
    Closed,
    Mend,
    Moved,
    NextStep,
    Wait,
)
from review_gate.consensus.schema import Decision, Issue, Request, ReviewState, Vote
from review_gate.safe_text import safe_line

MOST_TOLD = 8
# Of one text; all of it stands in the feedback.
LONGEST_TOLD = 200
FIX = {
    "code": "fix them in the code (related code too, where a fix needs it)",
    "plan": "fix them in the plan, and nowhere else",
    "artifact": "fix them in the artifact, and nowhere else",
}
# What has to be done with what is mended before a round can see it.
AMEND = "put that into the commit (git commit --amend; an older one: --fixup, then git rebase -i --autosquash)"
COMMIT_IT = {"base": "commit that", "range": "commit that", "commit": AMEND}
REFUTE = "review-gate rounds refute {} FINDING --because TEXT --evidence FILE:LINE"
CONTINUE = "review-gate rounds continue {}"
CLOSE = "review-gate rounds close {} --because TEXT"
MOST_UNSEEN = 3
OUTCOME = {Wait: "waiting", AskAgain: "waiting", Mend: "fix", AskPerson: "needs_person", Agreed: "agreed"}


class Untold(NamedTuple):
    """An earlier round that is told only now: how many findings it had, and where they are."""

    round: int
    findings: int
    feedback: str


class Shown(NamedTuple):
    """A review as it is told: its state, what comes next, and where the whole feedback is."""

    state: ReviewState
    decision: Decision | None
    step: NextStep
    feedback: str = ""
    request: Request | None = None
    untold: tuple[Untold, ...] = ()


def outcome_of(step: NextStep) -> str:
    """What comes next, in one word."""
    if isinstance(step, Closed):
        return "closed"
    return "stale" if isinstance(step, Moved) else OUTCOME.get(type(step), "waiting")


def check_text(shown: Shown) -> str:
    """What comes next, for people and for agents who read little."""
    return "".join(f"{safe_line(line)}\n" for line in (*_lines(shown), *_withheld(shown.request)))


def _lines(shown: Shown) -> Iterable[str]:
    state, step = shown.state, shown.step
    yield f"{state.id}: round {state.round}, {what_of(state)}: {outcome_of(step).replace('_', ' ')}"
    for one in shown.untold:
        yield f"  round {one.round} had {_count(one.findings)}, told only now, after a change: {one.feedback}"
    if isinstance(step, Wait | AskAgain):
        yield f"  waiting for {len(step.missing)} of {len(state.reviewers)} reviewers"
        yield f"next:  review-gate check {state.id} --wait"
    elif isinstance(step, Moved):
        yield "  it agreed on what was shown, and that has changed since"
        yield f"next:  {again(state)}"
    elif isinstance(step, Closed):
        yield from [f"  {state.consensus.reason}"] if state.consensus.reason else []
    else:
        yield from _decided(shown)


def _decided(shown: Shown) -> Iterable[str]:
    """What a round came to, and what the user does about it."""
    state, step, decision = shown.state, shown.step, shown.decision
    if isinstance(step, AskPerson):
        yield f"  {step.reason}"
    if isinstance(step, Agreed):
        yield f"  {state.consensus.passes} of {state.consensus.votes} that voted pass (quorum {state.consensus.quorum})"
        yield from _agreed_on(shown.request)
    elif decision is not None:
        yield from _findings(decision.blocking)
    yield from _aside(shown)
    if isinstance(step, Mend):
        yield f"next:  {FIX[state.mode.place]}, then {_then(shown)}"
        # What a check found is a fact.
        if decision is not None and any(issue.source == "model" for issue in decision.blocking):
            yield f"       one that is wrong: {REFUTE.format(state.id)}"
    elif isinstance(step, AskPerson):
        may = f"a person decides: {CONTINUE.format(state.id)}"
        wait = f"once there is something to review again: review-gate check {state.id}"
        yield f"next:  {may if step.may_continue else wait}, or {CLOSE.format(state.id)}"


def _aside(shown: Shown) -> Iterable[str]:
    """Where every word is, which reviewers have no vote and why, and what no reviewer saw."""
    decision = shown.decision
    if decision is None:
        return
    if shown.feedback and decision.issues:
        yield f"  all of it: {shown.feedback}"
    # By name, since they found nothing.
    for name, problem in decision.problems.items():
        yield f"  no vote: {name}: {_short(problem)}"
    yield from _unseen(decision)


def _then(shown: Shown) -> str:
    """The command after a fix; a fix of a commit counts only once it is committed."""
    state, subject = shown.state, shown.request.subject if shown.request is not None else None
    check = f"review-gate check {state.id}"
    if state.mode.scope not in COMMIT_IT:
        return check
    named = state.mode.value.rpartition("..")[2].removeprefix(".").lower()
    is_base = state.mode.scope == "base"
    if is_base or subject is None or not named or not (subject.commit or "").startswith(named):
        # Where it begins so many commits below HEAD, one more would leave what was reviewed behind.
        is_counted = state.mode.value.startswith(("HEAD", "@"))
        return f"{AMEND if is_counted else COMMIT_IT[state.mode.scope]}, then {check}"
    # A commit that is named by its id stays as it is, whatever comes after it.
    both = f"review-gate spawn-code-review {subject.base[:12]}..HEAD"
    return f"commit that, and have both reviewed: {both}; this review ends with {CLOSE.format(state.id)}"


def _agreed_on(request: Request | None) -> Iterable[str]:
    """The same for ever, whatever the content is by then."""
    if request is not None:
        what = f"tree {request.subject.tree[:8]}" if request.subject.tree else f"text {request.content[:8]} (SHA-256)"
        yield f"  it is about the {what}, and about nothing that has changed since"


def _unseen(decision: Decision) -> Iterable[str]:
    if decision.unseen:
        more = len(decision.unseen) - MOST_UNSEEN
        names = ", ".join(decision.unseen[:MOST_UNSEEN]) + (f" and {more} more" if more > 0 else "")
        yield f"  nobody saw all of: {names}"


def _withheld(request: Request | None) -> Iterable[str]:
    lines = _withheld_lines(request)
    if lines:
        yield f"  withheld from reviewers: {lines} {'line' if lines == 1 else 'lines'} with secrets"


def _withheld_lines(request: Request | None) -> int:
    return sum(one.lines for one in request.withheld) if request is not None else 0


def _findings(issues: Sequence[Issue]) -> Iterable[str]:
    yield from (f"  {_line(issue)}" for issue in issues[:MOST_TOLD])
    if len(issues) > MOST_TOLD:
        yield f"  and {len(issues) - MOST_TOLD} more"


def feedback_text(state: ReviewState, decision: Decision) -> str:
    """Everything that a round found, without a name: whoever mends it judges by the words alone."""
    lines = [
        f"# Round {decision.round} of {state.id}",
        "",
        safe_line(f"{decision.outcome.replace('_', ' ')}: {decision.reason}"),
        "",
    ]
    parts = (
        ("To be settled", decision.blocking),
        ("Suggestions", [issue for issue in decision.issues if not issue.is_blocking]),
    )
    for title, issues in parts:
        lines += [f"## {title}", ""] if issues else []
        for issue in issues:
            lines += _whole(issue)
    return "\n".join(lines)


def _whole(issue: Issue) -> list[str]:
    head = f"### {issue.fingerprint[:8]} {issue.severity.value} {_standing(issue)}{_place(issue)}".rstrip(" :")
    told = [safe_line(head), ""]
    # Quoted, or its first characters could make a heading, a list or a fence of it.
    told += [line for message in (issue.message, *issue.also) for line in (f"> {safe_line(message)}", "")]
    told += ["".join(f"    {safe_line(line)}\n" for line in issue.quote.split("\n"))] if issue.quote else []
    told += [f"Instead: {safe_line(issue.recommendation)}", ""] if issue.recommendation else []
    return told


def what_of(state: ReviewState) -> str:
    """What is reviewed, as it was asked for."""
    mode = state.mode
    return mode.diff_args or mode.plan_path or mode.artifact_path


def again(state: ReviewState) -> str:
    """The command that reviews the same once more."""
    prompt = f" --prompt {quote(state.mode.prompt)}" if state.mode.prompt else ""
    if state.mode.type == "code-diff":
        return f"review-gate spawn-code-review {state.mode.diff_args}{prompt}"
    option = "--artifact " if state.mode.type == "artifact" else ""
    return f"review-gate spawn-plan-review {option}{quote(what_of(state))}{prompt}"


def check_document(shown: Shown) -> dict[str, object]:
    """The same for programs."""
    state, decision = shown.state, shown.decision
    return {
        "id": state.id,
        "status": state.status,
        "round": state.round,
        "type": state.mode.type,
        "place": state.mode.place,
        "outcome": outcome_of(shown.step),
        "tree": shown.request.subject.tree if shown.request else "",
        "content": shown.request.content if shown.request else "",
        "reason": getattr(shown.step, "reason", "") or state.consensus.reason,
        "waiting_for": len(getattr(shown.step, "missing", ())),
        "feedback": shown.feedback,
        "withheld_lines": _withheld_lines(shown.request),
        "no_vote": {name: _short(problem) for name, problem in decision.problems.items()} if decision else {},
        "findings": [_document(issue) for issue in (decision.issues if decision else ())],
        "fixed": list(decision.fixed) if decision else [],
        "settled": list(decision.settled) if decision else [],
        "unseen": list(decision.unseen) if decision else [],
        "untold": [one._asdict() for one in shown.untold],
        "next": _next(shown),
    }


def _next(shown: Shown) -> str:
    lines = [line for line in _lines(shown) if line.startswith("next:  ")]
    return lines[0].removeprefix("next:  ") if lines else ""


def _document(issue: Issue) -> dict[str, object]:
    """The essentials: whatever is longer stands in the feedback."""
    fields = issue.model_dump(mode="json", exclude={"reviewers", "replacement", "also"})
    short = {name: _short(fields[name]) for name in ("message", "recommendation")}
    if len(issue.quote) > LONGEST_TOLD:
        short["quote"] = f"{issue.quote[:LONGEST_TOLD]}..."
    return {**fields, **short, "is_blocking": issue.is_blocking, "told_by": len(issue.reviewers)}


def list_text(states: Sequence[ReviewState]) -> str:
    """All reviews, newest first, a line each."""
    if not states:
        return "no review in rounds yet\n"
    return "".join(
        f"{state.id}  round {state.round}  {state.status}"
        f"{f' ({state.consensus.outcome})' if state.consensus.outcome else ''}  {safe_line(what_of(state))}\n"
        for state in states
    )


def show_text(state: ReviewState, decisions: Sequence[Decision]) -> str:
    """One review with all its rounds; here its reviewers are named, for whoever wants to know."""
    lines = [f"{state.id}: {what_of(state)} ({state.status}, {state.consensus.outcome or 'not decided'})"]
    for decision in decisions:
        lines.append(f"round {decision.round}: {decision.outcome.replace('_', ' ')}: {decision.reason}")
        lines += [f"  {name}: {_vote(vote, decision.problems.get(name, ''))}" for name, vote in decision.votes.items()]
        lines += [f"  {_line(issue)}" for issue in decision.issues]
        lines += [f"  fixed: {_names(decision.fixed)}"] if decision.fixed else []
        lines += [f"  refuted, and not told again: {_names(decision.settled)}"] if decision.settled else []
        lines += _unseen(decision)
    lines += _ended(state, decisions[-1].reason if decisions else "")
    return "".join(f"{safe_line(line)}\n" for line in lines)


def _ended(state: ReviewState, told: str) -> Iterable[str]:
    """Why it goes no further, where that is not what its last round came to."""
    outcome, reason = state.consensus.outcome, state.consensus.reason
    if state.status != "pending" and outcome in ("closed", "needs_person") and reason != told:
        yield f"{outcome.replace('_', ' ')}: {reason}"


def _line(issue: Issue) -> str:
    head = f"{issue.fingerprint[:8]} {issue.severity.value} {_standing(issue)}"
    return f"{head}{_place(issue)}{_short(issue.message)}"


def _count(number: int) -> str:
    return "1 finding" if number == 1 else f"{number} findings"


def _names(fingerprints: Sequence[str]) -> str:
    return ", ".join(one[:8] for one in fingerprints)


def _vote(vote: Vote, problem: str) -> str:
    return f"no vote ({problem})" if vote is Vote.NONE else vote.value


def _standing(issue: Issue) -> str:
    return "" if issue.standing == "new" else f"[{issue.standing.replace('_', ' ')}] "


def _place(issue: Issue) -> str:
    if issue.file is None:
        return ""
    return f"{issue.file}:{issue.line}: " if issue.line else f"{issue.file}: "


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= LONGEST_TOLD else f"{words[:LONGEST_TOLD]}..."
