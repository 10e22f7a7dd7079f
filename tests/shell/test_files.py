"""Files read without being fooled, and written so that nobody ever sees half of one."""

from __future__ import annotations

import errno
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import review_gate
from review_gate.shell.files import (
    UnsafeFileError,
    append_line,
    overwrite_file,
    read_plain_file,
    replace_file,
)

PLACE = str(Path(review_gate.__file__).parents[1])
KILLS = 150


def python(code: str, *arguments: object) -> list[str]:
    """A bare interpreter that can import the package; it starts in a few milliseconds."""
    start = f"import sys; sys.path.append({PLACE!r})\n"
    return [sys.executable, "-I", "-S", "-c", start + code, *map(str, arguments)]


def test_a_plain_file_is_read_and_an_absent_one_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"\0\xff" * 700_000)
    assert read_plain_file(str(tmp_path / "file"), 1_400_000) == b"\0\xff" * 700_000
    assert read_plain_file(str(tmp_path / "absent"), 10) is None
    assert read_plain_file(str(tmp_path / "no/folder/either"), 10) is None
    assert read_plain_file(str(tmp_path / "file/below"), 10) is None


def _link(path: Path) -> None:
    path.symlink_to("/etc/passwd")


def _dead_link(path: Path) -> None:
    path.symlink_to("nowhere")


def _ring(path: Path) -> None:
    path.symlink_to(path.name)


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _sparse(path: Path) -> None:
    with open(path, "wb") as file:
        file.truncate(10**11)


UNSAFE: dict[str, tuple[Callable[[Path], object], str]] = {
    "a link": (_link, "it is a symbolic link"),
    "a link to nowhere": (_dead_link, "it is a symbolic link"),
    "a link to itself": (_ring, "it is a symbolic link"),
    "a link to a device": (_device, "it is a symbolic link"),
    "a FIFO": (os.mkfifo, "it is not a regular file"),
    "a folder": (lambda path: path.mkdir(), "it is not a regular file"),
    "100 GB of nothing": (_sparse, "it is 100000000000 bytes long, more than 1000"),
    "one byte too many": (lambda path: path.write_bytes(b"x" * 1_001), "it is 1001 bytes long, more than 1000"),
}


@pytest.mark.parametrize(("make", "message"), UNSAFE.values(), ids=UNSAFE.keys())
def test_what_is_no_plain_file_is_refused_unread(tmp_path: Path, make: Callable[[Path], object], message: str) -> None:
    make(tmp_path / "file")
    with pytest.raises(UnsafeFileError) as refusal:
        read_plain_file(str(tmp_path / "file"), 1_000)
    assert str(refusal.value) == message


def test_a_file_and_its_folders_are_made_or_replaced(tmp_path: Path) -> None:
    path, scratch = tmp_path / "a/b/file", tmp_path / "scratch/tmp"
    for data in (b"old", b"", b"new" * 100_000):
        replace_file(str(path), data, scratch=str(scratch))
        assert path.read_bytes() == data
    assert os.listdir(path.parent) == ["file"]
    assert os.listdir(scratch) == []


def test_a_file_that_is_overwritten_stays_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"a long text")
    path.chmod(0o640)
    before = path.stat()
    overwrite_file(str(path), b"short")
    assert path.read_bytes() == b"short"
    assert (path.stat().st_ino, path.stat().st_mode) == (before.st_ino, before.st_mode)


def test_a_link_in_place_of_the_file_is_replaced_and_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / "file").symlink_to(victim)
    replace_file(str(tmp_path / "file"), b"new", scratch=str(tmp_path / "scratch"))
    assert victim.read_text() == "precious"
    assert not (tmp_path / "file").is_symlink()


# Writes whole documents of one letter for ever; the letters change, so that a mixture would show.
ENDLESS = """
from review_gate.shell.files import replace_file
path, scratch = sys.argv[1:]
for number in range(10**9):
    replace_file(path, bytes([97 + number % 26]) * 200_000, scratch=scratch)
    if number == 0:
        sys.stdout.write("x")
        sys.stdout.flush()
"""


@pytest.mark.parametrize("kills", [5, pytest.param(KILLS, marks=pytest.mark.slow)])
def test_a_writer_killed_at_any_moment_leaves_the_old_file_or_the_new_one(tmp_path: Path, kills: int) -> None:
    path, scratch = tmp_path / "file", tmp_path / "scratch"
    chance = random.Random(20_260_101)
    for _ in range(kills):
        writer = subprocess.Popen(python(ENDLESS, path, scratch), stdout=subprocess.PIPE)
        assert writer.stdout is not None
        assert writer.stdout.read(1) == b"x"
        time.sleep(chance.random() * 0.006)
        writer.kill()
        writer.wait()
        writer.stdout.close()
        data = path.read_bytes()
        assert len(data) == 200_000
        assert len(set(data)) == 1
    assert sorted(os.listdir(tmp_path)) == ["file", "scratch"]


# Python ignores SIGXFSZ, so that a file over the limit is an error like a full disk.
OVER_THE_LIMIT = """
import resource
from review_gate.shell.files import append_line, replace_file
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
path, scratch, how = sys.argv[1:]
try:
    if how == "replace":
        replace_file(path, b"x" * 5000, scratch=scratch)
    else:
        append_line(path, b"x" * 5000, limit=10**6)
except OSError as error:
    sys.exit(error.errno)
"""


def test_a_full_disk_is_an_error_and_the_old_file_stays(tmp_path: Path) -> None:
    path, scratch = tmp_path / "file", tmp_path / "scratch"
    path.write_bytes(b"old")
    assert subprocess.run(python(OVER_THE_LIMIT, path, scratch, "replace"), check=False).returncode == errno.EFBIG
    assert path.read_bytes() == b"old"
    assert os.listdir(scratch) == []
    assert subprocess.run(python(OVER_THE_LIMIT, path, scratch, "append"), check=False).returncode == errno.EFBIG


LINE_WRITER = """
from review_gate.shell.files import append_line
path, letter = sys.argv[1:]
for _ in range(20):
    append_line(path, (letter * 300_000 + "\\n").encode(), limit=10**9)
"""


def test_eight_writers_of_a_log_tear_no_line(tmp_path: Path) -> None:
    path = tmp_path / "log/lines"
    writers = [subprocess.Popen(python(LINE_WRITER, path, letter)) for letter in "abcdefgh"]
    assert [writer.wait(60) for writer in writers] == [0] * 8
    lines = path.read_bytes().splitlines()
    assert len(lines) == 160
    assert {(len(line), len(set(line))) for line in lines} == {(300_000, 1)}


def test_a_long_log_is_set_aside_and_a_link_is_not_followed(tmp_path: Path) -> None:
    path = tmp_path / "log"
    for number in range(5):
        append_line(str(path), b"%d%s\n" % (number, b"x" * 60), limit=100)
    assert [line[:1] for line in path.read_bytes().splitlines()] == [b"4"]
    assert [line[:1] for line in (tmp_path / "log.1").read_bytes().splitlines()] == [b"2", b"3"]
    path.unlink()
    path.symlink_to(tmp_path / "victim")
    with pytest.raises(OSError, match="symbolic link"):
        append_line(str(path), b"x", limit=100)
    assert not (tmp_path / "victim").exists()
