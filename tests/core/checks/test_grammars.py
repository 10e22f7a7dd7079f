"""Which grammar reads which file."""

from __future__ import annotations

import subprocess
import sys

import pytest

from review_gate.checks.grammars import grammar_of_file, grammars_of, language_of_grammar, parsed
from review_gate.checks.languages import LANGUAGES, language_of

FILES = {
    "a.py": "python",
    "a.jsx": "javascript",
    "a.ts": "typescript",
    "A.TSX": "tsx",
    "a.go": "go",
    "a.rs": "rust",
    "a.java": "java",
    "a.h": "c",
    "a.cc": "cpp",
    "Rakefile": "ruby",
    "a.php": "php",
    ".bashrc": "bash",
    "a.vue": "html",
    "a.kt": "",
    "a.md": "",
}


@pytest.mark.parametrize(("path", "grammar"), FILES.items())
def test_file_name_tells_its_grammar(path: str, grammar: str) -> None:
    assert grammar_of_file(path, language_of(path)) == grammar


def test_every_grammar_of_a_language_is_installed_and_parses() -> None:
    for grammar in {one for language in LANGUAGES for one in grammars_of(language)}:
        assert language_of_grammar(grammar).node_kind_count > 10
        assert parsed(b"\n", grammar) is not None


def test_errors_of_syntax_are_in_the_tree() -> None:
    good, bad = parsed(b"a = [1]\n", "python"), parsed(b"a = [1\n", "python")
    assert good is not None and not good.root_node.has_error
    assert bad is not None and bad.root_node.has_error


def test_shell_with_a_rare_character_behind_a_brace_does_not_end_the_process() -> None:
    code = """
from review_gate.checks.grammars import parsed
for number in range(0xE0000, 0x110000, 0x1000):
    parsed(f"{{{chr(number)} echo {{{chr(number)},x}}".encode(), "bash")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
