"""YAML text -> checks that remember the file and the line they were written on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from review_gate.checks.limits import MAX_FILE_BYTES
from review_gate.checks.pattern import unfit_pattern, unfit_replacement
from review_gate.checks.rule import LITERAL, REGEX, Rule
from review_gate.checks.schema import MAX_PATTERN, MAX_TEXT, CheckFile, Examples
from review_gate.checks.suppress import ABOUT
from review_gate.config.complaints import Complaint, complaints_about, config_error, in_order
from review_gate.config.display import described, quoted
from review_gate.config.keys import Path
from review_gate.config.yaml_reader import Limits, read_yaml
from review_gate.config.yaml_tree import Node, UnreadableError, plain_data
from review_gate.errors import ConfigError

LIMITS = Limits(size=MAX_FILE_BYTES, nodes=100_000, line=100_000, is_fast=True)
LOOKS_LIKE = "checks: [{id: no_eval, pattern: eval(, reason: eval runs whatever it is given}]"
PROJECT_FOLDER = "checks/"
_OTHER_FOLDER = (
    f"; where {PROJECT_FOLDER} is for something else, .review-gate.yaml leaves it out:"
    " checks: {sources: [user, rules, claude_md]}"
)
_NOT_A_FILE = f"a check file is a mapping with the key checks, such as {LOOKS_LIKE}"
_NOT_A_CONTEXT = "context.yaml is a mapping, such as {project_root: .., checks: [{id: no_eval, pattern: eval(}]}"
_WHY = "a check that cannot be read would find nothing, and nobody would notice"

Refusal = tuple[Path, str]


@dataclass(frozen=True, slots=True)
class SourcedCheck:
    """A check for the engine, and the texts that it is tried on."""

    rule: Rule
    examples: Examples


def checks_from_yaml(
    label: str, text: str, *, is_context: bool = False, is_shipped: bool = False
) -> list[SourcedCheck]:
    """The checks of one file; a context file has other keys too, and need not have any checks.

    The patterns of a shipped pack are not tried again: our tests do that, and it takes half of the time.
    """
    try:
        entries = _entries(label, text, is_context=is_context)
    except UnreadableError as error:
        raise check_error([Complaint(error.origin, error.text)], _hint(label, error.text)) from None
    tree = Node(entries, f"{label}:1")
    data: Any = plain_data(tree)
    lines = _lines(entries["checks"])
    try:
        checks, details = CheckFile.model_validate(data).checks, []
    except ValidationError as error:
        checks, details = (), error.errors(include_url=False)
    complaints = complaints_about(details, () if is_shipped else _refusals(data, lines), tree, CheckFile)
    if complaints:
        raise check_error(in_order(complaints, [label]))
    return [SourcedCheck(check.rule(label, line), check.examples) for check, line in zip(checks, lines, strict=True)]


def text_in_context(label: str, text: str, key: str) -> tuple[str, str] | None:
    """A text at the top of a context file and where it was written, or None where it says nothing about that."""
    try:
        root = read_yaml(text, lambda line: f"{label}:{line}", LIMITS)
    except UnreadableError as error:
        raise check_error([Complaint(error.origin, error.text)]) from None
    if root is None or not isinstance(root.value, Mapping) or key not in root.value:
        return None
    found = root.value[key]
    if found.value is not None and not isinstance(found.value, str):
        raise check_error([Complaint(found.origin, f"{key} is {described(plain_data(found))}; allowed: a path")])
    return (found.value, found.origin) if found.value else None


def check_error(complaints: list[Complaint], hint: str = "") -> ConfigError:
    """One error about check files that lists every complaint."""
    return config_error(complaints, reason=_WHY + hint, look_again="review-gate checks list")


def _hint(label: str, complaint: str) -> str:
    """Other programs may have a folder of this name too."""
    return _OTHER_FOLDER if complaint == _NOT_A_FILE and label.startswith(PROJECT_FOLDER) else ""


def _entries(label: str, text: str, *, is_context: bool) -> dict[str, Node]:
    """What stands at the top of a file; UnreadableError when it has no list of checks."""
    root = read_yaml(text, lambda line: f"{label}:{line}", LIMITS)
    if root is None:
        root = Node({}, f"{label}:1")
    if not isinstance(root.value, Mapping):
        raise UnreadableError(root.origin, _NOT_A_CONTEXT if is_context else _NOT_A_FILE)
    nothing = Node((), root.origin)
    if is_context:
        return {"checks": _listed(root.value.get("checks", nothing))}
    if "checks" not in root.value:
        raise UnreadableError(root.origin, _NOT_A_FILE)
    return {key: _listed(node) if key == "checks" else node for key, node in root.value.items()}


def _listed(node: Node) -> Node:
    """A list whose lines are all commented out reads as null."""
    return replace(node, value=()) if node.value is None else node


def _lines(checks: Node) -> list[int]:
    """The line of each check."""
    written = checks.value if isinstance(checks.value, tuple) else ()
    return [int(node.origin.rpartition(":")[2]) for node in written]


def _refusals(data: Mapping[str, Any], lines: Sequence[int]) -> Iterator[Refusal]:
    """What the schema cannot judge, as it was written: a wrong value elsewhere hides no mistake."""
    written = data["checks"] if isinstance(data["checks"], list) else []
    mappings = {index: check for index, check in enumerate(written) if isinstance(check, Mapping)}
    yield from _repeated_ids(mappings, lines)
    yield from _taken_ids(mappings)
    for index, check in mappings.items():
        yield from ((("checks", index, *path), reason) for path, reason in _unfit_patterns(check))


def _repeated_ids(checks: Mapping[int, Mapping[str, Any]], lines: Sequence[int]) -> Iterator[Refusal]:
    seen: dict[str, int] = {}
    for index, check in checks.items():
        name = check.get("id")
        if isinstance(name, str) and seen.setdefault(name, index) != index:
            yield ("checks", index, "id"), f"is {quoted(name[:100])}, as in line {lines[seen[name]]}"


def _taken_ids(checks: Mapping[int, Mapping[str, Any]]) -> Iterator[Refusal]:
    """Ids of our own findings, which could not be told from those of a check, nor be suppressed."""
    for index, check in checks.items():
        name = check.get("id")
        if isinstance(name, str) and name in ABOUT:
            yield (
                ("checks", index, "id"),
                f"is {quoted(name)}, as a finding about suppressions is called; allowed: another id",
            )


def _unfit_patterns(check: Mapping[str, Any]) -> Iterator[Refusal]:
    pattern, match_rule, fix = check.get("pattern"), check.get("match_rule", LITERAL), check.get("fix")
    # What is too long or no text at all is refused by the schema.
    if not isinstance(pattern, str) or not 0 < len(pattern) <= MAX_PATTERN:
        return
    reason = unfit_pattern(pattern, match_rule)
    if reason:
        yield ("pattern",), reason
        return
    template = fix.get("with") if isinstance(fix, Mapping) else None
    if match_rule == REGEX and isinstance(template, str) and len(template) <= MAX_TEXT:
        reason = unfit_replacement(pattern, template)
        if reason:
            yield ("fix", "with"), reason
