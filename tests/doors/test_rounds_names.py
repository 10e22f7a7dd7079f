"""Reviews in rounds where names are made of bytes that are no UTF-8: no document can hold them as they are."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from conftest import Repo
from rounding import Rounds, rounds_in, staged
from voting import PASS, Voters, finding, says

BYTES = os.fsdecode(b"b\xff.py")
pytestmark = pytest.mark.skipif(os.sep != "/", reason="names are bytes on POSIX only")


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Voters:
    return staged(tmp_path_factory.mktemp("stage"))


@pytest.fixture
def rounds(repo: Repo, stage: Voters) -> Iterator[Rounds]:
    found = rounds_in(repo, stage)
    yield found
    found.assert_nothing_runs()


def test_a_changed_file_of_such_a_name_is_reviewed_under_it_written_out(rounds: Rounds) -> None:
    aws = "AKIA" + "QYLPMN5HFIQR7XYZ"
    (rounds.repo.path / BYTES).write_text(f"b = 1\naws = '{aws}'\n")
    rounds.voters.play("codex", says(finding(file="b\\xff.py", quote="b = 1")), PASS)
    review = rounds.spawn()
    found = rounds.check(code=1)
    assert {one["file"] for one in found["findings"]} == {"b\\xff.py"}
    assert found["withheld_lines"] == 1
    (rounds.repo.path / BYTES).write_text("b = 2\n")
    assert rounds.check(code=0)["round"] == 2
    assert rounds.gate("rounds", "replay", review).returncode == 0
