"""What surrounds a match: its sentence, and whether it stands in code, in a comment or in prose."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from itertools import pairwise

from review_gate.checks.comments import COMMENT_TOKEN, DOCSTRING_TOKEN, DOUBTFUL_TOKEN, STRING_TOKEN, marked_spans
from review_gate.checks.languages import MARKDOWN, TEXT, language_of_fence
from review_gate.checks.markdown_layout import (
    CODE_BLOCK,
    CODE_SPAN,
    COMMENT,
    WORDS,
    Layout,
    layout_of,
    without_entities,
)
from review_gate.checks.negation_words import might_negate
from review_gate.checks.plain_text import blocks_of_plain_text, code_in_plain_text, line_starts
from review_gate.checks.rule import CODE, COMMENTS, PROSE
from review_gate.checks.sentences import sentences
from review_gate.checks.source_parts import LEXED, SourceParts, parts_of, unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Span = tuple[int, int]

# The part of a match that nobody can be sure of: every check applies there.
ANY_PART = ""
# A Markdown or plain text larger than this is not taken apart: its sentences are its lines, its part is any.
MAX_PROSE = 1_000_000
# Behind so much code in the blocks of a Markdown text nothing in a block is read, so nothing there negates a match.
MAX_FENCED = 64_000
# Words farther away than this from a match say nothing about it.
REACH = 2_000
# How much of a long block is cut into sentences at a time.
_AT_ONCE = 8_000
_LONE_SURROGATES = re.compile("[\ud800-\udfff]")
# Code before a match in the same span is one word with it.
_NO_TICK = re.compile("[^`]")
_OPENS_COMMENT = re.compile(r"(?<!\S)(?:[#;%]|//|--|/\*|<!--|\{[-#]|\(\*|<#|\.\. |[Rr][Ee][Mm] |\* )")
_SINGLE_QUOTE = re.compile(r"(?<!\w)'(?=\S)|(?<=\S)'(?!\w)")
_FENCE_BELOW = re.compile(r"(?m)^[ \t]*[`~]{3,}\s*\Z")
_QUOTE_MARKS = re.compile(r"^[ \t>]*>", re.MULTILINE)
_FENCE = re.compile(r"[`~]{3,}[ \t]*([^\s`{},]+)")
_PART_OF_STRETCH = {CODE_SPAN: CODE, CODE_BLOCK: CODE, COMMENT: COMMENTS}
_PART_OF_TOKEN = {COMMENT_TOKEN: COMMENTS, DOCSTRING_TOKEN: COMMENTS, DOUBTFUL_TOKEN: ANY_PART}


def structure_of(text: str, language: str, *, cuts_in_doubt: bool = True) -> Structure:
    """The structure of a text; nothing is computed before it is asked for, and nothing twice."""
    return Structure(text, language, cuts_in_doubt=cuts_in_doubt)


class Structure:
    """The structure of one text; all offsets are characters of the text as given.

    `cuts_in_doubt` says whether a stop that may be part of an abbreviation ends a sentence.
    """

    def __init__(self, text: str, language: str, *, cuts_in_doubt: bool = True) -> None:
        self.text = _LONE_SURROGATES.sub("\ufffd", text)
        self._language = language
        self._cuts_in_doubt = cuts_in_doubt
        self._is_prose = language in (MARKDOWN, TEXT)
        self._is_too_large = self._is_prose and len(text) > MAX_PROSE
        self._sentences: dict[Span, list[Span]] = {}
        self._trimmed_lines: dict[Span, Span] = {}
        self._negating: dict[Span, bool] = {}
        self._masked_windows: dict[int, str] = {}
        self._fenced: dict[Span, SourceParts | None] = {}
        self._fenced_length = 0

    def sentence_at(self, start: int, end: int) -> Span:
        """The sentence that holds a match, without the blanks around it; a match in two sentences gets both."""
        first = self._piece_at(start)
        last = first if end <= first[1] else self._piece_at(max(start, end - 1))
        return min(first[0], start), max(last[1], end)

    def part_at(self, start: int) -> str:
        """CODE, COMMENTS or PROSE; ANY_PART where that is not known."""
        if self._is_too_large:
            return ANY_PART
        if self._language == MARKDOWN:
            stretch = self._layout.stretch_at(start)
            return _PART_OF_STRETCH.get(stretch[2], PROSE) if stretch else PROSE
        if self._language == TEXT:
            return PROSE
        if self._language not in LEXED:
            return ANY_PART if _may_be_comment(self.text, start) else CODE
        return _PART_OF_TOKEN.get(self._parts.kind_at(start), CODE)

    def is_in(self, start: int, parts: Sequence[str]) -> bool:
        """Whether a match belongs to one of some parts; no parts are all parts."""
        return not parts or self.part_at(start) in (ANY_PART, *parts)

    def is_in_comment(self, start: int) -> bool:
        """Whether a place behind the mark of a comment is in a comment, and not in a string or a docstring."""
        if self._language == MARKDOWN:
            return self.part_at(start) == COMMENTS
        if self._language not in LEXED:
            return not _is_quoted(self.text, start)
        kind = self._parts.kind_at(start)
        # Where a grammar found an error, a string that nothing closes may go on here.
        return kind == COMMENT_TOKEN or (kind == DOUBTFUL_TOKEN and self._marked_parts.kind_at(start) != STRING_TOKEN)

    def reach(self, start: int, end: int) -> Span:
        """The sentence of a match, or as much of it as is near enough to say something about the match."""
        first, last = self.sentence_at(start, end)
        return max(first, start - REACH), min(last, end + REACH)

    def might_negate(self, start: int, end: int) -> bool:
        """A quick look: False where nothing in the sentence of a match could reject anything."""
        sentence = self.sentence_at(start, end)
        if sentence not in self._negating:
            self._negating[sentence] = might_negate(self.text[slice(*sentence)])
        return self._negating[sentence]

    def masked_sentence(self, start: int, end: int) -> tuple[str, int, int]:
        """The sentence of a match with only its prose readable, and where the match is in it.

        Code spans, addresses and, in source code, all but the comment or string that may speak of the match are X or
        blanks of the same length, and so is what Markdown strikes out or hides; the match is left. What is out of REACH
        is cut off. Entities of Markdown are the characters that they stand for.
        """
        first, last = self.reach(start, end)
        masked = self._masked_but((start, end), first, last)
        if "&" not in masked or self._language != MARKDOWN or self.part_at(start) != PROSE:
            return masked, start - first, end - first
        match = masked[start - first : end - first]
        before, after = without_entities(masked[: start - first]), without_entities(masked[end - first :])
        return before + match + after, len(before), len(before) + len(match)

    def block_at(self, index: int) -> Span | None:
        """The block of prose that holds a character; None in code and between blocks."""
        return self._layout.block_at(index)

    @cached_property
    def _lines(self) -> list[int]:
        return line_starts(self.text)

    @cached_property
    def _layout(self) -> Layout:
        if self._language == MARKDOWN and not self._is_too_large:
            return layout_of(self.text)
        layout = Layout(self.text)
        if self._language == TEXT and not self._is_too_large:
            _lay_out_plain_text(layout)
        return layout

    @cached_property
    def _parts(self) -> SourceParts:
        return parts_of(self.text, self._language)

    @cached_property
    def _marked_parts(self) -> SourceParts:
        return SourceParts(marked_spans(self.text, self._language))

    def _piece_at(self, index: int) -> Span:
        """The sentence or line that holds a character."""
        index = min(index, max(0, len(self.text) - 1))
        block = self._layout.block_at(index)
        if block is None:
            return self._line_at(index)
        block = _part_near(block, index)
        found = self._sentences.get(block) or self._sentences_of(block)
        return found[max(0, bisect_right(found, (index, len(self.text))) - 1)]

    def _line_at(self, index: int) -> Span:
        at = bisect_right(self._lines, index)
        line = self._lines[at - 1], self._lines[at] if at < len(self._lines) else len(self.text)
        if line not in self._trimmed_lines:
            self._trimmed_lines[line] = _trimmed(self.text, *line)
        return self._trimmed_lines[line]

    def _sentences_of(self, block: Span) -> list[Span]:
        masked = self._splittable(block)
        found = sentences(masked, cuts_in_doubt=self._cuts_in_doubt)
        spans = pairwise([*(self._before_marks(masked, block[0], cut) for cut, _ in found), block[1]])
        self._sentences[block] = [_trimmed(self.text, *span) for span in spans]
        return self._sentences[block]

    def _splittable(self, block: Span) -> str:
        """The words of a block for the splitter, to which a comment is a tag and has none."""
        stretch = self._layout.stretch_at(block[0])
        if stretch and stretch[2] == COMMENT and block[1] <= stretch[1]:
            return self.text[slice(*block)].replace("<!--", " " * 4).replace("-->", " " * 3)
        # A fix must not take away what stands before struck-out words, which are no words to a negation.
        return self._layout.masked(*block, shows_hidden=not self._cuts_in_doubt)

    def _before_marks(self, masked: str, offset: int, cut: int) -> int:
        """Where a sentence begins in the text: what opens its emphasis or its link was masked as blanks."""
        while cut and masked[cut - 1] == " " and not self.text[offset + cut - 1].isspace():
            cut -= 1
        return offset + cut

    def _masked_but(self, shown: Span, start: int, end: int) -> str:
        """A stretch of the text, masked except for a match and for the comment that holds it."""
        if not self._is_prose:
            is_known = self._language in LEXED
            return self._parts.masked(self.text, start, end, shown) if is_known else self.text[start:end]
        if self._is_too_large:
            return self.text[start:end]
        stretch = self._layout.stretch_at(shown[0])
        kind = stretch[2] if stretch else WORDS
        first, last = max(start, shown[0]), min(end, shown[1])
        if stretch and kind in _PART_OF_STRETCH:
            first, last = max(start, min(shown[0], stretch[0])), min(end, max(shown[1], stretch[1]))
        before, after = self._masked_near(start, first), self._masked_near(last, end)
        if stretch is None or kind not in (CODE_SPAN, CODE_BLOCK):
            return before + self.text[first:last] + after
        return before + self._masked_code(stretch, shown, first, last) + after

    def _masked_code(self, stretch: tuple[int, int, int], shown: Span, start: int, end: int) -> str:
        """Code of a Markdown text: a span says nothing of the match in it, a block what its language lets it say."""
        fence = _FENCE.match(self.text, *stretch[:2]) if stretch[2] == CODE_BLOCK else None
        language = language_of_fence(fence[1]) if fence else ""
        if stretch[2] == CODE_BLOCK and language not in LEXED:
            return self.text[start:end]
        parts = self._parts_of_fence(stretch[:2], language) if fence and shown[0] >= fence.end() else None
        if parts is None:
            before, after = self.text[start : shown[0]], self.text[shown[1] : end]
            return _NO_TICK.sub("X", before) + self.text[slice(*shown)] + unreadable(after)
        offset = stretch[0]
        code = self.text[offset : stretch[1]]
        return parts.masked(code, start - offset, end - offset, (shown[0] - offset, shown[1] - offset))

    def _parts_of_fence(self, block: Span, language: str) -> SourceParts | None:
        """The parts of a code block, to which its fence is a blank line; None behind MAX_FENCED of them."""
        if block not in self._fenced:
            self._fenced_length += block[1] - block[0]
            fence, end, code = self.text[slice(*block)].partition("\n")
            is_quoted = ">" in self.text[self.text.rfind("\n", 0, block[0]) + 1 : block[0]]
            code = _QUOTE_MARKS.sub(lambda marks: " " * len(marks[0]), code) if is_quoted else code
            text = " " * len(fence) + end + _FENCE_BELOW.sub(lambda marks: " " * len(marks[0]), code)
            self._fenced[block] = parts_of(text, language) if self._fenced_length <= MAX_FENCED else None
        return self._fenced[block]

    def _masked_near(self, start: int, end: int) -> str:
        """A stretch of at most REACH characters, masked; many matches near each other share the work."""
        window = start - start % _AT_ONCE
        first = max(0, window - REACH)
        if window not in self._masked_windows:
            last = min(len(self.text), window + _AT_ONCE + REACH)
            self._masked_windows[window] = self._layout.masked(first, last)
        return self._masked_windows[window][start - first : end - first]


def _may_be_comment(text: str, start: int) -> bool:
    """Whether something that opens a comment in one language or another stands before a place of a line."""
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    return _OPENS_COMMENT.search(text, max(line, start - REACH), start) is not None


def _is_quoted(text: str, start: int) -> bool:
    """Whether an odd number of quotes stands before a place of a line; one within a word is an apostrophe."""
    before = text[max(text.rfind("\n", 0, start) + 1, start - REACH) : start]
    return any(before.count(quote) % 2 for quote in '"`') or len(_SINGLE_QUOTE.findall(before)) % 2 == 1


def _part_near(block: Span, index: int) -> Span:
    """The part of a block that holds all within REACH of a character; the parts of a block overlap."""
    start = index - (index - block[0]) % _AT_ONCE
    return max(block[0], start - REACH), min(block[1], start + _AT_ONCE + REACH)


def _trimmed(text: str, start: int, end: int) -> Span:
    """A span without the blanks around it, nor the line end and the quote marks that lead to the next sentence."""
    words = text[start:end].rstrip(" \t\r\n>")
    tail = text[start + len(words) : end]
    line_end = min((at for at in (tail.find("\r"), tail.find("\n")) if at >= 0), default=len(tail))
    shown = (words + tail[:line_end]).rstrip()
    return start + len(shown) - len(shown.lstrip()), start + len(shown)


def _lay_out_plain_text(layout: Layout) -> None:
    at = 0
    for start, end in code_in_plain_text(layout.text):
        layout.add_stretch(at, start, WORDS)
        layout.add_stretch(start, end, CODE_SPAN)
        at = end
    layout.add_stretch(at, len(layout.text), WORDS)
    for block in blocks_of_plain_text(layout.text):
        layout.add_block(*block)
