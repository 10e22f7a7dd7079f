"""Path patterns as people write them in ignore files."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

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
    found, done = [pattern], list[str]()
    while found and len(done) + len(found) <= MOST_ALTERNATIVES:
        one = found.pop()
        inner = _innermost(one)
        if inner is None:
            done.append(one)
        else:
            start, end = inner
            found += [one[:start] + word + one[end:] for word in one[start + 1 : end - 1].split(",")]
    return [*done, *found]


def _innermost(pattern: str) -> tuple[int, int] | None:
    """Start and end of the first braces with a comma and no braces within."""
    start = -1
    for at, letter in enumerate(pattern):
        if letter == "{":
            start = at
        elif letter == "}" and start >= 0:
            if "," in pattern[start:at]:
                return start, at + 1
            start = -1
    return None


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
    # Few patterns have these, and the import takes longer than most commits need for all their patterns.
    from fnmatch import fnmatchcase

    return fnmatchcase(name, part)


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


def matches_nothing(glob: str) -> bool:
    """Whether no path of a repository looks like this: what means a folder or "all but" elsewhere does not here."""
    parts = [part for part in glob.split("/") if part]
    is_foreign = "\\" in glob or glob.startswith("!")
    return is_foreign or not parts or any(part in (".", "..") or _has_open_bracket(part) for part in parts)


def _has_open_bracket(part: str) -> bool:
    """Whether a class of characters has no end; a ] right at its start belongs to it."""
    at = part.find("[")
    while at >= 0:
        first = at + 2 if part[at + 1 : at + 2] == "!" else at + 1
        end = part.find("]", first + 1)
        if end < 0:
            return True
        at = part.find("[", end)
    return False
