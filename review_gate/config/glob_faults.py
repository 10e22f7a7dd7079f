"""What is wrong with a pattern for paths or branches that cannot mean what was written."""

from __future__ import annotations

import re

from review_gate.globs import MOST_ALTERNATIVES, alternatives

MOST_LETTERS = 300
# Each of them multiplies the ways to match a name.
MOST_STARS = 8
# A class, and what it lists; a ] right at its start is in it.
_CLASS = re.compile(r"\[(?:[!^]|(?![!^]))(\][^\]/]*|[^\]/]+)\]")
_RANGE = re.compile(r"(.)-(.)", re.DOTALL)
_NAMED = re.compile(r"\[:\w*:$")


def path_fault(glob: str) -> str:
    """What follows "which" in a sentence about a path pattern that is wrong, or nothing."""
    return _text_fault(glob) or _fault(glob, vain="matches no file")


def branch_fault(pattern: str) -> str:
    """The same for a pattern of branch names."""
    return _text_fault(pattern) or _fault(pattern, vain="matches no branch")


def _text_fault(glob: str) -> str:
    if not glob.strip():
        return "is empty"
    if not glob.isprintable():
        return "has characters that cannot be seen"
    if any(part.count("*") > MOST_STARS for part in glob.split("/")):
        return f"has more than {MOST_STARS} stars between two slashes"
    return f"has more than {MOST_LETTERS} characters" if len(glob) > MOST_LETTERS else ""


def _fault(glob: str, *, vain: str) -> str:
    ones = alternatives(glob)
    if len(ones) > MOST_ALTERNATIVES:
        return f"stands for more than {MOST_ALTERNATIVES} patterns"
    if any("[" in _CLASS.sub("", one) for one in ones) or (vain.endswith("file") and any(map(_is_vain, ones))):
        return vain
    return _brace_fault(_CLASS.sub("", glob)) or _class_fault(_CLASS.findall(glob))


def _is_vain(glob: str) -> bool:
    """Whether no path of a repository looks like this: what means "all but" elsewhere does not here."""
    parts = [part for part in glob.split("/") if part]
    return "\\" in glob or glob.startswith("!") or not parts or any(part in (".", "..") for part in parts)


def _brace_fault(glob: str) -> str:
    """Braces that shells and editors read in different ways, or not at all, would look for what nobody meant."""
    commas = list[int]()
    for letter in glob:
        if letter == "{":
            commas.append(0)
        elif letter == "," and commas:
            commas[-1] += 1
        elif letter == "}" and not commas:
            return "has a } without a { before it"
        elif letter == "}" and not commas.pop():
            return "has braces without a comma"
    return "has a { without a } after it" if commas else ""


def _class_fault(classes: list[str]) -> str:
    for members in classes:
        # What follows [: is the name of a class to shells, and single letters to us.
        if found := _NAMED.search(members):
            return f"has {found[0]}], a name that is not known here"
        if any(low > high for low, high in _RANGE.findall(members)):
            return "has a range of characters that ends before it starts"
    return ""
