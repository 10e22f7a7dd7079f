"""Long strings of Python that begin a line: docstrings are comments, and all others are code too."""

from __future__ import annotations

import re

import pytest

from review_gate.checks.rule import CODE, COMMENTS
from review_gate.checks.structure import ANY_PART, structure_of


def parts(text: str) -> set[str]:
    """The parts of every HERE in a text."""
    structure = structure_of(text + "\n", "python")
    return {structure.part_at(found.start()) for found in re.finditer("HERE", text)}


DOCSTRINGS = {
    "module": '"""HERE"""\nimport a',
    "module below a comment": '#!/usr/bin/env python3\n# a\n\n"""HERE"""',
    "module with another quote": "'''HERE'''",
    "raw": 'r"""HERE"""',
    "class": 'class A:\n    """HERE"""',
    "class with a comment": 'class A:  # (b\\\n    """HERE"""',
    "function": 'def a(b: int = c[0], d: str = "(") -> dict[str, int]:\n    """HERE\n\n    HERE\n    """\n    e',
    "function of several lines": 'def a(\n    b,\n):\n    """HERE"""',
    "function below a decorator": '@a(b)\n@c\ndef d():\n    """HERE"""',
    "below another statement": 'a = f"{b[0]:>{c}} (" + "[{("\n"""HERE"""',
    "below an attribute": 'class A:\n    b = (1,)\n    """HERE"""',
    "before a comment": '"""HERE"""  # HERE',
    "before a semicolon": '"""HERE"""; a = 1',
    "below a line that went on": 'a = 1 + \\\n    2\n"""HERE"""',
    "at the end": 'def a():\n    """HERE"""',
    "with a backslash before its end": '"""HERE \\\\"""\n# HERE',
    "with line ends of Windows": 'def a():\r\n    """HERE"""\r\n    b',
}


@pytest.mark.parametrize("text", DOCSTRINGS.values(), ids=DOCSTRINGS)
def test_a_string_that_is_a_statement_is_a_comment(text: str) -> None:
    assert parts(text) == {COMMENTS}


SHORT = {
    "behind the colon of a class": 'class A(B): """HERE"""',
    "behind the colon of a function": "def a(b: C = {1: 2}) -> None: 'HERE'",
    "short": 'def a():\n    "HERE"\n    b',
    "short below a comment": "class A:  # b\n    # c\n    'HERE'  # d",
    "short, of a module": '"HERE"\n',
}


@pytest.mark.parametrize("text", SHORT.values(), ids=SHORT)
def test_a_string_that_stands_like_a_docstring_is_a_comment_and_code(text: str) -> None:
    assert parts(text) == {ANY_PART}


NO_STATEMENTS = {
    "value": 'a = "HERE"',
    "value over lines": "a = '''\n\nHERE'''",
    "value behind a backslash": 'a = \\\n    "HERE"',
    "in brackets": 'a(\n    "HERE",\n    "HERE"\n)',
    "value of a dictionary": 'a = {"b": "HERE",\n  "c":\n  "HERE"}',
    "in a slice": 'a[b:"HERE"]',
}


@pytest.mark.parametrize("text", NO_STATEMENTS.values(), ids=NO_STATEMENTS)
def test_any_other_short_string_is_code(text: str) -> None:
    assert parts(text) == {CODE}


STRINGS = {
    "argument": 'a(\n    """\n    SELECT HERE\n    """.format(b)\n)',
    "argument alone": 'a(\n    """HERE"""\n)',
    "raw argument": 'a(\n    r"""HERE""",\n    b"""HERE""",\n)',
    "value behind a backslash": 'a = \\\n    """HERE"""',
    "value in brackets": 'return (\n    """HERE""" % a)',
    "value of a dictionary": 'a = {\n    "b":\n    """HERE""",\n}',
    "value below a comment": "a = [\n    # b\n    '''HERE''',\n]",
    "formatted": '"""HERE""".format(a)',
    "formatted on the next line": '"""HERE""" \\\n    .format(a)',
    "behind an escaped end": '"""a \\""" # b"""; HERE',
    "below an escaped end": '"""a \\"""\n# b"""; HERE\n"""\nHERE"""',
}


@pytest.mark.parametrize("text", STRINGS.values(), ids=STRINGS)
def test_a_string_that_is_part_of_a_statement_is_code_and_comment(text: str) -> None:
    assert parts(text) == {ANY_PART}
