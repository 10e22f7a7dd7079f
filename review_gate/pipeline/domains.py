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
        self._of_kind: dict[tuple[str, str, frozenset[str]], tuple[str, ...]] = {}

    def domains_of(self, path: str) -> tuple[str, ...]:
        """The domains of one path, in the order of the mappings."""
        folder, _, name = path.rpartition("/")
        own = self._names.more_than_ending(name)
        if self._path_globs:
            own |= _domains(path, self._path_globs)
        kind = folder, _suffix(name), own
        found = self._of_kind.get(kind)
        if found is None:
            domains = self._folder(folder) | self._names.domains_of(name) | own
            found = self._of_kind[kind] = tuple(domain for domain in self._order if domain in domains)
        return found

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
        self._plain: dict[str, frozenset[str]] = {}
        self._endings: dict[str, frozenset[str]] = {}
        others: _Globs = []
        for glob, domain in globs:
            if _SPECIAL.isdisjoint(glob):
                self._plain[glob] = self._plain.get(glob, _NONE) | {domain}
            elif _is_ending(glob):
                ending = glob.removeprefix("*")
                self._endings[ending] = self._endings.get(ending, _NONE) | {domain}
            else:
                others.append((glob, domain))
        self._others = _Candidates(others)

    def domains_of(self, name: str) -> frozenset[str]:
        """The domains that a name belongs to."""
        return self.more_than_ending(name) | self._endings.get(_suffix(name), _NONE)

    def more_than_ending(self, name: str) -> frozenset[str]:
        """Those of them that its ending alone does not tell; most names have none."""
        found = self._plain.get(name, _NONE)
        candidates = self._others.of_name(name)
        return found | _domains(name, candidates) if candidates else found


class _Candidates:
    """Tells quickly which of some globs a name may match: of each a plain part has to be in it."""

    def __init__(self, globs: _Globs) -> None:
        # By the first letter of a beginning, by the last one of an end, or else by what stands between two marks.
        self._by_first: dict[str, list[tuple[str, tuple[str, str]]]] = {}
        self._by_last: dict[str, list[tuple[str, tuple[str, str]]]] = {}
        self._others: _Globs = []
        between: list[str] = []
        for one in globs:
            first, *inner, last = _plain_parts(one[0])
            if first:
                self._by_first.setdefault(first[0], []).append((first, one))
            elif last:
                self._by_last.setdefault(last[-1], []).append((last, one))
            else:
                self._others.append(one)
                between.append(re.escape(max(inner, key=len, default="")))
        self._may_be_other = re.compile("|".join(between) if between else r"(?!)").search

    def of_name(self, name: str) -> _Globs:
        """The globs that are worth a closer look."""
        # Loops: for each of 100,000 names two comprehensions would be as many calls.
        found = self._others.copy() if self._may_be_other(name) else []
        for start, one in self._by_first.get(name[:1], ()):
            if name.startswith(start):
                found.append(one)
        for end, one in self._by_last.get(name[-1:], ()):
            if name.endswith(end):
                found.append(one)
        return found


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
