"""Going through a line in the order in which a shell would, with what it sets, to what it would start."""

from __future__ import annotations

from review_gate.commandline.acts import UNCLEAR, UNKNOWN, WRITE, Act
from review_gate.commandline.commands import launch, start, tail
from review_gate.commandline.expansion import MOST_TEXT, Expansion
from review_gate.commandline.parser import Parser
from review_gate.commandline.quick import may_concern
from review_gate.commandline.state import ARGUMENTS, EXPORTED, FUNCTION, VARIABLE, State
from review_gate.commandline.syntax import Branch, Chain, Function, Group, Loop, Pipeline, Simple, UnparsableError
from review_gate.commandline.words import MOST_DEPTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from review_gate.commandline.acts import Aliases
    from review_gate.commandline.syntax import Assignment, Node, Redirect, Substitution

# What an honest line never needs; loops in loops and functions that call others twice multiply.
MOST_WORK = 30_000
_CHARACTERS_PER_UNIT = 64
_MOST_WORDS_SHOWN = 50
_NO_FILES = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "-"})
# Builtins whose assignments stay.
_DECLARE = frozenset({"export", "declare", "typeset", "readonly", "local"})
_WRITES = (">", ">>", ">|", "&>", "&>>", "<>", ">&")


class ExhaustedError(Exception):
    """The line would take more work to understand than any honest one."""


