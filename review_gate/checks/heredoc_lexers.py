"""Shell and Perl with more of the texts between their lines than the lexers of Pygments know."""

from __future__ import annotations

from typing import Any, ClassVar

from pygments.lexer import inherit
from pygments.lexers.perl import PerlLexer
from pygments.lexers.shell import BashLexer
from pygments.token import String

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
