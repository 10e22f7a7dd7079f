"""The source around findings comes from the reviewed tree, and from nothing that cannot be shown."""

from __future__ import annotations

import pytest
from builders import finding
from conftest import Repo

from review_gate.models import Finding, Snippet
from review_gate.shell.git import Git
from review_gate.shell.snippets import read_snippets

TEN = "".join(f"line {number}\n" for number in range(1, 11))


def ignore(path: str, data: bytes) -> None:
    """Have nothing against a file."""


def snippets_of(repo: Repo, *findings: Finding, shown: int = 100) -> tuple[Snippet, ...]:
    return read_snippets(
        Git(str(repo.path)), repo.git("rev-parse", "HEAD^{tree}"), findings, shown=shown, look_at=ignore
    )


def test_some_lines_around_each_place_come_from_the_tree_and_not_from_the_disk(repo: Repo) -> None:
    repo.commit("ten", {"ten.txt": TEN})
    repo.write("ten.txt", "something else\n")
    found = snippets_of(repo, *(finding(file="ten.txt", line=line) for line in (1, 5, 10, 5)))
    assert found == (
        Snippet(file="ten.txt", line=1, first=1, lines=("line 1", "line 2", "line 3", "line 4")),
        Snippet(file="ten.txt", line=5, first=2, lines=tuple(f"line {number}" for number in range(2, 9))),
        Snippet(file="ten.txt", line=10, first=7, lines=("line 7", "line 8", "line 9", "line 10")),
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"line": 11},
        {"file": None},
        {"file": "gone.txt"},
        {"file": "binary.txt", "line": 1},
        {"file": "large.txt", "line": 1},
        {"file": "../ten.txt"},
        {"file": "ten.txt\nten.txt"},
    ],
    ids=lambda changes: repr(changes)[:40],
)
def test_a_place_that_cannot_be_shown_has_no_source_and_takes_none_from_others(
    repo: Repo, changes: dict[str, object]
) -> None:
    repo.commit("ten", {"ten.txt": TEN, "folder/a.txt": "a\n"})
    repo.commit("others", {"binary.txt": b"a\0b\n", "large.txt": b"x" * 2_000_001})
    found = snippets_of(repo, finding(**{"file": "ten.txt", "line": 2, **changes}), finding(file="ten.txt", line=9))
    assert [snippet.line for snippet in found] == [9]


def test_a_file_with_a_secret_is_not_quoted_even_if_the_secret_is_not_among_what_is_shown(repo: Repo) -> None:
    repo.commit("ten", {"ten.txt": TEN, "other.txt": TEN})
    secret = finding(file="ten.txt", line=7, category="secrets")
    places = (finding(file="ten.txt", line=2), finding(file="other.txt", line=2))
    assert [snippet.file for snippet in snippets_of(repo, *places, secret, shown=2)] == ["other.txt"]


def test_bytes_of_any_kind_and_long_lines_are_shown_as_far_as_that_goes(repo: Repo) -> None:
    repo.commit("odd", {"odd.txt": b"a\r\n\xff\n" + b"x" * 500})
    (found,) = snippets_of(repo, finding(file="odd.txt", line=2))
    assert found.lines == ("a", "\udcff", "x" * 399 + "…")


def test_a_tree_that_is_not_there_has_no_source(repo: Repo) -> None:
    assert read_snippets(Git(str(repo.path)), "0" * 40, [finding(file="app.py", line=1)], shown=1, look_at=ignore) == ()


def test_whoever_asks_sees_each_file_that_is_quoted_once_and_whole(repo: Repo) -> None:
    repo.commit("ten", {"ten.txt": TEN, "binary.txt": b"\0"})
    seen: list[tuple[str, bytes]] = []
    places = [finding(file=name, line=line) for name in ("ten.txt", "binary.txt", "gone.txt") for line in (1, 2)]
    tree = repo.git("rev-parse", "HEAD^{tree}")
    read_snippets(Git(str(repo.path)), tree, places, shown=9, look_at=lambda path, data: seen.append((path, data)))
    assert seen == [("ten.txt", TEN.encode())]
