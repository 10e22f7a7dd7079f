"""Which domains a path belongs to; globs are asked once for each folder and for few names, as a change can be huge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from review_gate.globs import alternatives, matches
from review_gate.pipeline.config_schema import DomainMapping

_BELOW = "/**"
_SPECIAL = frozenset("*?[")
# A name that no pattern for names can mean.
_SOME_FILE = "\0"
_Globs = list[tuple[str, str]]


class DomainIndex:
    """The domains of paths by the globs of the mappings; `domains_of` says the same as `matches`, only faster."""

    def __init__(self, mappings: Sequence[DomainMapping]) -> None:
        self._order = list(dict.fromkeys(mapping.domain for mapping in mappings))
        globs = [(one, mapping.domain) for mapping in mappings for glob in mapping.globs for one in alternatives(glob)]
        # A pattern without a slash may name a folder as well as a file.
        self._folder_globs: _Globs = [one for one in globs if "/" not in one[0] or one[0].endswith(_BELOW)]
        self._path_globs: _Globs = [one for one in globs if "/" in one[0] and not one[0].endswith(_BELOW)]
        names: _Globs = [one for one in globs if "/" not in one[0]]
        self._name_globs: _Globs = [one for one in names if not _is_suffix(one[0])]
        self._suffix_globs: _Globs = [one for one in names if _is_suffix(one[0])]
        self._may_be = _NameFilter([glob for glob, _ in self._name_globs])
        self._of_folder: dict[str, frozenset[str]] = {}
        self._of_kind: dict[tuple[str, str], tuple[str, ...]] = {}

    def domains_of(self, path: str) -> tuple[str, ...]:
        """The domains of one path, in the order of the mappings."""
        folder, _, name = path.rpartition("/")
        if self._path_globs or self._may_be.one_of_these(name):
            return self._ordered(self._folder(folder) | _domains(name, self._name_globs) | self._others(path, name))
        dot = name.rfind(".")
        suffix = name[dot:] if dot >= 0 else ""
        found = self._of_kind.get((folder, suffix))
        if found is None:
            found = self._ordered(self._folder(folder) | _domains(name, self._suffix_globs))
            self._of_kind[folder, suffix] = found
        return found

    def _others(self, path: str, name: str) -> frozenset[str]:
        return _domains(name, self._suffix_globs) | _domains(path, self._path_globs)

    def _ordered(self, domains: frozenset[str]) -> tuple[str, ...]:
        return tuple(domain for domain in self._order if domain in domains)

    def _folder(self, folder: str) -> frozenset[str]:
        found = self._of_folder.get(folder)
        if found is None:
            inside = f"{folder}/{_SOME_FILE}" if folder else _SOME_FILE
            found = self._of_folder[folder] = _domains(inside, self._folder_globs)
        return found


class _NameFilter:
    """Tells quickly that a name matches none of some globs; most names of a change match none."""

    def __init__(self, globs: Sequence[str]) -> None:
        self._names = frozenset(glob for glob in globs if _SPECIAL.isdisjoint(glob))
        # Of any other glob a plain part has to be there: its beginning, its end, or else what is between two marks.
        parts = [_plain_parts(glob) for glob in globs if not _SPECIAL.isdisjoint(glob)]
        self._starts = tuple({first for first, *_ in parts if first})
        self._ends = tuple({last for first, *_, last in parts if last and not first})
        between = [max(inner, key=len, default="") for first, *inner, last in parts if not first and not last]
        self._between = tuple(set(between))

    def one_of_these(self, name: str) -> bool:
        """Whether a name may match."""
        if name in self._names or name.startswith(self._starts) or name.endswith(self._ends):
            return True
        return any(part in name for part in self._between)


def _plain_parts(glob: str) -> list[str]:
    """What stands between the marks of a glob, its first and last part included, which may be empty."""
    return re.split(r"\[[^/]*?\]|[*?]", glob)


def _is_suffix(glob: str) -> bool:
    """Whether a glob asks for nothing but what follows the last dot of a name."""
    rest = glob.removeprefix("*.")
    return rest != glob and bool(rest) and _SPECIAL.isdisjoint(rest) and "." not in rest


def _domains(path: str, globs: Iterable[tuple[str, str]]) -> frozenset[str]:
    return frozenset(domain for glob, domain in globs if matches(path, glob))
