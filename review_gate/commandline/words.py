"""Reading words: quotes of all kinds, parameters, substitutions and arithmetic."""

from __future__ import annotations

from abc import ABC, abstractmethod

from review_gate.commandline.acts import UNKNOWN
from review_gate.commandline.escapes import unescaped
from review_gate.commandline.syntax import Arithmetic, Literal, Substitution, UnparsableError, Variable, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.commandline.syntax import Node, Part

META = frozenset(" \t\n;&|()<>")
_SPECIAL = META | frozenset("\\'\"$`")
# Deeper than anybody writes, and far from where Python itself would give up.
MOST_DEPTH = 30
# `$((` may turn out to be `$( (`, which is known only at its end; more than a few of these are no honest text.
MOST_RETRIES = 20
MOST_COMMANDS = 20_000
_NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
NAME = _NAME_START | frozenset("0123456789")
_SPECIAL_PARAMETERS = frozenset("@*#?-$!0123456789")
_KNOWN_OPERATORS = (":-", ":=", ":+", ":?", "-", "=", "+", "?")
_IN_DOUBLE_QUOTES = frozenset('"\\$`')
_IN_DOCUMENT = frozenset("\\$`")
_IN_BRACES = frozenset("}\\$`'\"")
_IN_ARITHMETIC = frozenset("()\\$`'\"")
_IN_INDEX = frozenset("]\\$`'\"")


class NotArithmeticError(Exception):
    """What began like arithmetic is a subshell in a substitution."""


