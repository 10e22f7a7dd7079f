"""Whatever the text is, there is an answer, soon, and the quick look never misses what the long one finds."""

from __future__ import annotations

import sys
from types import FrameType
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from review_gate.commandline.acts import PUSH, UNCLEAR, UNREAD, Act
from review_gate.commandline.find import acts_in, foreseen
from review_gate.commandline.publishing import PUBLISHERS
from review_gate.commandline.quick import CONCERNING, MOST_TEXT, NOTABLE, may_concern
from review_gate.commandline.starters import STARTERS
from review_gate.commandline.wrappers import WRAPPERS

if TYPE_CHECKING:
    from sys import TraceFunction  # type: ignore[attr-defined]  # known to the type checker only

PIECES = (
    *("git", "push", "commit", "-n", "--no-verify", "rm", "x", "a/b", "ls", "sh", "bash", "-c", "eval", "env", "find"),
    *(
        " ",
        " ",
        " ",
        " ",
        "\n",
        ";",
        "&",
        "&&",
        "|",
        "||",
        "(",
        ")",
        "{",
        "}",
        "'",
        '"',
        "\\",
        "$",
        "`",
        "<",
        ">",
        "<<E",
        "#",
    ),
    *(
        "=",
        "x=push",
        "$x",
        "${x",
        ":-",
        "$(",
        "$((",
        "))",
        "[[",
        "]]",
        "if",
        "then",
        "fi",
        "do",
        "done",
        "for",
        "in",
        "E\n",
    ),
    *(
        "case",
        "esac",
        ";;",
        "f()",
        "function",
        "*",
        "?",
        "[",
        "]",
        ",",
        "~",
        "!",
        "\0",
        "\ud800",
        "é",
        "\t",
        "\r",
        "sed",
        "-i",
    ),
    *(
        "python3",
        "-m",
        "2>&1",
        ">/dev/null",
        "npm",
        "command",
        "-v",
        "time",
        "source",
        "&>",
        "alias",
        "x=",
        "command",
        "curl",
        "-o",
    ),
)
lines = st.one_of(
    st.text(),
    st.text(alphabet="git push;|&()<>$`'\"\\{}=\n #-c!*"),
    st.lists(st.sampled_from(PIECES), max_size=25).map("".join),
)


def no_aliases(_folder: str) -> dict[str, str]:
    return {"x": "push"}


@settings(max_examples=1500, deadline=None)
@given(lines)
@example("0\r*")
def test_no_text_is_too_odd_for_an_answer_and_the_quick_look_misses_nothing(line: str) -> None:
    acts = foreseen(line, no_aliases)
    assert all(isinstance(act, Act) and act.kind for act in acts)
    if acts:
        assert may_concern(line)
    assert acts_in(line, no_aliases) == (acts if may_concern(line) else ())


USUAL = (
    *(
        "ls",
        "ls -la src",
        "npm test",
        "npm run build 2>&1 | tail -20",
        "npm install && npm test",
        "pytest -q tests/x.py -k 'a or b'",
    ),
    *(
        "python -m pytest -x",
        "python script.py --flag",
        "grep -rn 'a|b' src | head -20",
        'rg "push(" src',
        "cat a.py",
        "sed -n 1,40p a",
    ),
    *(
        "cargo build --release",
        "cargo test",
        "go test ./...",
        "make -j4",
        "mkdir -p a/b",
        "cd x && make",
        "cd a; pwd",
        "wc -l *.py",
    ),
    *(
        "git status",
        "git diff --stat",
        "git log --oneline -5",
        "git show HEAD~1",
        "git add -A",
        "find . -name '*.py'",
        "ls 2>/dev/null",
    ),
    *(
        "tsc --noEmit",
        "docker ps",
        "echo done",
        "ps aux | grep x",
        "sleep 5",
        "command -v x",
        "source .venv/bin/activate",
        "true && false",
    ),
    *(
        "curl -s http://localhost:1",
        "if [ -f a ]; then ls; fi",
        "cat a \\\n  b",
        "time make",
        "node x.js",
        "ruff check . && mypy .",
    ),
)


