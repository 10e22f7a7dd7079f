"""Texts between the lines of a program: what a lexer misreads in them leaves no comment behind them sure."""

from __future__ import annotations

import re
import time

import pytest

from review_gate.checks.rule import CODE, COMMENTS
from review_gate.checks.structure import ANY_PART, structure_of


def parts(text: str, language: str) -> set[str]:
    """The parts of every HERE in a text."""
    structure = structure_of(text + "\n", language)
    return {structure.part_at(found.start()) for found in re.finditer("HERE", text)}


# Each of them has a quote in the text, and behind it a string that ends before the place or opens over its line.
BEHIND = {
    "shell in quotes": ("shell", "cat <<\"A\"\nit's\nA\necho 'a # b'; HERE"),
    "shell indented in quotes": ("shell", "cat <<- \"A\"\nit's\n\tA\necho 'a # b'; HERE"),
    "shell twice": ("shell", "cat <<A <<B\na\nA\nit's\nB\necho 'a # b'; HERE"),
    "shell with a mark": ("shell", "cat <<'!'\nit's\n!\necho 'a\n # b'; HERE"),
    "shell with a blank": ("shell", "cat <<\"A B\"\nit's\nA B\necho 'a # b'; HERE"),
    "shell with odd quotes": ("shell", "cat <<$'A'\nit's\nA\necho 'a # b'; HERE"),
    "shell whose end is in the text": ("shell", "cat <<A | sh\n# A b\n# $(HERE)\nA"),
    "shell whose end is indented": ("shell", "cat <<A\n  A\n# $(HERE)\nA"),
    "shell whose word goes on": ("shell", "cat <<A-B\nA\n# $(HERE)\nA-B"),
    "shell whose line goes on": ("shell", "cat <<A \\\n  | b A\n# $(HERE)\nA"),
    "shell whose line opens a string": ("shell", "cat <<A | awk 'a\nb\nA\n # '; HERE"),
    "shell that shifts": ("shell", '((a<<b)); echo "ab # "; HERE'),
    "shell below a comment that may be none": ("shell", "echo \"a\"#'\necho b # '; HERE"),
    "Dockerfile": ("dockerfile", "COPY <<A b\n# HERE\nA"),
    "Perl indented": ("perl", "print <<~A;\n  it's\n  A\nprint 'a # b'; HERE"),
    "Perl in brackets": ("perl", 'a(<<"A", 1);\n# @{[ HERE ]}\nA'),
    "Perl to an empty line": ("perl", "print <<\"\";\nit's\n\nprint 'a\n # b'; HERE"),
    "Perl in backticks": ("perl", "print <<`A`;\nit's\nA\nprint 'a\n # b'; HERE"),
    "Perl twice": ("perl", "a(<<A, <<B);\nb\nA\nit's\nB\nprint 'a\n # b'; HERE"),
    "PHP in brackets": ("php", "<?php a(<<<A\nit's\nA, 1);\n$b = 'a # b'; HERE;"),
    "PHP indented": ("php", "<?php a(<<<'A'\nit's\n  A);\n$b = 'a\n # b'; HERE;"),
    "PHP behind a blank": ("php", "<?php $a = <<< A\nit's\nA;\n$b = 'a # b'; HERE;"),
    "Ruby with a blank": ("ruby", "a <<~\"A B\"\n  it's\nA B\nb = 'a # b'; HERE"),
    "Ruby with a blank at the end": ("ruby", "a = [<<A]\nA \n# it's\nA\nb = 'a # b'; HERE"),
    "Ruby behind a bracket": ("ruby", "a(b) <<~A\n  it's\nA\nb = 'a\n # b'; HERE"),
    "Terraform with a mark": ("terraform", "a = <<A-B\nA\n # ${HERE}\nA-B"),
    "PowerShell with a blank": ("powershell", "$a = @\" \nit's\n\"@\n$b = 'a # b'; HERE"),
    "PowerShell with line ends of Windows": ("powershell", "$a = @'\r\nit's\r\n'@\r\n$b = 'a\r\n # b'; HERE"),
}


@pytest.mark.parametrize(("language", "text"), BEHIND.values(), ids=BEHIND)
def test_behind_a_text_that_is_misread_what_looks_like_a_comment_may_be_code(language: str, text: str) -> None:
    assert COMMENTS not in parts(text, language)


INSIDE = {
    "shell": ("shell", "cat <<A\n# HERE it's\nA\n"),
    "shell in quotes": ("shell", 'cat <<"A" | sh\n# HERE it\'s\nA\n'),
    "Perl": ("perl", "a(<<A, 1);\n# HERE it's\nA\n"),
    "Perl indented": ("perl", "a(<<~'A', 1);\n  # HERE it's\n  A\n"),
    "PHP": ("php", "<?php $a = <<<A\n# HERE it's\nA;\n"),
    "Ruby": ("ruby", "a(<<~A, <<-'B')\n  # HERE it's\n  A\n# HERE it's\n  B\n"),
    "Terraform": ("terraform", "a = <<-A\n  # HERE it's\n  A\n"),
    "PowerShell": ("powershell", '$a = @"\n# HERE it\'s\n"@\n'),
}


