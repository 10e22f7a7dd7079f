"""Which sentence or paragraph a match is in, and what goes with it."""

from __future__ import annotations

import pytest

from review_gate.checks.boundaries import Layout
from review_gate.checks.languages import MARKDOWN
from review_gate.checks.removal import removals
from review_gate.checks.text_blocks import Span


def sentence_span(text: str, start: int, end: int, language: str = MARKDOWN) -> Span | None:
    return Layout(text, language).sentence(start, end)


def paragraph_span(text: str, start: int, end: int, language: str = MARKDOWN) -> Span | None:
    return Layout(text, language).paragraph(start, end)


def place(marked: str) -> tuple[str, int, int]:
    """A text and the span between its angle marks."""
    start = marked.index("⟨")
    end = marked.index("⟩") - 1
    return marked.replace("⟨", "").replace("⟩", ""), start, end


SENTENCES = {
    "a period and a blank end it": ("One is. Two ⟨eval⟩ is. Three.", "Two eval is."),
    "the first of a text": ("⟨eval⟩ is. Two.", "eval is."),
    "the last has no blank behind it": ("One is. ⟨eval⟩ is", "eval is"),
    "a question mark": ("Is ⟨eval⟩ it? Yes.", "Is eval it?"),
    "an exclamation mark": ("No ⟨eval⟩! Yes.", "No eval!"),
    "both": ("No ⟨eval⟩?! Yes.", "No eval?!"),
    "a period at the end of a line": ("One is.\n⟨eval⟩ is.\nThree.", "eval is."),
    "a wrapped sentence": ("One is. Two\n⟨eval⟩ is. Three.", "Two\neval is."),
    "wrapped with CRLF": ("One is. Two\r\n⟨eval⟩ is. Three.", "Two\r\neval is."),
    "wrapped with CR": ("One is. Two\r⟨eval⟩ is. Three.", "Two\reval is."),
    "wrapped in a quotation": ("> One is. Two\n> ⟨eval⟩ is. Three.", "Two\n> eval is."),
    "a lower-case word can begin one": ("foo is bad. ⟨eval⟩ is worse. bar.", "eval is worse."),
    "e.g.": ("Use a call, e.g. ⟨eval⟩ here. Then.", "Use a call, e.g. eval here."),
    "i.e.": ("A call, i.e. ⟨eval⟩ here. Then.", "A call, i.e. eval here."),
    "etc. within": ("Use ⟨eval⟩ etc. and so on. Then.", "Use eval etc. and so on."),
    "approx. within": ("About ⟨eval⟩ approx. five. Then.", "About eval approx. five."),
    "a title": ("Ask ⟨eval⟩ and Dr. Smith. Then.", "Ask eval and Dr. Smith."),
    "an ordinary word that is also short for one": ("One ⟨eval⟩ in the id. Then.", "One eval in the id."),
    "short for one before a quotation": ('One ⟨eval⟩ in the ref. "Then" it is.', "One eval in the ref."),
    "short for one before a number": ("See ⟨eval⟩ in fig. 3 here. Then.", "See eval in fig. 3 here."),
    "etc. before a capital letter": ("Use ⟨eval⟩ etc. Then.", "Use eval etc."),
    "short for one in a quotation": ('He "is in the id. Or ⟨eval⟩." Then.', 'He "is in the id. Or eval."'),
    "a country before a name": ("One is. The U.S. Army has ⟨eval⟩. Then.", "The U.S. Army has eval."),
    "a country and a name on the next line": ("In the U.S.\nArmy is ⟨eval⟩. Then.", "In the U.S.\nArmy is eval."),
    "a rank": ("One is. Ask Gen. Smith for ⟨eval⟩. Then.", "Ask Gen. Smith for eval."),
    "a mountain": ("One is. On Mt. Everest is ⟨eval⟩. Then.", "On Mt. Everest is eval."),
    "initials": ("By ⟨eval⟩ and J. R. Smith. Then.", "By eval and J. R. Smith."),
    "a version": ("The ⟨eval⟩ of v1.2.3 is. Then.", "The eval of v1.2.3 is."),
    "a version at the end": ("The ⟨eval⟩ of v1.2. Then.", "The eval of v1.2."),
    "the name of a variable": ("The ⟨eval⟩ of x. Then.", "The eval of x."),
    "a path at the end": ("The ⟨eval⟩ in src/a.b. Then.", "The eval in src/a.b."),
    "a decimal number": ("A ⟨eval⟩ of 3.5 is. Then.", "A eval of 3.5 is."),
    "a file name": ("A ⟨eval⟩ in foo.py is. Then.", "A eval in foo.py is."),
    "a file name at the end": ("A ⟨eval⟩ in foo.py. Then.", "A eval in foo.py."),
    "an address at the end": ("See ⟨eval⟩ at https://a.b/c. Then.", "See eval at https://a.b/c."),
    "three dots": ("Well ⟨eval⟩ ... And so. Then.", "Well eval ... And so."),
    "three dots at a word": ("Well ⟨eval⟩... and so. Then.", "Well eval... and so."),
    "a code span": ("Use `a. ⟨eval⟩. b` here. Then.", "Use `a. eval. b` here."),
    "a link": ("Use [a. ⟨eval⟩](b. c) here. Then.", "Use [a. eval](b. c) here."),
    "a quotation is whole": ('He said "Stop. ⟨eval⟩." Then left.', 'He said "Stop. eval."'),
    "a question within a sentence": ('He asked "why ⟨eval⟩?" and left. Then.', 'He asked "why eval?" and left.'),
    "a sentence in brackets": ("One. (Use the ⟨eval⟩ one.) Then.", "(Use the eval one.)"),
    "behind a sentence in brackets": ("(One is.) Use ⟨eval⟩. Then.", "Use eval."),
    "a bracket within a quotation": ('He said "one (two.) Use ⟨eval⟩." Then.', 'He said "one (two.) Use eval."'),
    "code behind a quotation": ('"Use ⟨eval⟩." `Then` more.', '"Use eval."'),
    "code behind emphasis": ("**One is.** `⟨eval⟩` is.", "`eval` is."),
    "a link behind emphasis": ("**One is.** [⟨eval⟩](a) is.", "[eval](a) is."),
    "code behind a short word": ("Use ⟨eval⟩ in the id. `Then` more.", "Use eval in the id."),
    "a tag behind a period": ("Use ⟨eval⟩.<br/> Then.", "Use eval.<br/>"),
    "a tag without blanks": ("One is.<br/>Use ⟨eval⟩. Then.", "Use eval."),
    "a sentence in tags": ("<b>One is.</b> Use ⟨eval⟩. Then.", "Use eval."),
    "a note behind a period": ("Use ⟨eval⟩.[^1] Then.", "Use eval.[^1]"),
    "behind a note that is a link too": ("One is.[^1] Use ⟨eval⟩.\n\n[^1]: a", "Use eval."),
    "emphasis on one sentence": ("**Use ⟨eval⟩.** Then.", "**Use eval.**"),
    "emphasis on two sentences": ("**Use ⟨eval⟩. Or not.** Then.", "Use eval."),
    "emphasis on a part with two": ("Say **use ⟨eval⟩. Or** not. Then.", "Say **use eval. Or** not."),
    "a bullet": ("- one\n- two ⟨eval⟩\n- three", "two eval"),
    "a bullet with two": ("- one\n- Two ⟨eval⟩. Three\n- four", "Two eval."),
    "a wrapped bullet": ("- two ⟨eval⟩\n  goes on\n- three", "two eval\n  goes on"),
    "a numbered bullet": ("1. one\n2. two ⟨eval⟩\n", "two eval"),
    "a task": ("- [ ] two ⟨eval⟩\n", "two eval"),
    "a mark of a bullet belongs to its text": ("⟨- ⟩one is. Two.\n- three", "one is. Two."),
    "a heading": ("# Use ⟨eval⟩\ntext", "Use eval"),
    "a closed heading": ("## Use ⟨eval⟩ ##\ntext", "Use eval"),
    "a heading with a line below": ("Use ⟨eval⟩\n===\ntext", "Use eval"),
    "a cell of a table": ("| a | b |\n| - | - |\n| c | Use ⟨eval⟩ |\n", "Use eval"),
    "a cell with two": ("| a |\n| - |\n| Use ⟨eval⟩. Then |\n| b |", "Use eval."),
    "a cell and the blanks around a match": ("| a | b |\n| - | - |\n| c |⟨ eval ⟩|\n", "eval"),
    "a cell with a pipe": ("| a |\n| - |\n| One. Use \\| ⟨eval⟩. Two. |\n", "Use \\| eval."),
    "the last cell without a pipe behind it": ("a | b\n- | -\nc | Use ⟨eval⟩\n", "Use eval"),
    "a line below a table": ("| a |\n| - |\nUse ⟨eval⟩. Then.\n", "Use eval."),
    "a line in a fence": ("```\na. b\nx = ⟨eval⟩. c\n```\n", "x = eval. c"),
    "a line in an indented block": ("a\n\n    b. c\n    ⟨eval⟩. d\n", "eval. d"),
    "a line of front matter": ("---\na: b\nc: ⟨eval⟩. d\n---\ntext", "c: eval. d"),
    "a blank line ends it": ("one\n\ntwo ⟨eval⟩\n\nthree", "two eval"),
    "a definition of a link": ("one\n\n[a]: http://⟨eval⟩\n", "[a]: http://eval"),
    "a match over two sentences": ("One is. Two ⟨a. Three b⟩ c. Four.", "Two a. Three b c."),
    "a match over two paragraphs": ("One. Two ⟨a.\n\nThree b⟩ c. Four.", "Two a.\n\nThree b c."),
    "a byte order mark is not in it": ("\ufeff⟨eval⟩ is. Two.", "eval is."),
    "escaped marks": ("One is. \\*⟨eval⟩\\* is. Three.", "\\*eval\\* is."),
    "a path with backslashes at the end": ("The ⟨eval⟩ in C:\\a. Then.", "The eval in C:\\a."),
    "quotation marks keep two together": ("It says (use ⟨eval⟩. Or not). Then.", "It says (use eval. Or not)."),
    "wide full stops": ("一。⟨eval⟩。三。", "eval。"),
    "a wide question mark": ("一\uff1f⟨eval⟩\uff01三。", "eval\uff01"),
    "a path before a wide full stop": ("一src/a。⟨eval⟩。", "eval。"),
    "emphasis with wide full stops": ("**一。⟨eval⟩。** 三。", "**一。eval。** 三。"),
    "emphasis on nothing but wide full stops": ("**一。⟨eval⟩。**", "eval。"),
    "bytes that are no UTF-8": ("One \udcff. Two\udce9 ⟨eval⟩ is. Three.", "Two\udce9 eval is."),
}


