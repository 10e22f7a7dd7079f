"""JSON read without mercy: no duplicate key, no NaN, no BOM, no second document, no bytes that are not UTF-8.

And plain values written as JSON: importing `json` takes as long as all else that a hook does.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

WHITE_SPACE = " \t\n\r"


class StrictJsonError(ValueError):
    """The text is not one plain JSON document; the message says where it goes wrong."""


def parse(data: bytes) -> object:
    """The one JSON document in `data`, or a StrictJsonError."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise StrictJsonError(f"not UTF-8 at byte {error.start}") from None
    start = _skip_white_space(text, 0)
    try:
        value, end = _scan(text, start)
    except RecursionError:
        raise StrictJsonError("nested too deeply") from None
    except StopIteration as error:
        raise StrictJsonError(f"not JSON at character {error.value}") from None
    except ValueError as error:
        raise StrictJsonError(f"not JSON: {str(error)[:80]}") from None
    except SystemError:
        # CPython 3.11's C scanner fails without an exception when `json.decoder` was never imported.
        raise StrictJsonError("not JSON: broken off or malformed") from None
    if _skip_white_space(text, end) != len(text):
        raise StrictJsonError(f"something follows the document at character {end}")
    return value


def _skip_white_space(text: str, position: int) -> int:
    while position < len(text) and text[position] in WHITE_SPACE:
        position += 1
    return position


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise StrictJsonError("a key stands twice in one object")
    return mapping


def _refuse_constant(word: str) -> object:
    raise StrictJsonError(f"{word} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise StrictJsonError(f"{digits[:20]} is out of range")
    return number


class _Context:
    """The settings that CPython's C scanner reads; the `json` module would import `re` and double the start-up time."""

    strict = True
    object_hook = None
    object_pairs_hook = staticmethod(_without_duplicates)
    parse_float = staticmethod(_finite)
    parse_int = int
    parse_constant = staticmethod(_refuse_constant)
    memo: dict[str, str]

    def __init__(self) -> None:
        self.memo = {}


def _make_scan() -> Callable[[str, int], tuple[object, int]]:
    try:
        from _json import make_scanner
    except ImportError:
        import json

        return json.JSONDecoder(
            object_pairs_hook=_without_duplicates, parse_float=_finite, parse_constant=_refuse_constant
        ).raw_decode
    scanner: Callable[[str, int], tuple[object, int]] = make_scanner(_Context())  # type: ignore[arg-type]  # typeshed names the scanner itself
    return scanner


def written(value: object) -> str:
    """Texts, numbers, truths, lists and objects of these as one line of ASCII."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_quoted(str(key))}: {written(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(written, value)) + "]"
    if isinstance(value, str):
        return _quoted(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _make_quoted() -> Callable[[str], str]:
    try:
        from _json import encode_basestring_ascii
    except ImportError:
        import json

        return json.dumps
    quoted: Callable[[str], str] = encode_basestring_ascii
    return quoted


_quoted = _make_quoted()
_scan = _make_scan()
