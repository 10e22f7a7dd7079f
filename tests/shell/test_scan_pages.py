"""Files are read whole or refused, whatever stands in their place and whatever happens while they are read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from review_gate.shell.scan_pages import SMALL, Reader

MOST = 4 * SMALL


def read(path: Path, *, most: int = MOST, is_named: bool = False) -> tuple[bytes | None, list[str]]:
    said: list[str] = []
    reader = Reader(most, [], lambda name, why: said.append(f"{name}: {why}"))
    return reader.file(str(path), "f", is_named=is_named), said


@pytest.mark.parametrize("size", [0, SMALL, MOST])
def test_a_file_is_read_whole_whatever_its_size(tmp_path: Path, size: int) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"x" * size)
    assert read(path) == (b"x" * size, [])


@pytest.mark.parametrize(
    "most",
    [
        9,
        SMALL,
    ],
)
def test_a_file_that_is_too_large_is_named_with_its_size(tmp_path: Path, most: int) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"x" * (most + 1))
    said = f"f: it has {most + 1} bytes, more than checks.max_file_bytes ({most})"
    assert read(path, most=most) == (None, [said])


@pytest.mark.skipif(not hasattr(os, "pread"), reason="there is no pread to be short")
@pytest.mark.parametrize("first", [1, 10, 2 * SMALL])
def test_a_file_that_grows_or_comes_in_pieces_is_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"x" * first)
    short = os.pread

    def growing(handle: int, size: int, place: int) -> bytes:
        data = short(handle, min(size, first), place)
        if path.stat().st_size == first:
            path.write_bytes(b"x" * first + b"and more")
        return data

    monkeypatch.setattr(os, "pread", growing)
    assert read(path) == (b"x" * first + b"and more", [])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_nothing_is_taken_from_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "f"
    os.mkfifo(path)
    assert read(path) == (None, ["f: it is not a plain file"])
    both = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    os.write(both, b"for somebody else")
    assert read(path) == (None, ["f: it is not a plain file"])
    assert os.read(both, 100) == b"for somebody else"
    os.close(both)


@pytest.mark.skipif(os.name == "nt", reason="Windows opens no folders and has no such devices")
def test_a_folder_or_a_device_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, Path(os.devnull), Path("/dev/zero")):
        assert read(path, is_named=True) == (None, ["f: it is not a plain file"])
    assert read(Path("/dev/zero")) == (None, ["f: it is not a plain file"])


def test_a_listed_name_that_is_a_folder_is_a_submodule_and_nothing_to_look_at(tmp_path: Path) -> None:
    assert read(tmp_path) == (None, [])


def test_a_listed_file_that_is_gone_is_nothing_to_look_at_and_a_named_one_is_missed(tmp_path: Path) -> None:
    assert read(tmp_path / "gone") == (None, [])
    assert read(tmp_path / "gone", is_named=True) == (None, ["f: it cannot be read: No such file or directory"])


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="the system cannot refuse links")
def test_a_link_is_followed_only_when_it_was_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"text")
    (tmp_path / "link").symlink_to("file")
    assert read(tmp_path / "link") == (None, [])
    assert read(tmp_path / "link", is_named=True) == (b"text", [])