@pytest.mark.parametrize(("marked", "expected"), SENTENCES.values(), ids=SENTENCES)
def test_a_sentence_is_found_around_a_match(marked: str, expected: str) -> None:
    text, start, end = place(marked)
    span = sentence_span(text, start, end)
    assert span is not None
    assert text[slice(*span)] == expected


PARAGRAPHS = {
    "between blank lines": ("One.\n\nTwo\n⟨eval⟩. Three\n\nFour.", "Two\neval. Three"),
    "the whole text": ("Two ⟨eval⟩. Three", "Two eval. Three"),
    "a bullet": ("- one\n- two ⟨eval⟩\n- three", "- two eval"),
    "a starred bullet": ("* one\n* two ⟨eval⟩\n", "* two eval"),
    "a bullet with plus": ("+ one\n+ two ⟨eval⟩\n", "+ two eval"),
    "a numbered bullet": ("1. one\n2. two ⟨eval⟩\n", "2. two eval"),
    "with its continuation": ("- one\n- two ⟨eval⟩\n  goes on\n- three", "- two eval\n  goes on"),
    "from its continuation": ("- one\n- two\n  goes on ⟨eval⟩\n- three", "- two\n  goes on eval"),
    "with its nested bullets": ("- two ⟨eval⟩\n  - a\n    - b\n- three", "- two eval\n  - a\n    - b"),
    "a nested bullet alone": ("- two\n  - a ⟨eval⟩\n  - b\n", "- a eval"),
    "with its second paragraph": ("- two ⟨eval⟩\n\n  more\n- three", "- two eval\n\n  more"),
    "a second paragraph alone": ("- two\n\n  more ⟨eval⟩\n- three", "more eval"),
    "a heading alone": ("# Use ⟨eval⟩\ntext", "# Use eval"),
    "a text without its heading": ("# Head\ntext ⟨eval⟩\n", "text eval"),
    "a table": ("a\n\n| a |\n| - |\n| ⟨eval⟩ |\n| b |\n\nc", "| a |\n| - |\n| eval |\n| b |"),
    "between blank lines of a fence": ("```\na\nb ⟨eval⟩\n\nc\n```", "a\nb eval"),
    "in a quotation": ("> one\n>\n> two ⟨eval⟩\n> three\n", "two eval\n> three"),
}