@pytest.mark.parametrize("line", USUAL)
def test_a_usual_line_of_an_agent_is_not_even_read(line: str) -> None:
    assert not may_concern(line)
    assert foreseen(line, no_aliases) == ()


@pytest.mark.parametrize("name", sorted({*WRAPPERS, *STARTERS, *PUBLISHERS}))
def test_the_quick_look_knows_every_program_of_the_tables(name: str) -> None:
    assert name in CONCERNING | NOTABLE or not foreseen(f"{name} a b c", no_aliases)
    assert may_concern(f"{name} -x -exec git push")


ENDLESS = (
    *(
        "(",
        "$(",
        "`",
        "{",
        "{ ",
        "a;",
        "env ",
        '"$x ',
        "x=$x$x;",
        "<<E ",
        "'",
        "{a,",
        "a=1 ",
        "$((",
        "((",
        "git ",
        "xargs ",
    ),
    *(
        "if ",
        "while ",
        "f(){ f;f;};",
        "eval ",
        "\\",
        "a|",
        "a&&x=1 &&",
        "-c ",
        "\n",
        "<<A\n",
        "x",
        "${",
        "${x:-",
        "case x in ",
    ),
    *(
        "[[ ",
        "a=(",
        "<(",
        "git push;",
        "x=git;",
        "foo git ",
        "#\n",
        "2>&1 ",
        ">",
        "time ",
        "!",
        "f() ",
        "$'",
        '"`',
        "echo a|sh;",
    ),
    *(
        "A=1;git push;",
        "GIT_CONFIG=1;git push;",
        "for x in 1;do ",
        "cd a;",
        "pushd a;",
        "a||b&&",
        "alias a=b;a;",
    ),
    *(
        "x+=$x;",
        "sh -c '",
        "\\`",
        "f(){ f;};f;",
        "find -exec ",
        "sudo ",
        "git -c a=b ",
        "trap a b;",
        '"$@"',
        "*",
        "{a..b}",
    ),
)


def lines_run(text: str) -> int:
    """How many lines of Python it takes to understand a text."""
    count = 0

    def tracer(_frame: FrameType, _event: str, _argument: object) -> TraceFunction:
        nonlocal count
        count += 1
        return tracer

    sys.settrace(tracer)
    try:
        foreseen(text, no_aliases)
        may_concern(text)
    finally:
        sys.settrace(None)
    return count


@pytest.mark.parametrize("piece", ENDLESS)
def test_twice_the_text_takes_no_more_than_twice_the_work(piece: str) -> None:
    # An even number, so that quotes have their ends.
    times = 1500 // len(piece) // 2 * 2
    once, twice = lines_run(piece * times), lines_run(piece * times * 2)
    assert twice < 2.4 * once + 2000


# Their work grows faster at first, up to the most that is done for any line.
GROWING = ("set -- $@ a;", "x=$x$x;eval $x;", "a=(${a[@]} a);")


@pytest.mark.parametrize("piece", [*ENDLESS, *GROWING])
def test_a_long_line_ends_in_an_answer(piece: str) -> None:
    acts = acts_in("git push\n" + piece * (8_000 // len(piece)), no_aliases)
    assert {act.kind for act in acts} & {PUSH, UNCLEAR, UNREAD}


def test_a_line_whose_end_is_not_reached_is_no_silent_one() -> None:
    acts = acts_in("true;" * 16_000 + "git push --no-verify", no_aliases)
    assert [act.kind for act in acts] == [UNREAD]


def test_a_line_that_no_system_starts_is_not_read() -> None:
    (act,) = acts_in("git push; " + "ls; " * MOST_TEXT, no_aliases)
    assert (act.kind, act.words[:2]) == (UNREAD, ("git", "push;"))


def test_a_caller_that_is_almost_too_deep_gets_an_answer_too() -> None:
    def down(levels: int) -> tuple[Act, ...]:
        return down(levels - 1) if levels else acts_in("( " * 25 + "git push" + " )" * 25, no_aliases)

    before = sys.getrecursionlimit()
    depth = 0
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    try:
        sys.setrecursionlimit(depth + 200)
        assert [act.kind for act in down(50)] == [UNREAD]
    finally:
        sys.setrecursionlimit(before)
    assert [act.kind for act in down(1)] == [PUSH]
