"""JSON with comments and commas too many, as tsconfig.json has them, read as what it means."""

from __future__ import annotations

import json
import re

from review_gate.prompts.project.facts import UnreadableManifestError

# A string or comment that never ends reaches to the end: looking for the next one in it would take quadratic time.
_STRING = r'"(?:[^"\\]|\\.)*+"?+'
_COMMENT = re.compile(rf"(?P<kept>{_STRING})|//[^\n]*+|/\*.*?(?:\*/|\Z)", re.DOTALL)
_COMMA = re.compile(rf"(?P<kept>{_STRING})|,(?=\s*+[}}\]])", re.DOTALL)


def json_object(text: str, *, may_have_comments: bool = False) -> dict[str, object]:
    """The object in a JSON text."""
    text = text.removeprefix("\ufeff")
    try:
        document = json.loads(_plain(text) if may_have_comments else text)
    except RecursionError:
        raise UnreadableManifestError("it is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise UnreadableManifestError(f"it is not JSON in line {error.lineno}") from None
    except ValueError:
        # A number of more digits than Python reads.
        raise UnreadableManifestError("it holds a number that is too long") from None
    if not isinstance(document, dict):
        raise UnreadableManifestError("it holds no JSON object")
    return document


def _plain(text: str) -> str:
    without = _COMMENT.sub(lambda found: found["kept"] or _line_ends(found[0]), text)
    return _COMMA.sub(lambda found: found["kept"] or "", without)


def _line_ends(comment: str) -> str:
    """What is left of a comment, so that errors name the right line."""
    return "\n" * comment.count("\n") or " "
