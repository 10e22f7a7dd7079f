"""From what a model said to the one object it was asked for, or why that cannot be done.

Two forms are an answer: the whole text is one JSON object; or there is exactly one fenced block, labelled json or not
at all, with one JSON object in it, and no brace outside of it. Everything else, such as prose around bare JSON, two
objects or two blocks, is malformed: a vote is never guessed. The JSON is read strictly (no duplicate key, no NaN), and
so are the types: "3" is no number and 1 is not true.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from pydantic import ValidationError

from review_gate.models import Frozen
from review_gate.safe_text import safe_line
from review_gate.strict_json import StrictJsonError, parse

LONGEST_ANSWER = 2_000_000
MOST_FAULTS = 3
LONGEST_FAULT = 120
FENCE = re.compile(r"^ {0,3}```[ \t]*([^\n`]*)$", re.MULTILINE)
LABELS = ("", "json")


class Unusable(NamedTuple):
    """Why a text is not the answer that was asked for."""

    why: str


def read_answer(text: str, answer: type[Frozen]) -> Frozen | Unusable:
    """The answer in a text."""
    document = read_document(text)
    return document if isinstance(document, Unusable) else fitting(document, answer)


def read_document(text: str) -> dict[str, object] | Unusable:
    """The one JSON object in a text, whatever is in it."""
    if len(text) > LONGEST_ANSWER:
        return Unusable(f"the answer has more than {LONGEST_ANSWER:,} characters")
    if not text.strip():
        return Unusable("the answer is empty")
    document = _document(text)
    if isinstance(document, Unusable):
        return document
    try:
        value = parse(document.encode())
    except (StrictJsonError, UnicodeEncodeError) as error:
        return Unusable(f"the answer is not one JSON object: {safe_line(str(error))[:LONGEST_FAULT]}")
    return value if isinstance(value, dict) else _no_object(value)


def fitting(value: object, answer: type[Frozen]) -> Frozen | Unusable:
    """A value that was read from JSON, as the answer that was asked for."""
    if not isinstance(value, dict):
        return _no_object(value)
    try:
        # As JSON, since only there a list may stand for a tuple and a word for a choice while all else is strict.
        return answer.model_validate_json(json.dumps(value), strict=True)
    except ValidationError as error:
        return Unusable(f"the answer has the wrong shape: {_faults(error)}")


def _document(text: str) -> str | Unusable:
    bare = text.strip()
    if bare.startswith("{"):
        return bare
    fences = list(FENCE.finditer(text))
    if not fences:
        what = "has words around its JSON" if "{" in text else "holds no JSON"
        return Unusable(f"the answer {what}")
    if len(fences) != 2 or fences[1][1].strip():
        return Unusable("the answer does not have exactly one fenced block")
    first, last = fences
    if first[1].strip().lower() not in LABELS:
        return Unusable("the fenced block of the answer is not labelled json")
    if "{" in text[: first.start()] + text[last.end() :]:
        return Unusable("the answer has braces outside of its fenced block")
    return text[first.end() : last.start()]


def _faults(error: ValidationError) -> str:
    """Where the shape is wrong; what stands there is not repeated."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    told = [f"{_path(fault['loc'])}: {fault['msg']}" for fault in faults[:MOST_FAULTS]]
    if len(faults) > MOST_FAULTS:
        told.append(f"and {len(faults) - MOST_FAULTS} more")
    return "; ".join(safe_line(one)[: 2 * LONGEST_FAULT] for one in told)


def _path(parts: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in parts)[:LONGEST_FAULT] or "the whole"


def _no_object(value: object) -> Unusable:
    return Unusable(f"the answer is not a JSON object but {_kind(value)}")


def _kind(value: object) -> str:
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return "a list" if isinstance(value, list) else "a string" if isinstance(value, str) else "a number"
