"""The diff of a fix, as git writes it."""

from __future__ import annotations

import pytest

from review_gate.shell.content_diff import content_diff, quoted_path

HEAD = "diff --git a/f b/f\n--- a/f\n+++ b/f\n"
NO_END = "\\ No newline at end of file\n"
TEN = "".join(f"{number}\n" for number in range(1, 11))

DIFFS = {
    "nothing": ("a\n", "a\n", ""),
    "one line": ("a\n", "b\n", HEAD + "@@ -1 +1 @@\n-a\n+b\n"),
    "with its surroundings": (
        TEN,
        TEN.replace("5\n", "x\n"),
        HEAD + "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n",
    ),
    "a line less": (TEN, TEN.replace("10\n", ""), HEAD + "@@ -7,4 +7,3 @@\n 7\n 8\n 9\n-10\n"),
    "a line more": (TEN, "0\n" + TEN, HEAD + "@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n"),
    "two places": (
        TEN,
        TEN.replace("1\n", "x\n", 1).replace("10\n", "y\n"),
        HEAD + "@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -7,4 +7,4 @@\n 7\n 8\n 9\n-10\n+y\n",
    ),
    "no final line end before": ("a\nb", "a\nb\n", HEAD + f"@@ -1,2 +1,2 @@\n a\n-b\n{NO_END}+b\n"),
    "no final line end after": ("a\nb\n", "a\nb", HEAD + f"@@ -1,2 +1,2 @@\n a\n-b\n+b\n{NO_END}"),
    "no final line end at all": ("a\nb", "x\nb", HEAD + f"@@ -1,2 +1,2 @@\n-a\n+x\n b\n{NO_END}"),
    "CRLF": ("a\r\nb\r\n", "a\r\nc\r\n", HEAD + "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"),
    "CR ends no line": ("a\rb\r", "a\rc\r", HEAD + f"@@ -1 +1 @@\n-a\rb\r\n{NO_END}+a\rc\r\n{NO_END}"),
    "all of it": ("a\n", "", HEAD + "@@ -1 +0,0 @@\n-a\n"),
    "from nothing": ("", "a\n", HEAD + "@@ -0,0 +1 @@\n+a\n"),
    "lines that repeat": ("a\nb\na\nb\n", "a\na\nb\n", HEAD + "@@ -1,4 +1,3 @@\n a\n-b\n a\n b\n"),
}


@pytest.mark.parametrize(("old", "new", "expected"), DIFFS.values(), ids=DIFFS)
def test_a_diff_shows_what_changes(old: str, new: str, expected: str) -> None:
    assert content_diff("f", old.encode(), new.encode()) == expected


PATHS = {
    "plain": ("a/b-c.md", "a/b-c.md"),
    "a blank": ("a b", "a b"),
    "a quote": ('a"b', '"a\\"b"'),
    "a backslash": ("a\\b", '"a\\\\b"'),
    "a tab": ("a\tb", '"a\\tb"'),
    "a line end": ("a\nb", '"a\\nb"'),
    "an escape": ("a\x1bb", '"a\\033b"'),
    "UTF-8": ("é", '"\\303\\251"'),
    "no UTF-8": ("\udcff", '"\\377"'),
    "delete": ("\x7f", '"\\177"'),
}


@pytest.mark.parametrize(("path", "expected"), PATHS.values(), ids=PATHS)
def test_a_path_is_quoted_as_git_does(path: str, expected: str) -> None:
    assert quoted_path(path) == expected


def test_a_name_with_a_blank_ends_with_a_tab() -> None:
    assert content_diff("a b", b"a\n", b"b\n").splitlines()[:3] == [
        "diff --git a/a b b/a b",
        "--- a/a b\t",
        "+++ b/a b\t",
    ]
