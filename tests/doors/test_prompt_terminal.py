"""prompt-review on a real terminal: yes, no, or the prompt in an editor; the prompt that goes on is the output."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from conftest import Repo
from prompting import NOTHING, ONE_GUARD, REFINED, TASK, Desk, answer, replacing
from terminal import Terminal

QUESTION = b"Proceed with the refined prompt? (yes / no / edit) "
NOT_EDITED = "warning: the editor gave nothing back, so nothing is decided yet\r\n"
REFINED_LINES = REFINED.replace("\n", "\r\n")
COLOR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def desk(repo: Repo) -> Desk:
    desk = Desk(repo).claude(ONE_GUARD)
    desk.repo.write(".claude/prompt-review.json", '{"preset": "quick"}')
    return desk


def asked(desk: Desk, *arguments: str, **environ: str) -> Terminal:
    """A review that has come to its question."""
    terminal = Terminal(desk.repo, ["review-gate", "prompt-review", *arguments, TASK], environ)
    terminal.until(QUESTION)
    return terminal


def editor(desk: Desk, script: str) -> str:
    """An editor that does this with its file."""
    path = desk.repo.path.parent / "my editor"
    path.write_text(f"#!{sys.executable} -IS\nimport os, signal, sys\npath = sys.argv[-1]\n{script}\n")
    path.chmod(0o755)
    return f"'{path}' --wait"


def test_the_block_shows_the_words_that_change_in_colour_and_without_where_nobody_wants_it(desk: Desk) -> None:
    desk.claude({"security": NOTHING, "clarity": answer(replacing("optimize", "halve the time of", severity="minor"))})
    terminal = asked(desk)
    terminal.press(b"n\n")
    _, colored = terminal.ended()
    assert "\x1b[" in colored
    terminal = asked(desk, NO_COLOR="1")
    terminal.press(b"n\n")
    _, plain = terminal.ended()
    assert "\x1b" not in plain
    terminal = asked(desk, TERM="dumb")
    terminal.press(b"n\n")
    assert "\x1b" not in terminal.ended()[1]
    assert "-- Diff --" in plain
    assert "\r\n| [-optimize-]{+halve the time of+} the settings page\r\n" in plain
    assert "halve the time of" in COLOR.sub("", colored)


def test_the_prompt_goes_into_a_file_while_the_terminal_is_asked(desk: Desk, tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as output:
        terminal = Terminal(desk.repo, ["review-gate", "prompt-review", TASK], output=output)
        terminal.until(QUESTION)
        terminal.press(b"yes\n")
        assert terminal.ended()[0] == 0
    assert (tmp_path / "out").read_text() == REFINED


def test_an_edited_prompt_goes_on(desk: Desk, tmp_path: Path) -> None:
    script = "text = open(path).read()\nprint('editing')\nopen(path, 'w').write(text.replace('token', 'key') + '\\n')"
    with (tmp_path / "out").open("wb") as output:
        environ = {"EDITOR": editor(desk, script), "VISUAL": ""}
        terminal = Terminal(desk.repo, ["review-gate", "prompt-review", TASK], environ, output)
        terminal.until(QUESTION)
        terminal.press(b"edit\n")
        code, screen = terminal.ended()
    # What the editor shows is on the terminal, and the prompt alone in the file.
    assert (code, "\r\nediting\r\n" in screen) == (0, True)
    assert (tmp_path / "out").read_text() == REFINED.replace("token", "key") + "\n"
    assert desk.outcomes() == ["edited"]


BROKEN_EDITORS = {
    "fails": "sys.exit(1)",
}


@pytest.mark.parametrize("script", BROKEN_EDITORS.values(), ids=BROKEN_EDITORS)
def test_an_editor_that_gives_nothing_back_decides_nothing(desk: Desk, script: str) -> None:
    terminal = asked(desk, EDITOR=editor(desk, script), VISUAL="")
    terminal.press(b"e\n")
    terminal.until(NOT_EDITED.encode() + QUESTION)
    terminal.press(b"y\n")
    code, screen = terminal.ended()
    assert (code, NOT_EDITED in screen, desk.outcomes()) == (0, True, ["approved"])


def test_an_interrupt_at_the_question_decides_against_and_is_logged_once(desk: Desk) -> None:
    terminal = asked(desk)
    terminal.press(b"\x03")
    code, screen = terminal.ended()
    assert (code, screen.splitlines()[-1]) == (130, "interrupted: no prompt goes on")
    assert (desk.outcomes(), desk.waiting()) == (["rejected"], [])


def test_a_prompt_does_nothing_to_the_terminal(desk: Desk) -> None:
    terminal = Terminal(desk.repo, ["review-gate", "prompt-review", "do it\x1b[2J\u202e now"], {"NO_COLOR": "1"})
    terminal.until(QUESTION)
    terminal.press(b"n\n")
    code, screen = terminal.ended()
    assert (code, "\x1b" in screen, "\u202e" in screen) == (0, False, False)
    assert screen.endswith("\r\ndo it\\x1b[2J<U+202E> now\r\n")
