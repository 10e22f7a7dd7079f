"""A compiled regex as plain data: importing `re` and compiling costs a commit hook as much as all its other work.

The format is CPython's own and differs between its versions, so the plan that holds it is kept for one version only;
where anything is odd, `re` compiles the pattern as ever.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Sequence
    from typing import Any, AnyStr

    # Where code is kept, as JSON has it.
    Kept = list[object]

# Classes over all of Unicode are written out as tables; those are compiled when they are needed.
LARGEST = 20_000


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


def walk_programs(pattern: str) -> tuple[list[object], list[object]]:
    """Programs, for text and for bytes, that match what lies between the matches of a pattern; or nothing."""
    import re

    try:
        from review_gate.checks.possessive import tree_for_bytes, tree_for_text, walk_of

        walks = walk_of(tree_for_text(pattern)), walk_of(tree_for_bytes(pattern))
    except (ImportError, re.error, ValueError):
        return [], []
    for_text, for_bytes = [_coded(walk) if walk is not None else [] for walk in walks]
    return (for_text, for_bytes) if for_text and for_bytes else ([], [])


def _coded(tree: Any) -> list[object]:
    import re
    from array import array
    from re._compiler import _code  # type: ignore[import-not-found]  # as above

    code = array("I", _code(tree, int(re.MULTILINE)))
    if len(code) > LARGEST:
        return []
    flags = int(re.MULTILINE) | tree.state.flags
    return [flags, tree.state.groups - 1, dict(tree.state.groupdict), code.tobytes()]


def plain_program(program: Sequence[object], place: Callable[[bytes], Kept]) -> list[object]:
    """A program as JSON has it, with its code put where `place` tells; nothing where its code is lost."""
    code = _code_of(program)
    return [*program[:3], *place(code)] if code else []


def kept_program(plain: object, code_at: Callable[..., Callable[[], bytes]]) -> list[object]:
    """The program that `plain_program` wrote, with a way to its code."""
    if not isinstance(plain, list) or not plain:
        return []
    flags, groups, names, *place = plain
    return [flags, groups, names, code_at(*place)]


def _code_of(program: Sequence[object]) -> bytes:
    """The code of a program, which may lie elsewhere."""
    code = program[3] if program else b""
    found = code() if callable(code) else code
    return found if isinstance(found, bytes) else b""


def from_program(pattern: AnyStr, program: Sequence[object]) -> re.Pattern[AnyStr] | None:
    """The compiled regex, None where this Python does not take it."""
    try:
        from _sre import compile as compile_program  # type: ignore[import-not-found]  # what `re` itself calls

        flags, groups, names, _ = program
        words = memoryview(_code_of(program)).cast("I").tolist()
        if not words:
            return None
        by_number: list[str | None] = [None] * (groups + 1)  # type: ignore[operator]  # as above
        for name, number in names.items():  # type: ignore[attr-defined]  # as above
            by_number[number] = name
        compiled: re.Pattern[AnyStr] = compile_program(pattern, flags, words, groups, names, tuple(by_number))
    except (ImportError, TypeError, ValueError, AttributeError, IndexError, RuntimeError, OverflowError):
        return None
    return compiled
