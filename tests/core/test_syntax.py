"""Syntax: which files are parsed as what and by whom, and that nothing in them stops the review."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsing import only, reviewed

from review_gate.reviewers.problem import Problem, ReviewedFile
from review_gate.reviewers.syntax import PYTHON_IN_PROCESS_BYTES, belongs_in_child, kind_of, review


@pytest.mark.parametrize(
    ("path", "data", "kind"),
    [
        pytest.param("bin/tool", b"#!/usr/bin/python3\n", "python", id="script"),
        pytest.param("bin/tool", b"#! /usr/bin/env -S X=1 python3.12 -I\n", "python", id="script by env with options"),
        pytest.param("a.json", b"", "json", id="json"),
        pytest.param("a.ipynb", b"", "json", id="ipynb"),
        pytest.param("a.yaml", b"a: {{ b }}", "yaml", id="yaml"),
        pytest.param("a/.github/ci.yml", b"x: |\n  {% raw %}", "yaml", id="yml with Jinja in a block"),
        pytest.param("templates/a.yaml", b"a: 1", "yaml", id="yaml below templates without braces"),
        pytest.param("a.toml", b"", "toml", id="toml"),
        pytest.param("x/poetry.lock", b"", "toml", id="poetry.lock"),
    ],
)
def test_checked_files_have_a_kind(path: str, data: bytes, kind: str) -> None:
    assert kind_of(path, data) == kind


@pytest.mark.parametrize(
    ("path", "data"),
    [
        pytest.param("README.md", b"", id="Markdown"),
        pytest.param(".py", b"", id="nothing but a suffix"),
        pytest.param("tool", None, id="unread script"),
        pytest.param("tool", b"#!/bin/sh\n", id="shell script"),
        pytest.param("tool", b"#!/usr/bin/env python2\n", id="Python 2 script"),
        pytest.param("a.py", b"#!/usr/bin/python2.7\nprint 1", id="Python 2 module"),
        pytest.param("tsconfig.json", b"", id="tsconfig"),
        pytest.param(".vscode/settings.json", b"", id="vscode"),
        pytest.param("a/.devcontainer/b/devcontainer-lock.json", b"", id="devcontainer folder"),
        pytest.param("{{cookiecutter.name}}/setup.py", b"", id="project template"),
        pytest.param("chart/templates/a.yaml", b"a: {{ .b }}", id="Helm template"),
        pytest.param("meta.yaml", b"{% set a = 1 %}\nb: 1", id="Jinja at the start"),
        pytest.param("deploy.yaml", b"{{- if a }}\nb: 1", id="Go template"),
    ],
)
def test_other_files_have_none(path: str, data: bytes | None) -> None:
    assert kind_of(path, data) is None


@pytest.mark.parametrize(("path", "body"), [("a.json", "{}"), ("a.toml", "a = 1\n")], ids=["json", "toml"])
def test_byte_order_mark_is_a_warning_and_the_rest_is_still_parsed(path: str, body: str) -> None:
    problem = only(path, "\ufeff" + body)
    assert (problem.rule, problem.severity) == (f"{path[2:]}-byte-order-mark", "warning")
    assert problem.message == "it begins with a byte order mark, which strict readers refuse"
    assert [problem.severity for problem in reviewed(path, "\ufeff" + body + "}")] == ["warning", "critical"]


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
