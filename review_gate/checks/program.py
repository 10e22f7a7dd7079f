"""A compiled regex as plain data: importing `re` and compiling costs a commit hook as much as all its other work.

The format is CPython's own and differs between its versions, so the plan that holds it is kept for one version only;
where anything is odd, `re` compiles the pattern as ever.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Sequence
    from typing import Any, AnyStr

# Classes over all of Unicode are written out as tables; those are compiled when they are needed.
LARGEST = 4_000


def program_of(pattern: str) -> list[object]:
    """Flags, number of groups, their names and the code of a pattern; nothing where that is not possible."""
    import re
    import warnings

    try:
        from re._parser import parse  # type: ignore[import-not-found]  # typeshed leaves the parser of `re` out
    except ImportError:
        return []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _coded(parse(pattern, re.MULTILINE))


def program_for_text(pattern: str) -> list[object]:
    """The same with the same matches in less time; nothing where that is not possible."""
    import warnings

    try:
        from review_gate.checks.possessive import tree_for_text
    except ImportError:
        return []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _coded(tree_for_text(pattern))


def program_for_bytes(pattern: str) -> list[object]:
    """The same for the bytes of plain ASCII, in which it matches the same; nothing where that is not possible."""
    import re

    try:
        from review_gate.checks.possessive import tree_for_bytes

        return _coded(tree_for_bytes(pattern))
    except (ImportError, re.error, ValueError):
        return []


def _coded(tree: Any) -> list[object]:
    import re
    from array import array
    from base64 import b64encode
    from re._compiler import _code  # type: ignore[import-not-found]  # as above

    code = array("I", _code(tree, int(re.MULTILINE)))
    if len(code) > LARGEST:
        return []
    flags = int(re.MULTILINE) | tree.state.flags
    return [flags, tree.state.groups - 1, dict(tree.state.groupdict), b64encode(code.tobytes()).decode("ascii")]


def from_program(pattern: AnyStr, program: Sequence[object]) -> re.Pattern[AnyStr] | None:
    """The compiled regex, None where this Python does not take it."""
    try:
        from _sre import compile as compile_program  # type: ignore[import-not-found]  # what `re` itself calls
        from binascii import a2b_base64

        flags, groups, names, code = program
        words = memoryview(a2b_base64(code)).cast("I").tolist()  # type: ignore[arg-type]  # wrong data is caught below
        by_number: list[str | None] = [None] * (groups + 1)  # type: ignore[operator]  # as above
        for name, number in names.items():  # type: ignore[attr-defined]  # as above
            by_number[number] = name
        compiled: re.Pattern[AnyStr] = compile_program(pattern, flags, words, groups, names, tuple(by_number))
    except (ImportError, TypeError, ValueError, AttributeError, IndexError, RuntimeError, OverflowError):
        return None
    return compiled
