"""What a line of shell is made of: words and their parts, commands and what holds them together."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Part: TypeAlias = "Literal | Variable | Substitution | Arithmetic"
    Node: TypeAlias = "Simple | Pipeline | Chain | Group | Loop | Branch | Function"


class UnparsableError(ValueError):
    """The text is no shell that this package can read."""


class Literal:
    """Text that stands for itself; unquoted it may hold globs and braces."""

    __slots__ = ("is_quoted", "text")

    def __init__(self, text: str, *, is_quoted: bool) -> None:
        self.text = text
        self.is_quoted = is_quoted


class Variable:
    """`$name` and `${name…}`; an operator that is not told apart is `other`."""

    __slots__ = ("argument", "index", "is_quoted", "name", "operator")

    def __init__(
        self, name: str, *, is_quoted: bool, index: Word | None = None, operator: str = "", argument: Word | None = None
    ) -> None:
        self.name = name
        self.is_quoted = is_quoted
        self.index = index
        self.operator = operator
        self.argument = argument


class Substitution:
    """`$(…)` and backquotes, and `<(…)`, of which the word is only the name of a pipe."""

    __slots__ = ("is_pipe", "is_quoted", "script")

    def __init__(self, script: list[Node], *, is_quoted: bool, is_pipe: bool = False) -> None:
        self.script = script
        self.is_quoted = is_quoted
        self.is_pipe = is_pipe


class Arithmetic:
    """`$((…))`: a number nobody computes here, made of parts that may start commands."""

    __slots__ = ("word",)

    def __init__(self, word: Word) -> None:
        self.word = word


class Word:
    """One word before its expansion."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Part]) -> None:
        self.parts = parts

    @property
    def plain(self) -> str | None:
        """Its text where it is one unquoted literal, as keywords, names and numbers have to be."""
        if len(self.parts) != 1:
            return None
        part = self.parts[0]
        return part.text if isinstance(part, Literal) and not part.is_quoted else None

    @property
    def has_quotes(self) -> bool:
        """Whether any of it is quoted, which keeps the body of a here document as it is."""
        return any(isinstance(part, Literal) and part.is_quoted for part in self.parts)


class Redirect:
    """One redirection; `body` is the text of a here document, once it was read."""

    __slots__ = ("body", "operator", "target")

    def __init__(self, operator: str, target: Word) -> None:
        self.operator = operator
        self.target = target
        self.body: Word | None = None


class Assignment:
    """`name=value`, `name+=value`, `name[…]=value` or `name=(…)`."""

    __slots__ = ("is_appended", "is_element", "is_list", "name", "values")

    def __init__(
        self, name: str, values: list[Word], *, is_appended: bool, is_list: bool = False, is_element: bool = False
    ) -> None:
        self.name = name
        self.values = values
        self.is_appended = is_appended
        self.is_list = is_list
        self.is_element = is_element


class Simple:
    """Assignments, words and redirections."""

    __slots__ = ("assignments", "redirects", "words")

    def __init__(self) -> None:
        self.assignments: list[Assignment] = []
        self.words: list[Word] = []
        self.redirects: list[Redirect] = []


class Pipeline:
    """Commands that feed one another."""

    __slots__ = ("stages",)

    def __init__(self, stages: list[Node]) -> None:
        self.stages = stages


class Chain:
    """Commands joined by `&&` and `||`; the first has no operator."""

    __slots__ = ("links",)

    def __init__(self, links: list[tuple[str, Node]]) -> None:
        self.links = links


class Group:
    """`{ …; }`, or `( … )` and `… &`, after which the shell has forgotten what was set."""

    __slots__ = ("is_apart", "redirects", "script")

    def __init__(self, script: list[Node], *, is_apart: bool) -> None:
        self.script = script
        self.is_apart = is_apart
        self.redirects: list[Redirect] = []


class Loop:
    """`for`, `select`, `while` and `until`; a loop over words has a name."""

    __slots__ = ("body", "condition", "name", "redirects", "words")

    def __init__(self, name: str, words: list[Word] | None, condition: list[Node], body: list[Node]) -> None:
        self.name = name
        self.words = words
        self.condition = condition
        self.body = body
        self.redirects: list[Redirect] = []


class Branch:
    """`if` and `case`: what always runs first, and bodies of which some run."""

    __slots__ = ("bodies", "first", "redirects", "words")

    def __init__(self, words: list[Word], first: list[Node], bodies: list[list[Node]]) -> None:
        self.words = words
        self.first = first
        self.bodies = bodies
        self.redirects: list[Redirect] = []


class Function:
    """The definition of a function."""

    __slots__ = ("body", "name")

    def __init__(self, name: str, body: Node) -> None:
        self.name = name
        self.body = body
