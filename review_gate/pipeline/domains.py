"""Which domains a path belongs to; globs are asked once for each folder and for few names, as a change can be huge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from review_gate.globs import alternatives, matches
from review_gate.pipeline.config_schema import DomainMapping

_BELOW, _ANYWHERE = "/**", "**/"
_SPECIAL = frozenset("*?[")
# A name that no pattern for names can mean.
_SOME_FILE = "\0"
_NONE: frozenset[str] = frozenset()
_Globs = list[tuple[str, str]]


class DomainIndex:
    """The domains of paths by the globs of the mappings; `domains_of` says the same as `matches`, only faster."""

    def __init__(self, mappings: Sequence[DomainMapping]) -> None:
        self._order = list(dict.fromkeys(mapping.domain for mapping in mappings))
        globs = [(one, mapping.domain) for mapping in mappings for glob in mapping.globs for one in alternatives(glob)]
        # A pattern without a slash may name a folder as well as a file, and `**/name/**` any folder of that name.
        names: _Globs = [one for one in globs if "/" not in one[0]]
        folders = [(_folder_name(glob), domain) for glob, domain in globs]
        self._names = _Names(names)
        self._folder_names = _Names([*names, *(one for one in folders if one[0])])
        paths: _Globs = [one for one in globs if "/" in one[0] and not _folder_name(one[0])]
        self._below_globs: _Globs = [one for one in paths if one[0].endswith(_BELOW)]
        self._path_globs: _Globs = [one for one in paths if not one[0].endswith(_BELOW)]
        self._of_folder: dict[str, frozenset[str]] = {"": _domains(_SOME_FILE, self._below_globs)}
        self._of_kind: dict[tuple[str, str], tuple[str, ...]] = {}

    def domains_of(self, path: str) -> tuple[str, ...]:
        """The domains of one path, in the order of the mappings."""
        folder, _, name = path.rpartition("/")
        if self._path_globs or self._names.is_special(name):
            of_path = _domains(path, self._path_globs)
            return self._ordered(self._folder(folder) | self._names.domains_of(name) | of_path)
        kind = folder, _suffix(name)
        found = self._of_kind.get(kind)
        if found is None:
            found = self._of_kind[kind] = self._ordered(self._folder(folder) | self._names.domains_of(name))
        return found

    def _ordered(self, domains: frozenset[str]) -> tuple[str, ...]:
        return tuple(domain for domain in self._order if domain in domains)

    def _folder(self, folder: str) -> frozenset[str]:
        """The domains of whatever lies in a folder."""
        found = self._of_folder.get(folder)
        if found is None:
            parent, _, name = folder.rpartition("/")
            below = _domains(f"{folder}/{_SOME_FILE}", self._below_globs)
            found = self._folder(parent) | self._folder_names.domains_of(name) | below
            self._of_folder[folder] = found
        return found


class _Names:
    """What globs without a slash say of one name; most of them are plain names or endings, which are looked up."""

    def __init__(self, globs: _Globs) -> None:
        self._plain: dict[str, set[str]] = {}
        self._endings: dict[str, set[str]] = {}
        self._others: _Globs = []
        for glob, domain in globs:
            if _SPECIAL.isdisjoint(glob):
                self._plain.setdefault(glob, set()).add(domain)
            elif _is_ending(glob):
                self._endings.setdefault(glob.removeprefix("*"), set()).add(domain)
            else:
                self._others.append((glob, domain))
        self._may_be = _NameFilter([glob for glob, _ in self._others])

    def is_special(self, name: str) -> bool:
        """Whether more than the ending of a name may count."""
        return name in self._plain or self._may_be.one_of_these(name)

    def domains_of(self, name: str) -> frozenset[str]:
        """The domains that a name belongs to."""
        found = _NONE.union(self._plain.get(name, ()), self._endings.get(_suffix(name), ()))
        return found | _domains(name, self._others) if self._may_be.one_of_these(name) else found


class _NameFilter:
    """Tells quickly that a name matches none of some globs; most names of a change match none."""

    def __init__(self, globs: Sequence[str]) -> None:
        # Of each glob a plain part has to be there: its beginning, its end, or else what is between two marks.
        parts = [_plain_parts(glob) for glob in globs]
        self._starts = tuple({first for first, *_ in parts if first})
        self._ends = tuple({last for first, *_, last in parts if last and not first})
        between = [max(inner, key=len, default="") for first, *inner, last in parts if not first and not last]
        self._between = tuple(set(between))

    def one_of_these(self, name: str) -> bool:
        """Whether a name may match."""
        if name.startswith(self._starts) or name.endswith(self._ends):
            return True
        return any(part in name for part in self._between)


def _plain_parts(glob: str) -> list[str]:
    """What stands between the marks of a glob, its first and last part included, which may be empty."""
    return re.split(r"\[[^/]*?\]|[*?]", glob)


def _suffix(name: str) -> str:
    """The last dot of a name and what follows it."""
    dot = name.rfind(".")
    return name[dot:] if dot >= 0 else ""


def _folder_name(glob: str) -> str:
    """The name of the folders below which a glob means everything, nothing where it means something else."""
    is_of_folders = glob.startswith(_ANYWHERE) and glob.endswith(_BELOW)
    name = glob[len(_ANYWHERE) : -len(_BELOW)] if is_of_folders else ""
    return "" if "/" in name or name == "**" else name


def _is_ending(glob: str) -> bool:
    """Whether a glob asks for nothing but what follows the last dot of a name."""
    rest = glob.removeprefix("*.")
    return rest != glob and bool(rest) and _SPECIAL.isdisjoint(rest) and "." not in rest


def _domains(path: str, globs: Iterable[tuple[str, str]]) -> frozenset[str]:
    return frozenset(domain for glob, domain in globs if matches(path, glob))
