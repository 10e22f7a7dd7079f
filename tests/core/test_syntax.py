"""Syntax: what parses, what does not and where, for Python, JSON and TOML, and the words exchanged with the child."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_gate.reviewers.problem import Problem, ReviewedFile
from review_gate.reviewers.syntax import (
    PYTHON_IN_PROCESS_BYTES,
    belongs_in_child,
    decode_yaml_answer,
    encode_frames,
    kind_of,
    review,
)

CANNOT = f"Python {sys.version_info[0]}.{sys.version_info[1]} cannot compile this"
PYTHON_ADVICE = "fix it, or list the file under `syntax.exclude` if it is not meant for this Python"


def reviewed(path: str, data: str | bytes) -> list[Problem]:
    content = data.encode() if isinstance(data, str) else data
    return review(ReviewedFile(path, content), max_bytes=3_000_000)


def only(path: str, data: str | bytes) -> Problem:
    (problem,) = reviewed(path, data)
    return problem


@pytest.mark.parametrize(
    ("path", "data", "kind"),
    [
        pytest.param("a.py", b"", "python", id="py"),
        pytest.param("src/A.PYI", b"", "python", id="pyi in capitals"),
        pytest.param("a.pyw", b"", "python", id="pyw"),
        pytest.param("bin/tool", b"#!/usr/bin/python3\n", "python", id="script"),
        pytest.param("bin/tool", b"#!/usr/bin/env python\r\n", "python", id="script by env"),
        pytest.param("bin/tool", b"#! /usr/bin/env -S X=1 python3.12 -I\n", "python", id="script by env with options"),
        pytest.param(".hook", b"#!/usr/bin/python3\n", "python", id="script with a leading dot"),
        pytest.param("a.json", b"", "json", id="json"),
        pytest.param("a.geojson", b"", "json", id="geojson"),
        pytest.param("a.webmanifest", b"", "json", id="webmanifest"),
        pytest.param("a.ipynb", b"", "json", id="ipynb"),
        pytest.param("Pipfile.lock", b"", "json", id="Pipfile.lock"),
        pytest.param("a.yaml", b"a: {{ b }}", "yaml", id="yaml"),
        pytest.param("a/.github/ci.yml", b"x: |\n  {% raw %}", "yaml", id="yml with Jinja in a block"),
        pytest.param("templates/a.yaml", b"a: 1", "yaml", id="yaml below templates without braces"),
        pytest.param("a.toml", b"", "toml", id="toml"),
        pytest.param("Pipfile", b"", "toml", id="Pipfile"),
        pytest.param("x/poetry.lock", b"", "toml", id="poetry.lock"),
        pytest.param("uv.lock", b"", "toml", id="uv.lock"),
        pytest.param("Cargo.lock", b"", "toml", id="Cargo.lock"),
        pytest.param("pdm.lock", b"", "toml", id="pdm.lock"),
    ],
)
def test_checked_files_have_a_kind(path: str, data: bytes, kind: str) -> None:
    assert kind_of(path, data) == kind


@pytest.mark.parametrize(
    ("path", "data"),
    [
        pytest.param("README.md", b"", id="Markdown"),
        pytest.param("py", b"", id="name without a suffix"),
        pytest.param(".py", b"", id="nothing but a suffix"),
        pytest.param("tool", None, id="unread script"),
        pytest.param("tool", b"#!/bin/sh\n", id="shell script"),
        pytest.param("tool", b"#!\n", id="empty shebang"),
        pytest.param("tool", b"#!/usr/bin/env\n", id="env without a program"),
        pytest.param("tool", b"#!/usr/bin/env python2\n", id="Python 2 script"),
        pytest.param("a.py", b"#!/usr/bin/python2.7\nprint 1", id="Python 2 module"),
        pytest.param("tool.sh", b"#!/usr/bin/python3\n", id="another suffix"),
        pytest.param("yarn.lock", b"", id="lock file of another language"),
        pytest.param("tsconfig.json", b"", id="tsconfig"),
        pytest.param("x/tsconfig.build.json", b"", id="tsconfig.build"),
        pytest.param("jsconfig.json", b"", id="jsconfig"),
        pytest.param(".vscode/settings.json", b"", id="vscode"),
        pytest.param("a/.devcontainer/b/devcontainer-lock.json", b"", id="devcontainer folder"),
        pytest.param("devcontainer.json", b"", id="devcontainer"),
        pytest.param(".eslintrc.json", b"", id="eslintrc"),
        pytest.param("api-extractor.json", b"", id="api-extractor"),
        pytest.param("a.jsonc", b"", id="jsonc"),
        pytest.param("a.code-workspace", b"", id="code-workspace"),
        pytest.param(".babelrc", b"", id="babelrc"),
        pytest.param("a.jsonl", b"", id="JSON lines"),
        pytest.param("{{cookiecutter.name}}/setup.py", b"", id="project template"),
        pytest.param("chart/templates/a.yaml", b"a: {{ .b }}", id="Helm template"),
        pytest.param("meta.yaml", b"{% set a = 1 %}\nb: 1", id="Jinja at the start"),
        pytest.param("meta.yaml", b"a: 1\n{%- if b %}\nb: 1", id="Jinja on a later line"),
        pytest.param("deploy.yaml", b"{{- if a }}\nb: 1", id="Go template"),
    ],
)
def test_other_files_have_none(path: str, data: bytes | None) -> None:
    assert kind_of(path, data) is None


@pytest.mark.parametrize(
    ("data", "message", "line", "column", "evidence"),
    [
        pytest.param("a = 1\n\tb c\n", "unexpected indent", 2, None, "b c", id="indent"),
        pytest.param("a = 1\nb  c d\n", "invalid syntax", 2, 4, "b  c d", id="invalid syntax"),
        pytest.param("a = 1\rb  c d", "invalid syntax", 2, 4, "b  c d", id="CR line ends"),
        pytest.param("a = (\n1,\n", "'(' was never closed", 1, 5, "a = (", id="open bracket"),
        pytest.param("return 1", "'return' outside function", 1, 1, "return 1", id="found by the compiler only"),
        pytest.param(
            "x = '\u00e9\u202e",
            "unterminated string literal (detected at line 1)",
            1,
            5,
            "x = '\u00e9<U+202E>",
            id="quote",
        ),
        pytest.param("a\nb\0c", "it holds a NUL byte", 2, 2, "b<U+0000>c", id="NUL"),
        pytest.param("# coding: nope\n", "unknown encoding nope", 1, None, "# coding: nope", id="unknown encoding"),
        pytest.param(b"\xff\xfea\0", "it holds a NUL byte", 1, 4, "<U+DCFF><U+DCFE>a<U+0000>", id="UTF-16"),
        pytest.param(
            "#!x\n# -*- coding: unicode_escape -*-\n# \\nimport os",
            "with the encoding unicode_escape its ASCII text is not what it looks like",
            2,
            None,
            "# -*- coding: unicode_escape -*-",
            id="code hidden by an encoding",
        ),
        pytest.param("-" * 60_000 + "1", "too deeply nested", None, None, "", id="signs"),
        pytest.param("a" + ".a" * 30_000, "too deeply nested", None, None, "", id="attributes"),
    ],
)  # fmt: skip
def test_python_that_does_not_compile_is_critical(
    data: str | bytes, message: str, line: int | None, column: int | None, evidence: str
) -> None:
    problem = only("a.py", data)
    assert (problem.rule, problem.severity) == ("syntax-python", "critical")
    assert problem.message == f"{CANNOT}: {message}"
    assert (problem.line, problem.evidence) == (line, evidence)
    assert column is None or problem.column == column
    assert problem.recommendation == PYTHON_ADVICE


@pytest.mark.parametrize(
    "encoding", ["utf-7", "utf_7", "unicode-escape", "raw_unicode_escape", "punycode", "idna", "hz", "cp037", "utf-16"]
)
def test_encodings_that_read_ascii_as_other_text_are_refused(encoding: str) -> None:
    message = f"{CANNOT}: with the encoding {encoding} its ASCII text is not what it looks like"
    assert only("a.py", f"\n  # vim: set fileencoding={encoding} :\na = 1\n").message == message


@pytest.mark.parametrize("encoding", ["rot13", "hex", "zlib", "nope", "..", "undefined.x"])
def test_encodings_that_are_not_for_text_are_refused(encoding: str) -> None:
    assert only("a.py", f"# coding={encoding}\n").message == f"{CANNOT}: unknown encoding {encoding}"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty file"),
        pytest.param(b"\xef\xbb\xbf# coding: utf-8\na = 1\r\n", id="order mark"),
        pytest.param(b"# coding: latin-1\na = '\xe9'\n", id="Latin-1"),
        pytest.param(b"#!x\n# -*- coding: Shift_JIS -*-\n", id="Shift JIS"),
        pytest.param(b"# encoding is set elsewhere, coding: !\n", id="no declaration at all"),
        pytest.param(b"a = 1\n# coding: nope\n", id="declaration below code"),
        pytest.param(b"\n\n# coding: nope\n", id="declaration on the third line"),
        pytest.param(b"assert (1, 2)\n1 is 1\nx = '\\d'\n", id="code that earns warnings"),
        pytest.param(b"import os; os._exit(3)\nraise SystemExit\n", id="code that must not run"),
        pytest.param(b"x = 10 ** 10 ** 10\ny = 'a' * 10 ** 12\n", id="constants too big to fold"),
    ],
)
def test_python_that_compiles_is_left_alone(data: bytes) -> None:
    assert reviewed("a.py", data) == []


def test_place_that_python_does_not_know_is_left_out() -> None:
    problem = only("a.py", "x = " + "1" * 5000)
    assert problem.line == 1
    assert problem.column is None or problem.column > 0


def test_bad_encoding_of_python_is_a_problem() -> None:
    problem = only("a.py", b"x = 1\ny = '\xff'\n")
    assert problem.message.startswith(f"{CANNOT}: ")
    assert "utf-8" in problem.message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_compiling_reads_nothing_from_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To quote a bad line CPython opens the file by its name; of a FIFO it would take what is in there, or wait."""
    os.mkfifo(tmp_path / "a.py")
    monkeypatch.chdir(tmp_path)
    pipe = os.open("a.py", os.O_RDWR | os.O_NONBLOCK)
    try:
        os.write(pipe, b"other\n")
        assert only("a.py", "b c\n").evidence == "b c"
        assert os.read(pipe, 100) == b"other\n"
    finally:
        os.close(pipe)


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


