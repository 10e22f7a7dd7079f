"""The words of the status screen."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from freezegun import freeze_time

from review_gate.gate.state_view import StateView
from review_gate.render.status import Status, age, status_text

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("timestamp", "words"),
    [
        ("2026-03-01T12:00:00.000Z", "just now"),
        ("2026-03-01T11:59:01Z", "just now"),
        ("2026-03-01T11:59:00Z", "1 minute ago"),
        ("2026-03-01T11:00:01Z", "59 minutes ago"),
        ("2026-03-01T11:00:00Z", "1 hour ago"),
        ("2026-02-28T12:00:01Z", "23 hours ago"),
        ("2026-02-28T12:00:00Z", "1 day ago"),
        ("2025-03-01T12:00:00Z", "365 days ago"),
        ("2026-03-01T13:58:00+02:00", "2 minutes ago"),
        ("2026-03-01T11:58:00", "2 minutes ago"),
        ("2026-03-01T12:01:00Z", "just now"),
        ("2026-03-01T12:01:01Z", "in the future (check the clock)"),
        ("yesterday", "at an unknown time"),
        ("", "at an unknown time"),
        ("None", "at an unknown time"),
    ],
)
def test_an_age_in_words(timestamp: str, words: str) -> None:
    assert age(timestamp, NOW) == words


def _status(**changes: object) -> Status:
    facts: dict[str, object] = {
        "commit": "c0ffee11" * 5,
        "branch": "main",
        "subject": "A change",
        "decision": None,
        "review": None,
        "state": None,
        "state_file": ".claude/skills/code-review/loop-state.json",
        "hooks": ("pre-commit", "commit-msg", "pre-push"),
        "hooks_folder": "/hooks",
        "unseen": (),
    }
    return Status.model_validate({**facts, **changes})


def test_the_screen_tells_how_old_a_review_is() -> None:
    review = {"finished": "2026-02-26T12:00:00Z", "base": "ba5eba33" * 5, "loops": ["passed"], "blockers": []}
    with freeze_time(NOW):
        text = status_text(_status(review=review), datetime.now(UTC))
    assert "review    finished 3 days ago, against ba5eba33\n" in text
    assert "loops     1 passed\n" in text


def test_a_record_of_the_wrong_shape_does_not_break_the_screen() -> None:
    text = status_text(_status(review={"loops": "all", "blockers": None, "finished": 7}), NOW)
    assert "review    finished at an unknown time, against None\n" in text


def test_only_the_newest_pushes_round_the_gate_are_shown() -> None:
    unseen = tuple({"time": number, "ref": f"refs/remotes/origin/{number}", "id": "d" * 40} for number in range(5))
    lines = status_text(_status(unseen=unseen), NOW).splitlines()
    shown = [line for line in lines if line.startswith("WARNING")]
    assert shown == [
        f"WARNING   a push went round the gate: refs/remotes/origin/{number} got dddddddd" for number in (2, 3, 4)
    ]


def test_the_last_review_here_is_named_when_it_is_of_another_commit() -> None:
    view = StateView(
        head_commit="abcdef12" * 5,
        tree="7ee7ee22" * 5,
        loops_passed=(True, True, True, True),
        ship_allowed=True,
        record_id="1d",
    )
    text = status_text(_status(state=view), NOW)
    assert "review    none of this commit; the last review here is of abcdef12\n" in text
