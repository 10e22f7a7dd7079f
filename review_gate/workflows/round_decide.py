"""What people decide about a review in rounds: a finding is wrong, another round is wanted, or it is over."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from review_gate.consensus.schema import Issue, Refutation
from review_gate.errors import MisuseError, ReviewGateError
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.rounds_store import ReviewFolder
from review_gate.workflows.round_begin import Place
from review_gate.workflows.round_check import end_asking
from review_gate.workflows.round_times import now_text

MAX_BYTES = 20_000_000
SHORTEST = 4
REFUTE = "review-gate rounds refute ID FINDING --because TEXT --evidence FILE:LINE"


def refuted(folder: ReviewFolder, finding: str, because: str, evidence: str, place: Place) -> Refutation:
    """Call a finding of the last round wrong; reviewers are shown why, and may tell it again."""
    with folder.alone():
        state = folder.state()
        decision = folder.decision(state.round)
        issue = _named(finding, decision.blocking if decision else ())
        if issue.source == "tool":
            raise _unfit(f"{finding} was found by a check", "what a tool finds is a fact, and only a fix settles it")
        if not because.strip():
            raise _unfit("--because says nothing", "a finding is refuted with a reason")
        file, line, words = _evidence(evidence, place)
        made = Refutation(
            fingerprint=issue.fingerprint,
            because=because.strip(),
            file=file,
            line=line,
            evidence=words,
            quote=issue.quote or issue.message,
            made=now_text(datetime.now(UTC)),
        )
        kept = [one for one in folder.refutations() if one.fingerprint != made.fingerprint]
        folder.write_refutations((*kept, made))
        folder.log("refuted", made.made, round=state.round, finding=made.fingerprint, evidence=f"{file}:{line}")
    return made


def continued(folder: ReviewFolder) -> None:
    """Grant another round."""
    with folder.alone():
        state = folder.state()
        update = {"granted": state.granted + 1, "granted_after": state.round}
        folder.write_state(state.model_copy(update=update))
        folder.log("continued", now_text(datetime.now(UTC)), round=state.round)


def closed(folder: ReviewFolder, because: str) -> None:
    """End a review without an agreement."""
    with folder.alone():
        end_asking(folder)
        state = folder.state()
        consensus = state.consensus.model_copy(update={"outcome": "closed", "reason": because})
        folder.write_state(state.model_copy(update={"status": "resolved", "consensus": consensus}))
        folder.log("closed", now_text(datetime.now(UTC)), round=state.round, because=because)


def _named(finding: str, issues: tuple[Issue, ...]) -> Issue:
    found = [issue for issue in issues if issue.fingerprint.startswith(finding) and len(finding) >= SHORTEST]
    if len(found) != 1:
        names = ", ".join(issue.fingerprint[:8] for issue in issues) or "none"
        raise _unfit(f"{finding!r} is no finding to be settled: {names}", "a finding is named as check tells it")
    return found[0]


def _evidence(text: str, place: Place) -> tuple[str, int, str]:
    """File, number and words of the line that is given as evidence."""
    name, _, number = text.rpartition(":")
    if not name or not number.isdigit() or int(number) < 1:
        raise _unfit(f"--evidence {text!r} is no FILE:LINE", "a refutation rests on a line that can be looked at")
    try:
        data = read_plain_file(os.path.join(place.top, name), MAX_BYTES)
    except UnsafeFileError as error:
        raise _unfit(f"{name}: {error}", "the evidence cannot be read") from None
    lines = (data or b"").decode("utf-8", "replace").split("\n")
    if data is None or int(number) > len(lines) or not lines[int(number) - 1].strip():
        raise _unfit(f"{name} has no line {number}", "a refutation rests on a line that can be looked at")
    return name, int(number), lines[int(number) - 1].strip()


def _unfit(what: str, why: str) -> ReviewGateError:
    return MisuseError(
        what, why=why, next_step="review-gate rounds refute ID FINDING --because TEXT --evidence FILE:LINE"
    )
