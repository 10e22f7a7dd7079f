"""Does YAML parse? Asked only in the child process `syntax_answers`: its parser takes long to import."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, StreamMark
from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
)
from ruamel.yaml.reader import ReaderError

from review_gate.reviewers.problem import Problem
from review_gate.reviewers.syntax import DUPLICATE
from review_gate.reviewers.text import capped, located, place_of, split_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from review_gate.reviewers.text import Place

    Fault = tuple[str, Place]

# The time of the pure parser grows faster than the depth (ruamel.yaml 0.19: 3,000 brackets take 7 s).
DEEPEST = 100
WORDS_WITH_A_TYPE = frozenset(("", "y", "n", "yes", "no", "on", "off", "true", "false", "null"))


def problems_in(data: bytes) -> list[Problem]:
    """Why YAML does not parse, and the keys it repeats; nothing is built from it, so aliases and tags do nothing."""
    text = _text(data)
    if text is None:
        return [_problem("this is not YAML: it is neither UTF-8 nor UTF-16 text", (), (None, None))]
    lines = split_lines(text)
    worst_first = sorted(_faults(text), key=lambda fault: fault[0].startswith(DUPLICATE))
    return capped(_problem(message, lines, place) for message, place in worst_first)


def _problem(message: str, lines: Sequence[str], place: Place) -> Problem:
    if message.startswith(DUPLICATE):
        advice = "keep one of them: readers disagree on which one wins, and some refuse the file"
        return located("yaml-duplicate-key", "major", message, lines, place, recommendation=advice)
    advice = "fix it, or list the file under `syntax.exclude` if it is a template"
    return located("syntax-yaml", "critical", message, lines, place, recommendation=advice)


def _text(data: bytes) -> str | None:
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _faults(text: str) -> list[Fault]:
    """What is wrong with a text, by the C parser where there is one: it is some twenty times faster.

    It also refuses valid YAML (libyaml: a URL in a flow list), so its refusals are put to the Python parser.
    """
    faults = list(_faults_by_parser(text, is_pure=False))
    if all(message.startswith(DUPLICATE) for message, _ in faults):
        return faults
    return list(_faults_by_parser(text, is_pure=True))


def _faults_by_parser(text: str, *, is_pure: bool) -> Iterator[Fault]:
    try:
        yield from _faults_of_events(YAML(typ="safe", pure=is_pure).parse(text))
    except MarkedYAMLError as error:
        yield _marked_fault(error)
    except ReaderError as error:
        where = place_of(text, error.position) if isinstance(error.position, int) else (None, None)
        yield f"this is not YAML: {error.reason}", where
    except RecursionError:
        yield "this YAML is too deeply nested", (None, None)
    except Exception as error:  # whatever input does to the parser, the other files still get their answer
        yield f"this is not YAML: the parser failed with {type(error).__name__}", (None, None)


def _marked_fault(error: MarkedYAMLError) -> Fault:
    mark = error.problem_mark or error.context_mark
    fault = error.problem or error.context or "it does not parse"
    if error.context and error.context_mark:
        fault += f", {error.context} that begins in line {error.context_mark.line + 1}"
    return f"this is not YAML: {fault}", _place(mark) if mark else (None, None)


def _place(mark: StreamMark) -> Place:
    return mark.line + 1, mark.column + 1


class _Level:
    """An open collection: the keys of a mapping so far, and whether its next node is a key."""

    __slots__ = ("is_mapping", "keys", "next_is_key")

    def __init__(self, *, is_mapping: bool) -> None:
        self.is_mapping = is_mapping
        self.next_is_key = is_mapping
        self.keys: set[tuple[str, str, bool]] = set()


def _faults_of_events(events: Iterable[Event]) -> Iterator[Fault]:
    levels: list[_Level] = []
    anchors: set[str] = set()
    for event in events:
        if isinstance(event, DocumentStartEvent):
            anchors = set()
        elif isinstance(event, CollectionEndEvent):
            levels.pop()
        elif isinstance(event, NodeEvent):
            if isinstance(event, AliasEvent) and event.anchor not in anchors:
                yield f"this is not YAML: undefined alias *{event.anchor}", _place(event.start_mark)
            anchors.add(event.anchor)
            yield from _repeated_key(event, levels)
        if isinstance(event, CollectionStartEvent):
            levels.append(_Level(is_mapping=isinstance(event, MappingStartEvent)))
        if len(levels) > DEEPEST:
            yield f"this YAML is too deeply nested: more than {DEEPEST} levels", _place(event.start_mark)
            return


def _repeated_key(event: NodeEvent, levels: list[_Level]) -> Iterator[Fault]:
    level = levels[-1] if levels else None
    if level is None or not level.is_mapping:
        return
    is_key, level.next_is_key = level.next_is_key, not level.next_is_key
    if not is_key or not isinstance(event, ScalarEvent) or event.value == "<<":
        return  # a second merge key is widespread and readers merge both
    key = _identity(event)
    if key in level.keys:
        yield f'{DUPLICATE}{event.value[:100]}"', _place(event.start_mark)
    level.keys.add(key)


def _identity(event: ScalarEvent) -> tuple[str, str, bool]:
    """What makes two keys the same: a plain 1 differs from a quoted one, a plain word does not."""
    is_plain = bool(event.implicit[0])
    has_type = event.value[:1] in "0123456789+-.~" or event.value.lower() in WORDS_WITH_A_TYPE
    return event.tag or "", event.value, is_plain and has_type
