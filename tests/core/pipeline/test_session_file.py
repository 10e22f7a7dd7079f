"""What `run --findings` takes: a file that is understood to its last field, or nothing of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from builders import BASE, COMMIT, subject
from composing import config

from review_gate.errors import MISUSE, MisuseError
from review_gate.pipeline.schema import AgentManifest, ManifestEntry
from review_gate.pipeline.session_file import HOW, MOST_BYTES, OTHER_POLICY, Expected, blank_document, read_answers

POLICY = "a-b"
CHOSEN = ManifestEntry(agent="watcher", loop=2, priority=50, because=("every change",))
LATER = ManifestEntry(agent="tester", loop=3, priority=50, because=("every change",))
EXPECTED = Expected(
    subject(), POLICY, AgentManifest(entries=(CHOSEN, LATER)), (1, 2), [agent.id for agent in config().agents]
)
FINDING = {
    "rule": "other",
    "severity": "major",
    "message": "wrong",
    "file": "a.py",
    "line": 1,
    "quote": "x",
    "recommendation": "do it right",
    "confidence": 0.5,
}
Document = dict[str, Any]


def document(**fields: Any) -> Document:
    answer = {"reviewer": "watcher", "findings": [dict(FINDING)], "files_read": [{"path": "a.py", "token": "00"}]}
    return {**blank_document(subject(), POLICY), "answers": [answer], **fields}


def refusal(data: bytes, expected: Expected = EXPECTED) -> str:
    """What is wrong with a file, as it is told."""
    with pytest.raises(MisuseError) as raised:
        read_answers(data, expected)
    error = raised.value
    assert (error.exit_code, error.next_step) == (MISUSE, HOW)
    assert error.what.isprintable()
    what, _, rest = error.what.partition(": ")
    assert what == "the findings cannot be used"
    return rest


def test_an_answer_is_kept_as_a_model_would_have_given_it() -> None:
    given = document()
    (text,) = read_answers(json.dumps(given).encode(), EXPECTED).values()
    assert json.loads(text) == {key: given["answers"][0][key] for key in ("findings", "files_read")}


def test_an_answer_for_staged_content_names_no_commit() -> None:
    staged = subject(commit=None)
    given = document(commit=None)
    assert list(read_answers(json.dumps(given).encode(), EXPECTED._replace(subject=staged))) == ["watcher"]
    of_commit = refusal(json.dumps(document()).encode(), EXPECTED._replace(subject=staged))
    assert of_commit.startswith(f'commit: it is the text "{COMMIT}", and this run has null: ')


UNREADABLE = {
    "words": (b"all is well", "it cannot be read: not JSON at character 0"),
    "a key twice": (b'{"version": 1, "version": 1}', "it cannot be read: not JSON: a key stands twice in one object"),
    "too large": (b" " * (MOST_BYTES + 1), "more than 8,000,000 bytes"),
}


@pytest.mark.parametrize(("data", "told"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_is_no_document_is_refused(data: bytes, told: str) -> None:
    assert refusal(data) == told


def without(key: str) -> Callable[[Document], None]:
    def change(given: Document) -> None:
        del given[key]

    return change


def put(*path: str | int, to: object) -> Callable[[Document], None]:
    """A document with another value at a place."""

    def change(given: Document) -> None:
        place: Any = given
        for part in path[:-1]:
            place = place[part]
        place[path[-1]] = to

    return change


def twice(given: Document) -> None:
    given["answers"] *= 2


OTHER = "the answers are about something else"
WRONG: dict[str, tuple[Callable[[Document], None], str]] = {
    "an unknown key": (put("answer", to=[]), "answer: there is no such field; did you mean answers?"),
    "no version": (without("version"), "version: it is missing"),
    "another commit": (
        put("commit", to=BASE),
        f'commit: it is the text "{BASE}", and this run has the text "{COMMIT}": {OTHER}',
    ),
    "another policy": (put("policy", to="c"), f"policy: {OTHER_POLICY}"),
    "no answer": (put("answers", to=[]), "answers: it is an empty list; it must be a list of at least one answer"),
    "an unknown reviewer": (
        put("answers", 0, "reviewer", to="watchers"),
        "answers[0].reviewer: there is no reviewer watchers; did you mean watcher?",
    ),
    "a reviewer that was not chosen": (
        put("answers", 0, "reviewer", to="banker"),
        "answers[0].reviewer: banker is not in the manifest of this run; run --manifest FILE adds it",
    ),
    "a reviewer of another loop": (
        put("answers", 0, "reviewer", to="tester"),
        "answers[0].reviewer: tester looks in loop 3, which is not requested",
    ),
    "the same reviewer twice": (twice, "answers[1].reviewer: watcher is answered for twice"),
    "a verdict": (
        put("answers", 0, "approved", to=True),
        "answers[0] (watcher): the answer has the wrong shape: approved: Extra inputs are not permitted",
    ),
    "half of a character": (
        put("answers", 0, "findings", 0, "message", to="\ud800"),
        "answers[0] (watcher): it holds half of a character, such as \\ud800, which is no text",
    ),
}


@pytest.mark.parametrize(("change", "told"), WRONG.values(), ids=WRONG)
def test_every_mistake_is_told_with_its_place(change: Callable[[Document], None], told: str) -> None:
    given = document()
    change(given)
    assert refusal(json.dumps(given).encode()) == told