class Walk:
    """One way through a line; `acts` grows while it goes."""

    def __init__(self, aliases: Aliases) -> None:
        self.aliases = aliases
        self.state = State()
        self.acts: dict[Act, None] = {}
        self.expansion = Expansion(self.state, self._substituted, self._spend_characters)
        self.may_have_moved = False
        self.depth = 0
        # Texts of settings and variables for which git runs a shell, while that is looked at.
        self.settings: set[str] = set()
        # For each function that is being called: its own variables, and what they were outside.
        self._locals: list[list[tuple[str, tuple[str, ...] | None]]] = []
        self._work = 0
        self._tails = 0
        self._characters = 0

    def add(
        self, kind: str, words: Iterable[str], folder: str | None, *, skipped_by: str = "", has_moved: bool = False
    ) -> None:
        """Note an act, once."""
        self.acts[Act(kind, tuple(words), folder, skipped_by=skipped_by, may_have_moved=has_moved)] = None

    def unclear(self, words: Sequence[str]) -> None:
        """Note that nobody can tell what these words would do."""
        self.may_have_moved = True
        self.add(UNCLEAR, words[:_MOST_WORDS_SHOWN], self.state.folder)

    def spend(self, units: int) -> None:
        """Count work, and stop where it is too much."""
        self._work += units
        if self._work > MOST_WORK:
            raise ExhaustedError

    def _spend_characters(self, count: int) -> None:
        # However short, each piece costs something.
        self._characters += count + 1
        self.spend(self._characters // _CHARACTERS_PER_UNIT)
        self._characters %= _CHARACTERS_PER_UNIT

    def go(self, text: str) -> None:
        """Go through a whole text."""
        parser = Parser(text, self.depth)
        try:
            for node in parser.lines():
                self.run(node)
        except UnparsableError:
            if may_concern(text):
                self.unclear(text[:MOST_TEXT].split())

    def shell(self, text: str, arguments: tuple[str, ...] | None = None, *, is_apart: bool = True) -> None:
        """Go through a text that this shell runs, or a new one that starts with these arguments."""
        self._spend_characters(len(text))
        if not self.enter([text]):
            return
        mark = self.state.mark()
        if arguments is not None:
            self.state.put(ARGUMENTS, arguments)
        self.go(text)
        if is_apart:
            self.state.roll_back(mark)
        else:
            self.state.end(mark, is_sure=True)
        self.depth -= 1

    def new_shell(self, text: str, arguments: tuple[str, ...] = ()) -> None:
        """Go through a text that another shell is started with."""
        mark = self.state.mark()
        self.spend(self.state.start_shell() // 4)
        self.shell(text, arguments)
        self.state.roll_back(mark)

    def launch(self, words: list[str], feed: str | None = None) -> None:
        """Start a program that another one is told to start."""
        if words and self.enter(words):
            launch(self, words, feed)
            self.depth -= 1

    def tail(self, words: Sequence[str]) -> None:
        """Look for a command among the words of a program that may start one."""
        # Within what was only looked for there may be one more, and no endless row of them.
        if self._tails < 2:
            self._tails += 1
            tail(self, list(words))
            self._tails -= 1

    def words_of(self, text: str) -> list[str]:
        """The words of a text that holds one command and no more; unknown for another."""
        try:
            nodes = Parser(text, self.depth).nested(text)
        except UnparsableError:
            return [UNKNOWN]
        if len(nodes) == 1 and isinstance(nodes[0], Simple):
            return self.expansion.arguments(nodes[0].words)
        return [UNKNOWN] if nodes else []

    def enter(self, words: Sequence[str]) -> bool:
        """Go one level deeper, unless that is deeper than anybody means."""
        if self.depth >= MOST_DEPTH:
            self.unclear(words)
            return False
        self.depth += 1
        return True

    def script(self, nodes: list[Node], feed: str | None = None) -> str:
        """Run commands one after the other; what they would say where that is told."""
        said = [self.run(node, feed) for node in nodes]
        return limited("".join(said))

    def run(self, node: Node, feed: str | None = None) -> str:
        """Run one command, fed by a text, by an unknown one or by nothing; what it would say where that is told."""
        self.spend(1)
        if isinstance(node, Simple):
            return self._simple(node, feed)
        if isinstance(node, Function):
            self._define(node)
            return ""
        if isinstance(node, Pipeline):
            return self._pipeline(node, feed)
        if isinstance(node, Chain):
            return self._chain(node, feed)
        fed = self._redirects(node.redirects)
        feed = feed if fed is None else fed
        if isinstance(node, Group):
            return self._group(node, feed)
        if isinstance(node, Loop):
            return self._loop(node, feed)
        return self._branch(node, feed)

    def _apart(self, nodes: list[Node], feed: str | None) -> str:
        mark = self.state.mark()
        said = self.script(nodes, feed)
        self.state.roll_back(mark)
        return said

    def _perhaps(self, nodes: list[Node], feed: str | None) -> None:
        mark = self.state.mark()
        self.script(nodes, feed)
        self.state.doubt(mark)

    def _substituted(self, part: Substitution) -> str:
        if not self.enter([]):
            return UNKNOWN
        said = self._apart(part.script, None)
        self.depth -= 1
        return UNKNOWN if part.is_pipe else said.rstrip("\n")

    def _group(self, node: Group, feed: str | None) -> str:
        return self._apart(node.script, feed) if node.is_apart else self.script(node.script, feed)

    def _pipeline(self, node: Pipeline, feed: str | None) -> str:
        for stage in node.stages:
            feed = self._apart([stage], feed)
        return feed or ""

    def _chain(self, node: Chain, feed: str | None) -> str:
        # All ran up to here while there were only `&&`; any `||` means that what stands before may have been left out.
        said = [self.run(node.links[0][1], feed)]
        mark = self.state.mark()
        is_sure = True
        for operator, link in node.links[1:]:
            is_sure = is_sure and operator == "&&"
            if not is_sure:
                self.state.doubt(mark)
                mark = self.state.mark()
            said.append(self.run(link, feed))
        self.state.doubt(mark)
        return limited("".join(said)) if is_sure else UNKNOWN

    def _loop(self, node: Loop, feed: str | None) -> str:
        values = None if node.words is None else self.expansion.arguments(node.words)
        # Twice, so that what the end of the body sets is known where it starts again.
        for _ in range(2):
            mark = self.state.mark()
            self.script(node.condition, feed)
            if node.name:
                self._loop_over(node, values, feed)
            else:
                self.script(node.body, feed)
            self.state.doubt(mark)
        return UNKNOWN

    def _loop_over(self, node: Loop, values: list[str] | None, feed: str | None) -> None:
        # A few values are gone through one by one; many could stand for anything.
        known = values if values is not None and len(values) <= 16 else [UNKNOWN]
        for value in known:
            self.state.put(VARIABLE + node.name, (value,))
            self.script(node.body, feed)

    def _branch(self, node: Branch, feed: str | None) -> str:
        for word in node.words:
            self.expansion.text(word)
        self.script(node.first, feed)
        for body in node.bodies:
            self._perhaps(body, feed)
        return UNKNOWN

    def _define(self, node: Function) -> None:
        self.state.bodies.append(node.body)
        self.state.put(FUNCTION + node.name, (str(len(self.state.bodies) - 1),))

    def call(self, bodies: tuple[str, ...], arguments: tuple[str, ...], feed: str | None) -> str:
        """Call a function of which one of these is the body."""
        if not self.enter(arguments):
            return UNKNOWN
        before = self.state.get(ARGUMENTS)
        self._locals.append([])
        said = UNKNOWN
        for place in bodies:
            mark = self.state.mark()
            self.state.put(ARGUMENTS, arguments)
            if place:
                said = self.run(self.state.bodies[int(place)], feed)
            self.state.end(mark, is_sure=len(bodies) == 1)
        for key, value in reversed(self._locals.pop()):
            self.state.put(key, value)
        self.state.put(ARGUMENTS, before)
        self.depth -= 1
        return said if len(bodies) == 1 else UNKNOWN

    def _simple(self, node: Simple, feed: str | None) -> str:
        words = self.expansion.arguments(node.words)
        assigned = [(VARIABLE + one.name, self._value(one)) for one in node.assignments]
        fed = self._redirects(node.redirects)
        feed = feed if fed is None else fed
        if words and words[0] in _DECLARE and self._locals:
            self._locals[-1].extend((VARIABLE + name, self.state.get(VARIABLE + name)) for name in words[1:])
        if words and words[0] not in _DECLARE:
            return self._with(assigned, words, feed)
        for key, value in assigned:
            self.state.put(key, value)
        return start(self, words, feed) if words else ""

    def _with(self, assigned: list[tuple[str, tuple[str, ...]]], words: list[str], feed: str | None) -> str:
        """Start a command for which alone variables are set."""
        given = [*assigned, *((EXPORTED + key.removeprefix(VARIABLE), ("",)) for key, _ in assigned)]
        before = [(key, self.state.get(key)) for key, _ in given]
        for key, value in given:
            self.state.put(key, value)
        said = start(self, words, feed)
        for key, earlier in reversed(before):
            self.state.put(key, earlier)
        return said

    def _value(self, assignment: Assignment) -> tuple[str, ...]:
        if assignment.is_element:
            return (UNKNOWN,)
        if assignment.is_list:
            value = tuple(self.expansion.arguments(assignment.values))
        else:
            value = ("".join(self.expansion.text(word) for word in assignment.values),)
        if not assignment.is_appended:
            return value
        before = self.state.get(VARIABLE + assignment.name)
        if before is None:
            return (UNKNOWN,)
        if assignment.is_list:
            return before + value
        return (limited("".join(before[:1] + value)), *before[1:])

    def _redirects(self, redirects: list[Redirect]) -> str | None:
        """Note what is written; the text that is fed, nothing where no redirection says."""
        feed: str | None = None
        for one in redirects:
            target = self.expansion.text(one.target)
            if one.operator in ("<<", "<<-"):
                feed = self.expansion.text(one.body) if one.body is not None else UNKNOWN
            elif one.operator == "<<<":
                feed = target + "\n"
            elif one.operator == "<":
                feed = "" if target == "/dev/null" else UNKNOWN
            if one.operator in _WRITES and target not in _NO_FILES and not _is_descriptor(one.operator, target):
                self.add(WRITE, [target], self.state.folder)
        return feed


def _is_descriptor(operator: str, target: str) -> bool:
    return operator == ">&" and target.rstrip("-").isdigit()


def limited(text: str) -> str:
    """The text, or that it is unknown where it is longer than any command."""
    return text if len(text) <= MOST_TEXT else UNKNOWN
