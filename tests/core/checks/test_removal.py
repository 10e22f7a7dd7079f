"""What stands around sentences that are taken away survives, however near to each other these are."""

from __future__ import annotations

import pytest
from fixing import finder, found, paragraph, rule, sentence
from hypothesis import example, given, settings
from hypothesis import strategies as st

from review_gate.checks.fix import BREAKS, fixed
from review_gate.checks.fix_rounds import fix_until_stable
from review_gate.checks.rule import Hit, Rule

# A line is the mark that it begins with and its sentences; a block is the lines between two blank ones.
Line = tuple[str, list[str]]
Block = list[Line]
GOES, STAYS = "Call eval here.", "Word is kept."
SENTENCES = st.lists(st.sampled_from([GOES, STAYS]), min_size=1, max_size=3)


def lines_with(*marks: str) -> st.SearchStrategy[Block]:
    """A block of lines with marks that mean the same in every line."""
    return st.one_of(*(st.lists(st.tuples(st.just(mark), SENTENCES), min_size=1, max_size=3) for mark in marks))


HEADINGS = st.tuples(st.just("## "), SENTENCES).map(lambda line: [line])
BLOCKS = st.lists(lines_with("", "> ", "- ", "1. ", "- [ ] ", "> - ", "> > ") | HEADINGS, min_size=1, max_size=4)


def written(blocks: list[Block], end: str, *, is_ended: bool) -> str:
    """The blocks as a text with a blank line between two of them."""
    text = "\n\n".join("\n".join(mark + " ".join(words) for mark, words in block) for block in blocks)
    return (text + "\n" if is_ended and text else text).replace("\n", end)


def kept(blocks: list[Block]) -> list[Block]:
    """The blocks without the sentences that go, the lines left empty by that, and the blocks left empty by that."""
    left = [[(mark, [one for one in words if one != GOES]) for mark, words in block] for block in blocks]
    return [block for block in ([line for line in block if line[1]] for block in left) if block]


@settings(max_examples=400, deadline=None)
@given(BLOCKS, st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
@example([[("", [STAYS, GOES])], [("", [GOES, STAYS])]], "\n", True)
@example([[("> ", [STAYS, GOES])], [("> ", [GOES, STAYS])]], "\n", True)
@example([[("", [GOES])], [("> ", [GOES, STAYS])]], "\n", False)
@example([[("", [GOES])], [("- ", [GOES])] * 2, [("- ", [GOES])] * 2], "\n", False)
def test_what_is_outside_the_sentences_survives(blocks: list[Block], end: str, is_ended: bool) -> None:
    text = written(blocks, end, is_ended=is_ended)
    assert fixed(text, found(text, sentence("eval"))).text == written(kept(blocks), end, is_ended=is_ended)


@settings(max_examples=200, deadline=None)
@given(BLOCKS, st.integers(min_value=0, max_value=4))
@example([[("", [STAYS])], [("> ", [GOES, STAYS])]], 1)
def test_a_paragraph_taken_away_leaves_the_marks_of_its_neighbours(blocks: list[Block], place: int) -> None:
    doomed: Block = [("", ["Has DROP in it.", STAYS])]
    text = written([*blocks[:place], doomed, *blocks[place:]], "\n", is_ended=True)
    done = fix_until_stable(text, finder(sentence("eval"), paragraph("DROP")))
    assert done.text == written(kept(blocks), "\n", is_ended=True)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["- ", "1. ", "> - "]), st.lists(SENTENCES, min_size=1, max_size=4))
def test_a_bullet_of_several_lines_keeps_its_mark_with_its_text(mark: str, lines: list[list[str]]) -> None:
    indent = mark[: mark.index("-")] + "  " if "-" in mark else "   "

    def bullet(lines: list[list[str]]) -> str:
        return mark + f"\n{indent}".join(" ".join(words) for words in lines) + "\n" if lines else ""

    text = bullet(lines)
    left = [words for words in ([one for one in words if one != GOES] for words in lines) if words]
    assert fix_until_stable(text, finder(sentence("eval"))).text == bullet(left)


