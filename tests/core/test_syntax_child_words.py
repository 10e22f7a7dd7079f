"""The words exchanged with the child process that parses: files in frames, and its answer, read with suspicion."""

from __future__ import annotations

import json

import pytest

from review_gate.reviewers.problem import Problem, ReviewedFile
from review_gate.reviewers.syntax import decode_yaml_answer, encode_frames


def test_frames_are_name_and_content_behind_their_lengths() -> None:
    files = [ReviewedFile("a\udce9.yaml", b"a: 1"), ReviewedFile("", b"")]
    assert encode_frames(files) == b"\0\0\0\x07a\xe9.yaml\0\0\0\x04a: 1" + b"\0" * 8
    assert encode_frames([]) == b""


def test_frames_refuse_a_file_that_was_not_read() -> None:
    with pytest.raises(ValueError, match=r"^a\.yaml was not read and cannot be parsed$"):
        encode_frames([ReviewedFile("a.yaml", None)])


FILES = [ReviewedFile("a.yaml", b"x"), ReviewedFile("b.py", b"x")]
ANSWER: dict[str, object] = {"file": 0, "line": 2, "column": 3, "message": "bad \x1b", "evidence": "e\u202e"}


def decoded(*entries: object) -> list[tuple[int, Problem]]:
    return decode_yaml_answer(json.dumps(entries).encode(), FILES)


@pytest.mark.parametrize(
    ("changes", "rule", "severity"),
    [
        pytest.param({}, "syntax-yaml", "critical", id="YAML"),
        pytest.param({"message": 'duplicate key "x"'}, "yaml-duplicate-key", "major", id="duplicate key"),
        pytest.param({"file": 1}, "syntax-python", "critical", id="Python"),
        pytest.param(
            {"file": 1, "message": 'duplicate key "x"'}, "syntax-python", "critical", id="Python with any text"
        ),
        pytest.param({"line": None, "column": None}, "syntax-yaml", "critical", id="no place"),
    ],
)
def test_answer_of_the_child_becomes_problems(changes: dict[str, object], rule: str, severity: str) -> None:
    entry = ANSWER | changes
    ((index, problem),) = decoded(entry)
    assert (index, problem.line, problem.column) == (entry["file"], entry["line"], entry["column"])
    assert (problem.rule, problem.severity, problem.evidence) == (rule, severity, "e<U+202E>")
    assert problem.message == str(entry["message"]).replace("\x1b", "<U+001B>")
    assert problem.recommendation


WRONG_FIELDS: dict[str, tuple[object, ...]] = {
    "file": (-1, 2, True, None, "0", 0.0),
    "line": (0, -1, True, "1", 1.5),
    "column": (0, "", False),
    "message": (None, 1),
    "evidence": (None, 1),
    "extra": (1,),
}


def test_empty_answer_means_no_problem() -> None:
    assert decoded() == []


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xff", id="not UTF-8"),
        pytest.param(b"{}", id="not a list"),
        pytest.param(b"[1]", id="not an entry"),
        pytest.param(b"[" * 100_000, id="too deep"),
        pytest.param(b"[] x", id="trailing text"),
        *(
            pytest.param(json.dumps([ANSWER | {field: value}]).encode(), id=f"wrong {field} {value!r}")
            for field, values in WRONG_FIELDS.items()
            for value in values
        ),
        pytest.param(json.dumps([{"file": 0}]).encode(), id="missing fields"),
    ],
)
def test_malformed_answer_is_refused(answer: bytes) -> None:
    with pytest.raises(ValueError):
        decode_yaml_answer(answer, FILES)