@pytest.mark.parametrize(("path", "body"), [("a.json", "{}"), ("a.toml", "a = 1\n")], ids=["json", "toml"])
def test_byte_order_mark_is_a_warning_and_the_rest_is_still_parsed(path: str, body: str) -> None:
    problem = only(path, "\ufeff" + body)
    assert (problem.rule, problem.severity) == (f"{path[2:]}-byte-order-mark", "warning")
    assert problem.message == "it begins with a byte order mark, which strict readers refuse"
    assert [problem.severity for problem in reviewed(path, "\ufeff" + body + "}")] == ["warning", "critical"]


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


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(ReviewedFile("a.py", None, unread="gone"), id="unread"),
        pytest.param(ReviewedFile("a.py", b"b c", is_link=True), id="link"),
        pytest.param(ReviewedFile("a.py", b"b c" + b" " * 98), id="too large"),
        pytest.param(ReviewedFile("a.py", b"b c", size=101), id="too large by its size"),
        pytest.param(ReviewedFile("a.md", b"b c"), id="no kind"),
        pytest.param(ReviewedFile("a.yaml", b"a: b: c"), id="YAML, which is for the child"),
    ],
)
def test_what_cannot_be_parsed_here_gives_no_problem(file: ReviewedFile) -> None:
    assert review(file, max_bytes=100) == []


