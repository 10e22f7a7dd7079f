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
    "a wrapped sentence": ("Kept. We use the\nbad eval for all\nthat there is. Kept.\n", "Kept. Kept.\n"),
}


@pytest.mark.parametrize(("text", "left"), LINES_OF_PLAIN_TEXT.values(), ids=LINES_OF_PLAIN_TEXT)
def test_in_plain_text_only_lines_that_visibly_belong_together_go_together(text: str, left: str) -> None:
    assert fixed(text, found(text, sentence("eval")), "text").text == left


MARKS_OF_PLAIN_TEXT = {
    "AsciiDoc": (". Use eval. Kept.\n. Use eval.\n", ". Kept.\n"),
    "AsciiDoc, the second sentence": (". Kept. Use eval.\n. Kept.\n", ". Kept.\n. Kept.\n"),
    "a box": ("[ ] Use eval. Kept.\n[x] Use eval\n", "[ ] Kept.\n"),
}


@pytest.mark.parametrize(("text", "left"), MARKS_OF_PLAIN_TEXT.values(), ids=MARKS_OF_PLAIN_TEXT)
def test_in_plain_text_a_mark_goes_with_the_last_sentence_behind_it_and_no_earlier(text: str, left: str) -> None:
    done = fix_until_stable(text, finder(sentence("eval")), language="text")
    assert (done.text, done.left) == (left, ())


IN_FENCES = {
    "the first": ("```\neval\n\nb\n```", "```\nb\n```"),
    "the last": ("```\nb\n\neval\n```\n", "```\nb\n```\n"),
    "the last, before a blank line": ("```\nb\n\neval\n\n```\n", "```\nb\n\n```\n"),
    "the first, with CRLF": ("```\r\neval\r\n\r\nb\r\n```\r\n", "```\r\nb\r\n```\r\n"),
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
    "from one line into the next": ("One is. Two\n⟨eval⟩ is. Three is.\n", "One is. Three is.\n"),
    "all of a paragraph": ("One.\n\n⟨eval⟩ is. ⟨eval⟩ is.\n\nFour.\n", "One.\n\nFour.\n"),
    "a bullet of one sentence": ("- one\n- ⟨eval⟩ is.\n- three\n", "- one\n- three\n"),
    "a bullet that has others below": ("- ⟨eval⟩\n  - b\n", "-\n  - b\n"),
    "a cell": ("| a | b |\n|---|---|\n| ⟨eval⟩. | c |\n", "| a | b |\n|---|---|\n| | c |\n"),
    "the whole text": ("⟨eval⟩ is.\n", ""),
    "CRLF": ("One.\r\n\r\n⟨eval⟩ is.\r\n\r\nTwo.\r\n", "One.\r\n\r\nTwo.\r\n"),
}


@pytest.mark.parametrize(("marked", "left"), GONE.values(), ids=GONE)
def test_a_sentence_goes_with_the_blanks_and_marks_that_it_leaves_empty(marked: str, left: str) -> None:
    assert without(marked, "remove_sentence") == left


GONE_PARAGRAPHS = {
    "in the middle": ("One.\n\nTwo ⟨eval⟩.\nThree.\n\nFour.\n", "One.\n\nFour.\n"),
    "the first": ("Two ⟨eval⟩.\n\nFour.\n", "Four.\n"),
    "a bullet with all below it": ("- one\n- ⟨eval⟩\n  - a\n\n  b\n- three\n", "- one\n- three\n"),
    "a table": ("One.\n\n| a |\n| - |\n| ⟨eval⟩ |\n\nTwo.\n", "One.\n\nTwo.\n"),
}


@pytest.mark.parametrize(("marked", "left"), GONE_PARAGRAPHS.values(), ids=GONE_PARAGRAPHS)
def test_a_paragraph_goes_with_one_of_the_blank_lines_around_it(marked: str, left: str) -> None:
    assert without(marked, "remove_paragraph") == left
