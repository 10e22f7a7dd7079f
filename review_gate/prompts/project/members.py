"""Which folders a project of several parts names as its parts: their manifests say what it is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import islice

from review_gate.prompts.project.facts import UnreadableManifestError, mapping, words
from review_gate.prompts.project.json_comments import json_object
from review_gate.prompts.project.toml_document import toml_document

PNPM = "pnpm-workspace.yaml"
_ANY_DEPTH = "**"
# Each is held against every folder.
MOST_GLOBS, LONGEST_GLOB = 100, 200


def member_folders(texts: Mapping[str, str], paths: Iterable[str]) -> tuple[str, ...]:
    """The folders among some paths that the manifests at the top name, with / at their ends."""
    named = (glob for name in _NAMED_IN for glob in _globs(name, texts) if len(glob) <= LONGEST_GLOB)
    globs = [glob.strip().removeprefix("./").rstrip("/") for glob in islice(named, MOST_GLOBS)]
    wanted = [glob for glob in globs if glob and not glob.startswith("!")]
    unwanted = [glob[1:].removeprefix("./") for glob in globs if glob.startswith("!")]
    folders = (path for path in paths if path.endswith("/"))
    return tuple(path for path in folders if _is_of(path, wanted) and not _is_of(path, unwanted))


def _globs(name: str, texts: Mapping[str, str]) -> list[str]:
    """What a manifest names; one that cannot be read is told of where it is read for its facts."""
    try:
        return _NAMED_IN[name](texts[name]) if name in texts else []
    except UnreadableManifestError:
        return []


def _of_npm(text: str) -> list[str]:
    document = json_object(text)
    # Yarn has them one level deeper, beside other settings.
    return words(document.get("workspaces")) or words(mapping(document, "workspaces").get("packages"))


def _of_pnpm(text: str) -> list[str]:
    return list(_items_below("packages:", text))


def _of_cargo(text: str) -> list[str]:
    return words(mapping(toml_document(text), "workspace").get("members"))


def _of_uv(text: str) -> list[str]:
    return words(mapping(toml_document(text), "tool", "uv", "workspace").get("members"))


_NAMED_IN: Mapping[str, Callable[[str], list[str]]] = {
    "package.json": _of_npm,
    PNPM: _of_pnpm,
    "Cargo.toml": _of_cargo,
    "pyproject.toml": _of_uv,
}


def _items_below(key: str, text: str) -> Iterator[str]:
    """The items of one list of words at the top of a YAML file, which needs no parser for that."""
    is_inside = False
    for line in text.splitlines():
        item = line.strip()
        if item.startswith("- ") and is_inside:
            yield item[2:].partition(" #")[0].strip().strip("\"'")
        elif item and not item.startswith("#"):
            is_inside = item.partition(" #")[0].rstrip() == key


def _is_of(path: str, globs: Iterable[str]) -> bool:
    return any(_matches(path.rstrip("/").split("/"), glob.split("/")) for glob in globs)


def _matches(folders: list[str], globs: list[str]) -> bool:
    """Part by part, as a * of a workspace stays in one folder; a ** at the end is the folder and all below."""
    if globs[-1] == _ANY_DEPTH:
        globs = [*globs[:-1], *"*" * (len(folders) - len(globs) + 1)]
    return len(folders) == len(globs) and all(map(fnmatchcase, folders, globs))
