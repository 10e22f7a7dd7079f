"""Python: what does not compile and where, whatever encoding it declares."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from parsing import only, reviewed

CANNOT = f"Python {sys.version_info[0]}.{sys.version_info[1]} cannot compile this"
PYTHON_ADVICE = "fix it, or list the file under `syntax.exclude` if it is not meant for this Python"


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
