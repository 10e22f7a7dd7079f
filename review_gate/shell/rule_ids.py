"""The ids of the rules that the reviewers of a run look for, read without what makes sure that they are right."""

from __future__ import annotations

import os

from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.pipeline_key import FOLDER, MAX_BYTES
from review_gate.strict_json import StrictJsonError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SHIPPED = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "pipeline", "config")
RULES = "rules.json"


def ids_of_rules(top: str) -> set[str]:
    """Those of the shipped rules and of the project's own; a run complains of a file that is wrong."""
    folders = [SHIPPED, os.path.join(top, FOLDER)] if top else [SHIPPED]
    return {name for folder in folders for name in _ids(os.path.join(folder, RULES))}


def _ids(path: str) -> Iterator[str]:
    try:
        data = read_plain_file(path, MAX_BYTES)
        document = parse(data) if data is not None else None
    except (UnsafeFileError, StrictJsonError):
        return
    for entry in document if isinstance(document, list) else ():
        name = entry.get("id") if isinstance(entry, dict) else None
        if isinstance(name, str):
            yield name
