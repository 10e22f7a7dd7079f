"""Sentences and parts of texts, by the structure that Markdown, plain text and source code have."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from structuring import masked, part, sentence

from review_gate.checks.languages import LANGUAGES
from review_gate.checks.markdown_layout import layout_of
from review_gate.checks.rule import CODE, COMMENTS, PARTS, PROSE
from review_gate.checks.sentences import sentences
from review_gate.checks.source_parts import LEXED
from review_gate.checks.structure import ANY_PART, REACH, structure_of

MARKDOWN_SENTENCES = {
    "one of two": ("First one. Second HERE. Third.", "Second HERE."),
    "soft-wrapped": ("A line\nand HERE\nits end. Next.", "A line\nand HERE\nits end."),
    "soft-wrapped with CRLF": ("A line\r\nand HERE\r\nits end.\r\nNext.\r\n", "A line\r\nand HERE\r\nits end."),
    "paragraph": ("One\n\nHERE\n\nThree\n", "HERE"),
    "abbreviation": ("See e.g. HERE or etc. and so on. Next.", "See e.g. HERE or etc. and so on."),
    "version": ("Since 2.0 HERE works. Next.", "Since 2.0 HERE works."),
    "wide full stop": ("一。HERE。三。", "HERE。"),
    "path": ("One in src/a. HERE is it.", "HERE is it."),
    "within quotes": ('They say "One two. HERE is it."', 'HERE is it."'),
    "tight item": ("- one\n- HERE two\n  three\n- four\n", "HERE two\n  three"),
    "task": ("- [ ] one\n- [x] HERE\n", "[x] HERE"),
    "heading": ("# One HERE\ntwo\n", "One HERE"),
    "quote": ("> One\n> HERE.\n> Two.\n", "One\n> HERE."),
    "front matter": ("---\na: b\nc: HERE\n---\nd\n", "c: HERE"),
    "comment block": ("<!-- one\nHERE -->\n\nTwo\n", "<!-- one\nHERE -->"),
    "text of an HTML block": ("<p>One</p><p>HERE two</p>\n", "HERE two"),
}


@pytest.mark.parametrize(("text", "expected"), MARKDOWN_SENTENCES.values(), ids=MARKDOWN_SENTENCES)
def test_a_sentence_of_markdown_ends_with_its_block(text: str, expected: str) -> None:
    assert sentence(text) == expected


TEXT_SENTENCES = {
    "soft-wrapped": ("One\nHERE. Two.\n", "One\nHERE."),
    "paragraph": ("One\n \nHERE\n\nTwo", "HERE"),
    "item": ("One:\n- two\n- HERE\n  three\n- four\n", "- HERE\n  three"),
    "under a ruler": ("One\n===\nHERE\n", "HERE"),
    "heading marks mean nothing": ("# One\nHERE\n", "# One\nHERE"),
}


@pytest.mark.parametrize(("text", "expected"), TEXT_SENTENCES.values(), ids=TEXT_SENTENCES)
def test_a_sentence_of_plain_text_ends_with_its_paragraph_or_item(text: str, expected: str) -> None:
    assert sentence(text, "text") == expected


@pytest.mark.parametrize("language", ["python", "yaml", "", "cobol"])
def test_the_sentence_of_code_is_its_line(language: str) -> None:
    assert sentence("a. b\n  c. HERE. d\r\ne", language) == "c. HERE. d"


def test_a_match_in_two_sentences_gets_both() -> None:
    assert sentence("Zero. One two. Three four. Five.", match="two. Three") == "One two. Three four."


def test_a_match_in_two_blocks_gets_both_and_what_is_between() -> None:
    assert sentence("- a b\n- c d\n- e\n", match="b\n- c") == "a b\n- c d"


MARKDOWN_PARTS = {
    "words": ("a HERE", PROSE),
    "code span": ("a `HERE` b", CODE),
    "after a code span and umlauts": ("ää `ö` ü HERE", PROSE),
    "fence": ("```py\nHERE\n```", CODE),
    "fence without an end": ("```\nHERE", CODE),
    "fence in a quote": ("> ```\n> HERE\n> ```\n", CODE),
    "front matter": ("---\ntitle: HERE\n---\n", CODE),
    "between rulers further down": ("a\n\n---\nHERE\n---\n", PROSE),
    "comment": ("a <!-- HERE --> b", COMMENTS),
    "comment without an end": ("<!--\nHERE\n", COMMENTS),
    "code in a tag": ("a <code>HERE</code>", CODE),
    "text of an HTML block": ("<div>\nHERE\n</div>\n", PROSE),
    "comment in code is code": ("`<!-- HERE -->`", CODE),
    "comment in a fence is code": ("```\n<!-- HERE -->\n```", CODE),
}


@pytest.mark.parametrize(("text", "expected"), MARKDOWN_PARTS.values(), ids=MARKDOWN_PARTS)
def test_parts_of_markdown(text: str, expected: str) -> None:
    assert part(text) == expected


SOURCE_PARTS = {
    "python comment": ("python", "a = 1  # HERE\n", COMMENTS),
    "python docstring": ("python", 'def f():\n    """HERE"""\n', COMMENTS),
    "python hash in a string": ("python", "a = '# HERE'\n", CODE),
    "javascript": ("javascript", "a() /* b\nHERE */", COMMENTS),
    "javascript address": ("javascript", "a('https://HERE')", CODE),
    "shell variable": ("shell", "echo ${#HERE}\n", CODE),
    "html text": ("html", "<p>HERE</p>", CODE),
    "json": ("json", '{"a": "HERE"}', CODE),
    "plain text": ("text", "# HERE `a`", PROSE),
    "python string over lines": ("python", "a = '''\n# HERE\n'''\n", CODE),
    "comment in JSX": ("javascript", "a = <b>{/* HERE */}</b>\n", COMMENTS),
    "heredoc": ("shell", "cat <<'E'\nit's\n# HERE\nE\n", CODE),
    "heredoc of ruby": ("ruby", "a = <<~E\n  # HERE\nE\n", CODE),
    "unclosed string": ("python", "x = '''\n# HERE\n", ANY_PART),
    "address in yaml": ("yaml", "a: https://b/c#HERE\n", CODE),
    "comment over lines, no grammar": ("kotlin", "/* a\n HERE */ b()\n", COMMENTS),
    "unknown, perhaps a comment": ("", "# HERE", ""),
}


@pytest.mark.parametrize(("language", "text", "expected"), SOURCE_PARTS.values(), ids=SOURCE_PARTS)
def test_parts_of_source_code(language: str, text: str, expected: str) -> None:
    assert part(text, language) == expected


def test_every_language_of_code_has_a_lexer() -> None:
    assert [name for name in LANGUAGES if name not in LEXED] == ["markdown", "text"]


def test_a_check_without_parts_applies_everywhere_and_one_with_parts_only_there() -> None:
    structure = structure_of("a `b`", "markdown")
    assert structure.is_in(3, ())
    assert structure.is_in(3, (CODE, COMMENTS))
    assert not structure.is_in(3, (PROSE,))


MASKED = {
    "code span": ("the `not` HERE", "the XXXXX HERE"),
    "own code span": ("a `not HERE`", "a `XXXXHERE`"),
    "address": ("see https://a.b/not HERE", "see XXXXXXXXXXXXXXX HERE"),
    "emphasis": ("do _not_ HERE", "do  not  HERE"),
    "quote marks": ("> do\n> not HERE", "do   not HERE"),
    "tag": ("do <b>not</b> HERE", "do    not     HERE"),
    "struck out by a tag": ("do <s>not</s> HERE", "do            HERE"),
    "comment": ("do <!-- not --> HERE", "do              HERE"),
    "code block in a language": ("```python\nx = not HERE\n```", "X = XXX HERE"),
    "comment of a code block": ("> ```js\n> HERE(1) // not\n> ```", "> HERE(X) // not"),
    "struck out": ("do ~~not~~ HERE", "do         HERE"),
    "alternative text": ("do ![not](x.png) HERE", "do               HERE"),
}


@pytest.mark.parametrize(("text", "expected"), MASKED.values(), ids=MASKED)
def test_only_what_a_reader_sees_as_words_can_be_read_in_a_masked_sentence(text: str, expected: str) -> None:
    assert masked(text) == expected


MASKED_CODE = {
    "operator": ("python", "x = not HERE(y)", "X = XXX HERE(X)"),
    "comment": ("python", "x = 1  # do not HERE", "X = X  # do not HERE"),
    "string": ("python", "fail('do not HERE')", "XXXX('do not HERE')"),
    "string before code": ("python", "fail('not', HERE)", "XXXX('XXX', HERE)"),
    "string around code": ("python", "x = f'not {HERE}'", "X = X'XXX {HERE}'"),
    "comment before a comment": ("javascript", "/* not */ x /* HERE */", "/* XXX */ X /* HERE */"),
}


@pytest.mark.parametrize(("language", "text", "expected"), MASKED_CODE.values(), ids=MASKED_CODE)
def test_words_of_code_cannot_be_read_in_a_masked_sentence(language: str, text: str, expected: str) -> None:
    assert masked(text, language) == expected


def test_a_masked_sentence_ends_where_its_words_are_too_far_away() -> None:
    text = "a " * REACH + "HERE" + " b" * REACH
    start = text.index("HERE")
    sentence, first, last = structure_of(text, "text").masked_sentence(start, start + 4)
    assert (len(sentence), first, last) == (2 * REACH + 4, REACH, REACH + 4)


@pytest.mark.parametrize("before", [5_990, 8_000, 16_000])
@pytest.mark.parametrize(("text", "expected"), MASKED.values(), ids=MASKED)
def test_a_masked_sentence_is_the_same_far_behind_other_text(text: str, expected: str, before: int) -> None:
    assert masked("word\n" * (before // 5) + "\n" + text) == expected


STOPS = [". ", "? ", "! ", "... ", "… ", "。", "। ", "e.g. ", "etc. ", "J. ", "x. ", "src/a. "]
PROSE_PIECES = st.sampled_from([*STOPS, "One ", "two", "3", " ", "\n", *'"()“”「」'])


@given(st.lists(PROSE_PIECES, max_size=30).map("".join), st.booleans())
def test_sentences_leave_out_nothing_but_blanks(text: str, cuts_in_doubt: bool) -> None:
    spans = sentences(text, cuts_in_doubt=cuts_in_doubt)
    edges = [0, *(edge for span in spans for edge in span), len(text)]
    assert edges == sorted(edges)
    assert "".join(text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)).strip() == ""


MARKS = "- |1. |> |# |`|```\n|    |*|_|[|](|)|<!--|-->|<p>|<b>|---\n|\\"
ODD = "|\n|\r\n|\r|\n\n|\ufeff|\udcff|\0|é|。|😀|https://a.b/c| |a|Not b."
PIECES = st.sampled_from([*MARKS.split("|"), *ODD.split("|"), "|", "|-|-|\n"])


@given(st.lists(PIECES, max_size=40).map("".join), st.data(), st.sampled_from(["markdown", "text", "python", ""]))
def test_every_match_lies_in_its_sentence_and_masks_keep_lengths(text: str, data: st.DataObject, language: str) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    structure = structure_of(text, language)
    first, last = structure.sentence_at(start, end)
    assert 0 <= first <= start <= end <= last <= len(text)
    sentence, begin, until = structure.masked_sentence(start, end)
    assert (len(sentence), begin, until) == (last - first, start - first, end - first)
    assert sentence[begin:until] == structure.text[start:end]
    assert structure.part_at(start) in (PARTS if language else (CODE, ANY_PART))


DOCUMENTS = {
    "fences": "a\n\n```js\nb. c\n```\n\n~~~\nd\n\ne\n~~~\n\n    f\n\ng\n",
    "fence in a list": "1. a\n\n   ```\n   b\n   ```\n2. c\n",
    "table": "a | b\n--- | :---:\nc `d` | e\\|f\n\ng\n",
    "table in a quote": "> | a | b |\n> | --- | --- |\n> | c | d |\n",
    "loose list": "* a\n\n  b\n\n* c\n",
    "quotes": "> a\nb\n>> c\n\n> d\n",
    "headings": "# a\n\nb\nc\n===\n\n### d ###\n",
    "HTML": "<div>\na\n</div>\n\nb <i>c</i>\n",
}


def words_of(texts: list[str]) -> list[list[str]]:
    return [words for words in (re.findall(r"\w+", text) for text in texts) if words]


@pytest.mark.parametrize("text", DOCUMENTS.values(), ids=DOCUMENTS)
def test_another_parser_sees_the_same_blocks(text: str) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    layout = layout_of(text)
    in_html = {token.content.strip() for token in tokens if token.type == "html_block"}
    blocks = [
        text[start:end]
        for start, end in layout.blocks()
        if not any(text[start:end].strip() in html for html in in_html)
    ]
    assert words_of(blocks) == words_of([token.content for token in tokens if token.type == "inline"])


@pytest.mark.parametrize("text", DOCUMENTS.values(), ids=DOCUMENTS)
def test_another_parser_sees_the_same_code(text: str) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    structure = structure_of(text, "markdown")
    ours = {found[0] for found in re.finditer(r"\w+", text) if structure.part_at(found.start()) == CODE}
    spans = [child for token in tokens for child in token.children or () if child.type == "code_inline"]
    blocks = [token for token in tokens if token.type in ("fence", "code_block")]
    theirs = {word for token in (*spans, *blocks) for word in re.findall(r"\w+", f"{token.info} {token.content}")}
    assert ours == theirs
