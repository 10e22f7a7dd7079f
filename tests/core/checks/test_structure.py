"""Sentences and parts of texts, by the structure that Markdown, plain text and source code have."""

from __future__ import annotations

import re
import sys

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
from review_gate.checks.structure import ANY_PART, REACH, Structure, structure_of

MARKDOWN_SENTENCES = {
    "one of two": ("First one. Second HERE. Third.", "Second HERE."),
    "soft-wrapped": ("A line\nand HERE\nits end. Next.", "A line\nand HERE\nits end."),
    "soft-wrapped with CRLF": ("A line\r\nand HERE\r\nits end.\r\nNext.\r\n", "A line\r\nand HERE\r\nits end."),
    "code block with CR": ("```\rnot\rHERE\r```\r", "HERE"),
    "hard break": ("Do not!\\\nUse HERE.", "Use HERE."),
    "hard break within a sentence": ("Do not\\\nuse HERE.", "Do not\\\nuse HERE."),
    "soft-wrapped with CR": ("A line\rand HERE.\rNext.\r\rMore", "A line\rand HERE."),
    "paragraph": ("One\n\nHERE\n\nThree\n", "HERE"),
    "behind a byte order mark": ("\ufeffOne. HERE", "HERE"),
    "not ASCII": ("Été. Ça HERE é. Fin.", "Ça HERE é."),
    "abbreviation": ("See e.g. HERE or etc. and so on. Next.", "See e.g. HERE or etc. and so on."),
    "version": ("Since 2.0 HERE works. Next.", "Since 2.0 HERE works."),
    "dotted name": ("Call System.Out.HERE now. Next.", "Call System.Out.HERE now."),
    "dot in a code span": ("Call `a. B` and HERE. Next.", "Call `a. B` and HERE."),
    "code span that begins one": ("First. `x` is HERE.", "`x` is HERE."),
    "emphasis around one": ("First. **HERE is it.** Last.", "**HERE is it.**"),
    "question": ("Really? HERE!", "HERE!"),
    "wide full stop": ("一。HERE。三。", "HERE。"),
    "wide full stop in a quotation": ("「一。」HERE。", "HERE。"),
    "full stop of another script": ("एक है। HERE है।", "HERE है।"),
    "path": ("One in src/a. HERE is it.", "HERE is it."),
    "path with backslashes": ("One in C:\\a. HERE is it.", "HERE is it."),
    "path within": ("One in src/a.b HERE. Next.", "One in src/a.b HERE."),
    "name of a variable": ("Change x. HERE is it.", "HERE is it."),
    "letter at the end": ("This is plan B. HERE it is.", "HERE it is."),
    "initials": ("That is by J. R. Smith HERE. Next.", "That is by J. R. Smith HERE."),
    "last word": ("One, two etc. HERE is it.", "HERE is it."),
    "short word before a number": ("See approx. 3 HERE. Next.", "See approx. 3 HERE."),
    "three dots": ("One... HERE is it.", "HERE is it."),
    "three dots within": ("One... two HERE.", "One... two HERE."),
    "one character for three dots": ("One… HERE is it.", "HERE is it."),
    "within quotes": ('They say "One two. HERE is it."', 'HERE is it."'),
    "within brackets": ("They (one two. HERE is it).", "HERE is it)."),
    "behind a bracket": ("(One two.) HERE is it.", "HERE is it."),
    "behind curly quotes": ("“One two.” HERE is it.", "HERE is it."),
    "question within": ('He asked "why?" and HERE. Next.', 'He asked "why?" and HERE.'),
    "signs that are no brackets": ("One < 5 s. HERE is it => two.", "HERE is it => two."),
    "tight item": ("- one\n- HERE two\n  three\n- four\n", "HERE two\n  three"),
    "loose item": ("- one\n\n- HERE\n\n  two\n", "HERE"),
    "nested item": ("- one\n  - HERE\n- two\n", "HERE"),
    "task": ("- [ ] one\n- [x] HERE\n", "[x] HERE"),
    "numbered item": ("1. one\n2. HERE\n", "HERE"),
    "heading": ("# One HERE\ntwo\n", "One HERE"),
    "underlined heading": ("One HERE\n---\ntwo\n", "One HERE"),
    "head of a table": ("| a | HERE |\n| --- | --- |\n| c | d |\n", "HERE"),
    "cell": ("| a | b |\n| --- | --- |\n| c | x HERE |\n", "x HERE"),
    "quote": ("> One\n> HERE.\n> Two.\n", "One\n> HERE."),
    "footnote": ("A[^1]\n\n[^1]: HERE it is.\n", "HERE it is."),
    "fenced code": ("One\n```\na\nb HERE c\nd\n```\n", "b HERE c"),
    "indented code": ("One\n\n    a. HERE b. c\n    d\n", "a. HERE b. c"),
    "front matter": ("---\na: b\nc: HERE\n---\nd\n", "c: HERE"),
    "comment": ("One <!-- two. HERE three. Four --> five", "HERE three."),
    "comment block": ("<!-- one\nHERE -->\n\nTwo\n", "<!-- one\nHERE -->"),
    "text of an HTML block": ("<p>One</p><p>HERE two</p>\n", "HERE two"),
    "reference": ("One\n\n[HERE]: https://example.org\n\nTwo\n", "[HERE]: https://example.org"),
    "address of a link": ("One. [two](https://example.org/HERE) three.", "[two](https://example.org/HERE) three."),
}


