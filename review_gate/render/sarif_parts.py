"""What every SARIF 2.1.0 log of ours has: its frame, its messages, its places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from review_gate import __version__
from review_gate.render.json_pieces import document_pieces
from review_gate.safe_text import safe

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"critical": "error", "major": "error", "warning": "warning", "info": "note"}
ROOT = "%SRCROOT%"

Json = dict[str, Any]


def log_pieces(run: Json, results: Iterable[Json]) -> Iterator[str]:
    """A log of one run, given without its results; in ASCII so that it survives any terminal, pipe or file."""
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return document_pieces(_harmless(log), "results", map(_harmless, results), depth=3)


def _harmless(value: Any) -> Any:
    """The same document without hidden characters in any text; a lone surrogate would not even be valid JSON."""
    if isinstance(value, str):
        return safe(value)
    if isinstance(value, dict):
        return {key: _harmless(item) for key, item in value.items()}
    return [_harmless(item) for item in value] if isinstance(value, list) else value


def frame(name: str, rules: list[Json], invocation: Json) -> Json:
    """The parts of a run before its results; `name` tells one upload from another."""
    return {
        "tool": {"driver": {"name": "review-gate", "version": __version__, "rules": rules}},
        "automationDetails": {"id": name},
        "invocations": [invocation],
        "originalUriBaseIds": {ROOT: {"description": {"text": "the root of the reviewed repository"}}},
        "columnKind": "unicodeCodePoints",
    }


def message(text: str) -> Json:
    """A message without embedded links: SARIF viewers turn `[text](address)` of a plain message into one."""
    return {"text": text.replace("](", "] (")}


def artifact(path: str | None) -> Json:
    """A path as a URI: a command may name a file outside the repository, which no base can lead to.

    Without a path it is the repository's root: GitHub code scanning refuses a whole log for one result without a
    location (codeql-action issue 1738).
    """
    if not path:
        return _in_root(".")
    uri = quote(_bytes_of(path), safe="/")
    return {"uri": f"file://{uri}"} if uri.startswith("/") else _in_root(uri)


def _bytes_of(path: str) -> bytes:
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        # Half a character that stands for no byte; no file has such a name.
        return path.encode("utf-8", "backslashreplace")


def _in_root(uri: str) -> Json:
    return {"uri": uri, "uriBaseId": ROOT}