ROWS = st.lists(st.lists(SENTENCES, min_size=2, max_size=2), min_size=1, max_size=3)


def table(rows: list[list[list[str]]]) -> str:
    """A table with two columns; a cell without sentences is empty."""
    cells = ([" " + "".join(one + " " for one in words) for words in row] for row in rows)
    return "| a | b |\n|---|---|\n" + "".join(f"|{'|'.join(row)}|\n" for row in cells)


@settings(max_examples=200, deadline=None)
@given(BLOCKS, ROWS, BLOCKS)
def test_a_table_keeps_its_cells_and_its_neighbours(
    above: list[Block], rows: list[list[list[str]]], below: list[Block]
) -> None:
    def whole(*parts: str) -> str:
        return "\n".join(part for part in parts if part)

    text = whole(written(above, "\n", is_ended=True), table(rows), written(below, "\n", is_ended=True))
    left = [[[one for one in words if one != GOES] for words in row] for row in rows]
    around = [written(kept(blocks), "\n", is_ended=True) for blocks in (above, below)]
    assert fixed(text, found(text, sentence("eval"))).text == whole(around[0], table(left), around[1])


LINES_OF_PLAIN_TEXT = {
    "entries": ("django>=3\neval==2\nflask\n", "django>=3\nflask\n"),
    "letters in brackets": ("(a) Keep one\n(b) Use eval\n(c) Keep two", "(a) Keep one\n(c) Keep two"),
    "letters with one bracket": ("a) keep one\nb) use eval\nc) keep two\n", "a) keep one\nc) keep two\n"),
    "boxes": ("[ ] Keep one\n[ ] Use eval", "[ ] Keep one"),
    "indented lines": ("  Keep one\n  Use eval\n  Keep two\n", "  Keep one\n  Keep two\n"),
    "bullets of AsciiDoc": ("** Keep one\n** Use eval", "** Keep one"),
    "a heading of AsciiDoc": ("== Keep title\nUse eval here.\n", "== Keep title\n"),
    "a title of AsciiDoc": (".Keep title\nuse eval here.\n", ".Keep title\n"),
    "lines with capital letters": ("Keep one\r\nUse eval\r\nKeep two\r\n", "Keep one\r\nKeep two\r\n"),
    "a numbered item of AsciiDoc": (". Keep one\n. Use eval\n. Keep two\n", ". Keep one\n. Keep two\n"),
    "the only item of AsciiDoc": ("Kept:\r\n\r\n. Use eval.\r\n", "Kept:\r\n"),
    "the last item of AsciiDoc, no final line end": (". Keep one\n. Use eval", ". Keep one"),
    "a nested item of AsciiDoc": (". Keep one\n.. Use eval\n. Keep two\n", ". Keep one\n. Keep two\n"),
    "an item of AsciiDoc on two lines": (". We use the\nbad eval here.\n. Keep two\n", ". Keep two\n"),
    "an item of a title": (". Use eval\n.Keep title\nKept.\n", ".Keep title\nKept.\n"),
    "a wrapped sentence": ("Kept. We use the\nbad eval for all\nthat there is. Kept.\n", "Kept. Kept.\n"),
}


@pytest.mark.parametrize(("text", "left"), LINES_OF_PLAIN_TEXT.values(), ids=LINES_OF_PLAIN_TEXT)
def test_in_plain_text_only_lines_that_visibly_belong_together_go_together(text: str, left: str) -> None:
    assert fixed(text, found(text, sentence("eval")), "text").text == left