def test_long_python_is_left_to_the_child() -> None:
    short = ReviewedFile("a.py", b"b c\n" + b"#" * (PYTHON_IN_PROCESS_BYTES - 4))
    long = ReviewedFile("a.py", b"b c\n" + b"#" * (PYTHON_IN_PROCESS_BYTES - 3))
    assert [belongs_in_child(file, max_bytes=10**6) for file in (short, long)] == [False, True]
    assert [len(review(file, max_bytes=10**6)) for file in (short, long)] == [1, 0]


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        pytest.param(ReviewedFile("a.yaml", b"a"), True, id="YAML"),
        pytest.param(ReviewedFile("a.yaml", b"a" * 101), False, id="too large"),
        pytest.param(ReviewedFile("a.yaml", None), False, id="unread"),
        pytest.param(ReviewedFile("a.yaml", b"a", is_link=True), False, id="link"),
        pytest.param(ReviewedFile("a.json", b"a"), False, id="JSON"),
    ],
)
def test_child_gets_the_yaml_that_can_be_parsed(file: ReviewedFile, expected: bool) -> None:
    assert belongs_in_child(file, max_bytes=100) is expected


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


def assert_well_formed(problems: list[Problem], data: bytes) -> None:
    lines = data.decode("utf-8", "surrogateescape").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for problem in problems:
        assert problem.severity in ("critical", "warning")
        assert problem.line is None or 1 <= problem.line <= len(lines)
        assert problem.column is None or problem.column >= 1
        assert all(character.isprintable() or character == "\t" for character in problem.message + problem.evidence)


KINDS = st.sampled_from(["a.py", "a.json", "a.toml", "a.yaml", "tool"])
CODE = st.text(
    st.sampled_from("ab01 \n\r\t\"'#\\()[]{}:=,.-+!@*\0\x0b\x0c\u00e9\u202e\ufeff\U0001f600fNI"), max_size=60
)


@given(KINDS, st.binary(max_size=300))
def test_any_bytes_of_any_kind_are_reviewed_without_an_exception(path: str, data: bytes) -> None:
    assert_well_formed(reviewed(path, data), data)


@given(KINDS, CODE)
def test_any_code_of_any_kind_is_reviewed_without_an_exception(path: str, text: str) -> None:
    assert_well_formed(reviewed(path, text), text.encode())


@given(st.text(st.sampled_from("abcdginoutf-_.0178: =#\n\r\t"), max_size=40))
def test_any_encoding_declaration_is_reviewed_without_an_exception(text: str) -> None:
    data = f"# coding: {text}".encode()
    assert_well_formed(reviewed("a.py", data), data)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=5), children, max_size=3),
    max_leaves=8,
)


@given(JSON_VALUES, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_json_that_python_writes_is_left_alone(value: object, indent: int | str | None, is_ascii: bool) -> None:
    assert reviewed("a.json", json.dumps(value, indent=indent, ensure_ascii=is_ascii)) == []


@given(JSON_VALUES, JSON_VALUES)
def test_repeated_key_is_found_wherever_it_is(first: object, second: object) -> None:
    text = f'[{json.dumps(first)}, {{"k": {json.dumps(second)},\n"k": {json.dumps(first)}}}]'
    problem = only("a.json", text)
    assert (problem.message, problem.line, problem.column) == ('duplicate key "k"', 2, 1)
