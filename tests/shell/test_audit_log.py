"""The audit log on a real disk: many writers, links, folders that take nothing, and what is read back."""

from __future__ import annotations

import json
import multiprocessing
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from multiprocessing.pool import Pool
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
from auditing import DAY, entry

from review_gate.prompts.history.audit import AuditEntry, line_of, read_line
from review_gate.shell.audit_log import AuditLogError, append, hash_key, log_files, log_lines, plugin_folder

WRITERS, EACH = 8, 60
as_root = pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root may mount")


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return plugin_folder({"HOME": str(tmp_path)})


def log_of(folder: str, day: str = DAY) -> Path:
    return Path(folder, "logs", f"{day}.jsonl")


def lines_in(path: Path) -> list[bytes]:
    return [line.rstrip(b"\n") for line in log_lines(str(path))]


def refused(folder: str, one: AuditEntry | None = None) -> AuditLogError:
    with pytest.raises(AuditLogError) as caught:
        append(folder, one or entry())
    assert "\n" not in caught.value.what
    return caught.value


def many_processes() -> Pool:
    return multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn").Pool(WRITERS)


# Writing


def test_a_review_stands_in_the_file_of_its_day_and_only_its_owner_can_look(folder: str) -> None:
    os.umask(os.umask(0o022))
    append(folder, entry())
    append(folder, entry("2026-02-25"))
    append(folder, entry(outcome="edited"))
    assert [json.loads(line)["outcome"] for line in log_of(folder).read_bytes().splitlines()] == ["approved", "edited"]
    assert log_of(folder, "2026-02-25").read_bytes() == line_of(entry("2026-02-25"))
    assert stat.S_IMODE(log_of(folder).parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(log_of(folder).stat().st_mode) == 0o600


def _write_many(folder: str, number: int) -> int:
    for at in range(EACH):
        append(folder, entry(project=f"{number}-{at}-" + "x" * 150))
    return number


def test_many_processes_write_at_once_and_every_line_is_whole(folder: str) -> None:
    with many_processes() as pool:
        assert pool.starmap(_write_many, [(folder, number) for number in range(WRITERS)], 1) == [*range(WRITERS)]
    lines = log_of(folder).read_bytes().splitlines()
    names = [read.project.rstrip("x") for line in lines if (read := read_line(line, DAY))]
    assert sorted(names) == sorted(f"{number}-{at}-" for number in range(WRITERS) for at in range(EACH))


def test_half_a_line_that_a_crash_left_takes_no_other_along(folder: str) -> None:
    append(folder, entry())
    with log_of(folder).open("ab") as file:
        file.write(b'{"timestamp": "2026-02')
    append(folder, entry(outcome="rejected"))
    lines = lines_in(log_of(folder))
    assert [read.outcome if (read := read_line(line, DAY)) else None for line in lines] == [
        "approved",
        None,
        "rejected",
    ]


# What is refused


def test_without_a_home_there_is_no_log() -> None:
    for environ in ({}, {"HOME": ""}, {"HOME": "relative"}):
        with pytest.raises(AuditLogError) as caught:
            plugin_folder(environ, "linux")
        assert caught.value.what == "there is no audit log: HOME is not set to a folder"


def test_a_log_that_is_a_link_is_not_followed(folder: str, tmp_path: Path) -> None:
    log_of(folder).parent.mkdir(parents=True)
    log_of(folder).symlink_to(tmp_path / "elsewhere")
    assert refused(folder).what == f"the review was not logged: {log_of(folder)}: it is a symbolic link"
    assert not (tmp_path / "elsewhere").exists()


def test_a_file_in_the_place_of_a_folder(folder: str) -> None:
    Path(folder).parent.mkdir(parents=True)
    Path(folder).write_text("")
    error = refused(folder)
    assert error.what == f"the review was not logged: {folder}/logs: Not a directory"
    assert error.next_step == f"see what stands at {folder}/logs, and move it away"


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 kB."""
    place = tmp_path / "small"
    place.mkdir()
    argv = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    if subprocess.run(argv, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@as_root
def test_a_full_disk_is_told_and_what_was_written_before_stays(mounted: Path) -> None:
    folder = str(mounted)
    append(folder, entry())
    (mounted / "filler").write_bytes(b"x" * (mounted / "filler").parent.stat().st_blksize)
    written = 1
    with pytest.raises(AuditLogError) as caught:
        for _ in range(1000):
            append(folder, entry())
            written += 1
    assert "No space left on device" in caught.value.what
    assert caught.value.next_step == "make room (df -h ~ shows how much there is)"
    (mounted / "filler").unlink()
    append(folder, entry(outcome="edited"))
    read = [read_line(line, DAY) for line in lines_in(log_of(folder)) if line]
    assert len([one for one in read if one]) == written + 1
    assert read[-1] is not None
    assert read[-1].outcome == "edited"


@as_root
def test_the_log_of_somebody_else_is_not_written_to(folder: str) -> None:
    append(folder, entry())
    os.chown(log_of(folder), 12345, 12345)
    assert refused(folder).what == f"the review was not logged: {log_of(folder)}: it belongs to somebody else"
    os.chown(log_of(folder).parent, 12345, 12345)
    assert refused(folder).what == f"the review was not logged: {log_of(folder).parent}: it belongs to somebody else"


# The key


# Of each worker of the pool below.
meeting: list[Barrier] = []


def _ask_keys(folders: list[str]) -> list[bytes]:
    """The keys of all folders; each is asked for when all others are about to ask for it too."""
    return [hash_key(folder) for folder in folders if meeting[0].wait(60) >= 0]


def test_many_processes_that_make_a_key_at_once_get_the_same(tmp_path: Path) -> None:
    folders = [str(tmp_path / f"home-{number}") for number in range(20)]
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    with context.Pool(WRITERS, meeting.append, (context.Barrier(WRITERS),)) as pool:
        keys = pool.map(_ask_keys, [folders] * WRITERS, chunksize=1)
    assert keys == [keys[0]] * WRITERS
    assert len({*keys[0]}) == len(folders)
    assert {len(key) for key in keys[0]} == {32}
    for folder in folders:
        assert os.listdir(folder) == ["key"]
        assert stat.S_IMODE(os.stat(os.path.join(folder, "key")).st_mode) == 0o600


@pytest.mark.parametrize(
    ("content", "mode", "why"),
    [
        (b"", 0o600, "it has 0 bytes and not 32"),
        (b"x" * 31, 0o600, "it has 31 bytes and not 32"),
        (b"x" * 33, 0o600, "it is 33 bytes long, more than 32"),
        (b"x" * 32, 0o644, "others can read it"),
        (b"x" * 32, 0o620, "others can read it"),
    ],
    ids=["empty", "too short", "too long", "for all to read", "for a group to write"],
)
def test_a_damaged_key_is_refused(folder: str, content: bytes, mode: int, why: str) -> None:
    os.makedirs(folder)
    path = Path(folder, "key")
    path.write_bytes(content)
    path.chmod(mode)
    with pytest.raises(AuditLogError) as caught:
        hash_key(folder)
    assert caught.value.what == f"the key of the audit log cannot be used: {path}: {why}"
    assert caught.value.next_step.startswith(f"rm {path}; ")
    assert path.read_bytes() == content


def test_a_key_that_is_a_link_is_refused(folder: str, tmp_path: Path) -> None:
    (tmp_path / "theirs").write_bytes(b"x" * 32)
    (tmp_path / "theirs").chmod(0o600)
    os.makedirs(folder)
    Path(folder, "key").symlink_to(tmp_path / "theirs")
    with pytest.raises(AuditLogError, match="it is a symbolic link"):
        hash_key(folder)


# Reading


def test_the_logs_of_a_period_come_in_order_and_nothing_else_does(folder: str) -> None:
    for day in ("2026-02-26", "2026-02-24", "2026-02-25"):
        append(folder, entry(day))
    for name in ("2026-02-30.jsonl", "2026-02-24.jsonl.bak", "x2026-02-24.jsonl", "notes.txt", "2026-02-24.jsonl\n"):
        log_of(folder).with_name(name).write_text("{}")
    assert [file.day for file in log_files(folder)] == ["2026-02-24", "2026-02-25", "2026-02-26"]
    assert [file.day for file in log_files(folder, "2026-02-25", "2026-02-25")] == ["2026-02-25"]


@pytest.mark.parametrize("kind", ["link", "fifo", "folder"])
def test_what_is_no_plain_file_is_not_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "log"
    if kind == "link":
        (tmp_path / "target").write_text("{}")
        path.symlink_to(tmp_path / "target")
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.mkdir()
    with pytest.raises(OSError):  # each system has its own word for it
        list(log_lines(str(path)))
