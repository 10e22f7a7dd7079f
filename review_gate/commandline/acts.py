"""The nouns of this package: one thing that a line would do, and the state of reading that line."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Aliases = Callable[[str], Mapping[str, str]]
    Start = Callable[["Reading", Sequence[str], str | None], None]
    Parse = Callable[["Reading", str], None]

# Stands in a word for what only the shell knows. No argument of a program can hold it, so it cannot be forged.
UNKNOWN = "\0"
# The folder in which the line starts.
HERE = "."
# `git push`, and what starts it in turn; other programs publish HEAD, or send what they like, without a hook.
PUSH, OFFER, PUBLISH, SEND = "push", "offer", "publish", "send"
HOOKS_OFF, RECORDS, UNINSTALL, WRITE = "hooks-off", "records", "uninstall", "write"
# Only the shell knows what a command does; and the whole line could not be read.
UNCLEAR, UNREAD = "unclear", "unread"

# Of a line: characters (twice what Linux starts as one argument), commands, and commands in commands.
MOST_TEXT, MOST_COMMANDS, MOST_DEPTH = 1 << 18, 5_000, 30
TOO_DEEP = "is nested too deep to be read"
NO_PARSER = "cannot be read, because tree-sitter is missing or broken"


class UnreadError(ValueError):
    """The line cannot be read; the message says why."""


class Act:
    """One thing that a line would do in a folder, None for an unknown one; words: a push's arguments, a path, or all.

    `skipped_by`: what keeps git from calling the hooks at a push; `has_moved`: a ref or HEAD changes before it.
    """

    def __init__(self, kind: str, words: Iterable[str], reading: Reading, skipped_by: str = "") -> None:
        self.kind, self.words, self.skipped_by = kind, tuple(words), skipped_by
        self.folder, self.has_moved = reading.folder, reading.has_moved


class Reading:
    """The state of a line that is being read: what was found, and the folder and variables at this point."""

    def __init__(self, line: str, aliases: Aliases, start: Start, parse: Parse) -> None:
        self.line, self.aliases = line.lower(), aliases
        self.acts: list[Act] = []
        self.folder: str | None = HERE
        self.environ: dict[str, str] = {}
        self.has_moved = False
        self._start, self._parse = start, parse
        self._depth = self._commands = 0

    def add(self, kind: str, words: Iterable[str], skipped_by: str = "") -> None:
        """Note something that the line would do here."""
        self.acts.append(Act(kind, words, self, skipped_by))

    def run(self, words: Sequence[str], feed: str | None = None, names: Mapping[str, str] | None = None) -> None:
        """Read one command with its variables; `feed` is what it reads from standard input, UNKNOWN if not told."""
        self._commands += 1
        if self._commands > MOST_COMMANDS:
            raise UnreadError("has too many commands to be read")
        before, self.environ = self.environ, {**self.environ, **(names or {})}
        changed = self.environ
        if words:
            self._deeper(lambda: self._start(self, words, feed))
            # `export` changes them for the rest of the line.
            self.environ = before if self.environ is changed else self.environ

    def read(self, text: str) -> None:
        """Read a text of shell, in this folder and with these variables; what is unknown of a word stays unknown."""
        if len(text) > MOST_TEXT:
            raise UnreadError("is too long to be read")
        if text.startswith(UNKNOWN):
            self.add(UNCLEAR, (text,))
        else:
            self._deeper(lambda: self._parse(self, text.replace(UNKNOWN, "$_")))

    def write(self, paths: Iterable[str]) -> None:
        """Note the paths that a command or a redirection changes."""
        for path in paths:
            if not path.startswith(UNKNOWN):
                self.add(WRITE, (path,))
            elif ".git/" in self.line:
                # `for file in .git/hooks/*; do rm "$file"; done`
                self.add(UNCLEAR, (path,))

    def _deeper(self, action: Callable[[], None]) -> None:
        if self._depth >= MOST_DEPTH:
            raise UnreadError(TOO_DEEP)
        self._depth += 1
        action()
        self._depth -= 1


def joined(folder: str | None, step: str) -> str | None:
    """A folder seen from another one; None if the line does not tell which it is."""
    if UNKNOWN in step or (folder is None and not os.path.isabs(step)):
        return None
    return step if step.startswith("~") else os.path.normpath(os.path.join(folder or HERE, step))
