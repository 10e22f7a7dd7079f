"""One at a time in a folder."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from review_gate.errors import ReviewGateError
from review_gate.shell.folder_lock import alone_in

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there a folder cannot be locked")


def test_a_second_one_is_told_that_somebody_is_at_work(tmp_path: Path) -> None:
    with alone_in(str(tmp_path)), pytest.raises(ReviewGateError) as raised, alone_in(str(tmp_path), seconds=0):
        pytest.fail("both are in")
    assert raised.value.what == f"another review-gate is at work in {tmp_path}"


def test_after_the_first_comes_the_next(tmp_path: Path) -> None:
    for _ in range(2):
        with alone_in(str(tmp_path), seconds=0):
            assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_to_be_made_is_guarded_by_the_one_above(tmp_path: Path) -> None:
    with alone_in(str(tmp_path)), pytest.raises(ReviewGateError), alone_in(str(tmp_path / "a/b"), seconds=0):
        pytest.fail("both are in")
