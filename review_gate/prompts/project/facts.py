"""What one file of a project says about it, and how what several files say is put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from review_gate.models import Frozen
from review_gate.reviewers.text import visible

LONGEST_NAME = 100


class UnreadableManifestError(Exception):
    """A file that is not what its name says; the message says why."""


class Facts(Frozen):
    """What is known about a project, as far as one of its files says it; empty is not said."""

    name: str = ""
    stack: tuple[str, ...] = ()
    test_framework: str = ""
    build_tool: str = ""
    # The oldest language that the code has to run as, such as es2022.
    language_target: str = ""


def together(facts: Sequence[Facts]) -> Facts:
    """All that several files say; of names and tools, what the first one says that says any."""
    tool = _first(one.build_tool for one in facts)
    target = _first(one.language_target for one in facts)
    stack = [part for one in facts for part in one.stack]
    # The build tools of all files belong to the stack, and what is compiled to comes last.
    tools = [one.build_tool for one in facts]
    return Facts(
        name=_first(one.name for one in facts),
        stack=tuple(part for part in dict.fromkeys([*_specific_first(stack), *tools, target]) if part),
        test_framework=_first(one.test_framework for one in facts),
        build_tool=tool,
        language_target=target,
    )


def _first(words: Iterable[str]) -> str:
    return next((word for word in words if word), "")


def _specific_first(stack: list[str]) -> list[str]:
    """TypeScript before the Node.js that it runs on, whichever file was read first."""
    return sorted(stack, key=lambda part: part != "typescript")


def plain_name(text: object) -> str:
    """A name from a file as one short line, empty where it is none."""
    return visible(" ".join(text.split()))[:LONGEST_NAME] if isinstance(text, str) else ""


def mapping(document: object, *path: str) -> Mapping[str, object]:
    """The mapping at a path of keys in a document, an empty one where there is none."""
    for key in path:
        document = document.get(key) if isinstance(document, dict) else None
    return document if isinstance(document, dict) else {}


def words(document: object) -> list[str]:
    """The texts in a list, none where it is no list."""
    return [one for one in document if isinstance(one, str)] if isinstance(document, list) else []


def known(names: Iterable[str], table: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """What a table knows some packages by, in the order of the table."""
    present = set(names)
    return tuple(dict.fromkeys(part for name, parts in table.items() if name in present for part in parts))
