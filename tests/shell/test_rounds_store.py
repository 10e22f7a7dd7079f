"""The folders of reviews in rounds: bounded in number and size, and only ever read where they are ours."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from review_gate.consensus.schema import Answer, ConsensusState, Mode, ReviewState, Settings, Status
from review_gate.errors import ReviewGateError
from review_gate.shell.rounds_store import ReviewFolder, RoundsStore

SETTINGS = Settings(quorum=2, independent_families=False, max_rounds=5, answer_seconds=9)


def begun(store: RoundsStore, name: str, status: Status, day: int = 1) -> ReviewFolder:
    folder = store.create(name)
    state = ReviewState(
        id=name,
        status=status,
        trigger_source="code-review-iterative",
        mode=Mode(type="code-diff", scope="uncommitted"),
        settings=SETTINGS,
        created=f"2026-01-{day:02}T00:00:00Z",
        round=1,
        reviewers={},
        consensus=ConsensusState(),
    )
    folder.write_state(state)
    return folder


def test_the_oldest_reviews_that_are_over_make_room(tmp_path: Path) -> None:
    store = RoundsStore(str(tmp_path / "rounds"), most=3)
    for day, name in enumerate(("over-9999", "open-1111", "over-1111"), start=1):
        begun(store, name, "resolved" if name.startswith("over") else "pending", day)
    begun(store, "newest-1", "pending", 4)
    assert store.names() == ["newest-1", "open-1111", "over-1111"]
    begun(store, "newest-2", "pending", 5)
    begun(store, "newest-3", "pending", 6)
    # Nobody loses a review that goes on.
    assert store.names() == ["newest-1", "newest-2", "newest-3", "open-1111"]


def test_a_link_is_no_review(tmp_path: Path) -> None:
    store = RoundsStore(str(tmp_path / "rounds"))
    begun(RoundsStore(str(tmp_path / "elsewhere")), "code-1111", "resolved")
    store.create("code-2222")
    os.symlink(tmp_path / "elsewhere/code-1111", tmp_path / "rounds/code-1111")
    assert store.names() == []


def test_one_that_cannot_be_read_is_not_left_out(tmp_path: Path) -> None:
    store = RoundsStore(str(tmp_path / "rounds"))
    for name in ("code-1111", "code-2222", "code-3333"):
        begun(store, name, "pending")
    (tmp_path / "rounds/code-2222/state.json").write_text("{")
    (tmp_path / "rounds/code-3333/state.json").unlink()
    (tmp_path / "rounds/code-3333/state.json").symlink_to(tmp_path / "rounds/code-1111/state.json")
    assert [folder.id for folder, _ in store.reviews()] == ["code-1111"]
    assert [folder.id for folder in store.unreadable()] == ["code-2222", "code-3333"]


@pytest.mark.parametrize("name", ["../codex", "a/b", "", ".x", "x\n"])
def test_no_answer_is_kept_elsewhere(tmp_path: Path, name: str) -> None:
    folder = begun(RoundsStore(str(tmp_path / "rounds")), "code-1111", "pending")
    with pytest.raises(ReviewGateError, match="is no name of a reviewer"):
        folder.write_answer(1, Answer(member=name, finished="2026-01-01T00:00:00Z"))


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    folder = begun(RoundsStore(str(tmp_path / "rounds")), "code-1111", "pending")
    answer = Answer(member="codex", raw=("x" * 40_000_001,), finished="2026-01-01T00:00:00Z")
    with pytest.raises(ReviewGateError, match="more than 40,000,000"):
        folder.write_answer(1, answer)


def test_who_asks_waits_for_who_only_looks(tmp_path: Path) -> None:
    folder = begun(RoundsStore(str(tmp_path / "rounds")), "code-1111", "pending")
    with folder.asking_alone() as is_alone:
        assert (is_alone, folder.is_asking, folder.asker) == (True, True, os.getpid())
        second = []

        def ask() -> None:
            with ReviewFolder(folder.path).asking_alone() as is_second_alone:
                second.append(is_second_alone)

        other = threading.Thread(target=ask)
        other.start()
        # Long enough for who does not wait.
        other.join(0.1)
    other.join()
    assert second == [True]
    # Its number may be somebody else's by now.
    assert (folder.is_asking, folder.asker) == (False, None)
