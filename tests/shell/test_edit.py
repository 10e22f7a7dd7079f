"""A file is changed only when it still holds what was read, all at once and never through a link."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import review_gate
from review_gate.errors import ReviewGateError
from review_gate.shell.edit import Edit, apply_edits, obstacle_to, replace_content

PLACE = str(Path(review_gate.__file__).parents[1])
LINK = ("it is a symbolic link", "fix the file that it leads to, by its own name")
CHANGED = ("it was changed after it was read", "leave it alone for a moment")


def words(error: ReviewGateError) -> tuple[str, str, str]:
    return error.what, error.why, error.next_step


def refusal(path: Path | str, why: str, remedy: str) -> tuple[str, str, str]:
    """What a user reads when a file is left alone."""
    return (f"{path} was not fixed: {why}", "the file is as it was", f"{remedy}, then the same command again")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file.md"
    path.write_bytes(b"old")
    return path


def alone(path: Path) -> bool:
    """Whether no temporary file is beside it."""
    return not [name for name in os.listdir(path.parent) if name.endswith(".tmp")]


@pytest.mark.parametrize("mode", [0o600, 0o755], ids=oct)
def test_the_content_is_replaced_and_the_mode_kept(file: Path, mode: int) -> None:
    file.chmod(mode)
    replace_content(str(file), b"old", b"new \xff\r\n")
    assert stat.S_IMODE(file.stat().st_mode) == mode
    assert file.read_bytes() == b"new \xff\r\n"
    assert alone(file)


def test_a_relative_path_without_folder_works(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    replace_content(file.name, b"old", b"new")
    assert file.read_bytes() == b"new"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_is_kept(file: Path) -> None:
    os.chown(file, 12345, 54321)
    replace_content(str(file), b"old", b"new")
    assert (file.stat().st_uid, file.stat().st_gid) == (12345, 54321)


def test_the_same_content_is_not_written_again(file: Path) -> None:
    before = file.stat()
    replace_content(str(file), b"old", b"old")
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def _link(path: Path) -> None:
    path.rename(path.with_name("target"))
    path.symlink_to("target")


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _second_name(path: Path) -> None:
    path.with_name("other").hardlink_to(path)


UNFIT: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "a link": (_link, *LINK),
    "a folder": (_folder, "it is not a regular file", "leave it out"),
    "a second name": (
        _second_name,
        "it has 2 names (hard links), and the others would keep the old text",
        "make it a file of its own (cp it, then mv the copy over it)",
    ),
    "read-only": (lambda path: path.chmod(0o444), "it is read-only", "make it writable (chmod u+w)"),
    "absent": (Path.unlink, "it is not there any more", "leave it alone for a moment"),
}


@pytest.mark.parametrize(("spoil", "why", "remedy"), UNFIT.values(), ids=UNFIT)
def test_a_file_that_cannot_be_changed_safely_is_left_alone(
    file: Path, spoil: Callable[[Path], object], why: str, remedy: str
) -> None:
    spoil(file)
    before = os.lstat(file) if os.path.lexists(file) else None
    with pytest.raises(ReviewGateError) as raised:
        replace_content(str(file), b"old", b"new")
    assert words(raised.value) == refusal(file, why, remedy)
    assert (os.lstat(file) if os.path.lexists(file) else None) == before
    assert alone(file)


def test_no_folder_below_the_top_may_be_a_link(tmp_path: Path) -> None:
    file, top = tmp_path / "other" / "file.md", tmp_path / "top"
    for folder in (file.parent, top):
        folder.mkdir()
    file.write_bytes(b"old")
    (top / "sub").symlink_to(file.parent)
    for path in (top / "sub" / "file.md", file):
        with pytest.raises(ReviewGateError) as raised:
            replace_content(str(path), b"old", b"new", str(top))
        reason = "a folder on its way is a symbolic link", "fix the file by its own name"
        assert words(raised.value) == refusal(path, *reason)
    assert file.read_bytes() == b"old"
    (tmp_path / "way").symlink_to(file.parent)
    replace_content(str(tmp_path / "way" / "file.md"), b"old", b"new", str(tmp_path / "way"))
    assert file.read_bytes() == b"new"


def test_an_interrupt_leaves_nothing_behind(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(handle: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        replace_content(str(file), b"old", b"new")
    assert file.read_bytes() == b"old"
    assert os.listdir(file.parent) == [file.name]


def test_a_hostile_name_is_shown_safely(tmp_path: Path) -> None:
    with pytest.raises(ReviewGateError) as raised:
        replace_content(str(tmp_path / "a\x1b[31m\nb"), b"old", b"new")
    assert raised.value.what == f"{tmp_path}/a<U+001B>[31m<U+000A>b was not fixed: it is not there any more"


CHILD = """
import resource, sys
sys.path.append(sys.argv[1])
from review_gate.errors import ReviewGateError
from review_gate.shell.edit import replace_content
if sys.argv[3] != "-":
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]),) * 2)
try:
    replace_content(sys.argv[2], b"old", b"new" * 1000)
