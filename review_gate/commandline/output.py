"""The output of the few commands whose words tell it: what `$(…)` puts into words and a pipe feeds to a shell."""

from __future__ import annotations

from review_gate.commandline.acts import UNKNOWN
from review_gate.commandline.escapes import unescaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_SILENT = frozenset({":", "true", "false", "cd", "export", "unset", "set", "shift", "alias", "trap", "test", "["})
_FINDERS = frozenset({"which", "command", "type"})


def output_of(words: Sequence[str], feed: str | None) -> str:
    """What a command writes to its standard output, unknown where its words do not tell."""
    name = words[0]
    if name in _SILENT:
        return ""
    if name == "echo":
        return _echoed(words[1:])
    if name == "printf":
        return _formatted(words[1:])
    if name in ("cat", "tee") and all(word == "-" for word in words[1:]):
        return feed or ""
    if name in _FINDERS and len(words) > 1 and not words[-1].startswith("-"):
        return words[-1] + "\n"
    return UNKNOWN


def _echoed(arguments: Sequence[str]) -> str:
    at, escapes, end = 0, False, "\n"
    while (
        at < len(arguments)
        and len(arguments[at]) > 1
        and arguments[at][0] == "-"
        and not arguments[at][1:].strip("neE")
    ):
        escapes = escapes or "e" in arguments[at]
        end = "" if "n" in arguments[at] else end
        at += 1
    text = " ".join(arguments[at:])
    return (unescaped(text, is_format=True) if escapes else text) + end


def _formatted(arguments: Sequence[str]) -> str:
    if arguments[:1] == ("-v",) or list(arguments[:1]) == ["-v"]:
        return ""
    arguments = arguments[1:] if list(arguments[:1]) == ["--"] else arguments
    if not arguments:
        return ""
    pieces = _pieces(unescaped(arguments[0], is_format=True))
    if pieces is None:
        return UNKNOWN
    values = list(arguments[1:])
    slots = sum(piece is None for piece in pieces)
    out: list[str] = []
    at = 0
    while True:
        for piece in pieces:
            out.append(piece if piece is not None else "".join(values[at : at + 1]))
            at += piece is None
        if not slots or at >= len(values):
            return "".join(out)


def _pieces(text: str) -> list[str | None] | None:
    """The text around `%s`, which is none; nothing where other directives are."""
    pieces: list[str | None] = []
    for number, chunk in enumerate(text.replace("%%", UNKNOWN + "%").split("%s")):
        if number:
            pieces.append(None)
        plain = chunk.replace(UNKNOWN + "%", "")
        if "%" in plain:
            return None
        pieces.append(chunk.replace(UNKNOWN + "%", "%"))
    return pieces
