"""Conflict markers: what is one, what only looks like one, and what was there before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_gate.reviewers.conflict_markers import review
from review_gate.reviewers.problem import ReviewedFile

OURS, BASE, MIDDLE, THEIRS = "<<<<<<< HEAD", "||||||| 1f2e3d4", "=======", ">>>>>>> feature"
BLOCK = f"{OURS}\na = 1\n{MIDDLE}\na = 2\n{THEIRS}\n"
DIFF3_BLOCK = f"{OURS}\na = 1\n{BASE}\na = 0\n{MIDDLE}\na = 2\n{THEIRS}\n"


def found(text: str, old: str | None = None, path: str = "a.py") -> list[tuple[int | None, str]]:
    file = ReviewedFile(path, text.encode(), old=None if old is None else old.encode())
    return [(problem.line, problem.message) for problem in review(file)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(BLOCK, [(1, "unresolved merge conflict, lines 1 to 5")], id="complete block"),
        pytest.param(DIFF3_BLOCK, [(1, "unresolved merge conflict, lines 1 to 7")], id="diff3 block"),
        pytest.param(
            f"x\n{BLOCK}y\n{BLOCK}",
            [(2, "unresolved merge conflict, lines 2 to 6"), (8, "unresolved merge conflict, lines 8 to 12")],
            id="two blocks",
        ),
        pytest.param(
            BLOCK.replace("\n", "\r\n"), [(1, "unresolved merge conflict, lines 1 to 5")], id="CRLF line ends"
        ),
        pytest.param(BLOCK.replace("\n", "\r"), [(1, "unresolved merge conflict, lines 1 to 5")], id="CR line ends"),
        pytest.param(
            "<<<<<<<\n=======\n>>>>>>>",
            [(1, "unresolved merge conflict, lines 1 to 3")],
            id="no labels, no last newline",
        ),
        pytest.param(f"a\n{OURS}\nb\n", [(2, "leftover of a merge conflict")], id="lone start"),
        pytest.param(f"a\n{BASE}\nb\n", [(2, "leftover of a merge conflict")], id="lone base"),
        pytest.param(f"a\n{THEIRS}\nb\n", [(2, "leftover of a merge conflict")], id="lone end"),
        pytest.param(f"{MIDDLE}\nb\n{THEIRS}\n", [(3, "leftover of a merge conflict")], id="middle and end"),
        pytest.param(
            f"{OURS}\nb\n{THEIRS}\n",
            [(1, "leftover of a merge conflict"), (3, "leftover of a merge conflict")],
            id="start and end without a middle",
        ),
        pytest.param(
            f"{OURS}\n{BLOCK}",
            [(1, "leftover of a merge conflict"), (2, "unresolved merge conflict, lines 2 to 6")],
            id="start before a whole block",
        ),
        pytest.param(f"{OURS}\na\n{MIDDLE}\n", [(1, "leftover of a merge conflict")], id="block without an end"),
    ],
)
def test_conflict_markers_are_found(text: str, expected: list[tuple[int, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty file"),
        pytest.param("Heading\n=======\n\ntext\n", id="Markdown or reStructuredText heading"),
        pytest.param("=======\nHeading\n=======\n", id="reStructuredText title with overline"),
        pytest.param(">>>>>>>> quoted\n<<<<<<<< also\n|||||||| and\n", id="eight signs, mail quoting"),
        pytest.param(">>>>>> quoted\n<<<<<< x\n", id="six signs"),
        pytest.param(" <<<<<<< HEAD\n\t>>>>>>> x\n", id="indented"),
        pytest.param("x = '<<<<<<< HEAD'\n", id="inside a line"),
        pytest.param("<<<<<<<HEAD\n>>>>>>>x\n|||||||\tx\n", id="no space after the signs"),
    ],
)
def test_what_only_looks_like_a_marker_is_left_alone(text: str) -> None:
    assert found(text) == []


def test_underlined_title_is_left_alone_in_restructuredtext_only() -> None:
    assert found("Install\n>>>>>>>\n", path="docs/Index.RST") == []
    assert found("Install\n>>>>>>>\n", path="docs/index.txt") == [(2, "leftover of a merge conflict")]
    assert found(f"a\n{THEIRS}\n", path="docs/index.rst") == [(2, "leftover of a merge conflict")]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(BLOCK, f"more\n{BLOCK}", [], id="unrelated edit above an old block"),
        pytest.param(BLOCK.replace("\n", "\r\n"), BLOCK, [], id="only the line ends changed"),
        pytest.param(
            BLOCK, BLOCK + BLOCK, [(6, "unresolved merge conflict, lines 6 to 10")], id="the same block once more"
        ),
        pytest.param(f"{OURS}\n", BLOCK, [(1, "unresolved merge conflict, lines 1 to 5")], id="old start, new end"),
        pytest.param(BLOCK, f"Heading\n=======\n\n{BLOCK}", [], id="new heading above an old block"),
        pytest.param(
            f"{THEIRS}\n", f"{THEIRS}\n{THEIRS}\n", [(2, "leftover of a merge conflict")], id="leftover doubled"
        ),
        pytest.param("a\n", BLOCK, [(1, "unresolved merge conflict, lines 1 to 5")], id="new block in an old file"),
    ],
)
def test_only_new_markers_are_reported(old: str, new: str, expected: list[tuple[int, str]]) -> None:
    assert found(new, old) == expected


def test_problem_carries_rule_severity_evidence_and_advice() -> None:
    (problem,) = review(ReviewedFile("a.py", ("<<<<<<< \u202eHEAD\n" + BLOCK.partition("\n")[2]).encode()))
    assert (problem.rule, problem.severity, problem.column) == ("conflict-marker", "critical", 1)
    assert problem.evidence == "<<<<<<< <U+202E>HEAD"
    assert problem.recommendation == (
        "resolve the conflict and remove the marker lines, "
        "or list the file under `conflict_markers.exclude` if it is about conflicts"
    )


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(ReviewedFile("a.py", None, unread="gone"), id="unread"),
        pytest.param(ReviewedFile("link", BLOCK.encode(), is_link=True), id="link"),
        pytest.param(ReviewedFile("a.bin", b"\0" + b"\n" + BLOCK.encode()), id="binary"),
    ],
)
def test_what_is_not_text_is_left_to_hygiene(file: ReviewedFile) -> None:
    assert review(file) == []


def test_markers_in_text_that_is_not_utf8_are_found() -> None:
    (problem,) = review(ReviewedFile("a.c", b"\xe9\n<<<<<<< caf\xe9\n=======\n>>>>>>> x\n"))
    assert (problem.line, problem.evidence) == (2, "<<<<<<< caf<U+DCE9>")


def test_a_flood_of_markers_is_cut_short() -> None:
    problems = review(ReviewedFile("a.py", f"{THEIRS}\n".encode() * 1000))
    assert len(problems) == 51
    assert problems[-1].message == (
        "more than the 50 problems listed for this file; the next is: leftover of a merge conflict"
    )


LINES = st.sampled_from([OURS, BASE, MIDDLE, THEIRS, "<<<<<<<", "x", ""])


@given(st.lists(LINES, max_size=12))
def test_every_file_with_a_start_or_an_end_is_reported(lines: list[str]) -> None:
    has_marker = any(line.startswith(("<<<<<<<", "|||||||", ">>>>>>>")) for line in lines)
    assert bool(found("\n".join(lines))) == has_marker


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_any_bytes_are_reviewed_without_an_exception(data: bytes, old: bytes) -> None:
    review(ReviewedFile("a.py", data, old=old))
