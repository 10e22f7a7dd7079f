"""What one answer of a model comes to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from review_gate.models import Finding
from review_gate.pipeline.answers import Unusable, read_answer
from review_gate.pipeline.exhibit import Exhibit, ShownFile
from review_gate.pipeline.parts import Answered, Ground
from review_gate.pipeline.question import REPEATS, ReviewAnswer, findings_of, paths_read, repeats_instructions
from review_gate.pipeline.quoted import places_of


class Judged(NamedTuple):
    """What one answer comes to."""

    findings: tuple[Finding, ...] = ()
    read: tuple[str, ...] = ()
    problem: str = ""


def located(answered: Answered, exhibit: Exhibit, nonce: str) -> Answered:
    """An answer with the lines on which its quotes stand in what was shown."""
    answer = read_answer(answered.raw, ReviewAnswer) if not answered.problem else None
    if not isinstance(answer, ReviewAnswer):
        return answered
    return answered.model_copy(update={"lines": places_of(answer.findings, exhibit, nonce)})


def judge(answered: Answered, agent: str, ground: Ground) -> Judged:
    """What one answer comes to: the text that was received decides, and nothing else that is known of it."""
    if answered.problem:
        return Judged(problem=answered.problem)
    answer = read_answer(answered.raw, ReviewAnswer)
    if isinstance(answer, Unusable) or not isinstance(answer, ReviewAnswer):
        return Judged(problem=f"malformed: {answer.why if isinstance(answer, Unusable) else 'another shape'}")
    if repeats_instructions((answered.raw, answer.model_dump_json()), ground.nonce):
        return Judged(problem=REPEATS)
    rules = ground.config.rules_of(agent)
    read = paths_read(answer, answered.files)
    found = findings_of(answer, ground.config.agent(agent), rules, answered.files, ground.nonce)
    return Judged(
        tuple(_at(one, line) for one, line in zip_longest(found, answered.lines[: len(found)]) if one is not None),
        read,
        "" if len(read) >= ground.coverage * len(answered.files) else _unread(read, answered.files),
    )


def _at(finding: Finding, line: int | None) -> Finding:
    """A finding at the line on which its quote stands: that one was counted here."""
    return finding if line is None or finding.file is None else finding.model_copy(update={"line": line})


def _unread(read: Sequence[str], files: Sequence[ShownFile]) -> str:
    missing = next(file.path for file in files if file.path not in read)
    return f"it read {len(read)} of the {len(files)} files that it was shown, without {missing}"
