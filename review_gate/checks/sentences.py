"""The sentences of one paragraph, in which only prose is readable: code, links and tags were masked."""

from __future__ import annotations

import re

from review_gate.checks.negation_words import words

# The full stops of Chinese and Japanese, behind which no blank has to be, and those of other scripts.
WIDE_STOPS = "\u3002\uff01\uff1f\uff61"
FOREIGN_STOPS = "\u0589\u061f\u06d4\u0964\u0965\u104b\u1362\u1367\u17d4\uff0e"
# Stands for a tag behind a stop, in a text that was made readable.
TAG_BEHIND = "\x02"

# A name or an example follows these, so their full stop never ends a sentence.
_BEFORE_NAMES = words(
    "a.k.a aka cf e.g eg i.e ie n.b viz vs w.r.t capt dr gov lt messrs mr mrs ms mx prof sgt "
    "adm col gen hon maj mt rep rev sen u.s u.k"
)
# A number or a small letter may follow these; before a capital letter they are the last word.
_ABBREVIATIONS = words(
    "approx art ca ch col ed eq esp est etc ext excl fig figs incl max min no nos op p pp ref resp sec std ver vol"
)
_CLOSERS = "*_~\"'\u201d\u2019)\\]"
# A note ("[^1]", "[12]"), a picture or a tag between the stop and its blank belongs to the sentence.
_NOTE = rf"\[\^?[\w-]{{1,40}}\]|[^\w\s\x00-\x7f]|[\u00b9\u00b2\u00b3\u2070-\u2079]|{TAG_BEHIND}"
_STOP = re.compile(
    rf"""(?P<wide>[{WIDE_STOPS}]+["'\u2019\u201d)\]\u3009\u300b\u300d\u300f\u3011\uff09]*)"""
    rf"""|(?P<run>[.?!\u2026{FOREIGN_STOPS}]+)(?:{_NOTE}|[{_CLOSERS}])*(?:(?=\s|&\w{{2,31}};|$)|(?<={TAG_BEHIND}))"""
)
# A line end with the blanks and quote marks that the next line begins with; a backslash makes it a hard break.
_BREAK = re.compile(r"\\?(?:\r\n|\r|\n)[ \t>]*")
_WORD_BEFORE = re.compile(r"[\w.]*\Z")
_PAIRS = ("()", "[]", "\u201c\u201d", "\u00ab\u00bb", "\u300c\u300d")


def sentences(text: str, *, cuts_in_doubt: bool) -> list[tuple[int, int]]:
    """The spans of the sentences, without the blanks between them.

    A caller that cuts in doubt gets two where there may be two, also in quotations and brackets. One that does not gets
    one where there may be one, and a quotation whole.
    """
    text = _BREAK.sub(lambda found: " " * len(found[0]), text)
    spans, start = [], 0
    for stop in _STOP.finditer(text):
        follows = text[stop.end() :].lstrip()[:1]
        if _is_end(text[start : stop.start()], stop["run"], follows, cuts_in_doubt=cuts_in_doubt) and (
            cuts_in_doubt or _is_closed(text[start : stop.end()])
        ):
            spans.append((start, stop.end()))
            start = len(text) - len(text[stop.end() :].lstrip())
    if start < len(text) or not spans:
        spans.append((start, len(text)))
    return spans


def _is_end(before: str, run: str | None, follows: str, *, cuts_in_doubt: bool) -> bool:
    """Does a stop end its sentence, by the word before it and the character that follows?"""
    if run is None or not follows:
        return True
    if run.endswith(("..", "\u2026")):
        return cuts_in_doubt and not follows.islower()
    if not run.endswith("."):
        return not follows.islower()
    word = _WORD_BEFORE.search(before[-20:])[0]  # type: ignore[index]  # it matches the empty word, too
    if word.lower() in _BEFORE_NAMES:
        return False
    is_initial = len(word) == 1 and word.isupper() and follows.isupper()
    if is_initial and (not cuts_in_doubt or before[:-1].rstrip().endswith((".", "by"))):
        return False
    return not (word.lower() in _ABBREVIATIONS and (follows.islower() or follows.isdigit()))


def _is_closed(piece: str) -> bool:
    """Does a piece close every quotation and bracket that it opens?"""
    return piece.count('"') % 2 == 0 and all(piece.count(pair[0]) == piece.count(pair[1]) for pair in _PAIRS)
