"""The escapes of `$'…'`, of `printf` and of `echo -e`."""

from __future__ import annotations

from review_gate.commandline.acts import UNKNOWN

_SINGLE = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
}
_HEX = frozenset("0123456789abcdefABCDEF")
_OCTAL = frozenset("01234567")
# The letter of an escape by number, and how many digits it takes.
_DIGITS = {"x": 2, "u": 4, "U": 8}
_LAST_OF_ASCII = 127
_LAST_CHARACTER = 0x10FFFF
_SURROGATES = range(0xD800, 0xE000)


def unescaped(text: str, *, is_format: bool = False) -> str:
    """The text with its escapes carried out; control characters and bytes of other alphabets are not told."""
    if "\\" not in text:
        return text
    out: list[str] = []
    at = 0
    while at < len(text):
        end = text.find("\\", at)
        if end < 0 or end + 1 >= len(text):
            break
        out.append(text[at:end])
        told, at = _escape(text, end + 1, is_format=is_format)
        if told == "":
            # A zero byte ends the string.
            return "".join(out)
        out.append(told)
    out.append(text[at:])
    return "".join(out)


def _escape(text: str, at: int, *, is_format: bool) -> tuple[str, int]:
    char = text[at]
    if char in _SINGLE:
        return _SINGLE[char], at + 1
    if char in _DIGITS:
        digits = _digits(text, at + 1, _HEX, _DIGITS[char])
        if not digits:
            return "\\" + char, at + 1
        return _character(int(digits, 16), is_byte=char == "x"), at + 1 + len(digits)
    if char in _OCTAL:
        # `echo -e` and `%b` take a zero before three digits.
        digits = _digits(text, at, _OCTAL, 4 if is_format and char == "0" else 3)
        return _character(int(digits, 8) & 255, is_byte=True), at + len(digits)
    if char == "c":
        return UNKNOWN, at + (1 if is_format else 2)
    return "\\" + char, at + 1


def _digits(text: str, at: int, allowed: frozenset[str], most: int) -> str:
    end = at
    while end < len(text) and end - at < most and text[end] in allowed:
        end += 1
    return text[at:end]


def _character(code: int, *, is_byte: bool) -> str:
    if code == 0:
        return ""
    if (is_byte and code > _LAST_OF_ASCII) or code > _LAST_CHARACTER or code in _SURROGATES:
        return UNKNOWN
    return chr(code)
