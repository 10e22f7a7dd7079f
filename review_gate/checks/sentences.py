"""The sentences of one paragraph, in which nothing can be read that is no prose: code, links, tags."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

# What sentencex does not know; a capital letter after one of them still begins a sentence.
ABBREVIATIONS = frozenset(["approx", "ca", "esp", "excl", "incl", "max", "min", "resp", "std"])
# What a capital letter really follows within a sentence. The others that sentencex knows can be a last word there, and
# many are ordinary words to us: id, art, fed, may, no.
BEFORE_NAMES = frozenset(["a.k.a", "aka", "cf", "e.g", "eg", "i.e", "ie", "n.b", "viz", "vs", "w.r.t"])
TITLES = frozenset(["Capt", "Dr", "Gov", "Lt", "Messrs", "Mr", "Mrs", "Ms", "Mx", "Prof", "Sgt", "St"])
# These stand before a name as well. A fix would leave half of it; for a negation it is worse to miss an end.
OTHER_TITLES = frozenset(["Adm", "Cmdr", "Col", "Ft", "Gen", "Hon", "Maj", "Mt", "Rep", "Rev", "Sen"])
# sentencex can be quadratic in what it is given, so it gets a long paragraph in pieces that overlap.
WINDOW, OVERLAP = 4000, 200

# The full stops of Chinese and Japanese, behind which no blank has to be, and those of other scripts.
WIDE_STOPS = "\u3002\uff01\uff1f\uff61"
FOREIGN_STOPS = "\u0589\u061f\u06d4\u0964\u0965\u104b\u1362\u1367\u17d4\uff0e"
# Signs that look like a full stop, or like two signs in one.
OTHER_STOPS = "\u2024\u203c\u2047\u2048\u2049\ufe52\ufe56\ufe57"
# Stands for a tag behind a stop, in a text that was made readable.
TAG_BEHIND = "\x02"
_CLOSERS = "*_~\"'\u201d\u2019)\\]"
# What may stand between a stop and its blank and belongs to the sentence: notes, entities, pictures, unseen characters.
_NOTE_NUMBERS = "\u00b9\u00b2\u00b3\u2070-\u2079"
_ENTITY = r"&(?:\#\w{1,7}|\w{2,31});"
_MARK = (
    rf"\[\^[^\[\]\s]{{1,40}}\]|\[\d{{1,3}}\]|{_ENTITY}|[{_NOTE_NUMBERS}]"
    rf"|{TAG_BEHIND}|(?![\w\s\u2026{WIDE_STOPS}{FOREIGN_STOPS}{OTHER_STOPS}])[^\x00-\x7f]"
)
# A wide full stop in a number or a name is none.
_STOP = re.compile(
    rf"""(?P<wide>[{WIDE_STOPS}]+|\uff0e(?![\da-z]))(?P<quotes>["'\u2019\u201d)\]\u3009\u300b\u300d\u300f\u3011\uff09]*)"""
    rf"""|(?<![.?!\u2026{FOREIGN_STOPS}{OTHER_STOPS}])(?P<run>[.?!\u2026{FOREIGN_STOPS}{OTHER_STOPS}]++)"""
    rf"""(?P<closers>[{_CLOSERS}]*)(?P<marks>(?:{_MARK}|[{_CLOSERS}]){{0,64}}+)"""
    rf"""(?:(?=\s|$)|(?<={TAG_BEHIND}))"""
)
_ANY_ENTITY = re.compile(_ENTITY)
_STOPS = tuple(f".?!\u2026{WIDE_STOPS}{FOREIGN_STOPS}{OTHER_STOPS}")
# Blanks of Markdown, and unseen ones that end a word.
_BLANK = re.compile(r"&(?:nbsp|ensp|emsp|thinsp|#160|#xa0|#32|#8203);|[\u200b\u2060\ufeff]", re.IGNORECASE)
_WIDE_QUOTATION = re.compile("\u300c[^\u300c\u300d]*\u300d|\u300e[^\u300e\u300f]*\u300f|\uff08[^\uff08\uff09]*\uff09")
# A line end with the blanks and quote marks that the next line begins with; a backslash makes it a hard break.
_BREAK = re.compile(r"\\?(?:\r\n|\r|\n)[ \t>]*")
# A word with a slash in it, such as a path; the backslash of an escape is none.
_ADDRESS = re.compile(rf"(?<![^\s{WIDE_STOPS}])(?:[^\s/\\{WIDE_STOPS}]|\\(?!\w))*+[/\\][^\s{WIDE_STOPS}]*")
# Inches, which are no quotes, and what sentencex refuses.
_NO_PROSE = re.compile('(?<=[0-9])"|[\ud800-\udfff\0]')
# Stops that are judged here: at each of them sentencex would start again.
_JUDGED_HERE = re.compile(rf"[\u2026{WIDE_STOPS}{FOREIGN_STOPS}{OTHER_STOPS}]")
_QUOTE = "\"'`<>()\\[\\]{}\u00ab\u00bb\u02bc\u2018-\u201f\u2039\u203a\u3008-\u3011\uff08\uff09"
_QUOTE_AT_WORD = re.compile(rf"(?<=\w)[{_QUOTE}]+")
_OTHER_QUOTE = re.compile(rf"[{_QUOTE}]")
_LAST_WORD = re.compile(r"\w+\Z")
_DOTTED_WORD = re.compile(r"[\w.]+\Z")
# For sentencex every single letter is an initial; a small one is the name of a variable, and "plan B" is no person.
_NAME = re.compile(r"(?:^|\s)[a-z]\Z")
_LETTER = re.compile(r"\s(?!by\s|and\s)[a-z]+\s+[A-Z]\Z")
_INITIAL = re.compile(r"(?:^|[\s.(])[A-Z]\Z")
_OPENERS = "\"'`(\u00ab\u2018\u201c"


def sentences(text: str, *, cuts_in_doubt: bool) -> list[tuple[int, int]]:
    """The spans of the sentences, without the blanks between them.

    Who cuts in doubt parts what may be two sentences, also in quotations and brackets; who does not keeps what may be
    one, and a quotation whole.
    """
    return _Paragraph(text, cuts_in_doubt).sentences()


class _Paragraph:
    """One paragraph, as it is `seen` on one line; the rest is found out where a stop leaves it open."""

    def __init__(self, text: str, cuts_in_doubt: bool) -> None:
        self.cuts_in_doubt = cuts_in_doubt
        self.seen = _on_one_line(text)
        if not cuts_in_doubt:
            self.seen = _WIDE_QUOTATION.sub(_as_letters, self.seen)

    @cached_property
    def shown(self) -> str:
        """As sentencex gets it."""
        return _shown(self.seen, without_quotes=self.cuts_in_doubt)

    @cached_property
    def starts(self) -> list[int]:
        """Where sentences begin by its opinion."""
        return _starts_by_sentencex(self.shown)

    @cached_property
    def bare(self) -> str:
        """The same without quotes and brackets."""
        return _shown(self.seen, without_quotes=True)

    @cached_property
    def starts_in_bare(self) -> list[int]:
        """Where sentences begin, also within quotations and brackets."""
        return _starts_by_sentencex(self.bare)

    def sentences(self) -> list[tuple[int, int]]:
        spans, start = [], 0
        for stop in _STOP.finditer(self.seen):
            if stop.start() >= start and self._is_end(start, stop):
                spans.append((start, stop.end()))
                start = _next_word(self.seen, stop.end())
        if start < len(self.seen):
            spans.append((start, len(self.seen)))
        return spans or [(0, len(self.seen))]

    def _is_end(self, start: int, stop: re.Match[str]) -> bool:
        run = stop["run"]
        if run is None:
            return self.cuts_in_doubt or not stop["quotes"]
        if run[-1] in FOREIGN_STOPS + OTHER_STOPS or _next_word(self.seen, stop.end()) == len(self.seen):
            return True
        begin = _next_word(self.shown, stop.end())
        follows = self.shown[begin : begin + 1]
        if run.endswith(("..", "\u2026")):
            return self.cuts_in_doubt and not follows.islower()
        if self._goes_on(stop, follows):
            return False
        if _has_one(self.starts, stop.start(), begin):
            return True
        if self.cuts_in_doubt:
            return (follows.isupper() or follows in _OPENERS) and self._may_end(stop.start(), begin)
        return self._is_end_behind(start, stop, begin)

    def _is_end_behind(self, start: int, stop: re.Match[str], begin: int) -> bool:
        """Whether a stop in what sentencex takes for one sentence ends it for a fix: no quotation may be open there."""
        if not _is_closed(self.seen[max(start, stop.end() - WINDOW) : stop.end()]):
            return False
        if _has_one(self.starts_in_bare, stop.start(), _next_word(self.bare, stop.end())):
            # It is no abbreviation but what sentencex takes for a quotation.
            return bool(stop["closers"])
        follows = self.shown[begin : begin + 1]
        return (follows.isupper() or follows in _OPENERS) and self._may_end(stop.start(), begin)

    def _goes_on(self, stop: re.Match[str], follows: str) -> bool:
        """Whether a stop that sentencex may take for an end is none, by the character that follows it."""
        if follows.islower() and stop["closers"] and not (self.cuts_in_doubt and stop["run"][-1] == "."):
            return True
        if not (follows.islower() or follows.isdigit()):
            return False
        word = _LAST_WORD.search(self._before(stop.start()))
        return word is not None and word[0].lower() in ABBREVIATIONS

    def _may_end(self, place: int, begin: int) -> bool:
        """Whether what sentencex takes for an abbreviation can be the last word before a capital letter."""
        before = self._before(place)
        if _NAME.search(before):
            return True
        if _INITIAL.search(before):
            is_letter = _LETTER.search(before) is not None and self.shown[begin + 1 : begin + 2] != "."
            return self.cuts_in_doubt and is_letter
        word = _DOTTED_WORD.search(before)
        return word is not None and word[0] not in self._titles and word[0].lower() not in BEFORE_NAMES

    @property
    def _titles(self) -> frozenset[str]:
        return TITLES if self.cuts_in_doubt else TITLES | OTHER_TITLES

    def _before(self, place: int) -> str:
        return self.seen[max(0, place - 20) : place]


def _has_one(starts: list[int], after: int, until: int) -> bool:
    place = bisect_right(starts, after)
    return place < len(starts) and starts[place] <= until


def _is_closed(piece: str) -> bool:
    """Whether every bracket and quotation that a piece opens is closed in it."""
    pairs = ("()", "[]", "\u201c\u201d", "\u00ab\u00bb")
    return piece.count('"') % 2 == 0 and all(piece.count(pair[0]) == piece.count(pair[1]) for pair in pairs)


def _next_word(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place


def _on_one_line(text: str) -> str:
    """A paragraph on one line, character for character, with nothing in it that only looks like an end."""
    seen = _BREAK.sub(lambda found: " " * len(found[0]), text)
    if "&" in seen:
        seen = _ANY_ENTITY.sub(_with_stop, seen)
    seen = _BLANK.sub(lambda found: " " * len(found[0]), _NO_PROSE.sub("x", seen))
    return _ADDRESS.sub(_without_address, seen) if "/" in seen or "\\" in seen else seen


def _with_stop(entity: re.Match[str]) -> str:
    """An entity, as the stop that it stands for behind a word as long as the rest of it."""
    from html import unescape

    character = unescape(entity[0])
    return "x" * (len(entity[0]) - 1) + character if character in _STOPS else entity[0]


def _as_letters(found: re.Match[str]) -> str:
    return "x" * len(found[0])


def _without_address(word: re.Match[str]) -> str:
    """A path or address as letters; the stop behind it stays."""
    kept = word[0].rstrip(f".?!,;:)]}}\"'*_~\u2026{FOREIGN_STOPS}")
    return "x" * len(kept) + word[0][len(kept) :]


def _shown(seen: str, *, without_quotes: bool) -> str:
    """A paragraph for sentencex: marks of emphasis are blanks, and so are quotes where nothing is kept whole."""
    shown = _JUDGED_HERE.sub("x", _STOP.sub(_without_marks, seen)).replace("*", " ").replace("~", " ")
    if without_quotes:
        return _OTHER_QUOTE.sub(" ", _QUOTE_AT_WORD.sub(_as_letters, shown))
    return shown


def _without_marks(stop: re.Match[str]) -> str:
    marks = len(stop["marks"] or "")
    return stop[0][: len(stop[0]) - marks] + " " * marks


def _starts_by_sentencex(shown: str) -> list[int]:
    """Where sentences begin by the library's opinion, which knows abbreviations, initials and quotations."""
    from sentencex import get_sentence_boundaries  # type: ignore[import-untyped]  # it ships no types

    starts: list[int] = []
    for window in range(0, len(shown), WINDOW):
        low = max(0, window - OVERLAP)
        found = get_sentence_boundaries("en", shown[low : window + WINDOW + OVERLAP])
        places = (low + int(sentence["start_index"]) for sentence in found)
        starts += [place for place in places if window < place <= window + WINDOW]
    return starts
