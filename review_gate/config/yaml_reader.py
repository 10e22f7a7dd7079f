"""YAML text to a small tree; hostile text is refused in bounded time."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from ruamel.yaml.reader import ReaderError

from review_gate.config.display import printable, quoted
from review_gate.config.places import MAX_CONFIG_BYTES
from review_gate.config.yaml_tree import Node, UnreadableError, plain_value

# A tag or directive is one event, hence the limits on lines.
MAX_DEPTH = 32
MAX_ALIASES = 50
MAX_DIRECTIVES = 10
# The Python parser reads about 300 kB in a second.
SLOWLY_READ = 500_000

Place = Callable[[int], str]
Event = Any  # ruamel 0.19 declares no attributes on its events

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a text may ask of the parser; `is_fast` takes the C parser where there is one."""

    size: int
    nodes: int
    line: int
    is_fast: bool = False


# ruamel 0.19 takes over 8 s for 256 kB of `[` and 3 s for as many bytes of `|9` scalars; read event by event, it is
# stopped by these limits in well under a second.
CONFIG_LIMITS = Limits(size=MAX_CONFIG_BYTES, nodes=5_000, line=10_000)


class _SyntaxError(UnreadableError):
    """What the parser itself refused."""


def read_yaml(text: str, place: Place, limits: Limits = CONFIG_LIMITS) -> Node | None:
    """The one document in the text, or None when there is nothing in it but comments."""
    _check_size(text, place, limits)
    if limits.is_fast:
        try:
            return _Reader(_events(text, place, is_pure=False), place, limits).document()
        except _SyntaxError:
            # libyaml also refuses valid YAML (a URL in a flow list), and the words of the Python parser are better.
            if len(text) > SLOWLY_READ:
                raise
    return _Reader(_events(text, place, is_pure=True), place, limits).document()


def _check_size(text: str, place: Place, limits: Limits) -> None:
    if len(text.encode("utf-8", "surrogatepass")) > limits.size:
        raise UnreadableError(place(1), f"larger than the {limits.size // 1000} kB allowed")
    lines = text.splitlines()
    longest = max(range(len(lines)), key=lambda index: len(lines[index]), default=0)
    if lines and len(lines[longest]) > limits.line:
        raise UnreadableError(place(longest + 1), f"longer than the {limits.line} characters allowed in a line")
    if sum(line.startswith("%") for line in lines) > MAX_DIRECTIVES:
        raise UnreadableError(place(1), f"more than {MAX_DIRECTIVES} lines that start with %")


def _events(text: str, place: Place, *, is_pure: bool) -> Iterator[Event]:
    line = 1
    try:
        for event in YAML(typ="safe", pure=is_pure).parse(text):
            line = event.start_mark.line + 1
            yield event
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else line
        raise _SyntaxError(place(line), _syntax_message(error, text, line)) from None
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        message = f"not YAML: the character {quoted(_character(error.character))} is not allowed"
        raise _SyntaxError(place(line), message) from None
    except Exception:
        # Any text at all comes here, and for "\\UFFFFFFFF" ruamel 0.19 fails as chr() does: with an OverflowError, on
        # Python 3.13 with a ValueError.
        raise _SyntaxError(place(line), "not YAML: the parser gave up") from None


def _character(found: int | str) -> str:
    return chr(found) if isinstance(found, int) else found


def _syntax_message(error: MarkedYAMLError, text: str, line: int) -> str:
    lines = text.splitlines()
    written = lines[line - 1] if line <= len(lines) else ""
    if "\t" in written[: len(written) - len(written.lstrip())]:
        return "not YAML: indented with a tab; use spaces"
    reason = error.problem or error.context or "it cannot be parsed"
    return f"not YAML: {printable(str(reason))}"


