"""review-gate rounds refute: a finding is called wrong, with a line as evidence, for as long as that line is there."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from review_gate.consensus.schema import Issue, Mode, Refutation, ReviewState
from review_gate.errors import MisuseError, ReviewGateError
from review_gate.safe_text import written_out
from review_gate.shell.files import UnsafeFileError, lies_in, read_plain_file
from review_gate.shell.rounds_store import ReviewFolder, now_text
from review_gate.workflows.round_material import is_secret, refuse_unfit
from review_gate.workflows.round_place import Place

MAX_BYTES = 20_000_000
SHORTEST = 4
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
REFUTE = "review-gate rounds refute ID FINDING --because TEXT --evidence FILE:LINE"
SEEN = "a refutation rests on a line that can be looked at"
SENT = "what is evidence is sent to the reviewers"


class _Evidence(NamedTuple):
    """One line of a file."""

    file: str
    line: int
    words: str


def refuted(folder: ReviewFolder, finding: str, because: str, evidence: str, place: Place) -> Refutation:
    """Call a finding of the last round wrong; reviewers are shown why, and may tell it again."""
    with folder.alone():
        state = open_state(folder)
        decision = folder.decision(state.round)
        issue = _named(finding, decision.blocking if decision else ())
        if issue.source == "tool":
            raise MisuseError(
                f"{finding} was found by a check",
                why="what a tool finds is a fact, and only a fix settles it",
                next_step=f"fix it, then review-gate check {folder.id}",
            )
        if not because.strip():
            raise _unfit("--because says nothing", "a finding is refuted with a reason")
        refuse_unfit("--because", because.strip(), place)
        found = _evidence(evidence, state.mode, place)
        made = Refutation(
            fingerprint=issue.fingerprint,
            because=because.strip(),
            file=found.file,
            line=found.line,
            evidence=found.words,
            quote=issue.quote or issue.message,
            made=now_text(datetime.now(UTC)),
        )
        kept = [one for one in folder.refutations() if one.fingerprint != made.fingerprint]
        folder.write_refutations((*kept, made))
        where = f"{found.file}:{found.line}"
        folder.log("refuted", made.made, round=state.round, finding=made.fingerprint, evidence=where)
    return made


def in_force(refutations: Sequence[Refutation], mode: Mode, place: Place) -> tuple[Refutation, ...]:
    """Those whose evidence is still in its file, with the number that the nearest such line has now."""
    kept = []
    for one in refutations:
        lines = enumerate(evidence_lines(one.file, mode, place), start=1)
        numbers = [number for number, line in lines if line == one.evidence]
        if numbers:
            kept.append(one.model_copy(update={"line": min(numbers, key=lambda number: abs(number - one.line))}))
    return tuple(kept)


def _named(finding: str, issues: tuple[Issue, ...]) -> Issue:
    found = [issue for issue in issues if issue.fingerprint.startswith(finding) and len(finding) >= SHORTEST]
    if len(found) != 1:
        names = ", ".join(issue.fingerprint[:8] for issue in issues) or "none"
        raise _unfit(f"{finding!r} is no finding to be settled: {names}", "a finding is named as check tells it")
    return found[0]


def _evidence(text: str, mode: Mode, place: Place) -> _Evidence:
    name, _, number = text.rpartition(":")
    if not name or not _NUMBER.fullmatch(number):
        raise _unfit(f"--evidence {text!r} is no FILE:LINE", SEEN)
    lines = evidence_lines(name, mode, place)
    if int(number) > len(lines) or not lines[int(number) - 1]:
        raise _unfit(f"{name!r} has no line {number} that reviewers could be shown", SEEN)
    if written_out(name) != name:
        raise _unfit(f"the name of {name!r} is not UTF-8, and could not be kept", SEEN)
    words = lines[int(number) - 1]
    if is_secret(words, place):
        raise _unfit(f"line {number} of {name} holds a secret, or could not be searched for one", SENT)
    return _Evidence(name, int(number), words)


def evidence_lines(name: str, mode: Mode, place: Place) -> list[str]:
    """The lines of a file of the work tree, or of the text under review; of any other there are none."""
    path = os.path.join(place.top, name)
    own = mode.plan_path or mode.artifact_path
    if place.repository is not None and lies_in(path, place.repository.git_dir):
        # Addresses in there may open doors, and none of it is content.
        return []
    if not lies_in(path, place.top) and os.path.realpath(path) != os.path.realpath(own or place.top):
        return []
    try:
        data = read_plain_file(path, MAX_BYTES) or b""
    except UnsafeFileError:
        return []
    return [line.strip() for line in data.decode("utf-8", "replace").split("\n")]


def _unfit(what: str, why: str) -> MisuseError:
    return MisuseError(what, why=why, next_step=REFUTE)


def open_state(folder: ReviewFolder) -> ReviewState:
    """The state of a review that is not over: what ended stays as it ended."""
    state = folder.state()
    if state.status == "resolved":
        raise ReviewGateError(
            f"the review {folder.id} is over ({state.consensus.outcome})",
            why="nothing that is said now changes how it ended",
            next_step=f"review-gate rounds show {folder.id}, or begin a new review",
        )
    return state