@pytest.mark.parametrize(("marked", "expected"), PARAGRAPHS.values(), ids=PARAGRAPHS)
def test_a_paragraph_is_found_around_a_match(marked: str, expected: str) -> None:
    text, start, end = place(marked)
    span = paragraph_span(text, start, end)
    assert span is not None
    assert text[slice(*span)] == expected


def test_in_code_a_sentence_is_a_line_and_a_paragraph_what_blank_lines_enclose() -> None:
    text, start, end = place("# One. Two\nif x:\n    log('a. ⟨eval⟩. b')\n\ny()\n")
    sentence, paragraph = (find(text, start, end, "python") for find in (sentence_span, paragraph_span))
    assert sentence and text[slice(*sentence)] == "log('a. eval. b')"
    assert paragraph and text[slice(*paragraph)] == "# One. Two\nif x:\n    log('a. eval. b')"


TOGETHER = {
    "the head of a table": "| ⟨eval⟩ |\n| - |\n| b |\n",
    "the mark of a cell": "| a | b |\n| - | - |\n| c ⟨|⟩ d |\n",
    "two cells": "| a | b |\n| - | - |\n| ⟨c | d⟩ |\n",
    "a cell too many": "| a |\n| - |\n| c | ⟨eval⟩ |\n",
    "a first cell without a mark before it": "a | b\n- | -\n⟨eval⟩ | c\n",
    "the only cell of a row that is not closed": "| a\n| -\n| ⟨eval⟩\n| b\n",
    "the line below a head": "| a |\n| ⟨---⟩ |\n| b |\n",
    "a fence": "```⟨eval⟩\na\n```\n",
    "the line below a heading": "Head\n⟨===⟩\n",
}


