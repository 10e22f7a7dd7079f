"""From words to arguments: parameters whose value the line itself tells, substitutions, splitting, globs."""

from __future__ import annotations

from review_gate.commandline.acts import UNKNOWN
from review_gate.commandline.braces import alternatives
from review_gate.commandline.names import pieces
from review_gate.commandline.state import ARGUMENTS, EARLIER_FOLDER, FOLDER, ODD_VARIABLES, VARIABLE
from review_gate.commandline.syntax import Literal, Substitution, Variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from review_gate.commandline.state import State
    from review_gate.commandline.syntax import Part, Word

# Longer values are no words of a command; without a limit a value could double with each assignment.
MOST_TEXT = 65_536
_GLOBS = "*?"
_FOLDERS = {"PWD": FOLDER, "OLDPWD": EARLIER_FOLDER}
_LISTS = ("@", "*")
_BLANKS = " \t\n"


class Fields:
    """Arguments while they grow: text is added to the last one until something ends it."""

    __slots__ = ("_current", "done")

    def __init__(self) -> None:
        self.done: list[str] = []
        self._current: list[str] | None = None

    def add(self, text: str) -> None:
        """Go on with this text, however long or empty."""
        if self._current is None:
            self._current = []
        self._current.append(text)

    def split(self, text: str) -> None:
        """Go on with text that is cut at its blanks."""
        found = pieces(text)
        if text[:1] in _BLANKS and text:
            self.end()
        for number, piece in enumerate(found):
            if number:
                self.end()
            self.add(piece)
        if found and text[-1] in _BLANKS:
            self.end()

    def end(self) -> None:
        """What comes is another argument."""
        if self._current is not None:
            text = "".join(self._current)
            self.done.append(text if len(text) <= MOST_TEXT else UNKNOWN)
            self._current = None


class Expansion:
    """Expands words by what a line has set; `run` tells the output of a substitution, `spend` counts the work."""

    __slots__ = ("_run", "_spend", "_state")

    def __init__(self, state: State, run: Callable[[Substitution], str], spend: Callable[[int], None]) -> None:
        self._state = state
        self._run = run
        self._spend = spend

    def arguments(self, words: list[Word]) -> list[str]:
        """The arguments that these words become."""
        fields = Fields()
        for word in words:
            for one in alternatives(word):
                self._into(fields, one)
                fields.end()
        return fields.done

    def text(self, word: Word) -> str:
        """The word as one text, as it is assigned, redirected to or fed."""
        made = "".join(self._one(part) for part in word.parts)
        self._spend(len(made))
        return made if len(made) <= MOST_TEXT else UNKNOWN

    def _one(self, part: Part) -> str:
        if isinstance(part, Literal):
            return part.text
        if isinstance(part, Variable):
            return " ".join(self._values(part))
        if isinstance(part, Substitution):
            return self._run(part)
        self.text(part.word)
        return UNKNOWN

    def _into(self, fields: Fields, word: Word) -> None:
        if self._vanishes(word):
            return
        is_alone = len(word.parts) == 1
        for part in word.parts:
            if isinstance(part, Literal):
                fields.add(part.text if part.is_quoted else _globbed(part.text, is_alone=is_alone))
                self._spend(len(part.text))
            elif isinstance(part, Variable):
                self._variable(fields, part)
            else:
                is_whole = not isinstance(part, Substitution) or part.is_quoted
                self._add(fields, self._one(part), is_whole=is_whole)

    def _vanishes(self, word: Word) -> bool:
        """Whether it is a quoted list without elements, which is no argument at all, not even an empty one."""
        lists = [part for part in word.parts if isinstance(part, Variable)]
        if not lists or any(not _is_list(part) for part in lists):
            return False
        is_bare = all(
            isinstance(part, Variable) or (isinstance(part, Literal) and not part.text) for part in word.parts
        )
        return is_bare and not any(self._values(part) for part in lists)

    def _variable(self, fields: Fields, part: Variable) -> None:
        values = self._values(part)
        if not (part.is_quoted and _is_list(part)):
            self._add(fields, " ".join(values), is_whole=part.is_quoted)
            return
        for number, value in enumerate(values):
            if number:
                fields.end()
            self._add(fields, value, is_whole=True)

    def _add(self, fields: Fields, text: str, *, is_whole: bool) -> None:
        self._spend(len(text))
        if is_whole:
            fields.add(text)
        elif self._state.get(VARIABLE + "IFS") is not None:
            # Where words are cut is the line's own choice.
            fields.add(UNKNOWN)
        else:
            fields.split(_globbed(text, is_alone=False))

    def _values(self, part: Variable) -> tuple[str, ...]:
        value = self._named(part)
        if part.operator == "":
            return (UNKNOWN,) if value is None else value
        if part.operator == "other" or part.argument is None:
            if part.argument is not None:
                self.text(part.argument)
            return (UNKNOWN,)
        return self._operated(part, value)

    def _operated(self, part: Variable, value: tuple[str, ...] | None) -> tuple[str, ...]:
        operator = part.operator
        argument = self.text(part.argument) if part.argument is not None else ""
        is_told = value is None or not any(UNKNOWN in one for one in value)
        is_empty = not value or (operator.startswith(":") and value == ("",))
        if not is_told:
            return (UNKNOWN,)
        if operator.endswith("+"):
            return (UNKNOWN,) if value is None else () if is_empty else (argument,)
        if operator.endswith("?"):
            return (UNKNOWN,) if value is None else value
        if is_empty and operator.endswith("=") and part.name not in _LISTS:
            self._state.put(VARIABLE + part.name, (argument,))
        # What the environment holds cannot be seen; what the line says for its absence can.
        return (argument,) if is_empty else value or ()

    def _named(self, part: Variable) -> tuple[str, ...] | None:
        name, state = part.name, self._state
        element = None if part.index is None or _is_all(part.index) else self.text(part.index)
        if name in _LISTS:
            return state.get(ARGUMENTS) or ()
        if name.isdigit() and name != "0" and len(name) < 5:
            return self._argument(int(name))
        if not (name[0].isalpha() or name[0] == "_") or state.get(ODD_VARIABLES):
            return (UNKNOWN,)
        value = state.get(VARIABLE + name)
        if value is None:
            return self._usual(name)
        if part.index is None:
            return value[:1]
        return value if element is None else _element(value, element)

    def _argument(self, number: int) -> tuple[str, ...]:
        arguments = self._state.get(ARGUMENTS) or ()
        if UNKNOWN in arguments[:number]:
            return (UNKNOWN,)
        return arguments[number - 1 : number]

    def _usual(self, name: str) -> tuple[str, ...] | None:
        if name == "HOME":
            return ("~",)
        if name not in _FOLDERS:
            return None
        return self._state.get(_FOLDERS[name]) or (UNKNOWN,)


def _is_list(part: Variable) -> bool:
    return part.name == "@" or (part.index is not None and _is_all(part.index))


def _element(value: tuple[str, ...], index: str) -> tuple[str, ...]:
    if index.isascii() and index.isdigit() and len(index) < 5:
        return value[int(index) : int(index) + 1]
    return (UNKNOWN,)


def _is_all(index: Word) -> bool:
    return len(index.parts) == 1 and isinstance(index.parts[0], Literal) and index.parts[0].text in _LISTS


def _globbed(text: str, *, is_alone: bool) -> str:
    """The text with unknown parts where files of the folder decide."""
    for char in _GLOBS:
        if char in text:
            text = text.replace(char, UNKNOWN)
    if "[" in text and (not is_alone or "]" in text[text.index("[") :]):
        text = text.replace("[", UNKNOWN)
    return text
