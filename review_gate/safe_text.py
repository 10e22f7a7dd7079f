"""Text from outside, made harmless for a terminal."""

from __future__ import annotations


def safe(text: str) -> str:
    """The text with every control, bidi and invisible character written as an escape; line ends and tabs stay."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter in "\n\t" else _escaped(letter) for letter in text)


def safe_line(text: str) -> str:
    """The same on one line."""
    return safe(text).replace("\n", "\\n").replace("\t", "\\t")


def written_out(name: str) -> str:
    """A name whose bytes may be no UTF-8 as text that every document can hold."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def without_full_stop(text: str) -> str:
    """A sentence that others follow in the same breath; dots that stand for something left out stay."""
    return text if text.endswith("..") else text.removesuffix(".")


def _escaped(letter: str) -> str:
    code = ord(letter)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"<U+{code:04X}>"
