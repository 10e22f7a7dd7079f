"""What is said when the child that reads YAML for a hook breaks down."""

from __future__ import annotations

import pytest
from conftest import Repo
from opening import repository_at

from review_gate.errors import ConfigError
from review_gate.shell import worker
from review_gate.workflows.compile_child import done_by_child

UNREAD = ("the checks could not be read", "a check that cannot be read would find nothing", "review-gate checks list")


def test_a_package_that_is_missing_is_named(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "PROGRAM", "import not_there")
    with pytest.raises(ConfigError) as refused:
        done_by_child("checks", repository_at(repo), unread=UNREAD)
    assert refused.value.what == ("the checks could not be read: ModuleNotFoundError: No module named 'not_there'")
    assert refused.value.why == UNREAD[1]
    assert refused.value.next_step == "install review-gate again, with all that it needs (pip check names it)"


def test_any_other_breakdown_has_the_words_that_were_given(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "PROGRAM", "1 // 0")
    with pytest.raises(ConfigError) as refused:
        done_by_child("checks", repository_at(repo), unread=UNREAD)
    assert (refused.value.what, refused.value.why, refused.value.next_step) == UNREAD
