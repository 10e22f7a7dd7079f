"""The child process that parses YAML and long Python: as a function, and as a real process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_gate.reviewers import python_syntax
from review_gate.reviewers.problem import Problem, ReviewedFile
from review_gate.reviewers.syntax import decode_yaml_answer, encode_frames, review
from review_gate.reviewers.syntax_answers import frames_in
from review_gate.reviewers.yaml_syntax import problems_in
from review_gate.shell import spawn, syntax_child
from review_gate.shell.syntax_child import SyntaxChild

CHILD = [sys.executable, "-I", "-m", "review_gate.reviewers.syntax_answers"]


def answer_of(stdin: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(CHILD, input=stdin, capture_output=True, timeout=60, check=False)


def asked(*files: ReviewedFile) -> list[tuple[int, Problem]]:
    answer = answer_of(encode_frames(files))
    assert (answer.returncode, answer.stderr) == (0, b"")
    return decode_yaml_answer(answer.stdout, files)


@pytest.mark.parametrize(
    ("text", "line", "evidence"),
    [
        pytest.param("a:\n\tb: 1\n", 2, "b: 1", id="tab as indentation"),
        pytest.param("a: 1\n b: 2\n", 2, "b: 2", id="bad indentation"),
        pytest.param("a: b: c\n", 1, "a: b: c", id="two values on a line"),
        pytest.param("a: @b\n", 1, "a: @b", id="reserved sign"),
        pytest.param("a: 'x\n", None, None, id="open quote"),
        pytest.param("a: [1, 2\n", None, None, id="open list"),
        pytest.param("a: 1\n---\nb: ]\n", 3, "b: ]", id="second document"),
        pytest.param("a: \x01\n", 1, "a: <U+0001>", id="control character"),
        pytest.param("a: *b\n", 1, "a: *b", id="alias without an anchor"),
        pytest.param("a: &b 1\n---\nc: *b\n", 3, "c: *b", id="alias of another document"),
        pytest.param("%YAML 2.0\n---\na: 1\n", 1, "%YAML 2.0", id="unknown version"),
    ],
)
def test_bad_yaml_is_critical(text: str, line: int | None, evidence: str | None) -> None:
    (problem,) = problems_in(text.encode())
    assert (problem.rule, problem.severity) == ("syntax-yaml", "critical")
    assert problem.message.startswith("this is not YAML: ")
    assert problem.recommendation == "fix it, or list the file under `syntax.exclude` if it is a template"
    if line is not None:
        assert (problem.line, problem.evidence) == (line, evidence)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty file"),
        pytest.param(b"# only a comment\n", id="comment"),
        pytest.param(b"a: 1\n---\na: 2\n...\n", id="several documents"),
        pytest.param(b"a: !Ref b\nc: !!python/object/apply:os.system [exit]\n", id="unknown tags"),
        pytest.param(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n", id="order mark and CRLF"),
        pytest.param("a: \u65e5\u672c \U0001f600\n".encode("utf-16"), id="UTF-16"),
        pytest.param(b"a: &x [*x]\nb: *x\n", id="alias inside its own anchor"),
        pytest.param(b"links: [https://example.com/a, x]\n", id="URL in a flow list"),
        pytest.param("a: &\u00fcn 1\nb: *\u00fcn\n".encode(), id="anchor that is not ASCII"),
        pytest.param(b"on: push\n? [complex, key]\n: 1\n", id="complex key"),
        pytest.param(b"a: 0o14\nb: 2001-99-99\nc: 1e999\n", id="values that make no sense as numbers or dates"),
    ],
)
def test_good_yaml_is_left_alone(data: bytes) -> None:
    assert problems_in(data) == []


@pytest.mark.parametrize(
    ("text", "key", "line", "column"),
    [
        pytest.param("a: 1\nb: 2\na: 3\n", "a", 3, 1, id="block mapping"),
        pytest.param("{a: 1, b: 2, 'a': 3}\n", "a", 1, 14, id="flow mapping, quoted and not"),
        pytest.param("x:\n- y:\n    a: {c: 1}\n    a: 2\n", "a", 4, 5, id="deep below"),
        pytest.param("x: 1\n---\na: 1\na: 1\n", "a", 4, 1, id="second document"),
        pytest.param("? [k]\n: 1\na: 1\n? [k]\n: 2\na: 3\n", "a", 6, 1, id="between complex keys"),
        pytest.param("&a x: 1\n*a : 2\nx: 3\n", "x", 3, 1, id="with anchors"),
        pytest.param("1: a\n1: b\n", "1", 2, 1, id="numbers"),
        pytest.param('"1": a\n"1": b\n', "1", 2, 1, id="quoted numbers"),
        pytest.param("!t a: 1\n!t a: 2\n", "a", 2, 1, id="same tag"),
    ],
)
def test_duplicate_key_is_major_at_the_second_key(text: str, key: str, line: int, column: int) -> None:
    (problem,) = problems_in(text.encode())
    assert (problem.rule, problem.severity) == ("yaml-duplicate-key", "major")
    assert problem.message == f'duplicate key "{key}"'
    assert (problem.line, problem.column) == (line, column)
    assert problem.recommendation == "keep one of them: readers disagree on which one wins, and some refuse the file"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a: {b: 1}\nb: {a: 1}\n", id="same key on other levels"),
        pytest.param("- a: 1\n- a: 2\n", id="same key in other items"),
        pytest.param("a: a\nb: a\n", id="values"),
        pytest.param("1: a\n'1': b\n", id="number and text"),
        pytest.param("yes: a\n'yes': b\n", id="boolean of YAML 1.1 and text"),
        pytest.param("!a x: 1\n!b x: 2\n", id="other tags"),
        pytest.param("<<: {x: 1}\n<<: {y: 1}\n", id="two merges"),
        pytest.param("&a x: 1\ny: {*a : 1}\n", id="alias as a key"),
        pytest.param("[a, a, {a: [a, a]}]\n", id="lists"),
    ],
)
def test_keys_that_only_look_the_same_are_left_alone(text: str) -> None:
    assert problems_in(text.encode()) == []


def test_duplicate_keys_and_the_later_syntax_error_are_all_told() -> None:
    problems = problems_in(b"a: 1\na: 2\nb: c: d\n")
    assert [(problem.rule, problem.line) for problem in problems] == [("syntax-yaml", 3), ("yaml-duplicate-key", 2)]


def test_flood_of_duplicate_keys_keeps_its_severity_on_the_way() -> None:
    answers = asked(ReviewedFile("a.yaml", b"a: 1\n" * 200))
    assert len(answers) == 51
    assert {problem.severity for _, problem in answers} == {"major"}
    assert answers[-1][1].message == ('more than the 50 problems listed for this file; the next is: duplicate key "a"')


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * 50_000, id="brackets"),
        pytest.param("{a: " * 50_000, id="braces"),
        pytest.param("- " * 50_000, id="items"),
        pytest.param("".join(" " * depth + "a:\n" for depth in range(400)), id="indentation"),
    ],
)
def test_deep_nesting_is_refused_early(text: str) -> None:
    (problem,) = problems_in(text.encode())
    assert problem.message == "this YAML is too deeply nested: more than 100 levels"
    assert (problem.rule, problem.severity) == ("syntax-yaml", "critical")


def test_alias_bomb_costs_nothing() -> None:
    levels = [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]\n" for level in range(1, 60)]
    assert problems_in(("a0: &a0 x\n" + "".join(levels)).encode()) == []


def test_text_that_is_not_utf8_is_a_problem() -> None:
    (problem,) = problems_in(b"a: \xff\n")
    assert problem.message == "this is not YAML: it is neither UTF-8 nor UTF-16 text"


def test_child_answers_for_each_file_of_the_stream() -> None:
    answers = asked(
        ReviewedFile("good.yaml", b"a: 1\n"),
        ReviewedFile("b\udce9d.yaml", b"a: 1\n b: \xe2\x80\xae2\n"),
        ReviewedFile("empty.yml", b""),
        ReviewedFile("long.py", b"a = 1\nb  c\n"),
        ReviewedFile("double.yml", b"a: 1\na: 1\n"),
    )
    assert [(index, problem.rule, problem.severity, problem.line, problem.evidence) for index, problem in answers] == [
        (1, "syntax-yaml", "critical", 2, "b: <U+202E>2"),
        (3, "syntax-python", "critical", 2, "b  c"),
        (4, "yaml-duplicate-key", "major", 2, "a: 1"),
    ]


def test_child_answers_with_an_empty_list_when_nothing_is_wrong() -> None:
    for stdin in (b"", encode_frames([ReviewedFile("a.yaml", b"a: 1\n")])):
        answer = answer_of(stdin)
        assert (answer.returncode, answer.stdout, answer.stderr) == (0, b"[]", b"")


@pytest.mark.parametrize("cut", [1, 5, 12, 16], ids=["name length", "name", "data length", "data"])
def test_child_refuses_a_stream_that_was_cut(cut: int) -> None:
    answer = answer_of(encode_frames([ReviewedFile("a.yaml", b"a: 1\n")])[:cut])
    assert (answer.returncode, answer.stdout) == (2, b"")
    assert answer.stderr.rstrip() == b"the input ends in the middle of a file"


@given(st.lists(st.tuples(st.text(st.characters(codec="utf-8"), max_size=10), st.binary(max_size=20)), max_size=4))
def test_frames_come_back_as_they_were_sent(files: list[tuple[str, bytes]]) -> None:
    assert list(frames_in(encode_frames([ReviewedFile(name, data) for name, data in files]))) == files


YAML_TEXT = st.text(st.sampled_from("ab1 \n\r\t-:?,[]{}&*!|>'\"%@#<.\\\x85\u2028\ufeff\U0001f600"), max_size=60)


@given(st.binary(max_size=200) | YAML_TEXT.map(str.encode))
def test_any_bytes_are_parsed_without_an_exception(data: bytes) -> None:
    for problem in problems_in(data):
        assert problem.severity in ("critical", "major")
        assert problem.line is None or problem.line >= 1
        assert all(character.isprintable() or character == "\t" for character in problem.message + problem.evidence)


FORKED = pytest.mark.parametrize("may_fork", [False, True], ids=["started", "forked"])


@FORKED
def test_the_process_is_started_ahead_and_serves_one_batch_after_another(
    monkeypatch: pytest.MonkeyPatch, may_fork: bool
) -> None:
    monkeypatch.setattr(syntax_child, "BYTES_AT_ONCE", 10)
    child = SyntaxChild(60, may_fork=may_fork)
    child.warm_up(["yaml"])
    for name in "abc":
        child.take(ReviewedFile(f"{name}.yaml", b"key: [1,\n"))
    child.take(ReviewedFile("d.yaml", b"a: 1"))
    child.finish()
    child.close()
    assert [path for path, _ in child.problems] == ["a.yaml", "b.yaml", "c.yaml"]
    assert child.failure == ""


def test_a_process_that_cannot_start_is_a_failure_only_when_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    child = SyntaxChild(60)
    child.warm_up(["yaml"])
    child.finish()
    assert child.failure == ""
    child.take(ReviewedFile("a.yaml", b"a: 1"))
    child.finish()
    assert child.failure.startswith("the parser failed on a.yaml: ")


TOML = (b"a = 1\n", b"a = \n", b"\xef\xbb\xbfa = 1\n", b"\xff", b"a = [" + b"[" * 5_000, b"a = 2001-99-99\n")


@pytest.mark.parametrize("data", TOML)
def test_the_child_says_of_toml_what_is_said_without_it(data: bytes) -> None:
    file = ReviewedFile("a.toml", data)
    child = SyntaxChild(60, may_fork=True)
    assert child.kinds == ("yaml", "toml")
    child.warm_up(["toml"])
    child.take(file)
    child.finish()
    assert (child.failure, list(map(repr, (found for _, found in child.problems)))) == (
        "",
        list(map(repr, review(file, max_bytes=10**6))),
    )


def test_a_forked_child_holds_nothing_of_its_parent_open() -> None:
    ours, theirs = os.pipe()
    child = SyntaxChild(60, may_fork=True)
    child.warm_up([])
    os.close(theirs)
    # The end of the pipe shows only when nobody could write to it any more.
    assert os.read(ours, 1) == b""
    os.close(ours)
    child.close()


@FORKED
def test_a_child_that_takes_too_long_is_ended(may_fork: bool) -> None:
    child = SyntaxChild(0.01, may_fork=may_fork)
    child.take(ReviewedFile("a.yaml", b"- {a: [b, c]}\n" * 100_000))
    child.finish()
    assert child.failure == "the parser did not finish a.yaml within 0.01 seconds (limits.yaml_seconds)"


def test_a_forked_child_that_breaks_down_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: bytes) -> bytes:
        raise MemoryError("no more")

    monkeypatch.setattr(syntax_child, "_answer", broken)
    child = SyntaxChild(60, may_fork=True)
    child.take(ReviewedFile("a.yaml", b"a: 1\n"))
    child.finish()
    assert child.failure == "the parser failed on a.yaml: MemoryError: no more"


PYTHON = (b"x = 1\n", b"x = (\n", b"\0", b"# coding: none\n", b"x = 1\n" * 20_000 + b"x = (\n")


@pytest.mark.parametrize("data", PYTHON, ids=["sound", "open", "NUL", "encoding", "long"])
def test_a_copy_that_has_its_files_already_says_what_the_compiler_says(data: bytes) -> None:
    child = SyntaxChild(60, may_fork=True)
    child.take(ReviewedFile("a.py", data))
    child.begin()
    child.finish()
    child.close()
    assert (child.failure, [repr(found) for _, found in child.problems]) == (
        "",
        [repr(found) for found in python_syntax.problems_in(data)],
    )


def test_where_no_copy_can_be_made_the_files_are_parsed_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []

    def fork(*arguments: object) -> object:
        calls.append(arguments)
        if len(calls) == 1:
            raise BlockingIOError("no more processes")
        return spawn.fork(*arguments)  # type: ignore[arg-type]  # handed on as they came

    monkeypatch.setattr(syntax_child, "fork", fork)
    child = SyntaxChild(60, may_fork=True)
    child.take(ReviewedFile("a.py", b"x = (\n"))
    child.begin()
    child.finish()
    assert (child.failure, [path for path, _ in child.problems], len(calls)) == ("", ["a.py"], 2)
