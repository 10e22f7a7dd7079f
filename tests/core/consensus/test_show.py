"""A later round shows the same text first and what has changed after it; together they are the content as it is now."""

from __future__ import annotations

import json

import pytest

from review_gate.consensus.ballot import ballot_of
from review_gate.consensus.current import groups_now
from review_gate.consensus.question import round_question
from review_gate.consensus.schema import Answer, Member, Mode, Request, Vote
from review_gate.consensus.show import BUDGET, MOST_ADDED, showing
from review_gate.pipeline.exhibit import FileText
from review_gate.pipeline.question import Limits

NONCE = "0011223344556677"
MEMBER = Member(name="codex", family="openai")
MODE = Mode(type="code-diff", scope="uncommitted")


def file(name: str, *lines: str) -> FileText:
    numbered = tuple(f"{number:>6} +{line}" for number, line in enumerate(lines or (f"old {name}",) * 10, start=1))
    return FileText(name, "changed", numbered)


FILES = [file(f"{name}.py") for name in "abcdefgh"]


def request(files: list[FileText], number: int = 1, before: Request | None = None) -> Request:
    shown = showing(files, NONCE, number, before)
    return Request(
        round=number,
        began="2026-01-02T03:04:05Z",
        deadline="2026-01-02T03:14:05Z",
        nonce=NONCE,
        content="0" * 64,
        members=(MEMBER,),
        base=shown.base,
        groups=shown.groups,
        updates=shown.updates,
        shown=dict(shown.shown),
        not_shown=shown.not_shown,
    )


def question(one: Request) -> tuple[str, str]:
    asked = round_question(MODE, one.parts[0], NONCE, Limits(1.0, 1_000))
    return asked.shared, asked.task


def vote(one: Request, *tokens: str) -> tuple[Vote, str]:
    read = [{"path": "x", "token": token} for token in tokens]
    said = json.dumps({"verdict": "pass", "findings": [], "files_read": read, "summary": ""})
    ballot = ballot_of(MEMBER, Answer(member="codex", raw=(said,), finished="2026-01-02T03:04:06Z"), one)
    return ballot.vote, ballot.problem


def tokens_of(one: Request) -> list[str]:
    return [shown.token for group in groups_now(one) for shown in group.files]


def test_what_has_not_changed_is_shown_in_the_very_same_words() -> None:
    first = request(FILES)
    second = request(FILES, 2, first)
    assert question(first) == question(second)
    assert (second.base, vote(second, *tokens_of(first))[0]) == (1, Vote.PASS)


def test_a_file_that_was_mended_comes_after_the_same_text() -> None:
    first = request(FILES)
    second = request([file("a.py", "new a"), *FILES[1:]], 2, first)
    (shared, before), (same, task) = question(first), question(second)
    assert same == shared
    assert "new a" not in before
    assert "=== file a.py | changed | token " in task
    assert "     1 +new a\n" in task
    assert "b.py" not in task


def test_whoever_has_not_read_the_version_of_now_has_no_vote() -> None:
    first = request(FILES)
    second = request([file("a.py", "new a"), *FILES[1:]], 2, first)
    assert vote(second, *tokens_of(first)) == (Vote.NONE, "it read 7 of 8 files, without a.py")
    assert vote(second, *tokens_of(second))[0] is Vote.PASS
    assert not set(tokens_of(second)) <= set(tokens_of(first))


def test_the_content_of_now_has_each_file_once_and_as_it_is() -> None:
    first = request(FILES)
    second = request([file("a.py", "new a"), *FILES[2:], file("z.py", "new z")], 2, first)
    (group,) = groups_now(second)
    assert [shown.path for shown in group.files] == [*(f"{name}.py" for name in "cdefgh"), "a.py", "z.py"]
    assert "old a.py" not in group.text
    assert "old b.py" not in group.text
    assert group.text.count("old c.py") == 10
    assert group.text.count("+new a\n") == group.text.count("+new z\n") == 1


def test_a_file_that_is_no_part_of_the_change_any_more_is_said_to_be_gone() -> None:
    second = request(FILES[1:], 2, request(FILES))
    assert "=== no longer changed: a.py (" in question(second)[1]
    assert vote(second, *tokens_of(second))[0] is Vote.PASS


def test_a_third_round_has_all_changes_since_the_first() -> None:
    first = request(FILES)
    second = request([file("a.py", "new a"), *FILES[1:]], 2, first)
    third = request([file("a.py", "new a"), file("b.py", "new b"), *FILES[2:]], 3, second)
    assert question(third)[0] == question(first)[0]
    assert [word in question(third)[1] for word in ("new a", "new b")] == [True, True]


def test_a_mended_file_that_is_as_it_was_again_needs_no_update() -> None:
    first = request(FILES)
    second = request([file("a.py", "new a"), *FILES[1:]], 2, first)
    assert question(request(FILES, 3, second)) == question(first)


def test_when_much_has_changed_everything_is_shown_anew() -> None:
    changed = [file(f"{name}.py", *[f"new {name}"] * 10) for name in "abcd"]
    second = request([*changed, *FILES[4:]], 2, request(FILES))
    assert (second.base, question(second)[1].count("=== file")) == (2, 0)
    assert "new a" in question(second)[0]


def test_a_text_is_not_added_to_for_ever() -> None:
    one = request(FILES)
    for number in range(2, MOST_ADDED + 3):
        one = request([file("a.py", f"new {number}"), *FILES[1:]], number, one)
    assert one.base == MOST_ADDED + 2


@pytest.mark.parametrize("name", ["a | token 0.py", "a\n=== file b.py.py", "=== file.py"])
def test_no_name_of_a_file_leads_to_another(name: str) -> None:
    files = [FileText(name, "changed", ("     1 +old",)), *FILES]
    second = request([FileText(name, "changed", ("     1 +new",)), *FILES], 2, request(files))
    (group,) = groups_now(second)
    assert group.text.count("+old\n") == 0
    assert group.text.count("+new\n") == 1
    assert group.text.count("old b.py") == 10


def test_files_that_cannot_be_shown_are_told_in_each_round() -> None:
    hidden = FileText("image.png", "changed", (), "it is binary")
    second = request([*FILES, hidden], 2, request([*FILES, hidden]))
    assert [(one.path, one.because) for one in second.not_shown] == [("image.png", "it is binary")]


def test_a_file_that_nobody_can_show_any_more_is_not_said_to_be_gone() -> None:
    hidden = FileText("a.py", "changed", (), "it is binary")
    second = request([hidden, *FILES[1:]], 2, request(FILES))
    task = question(second)[1]
    assert ("=== not shown any more: a.py (" in task, "no longer changed" in task) == (True, False)
    assert [one.path for one in second.not_shown] == ["a.py"]


def test_more_new_files_than_go_into_one_question_are_shown_anew() -> None:
    large = [file(f"{name}.py", *["x" * 1_000] * 100) for name in "abcdefgh"]
    new = [file(f"new{number}.py", *["y" * 1_000] * 50) for number in range(4)]
    second = request([*large, *new], 2, request(large))
    assert second.base == 2
    assert max(len(group.text) for group in second.groups) <= BUDGET.per_group
