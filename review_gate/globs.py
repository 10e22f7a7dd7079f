"""Path patterns as people write them in ignore files."""

from __future__ import annotations

from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# More than anybody writes; braces within braces multiply.
MOST_ALTERNATIVES = 100


def matches_any(path: str, patterns: Iterable[str]) -> bool:
    """Whether one of the patterns matches."""
    return any(matches(path, pattern) for pattern in patterns)


def matches(path: str, pattern: str) -> bool:
    """`*` and `?` stay within a folder, `**` crosses folders; a pattern without `/` matches at any depth.

    A pattern that names a folder matches everything below it, and `{a,b}` stands for a or b.
    """
    if "{" in pattern:
        return any(_matches(path, one) for one in alternatives(pattern))
    return _matches(path, pattern)


def alternatives(pattern: str) -> list[str]:
    """The patterns that one with braces stands for; braces without a comma in them mean themselves."""
    if "{" not in pattern:
        return [pattern]
    found, done = [pattern], list[str]()
    while found and len(done) + len(found) <= MOST_ALTERNATIVES:
        one = found.pop()
        stops = _innermost(one)
        if not stops:
            done.append(one)
        else:
            words = [one[at + 1 : end] for at, end in pairwise(stops)]
            found += [one[: stops[0]] + word + one[stops[-1] + 1 :] for word in words]
    return [*done, *found]


def _innermost(pattern: str) -> list[int]:
    """Where the first braces with a comma and no braces within have their braces and commas."""
    stops = list[int]()
    for at in marks(pattern, "{,}"):
        if pattern[at] == "{":
            stops = [at]
        elif stops and pattern[at] == ",":
            stops.append(at)
        elif len(stops) > 1:
            return [*stops, at]
        else:
            stops = []
    return []


def marks(pattern: str, letters: str) -> Iterator[int]:
    """Where one of these letters stands for itself or more, and not in a class of characters, such as `[{,]`."""
    at = 0
    while at < len(pattern):
        end = class_end(pattern, at) if pattern[at] == "[" else 0
        if not end and pattern[at] in letters:
            yield at
        at = end or at + 1


def class_end(pattern: str, start: int) -> int:
    """Where the class of characters that starts here is over, 0 if it never is; a ] right at its start is in it."""
    first = start + 2 if is_all_but(pattern, start) else start + 1
    return pattern.find("]", first + 1) + 1


def is_all_but(pattern: str, start: int) -> bool:
    """Whether the class that starts here lists the characters that it is not: `[!ab]`, or `[^ab]` as git has it."""
    return pattern[start + 1 : start + 2] in ("!", "^")


def _matches(path: str, pattern: str) -> bool:
    parts = [part for part in pattern.split("/") if part]
    if not parts:
        return False
    if "/" not in pattern.rstrip("/"):
        parts.insert(0, "**")
    return _match_parts(path.split("/"), parts)


def _match_parts(names: list[str], parts: list[str]) -> bool:
    # Row by row instead of recursion: `**/**/**/…` must not take exponential time.
    reachable = {0}
    for position, part in enumerate(parts, start=1):
        if part == "**":
            # At the end it stands for something below, never for the folder itself.
            reachable = set(range(min(reachable) + (position == len(parts)), len(names) + 1))
        else:
            reachable = {at + 1 for at in reachable if at < len(names) and _match_name(names[at], part)}
        if not reachable:
            return False
    # A pattern used up before the path names one of its folders; `**` at the end needs something below.
    return len(names) in reachable or (parts[-1] != "**" and bool(reachable))


def _match_name(name: str, part: str) -> bool:
    if part == name:
        return True
    if "?" not in part and "[" not in part:
        return "*" in part and _match_stars(name, part)
    return match_classes(name, part)


def match_classes(name: str, pattern: str) -> bool:
    """Whether a name looks like a pattern with `*`, `?` and classes; here `*` and `?` stand for a slash too."""
    # Few patterns have these, and the import takes longer than most commits need for all their patterns.
    from fnmatch import fnmatchcase

    return fnmatchcase(name, _with_exclamation_marks(pattern) if "[^" in pattern else pattern)


def _with_exclamation_marks(pattern: str) -> str:
    """The pattern in the words of the standard library, which knows `[!a]` but takes `[^a]` for a ^ or an a."""
    pieces, done = list[str](), 0
    for at in class_starts(pattern):
        if pattern[at + 1] == "^":
            pieces += [pattern[done : at + 1], "!"]
            done = at + 2
    return "".join([*pieces, pattern[done:]])


def class_starts(pattern: str) -> Iterator[int]:
    """Where a class of characters starts, whether or not it has an end."""
    at = pattern.find("[")
    while at >= 0:
        yield at
        at = pattern.find("[", class_end(pattern, at) or len(pattern))


def _match_stars(name: str, part: str) -> bool:
    """The same for what has stars alone: its pieces follow one another."""
    first, *pieces, last = part.split("*")
    at, end = len(first), len(name) - len(last)
    if at > end or not name.startswith(first) or not name.endswith(last):
        return False
    for piece in pieces:
        at = name.find(piece, at, end)
        if at < 0:
            return False
        at += len(piece)
    return True
