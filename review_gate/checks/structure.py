"""What surrounds a match: its sentence, and whether it stands in code, in a comment or in prose."""

from __future__ import annotations

import re
import time
from bisect import bisect_right
from functools import cached_property
from itertools import pairwise

from review_gate.checks.languages import MARKDOWN, TEXT, language_of_fence
from review_gate.checks.markdown_layout import (
    CODE_BLOCK,
    CODE_SPAN,
    COMMENT,
    TAGGED_CODE,
    WORDS,
    Layout,
    layout_of,
    without_entities,
)
from review_gate.checks.negation_words import might_negate
from review_gate.checks.plain_text import blocks_of_plain_text, code_in_plain_text, line_starts
from review_gate.checks.rule import CODE, COMMENTS, PROSE
from review_gate.checks.sentences import sentences
from review_gate.checks.source_kinds import COMMENT_TOKEN, DOUBTFUL_TOKEN
from review_gate.checks.source_parts import SourceParts, has_lexer, parts_of, unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Span = tuple[int, int]

# The part of a match in a text that was too large or too slow to take apart: every check applies there.
ANY_PART = ""
# A Markdown or plain text larger than this is not taken apart: its sentences are its lines, its part is any.
MAX_PROSE = 1_000_000
# Behind so much code in the blocks of a Markdown text no lexer runs, and nothing in a block negates a match there.
MAX_FENCED = 64_000
# Words farther away than this from a match say nothing about it.
REACH = 2_000
# How much of a long block is cut into sentences at a time.
_AT_ONCE = 8_000
_LONE_SURROGATES = re.compile("[\ud800-\udfff]")
# Code before a match in the same span is one word with it.
_NO_TICK = re.compile("[^`]")
_OPENS_COMMENT = re.compile(r"(?<!\S)(?:[#;%]|//|--|/\*|<!--|\{[-#]|\(\*|<#|\.\. |[Rr][Ee][Mm] |\* )")
_FENCE = re.compile(r"[`~]{3,}[ \t]*([^\s`{},]+)")
_PART_OF_STRETCH = {CODE_SPAN: CODE, CODE_BLOCK: CODE, TAGGED_CODE: ANY_PART, COMMENT: COMMENTS}


def structure_of(text: str, language: str, clock: Callable[[], float] = time.process_time) -> Structure:
    """The structure of a text; nothing is computed before it is asked for, and nothing twice."""
    return Structure(text, language, clock)


