"""Scripts of sed that only change text: its command and its flag `e` start a shell."""

from __future__ import annotations

_FLAGS = frozenset("gpiImM0123456789")
_COMMANDS = frozenset("dpqD=")
_SIGNS = frozenset("/|,#:@!%_+~;")


def is_plain_edit(script: str) -> bool:
    """Whether a script is one substitution without odd flags, or removes or shows the lines of one address."""
    script = script.strip()
    if script[:1] == "s" and script[1:2] in _SIGNS:
        pieces = _pieces(script[1:], script[1])
        return len(pieces) == 4 and _FLAGS.issuperset(pieces[3])
    if script[:1] == "/":
        pieces = _pieces(script, "/")
        return len(pieces) == 3 and pieces[2] in _COMMANDS
    return False


def _pieces(text: str, sign: str) -> list[str]:
    """What stands between the signs that no backslash takes for text."""
    pieces, at, start = [], 0, 0
    while at < len(text):
        if text[at] == "\\":
            at += 2
            continue
        if text[at] == sign:
            pieces.append(text[start:at])
            start = at + 1
        at += 1
    return [*pieces, text[start:]]
