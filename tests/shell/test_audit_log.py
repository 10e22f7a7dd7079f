"""The audit log on a real disk: many writers, links, folders that take nothing, and what is read back."""

from __future__ import annotations

import json
import multiprocessing
import os
import stat
import sys
from multiprocessing.pool import Pool
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
from auditing import DAY, entry

from review_gate.errors import ReviewGateError
from review_gate.prompts.history.audit import line_of, read_line
from review_gate.shell.audit_log import append, hash_key, log_files, log_lines, plugin_folder

WRITERS, EACH = 8, 60
as_root = pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root may mount")


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return plugin_folder({"HOME": str(tmp_path)})


def log_of(folder: str, day: str = DAY) -> Path:
    return Path(folder, "logs", f"{day}.jsonl")


def lines_in(path: Path) -> list[bytes]:
    return [line.rstrip(b"\n") for line in log_lines(str(path))]


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
        with pytest.raises(ReviewGateError) as caught:
            plugin_folder(environ)
        assert caught.value.what == "there is no audit log: HOME is not set to a folder"


def test_a_log_that_is_a_link_is_not_followed(folder: str, tmp_path: Path) -> None:
    log_of(folder).parent.mkdir(parents=True)
    log_of(folder).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic links"):
        append(folder, entry())
    assert not (tmp_path / "elsewhere").exists()


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
        (b"x" * 33, 0o600, "it is 33 bytes long, more than 32"),
        (b"x" * 32, 0o644, "others can read it"),
    ],
    ids=["empty", "too long", "for all to read"],
)
def test_a_damaged_key_is_refused(folder: str, content: bytes, mode: int, why: str) -> None:
    os.makedirs(folder)
    path = Path(folder, "key")
    path.write_bytes(content)
    path.chmod(mode)
    with pytest.raises(ReviewGateError) as caught:
        hash_key(folder)
    assert caught.value.what == f"the key of the audit log cannot be used: {path}: {why}"
    assert caught.value.next_step.startswith(f"rm -f {path}, ")
    assert path.read_bytes() == content


# Reading


def test_the_logs_of_a_period_come_in_order_and_nothing_else_does(folder: str) -> None:
    for day in ("2026-02-26", "2026-02-24", "2026-02-25"):
        append(folder, entry(day))
    for name in ("2026-02-30.jsonl", "2026-02-24.jsonl.bak", "x2026-02-24.jsonl", "notes.txt", "2026-02-24.jsonl\n"):
        log_of(folder).with_name(name).write_text("{}")
    assert [file.day for file in log_files(folder)] == ["2026-02-24", "2026-02-25", "2026-02-26"]
    assert [file.day for file in log_files(folder, "2026-02-25", "2026-02-25")] == ["2026-02-25"]