@pytest.mark.parametrize(("language", "text"), INSIDE.values(), ids=INSIDE)
def test_a_text_that_is_read_as_it_is_is_code_and_leaves_comments_behind_it_sure(language: str, text: str) -> None:
    assert parts(text, language) == {CODE}
    assert parts(text.replace("HERE", "") + "a # HERE\n# HERE", language) == {COMMENTS}


SURE = {
    "plain": ("shell", "cat <<A\na\nA\n# HERE\nb # HERE"),
    "in quotes": ("shell", "cat <<'A' > b\na\nA\n# HERE"),
    "in other quotes": ("shell", 'cat <<"A"\nit\'s\nA\n# HERE'),
    "indented": ("shell", "\tcat <<-A\n\ta\n\tA\n# HERE"),
    "in a substitution": ("shell", 'a="$(cat <<A\nb\nA\n)"\n# HERE'),
    "one behind the other": ("shell", "cat <<A\na\nA\ncat <<A\nb\nA\n# HERE"),
    "above": ("shell", "# HERE <<A\ncat <<A <<B\na\nA\nb\nB"),
    "word behind arrows": ("shell", "cat <<< a # HERE"),
    "shift": ("shell", "a=$((b << c)) # HERE"),
    "arrows in a string": ("shell", "echo 'a <<A' # HERE"),
    "string over lines": ("shell", "awk '\na\n' b\n# HERE"),
    "Perl shift": ("perl", "$a = 1 <<B; # HERE"),
    "Perl division": ("perl", "$a = $b / 2;\n# HERE"),
    "Perl match": ("perl", "s/a/b/; # HERE it's\nif (/c/) { # HERE"),
    "Ruby shift": ("ruby", "a = b <<C # HERE"),
    "below a Ruby shift": ("ruby", "a <<b\na <<'c'\nd = 'e' # HERE it's\n  b\n# HERE"),
    "below two texts of Ruby": ("ruby", "a(<<B, <<C)\nit's\nB\nit's\nC\n# HERE"),
    "Dockerfile indented": ("dockerfile", "FROM a\n  # HERE it's\n# HERE"),
    "Dockerfile in a command": ("dockerfile", "RUN a && \\\n  # HERE it's\n  b \\\n# HERE\n  c\n# HERE"),
    "SQL function": ("sql", "AS $$ SELECT 'a' $$ LANGUAGE 'sql';\n-- HERE"),
    "SQL array": ("sql", "SELECT ARRAY['a'];\n-- HERE"),
    "CSS address": ("css", "a { b: url('c\\\nd') }\n/* HERE */"),
    "C apostrophe in a comment that may be none": ("c", "#define A 'b' // it's\na;\n// HERE"),
    "JavaScript division": ("javascript", "a = `${(b) / 2}px`; // c/d.\n// HERE"),
}


@pytest.mark.parametrize(("language", "text"), SURE.values(), ids=SURE)
def test_comments_near_usual_texts_and_strings_are_sure(language: str, text: str) -> None:
    assert parts(text, language) == {COMMENTS}


SHIFTED = {
    "PHP": ("php", "<?php a(<<<A\n  it's\n  A);\nb(); // HERE\n/*\n HERE\n*/\n$c = 'd'; # it's HERE\n# HERE"),
    "Perl": ("perl", "print <<`A`;\nit's\nA\n# HERE\n$a = 1; # HERE\nb('c'); # HERE"),
    "MySQL": ("sql", "SELECT 'it\\'s';\n-- HERE\n/* a\n   HERE */\nSELECT 'b'; -- it's HERE\n-- HERE"),
}


@pytest.mark.parametrize(("language", "text"), SHIFTED.values(), ids=SHIFTED)
def test_behind_a_text_that_is_misread_what_looks_like_a_string_may_be_a_comment(language: str, text: str) -> None:
    assert CODE not in parts(text, language)


def test_behind_a_text_that_is_misread_plain_code_is_no_comment() -> None:
    assert parts("SELECT 'it\\'s', 'a';\nSELECT HERE;\nHERE", "sql") == {CODE}


HOSTILE = {
    "openers on lines": ("shell", "cat <<A\n"),
    "openers on one line": ("shell", "cat <<A <<A <<A <<A "),
    "texts": ("shell", "cat <<A\na\nA\n"),
    "quotes": ("perl", "<<'A' <<\"A\" '\n"),
    "brackets and slashes": ("javascript", ")/[`"),
    "types of types": ("typescript", "<A<B<C<D"),
    "names": ("sql", "`a` [b] 'c' $$ "),
}


@pytest.mark.parametrize(("language", "piece"), HOSTILE.values(), ids=HOSTILE)
def test_many_openers_take_bounded_time(language: str, piece: str) -> None:
    line = piece * (4_000 // len(piece))
    text = (line + "\n") * 15
    start = time.process_time()
    structure_of(text, language).part_at(len(text) - 1)
    assert time.process_time() - start < 4


@pytest.mark.parametrize("text", ["a\nHERE\n", "<<A\n# HERE\n"])
def test_a_language_without_such_texts_has_none(text: str) -> None:
    assert ANY_PART not in parts(text, "go")