class Reader(ABC):
    """A place in a text, and what can be read from there."""

    def __init__(self, text: str, depth: int = 0) -> None:
        self.text = text
        self.at = 0
        self.depth = depth
        self.retries = 0
        self.commands = 0

    def deeper(self) -> None:
        """Note one more level of nesting, of which there may not be many."""
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise UnparsableError("nested too deeply")

    def next(self, ahead: int = 0) -> str:
        """The character here, nothing at the end."""
        place = self.at + ahead
        return self.text[place] if place < len(self.text) else ""

    def sees(self, text: str) -> bool:
        """Whether this is what comes next."""
        return self.text.startswith(text, self.at)

    @abstractmethod
    def script_until(self, closer: str) -> list[Node]:
        """The commands up to a closing character, which is taken too."""

    @abstractmethod
    def nested(self, text: str) -> list[Node]:
        """The commands in a text of its own, one level deeper."""

    def word(self) -> Word:
        """The word that starts here."""
        parts: list[Part] = []
        while (char := self.next()) and (char not in META or self._sees_pipe()):
            if char in META:
                parts.append(self._pipe())
            elif char == "\\":
                self._backslash(parts)
            else:
                self._part(char, parts, is_quoted=False)
        return Word(parts)

    def _sees_pipe(self) -> bool:
        return self.next() in ("<", ">") and self.next(1) == "("

    def _pipe(self) -> Part:
        self.at += 2
        self.deeper()
        script = self.script_until(")")
        self.depth -= 1
        return Substitution(script, is_quoted=False, is_pipe=True)

    def _backslash(self, parts: list[Part]) -> None:
        following = self.next(1)
        self.at += 2
        if following != "\n":
            # A backslash at the very end stands for itself.
            parts.append(Literal(following or "\\", is_quoted=True))

    def _part(self, char: str, parts: list[Part], *, is_quoted: bool) -> None:
        """Whatever a word holds that is the same in and out of other constructs."""
        if char == "'":
            parts.append(self._single())
        elif char == '"':
            self.at += 1
            parts.extend(self._quoted())
        elif char == "$":
            self._dollar(parts, is_quoted=is_quoted)
        elif char == "`":
            parts.append(self._backquoted(is_quoted=is_quoted))
        else:
            parts.append(Literal(self._run(_SPECIAL), is_quoted=False))

    def _run(self, ends: frozenset[str]) -> str:
        text, start, at = self.text, self.at, self.at + 1
        size = len(text)
        while at < size and text[at] not in ends:
            at += 1
        self.at = at
        return text[start:at]

    def _single(self) -> Part:
        end = self.text.find("'", self.at + 1)
        if end < 0:
            raise UnparsableError("a quote without its end")
        text = self.text[self.at + 1 : end]
        self.at = end + 1
        return Literal(text, is_quoted=True)

    def _quoted(self) -> list[Part]:
        # An empty literal, so that "" is a word.
        parts: list[Part] = [Literal("", is_quoted=True)]
        parts.extend(self.parts_until('"', _IN_DOUBLE_QUOTES, is_quoted=True))
        return parts

    def parts_until(self, closer: str, special: frozenset[str], *, is_quoted: bool) -> list[Part]:
        """What stands before a closing character, which is taken too; no closer means to the end of the text."""
        parts: list[Part] = []
        while char := self.next():
            if char == closer:
                self.at += 1
                return parts
            if char == "\\":
                self._quoted_backslash(parts, is_quoted=is_quoted, closer=closer)
            elif char in special:
                self._part(char, parts, is_quoted=is_quoted)
            else:
                parts.append(Literal(self._run(special), is_quoted=is_quoted))
        if closer:
            raise UnparsableError("a quote or a brace without its end")
        return parts

    def document(self) -> Word:
        """The whole text as the body of a here document."""
        return Word(self.parts_until("", _IN_DOCUMENT, is_quoted=True))

    def _quoted_backslash(self, parts: list[Part], *, is_quoted: bool, closer: str) -> None:
        following = self.next(1)
        self.at += 2
        if following == "\n":
            return
        is_escape = not is_quoted or following in ("$", "`", "\\") or following == closer
        parts.append(Literal(following if is_escape else "\\" + following, is_quoted=True))

    def _backquoted(self, *, is_quoted: bool) -> Part:
        chars: list[str] = []
        at, text, size = self.at + 1, self.text, len(self.text)
        while at < size and text[at] != "`":
            if text[at] == "\\" and at + 1 < size:
                at += 1
                if text[at] not in ("`", "\\", "$") and not (is_quoted and text[at] == '"'):
                    chars.append("\\")
            chars.append(text[at])
            at += 1
        if at >= size:
            raise UnparsableError("a backquote without its end")
        self.at = at + 1
        return Substitution(self.nested("".join(chars)), is_quoted=is_quoted)

    def _dollar(self, parts: list[Part], *, is_quoted: bool) -> None:
        following = self.next(1)
        if following == "'" and not is_quoted:
            parts.append(self._ansi())
        elif following == '"' and not is_quoted:
            self.at += 2
            parts.extend(self._quoted())
        elif following == "(":
            parts.append(self._parenthesis(is_quoted=is_quoted))
        elif following == "{":
            parts.append(self._braces(is_quoted=is_quoted))
        elif following == "[":
            self.at += 2
            parts.append(Arithmetic(Word(self.parts_until("]", _IN_INDEX, is_quoted=True))))
        elif following and (following in _NAME_START or following in _SPECIAL_PARAMETERS):
            self.at += 1
            parts.append(Variable(self._name(), is_quoted=is_quoted))
        else:
            self.at += 1
            parts.append(Literal("$", is_quoted=True))

    def _name(self) -> str:
        start = self.at
        self.at += 1
        if self.text[start] in _NAME_START:
            while self.next() in NAME and self.next():
                self.at += 1
        return self.text[start : self.at]

    def _ansi(self) -> Part:
        at, text, size = self.at + 2, self.text, len(self.text)
        while at < size and text[at] != "'":
            at += 2 if text[at] == "\\" else 1
        if at >= size:
            raise UnparsableError("a quote without its end")
        inside = text[self.at + 2 : at]
        self.at = at + 1
        return Literal(unescaped(inside), is_quoted=True)

    def _parenthesis(self, *, is_quoted: bool) -> Part:
        self.deeper()
        start = self.at
        if self.next(2) == "(":
            try:
                self.at += 3
                part: Part = self.arithmetic()
                self.depth -= 1
                return part
            except NotArithmeticError:
                self.retry(start)
        self.at = start + 2
        script = self.script_until(")")
        self.depth -= 1
        return Substitution(script, is_quoted=is_quoted)

    def retry(self, start: int) -> None:
        """Go back to read the same text as something else."""
        self.at = start
        self.retries += 1
        if self.retries > MOST_RETRIES:
            raise UnparsableError("too many readings of the same text")

    def arithmetic(self) -> Arithmetic:
        """What stands before `))`, which is taken too."""
        parts: list[Part] = []
        depth, inside = 0, self.depth
        while char := self.next():
            if char == ")" and depth == 0:
                if self.next(1) != ")":
                    self.depth = inside
                    raise NotArithmeticError
                self.at += 2
                return Arithmetic(Word(parts))
            if char in "()":
                depth += 1 if char == "(" else -1
                self.at += 1
            elif char == "\\":
                self._backslash(parts)
            elif char in _IN_ARITHMETIC:
                self._part(char, parts, is_quoted=False)
            else:
                self._run(_IN_ARITHMETIC)
        raise UnparsableError("a parenthesis without its end")

    def _braces(self, *, is_quoted: bool) -> Part:
        self.deeper()
        self.at += 2
        if self.next() in (" ", "\t", "\n", "|"):
            # The substitution of bash 5.3, which runs in the shell itself.
            self.at += 1
            part: Part = Substitution(self.script_until("}"), is_quoted=is_quoted)
        else:
            part = self._parameter(is_quoted=is_quoted)
        self.depth -= 1
        return part

    def _parameter(self, *, is_quoted: bool) -> Variable:
        is_plain = True
        if self.next() in ("#", "!") and self.next(1) not in ("}", ""):
            is_plain = False
            self.at += 1
        if not self.next() or (self.next() not in _NAME_START and self.next() not in _SPECIAL_PARAMETERS):
            # Bash says "bad substitution" only when it gets there.
            self.parts_until("}", _IN_BRACES, is_quoted=is_quoted)
            return Variable(UNKNOWN, is_quoted=is_quoted, operator="other")
        name = self._whole_name()
        index = None
        if self.next() == "[":
            self.at += 1
            index = Word(self.parts_until("]", _IN_INDEX, is_quoted=True))
        operator = self._operator() if is_plain else "other"
        argument = Word(self.parts_until("}", _IN_BRACES, is_quoted=is_quoted))
        return Variable(name, is_quoted=is_quoted, index=index, operator=operator, argument=argument)

    def _whole_name(self) -> str:
        name = self._name()
        if name.isdigit():
            while self.next() and self.next() in "0123456789":
                name += self._name()
        return name

    def _operator(self) -> str:
        if self.next() == "}":
            return ""
        for operator in _KNOWN_OPERATORS:
            if self.sees(operator):
                self.at += len(operator)
                return operator
        return "other"
