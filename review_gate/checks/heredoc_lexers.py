"""Lexers that know more of the texts and comments between the lines of a program than those of Pygments."""

from __future__ import annotations

from typing import Any, ClassVar

from pygments.lexer import inherit, using
from pygments.lexers.configs import DockerLexer
from pygments.lexers.perl import PerlLexer
from pygments.lexers.ruby import RubyLexer
from pygments.lexers.shell import BashLexer
from pygments.token import Comment, Operator, String

# The rest of the line that opens a text belongs to the token, as it does in Pygments.
_LINES = r"[^\n]*\n(?:[^\n]*\n)*?"
_SHELL_WORD = r"[ \t]*(['\"]?)\\?([^\s'\"\\;&|<>()$`]+)\1"
_PERL_WORD = r"(?:[ \t]*(['\"])([^'\"\n]+)\1|([A-Za-z_]\w*))"


class ShellWithHeredocs(BashLexer):
    """Shell in which a text ends with a line that is its end word, and the word can be in any quotes."""

    tokens: ClassVar[dict[str, list[Any]]] = {
        "basic": [
            (rf"<<-{_SHELL_WORD}{_LINES}\t*\2$", String),
            (rf"<<(?![<-]){_SHELL_WORD}{_LINES}\2$", String),
            inherit,
        ],
    }


class PerlWithHeredocs(PerlLexer):
    """Perl in which a text can be indented, and the statement that opens it can go on behind the opener."""

    tokens: ClassVar[dict[str, list[Any]]] = {
        "root": [
            (rf"<<~{_PERL_WORD}{_LINES}[ \t]*(?:\2|\3)$", String),
            (rf"<<{_PERL_WORD}{_LINES}(?:\2|\3)$", String),
            inherit,
        ],
    }


class RubyWithShifts(RubyLexer):
    """Ruby in which arrows before a word that ends nothing are a shift, and not a text to the end of the file."""

    tokens: ClassVar[dict[str, list[Any]]] = {
        "root": [
            # The rest of a line that opened a text is lexed by itself, and then nothing follows it.
            (rf"<<(?=([\"'`]?)([A-Za-z_]\w*)\1[^\n]*\n.)(?!\1\2\1{_LINES}\2[ \t]*$)", Operator),
            inherit,
        ],
    }


class DockerWithComments(DockerLexer):
    """Dockerfiles in which a line that begins like a comment is one, also between the lines of a command."""

    tokens: ClassVar[dict[str, list[Any]]] = {
        "root": [
            (r"^[ \t]*#.*", Comment),
            *DockerLexer.tokens["root"][:-1],
            (r"(?:.*\\\n(?![ \t]*#))*.+", using(BashLexer)),  # type: ignore[no-untyped-call]  # Pygments has no types there
        ],
    }


OF_LANGUAGE = {
    "shell": ShellWithHeredocs,
    "perl": PerlWithHeredocs,
    "ruby": RubyWithShifts,
    "dockerfile": DockerWithComments,
}
