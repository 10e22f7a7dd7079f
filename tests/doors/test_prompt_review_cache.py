"""What was asked before about exactly this is not asked again, and is told to be known."""

from __future__ import annotations

import pytest
from conftest import Repo
from prompting import ONE_GUARD, TASK, Desk


@pytest.fixture
def desk(repo: Repo) -> Desk:
    repo.commit("settings", {".claude/prompt-review.json": '{"preset": "quick"}', "CLAUDE.md": "# Shop\n"})
    return Desk(repo).claude(ONE_GUARD)


def test_the_same_prompt_is_answered_without_anybody(desk: Desk) -> None:
    first = desk.document(TASK)
    again = desk.document(TASK)
    assert len(desk.calls()) == 2
    assert (again["refined"], again["changes"]) == (first["refined"], first["changes"])
    assert [one["standing"] for one in again["reviewers"]] == ["known", "known"]
    assert (first["is_cached"], again["is_cached"]) == (False, True)
    assert again["cost"] == {"input_tokens": 0, "output_tokens": 0, "usd": 0.0}
    told = desk.review(TASK).stdout
    assert "| Reviewers: Security known  Clarity known " in told
    assert "| Cost: $0.00 (subscription) | 0 tokens | from the cache " in told
    assert len({first["id"], again["id"]}) == 2


CHANGES: dict[str, tuple[str, dict[str, str], dict[str, str]]] = {
    "another prompt": (f"{TASK}!", {}, {}),
}


@pytest.mark.parametrize(("prompt", "files", "environ"), CHANGES.values(), ids=CHANGES)
def test_what_is_not_the_same_is_asked_about(
    desk: Desk, prompt: str, files: dict[str, str], environ: dict[str, str]
) -> None:
    desk.document(TASK)
    for name, text in files.items():
        desk.repo.write(name, text)
    assert not desk.document(prompt, **environ)["is_cached"]
    assert len(desk.calls()) == 4
    assert desk.document(prompt, **environ)["is_cached"]


def test_only_reviewers_that_nobody_asked_before_are_asked(desk: Desk) -> None:
    desk.document(TASK)
    found = desk.document("--preset", "backend", TASK)
    standing = {one["role"]: one["standing"] for one in found["reviewers"]}
    assert standing == {"domain_sme": "ok", "security": "known", "clarity": "known", "testing": "ok"}
    assert not found["is_cached"]


def test_a_cache_that_may_not_be_kept_or_was_changed_by_hand_is_not_used(desk: Desk) -> None:
    desk.document(TASK, REVIEW_GATE_MODELS__CACHE="false")
    assert not desk.document(TASK)["is_cached"]
    kept = list((desk.cache / "prompt-answers").glob("??/*"))
    assert len(kept) == 2
    for path in kept:
        path.write_bytes(path.read_bytes().replace(b"token", b"bread"))
    found = desk.document(TASK)
    assert "Never print a token." in found["refined"]
    assert "ok" in [one["standing"] for one in found["reviewers"]]