@dataclass(slots=True)
class _Reader:
    events: Iterator[Event]
    place: Place
    limits: Limits
    anchors: dict[str, Node] = field(default_factory=dict)
    nodes: int = 0
    aliases: int = 0

    def document(self) -> Node | None:
        root: Node | None = None
        has_document = False
        for event in self.events:
            if not isinstance(event, DocumentStartEvent):
                continue
            if has_document:
                self._refuse(event, "a second document starts here; one file holds one document")
            has_document = True
            root = self._node(next(self.events), 1)
        return None if root is None or root.value is None else root

    def _node(self, event: Event, depth: int, line: int = 0) -> Node:
        origin = self.place(line or event.start_mark.line + 1)
        if isinstance(event, AliasEvent):
            return self._alias(event, depth, origin)
        if event.tag is not None:
            self._refuse(event, f"the tag {printable(str(event.tag))} is not allowed; write plain values")
        self._count(event, 1)
        self._limit_depth(event, depth)
        node = self._content(event, depth, origin)
        if event.anchor is not None:
            self.anchors[event.anchor] = node
        return node

    def _content(self, event: Event, depth: int, origin: str) -> Node:
        if isinstance(event, MappingStartEvent):
            return _parent(entries := self._entries(depth), entries.values(), origin)
        if isinstance(event, SequenceStartEvent):
            return _parent(items := tuple(self._items(depth)), items, origin)
        self._refuse_halves(event)
        # Only an unquoted scalar has no style; "1" in quotes stays text.
        return Node(event.value if event.style else plain_value(event.value), origin)

    def _items(self, depth: int) -> Iterator[Node]:
        while not isinstance(event := next(self.events), SequenceEndEvent):
            yield self._node(event, depth + 1)

    def _entries(self, depth: int) -> dict[str, Node]:
        entries: dict[str, Node] = {}
        while not isinstance(event := next(self.events), MappingEndEvent):
            key = self._key(event)
            if key in entries:
                self._refuse(event, f"the key {quoted(printable(key))} is there twice")
            entries[key] = self._node(next(self.events), depth + 1, event.start_mark.line + 1)
        return entries

    def _key(self, event: Event) -> str:
        if not isinstance(event, ScalarEvent) or event.tag is not None:
            self._refuse(event, "a key must be plain text")
        if not event.style and not isinstance(plain_value(event.value), str):
            self._refuse(event, f"the key {printable(event.value) or 'null'} is not text; put it in quotes")
        self._refuse_halves(event)
        if event.value == "<<":
            self._refuse(event, "merge keys (<<) are not supported; write the settings out")
        return str(event.value)

    def _alias(self, event: AliasEvent, depth: int, origin: str) -> Node:
        self.aliases += 1
        if self.aliases > MAX_ALIASES:
            self._refuse(event, f"more than {MAX_ALIASES} aliases")
        target = self.anchors.get(event.anchor)
        if target is None:
            self._refuse(event, f"the alias *{printable(event.anchor)} has no finished anchor before it")
        self._count(event, target.weight)
        self._limit_depth(event, depth + target.height - 1)
        return replace(target, origin=origin)

    def _refuse_halves(self, event: Event) -> None:
        # The escape "\\ud800" makes a text that can be neither printed nor handed to a program.
        if _HALF_CHARACTER.search(event.value):
            self._refuse(event, "half of a surrogate pair is not a character")

    def _count(self, event: Event, weight: int) -> None:
        self.nodes += weight
        if self.nodes > self.limits.nodes:
            self._refuse(event, f"more than {self.limits.nodes} values, aliases expanded")

    def _limit_depth(self, event: Event, depth: int) -> None:
        if depth > MAX_DEPTH:
            self._refuse(event, f"nested deeper than {MAX_DEPTH} levels")

    def _refuse(self, event: Event, text: str) -> NoReturn:
        raise UnreadableError(self.place(event.start_mark.line + 1), text)


def _parent(value: tuple[Node, ...] | dict[str, Node], children: Collection[Node], origin: str) -> Node:
    weight = 1 + sum(child.weight for child in children)
    return Node(value, origin, weight, 1 + max((child.height for child in children), default=0))