@pytest.mark.parametrize(("text", "expected"), MARKDOWN_SENTENCES.values(), ids=MARKDOWN_SENTENCES)
def test_a_sentence_of_markdown_ends_with_its_block(text: str, expected: str) -> None:
    assert sentence(text) == expected


TEXT_SENTENCES = {
    "soft-wrapped": ("One\nHERE. Two.\n", "One\nHERE."),
    "paragraph": ("One\n \nHERE\n\nTwo", "HERE"),
    "item": ("One:\n- two\n- HERE\n  three\n- four\n", "- HERE\n  three"),
    "numbered item": ("1. One\n2. HERE\n", "HERE"),
    "item with a number in brackets": ("(1) One\n(2) HERE\n", "(2) HERE"),
    "starred item": ("* one\n* HERE\n", "* HERE"),
    "under a ruler": ("One\n===\nHERE\n", "HERE"),
    "CRLF": ("One\r\n\r\nHERE\r\ntwo. Three\r\n", "HERE\r\ntwo."),
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


def test_an_empty_match_at_the_end_has_a_sentence() -> None:
    assert structure_of("One. Two", "markdown").sentence_at(8, 8) == (5, 8)
    assert structure_of("", "markdown").sentence_at(0, 0) == (0, 0)


MARKDOWN_PARTS = {
    "words": ("a HERE", PROSE),
    "heading": ("# HERE", PROSE),
    "code span": ("a `HERE` b", CODE),
    "after a code span": ("a `b` HERE", PROSE),
    "after a code span and umlauts": ("ää `ö` ü HERE", PROSE),
    "code span in a cell": ("| a | `HERE` |\n| --- | --- |\n", CODE),
    "fence": ("```py\nHERE\n```", CODE),
    "what a fence is in": ("```HERE\na\n```", CODE),
    "fence without an end": ("```\nHERE", CODE),
    "indented": ("a\n\n    HERE\n", CODE),
    "fence in a quote": ("> ```\n> HERE\n> ```\n", CODE),
    "behind a fence": ("```\na\n```\nHERE", PROSE),
    "front matter": ("---\ntitle: HERE\n---\n", CODE),
    "front matter behind a byte order mark": ("\ufeff---\ntitle: HERE\n---\n", CODE),
    "between rulers further down": ("a\n\n---\nHERE\n---\n", PROSE),
    "comment": ("a <!-- HERE --> b", COMMENTS),
    "comment of several lines": ("<!--\nHERE\n-->\n", COMMENTS),
    "comment without an end": ("<!--\nHERE\n", COMMENTS),
    "comment in an HTML block": ("<div>\n<!-- HERE -->\n</div>\n", COMMENTS),
    "behind a comment": ("<!-- a --> HERE\n", PROSE),
    "code in a tag": ("a <code>HERE</code>", CODE),
    "behind code in a tag": ("a <code>b</code> HERE", PROSE),
    "tag": ("a <b title='HERE'>c</b>", PROSE),
    "text of an HTML block": ("<div>\nHERE\n</div>\n", PROSE),
    "comment in code is code": ("`<!-- HERE -->`", CODE),
    "comment in a fence is code": ("```\n<!-- HERE -->\n```", CODE),
    "escaped backtick": ("\\`HERE\\`", PROSE),
}


@pytest.mark.parametrize(("text", "expected"), MARKDOWN_PARTS.values(), ids=MARKDOWN_PARTS)
def test_parts_of_markdown(text: str, expected: str) -> None:
    assert part(text) == expected


SOURCE_PARTS = {
    "python comment": ("python", "a = 1  # HERE\n", COMMENTS),
    "python docstring": ("python", 'def f():\n    """HERE"""\n', COMMENTS),
    "python string": ("python", "a = 'HERE # b'\n", CODE),
    "python hash in a string": ("python", "a = '# HERE'\n", CODE),
    "python with CRLF": ("python", "# a\r\nb = HERE\r\n", CODE),
    "python with CR": ("python", "# a\rb = HERE\r", CODE),
    "javascript": ("javascript", "a() /* b\nHERE */", COMMENTS),
    "javascript address": ("javascript", "a('https://HERE')", CODE),
    "typescript": ("typescript", "// HERE", COMMENTS),
    "go": ("go", "package a // HERE", COMMENTS),
    "rust": ("rust", "/// HERE\nfn a() {}", COMMENTS),
    "java": ("java", "/** HERE */ class A {}", COMMENTS),
    "kotlin": ("kotlin", "val a = 1 // HERE", COMMENTS),
    "c include": ("c", '#include "HERE"\n', CODE),
    "c macro": ("c", "#define HERE 1\n", CODE),
    "c comment": ("c", "int a; // HERE\n", COMMENTS),
    "cpp": ("cpp", "int a; /* HERE */\n", COMMENTS),
    "csharp": ("csharp", "// HERE\n", COMMENTS),
    "swift": ("swift", "let a = 1 // HERE\n", COMMENTS),
    "ruby": ("ruby", "a # HERE\n", COMMENTS),
    "php": ("php", "<?php a(); // HERE\n", COMMENTS),
    "shell": ("shell", "ls # HERE\n", COMMENTS),
    "shell variable": ("shell", "echo ${#HERE}\n", CODE),
    "powershell": ("powershell", "ls # HERE\n", COMMENTS),
    "sql": ("sql", "select 1 -- HERE\n", COMMENTS),
    "html": ("html", "<p>a</p><!-- HERE -->", COMMENTS),
    "html text": ("html", "<p>HERE</p>", CODE),
    "css": ("css", "a {} /* HERE */", COMMENTS),
    "yaml": ("yaml", "a: b # HERE\n", COMMENTS),
    "json": ("json", '{"a": "HERE"}', CODE),
    "toml": ("toml", "a = 1 # HERE\n", COMMENTS),
    "xml": ("xml", "<a/><!-- HERE -->", COMMENTS),
    "dockerfile": ("dockerfile", "FROM a\n# HERE\n", COMMENTS),
    "makefile": ("makefile", "# HERE\na: b\n", COMMENTS),
    "terraform": ("terraform", "# HERE\n", COMMENTS),
    "plain text": ("text", "# HERE `a`", PROSE),
    "python string over lines": ("python", "a = '''\n# HERE\n'''\n", CODE),
    "python f-string as a statement": ("python", "f'HERE {a}'\n", CODE),
    "javascript regex": ("javascript", "a = /[/*]HERE/\n", CODE),
    "behind a javascript regex": ("javascript", "if (a) /[/*\"']/.test(b) // HERE\n", COMMENTS),
    "text of JSX": ("javascript", "a = <b>it's // HERE</b>\n", CODE),
    "comment in JSX": ("javascript", "a = <b>{/* HERE */}</b>\n", COMMENTS),
    "JSX in typescript": ("typescript", "let a: A = <b>it's {c /* HERE */}</b>\n", COMMENTS),
    "cast in typescript": ("typescript", "let a = <A>b // HERE\n", COMMENTS),
    "C++ in a header": ("c", "template<class T> class A { T a; /* HERE */ };\n", COMMENTS),
    "heredoc": ("shell", "cat <<'E'\nit's\n# HERE\nE\n", CODE),
    "behind a heredoc": ("shell", "cat <<'E'\nit's\nE\n# HERE\n", COMMENTS),
    "heredoc of ruby": ("ruby", "a = <<~E\n  # HERE\nE\n", CODE),
    "heredoc of php": ("php", "<?php $a = <<<E\n// HERE\nE;\n", CODE),
    "html around php": ("php", "<p><!-- HERE --></p><?php a(); ?>", COMMENTS),
    "rust lifetime": ("rust", "fn a<'b>(c: &'b str) {} // HERE\n", COMMENTS),
    "rust raw string": ("rust", 'fn a() { b(r#"// " HERE"#); }\n', CODE),
    "go raw string": ("go", "package a\nvar b = `// HERE`\n", CODE),
    "script of html": ("html", "<script>a = '//'; // HERE\n</script>", COMMENTS),
    "script of html with an address": ("html", "<script src='a'>b(\"//\"); // HERE\n</script>", COMMENTS),
    "behind a script of html": ("html", "<script src='a'>// b\n</script><p>HERE</p>", CODE),
    "style of html": ("html", "<style>a {} /* HERE */</style>", COMMENTS),
    "unclosed string": ("python", "x = '''\n# HERE\n", ANY_PART),
    "address in yaml": ("yaml", "a: https://b/c#HERE\n", CODE),
    "string of sql over lines": ("sql", "select 'a\n-- HERE\n'\n", CODE),
    "comment behind a string, no grammar": ("kotlin", 'a("b") // HERE\n', ANY_PART),
    "comment over lines, no grammar": ("kotlin", "/* a\n HERE */ b()\n", COMMENTS),
    "string with a mark, no grammar": ("kotlin", 'a("// HERE")\n', CODE),
    "unknown": ("", "a HERE", CODE),
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
    "target of a link": ("[see](not) HERE", " see       HERE"),
    "emphasis": ("do _not_ HERE", "do  not  HERE"),
    "emphasis in a word": ("**Not**e HERE", "  NotXXe HERE"),
    "quote marks": ("> do\n> not HERE", "do   not HERE"),
    "tag": ("do <b>not</b> HERE", "do    not     HERE"),
    "code in a tag": ("do <code>not</code> HERE", "do       XXX        HERE"),
    "behind code in a tag": ("<code>a</code> not HERE", "      X        not HERE"),
    "struck out by a tag": ("do <s>not</s> HERE", "do            HERE"),
    "behind a hidden tag": ("<i hidden>a</i> not HERE", " " * 16 + "not HERE"),
    "comment": ("do <!-- not --> HERE", "do              HERE"),
    "inside a comment": ("a <!-- do not HERE --> b", "<!-- do not HERE -->"),
    "code block": ("```\nnot HERE\n```", "not HERE"),
    "code block in no known language": ("```quux\nnot HERE\n```", "not HERE"),
    "code block in a language": ("```python\nx = not HERE\n```", "X = XXX HERE"),
    "code block in a language by its suffix": ("~~~ py\nx = not HERE\n~~~", "X = XXX HERE"),
    "comment of a code block": ("> ```js\n> HERE(1) // not\n> ```", "> HERE(X) // not"),
    "struck out": ("do ~~not~~ HERE", "do         HERE"),
    "alternative text": ("do ![not](x.png) HERE", "do               HERE"),
    "hard break": ("do\\\nnot HERE", "do  not HERE"),
}


@pytest.mark.parametrize(("text", "expected"), MASKED.values(), ids=MASKED)
def test_only_what_a_reader_sees_as_words_can_be_read_in_a_masked_sentence(text: str, expected: str) -> None:
    assert masked(text) == expected


MASKED_CODE = {
    "operator": ("python", "x = not HERE(y)", "X = XXX HERE(X)"),
    "comment": ("python", "x = 1  # do not HERE", "X = X  # do not HERE"),
    "comment behind code": ("python", "HERE(x)  # do not copy", "HERE(X)  # do not copy"),
    "string": ("python", "fail('do not HERE')", "XXXX('do not HERE')"),
    "another string": ("python", "fail('not', 'HERE')", "XXXX('XXX', 'HERE')"),
    "string before code": ("python", "fail('not', HERE)", "XXXX('XXX', HERE)"),
    "string around code": ("python", "x = f'not {HERE}'", "X = X'XXX {HERE}'"),
    "comment before code": ("javascript", "/* not */ HERE(x)", "/* XXX */ HERE(X)"),
    "comment before a comment": ("javascript", "/* not */ x /* HERE */", "/* XXX */ X /* HERE */"),
    "unknown language": ("", "not HERE", "not HERE"),
    "code in a plain text": ("text", "the ``not`` HERE", "the XXXXXXX HERE"),
}


@pytest.mark.parametrize(("language", "text", "expected"), MASKED_CODE.values(), ids=MASKED_CODE)
def test_words_of_code_cannot_be_read_in_a_masked_sentence(language: str, text: str, expected: str) -> None:
    assert masked(text, language) == expected


def test_a_masked_sentence_ends_where_its_words_are_too_far_away() -> None:
    text = "a " * REACH + "HERE" + " b" * REACH
    start = text.index("HERE")
    sentence, first, last = structure_of(text, "text").masked_sentence(start, start + 4)
    assert (len(sentence), first, last) == (2 * REACH + 4, REACH, REACH + 4)


@pytest.mark.parametrize("before", [0, 5_990, 7_980, 7_990, 8_000, 9_990, 16_000])
@pytest.mark.parametrize(("text", "expected"), MASKED.values(), ids=MASKED)
def test_a_masked_sentence_is_the_same_far_behind_other_text(text: str, expected: str, before: int) -> None:
    assert masked("word\n" * (before // 5) + "\n" + text) == expected


def test_to_mask_one_more_match_of_a_long_sentence_is_little_work() -> None:
    text = "not HERE *so*\r" * 700
    structure = structure_of(text, "markdown")
    starts = [found.start() for found in re.finditer("HERE", text)]
    calls_to_mask(structure, starts[:1])
    assert calls_to_mask(structure, starts) < 100 * len(starts)


def calls_to_mask(structure: Structure, starts: list[int]) -> int:
    """How many functions of Python are called for some matches."""
    calls: list[str] = []
    before = sys.getprofile()
    sys.setprofile(lambda _frame, event, _argument: calls.append(event) if event == "call" else None)
    try:
        for start in starts:
            structure.masked_sentence(start, start + 4)
    finally:
        sys.setprofile(before)
    return len(calls)


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
    "table behind a paragraph": "x\n| a | b |\n| --- | --- |\n| c | d |\n",
    "table in a quote": "> | a | b |\n> | --- | --- |\n> | c | d |\n",
    "tight list": "- a\n  b\n- c\n  - d\n    e\n",
    "loose list": "* a\n\n  b\n\n* c\n",
    "list that begins with a number": "7) a\n8) b\n",
    "quotes": "> a\nb\n>> c\n\n> d\n",
    "headings": "# a\n\nb\nc\n===\n\n### d ###\n",
    "no heading": "#a\n\n\tb\n",
    "rulers": "a\n\n* * *\n\nb\n",
    "code that is no code": "- a\n\n      b\n\n  c\n",
    "HTML": "<div>\na\n</div>\n\nb <i>c</i>\n",
    "CRLF": "# a\r\n\r\n- b\r\n  c\r\n\r\n```\r\nd\r\n```\r\n",
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