@pytest.mark.parametrize("marked", TOGETHER.values(), ids=TOGETHER)
def test_what_holds_a_block_together_is_no_sentence(marked: str) -> None:
    assert sentence_span(*place(marked)) is None


def without(marked: str, *, is_paragraph: bool = False, language: str = "markdown") -> str:
    """The text after the sentences or paragraphs of its marked places are gone."""
    text, pieces = "", []
    for part in marked.split("⟨"):
        inside, _, outside = part.partition("⟩") if "⟩" in part else ("", "", part)
        if inside:
            pieces.append((len(text), len(text) + len(inside)))
        text += inside + outside
    layout = Layout(text, language)
    spans = [layout.paragraph(*piece) if is_paragraph else layout.sentence(*piece) for piece in pieces]
    for start, end in reversed(removals(layout, [span for span in spans if span])):
        text = text[:start] + text[end:]
    return text


GONE = {
    "in the middle of a line": ("One is. Two ⟨eval⟩ is. Three is.", "One is. Three is."),
    "at the end of a line": ("One is. Two ⟨eval⟩ is.\nThree is.\n", "One is.\nThree is.\n"),
    "at the start of a line": ("One is.\nTwo ⟨eval⟩ is. Three is.\n", "One is.\nThree is.\n"),
    "a whole line": ("One is.\nTwo ⟨eval⟩ is.\nThree is.\n", "One is.\nThree is.\n"),
    "from one line into the next": ("One is. Two\n⟨eval⟩ is. Three is.\n", "One is. Three is.\n"),
    "up to the end of the next": ("One is. Two\n⟨eval⟩ is.\nThree is.\n", "One is.\nThree is.\n"),
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
    "a bullet with others below a blank line": ("- ⟨eval⟩\n\n  - b\n", "-\n  - b\n"),
    "a bullet with a quotation below": ("> - ⟨eval⟩\n>\n>   > b\n", "> -\n>   > b\n"),
    "the first line of a bullet": ("- a\n- ⟨eval⟩ is.\n  Two is.\n- c\n", "- a\n- Two is.\n- c\n"),
    "the first line of a bullet, with CRLF": ("- ⟨eval⟩ is.\\\r\n  Two is.\r\n", "- Two is.\r\n"),
    "the first line of a task": ("* [ ] ⟨eval⟩ is.\nTwo is.\n", "* [ ] Two is.\n"),
    "the first line of a quoted bullet": ("> - ⟨eval⟩ is.\n>   *Two* is.\n", "> - *Two* is.\n"),
    "the first lines of a bullet": ("1. ⟨eval⟩.\n   ⟨eval⟩.\n   Two.\n", "1. Two.\n"),
    "the first paragraph of a bullet": ("- ⟨eval⟩.\n\n  Two.\n- b\n", "- Two.\n- b\n"),
    "the first paragraph of a bullet and more": ("- ⟨eval⟩.\n\n  ⟨eval⟩.\n  Two.\n- b\n", "- Two.\n- b\n"),
    "the first of two paragraphs and half a quotation": ("- ⟨eval⟩.\n\n  > ⟨eval⟩.\n  > Two.\n", "-\n  > Two.\n"),
    "the first line of what is emphasised": ("- **⟨eval⟩.\n  So.** Then.\n", "- **So.** Then.\n"),
    "a bullet in a bullet": ("a\n\n- - ⟨eval⟩\n  - ⟨eval⟩\n\nb\n", "a\n\nb\n"),
    "a heading": ("# ⟨eval⟩\n\ntext\n", "text\n"),
    "a heading with a line below": ("⟨eval⟩\n====\n\ntext\n", "text\n"),
    "a cell": ("| a | b |\n|---|---|\n| ⟨eval⟩. | c |\n", "| a | b |\n|---|---|\n| | c |\n"),
    "a cell without blanks": ("|a|b|\n|-|-|\n|⟨eval⟩|c|\n", "|a|b|\n|-|-|\n||c|\n"),
    "the last cell": ("| a | b |\n|---|---|\n| c | ⟨eval⟩ |\n", "| a | b |\n|---|---|\n| c | |\n"),
    "the last cell without a mark behind it": ("a | b\n--|--\nc | ⟨eval⟩\n", "a | b\n--|--\nc |\n"),
    "all cells": ("| a | b |\n|---|---|\n| ⟨eval⟩ | ⟨eval⟩ |\n\nc\n", "| a | b |\n|---|---|\n| | |\n\nc\n"),
    "half a cell": ("> | a |\n> | - |\n> | One. ⟨eval⟩. |\n", "> | a |\n> | - |\n> | One. |\n"),
    "a table before a quotation": (
        "| a |\n| - |\n| ⟨eval⟩. |\n\n> ⟨eval⟩. Two.\n",
        "| a |\n| - |\n| |\n\n> Two.\n",
    ),
    "all of a fence": ("One.\n\n```\n⟨eval⟩\n```\n\nTwo.\n", "One.\n\nTwo.\n"),
    "one line of a fence": ("```\n⟨eval⟩\nb\n```\n", "```\nb\n```\n"),
    "all of what is emphasised": ("**⟨eval⟩ is. ⟨eval⟩ too.** Then.\n", "Then.\n"),
    "one of what is emphasised": ("**⟨eval⟩ is. So.** Then.\n", "**So.** Then.\n"),
    "the last of what is emphasised": ("**One is. ⟨eval⟩ is.**\n", "**One is.**\n"),
    "the last of what is emphasised before more": ("_One is. ⟨eval⟩ is._ Then.\n", "_One is._ Then.\n"),
    "the last of what is struck out": ("Then. ~~One is. ⟨eval⟩ is.~~", "Then. ~~One is.~~"),
    "the last two of what is emphasised": ("*One is. ⟨eval⟩ is. ⟨eval⟩ too.*\n", "*One is.*\n"),
    "the last of what is emphasised twice": ("**One is. *Two is. ⟨eval⟩ is.***\n", "**One is. *Two is.***\n"),
    "all of the inner emphasis": ("**One is. *⟨eval⟩ is. ⟨eval⟩ too.***\n", "**One is.**\n"),
    "the last of what is emphasised, on its line": ("- **One is.\n  ⟨eval⟩ is.** Then.\n", "- **One is.** Then.\n"),
    "the same in a quotation": ("> *One is.  \r\n> ⟨eval⟩ is.*\r\n", "> *One is.*\r\n"),
    "the same behind a break": ("*One is. \\\n⟨eval⟩ is.*\n", "*One is.*\n"),
    "the last of what is emphasised and the next": ("**One is. ⟨eval⟩ is.** So ⟨eval⟩.\n", "**One is.**\n"),
    "the last of what is emphasised in a cell": (
        "| a |\n|---|\n| **One is. ⟨eval⟩ is.** |\n",
        "| a |\n|---|\n| **One is.** |\n",
    ),
    "the last of a heading with marks behind it": ("# One is. ⟨eval⟩ is. #\n", "# One is. #\n"),
    "before a hard break": ("One is. ⟨eval⟩ is.  \nThree.\n", "One is.  \nThree.\n"),
    "before a backslash": ("One is. ⟨eval⟩ is.\\\nThree.\n", "One is.\\\nThree.\n"),
    "a bullet with a break in vain": ("One:\n\n- ⟨eval⟩ is. \\\n", "One:\n"),
    "an indented bullet with a break in vain": ("One:\n\n  - ⟨eval⟩ is. \\\n", "One:\n"),
    "an indented number with a break in vain": ("One:\n\n   1. ⟨eval⟩ is. \\\n", "One:\n"),
    "a quoted bullet with a break in vain": ("> One:\n>\n>  - ⟨eval⟩ is.\t\\\n", "> One:\n"),
    "a bullet with a break in vain, CR": ("One:\r\r  - ⟨eval⟩ is. \\\r", "One:\r"),
    "a bullet with a break in vain, CRLF": ("One:\r\n\r\n  - ⟨eval⟩ is. \\\r\n", "One:\r\n"),
    "a bullet with a break in vain, no final line end": ("One:\n\n  - ⟨eval⟩ is. \\", "One:"),
    "a bullet with a break in vain and a blank": ("One:\n\n  - ⟨eval⟩ is. \\ \n", "One:\n"),
    "a bullet with a break in vain before others": ("  - ⟨eval⟩ is. \\\n\n  - two\n", "  - two\n"),
    "a bullet with a break in vain and others below": ("  - ⟨eval⟩ is. \\\n    - two\n", "  -\n    - two\n"),
    "a heading with a break in vain": ("# ⟨eval⟩ is. \\\n\ntext\n", "text\n"),
    "half a bullet with a break in vain": ("  - One is. ⟨eval⟩ is. \\\n", "  - One is. \\\n"),
    "a bullet of a backslash": ("  - ⟨eval⟩ is.\n    \\\n", "  - \\\n"),
    "an escaped backslash": ("  - ⟨eval⟩ is. \\\\\n", "  - \\\\\n"),
    "both sides of a break": ("Use ⟨eval⟩.\\\nUse ⟨eval⟩ too.\n\nTwo.\n", "Two.\n"),
    "both sides of a break in a bullet": ("One:\n\n- Use ⟨eval⟩.\\\r\n  Use ⟨eval⟩ too.\r\n", "One:\n"),
    "one side of a break in a bullet": ("- Use ⟨eval⟩.\\\n  Use it. Use ⟨eval⟩.\n", "- Use it.\n"),
    "the whole text": ("⟨eval⟩ is.\n", ""),
    "all but the byte order mark": ("\ufeff⟨eval⟩ is.\n", "\ufeff"),
    "no final line end": ("One.\n\n⟨eval⟩ is.", "One."),
    "no final line end, from a list": ("- one\n- ⟨eval⟩", "- one"),
    "with a wide full stop": ("一。⟨eval⟩。三。\n", "一。三。\n"),
    "with a wide full stop at the end of a line": ("- 一。⟨eval⟩。\n  三。\n", "- 一。\n  三。\n"),
    "CRLF": ("One.\r\n\r\n⟨eval⟩ is.\r\n\r\nTwo.\r\n", "One.\r\n\r\nTwo.\r\n"),
    "CR": ("One.\r\r⟨eval⟩ is.\r\rTwo.\r", "One.\r\rTwo.\r"),
    "more blank lines": ("One.\n\n\n⟨eval⟩ is.\n\n\nTwo.\n", "One.\n\n\nTwo.\n"),
    "the only bullet": ("One:\n\n- ⟨eval⟩\n\nTwo.\n", "One:\n\nTwo.\n"),
    "the last bullet": ("- one\n- ⟨eval⟩\n\nTwo.\n", "- one\n\nTwo.\n"),
    "the end of a paragraph and the start of the next": ("One. ⟨eval⟩.\n\n⟨eval⟩. Two.\n", "One.\n\nTwo.\n"),
    "the same with CRLF": ("One. ⟨eval⟩.\r\n\r\n⟨eval⟩. Two.\r\n", "One.\r\n\r\nTwo.\r\n"),
    "before and in a quotation": ("One. ⟨eval⟩.\n\n> ⟨eval⟩. Two.", "One.\n\n> Two."),
    "a paragraph before a quotation": ("P ⟨eval⟩.\n\n> q ⟨eval⟩. keep.", "> keep."),
    "a bullet before a quotation": ("- One. ⟨eval⟩.\n\n> ⟨eval⟩. Two.", "- One.\n\n> Two."),
    "two quotations": ("> One. ⟨eval⟩.\n\n> ⟨eval⟩. Two.", "> One.\n\n> Two."),
    "two bullets": ("- One. ⟨eval⟩.\n- ⟨eval⟩. Two.\n", "- One.\n- Two.\n"),
    "two lines of a paragraph": ("One. ⟨eval⟩.\n⟨eval⟩. Two.\n", "One.\nTwo.\n"),
    "two lines of a quotation": ("> One. ⟨eval⟩.\n> ⟨eval⟩. Two.\n", "> One.\n> Two.\n"),
    "paragraphs and the start of one": ("A.\n\n⟨eval⟩.\n\n> ⟨eval⟩.\n\n> ⟨eval⟩. B.\n", "A.\n\n> B.\n"),
    "the last paragraphs": ("One. ⟨eval⟩.\n\n⟨eval⟩.\n\n> ⟨eval⟩.\n", "One.\n"),
    "all paragraphs of a bullet": ("- a\n- ⟨eval⟩.\n\n  ⟨eval⟩.\n\n  > ⟨eval⟩.\n- c\n", "- a\n- c\n"),
    "between blank lines of a quotation": ("> One.\n>\n> ⟨eval⟩.\n>\n> Two.\n", "> One.\n>\n> Two.\n"),
}


