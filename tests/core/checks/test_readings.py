"""No encoding is a way around the checks."""

from __future__ import annotations

import random

import pytest

from review_gate.checks.applies import FILE, Page
from review_gate.checks.plan import plan_of
from review_gate.checks.readings import is_plainly_binary, readings_of
from review_gate.checks.rule import Rule
from review_gate.checks.scan import Scan

TEXT = "first\nkey = SECRET-1\nlast\n"
READABLE = {
    "plain": TEXT.encode(),
    "UTF-16 with a mark": TEXT.encode("utf-16"),
    "UTF-16 without a mark": TEXT.encode("utf-16-le"),
    "UTF-32": TEXT.encode("utf-32"),
    "a mark before plain text": b"\xff\xfe\n" + TEXT.encode(),
    "a NUL in a comment": b"# \0\n" + TEXT.encode(),
    "a NUL in the word itself": TEXT.encode().replace(b"SEC", b"S\0EC"),
}


def found(data: bytes, path: str, language: str) -> tuple[list[str], list[str]]:
    scan = Scan(plan_of([Rule("secret", "SECRET-1")]))
    scan.look_at(Page(path, data, language))
    result = scan.finish()
    return [alarm.rule for alarm in result.alarms], result.binary


@pytest.mark.parametrize(("path", "language"), [("a.py", "python"), (".env", "")])
@pytest.mark.parametrize("data", READABLE.values(), ids=READABLE)
def test_a_text_is_searched_however_it_is_written(data: bytes, path: str, language: str) -> None:
    assert found(data, path, language) == (["secret"], [])


RUSSIAN = "\u0411\u0435\u0437 \u0432\u0441\u0435\u0433\u043e\n\u0438 SECRET-1 \u0442\u0443\u0442\n"
UNLIKE_ASCII = {
    "UTF-16 without a mark": RUSSIAN.encode("utf-16-le"),
    "a NUL among accents": "SEC\0RET-1 // {}\n".format("\u00e9" * 20).encode(),
}


@pytest.mark.parametrize("data", UNLIKE_ASCII.values(), ids=UNLIKE_ASCII)
def test_a_text_that_is_hardly_ascii_is_searched_where_its_name_says_that_it_is_one(data: bytes) -> None:
    assert found(data, "a.md", "markdown") == (["secret"], [])


def test_what_is_no_text_is_named_as_binary() -> None:
    picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 20
    assert found(picture, "a.png", "") == ([], ["a.png"])


# Bytes of pictures and archives, and texts with something odd in them.
PIECES = [
    bytes(range(32)),
    bytes(range(256)),
    b"\0",
    b"\0\0",
    b"\x01",
    b"word ",
    b"\n",
    "\u00e9".encode(),
    b"#!/bin/sh",
]
STARTS = [b"", b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff", b"#!/bin/sh\n", b"\xef\xbb\xbf", b"x" * 8_000]


@pytest.mark.parametrize("path", ["a.mo", "a.py", "a", "Makefile"])
def test_a_glance_calls_nothing_binary_that_has_a_reading(path: str) -> None:
    chance = random.Random(3)
    told = 0
    for _ in range(500):
        data = chance.choice(STARTS) + b"".join(chance.choices(PIECES, k=chance.randint(0, 200)))
        if is_plainly_binary(path, data):
            told += 1
            assert readings_of(Page(path, data)) == []
    assert (told > 0) == (path in ("a.mo", "a"))


def test_binary_file_is_counted_when_a_glance_tells_it() -> None:
    picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 20
    scan = Scan(plan_of([Rule("secret", "SECRET-1")]))
    scan.look_at_file("a.png", picture, FILE)
    scan.look_at_file("b.txt", b"SECRET-1 \0", FILE)
    result = scan.finish()
    assert result.binary == ["a.png"]
    assert [alarm.file for alarm in result.alarms] == ["b.txt"]