class Structure:
    """The structure of one text; all offsets are characters of the text as given.

    Whatever cannot be found out in bounded time falls back to lines as sentences and to a part that every check
    applies to, so that a match is rather reported than lost: prose over MAX_PROSE, source code over the limits of
    source_parts.
    """

    def __init__(self, text: str, language: str, clock: Callable[[], float] = time.process_time) -> None:
        self.text = _LONE_SURROGATES.sub("\ufffd", text)
        self._language = language
        self._clock = clock
        self._sentences: dict[Span, list[Span]] = {}
        self._trimmed_lines: dict[Span, Span] = {}
        self._negating: dict[Span, bool] = {}
        self._masked_windows: dict[tuple[int, bool], str] = {}
        self._fenced: dict[Span, SourceParts | None] = {}
        self._fenced_length = 0

    def sentence_at(self, start: int, end: int) -> Span:
        """The sentence that holds a match, without the blanks around it; a match in two sentences gets both."""
        first = self._piece_at(start)
        last = first if end <= first[1] else self._piece_at(max(start, end - 1))
        return min(first[0], start), max(last[1], end)

    def part_at(self, start: int) -> str:
        """CODE, COMMENTS or PROSE; ANY_PART where that is not known."""
        if self._is_prose:
            if self._is_too_large:
                return ANY_PART
            return self._part_in_markdown(start) if self._language == MARKDOWN else PROSE
        if not has_lexer(self._language):
            return ANY_PART if _may_be_comment(self.text, start) else CODE
        kind = self._parts.kind_at(start)
        if kind in (None, DOUBTFUL_TOKEN):
            return ANY_PART
        if kind == COMMENT_TOKEN:
            return COMMENTS
        return ANY_PART if start >= self._parts.sure_to and _may_be_comment(self.text, start) else CODE

    def is_in(self, start: int, parts: Sequence[str]) -> bool:
        """Whether a match belongs to one of some parts; no parts are all parts."""
        return not parts or self.part_at(start) in (ANY_PART, *parts)

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

    @property
    def _is_prose(self) -> bool:
        return self._language in (MARKDOWN, TEXT)

    @property
    def _is_too_large(self) -> bool:
        return len(self.text) > MAX_PROSE

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
        return parts_of(_as_lexed(self.text), self._language, self._clock)

    def _part_in_markdown(self, index: int) -> str:
        stretch = self._layout.stretch_at(index)
        return _PART_OF_STRETCH.get(stretch[2], PROSE) if stretch else PROSE

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
        cuts = [self._before_marks(masked, block[0], cut) for cut, _ in sentences(masked, cuts_in_doubt=True)]
        spans = pairwise([*cuts, block[1]])
        self._sentences[block] = [_trimmed(self.text, *span) for span in spans]
        return self._sentences[block]

    def _splittable(self, block: Span) -> str:
        """The words of a block for the splitter, to which a comment is a tag and has none."""
        stretch = self._layout.stretch_at(block[0])
        if stretch and stretch[2] == COMMENT and block[1] <= stretch[1]:
            return self.text[slice(*block)].replace("<!--", " " * 4).replace("-->", " " * 3)
        return self._masked(*block)

    def _before_marks(self, masked: str, offset: int, cut: int) -> int:
        """Where a sentence begins in the text: what opens its emphasis or its link was masked as blanks."""
        while cut and masked[cut - 1] == " " and not self.text[offset + cut - 1].isspace():
            cut -= 1
        return offset + cut

    def _masked_but(self, shown: Span, start: int, end: int) -> str:
        """A stretch of the text, masked except for a match and for the comment that holds it."""
        if not self._is_prose:
            return (
                self._parts.masked(self.text, start, end, shown) if has_lexer(self._language) else self.text[start:end]
            )
        stretch = self._layout.stretch_at(shown[0])
        kind = stretch[2] if stretch else WORDS
        first, last = max(start, shown[0]), min(end, shown[1])
        if stretch and kind in _PART_OF_STRETCH:
            first, last = max(start, min(shown[0], stretch[0])), min(end, max(shown[1], stretch[1]))
        is_shown = not self._is_in_mdx_comment(shown[0])
        before, after = self._masked_near(start, first, is_shown), self._masked_near(last, end, is_shown)
        if stretch is None or kind not in (CODE_SPAN, CODE_BLOCK, TAGGED_CODE):
            return before + self.text[first:last] + after
        return before + self._masked_code(stretch, shown, first, last) + after

    def _masked_code(self, stretch: tuple[int, int, int], shown: Span, start: int, end: int) -> str:
        """Code of a Markdown text: a span says nothing of the match in it, a block what its language lets it say."""
        fence = _FENCE.match(self.text, *stretch[:2]) if stretch[2] == CODE_BLOCK else None
        language = language_of_fence(fence[1]) if fence else ""
        if stretch[2] == CODE_BLOCK and not has_lexer(language):
            return self.text[start:end]
        parts = self._parts_of_fence(stretch[:2], language) if fence and shown[0] >= fence.end() else None
        if parts is None:
            before, after = self.text[start : shown[0]], self.text[shown[1] : end]
            return _NO_TICK.sub("X", before) + self.text[slice(*shown)] + unreadable(after)
        offset = stretch[0]
        code = self.text[offset : stretch[1]]
        return parts.masked(code, start - offset, end - offset, (shown[0] - offset, shown[1] - offset))

    def _parts_of_fence(self, block: Span, language: str) -> SourceParts | None:
        """The parts of a code block; None where so much code came before it that its lexer may not run."""
        if block not in self._fenced:
            self._fenced_length += block[1] - block[0]
            is_allowed = self._fenced_length <= MAX_FENCED
            self._fenced[block] = parts_of(self._fenced_code(block), language, self._clock) if is_allowed else None
        return self._fenced[block]

    def _fenced_code(self, block: Span) -> str:
        """The text of a block for a lexer, in which the fence is a blank line."""
        fence, end, code = _as_lexed(self.text[slice(*block)]).partition("\n")
        return " " * len(fence) + end + code

    def _masked_near(self, start: int, end: int, is_shown: bool) -> str:
        """A stretch of at most REACH characters, masked; many matches near each other share the work."""
        window = start - start % _AT_ONCE
        first = max(0, window - REACH)
        if (window, is_shown) not in self._masked_windows:
            last = min(len(self.text), window + _AT_ONCE + REACH)
            masked = self._masked(first, last) if is_shown else self._layout.masked(first, last)
            self._masked_windows[window, is_shown] = masked
        return self._masked_windows[window, is_shown][start - first : end - first]

    def _masked(self, start: int, end: int) -> str:
        if not self._is_prose or self._is_too_large:
            return self.text[start:end]
        masked = self._layout.masked(start, end)
        return _without_mdx_comments(masked, self.text[start:end]) if self._language == MARKDOWN else masked

    @cached_property
    def _mdx_comments(self) -> list[Span]:
        return list(_mdx_comments(self.text)) if self._language == MARKDOWN and not self._is_too_large else []

    def _is_in_mdx_comment(self, index: int) -> bool:
        at = bisect_right(self._mdx_comments, (index, len(self.text))) - 1
        return at >= 0 and index < self._mdx_comments[at][1]


def _without_mdx_comments(masked: str, text: str) -> str:
    """A masked text without what MDX does not show."""
    pieces, done = [], 0
    for opened, closed in _mdx_comments(text):
        pieces += [masked[done:opened], " " * (closed - opened)]
        done = closed
    return "".join([*pieces, masked[done:]])


def _mdx_comments(text: str) -> Iterator[Span]:
    done = 0
    while (opened := text.find("{/*", done)) >= 0 and (closed := text.find("*/}", opened + 3)) >= 0:
        done = closed + 3
        yield opened, done


def _may_be_comment(text: str, start: int) -> bool:
    """Whether something that opens a comment in one language or another stands before a place of a line."""
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    return _OPENS_COMMENT.search(text, max(line, start - REACH), start) is not None


def _part_near(block: Span, index: int) -> Span:
    """The part of a block that holds all within REACH of a character; the parts of a block overlap."""
    start = index - (index - block[0]) % _AT_ONCE
    return max(block[0], start - REACH), min(block[1], start + _AT_ONCE + REACH)


def _as_lexed(text: str) -> str:
    """A text whose lines end in LF: the lexers know no other, and some know comments only where one follows."""
    return text.replace("\r\n", " \n").replace("\r", "\n") + "\n"


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
