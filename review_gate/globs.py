"""Path patterns as .gitignore has them, and with braces; the package pathspec says what each means."""

from __future__ import annotations

from review_gate.packages import see_package

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Mapping

# More than anybody writes; braces within braces multiply.
MOST_ALTERNATIVES = 100
# In a class such as `[{]` a brace is a letter.
_CLASS = r"\[(?:[!^]|(?![!^]))(?:\][^\]/]*|[^\]/]+)\]"
# Innermost braces, and what is between their commas.
_BRACES = rf"(?:{_CLASS})|(\{{(?:{_CLASS}|[^{{}}\[])*?\}})"
_WORD = rf"((?:{_CLASS}|[^,])*)(?:,|$)"
# Globs and the regexes that they stand for; the import of pathspec takes longer than a commit hook has.
_KNOWN: dict[str, str] = {}
_LITERALS: dict[tuple[str, ...], list[tuple[str, str]]] = {}
_COMPILED: dict[tuple[str, ...], re.Pattern[str]] = {}


def matches_any(path: str, patterns: Iterable[str]) -> bool:
    """Whether one of the patterns matches.

    `*` and `?` stay within a folder, `**` crosses folders; a pattern without `/` matches at any depth. One that names a
    folder matches everything below it, and `{a,b}` stands for a or b.
    """
    patterns = tuple(patterns)
    if patterns not in _LITERALS:
        _LITERALS[patterns] = [(_literal(one), one) for one in _plain(patterns)]
    # To compile a pattern takes a thousand times as long as to see that its letters are not in the path.
    wanted = tuple(one for literal, one in _LITERALS[patterns] if literal in path)
    return bool(wanted) and _compiled(wanted).match(path) is not None


def know(regexes: Mapping[str, str]) -> None:
    """Remember what globs stand for, as `regexes_of` said."""
    _KNOWN.update(regexes)


def regexes_of(globs: Iterable[str]) -> dict[str, str]:
    """What globs stand for."""
    return {glob: _regex(glob) for glob in _plain(globs)}


def _plain(globs: Iterable[str]) -> list[str]:
    """Globs without braces."""
    return [one for glob in globs for one in alternatives(glob)[:MOST_ALTERNATIVES]]


def _literal(glob: str) -> str:
    """The longest text in every path that a glob matches; what comes behind a bracket is left out."""
    plain = glob.partition("[")[0].partition("\\")[0]
    return max(plain.replace("?", "*").split("*"), key=len).strip("/")


def _compiled(globs: tuple[str, ...]) -> re.Pattern[str]:
    if globs not in _COMPILED:
        # Here and not above: a commit hook that asks about no glob does not pay for the import.
        import re
        import warnings

        with warnings.catch_warnings():
            # A [ in a class is a letter, whatever a later Python may read there.
            warnings.simplefilter("ignore")
            _COMPILED[globs] = re.compile("|".join(map(_regex, globs)), re.DOTALL)
    return _COMPILED[globs]


def _regex(glob: str) -> str:
    if glob not in _KNOWN:
        see_package("pathspec")
        from pathspec.patterns.gitignore.basic import GitIgnoreBasicPattern

        # A # at the start would be a comment, a ! the opposite.
        escaped = f"\\{glob}" if glob.startswith(("#", "!")) else glob
        _KNOWN[glob] = (GitIgnoreBasicPattern.pattern_to_regex(escaped)[0] if glob.strip("/") else None) or "(?!)"
    return _KNOWN[glob]


def alternatives(pattern: str) -> list[str]:
    """The patterns that one with braces stands for; braces without a comma in them mean themselves."""
    if "{" not in pattern:
        return [pattern]
    import re

    found, done = [pattern], list[str]()
    while found and len(done) + len(found) <= MOST_ALTERNATIVES:
        one = found.pop()
        braces = ((match, re.findall(_WORD, match[1][1:-1])) for match in re.finditer(_BRACES, one) if match[1])
        # The last word found is what is left at the end: nothing.
        first = next(((match, words) for match, words in braces if "," in re.sub(_CLASS, "", match[1])), None)
        if first is None:
            done.append(one)
        else:
            match, words = first
            found += [one[: match.start()] + word + one[match.end() :] for word in _without_end(words, match[1])]
    return [*done, *found]


def _without_end(words: list[str], braces: str) -> list[str]:
    """The words between commas; after the last one without a comma a search finds another, empty one."""
    return words if braces.endswith(",}") else words[:-1]