MARKS_OF_PLAIN_TEXT = {
    "AsciiDoc": (". Use eval. Kept.\n. Use eval.\n", ". Kept.\n"),
    "AsciiDoc, the second sentence": (". Kept. Use eval.\n. Kept.\n", ". Kept.\n. Kept.\n"),
    "AsciiDoc, the next line": (". Use eval.\nKept is this.\n. Kept.\n", ". Kept is this.\n. Kept.\n"),
    "AsciiDoc, both sides of a break": ("Kept:\n\n. Use eval.\\\nUse eval here.\n", "Kept:\n"),
    "AsciiDoc, a break in vain": (". Use eval. \\\n. Use eval \\ \n. Use it. \\\n", ". Use it. \\\n"),
    "AsciiDoc, a backslash": (". \\\n. Use eval.\n", ". \\\n"),
    "two dots": (".. Use eval. Kept.\n", ".. Kept.\n"),
    "two stars": ("** Use eval. Kept.\n** Kept.", "** Kept.\n** Kept."),
    "a dot in the middle": ("• Use eval. Kept.\n• Use eval.\n", "• Kept.\n"),
    "a box": ("[ ] Use eval. Kept.\n[x] Use eval\n", "[ ] Kept.\n"),
}


@pytest.mark.parametrize(("text", "left"), MARKS_OF_PLAIN_TEXT.values(), ids=MARKS_OF_PLAIN_TEXT)
def test_in_plain_text_a_mark_goes_with_the_last_sentence_behind_it_and_no_earlier(text: str, left: str) -> None:
    done = fix_until_stable(text, finder(sentence("eval")), language="text")
    assert (done.text, done.left) == (left, ())


IN_FENCES = {
    "the first": ("```\neval\n\nb\n```", "```\nb\n```"),
    "the first, of two lines": ("```py\neval\nc\n\n\nb\n```\n", "```py\nb\n```\n"),
    "the first, behind a blank line": ("```\n\neval\n\nb\n```\n", "```\n\nb\n```\n"),
    "one in the middle": ("```\na\n\neval\n\nb\n```\n", "```\na\n\nb\n```\n"),
    "the last": ("```\nb\n\neval\n```\n", "```\nb\n```\n"),
    "the last, before a blank line": ("```\nb\n\neval\n\n```\n", "```\nb\n\n```\n"),
    "the first and the last": ("~~~\neval\n\nb\n\neval\n~~~\n", "~~~\nb\n~~~\n"),
    "the first, in a quotation": ("> ```\n> eval\n>\n> b\n> ```\n", "> ```\n> b\n> ```\n"),
    "the first, in a bullet": ("- ```\n  eval\n\n  b\n  ```\n", "- ```\n  b\n  ```\n"),
    "the first, with CRLF": ("```\r\neval\r\n\r\nb\r\n```\r\n", "```\r\nb\r\n```\r\n"),
    "the first, with CR": ("```\reval\r\rb\r```\r", "```\rb\r```\r"),
    "the first of a fence without end": ("```\neval\n\nb", "```\nb"),
    "the last of a fence without end": ("```\nb\n\neval", "```\nb"),
    "the first of front matter": ("---\neval: 1\n\nb: 2\n---\n\nText.\n", "---\nb: 2\n---\n\nText.\n"),
    "all": ("One.\n\n```\neval\n\neval\n```\n\nTwo.\n", "One.\n\n```\n```\n\nTwo.\n"),
}


@pytest.mark.parametrize(("text", "left"), IN_FENCES.values(), ids=IN_FENCES)
def test_in_a_fence_one_run_of_blank_lines_goes_with_a_paragraph(text: str, left: str) -> None:
    done = fix_until_stable(text, finder(paragraph("eval")))
    assert (done.text, done.left) == (left, ())


REFUSED = {
    "the first paragraph of a bullet": ("- Use eval.\n\n  Keep.\n", sentence("eval")),
    "one of two sentences that share emphasis": ("**Keep. Use eval.** So.\n", sentence("eval")),
    "the head of a table": ("| eval |\n|---|\n| a |\n", sentence("eval")),
    "a fence": ("```eval\na\n```\n", paragraph("eval")),
    "what keeps a list from being code": ("- a\n\nUse eval.\n\n    - b\n", paragraph("eval")),
}


