"""Builtins that change what the rest of a line means: folders, variables, aliases, arguments, text that is run."""

from __future__ import annotations

from review_gate.commandline.acts import UNKNOWN
from review_gate.commandline.state import (
    ALIAS,
    ARGUMENTS,
    EARLIER_FOLDER,
    EXPORTED,
    FOLDER,
    FUNCTION,
    ODD_VARIABLES,
    STACK,
    VARIABLE,
    joined,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from review_gate.commandline.walk import Walk

_READ_VALUED = frozenset("adinNptu")
_MAPFILE_VALUED = frozenset("dnOsucC")
# Kinds of variables that change what they are given, or give it to another.
_ODD_KINDS = frozenset("nliuc")


def _cd(walk: Walk, words: Sequence[str], _feed: str | None) -> None:
    target = _target(words)
    if target == "-":
        earlier = walk.state.get(EARLIER_FOLDER)
        _move(walk, earlier[0] if earlier else None)
    elif target is None:
        home = walk.state.get(VARIABLE + "HOME")
        _move(walk, joined(walk.state.folder, home[0]) if home else "~")
    elif walk.state.get(VARIABLE + "CDPATH") and not target.startswith(("/", ".", "~")):
        _move(walk, None)
    else:
        _move(walk, joined(walk.state.folder, target))


def _target(words: Sequence[str]) -> str | None:
    at = 1
    while at < len(words) and len(words[at]) > 1 and words[at][0] == "-":
        at += 1
    return words[at] if at < len(words) else None


def _move(walk: Walk, folder: str | None) -> None:
    here = walk.state.get(FOLDER) or ()
    walk.state.put(EARLIER_FOLDER, here)
    walk.state.put(FOLDER, () if folder is None else (folder,))


def _pushd(walk: Walk, words: Sequence[str], _feed: str | None) -> None:
    target = _target(words)
    stack = walk.state.get(STACK) or ()
    if target is None or target.startswith("+"):
        _move(walk, None)
        return
    walk.spend(len(stack) + 1)
    walk.state.put(STACK, (*stack, walk.state.folder or UNKNOWN))
    _move(walk, joined(walk.state.folder, target))


def _popd(walk: Walk, words: Sequence[str], _feed: str | None) -> None:
    stack = walk.state.get(STACK) or ()
    if len(words) > 1 or not stack:
        _move(walk, None)
        return
    walk.state.put(STACK, stack[:-1])
    _move(walk, None if stack[-1] == UNKNOWN else stack[-1])


def _eval(walk: Walk, words: Sequence[str], _feed: str | None) -> None:
    at = 2 if len(words) > 1 and words[1] == "--" else 1
    walk.shell(" ".join(words[at:]), is_apart=False)


def _trap(walk: Walk, words: Sequence[str], _feed: str | None) -> None:
    given = [word for word in words[1:] if word == "-" or not word.startswith("-")]
    if len(given) > 1 and given[0] != "-":
        walk.shell(given[0])


def _declare(walk: Walk, words: Sequence[str], _feed: str | None) -> None:
    for word in words[1:]:
        if word.startswith(("-", "+")):
            if not _ODD_KINDS.isdisjoint(word):
                walk.state.put(ODD_VARIABLES, ("",))
            continue
        name, found, value = word.partition("=")
        if found:
            # It came out of an expansion; what stands plainly in the line was assigned before.
            walk.state.put(VARIABLE + name, (value,))
        if words[0] == "export" or "x" in "".join(one for one in words[1:] if one.startswith("-")):
            walk.state.put(EXPORTED + name, ("",))


def _unset(walk: Walk, words: Sequence[str], _feed: str | None) -> None:
    only_functions = "-f" in words
    for word in words[1:]:
        walk.state.put(FUNCTION + word, None)
        if not only_functions:
            walk.state.put(VARIABLE + word, ())


def _alias(walk: Walk, words: Sequence[str], _feed: str | None) -> None:
    for word in words[1:]:
        name, found, value = word.partition("=")
        if found and UNKNOWN not in name:
            walk.state.put(ALIAS + name, (value,))


def _unalias(walk: Walk, words: Sequence[str], _feed: str | None) -> None:
    for word in words[1:]:
        walk.state.put(ALIAS + word, None)


def _hash(walk: Walk, words: Sequence[str], _feed: str | None) -> None:
    if len(words) > 3 and words[1] == "-p":
        for name in words[3:]:
            walk.state.put(ALIAS + name, ("'" + words[2].replace("'", "'\\''") + "'",))


def _set(walk: Walk, words: Sequence[str], _feed: str | None) -> None:
    at = 1
    while at < len(words) and len(words[at]) > 1 and words[at][0] in "-+" and words[at] != "--":
        at += 2 if words[at][-1] == "o" else 1
    if at < len(words):
        walk.state.put(ARGUMENTS, tuple(words[at + 1 if words[at] == "--" else at :]))


def _shift(walk: Walk, words: Sequence[str], _feed: str | None) -> None:
    arguments = walk.state.get(ARGUMENTS) or ()
    walk.spend(len(arguments) // 16)
    count = words[1] if len(words) > 1 else "1"
    if count.isascii() and count.isdigit() and len(count) < 5 and UNKNOWN not in arguments:
        walk.state.put(ARGUMENTS, arguments[int(count) :])
    else:
        walk.state.put(ARGUMENTS, (UNKNOWN,))


def _read(walk: Walk, words: Sequence[str], _feed: str | None) -> None:
    valued = _MAPFILE_VALUED if words[0] != "read" else _READ_VALUED
    at = 1
    while at < len(words) and len(words[at]) > 1 and words[at][0] == "-":
        option = words[at][-1]
        at += 1
        if option in valued and at < len(words):
            if option == "a":
                walk.state.put(VARIABLE + words[at], (UNKNOWN,))
            elif option == "C":
                walk.shell(words[at])
            at += 1
    for name in words[at:] or ["REPLY", "MAPFILE"]:
        walk.state.put(VARIABLE + name, (UNKNOWN,))


def _getopts(walk: Walk, words: Sequence[str], _feed: str | None) -> None:
    for name in (*words[2:3], "OPTARG"):
        walk.state.put(VARIABLE + name, (UNKNOWN,))


def _printf(walk: Walk, words: Sequence[str], _feed: str | None) -> None:
    if len(words) > 2 and words[1] == "-v":
        walk.state.put(VARIABLE + words[2], (UNKNOWN,))


def _source(walk: Walk, words: Sequence[str], feed: str | None) -> None:
    walk.may_have_moved = True
    given = words[2:] if words[1:2] == ["--"] else words[1:]
    if not given:
        return
    if given[0] == "/dev/stdin" and feed is not None:
        walk.shell(feed, is_apart=False)
    elif given[0] == UNKNOWN:
        walk.unclear(words)


BUILTINS: dict[str, Callable[[Walk, Sequence[str], str | None], None]] = {
    "cd": _cd,
    "chdir": _cd,
    "pushd": _pushd,
    "popd": _popd,
    "eval": _eval,
    "trap": _trap,
    "export": _declare,
    "declare": _declare,
    "typeset": _declare,
    "readonly": _declare,
    "local": _declare,
    "unset": _unset,
    "alias": _alias,
    "unalias": _unalias,
    "hash": _hash,
    "set": _set,
    "shift": _shift,
    "read": _read,
    "mapfile": _read,
    "readarray": _read,
    "getopts": _getopts,
    "printf": _printf,
    "source": _source,
    ".": _source,
}
