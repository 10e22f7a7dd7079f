"""What a line has set so far, with a journal that lets a subshell be forgotten and an "if" be doubted."""

from __future__ import annotations

from review_gate.commandline.acts import HERE, UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.commandline.syntax import Node

    Value = tuple[str, ...]

# Kinds of names; each is the beginning of a key.
VARIABLE = "variable:"
FUNCTION = "function:"
ALIAS = "alias:"
GIT_ALIAS = "git alias:"
EXPORTED = "exported:"
# Set once a setting was changed that decides what a push without refspecs sends.
PUSH_SETTINGS = "settings of pushes"
STACK = "stack of folders"
FOLDER = "folder"
EARLIER_FOLDER = "earlier folder"
ARGUMENTS = "arguments"
# Set once a variable can be changed under another name, or changes what it is given.
ODD_VARIABLES = "odd variables"

_NOTABLE = (VARIABLE + "GIT_CONFIG", VARIABLE + "REVIEW_GATE_")
_TOLD_BY_ALL = (FUNCTION, ALIAS, GIT_ALIAS)


class State:
    """Values by key: none is not set by this line, an empty one is unset by it or not told."""

    __slots__ = ("_journal", "_marks", "_values", "bodies", "notable")

    def __init__(self) -> None:
        self._values: dict[str, Value] = {FOLDER: (HERE,), ARGUMENTS: ()}
        self._journal: list[tuple[str, Value | None]] = []
        self._marks = 0
        # Bodies of functions; the value of a function is their places in this list.
        self.bodies: list[Node] = []
        # Names of variables that mean something to git or its hooks by how they begin.
        self.notable: dict[str, None] = {}

    def get(self, key: str) -> Value | None:
        """What a key holds, nothing where this line did not set it."""
        return self._values.get(key)

    def put(self, key: str, value: Value | None) -> None:
        """Set a key, or forget it."""
        if self._marks:
            self._journal.append((key, self._values.get(key)))
        if value is None:
            self._values.pop(key, None)
        else:
            self._values[key] = value
            if key.startswith(_NOTABLE):
                self.notable[key.removeprefix(VARIABLE)] = None

    @property
    def folder(self) -> str | None:
        """Where the line is, nothing where that is not told."""
        value = self._values.get(FOLDER)
        return value[0] if value else None

    def start_shell(self) -> int:
        """Let a new shell see only what it is given: the exported variables, and perhaps the functions."""
        for key, value in list(self._values.items()):
            if key.startswith(VARIABLE) and EXPORTED + key.removeprefix(VARIABLE) not in self._values:
                self.put(key, (UNKNOWN,))
            elif key.startswith((FUNCTION, ALIAS)) and "" not in value:
                self.put(key, (*value, ""))
        return len(self._values)

    def mark(self) -> int:
        """A place to come back to; each needs its `roll_back` or `doubt`."""
        self._marks += 1
        return len(self._journal)

    def roll_back(self, mark: int) -> None:
        """Forget all that was set since the mark, as a shell forgets what its subshell did."""
        for key, value in reversed(self._journal[mark:]):
            if value is None:
                self._values.pop(key, None)
            else:
                self._values[key] = value
        del self._journal[mark:]
        self._release()

    def end(self, mark: int, *, is_sure: bool) -> None:
        """Let what was set since the mark stand, or doubt it."""
        if is_sure:
            self._release()
        else:
            self.doubt(mark)

    def doubt(self, mark: int) -> None:
        """Keep of what was set since the mark only what holds both if that ran and if it did not."""
        first: dict[str, Value | None] = {}
        for key, value in self._journal[mark:]:
            first.setdefault(key, value)
        for key, value in first.items():
            now = self._values.get(key)
            if now != value:
                self._values[key] = _either(key, value, now)
        # The marks around this one need only what was there before it.
        self._journal[mark:] = first.items()
        self._release()

    def _release(self) -> None:
        self._marks -= 1
        if not self._marks:
            self._journal.clear()


def _either(key: str, one: Value | None, other: Value | None) -> Value:
    if key.startswith(VARIABLE) or key == ARGUMENTS:
        return (UNKNOWN,)
    if key.startswith(_TOLD_BY_ALL):
        # Nothing stands for "perhaps not defined".
        return tuple(dict.fromkeys([*(one or ("",)), *(other or ("",))]))
    return ()


def joined(folder: str | None, path: str) -> str | None:
    """The folder that a path leads to from another one, nothing where that is not told."""
    if UNKNOWN in path:
        return None
    if path.startswith(("/", "~")) or path[1:2] == ":":
        return path
    path = path.removeprefix("./")
    if folder is None or path in ("", HERE):
        return folder
    return path if folder == HERE else folder.rstrip("/") + "/" + path