@pytest.mark.parametrize(("text", "check"), REFUSED.values(), ids=REFUSED)
def test_a_removal_that_would_break_the_markdown_is_left_to_a_person(text: str, check: Rule) -> None:
    done = fix_until_stable(text, finder(check))
    assert (done.text, [left.reason for left in done.left]) == (text, [BREAKS])


def without(marked: str, action: str) -> str:
    """The text after the sentences or paragraphs of its marked places are gone."""
    text, hits = "", []
    for part in marked.split("⟨"):
        inside, _, outside = part.partition("⟩") if "⟩" in part else ("", "", part)
        if inside:
            start, end = len(text), len(text) + len(inside)
            hits.append(Hit(rule("x", action=action), line=1, column=1, start=start, end=end, text=inside))
        text += inside + outside
    done = fixed(text, hits)
    assert done.left == ()
    return done.text


GONE = {
    "in the middle of a line": ("One is. Two ⟨eval⟩ is. Three is.", "One is. Three is."),
    "at the end of a line": ("One is. Two ⟨eval⟩ is.\nThree is.\n", "One is.\nThree is.\n"),
    "at the start of a line": ("One is.\nTwo ⟨eval⟩ is. Three is.\n", "One is.\nThree is.\n"),
    "a whole line": ("One is.\nTwo ⟨eval⟩ is.\nThree is.\n", "One is.\nThree is.\n"),
    "from one line into the next": ("One is. Two\n⟨eval⟩ is. Three is.\n", "One is. Three is.\n"),
    "in a quotation": ("> One is. Two\n> ⟨eval⟩ is. Three\n> is.\n", "> One is. Three\n> is.\n"),
    "two that are neighbours": ("One is. ⟨eval⟩ is. ⟨eval⟩ is.\n", "One is.\n"),
    "two of three": ("⟨eval⟩ is. Two is. ⟨eval⟩ is.\n", "Two is.\n"),
    "all of a paragraph": ("One.\n\n⟨eval⟩ is. ⟨eval⟩ is.\n\nFour.\n", "One.\n\nFour.\n"),
    "all lines of a paragraph": ("One.\n\n⟨eval⟩ is.\n⟨eval⟩ is.\n\nFour.\n", "One.\n\nFour.\n"),
    "a bullet of one sentence": ("- one\n- ⟨eval⟩ is.\n- three\n", "- one\n- three\n"),
    "a bullet of one sentence on two lines": ("- one\n- ⟨eval⟩\n  is.\n- three\n", "- one\n- three\n"),
    "half a bullet": ("- one\n- ⟨eval⟩ is. Two.\n- three\n", "- one\n- Two.\n- three\n"),
    "a task": ("- [ ] ⟨eval⟩\n- [x] b\n", "- [x] b\n"),
    "a bullet that has others below": ("- ⟨eval⟩\n  - b\n", "-\n  - b\n"),
    "the first line of a bullet": ("- a\n- ⟨eval⟩ is.\n  Two is.\n- c\n", "- a\n- Two is.\n- c\n"),
    "the first line of a quoted bullet": ("> - ⟨eval⟩ is.\n>   *Two* is.\n", "> - *Two* is.\n"),
    "the first lines of a bullet": ("1. ⟨eval⟩.\n   ⟨eval⟩.\n   Two.\n", "1. Two.\n"),
    "a heading": ("# ⟨eval⟩\n\ntext\n", "text\n"),
    "a heading with a line below": ("⟨eval⟩\n====\n\ntext\n", "text\n"),
    "a cell": ("| a | b |\n|---|---|\n| ⟨eval⟩. | c |\n", "| a | b |\n|---|---|\n| | c |\n"),
    "a cell without blanks": ("|a|b|\n|-|-|\n|⟨eval⟩|c|\n", "|a|b|\n|-|-|\n||c|\n"),
    "the last cell": ("| a | b |\n|---|---|\n| c | ⟨eval⟩ |\n", "| a | b |\n|---|---|\n| c | |\n"),
    "all cells": ("| a | b |\n|---|---|\n| ⟨eval⟩ | ⟨eval⟩ |\n\nc\n", "| a | b |\n|---|---|\n| | |\n\nc\n"),
    "one line of a fence": ("```\n⟨eval⟩\nb\n```\n", "```\nb\n```\n"),
    "all of what is emphasised": ("**⟨eval⟩ is. ⟨eval⟩ too.** Then.\n", "Then.\n"),
    "the last of a heading with marks behind it": ("# One is. ⟨eval⟩ is. #\n", "# One is. #\n"),
    "the whole text": ("⟨eval⟩ is.\n", ""),
    "all but the byte order mark": ("﻿⟨eval⟩ is.\n", "﻿"),
    "no final line end": ("One.\n\n⟨eval⟩ is.", "One."),
    "no final line end, from a list": ("- one\n- ⟨eval⟩", "- one"),
    "CRLF": ("One.\r\n\r\n⟨eval⟩ is.\r\n\r\nTwo.\r\n", "One.\r\n\r\nTwo.\r\n"),
    "CR": ("One.\r\r⟨eval⟩ is.\r\rTwo.\r", "One.\r\rTwo.\r"),
    "more blank lines": ("One.\n\n\n⟨eval⟩ is.\n\n\nTwo.\n", "One.\n\n\nTwo.\n"),
    "the only bullet": ("One:\n\n- ⟨eval⟩\n\nTwo.\n", "One:\n\nTwo.\n"),
    "the last bullet": ("- one\n- ⟨eval⟩\n\nTwo.\n", "- one\n\nTwo.\n"),
    "the end of a paragraph and the start of the next": ("One. ⟨eval⟩.\n\n⟨eval⟩. Two.\n", "One.\n\nTwo.\n"),
    "before and in a quotation": ("One. ⟨eval⟩.\n\n> ⟨eval⟩. Two.", "One.\n\n> Two."),
    "two bullets": ("- One. ⟨eval⟩.\n- ⟨eval⟩. Two.\n", "- One.\n- Two.\n"),
    "two lines of a quotation": ("> One. ⟨eval⟩.\n> ⟨eval⟩. Two.\n", "> One.\n> Two.\n"),
    "the last paragraphs": ("One. ⟨eval⟩.\n\n⟨eval⟩.\n\n> ⟨eval⟩.\n", "One.\n"),
    "between blank lines of a quotation": ("> One.\n>\n> ⟨eval⟩.\n>\n> Two.\n", "> One.\n>\n> Two.\n"),
}