except ReviewGateError as error:
    print(error.what, error.next_step, sep="|")
"""
# Without its capabilities root meets permissions like anybody else.
PLAIN_USER = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []


def child(file: Path, limit: str, *wrapper: str) -> str:
    """What another process says that tries to fix the file."""
    done = subprocess.run(
        [*wrapper, sys.executable, "-I", "-c", CHILD, PLACE, str(file), limit],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.rstrip("\n")


def test_a_full_disk_leaves_the_file_as_it_was(file: Path) -> None:
    what, _, next_step = refusal(file, "File too large", "make room (df -h . shows how much there is)")
    assert child(file, "100") == f"{what}|{next_step}"
    assert file.read_bytes() == b"old"
    assert alone(file)


def test_a_read_only_folder_leaves_the_file_as_it_was(file: Path) -> None:
    file.parent.chmod(0o555)
    try:
        said = child(file, "-", *PLAIN_USER)
    finally:
        file.parent.chmod(0o755)
    remedy = "look at the owner and mode of the file and of its folder (ls -ld)"
    what, _, next_step = refusal(file, "Permission denied", remedy)
    assert said == f"{what}|{next_step}"
    assert file.read_bytes() == b"old"


def test_one_bad_file_stops_no_other(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a", "b", "c")]
    for path in paths:
        path.write_bytes(b"old")
    paths[1].write_bytes(b"somebody else")
    edited = apply_edits([Edit(str(path), b"old", b"new") for path in paths])
    assert edited.changed == (str(paths[0]), str(paths[2]))
    assert [(path, words(error)) for path, error in edited.refused] == [(str(paths[1]), refusal(paths[1], *CHANGED))]
    assert [path.read_bytes() for path in paths] == [b"new", b"somebody else", b"new"]


def test_an_interrupt_says_which_files_were_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [str(tmp_path / f"{number}.md") for number in range(12)]
    for name in names:
        Path(name).write_bytes(b"old")
    replace, calls = os.replace, []

    def interrupted(source: str, target: str) -> None:
        calls.append(target)
        replace(source, target) if len(calls) < 13 else None
        if len(calls) == stop:
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    edits = [Edit(name, b"old", b"new") for name in names]
    stop = 2
    with pytest.raises(KeyboardInterrupt, match=r"^2 of 12 files were fixed: .*/0\.md, .*/1\.md$"):
        apply_edits(edits)
    assert [Path(name).read_bytes() for name in names] == [b"new"] * 2 + [b"old"] * 10
    assert alone(Path(names[0]))
    stop = 13
    calls += [""] * 10
    with pytest.raises(KeyboardInterrupt, match=r"^no file was changed$"):
        apply_edits(edits[2:])


@pytest.mark.parametrize(("prepare", "why", "remedy"), UNFIT.values(), ids=UNFIT)
def test_an_obstacle_is_told_before_anything_is_tried(
    file: Path, prepare: Callable[[Path], object], why: str, remedy: str
) -> None:
    assert obstacle_to(Edit(str(file), b"old", b"new")) is None
    prepare(file)
    error = obstacle_to(Edit(str(file), b"old", b"new"))
    assert error is not None
    assert words(error) == refusal(file, why, remedy)