@pytest.mark.parametrize(("marked", "expected"), GONE.values(), ids=GONE)
def test_a_sentence_goes_with_what_would_be_left_over(marked: str, expected: str) -> None:
    assert without(marked) == expected


GONE_PARAGRAPHS = {
    "in the middle": ("One.\n\nTwo ⟨eval⟩.\nThree.\n\nFour.\n", "One.\n\nFour.\n"),
    "the first": ("Two ⟨eval⟩.\n\nFour.\n", "Four.\n"),
    "the last": ("One.\n\nTwo ⟨eval⟩.\n", "One.\n"),
    "two that are neighbours": ("One.\n\n⟨eval⟩.\n\n⟨eval⟩.\n\nFour.\n", "One.\n\nFour.\n"),
    "a bullet with all below it": ("- one\n- ⟨eval⟩\n  - a\n\n  b\n- three\n", "- one\n- three\n"),
    "a nested bullet": ("- one\n  - ⟨eval⟩\n- three\n", "- one\n- three\n"),
    "a table": ("One.\n\n| a |\n| - |\n| ⟨eval⟩ |\n\nTwo.\n", "One.\n\nTwo.\n"),
}


@pytest.mark.parametrize(("marked", "expected"), GONE_PARAGRAPHS.values(), ids=GONE_PARAGRAPHS)
def test_a_paragraph_goes_with_one_of_the_blank_lines_around_it(marked: str, expected: str) -> None:
    assert without(marked, is_paragraph=True) == expected


