"""Reading simple commands: assignments, words, redirections and the here documents that follow the line."""

from __future__ import annotations

from abc import abstractmethod

from review_gate.commandline.syntax import Assignment, Literal, Redirect, Simple, UnparsableError, Word
from review_gate.commandline.words import META, NAME, Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.commandline.syntax import Function, Node

_BLANKS = frozenset(" \t")
_OPERATORS = ("&>>", "&>", "<<<", "<<-", "<<", "<>", "<&", "<", ">>", ">|", ">&", ">")
_LONGEST_KEYWORD = 8


class SimpleReader(Reader):
    """A reader of one command without anything inside it."""

    def __init__(self, text: str, depth: int = 0) -> None:
        super().__init__(text, depth)
        # Here documents of this line, whose bodies begin on the next one.
        self._awaited: list[Redirect] = []
        # The ends of documents, with whether tabs before them go.
        self._ends: list[tuple[str, bool, bool]] = []

    def _blanks(self) -> None:
        while True:
            char = self.next()
            if char and char in _BLANKS:
                self.at += 1
            elif char == "\\" and self.next(1) == "\n":
                self.at += 2
            elif char == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            else:
                return

    def _gap(self) -> None:
        """Pass blanks, ends of lines and what here documents hold."""
        self._blanks()
        while self.next() == "\n":
            self.at += 1
            self._read_documents()
            self._blanks()

    def _keyword(self) -> str:
        end = self.at
        while end < len(self.text) and end - self.at <= _LONGEST_KEYWORD and self.text[end] not in META:
            end += 1
        return self.text[self.at : end]

    def _sees_redirect(self) -> bool:
        char = self.next()
        return (char == "&" and self.next(1) == ">") or (char in ("<", ">") and not self._sees_pipe())

    def _names_descriptor(self, word: Word) -> bool:
        text = word.plain
        return (
            bool(text)
            and text is not None
            and self.next() in ("<", ">")
            and (text.isdigit() or (text[0] == "{" and text[-1] == "}"))
        )

    def _redirect(self) -> Redirect:
        operator = next(one for one in _OPERATORS if self.sees(one))
        self.at += len(operator)
        self._blanks()
        target = self.word()
        if not target.parts:
            raise UnparsableError("a redirection to nowhere")
        redirect = Redirect(operator, target)
        if operator in ("<<", "<<-"):
            self._awaited.append(redirect)
            self._ends.append((_text_of(target), operator == "<<-", target.has_quotes))
        return redirect

    def _read_documents(self) -> None:
        for redirect, (end, strips, is_quoted) in zip(self._awaited, self._ends, strict=True):
            body = self._document(end, strips=strips)
            inner = type(self)(body, self.depth)
            inner.deeper()
            redirect.body = Word([Literal(body, is_quoted=True)]) if is_quoted else inner.document()
        self._awaited.clear()
        self._ends.clear()

    def _document(self, end: str, *, strips: bool) -> str:
        lines: list[str] = []
        while self.at < len(self.text):
            stop = self.text.find("\n", self.at)
            line = self.text[self.at :] if stop < 0 else self.text[self.at : stop]
            self.at = len(self.text) if stop < 0 else stop + 1
            line = line.lstrip("\t") if strips else line
            if line == end:
                # The end of this line is looked at by who reads on.
                self.at -= 0 if stop < 0 else 1
                break
            lines.append(line + "\n")
        return "".join(lines)

    def _simple(self) -> Node:
        node = Simple()
        while True:
            self._blanks()
            if self._sees_redirect():
                node.redirects.append(self._redirect())
            elif not self.next() or (self.next() in META and not self._sees_pipe()):
                break
            else:
                word = self.word()
                if self._names_descriptor(word):
                    continue
                if self._sees_definition(node, word):
                    return self._definition(word.plain or "")
                self._add(node, word)
        if not (node.words or node.assignments or node.redirects):
            raise UnparsableError("nothing where a command has to be")
        return node

    def _add(self, node: Simple, word: Word) -> None:
        assignment = None if node.words and not _declares(node.words[0]) else self._assignment(word)
        if assignment is None:
            node.words.append(word)
            return
        node.assignments.append(assignment)
        if node.words:
            node.words.append(Word([Literal(assignment.name, is_quoted=True)]))

    def _assignment(self, word: Word) -> Assignment | None:
        first = word.parts[0] if word.parts else None
        if not isinstance(first, Literal) or first.is_quoted:
            return None
        name, found, rest = first.text.partition("=")
        bare, bracket, _ = name.partition("[")
        is_appended = name.endswith("+")
        bare = bare.removesuffix("+")
        if not found or not bare or bare[0].isdigit() or not NAME.issuperset(bare):
            return None
        if self.next() == "(" and not rest and len(word.parts) == 1:
            return Assignment(bare, self._elements(), is_appended=is_appended, is_list=True)
        value = Word([Literal(rest, is_quoted=False), *word.parts[1:]] if rest else word.parts[1:])
        return Assignment(bare, [value], is_appended=is_appended, is_element=bool(bracket))

    def _elements(self) -> list[Word]:
        self.at += 1
        words: list[Word] = []
        while True:
            self._gap()
            if self.next() == ")":
                self.at += 1
                return words
            word = self.word()
            if not word.parts and self.next() in META | {""}:
                raise UnparsableError("a list without its end")
            words.append(word)

    def _sees_definition(self, node: Simple, word: Word) -> bool:
        if node.words or node.assignments or node.redirects or not word.plain or word.plain.endswith("="):
            return False
        start = self.at
        self._blanks()
        if self.next() == "(":
            self.at += 1
            self._blanks()
            if self.next() == ")":
                self.at += 1
                return True
        self.at = start
        return False

    @abstractmethod
    def _definition(self, name: str) -> Function:
        """The function of this name, whose body begins here."""


def _text_of(word: Word) -> str:
    return "".join(part.text for part in word.parts if isinstance(part, Literal))


def _declares(word: Word) -> bool:
    return word.plain in ("export", "declare", "typeset", "local", "readonly")
