"""Parts put into the text of a settings file and taken out of it, every other letter left where it is."""

from __future__ import annotations

import json

from review_gate.registration.document import Node, after_blanks, parse_document

BLANKS = " \t\r\n"
INDENT = "  "


def with_part(text: str, path: tuple[str, ...], value: object, *, key: str | None = None) -> str:
    """The text with a member or an item behind the last one of the container at a path."""
    node = at(text, path)
    opening = "" if key is None else f"{json.dumps(key)}: "
    if "\n" not in text[node.start : node.end] and (node.parts or not _is_tall(text)):
        return _in_line(text, node, opening + json.dumps(value))
    line_end = "\r\n" if "\r\n" in text else "\n"
    gap = line_end + _indent_of_parts(text, node)
    lines = json.dumps(value, indent=_unit(text)).split("\n")
    return _on_lines(text, node, gap + opening + gap.join(lines), line_end + _indent_at(text, node.start))


def without_part(text: str, path: tuple[str, ...], index: int) -> str:
    """The text without one part of the container at a path, and without the comma that it no longer needs."""
    node = at(text, path)
    _, start, inner = node.parts[index]
    comma = after_blanks(text, inner.end)
    if text[comma] == ",":
        return _cut(text[:comma] + text[comma + 1 :], start, inner.end)
    if not index:
        return _cut(text, start, inner.end)
    # The last of several goes with the comma before it.
    comma = after_blanks(text, node.parts[index - 1][2].end)
    return _cut(text[:comma] + text[comma + 1 :], start - 1, inner.end - 1)


def collapsed(text: str, path: tuple[str, ...]) -> str:
    """The text with an empty container that holds only blanks written without them."""
    node = at(text, path)
    inner = text[node.start + 1 : node.end - 1]
    return text if inner.strip(BLANKS) else text[: node.start + 1] + text[node.end - 1 :]


def at(text: str, path: tuple[str, ...]) -> Node:
    """The value at a path of keys, and of numbers of items."""
    node = parse_document(text)
    for step in path:
        found = node.parts[int(step)][2] if isinstance(node.value, list) else node.member(step)
        if found is None:
            raise KeyError(step)
        node = found
    return node


def _in_line(text: str, node: Node, new: str) -> str:
    if not node.parts:
        inner = _before_closer(text, node)
        gap = " " if inner > node.start + 1 else ""
        return text[:inner] + gap + new + text[node.end - 1 :]
    return _behind_the_last(text, node, " " + new)


def _on_lines(text: str, node: Node, new: str, before_closer: str) -> str:
    if not node.parts:
        return text[: _before_closer(text, node)] + new + before_closer + text[node.end - 1 :]
    return _behind_the_last(text, node, new)


def _behind_the_last(text: str, node: Node, new: str) -> str:
    """The comma follows the last part at once, what is new stands behind its comment."""
    last, inner = node.parts[-1][2].end, _before_closer(text, node)
    return text[:last] + "," + text[last:inner] + new + text[inner:]


def _before_closer(text: str, node: Node) -> int:
    return len(text[: node.end - 1].rstrip(BLANKS))


def _cut(text: str, start: int, end: int) -> str:
    """The text without a stretch, and without the lines or the blanks that held nothing else."""
    line = text.rfind("\n", 0, start) + 1
    rest = len(text) - len(text[end:].lstrip(" \t\r"))
    is_first = line > 0 and not text[line:start].strip(BLANKS)
    if is_first and text[rest] == "\n":
        return text[:line] + text[rest + 1 :]
    if not is_first and text[rest] in "]}":
        return text[:start].rstrip(" \t") + text[end:]
    return text[:start] + text[rest:]


def _is_tall(text: str) -> bool:
    """Whether the document has its parts on lines of their own; one without parts may have them so."""
    root = parse_document(text)
    return not root.parts or "\n" in text[root.start : root.end]


def _unit(text: str) -> str:
    """By how much this document indents."""
    root = parse_document(text)
    for _, start, _ in root.parts:
        indent = _indent_at(text, start)
        if indent and _starts_line(text, start):
            return indent
    return INDENT


def _indent_of_parts(text: str, node: Node) -> str:
    for _, start, _ in reversed(node.parts):
        if _starts_line(text, start):
            return _indent_at(text, start)
    return _indent_at(text, node.start) + _unit(text)


def _indent_at(text: str, position: int) -> str:
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _starts_line(text: str, position: int) -> bool:
    start = text.rfind("\n", 0, position) + 1
    return start > 0 and not text[start:position].strip(" \t")
