"""Reading commands: lists, pipelines, loops, branches and functions, as bash reads them."""

from __future__ import annotations

from review_gate.commandline.simple import SimpleReader
from review_gate.commandline.syntax import (
    Branch,
    Chain,
    Function,
    Group,
    Literal,
    Loop,
    Pipeline,
    Simple,
    UnparsableError,
    Word,
)
from review_gate.commandline.words import META, MOST_COMMANDS, NotArithmeticError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from review_gate.commandline.syntax import Node

_ENDERS = frozenset({"then", "do", "done", "fi", "else", "elif", "esac", "}"})
_CASE_ENDS = (";;&", ";;", ";&")


class Parser(SimpleReader):
    """A reader of whole commands."""

    def lines(self) -> Iterator[Node]:
        """Command after command, line by line: bash, too, has run a line when the next one is broken."""
        line: list[Node] = []
        while True:
            self._blanks()
            if self.next() in ("\n", ""):
                self._gap()
                yield from line
                line = []
                if not self.next():
                    return
            line.append(self._separated(")"))

    def script_until(self, closer: str) -> list[Node]:
        """The commands up to a closing character or, for an empty one, the end of the text."""
        script = self._script(closer)
        if self.next() != closer:
            raise UnparsableError("a parenthesis or brace without its end")
        self.at += 1
        return script

    def nested(self, text: str) -> list[Node]:
        """The commands in a text of its own, one level deeper."""
        inner = Parser(text, self.depth)
        inner.deeper()
        return list(inner.lines())

    def _script(self, closer: str = ")") -> list[Node]:
        script: list[Node] = []
        while True:
            self._gap()
            if not self.next() or self.next() == closer or self._keyword() in _ENDERS or self._sees_case_end():
                return script
            script.append(self._separated(closer))

    def _sees_case_end(self) -> bool:
        return self.sees(";;") or self.sees(";&")

    def _separated(self, closer: str) -> Node:
        node = self._chain()
        self._blanks()
        char = self.next()
        if char == "&":
            self.at += 1
            return Group([node], is_apart=True)
        if char == ";" and not self._sees_case_end():
            self.at += 1
        elif char not in ("\n", "", ")", closer) and not self._sees_case_end():
            raise UnparsableError("something that no command can be followed by")
        elif char == ")" and closer != ")":
            raise UnparsableError("a parenthesis that nothing opened")
        return node

    def _takes(self, keyword: str) -> bool:
        self._gap()
        if self._keyword() != keyword:
            return False
        self.at += len(keyword)
        return True

    def _expect(self, keyword: str) -> None:
        if not self._takes(keyword):
            raise UnparsableError(f"no {keyword} where one has to be")

    def _chain(self) -> Node:
        links = [("", self._pipeline())]
        while True:
            self._blanks()
            if not (self.sees("&&") or self.sees("||")):
                return links[0][1] if len(links) == 1 else Chain(links)
            operator = self.text[self.at : self.at + 2]
            self.at += 2
            self._gap()
            links.append((operator, self._pipeline()))

    def _pipeline(self) -> Node:
        self._prefixes()
        stages = [self._command()]
        while True:
            self._blanks()
            if self.next() != "|" or self.next(1) == "|":
                return stages[0] if len(stages) == 1 else Pipeline(stages)
            self.at += 2 if self.next(1) == "&" else 1
            self._gap()
            stages.append(self._command())

    def _prefixes(self) -> None:
        self._blanks()
        while (keyword := self._keyword()) in ("!", "time", "coproc"):
            self.at += len(keyword)
            self._blanks()
            if keyword == "time" and self._keyword() in ("-p", "--"):
                self.at += 2
                self._blanks()

    def _command(self) -> Node:
        self._blanks()
        self.commands += 1
        if not self.next() or self.commands > MOST_COMMANDS:
            raise UnparsableError("nothing where a command has to be, or more commands than anybody writes")
        keyword = self._keyword()
        if self.next() != "(" and keyword not in _COMPOUND:
            return self._simple()
        self.deeper()
        node = self._subshell() if self.next() == "(" else _COMPOUND[keyword](self)
        self.depth -= 1
        if isinstance(node, Function):
            return node
        self._trailing_redirects(node)
        return node

    def _subshell(self) -> Node:
        start = self.at
        if self.next(1) == "(":
            try:
                self.at += 2
                return self._counted()
            except NotArithmeticError:
                self.retry(start)
        self.at = start + 1
        return Group(self.script_until(")"), is_apart=True)

    def _counted(self) -> Simple:
        node = Simple()
        node.words = [Word([Literal(":", is_quoted=True)]), Word([self.arithmetic()])]
        return node

    def _trailing_redirects(self, node: Node) -> None:
        if isinstance(node, Function | Chain | Pipeline):
            return
        while True:
            self._blanks()
            if self._sees_redirect():
                node.redirects.append(self._redirect())
                continue
            start = self.at
            word = self.word() if self.next() and self.next() in "0123456789{" else None
            if word is None or not self._names_descriptor(word):
                self.at = start
                return

    def _definition(self, name: str) -> Function:
        self._gap()
        self.deeper()
        body = self._command()
        self.depth -= 1
        return Function(name, body)

    def _function(self) -> Node:
        self.at += len("function")
        self._blanks()
        name = self.word().plain
        if name is None:
            raise UnparsableError("a function without a name")
        self._blanks()
        if self.next() == "(":
            self.at += 1
            self._blanks()
            if self.next() != ")":
                raise UnparsableError("a function with a parenthesis that does not end")
            self.at += 1
        return self._definition(name)

    def _group(self) -> Node:
        self.at += 1
        script = self._script("")
        self._expect("}")
        return Group(script, is_apart=False)

    def _if(self) -> Node:
        self.at += len("if")
        first = self._script("")
        self._expect("then")
        bodies = [self._script("")]
        while not self._takes("fi"):
            if self._takes("elif"):
                condition = self._script("")
                self._expect("then")
                bodies.append(condition + self._script(""))
            else:
                self._expect("else")
                bodies.append(self._script(""))
        return Branch([], first, bodies)

    def _while(self) -> Node:
        self.at += len("while")
        condition = self._script("")
        return Loop("", None, condition, self._do())

    def _for(self) -> Node:
        self.at += len(self._keyword())
        self._blanks()
        if self.sees("(("):
            self.at += 2
            counted = self._counted()
            self._semicolon()
            return Loop("", None, [counted], self._do())
        name = self.word().plain
        if not name:
            raise UnparsableError("a loop without a name")
        words: list[Word] | None = None
        if self._takes("in"):
            words = self._words()
        self._semicolon()
        return Loop(name, words, [], self._do())

    def _semicolon(self) -> None:
        self._gap()
        if self.next() == ";":
            self.at += 1

    def _words(self) -> list[Word]:
        words: list[Word] = []
        while True:
            self._blanks()
            if not self.next() or (self.next() in META and not self._sees_pipe()):
                return words
            words.append(self.word())

    def _do(self) -> list[Node]:
        self._gap()
        if self._keyword() == "{":
            self.at += 1
            body = self._script("")
            self._expect("}")
            return body
        self._expect("do")
        body = self._script("")
        self._expect("done")
        return body

    def _case(self) -> Node:
        self.at += len("case")
        self._blanks()
        words = [self.word()]
        self._expect("in")
        bodies: list[list[Node]] = []
        while not self._takes("esac"):
            if self.next() == "(":
                self.at += 1
            words.extend(self._patterns())
            bodies.append(self._script(""))
            end = next((one for one in _CASE_ENDS if self.sees(one)), "")
            self.at += len(end)
            if not end and self._keyword() != "esac":
                raise UnparsableError("a case without its end")
        return Branch(words, [], bodies)

    def _patterns(self) -> list[Word]:
        words: list[Word] = []
        while self.next() != ")":
            self._gap()
            word = self.word()
            self._blanks()
            if not word.parts or self.next() not in ("|", ")"):
                raise UnparsableError("a pattern without its end")
            words.append(word)
            if self.next() == "|":
                self.at += 1
        self.at += 1
        return words

    def _test(self) -> Node:
        self.at += 2
        node = Simple()
        node.words.append(Word([Literal(":", is_quoted=True)]))
        while not self._takes("]]"):
            if not self.next():
                raise UnparsableError("a test without its end")
            if self.next() in META and not self._sees_pipe():
                self.at += 1
            else:
                node.words.append(self.word())
        return node


_COMPOUND = {
    "{": Parser._group,
    "if": Parser._if,
    "while": Parser._while,
    "until": Parser._while,
    "for": Parser._for,
    "select": Parser._for,
    "case": Parser._case,
    "function": Parser._function,
    "[[": Parser._test,
}
