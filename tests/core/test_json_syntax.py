"""JSON: what strict readers refuse, where, and keys that stand twice."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from json_values import JSON_VALUES
from parsing import only, reviewed


@pytest.mark.parametrize(
    ("data", "message", "line", "column", "evidence"),
    [
        pytest.param("", "the file is empty", 1, 1, "", id="empty file"),
        pytest.param(" \n", "the file is empty", 2, 1, "", id="only white space"),
        pytest.param('{"a": 1\n "b": 2}', "expecting ',' delimiter", 2, 2, '"b": 2}', id="no comma"),
        pytest.param('{"a": 1\r "b": 2}', "expecting ',' delimiter", 2, 2, '"b": 2}', id="CR line ends"),
        pytest.param("// x\n{}", "expecting value", 1, 1, "// x", id="comment"),
        pytest.param("{} {}", "extra data", 1, 4, "{} {}", id="two values"),
        pytest.param('"\x01"', "invalid control character at", 1, 2, '"<U+0001>"', id="control character"),
        pytest.param("[1,\n  NaN]", "NaN is no JSON number", 2, 3, "NaN]", id="NaN"),
        pytest.param("[1,\r\n -Infinity]", "Infinity is no JSON number", 2, 3, "-Infinity]", id="Infinity"),
        pytest.param(b"\xff", "it is not UTF-8 text", None, None, "", id="not UTF-8"),
        pytest.param('"a"'.encode("utf-16"), "it is not UTF-8 text", None, None, "", id="UTF-16"),
    ],
)
def test_bad_json_is_critical(
    data: str | bytes, message: str, line: int | None, column: int | None, evidence: str
) -> None:
    problem = only("a.json", data)
    assert (problem.rule, problem.severity) == ("syntax-json", "critical")
    assert problem.message == f"this is not JSON: {message}"
    assert (problem.line, problem.column, problem.evidence) == (line, column, evidence)
    assert problem.recommendation == (
        "fix it, or list the file under `syntax.exclude` if its readers take more than JSON"
    )


def test_deeply_nested_json_is_a_problem() -> None:
    for data in ("[" * 100_000 + "]" * 100_000, '{"a":' * 100_000):
        assert only("a.json", data).message == "this JSON is too deeply nested"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("{}", id="object"),
        pytest.param("null\n", id="scalar"),
        pytest.param("1" * 5000, id="integer of 5,000 digits"),
        pytest.param("[1e999, -0.0, 1.5E+3]", id="odd numbers"),
        pytest.param('{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}], "c": "a"}', id="same key at other places"),
        pytest.param('{"NaN": "Infinity", "\\u0061": "\\ud800"}', id="words inside strings"),
        pytest.param('{"a": "{", "b": "}"}', id="brackets inside strings"),
    ],
)
def test_good_json_is_left_alone(data: str) -> None:
    assert reviewed("a.json", data) == []


def test_duplicate_key_in_json_is_a_warning_at_the_second_key() -> None:
    problem = only("a.json", '{"b": {"x\\u202e": "}",\r\n  "y": [1, {"x": 2}], "x\u202e" : 3}}')
    assert (problem.rule, problem.severity) == ("json-duplicate-key", "warning")
    assert problem.message == 'duplicate key "x<U+202E>"'
    assert (problem.line, problem.column) == (2, 23)
    assert problem.evidence == '"y": [1, {"x": 2}], "x<U+202E>" : 3}}'
    assert problem.recommendation == "keep one of them: which one wins depends on the program that reads the file"


def test_flood_of_duplicate_keys_is_cut_short_and_hides_no_error() -> None:
    problems = reviewed("a.json", "{" + ",".join(['"a": 1'] * 100_000) + ',"b": NaN}')
    assert len(problems) == 51
    assert problems[0].message == "this is not JSON: NaN is no JSON number"
    assert problems[-1].message == ('more than the 50 problems listed for this file; the next is: duplicate key "a"')


@given(JSON_VALUES, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_json_that_python_writes_is_left_alone(value: object, indent: int | str | None, is_ascii: bool) -> None:
    assert reviewed("a.json", json.dumps(value, indent=indent, ensure_ascii=is_ascii)) == []


@given(JSON_VALUES, JSON_VALUES)
def test_repeated_key_is_found_wherever_it_is(first: object, second: object) -> None:
    text = f'[{json.dumps(first)}, {{"k": {json.dumps(second)},\n"k": {json.dumps(first)}}}]'
    problem = only("a.json", text)
    assert (problem.message, problem.line, problem.column) == ('duplicate key "k"', 2, 1)
