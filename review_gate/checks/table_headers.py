"""What the header of a table says of its first column: that it must not be written, that it may, or neither."""

from __future__ import annotations

import re

IF_YOU_WRITE = "if you write"
# A column of one of these names holds patterns, whatever is written in it.
_PATTERNS = re.compile(rf"{IF_YOU_WRITE}|old|(?:.* )?(?:anti)?patterns?(?: .*)?")
# Words for what must not be written. Where they stand matters for "Use instead of …", which is the other column.
_BANNED = re.compile(
    rf"\b(?:{IF_YOU_WRITE}|old|deprecated|legacy|obsolete|outdated|bad|wrong|incorrect|unwanted|avoid(?:ed)?|banned"
    r"|forbidden|prohibited|disallowed|discouraged|never|don't|dont|mustn't|shouldn't"
    r"|(?:do|must|should|may) not|not (?:allowed|permitted|recommended))\b|^(?:instead of|rather than)\b"
)
# Nothing more than this word: what is run before a commit is no ban.
_BEFORE, _AFTER = "before", ("after", "now", "new")
_OLD = re.compile(r"\b(?:old|deprecated|legacy|obsolete|outdated|before)\b|^(?:instead of|rather than)\b")
_NEW = re.compile(r"\b(?:new|replacement|instead|use|after|now|modern)\b")
_ALLOWED = re.compile(
    r"\b(?:allowed|approved|permitted|preferred|prefer|recommended|good|right|correct|valid|safe|use|do|always|new"
    r"|replacement|instead|after)\b"
)
# What is looked up or run. A second column of reasons may still speak against it.
_LOOKED_UP = re.compile(r"(?:.* )?(?:(?:file|folder|path|command|option|flag|setting|variable)s?|director(?:y|ies))")
_AGAINST = re.compile(r"\b(?:why|reasons?|because|stop|problems?|risks?|issues?|instead|replacement)\b")
_EXPLAINED = re.compile(r"(?:what (?:it|this) )?(?:means|does|holds|contains)|(?:.* )?(?:meaning|purpose)")
_SHORTCODE = re.compile(r":[a-z0-9_+-]+:")
_NO_WORD = re.compile(r"(?:[^\w']|_)+")


def words(text: str) -> str:
    """The words of a text in small letters: capitals, marks, dots and emoji do not matter."""
    plain = _SHORTCODE.sub(" ", text.casefold().replace("\u2019", "'"))
    return _NO_WORD.sub(" ", plain).strip()


def names_patterns(title: str) -> bool:
    """Whether a column is said to hold patterns, whatever is written in it."""
    return bool(_PATTERNS.fullmatch(title))


def bans(title: str, second: str = "") -> bool:
    """Whether a column is said to hold what must not be written; "Before" says so beside "After" alone."""
    return bool(_BANNED.search(title)) or (title == _BEFORE and second in _AFTER)


def allows(title: str, second: str) -> bool:
    """Whether the code in a first column is said to be allowed, or only to be explained."""
    if _ALLOWED.search(title) or _EXPLAINED.fullmatch(second):
        return True
    return bool(_LOOKED_UP.fullmatch(title)) and not _AGAINST.search(second)


def tells_replacement(title: str, second: str) -> bool:
    """Whether the second column says what to write in place of the first."""
    return bool(_OLD.search(title) and _NEW.search(second))
