"""What is said of reviews that are over is found without reading more than two files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from review_gate.shell.settled_rounds import keep_settled, settled

TEXTS = {"text": "code-1a2b: agreed\n", "json": '{"reviews": []}\n'}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "review-gate/rounds"


def review(home: Path, name: str, *, is_over: bool, is_agreed: bool = True) -> None:
    folder = home / name
    folder.mkdir(parents=True)
    outcome = "agreed" if is_agreed else "closed"
    state = {"status": "resolved" if is_over else "pending", "consensus": {"outcome": outcome if is_over else ""}}
    (folder / "state.json").write_text(json.dumps(state, indent=1))
    if is_over:
        keep_settled(str(folder), is_agreed=is_agreed, texts=TEXTS)


def test_where_nothing_was_begun_nothing_is_open(tmp_path: Path) -> None:
    assert settled(str(tmp_path), None, "text") == (0, "no review is open\n")
    assert settled(str(tmp_path), None, "json") == (0, '{"reviews": []}\n')


@pytest.mark.parametrize(("is_agreed", "code"), [(True, 0), (False, 1)])
def test_a_review_that_is_over_is_told_as_it_was(tmp_path: Path, home: Path, is_agreed: bool, code: int) -> None:
    review(home, "code-1a2b", is_over=True, is_agreed=is_agreed)
    assert settled(str(tmp_path), "code-1a2b", "text") == (code, "code-1a2b: agreed\n")
    assert settled(str(tmp_path), "code-1a2b", "json") == (code, '{"reviews": []}\n')


def test_one_that_is_open_needs_a_closer_look(tmp_path: Path, home: Path) -> None:
    review(home, "code-1a2b", is_over=True)
    assert settled(str(tmp_path), None, "text") == (0, "no review is open\n")
    review(home, "code-3c4d", is_over=False)
    assert settled(str(tmp_path), None, "text") is None
    assert settled(str(tmp_path), "code-3c4d", "text") is None


def test_one_that_was_closed_is_over_too(tmp_path: Path, home: Path) -> None:
    review(home, "code-1a2b", is_over=False)
    state = home / "code-1a2b/state.json"
    state.write_text('{\n "id": "code-1a2b",\n "status": "resolved"\n}')
    assert settled(str(tmp_path), None, "text") == (0, "no review is open\n")
    state.write_text('{\n "status": "pending",\n "prompt": "\\"status\\": \\"resolved\\""\n}')
    assert settled(str(tmp_path), None, "text") is None


@pytest.mark.parametrize(("is_over", "is_agreed"), [(False, True), (True, False)])
def test_a_stray_file_ends_no_review(tmp_path: Path, home: Path, is_over: bool, is_agreed: bool) -> None:
    review(home, "code-1a2b", is_over=is_over, is_agreed=is_agreed)
    keep_settled(str(home / "code-1a2b"), is_agreed=True, texts=TEXTS)
    assert settled(str(tmp_path), "code-1a2b", "text") is None
    assert (settled(str(tmp_path), None, "text") is None) is not is_over


@pytest.mark.parametrize("name", ["code-1a", "../code-1a2b", "code-1a2b/", ".", "", "code-9f9f"])
def test_what_is_not_exactly_a_review_needs_a_closer_look(tmp_path: Path, home: Path, name: str) -> None:
    review(home, "code-1a2b", is_over=True)
    assert settled(str(tmp_path), name, "text") is None


@pytest.mark.parametrize("data", [b"", b"0", b"0\n", b"2\nx\n", b"-1\nx\n", b"\xff\n"])
def test_a_damaged_file_says_nothing(tmp_path: Path, home: Path, data: bytes) -> None:
    review(home, "code-1a2b", is_over=True)
    (home / "code-1a2b/settled.txt").write_bytes(data)
    assert settled(str(tmp_path), "code-1a2b", "text") is None


def test_no_link_is_followed(tmp_path: Path, home: Path) -> None:
    review(home, "code-1a2b", is_over=True)
    (home / "code-1a2b/settled.txt").unlink()
    (tmp_path / "other").write_text("0\nagreed\n")
    (home / "code-1a2b/settled.txt").symlink_to(tmp_path / "other")
    assert settled(str(tmp_path), "code-1a2b", "text") is None
