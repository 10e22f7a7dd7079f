"""What `run --findings` takes: a file that is understood to its last field, or nothing of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from builders import BASE, COMMIT, TREE, subject
from composing import config

from review_gate.errors import MISUSE, MisuseError
from review_gate.pipeline.schema import AgentManifest, ManifestEntry
from review_gate.pipeline.session_blank import blank_document
from review_gate.pipeline.session_file import HOW, MOST_BYTES, OTHER_POLICY, Expected, read_answers

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


def test_the_blank_document_says_what_it_is_about() -> None:
    ids = {"version": 1, "commit": COMMIT, "tree": TREE, "base": BASE, "policy": POLICY, "answers": []}
    assert blank_document(subject(), POLICY) == ids


def test_an_answer_for_staged_content_names_no_commit() -> None:
    staged = subject(commit=None)
    given = document(commit=None)
    assert list(read_answers(json.dumps(given).encode(), EXPECTED._replace(subject=staged))) == ["watcher"]
    of_commit = refusal(json.dumps(document()).encode(), EXPECTED._replace(subject=staged))
    assert of_commit.startswith(f'commit: it is the text "{COMMIT}", and this run has null: ')


UNREADABLE = {
    "nothing": (b"", "it cannot be read: not JSON at character 0"),
    "words": (b"all is well", "it cannot be read: not JSON at character 0"),
    "a fence": (b"```json\n{}\n```", "it cannot be read: not JSON at character 0"),
    "no UTF-8": (b'{"version": "\xff"}', "it cannot be read: not UTF-8 at byte 13"),
    "UTF-16": ("{}".encode("utf-16"), "it cannot be read: not UTF-8 at byte 0"),
    "a mark of byte order": (b"\xef\xbb\xbf{}", "it cannot be read: not JSON at character 0"),
    "a number that is none": (b'{"version": NaN}', "it cannot be read: not JSON: NaN is not JSON"),
    "a key twice": (b'{"version": 1, "version": 1}', "it cannot be read: not JSON: a key stands twice in one object"),
    "two documents": (b"{} {}", "it cannot be read: something follows the document at character 2"),
    "nested deep": (b"[" * 200_000 + b"]" * 200_000, "it cannot be read: nested too deeply"),
    "a list": (b"[]", "it is an empty list and not an object"),
    "null": (b"null", "it is null and not an object"),
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


def deep(given: Document) -> None:
    value: Any = []
    for _ in range(300):
        value = [value]
    given["answers"][0]["findings"] = value


OTHER = "the answers are about something else"
WRONG: dict[str, tuple[Callable[[Document], None], str]] = {
    "an unknown key": (put("answer", to=[]), "answer: there is no such field; did you mean answers?"),
    "a key for a terminal": (put("\x1b[2J", to=1), "\\x1b[2J: there is no such field"),
    "no version": (without("version"), "version: it is missing"),
    "no policy": (without("policy"), "policy: it is missing"),
    "another version": (
        put("version", to=2),
        f"version: it is the number 2, and this run has the number 1: {OTHER}",
    ),
    "true for a version": (put("version", to=True), f"version: it is true, and this run has the number 1: {OTHER}"),
    "another commit": (
        put("commit", to=BASE),
        f'commit: it is the text "{BASE}", and this run has the text "{COMMIT}": {OTHER}',
    ),
    "no commit": (put("commit", to=None), f'commit: it is null, and this run has the text "{COMMIT}": {OTHER}'),
    "another base": (
        put("base", to=COMMIT),
        f'base: it is the text "{COMMIT}", and this run has the text "{BASE}": {OTHER}',
    ),
    "another tree": (
        put("tree", to=BASE),
        f'tree: it is the text "{BASE}", and this run has the text "{TREE}": {OTHER}',
    ),
    "another policy": (put("policy", to="c"), f"policy: {OTHER_POLICY}"),
    "no list of answers": (
        put("answers", to={}),
        "answers: it is an empty mapping; it must be a list of at least one answer",
    ),
    "no answer": (put("answers", to=[]), "answers: it is an empty list; it must be a list of at least one answer"),
    "a word for an answer": (put("answers", 0, to="ok"), 'answers[0]: it is the text "ok" and not an object'),
    "no reviewer": (put("answers", 0, "reviewer", to=None), "answers[0].reviewer: it must be the name of a reviewer"),
    "an unknown reviewer": (
        put("answers", 0, "reviewer", to="watchers"),
        "answers[0].reviewer: there is no reviewer watchers; did you mean watcher?",
    ),
    "a built-in reviewer": (
        put("answers", 0, "reviewer", to="security-checks"),
        "answers[0].reviewer: there is no reviewer security-checks",
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
    "a line in words": (
        put("answers", 0, "findings", 0, "line", to="1"),
        "answers[0] (watcher): the answer has the wrong shape: findings.0.line: Input should be a valid integer",
    ),
    "a severity that is a number": (
        put("answers", 0, "findings", 0, "severity", to=1),
        "answers[0] (watcher): the answer has the wrong shape: findings.0.severity: Input should be a valid string",
    ),
    "a token that is too long": (
        put("answers", 0, "files_read", 0, "token", to="0" * 41),
        "answers[0] (watcher): the answer has the wrong shape: files_read.0.token: String should have at most 40"
        " characters",
    ),
    "more findings than anybody reads": (
        put("answers", 0, "findings", to=[FINDING] * 101),
        "answers[0] (watcher): the answer has the wrong shape: findings: Tuple should have at most 100 items after"
        " validation, not 101",
    ),
    "an answer that is too long": (
        put("answers", 0, "findings", 0, "message", to="x" * 2_000_001),
        "answers[0] (watcher): the answer has more than 2,000,000 characters",
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


def test_lists_in_lists_are_no_findings() -> None:
    given = document()
    deep(given)
    told = refusal(json.dumps(given).encode())
    assert told.startswith("answers[0] (watcher): the answer has the wrong shape: ")


def test_the_first_mistake_in_the_second_answer_is_told_there() -> None:
    expected = EXPECTED._replace(loops=(2, 3))
    given = document()
    given["answers"].append({"reviewer": "tester", "findings": []})
    shape = "the answer has the wrong shape: files_read: Field required"
    assert refusal(json.dumps(given).encode(), expected) == f"answers[1] (tester): {shape}"


def test_what_is_escaped_in_json_is_read_as_what_it_stands_for() -> None:
    given = document()
    given["answers"][0]["findings"][0]["message"] = "\U0001f600 \x00 \u2028"
    (text,) = read_answers(json.dumps(given).encode(), EXPECTED).values()
    assert json.loads(text)["findings"][0]["message"] == "\U0001f600 \x00 \u2028"
