"""What `git apply` makes of our diffs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from conftest import clean_world
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from review_gate.shell.content_diff import content_diff

LONG = "".join(f"line {number}\n" for number in range(60))
CHANGES = {
    "in the middle": ("f", LONG, LONG.replace("line 30\n", "")),
    "far apart": ("f", LONG, LONG.replace("line 3\n", "x\n").replace("line 50\n", "y\nz\n")),
    "no final line end": ("f", "a\nb", "a\nc"),
    "a final line end gone": ("f", "a\nb\n", "a\nb"),
    "a final line end come": ("f", "a\nb", "a\nb\n"),
    "CRLF": ("f", "a\r\nb\r\nc\r\n", "a\r\nc\r\n"),
    "CR": ("f", "a\rb\rc", "a\rc"),
    "a byte order mark": ("f", "\ufeffa\nb\n", "\ufeffb\n"),
    "no UTF-8": ("f", "a\udcff\nb\n", "a\udcff\nc\n"),
    "all of it": ("f", "a\nb\n", ""),
    "an unseen separator": ("f", "a\u2028b\x0cc\nd\n", "a\u2028b\x0cc\ne\n"),
    "a name with blanks": ("a  b c", "a\n", "b\n"),
    "a name that looks like a date": ("a 2020-01-01 10:00:00", "a\n", "b\n"),
    "a name with a tab": ("a\tb", "a\n", "b\n"),
    "a name with a line end": ("a\nb", "a\n", "b\n"),
    "a name with quotes": ("a\"b'c\\d", "a\n", "b\n"),
    "a name in UTF-8": ("é/ü.md", "a\n", "b\n"),
    "a name that is no UTF-8": ("\udcff", "a\n", "b\n"),
    "a name with an escape": ("\x1b[31m", "a\n", "b\n"),
}


def apply(folder: Path, path: str, old: str, new: str) -> bytes | None:
    """The file after `git apply`, None when it is gone."""
    file = folder / path
    file.parent.mkdir(exist_ok=True, parents=True)
    file.write_bytes(old.encode("utf-8", "surrogateescape"))
    contents = [text.encode("utf-8", "surrogateescape") for text in (old, new)]
    patch = content_diff(path, *contents).encode("utf-8", "surrogateescape")
    done = subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"],
        check=False,
        cwd=folder,
        input=patch,
        capture_output=True,
        env=clean_world(folder),
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return file.read_bytes() if file.exists() else None


@pytest.mark.parametrize(("path", "old", "new"), CHANGES.values(), ids=CHANGES)
def test_git_applies_a_diff(tmp_path: Path, path: str, old: str, new: str) -> None:
    assert apply(tmp_path, path, old, new) == new.encode("utf-8", "surrogateescape")


TEXTS = st.lists(st.sampled_from(["a\n", "b\n", "c\r\n", "\n", "d", "e\r", "\\\n", "-- x\n", "@@\n"]), max_size=12).map(
    "".join
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, TEXTS)
def test_git_applies_any_diff(tmp_path: Path, old: str, new: str) -> None:
    if old != new:
        assert (apply(tmp_path, "f", old, new) or b"") == new.encode()