@pytest.mark.parametrize(("marked", "left"), GONE.values(), ids=GONE)
def test_a_sentence_goes_with_the_blanks_and_marks_that_it_leaves_empty(marked: str, left: str) -> None:
    assert without(marked, "remove_sentence") == left


GONE_PARAGRAPHS = {
    "in the middle": ("One.\n\nTwo ⟨eval⟩.\nThree.\n\nFour.\n", "One.\n\nFour.\n"),
    "the first": ("Two ⟨eval⟩.\n\nFour.\n", "Four.\n"),
    "the last": ("One.\n\nTwo ⟨eval⟩.\n", "One.\n"),
    "two that are neighbours": ("One.\n\n⟨eval⟩.\n\n⟨eval⟩.\n\nFour.\n", "One.\n\nFour.\n"),
    "a bullet with all below it": ("- one\n- ⟨eval⟩\n  - a\n\n  b\n- three\n", "- one\n- three\n"),
    "a nested bullet": ("- one\n  - ⟨eval⟩\n- three\n", "- one\n- three\n"),
    "a table": ("One.\n\n| a |\n| - |\n| ⟨eval⟩ |\n\nTwo.\n", "One.\n\nTwo.\n"),
}


@pytest.mark.parametrize(("marked", "left"), GONE_PARAGRAPHS.values(), ids=GONE_PARAGRAPHS)
def test_a_paragraph_goes_with_one_of_the_blank_lines_around_it(marked: str, left: str) -> None:
    assert without(marked, "remove_paragraph") == left
