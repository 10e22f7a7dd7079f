"""Does Python source compile? It is compiled in full and never run."""

from __future__ import annotations

import sys

from review_gate.reviewers.problem import Problem
from review_gate.reviewers.text import decode_anyhow, located, place_of, split_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.reviewers.text import Place

ADVICE = "fix it, or list the file under `syntax.exclude` if it is not meant for this Python"
# Every printable character but the backslash, then the escape forms of the codecs that read ASCII as something else.
ENCODING_PROBE = bytes(range(32, 92)) + bytes(range(93, 127)) + rb" \x41\u0041 +AGE- ~{VPND~} .xn--bcher-kva."


def problems_in(data: bytes) -> list[Problem]:
    """Why the running Python cannot compile a source file; empty when it can."""
    fault = _fault(data)
    if fault is None:
        return []
    message, place = fault
    version = f"Python {sys.version_info[0]}.{sys.version_info[1]} cannot compile this"
    lines = split_lines(decode_anyhow(data))
    place = (min(place[0], len(lines)) if place[0] else None, place[1])
    return [located("syntax-python", "critical", f"{version}: {message}", lines, place, recommendation=ADVICE)]


def _fault(data: bytes) -> tuple[str, Place] | None:
    if b"\0" in data:
        # Versions disagree on the exception for this, and none of them gives the place.
        return "it holds a NUL byte", place_of(decode_anyhow(data), len(decode_anyhow(data[: data.index(b"\0")])))
    try:
        fault = _misleading_encoding(data)
        if fault is None:
            _compile(data)
    except SyntaxError as error:
        line = error.lineno if error.lineno and error.lineno > 0 else None
        return error.msg, (line, error.offset if line and error.offset and error.offset > 0 else None)
    except (RecursionError, MemoryError):
        return "too deeply nested", (None, None)
    except Exception as error:  # over the years the compiler has also raised ValueError, OverflowError and SystemError
        return str(error), (None, None)
    return fault


def _compile(data: bytes) -> None:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # No real file name: to show the bad line CPython opens the named file on disk (3.11), which is not the reviewed
        # content and, where it is a FIFO, never answers.
        compile(data, "", "exec", dont_inherit=True)


def _misleading_encoding(data: bytes) -> tuple[str, Place] | None:
    """The fault of a PEP 263 declaration under which plain ASCII is not what it looks like, as with unicode_escape."""
    if b"coding" not in data:
        return None
    head = b"\n".join(data.split(b"\n", 2)[:2]).decode("latin-1")
    for number, line in enumerate(split_lines(head)[:2], 1):
        # Stripped first are the three bytes of a UTF-8 byte order mark, read as latin-1.
        text = line.lstrip("\xef\xbb\xbf \t\f")
        if text and not text.startswith("#"):
            return None  # a declaration stands above all code
        name = _declared_encoding(text)
        if name:
            fault = _encoding_fault(name)
            return (fault, (number, None)) if fault else None
    return None


def _declared_encoding(line: str) -> str:
    at = line.find("coding")
    while at >= 0:
        at += len("coding")
        if line[at : at + 1] in (":", "="):
            name = _leading_name(line[at + 1 : at + 100].lstrip(" \t"))
            if name:
                return name
        at = line.find("coding", at)
    return ""


def _leading_name(text: str) -> str:
    end = 0
    while end < len(text) and text[end].isascii() and (text[end].isalnum() or text[end] in "-_."):
        end += 1
    return text[:end]


def _encoding_fault(name: str) -> str:
    try:
        reads_ascii = ENCODING_PROBE.decode(name) == ENCODING_PROBE.decode("ascii")
    except LookupError:
        return f"unknown encoding {name}"
    except Exception:  # a codec may raise anything, and one that fails on ASCII misleads too
        reads_ascii = False
    return "" if reads_ascii else f"with the encoding {name} its ASCII text is not what it looks like"
