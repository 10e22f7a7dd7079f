"""What `run --findings FILE` reads: what the subagents of a session answered, reviewer by reviewer.

The whole file is understood or nothing of it is used: an answer that was dropped would look like one that was given.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from review_gate.config.display import described, printable
from review_gate.config.keys import nearest
from review_gate.errors import MisuseError
from review_gate.models import Frozen, Subject
from review_gate.pipeline.answers import Unusable, read_answer
from review_gate.pipeline.question import ReviewAnswer
from review_gate.pipeline.schema import AgentManifest
from review_gate.ports import NotShown
from review_gate.strict_json import StrictJsonError, parse

MOST_BYTES = 8_000_000
VERSION = 1
REVIEWER, ANSWERS, POLICY = "reviewer", "answers", "policy"
HOW = "review-gate run --questions --format json, which prints the questions and the document to fill in"
NOT_THIS_RUN = "it is {}, and this run has {}: the answers are about something else"
# Policies are long, and two of them often begin alike.
OTHER_POLICY = "it is not that of this run: settings, checks or reviewers have changed since the questions were asked"


class SessionQuestion(Frozen):
    """What a subagent is asked for one reviewer."""

    reviewer: str
    loop: int
    files: tuple[str, ...]
    not_shown: tuple[NotShown, ...]
    question: str


class Expected(NamedTuple):
    """What a file of answers has to be about."""

    subject: Subject
    policy: str
    manifest: AgentManifest
    loops: tuple[int, ...]
    # The names of all reviewers that there are, chosen or not.
    known: Sequence[str]


def blank_document(subject: Subject, policy: str) -> dict[str, Any]:
    """The file with nothing answered yet: the ids say what it is about."""
    return {
        "version": VERSION,
        "commit": subject.commit,
        "tree": subject.tree,
        "base": subject.base,
        POLICY: policy,
        ANSWERS: [],
    }


def read_answers(data: bytes, expected: Expected) -> dict[str, str]:
    """By reviewer the text of its answer, in the form in which a model would have given it."""
    document = _document(data)
    blank = blank_document(expected.subject, expected.policy)
    _see_fields(document, blank)
    given = document[ANSWERS]
    if not isinstance(given, list) or not given:
        raise _wrong(ANSWERS, f"it is {described(given)}; it must be a list of at least one answer")
    found: dict[str, str] = {}
    for number, answer in enumerate(given):
        where = f"{ANSWERS}[{number}]"
        name = _reviewer(where, answer, expected)
        if name in found:
            raise _wrong(f"{where}.{REVIEWER}", f"{name} is answered for twice")
        found[name] = _text(f"{where} ({name})", answer)
    return found


def _document(data: bytes) -> dict[str, Any]:
    if len(data) > MOST_BYTES:
        raise _wrong("", f"more than {MOST_BYTES:,} bytes")
    try:
        document = parse(data)
    except StrictJsonError as error:
        raise _wrong("", f"it cannot be read: {error}") from None
    if not isinstance(document, dict):
        raise _wrong("", f"it is {described(document)} and not an object")
    return document


def _see_fields(document: Mapping[str, Any], blank: Mapping[str, Any]) -> None:
    """Exactly the fields that there are, and those that bind the answers as this run has them."""
    for key in document:
        if key not in blank:
            raise _wrong(printable(key), _no_such_field(key, tuple(blank)))
    for key in blank:
        if key not in document:
            raise _wrong(key, "it is missing")
    for key, ours in blank.items():
        theirs = document[key]
        # In Python true is 1.
        if key != ANSWERS and (theirs != ours or type(theirs) is not type(ours)):
            told = OTHER_POLICY if key == POLICY else NOT_THIS_RUN.format(described(theirs), described(ours))
            raise _wrong(key, told)


def _no_such_field(name: str, known: Sequence[str]) -> str:
    near = nearest(name, known)
    return "there is no such field" + (f"; did you mean {near}?" if near else "")


def _reviewer(where: str, answer: object, expected: Expected) -> str:
    """The reviewer that an answer is of: one that this run sends."""
    if not isinstance(answer, dict):
        raise _wrong(where, f"it is {described(answer)} and not an object")
    name = answer.get(REVIEWER)
    if not isinstance(name, str):
        raise _wrong(f"{where}.{REVIEWER}", "it must be the name of a reviewer")
    for problem in objections(name, expected):
        raise _wrong(f"{where}.{REVIEWER}", problem)
    return name


def objections(name: str, expected: Expected) -> Iterator[str]:
    """Why nobody can answer for a reviewer in this run."""
    entry = expected.manifest.entry(name)
    if name not in expected.known:
        near = nearest(name, expected.known)
        yield f"there is no reviewer {printable(name)}" + (f"; did you mean {near}?" if near else "")
    elif entry is None:
        yield f"{name} is not in the manifest of this run; run --manifest FILE adds it"
    elif entry.loop not in expected.loops:
        yield f"{name} looks in loop {entry.loop}, which is not requested"


def _text(where: str, answer: Mapping[str, Any]) -> str:
    """An answer as the text that a model would have given, made sure that it can be read."""
    try:
        text = json.dumps({key: value for key, value in answer.items() if key != REVIEWER}, ensure_ascii=False)
        text.encode()
    except RecursionError:
        raise _wrong(where, "it is nested too deeply") from None
    except UnicodeEncodeError:
        raise _wrong(where, "it holds half of a character, such as \\ud800, which is no text") from None
    read = read_answer(text, ReviewAnswer)
    if isinstance(read, Unusable):
        raise _wrong(where, read.why)
    return text


def _wrong(where: str, what: str) -> MisuseError:
    return MisuseError(
        f"the findings cannot be used: {where}{': ' if where else ''}{what}",
        why="an answer that is not understood is no vote, and nothing was recorded",
        next_step=HOW,
    )