def test_a_paragraph_goes_and_the_quotation_below_it_stays_one() -> None:
    text = "Keep\n\nP DROP.\n\n> q eval. keep.\n"
    layout = Layout(text)
    pieces = [layout.paragraph(8, 12), layout.sentence(19, 23)]
    (first, middle), (last, end) = removals(layout, [piece for piece in pieces if piece])
    assert text[:first] + text[middle:last] + text[end:] == "Keep\n\n> keep.\n"


def test_a_line_of_code_that_looks_like_a_mark_of_a_quotation_stays() -> None:
    assert without("<a\n  ⟨eval⟩\n>\n\n⟨eval⟩\n", language="html") == "<a\n>\n"
    assert without("text\n\n<div\n  ⟨eval⟩\n>\n</div>\n") == "text\n\n<div\n>\n</div>\n"


HOSTILE = {
    "nested quotations": ">" * 20_000 + " eval",
    "nested bullets": "".join("  " * depth + "- eval\n" for depth in range(300)),
    "brackets": "[" * 20_000 + "eval",
    "quotes": '"eval. ' * 20_000,
    "backticks": " ".join("`" * count for count in range(200)) + " eval",
    "emphasis": "*eval.* " * 5_000,
    "stops of other scripts": "你好。" * 30_000 + "eval",
    "one long line": "eval is. " * 20_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_have_sentences_too(text: str) -> None:
    start = text.index("eval")
    span = sentence_span(text, start, start + 4)
    assert span and span[0] <= start and start + 4 <= span[1]
