"""Whatever the text is, there is an answer, soon; and the pre-filter lets most lines through unread."""

from __future__ import annotations

import sys
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from review_gate.commandline import tree
from review_gate.commandline.acts import MOST_TEXT, NO_PARSER, PUSH, UNREAD, Act
from review_gate.commandline.programs import acts_in
from review_gate.commandline.quick import may_concern, plain_commands

PIECES = (
    *("git", "push", "commit", "--no-verify", "rm", "x", "a/b", "ls", "sh", "bash", "-c", "eval", "env", "find", "E\n"),
    *(
        " ",
        " ",
        " ",
        "\n",
        ";",
        "&&",
        "|",
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
        "=",
        "*",
    ),
    *("x=push", "$x", "${x", "$(", "$((", "))", "[[", "]]", "if", "then", "fi", "for", "in", "case", "f()", "\0", "é"),
)
LINES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.text(alphabet="git push;|&()<>$`'\"\\{}=\n #-c!*"),
    st.lists(st.sampled_from(PIECES), max_size=25).map("".join),
)


def acts(line: str) -> list[Act]:
    return acts_in(line, lambda _: {"x": "push"})


@settings(max_examples=400, deadline=None)
@given(LINES)
@example("0\r*")
def test_no_text_is_too_odd_for_an_answer(line: str) -> None:
    assert all(act.kind for act in acts(f"git {line}"))


USUAL = (
    *("ls -la src", "npm test", "npm run build 2>&1 | tail -20", "pytest -q tests/x.py -k 'a or b'", "cat a.py"),
    *("python -m pytest -x", 'rg "function(" src', "sed -n 1,40p a", "cargo test", "make -j4", "cd x && make"),
    *("curl -s http://localhost:1", "if [ -f a ]; then ls; fi", "source .venv/bin/activate", "docker ps"),
)


def test_usual_line_of_an_agent_is_not_even_read() -> None:
    assert [line for line in USUAL if may_concern(line)] == []


def test_line_of_plain_words_needs_no_parser() -> None:
    assert plain_commands("cd a && git push origin main; ls") == [
        ["cd", "a"],
        ["git", "push", "origin", "main"],
        ["ls"],
    ]
    assert plain_commands("git commit -m 'x'") is None


def unread(line: str) -> str:
    act = acts(line)[-1]
    assert act.kind == UNREAD
    return act.words[1]


ENDLESS = {
    "git push #" + "x" * MOST_TEXT: "is too long to be read",
    "$(" * 500 + "git push" + ")" * 500: "is nested too deep to be read",
    "git push 'x": "cannot be read as a command of bash",
    "( git push": "cannot be read as a command of bash",
    "git 'push' && " * 200 + "ls": "is nested too deep to be read",
    "git status;" * 6_000 + "git push": "has too many commands to be read",
}


@pytest.mark.parametrize(("line", "reason"), ENDLESS.items(), ids=[line[:20] for line in ENDLESS])
def test_line_that_cannot_be_read_says_why(line: str, reason: str) -> None:
    assert unread(line) == reason


@pytest.mark.parametrize("value", ["!git both 'x' && git both 'y'", "both -n"])
def test_alias_that_calls_itself_ends(value: str) -> None:
    assert acts_in("git both", lambda _: {"both": value})[-1].kind == UNREAD


def test_text_over_which_the_parser_broods_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "SECONDS", 0.05)
    before = time.monotonic()
    assert unread("git push; " + "a=(" * 20_000) == "takes too long to be read"
    assert time.monotonic() - before < 5


def test_line_is_unread_without_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter_bash", None)
    assert unread("git commit -m 'x'") == NO_PARSER
    assert [act.kind for act in acts("git push origin main")] == [PUSH]


def test_character_over_which_the_parser_crashes_is_kept_from_it() -> None:
    # tree-sitter-bash 0.25.1, its issue 337.
    assert [act.kind for act in acts("git push {\U00031860")] == [PUSH]
    assert [act.words for act in acts("git 'push' \U0001f680 é\u00a0")] == [("\U0001f680", "é\u00a0")]
