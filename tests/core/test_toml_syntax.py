"""TOML: what does not parse, and where."""

from __future__ import annotations

import pytest
from parsing import only, reviewed


@pytest.mark.parametrize(
    ("data", "message", "line", "column", "evidence"),
    [
        pytest.param(
            "a = 1\nb\n", "this is not TOML: expected '=' after a key in a key/value pair", 2, 2, "b", id="key"
        ),
        pytest.param("a = 1\r\na = 2\n\n", "this is not TOML: cannot overwrite a value", 2, 6, "a = 2", id="key twice"),
        pytest.param("a = [1,\n\n", "this is not TOML: invalid value", 1, None, "a = [1,", id="open array"),
        pytest.param(b"a = '\xff'", "this is not TOML: it is not UTF-8 text", None, None, "", id="not UTF-8"),
        pytest.param("a = " + "[" * 100_000, "this TOML is too deeply nested", None, None, "", id="arrays"),
        pytest.param("a = " + "{a = " * 100_000, "this TOML is too deeply nested", None, None, "", id="tables"),
        pytest.param("a" + ".a" * 100_000 + " = 1", "this TOML is too deeply nested", None, None, "", id="dotted key"),
        pytest.param(
            ("[" + "a." * 999 + "a]\n") * 9, "this TOML is too deeply nested", None, None, "", id="long headers"
        ),
    ],
)
def test_bad_toml_is_critical(
    data: str | bytes, message: str, line: int | None, column: int | None, evidence: str
) -> None:
    problem = only("a.toml", data)
    assert (problem.rule, problem.severity) == ("syntax-toml", "critical")
    assert problem.message == message
    assert (problem.line, problem.column, problem.evidence) == (line, column, evidence)
    assert problem.recommendation == "fix it, or list the file under `syntax.exclude` if it is meant to be broken"


def test_toml_integer_that_python_refuses_is_a_problem() -> None:
    assert only("a.toml", "a = " + "1" * 5000).message.startswith("this is not TOML: ")


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("", id="empty file"),
        pytest.param("[a.b]\nc.d = 1979-05-27T07:32:00Z\r\n[[e]]\n", id="tables and dates"),
        pytest.param("text = '" + "A sentence. " * 1500 + "'\n", id="prose with many dots"),
        pytest.param("a.b.c = 1\n", id="dotted key"),
    ],
)
def test_good_toml_is_left_alone(data: str) -> None:
    assert reviewed("a.toml", data) == []
