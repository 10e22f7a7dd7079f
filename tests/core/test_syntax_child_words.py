"""The words exchanged with the child process that parses: files in frames, and its answer, read with suspicion."""

from __future__ import annotations

import json

import pytest

from review_gate.reviewers.problem import Problem, ReviewedFile
from review_gate.reviewers.syntax import FIELDS, decode_yaml_answer, encode_answer, encode_frames


def test_frames_are_name_and_content_behind_their_lengths() -> None:
    files = [ReviewedFile("a\udce9.yaml", b"a: 1"), ReviewedFile("", b"")]
    assert encode_frames(files) == b"\0\0\0\x07a\xe9.yaml\0\0\0\x04a: 1" + b"\0" * 8
    assert encode_frames([]) == b""


def test_frames_refuse_a_file_that_was_not_read() -> None:
    with pytest.raises(ValueError, match=r"^a\.yaml was not read and cannot be parsed$"):
        encode_frames([ReviewedFile("a.yaml", None)])


FILES = [ReviewedFile("a.yaml", b"x"), ReviewedFile("b.py", b"x")]
ANSWER: dict[str, object] = {
    "file": 0,
    "rule": "syntax-yaml",
    "severity": "critical",
    "line": 2,
    "column": 3,
    "message": "bad \x1b",
    "evidence": "e\u202e",
    "recommendation": "fix it",
}


def decoded(*entries: object) -> list[tuple[int, Problem]]:
    return decode_yaml_answer(json.dumps(entries).encode(), FILES)


def test_problems_come_back_as_the_child_found_them() -> None:
    first = Problem("yaml-duplicate-key", "major", "twice", line=2, column=3, evidence="a: 1", recommendation="one")
    second = Problem("syntax-python", "critical", "bad")
    ((_, one), (index, other)) = decode_yaml_answer(encode_answer([(0, first), (1, second)]), FILES)
    assert index == 1
    assert [[getattr(made, name) for name in FIELDS] for made in (one, other)] == [
        [getattr(made, name) for name in FIELDS] for made in (first, second)
    ]


def test_what_the_child_quotes_is_harmless_on_a_terminal() -> None:
    ((_, problem),) = decoded(ANSWER)
    assert (problem.message, problem.evidence) == ("bad <U+001B>", "e<U+202E>")


WRONG_FIELDS: dict[str, tuple[object, ...]] = {
    "file": (-1, 2, True, "0"),
    "line": (0, True, "1"),
    "message": (None,),
    "evidence": (1,),
    "severity": ("", "fatal", 2),
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
