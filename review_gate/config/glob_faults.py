"""What is wrong with a pattern for paths or branches that cannot mean what was written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from review_gate.globs import MOST_ALTERNATIVES, alternatives, class_end, class_starts, is_all_but, marks

MOST_LETTERS = 300
BROAD = f"stands for more than {MOST_ALTERNATIVES} patterns"


def path_fault(glob: str) -> str:
    """What follows "which" in a sentence about a path pattern that is wrong, or nothing."""
    return _text_fault(glob) or _fault(glob, _matches_nothing, "matches no file")


def branch_fault(pattern: str) -> str:
    """The same for a pattern of branch names, whose classes may hold a slash."""
    return _text_fault(pattern) or _fault(pattern, _has_open_class, "matches no branch")


def _text_fault(glob: str) -> str:
    if not glob.strip():
        return "is empty"
    if not glob.isprintable():
        return "has characters that cannot be seen"
    return f"has more than {MOST_LETTERS} characters" if len(glob) > MOST_LETTERS else ""


def _fault(glob: str, is_vain: Callable[[str], bool], vain: str) -> str:
    ones = alternatives(glob)
    if len(ones) > MOST_ALTERNATIVES:
        return BROAD
    if any(map(is_vain, ones)):
        return vain
    return _brace_fault(glob) or _class_fault(ones)


def _brace_fault(glob: str) -> str:
    """Braces that shells and editors read in different ways, or not at all, would look for what nobody meant."""
    commas = list[int]()
    for at in marks(glob, "{,}"):
        if glob[at] == "{":
            commas.append(0)
        elif glob[at] == "," and commas:
            commas[-1] += 1
        elif glob[at] == "}" and not commas:
            return "has a } without a { before it"
        elif glob[at] == "}" and not commas.pop():
            return "has braces without a comma"
    return "has a { without a } after it" if commas else ""


def _class_fault(patterns: Iterable[str]) -> str:
    for members in (members for pattern in patterns for members in _classes(pattern)):
        if _has_empty_range(members):
            return "has a range of characters that ends before it starts"
        # What follows [: is the name of a class to git and shells, and single letters to us.
        if members.endswith(":") and "[:" in members[:-2]:
            return f"has {members[members.index('[:') :]}], a name that is not known here"
    return ""


def _classes(pattern: str) -> Iterator[str]:
    for start in class_starts(pattern):
        yield pattern[start + 1 + is_all_but(pattern, start) : class_end(pattern, start) - 1]


def _has_empty_range(members: str) -> bool:
    at = members.find("-", 1)
    while 0 < at < len(members) - 1:
        if members[at - 1] > members[at + 1]:
            return True
        # A hyphen right after a range stands for itself.
        at = members.find("-", at + 3)
    return False


def _matches_nothing(glob: str) -> bool:
    """Whether no path of a repository looks like this: what means a folder or "all but" elsewhere does not here."""
    parts = [part for part in glob.split("/") if part]
    is_foreign = "\\" in glob or glob.startswith("!")
    return is_foreign or not parts or any(part in (".", "..") or _has_open_class(part) for part in parts)


def _has_open_class(part: str) -> bool:
    return any(not class_end(part, start) for start in class_starts(part))
