"""What looks like a comment to a lexer and is perhaps code, and what is a comment for sure."""

from __future__ import annotations

import re

import pytest

from review_gate.checks.rule import CODE, COMMENTS
from review_gate.checks.structure import ANY_PART, structure_of


def parts(text: str, language: str) -> set[str]:
    """The parts of every HERE in a text."""
    structure = structure_of(text + "\n", language)
    return {structure.part_at(found.start()) for found in re.finditer("HERE", text)}


ELEMENTS = {
    "glob in the text of an element": "a = () => <p>In <code>src/*.ts</code>.</p>;\nHERE\n/** The end. */",
    "address in the text of an element": "a = <p>See https://example.com {HERE}</p>",
    "mark behind a blank": "return (\n  <div>\n    // {HERE} /* {HERE}\n  </div>\n);",
    "apostrophe in a text": "a = <p>Don't</p>;\nb = 'https://c'; HERE",
    "backtick in a text": "a = <p>`</p>;\nb = `//`; HERE",
    "fragment": "a = <>// {HERE}</>",
    "element behind an operator": "a && <b.c>// {HERE}</b.c>",
    "element in an attribute": "a = <b c={() => <d>// {HERE}</d>} e={{f: '//'}}>// {HERE}</b>",
    "backslash in an attribute": "a = <b c='\\'>// {HERE}</b>",
    "types of an element": "a = <Select<string> b>// {HERE}</Select>",
    "types of types of an element": 'a = <Foo<Map<string, Array<number>>> b="1">\n // {HERE}\n</Foo>;',
    "function in the types of an element": "a = <Foo<(b: C<D>) => void> e>\n // {HERE}\n</Foo>;",
    "types of types of an inner element": "a = <p><Foo<Map<string, number>>>\n // {HERE}\n</Foo></p>;",
    "element that begins the text": "<p>See https://example.com {HERE}</p>",
    "line ends of Windows": "a = (\r\n<p>\r\n// {HERE}\r\n</p>)",
}
LITERALS = {
    "regex behind an arrow": "a = b => /^\\//.test(b) ? HERE : 0;",
    "string that its line end does not end": "a = 'b\\\n// '; HERE",
    "the same with line ends of Windows": "a = 'b\\\r\n// '; HERE",
    "quote without another": "a = b ' ;\nc = '// '; HERE",
    "regex with a flag that is new": "a = /b/v.test(`\n// ${HERE}\n`)",
    "object in a template": "a = `${{b: `//`}.b} // ${HERE}`; c('//'); HERE",
}


@pytest.mark.parametrize("language", ["javascript", "typescript"])
@pytest.mark.parametrize("text", (ELEMENTS | LITERALS).values(), ids=ELEMENTS | LITERALS)
def test_marks_in_elements_and_literals_of_javascript_open_no_comment(text: str, language: str) -> None:
    assert parts(text, language) == {CODE}


COMMENTS_OF_JAVASCRIPT = {
    "in an element": "a = <p>{/* HERE */}</p>",
    "in a tag": "a = <p // HERE\n  b='c' /* HERE */>d</p>",
    "in the braces of an element": "a = <p>{b // HERE\n}</p>",
    "below an element": "a = <p>b</p>;\n// HERE",
    "below a tag that closes itself": "a = <input disabled />;\n// HERE",
    "behind a comparison": "if (a < b && c > d) {} // HERE\ne = <b>f</b>",
    "behind a string": "a = 'b'; // HERE",
    "right behind a bracket": "a(/* HERE */ b);// HERE",
}
COMMENTS_OF_TYPESCRIPT = {
    "behind types of a function": "a = <T>(b: T) => b; // HERE",
    "behind types that extend others": "a = <T extends B>(c: T) => c; // HERE",
    "behind a list of types": "a = <T,>(b: T) => b; // HERE",
    "behind a type that is asserted": "a = <string>b; // HERE",
    "behind types of types": "type A = Array<B<string>>; // HERE",
}


@pytest.mark.parametrize(
    "text",
    (COMMENTS_OF_JAVASCRIPT | COMMENTS_OF_TYPESCRIPT).values(),
    ids=COMMENTS_OF_JAVASCRIPT | COMMENTS_OF_TYPESCRIPT,
)
def test_comments_beside_elements_and_types_stay_comments(text: str) -> None:
    assert parts(text, "typescript") == {COMMENTS}


DOUBTFUL = {
    "regex behind a bracket": ("javascript", "if (a) /^\\//.test(a) && HERE"),
    "set in a regex behind a bracket": ("javascript", "if (a) /[ //]/.test(a) && HERE"),
    "template below a backtick in a regex": ("javascript", "if (a) /`/.test(b);\nc = `\n// ${HERE}\n`"),
    "template behind a backtick in a regex": ("typescript", "if (a) /[`]/.test(`\n// ${HERE}\n`)"),
    "template behind a regex with a mark": ("javascript", "if (a) /[//]/.test(`\n// ${HERE}\n`)"),
    "element that is never closed": ("javascript", "a = <p>// {HERE}"),
    "element behind a brace": ("javascript", "} <p>// {HERE}</p>"),
    "shell behind a quote": ("shell", 'a "git+https://b.example/c.git"#egg=d; HERE'),
    "shell behind a brace": ("shell", "echo ${a}#b; HERE"),
    "shell behind an escaped blank": ("shell", "echo a\\ #b; HERE"),
    "shell in backticks": ("shell", "echo `echo # a`; HERE"),
    "SQL name in backticks": ("sql", "SELECT `a--b` FROM c; HERE"),
    "SQL name in backticks with blanks": ("sql", "SELECT `a -- b` FROM c; HERE"),
    "SQL name in brackets": ("sql", "SELECT [a -- b] FROM c; HERE"),
    "SQL string in dollars": ("sql", "SELECT $$ -- $$; HERE"),
    "SQL string in named dollars": ("sql", "SELECT $a$ -- $a$; HERE"),
    "SQL string in dollars of several lines": ("sql", "SELECT $$\n-- $$; HERE"),
    "SQL string of Oracle": ("sql", "SELECT q'[it's -- a]'; HERE"),
    "SQL with an escaped quote": ("sql", "SELECT 'a\\' -- b'; HERE"),
    "SQL below an escaped quote": ("sql", "SELECT 'a\\'b';\nSELECT 'c -- d'; HERE"),
    "SQL below a quote in a name": ("sql", "SELECT `a'`, '\n -- '; HERE"),
    "SQL below a quote in another name": ("sql", "SELECT [a'], '\n -- '; HERE"),
    "SQL below a quote in dollars": ("sql", "SELECT $$it's$$, '\n -- '; HERE"),
    "SQL below a quote in dollars of several lines": ("sql", "SELECT $$\nit's$$;\nSELECT '\n -- '; HERE"),
    "SQL with two minuses": ("sql", "SELECT 1--1; HERE"),
    "SQL with two minuses behind a blank": ("sql", "SELECT 1 --1; HERE"),
    "SQL that only MySQL runs": ("sql", "/*!50000 HERE */"),
    "SQL comment in a comment": ("sql", "/* a /* b */ HERE */"),
    "Perl with another delimiter": ("perl", "s#/a#/b#; HERE"),
    "Perl with a delimiter and blanks": ("perl", "s| # |a|; HERE"),
    "Perl below another delimiter": ("perl", "s|'|a|;\nprint 'a\n # b'; HERE"),
    "Perl package": ("perl", "use Foo'Bar; print ' # '; HERE"),
    "Perl below a package": ("perl", "use Foo'Bar;\nprint '\n # '; HERE"),
    "Perl divisions": ("perl", "$a = $b / 2; print ' / # '; HERE"),
    "PowerShell quotes": ("powershell", "$a = \u2018b # \u2019; HERE"),
    "Scala string": ("scala", 'raw"\\" + " // " + HERE'),
    "Scala below a string": ("scala", 'val a = raw"\\"\nval b = "\n// " + HERE'),
    "Erlang string": ("erlang", 'A = """\n"\n""", B = "\n % ", HERE'),
    "PowerShell in a word": ("powershell", "Write-Host a#12; HERE"),
    "PowerShell behind a backtick": ("powershell", "Write-Host a `# b; HERE"),
    "PHP that ends in a comment": ("php", "<?php // a ?><?php HERE"),
    "PHP that ends in another comment": ("php", "<?php # a ?><?php HERE"),
    "Dockerfile in a word": ("dockerfile", "ENV A=b#HERE"),
    "Dockerfile behind a blank": ("dockerfile", "ENV A=b #HERE"),
    "INI in a value": ("ini", "a=b # HERE"),
    "Ruby regex": ("ruby", "puts / # /, HERE"),
    "Ruby words": ("ruby", "%i[# a].HERE"),
    "Rust string": ("rust", 'let a = cr#"b" // "#; HERE'),
    "Swift string": ("swift", 'a = #"b" // c"#; HERE'),
    "Kotlin string in a string": ("kotlin", 'val a = "${" // b"} // c"; HERE'),
    "C macro with a string": ("c", '#define A "b // " HERE'),
    "C that an odd zero hides": ("c", "#if 0x1\n// a\nHERE\n#endif"),
    "C that an odd zero hides below a comment": ("c", "#if 0x1\n/* a */\nHERE\n#endif"),
    "CSS address": ("css", "@import url(//a /*.css); HERE /* */"),
    "GraphQL string": ("graphql", 'a(b: "c # d") HERE'),
    "HTML comment that ends soon": ("html", "<!--> HERE -->"),
    "HTML comment that ends oddly": ("html", "<!-- a --!> HERE -->"),
    "Haskell quotation": ("haskell", "[r| -- |] HERE"),
    "OCaml quotation": ("ocaml", "let a = {| (* |} HERE"),
    "F# operator": ("fsharp", "let (//) a b = HERE"),
    "R string": ("r", 'a <- r"(" # )"; HERE'),
    "CMake string": ("cmake", 'a("b\\" # c" HERE)'),
    "CMake string over lines": ("cmake", 'a("\\"")\nb("\\"\n # ${HERE}")'),
    "make function": ("makefile", "A := $(subst #,,HERE)"),
    "Nix path": ("nix", "a = ./b/*; HERE /* */"),
}


@pytest.mark.parametrize(("language", "text"), DOUBTFUL.values(), ids=DOUBTFUL)
def test_a_comment_that_may_be_none_is_code_and_comment(language: str, text: str) -> None:
    assert parts(text, language) == {ANY_PART}


SURE = {
    "on a line of its own": ("shell", "a\n  # HERE"),
    "behind a blank": ("shell", 'a "b" # HERE'),
    "shell right behind a semicolon": ("shell", "a;# HERE"),
    "Python right behind a word": ("python", "a = 1# HERE"),
    "SQL behind a string": ("sql", "SELECT 'a' -- HERE"),
    "SQL without a blank on a line of its own": ("sql", "--HERE"),
    "SQL above an escaped quote": ("sql", "-- HERE\nSELECT 'a\\'b';"),
    "SQL in a body": ("sql", "AS $$\nBEGIN\n  -- HERE\nEND $$;"),
    "Perl behind a hash": ("perl", "$a{s} = 1; # HERE"),
    "Perl behind an arrow": ("perl", "s => 1, # HERE"),
    "PHP": ("php", "<?php a(); // HERE\n?>"),
    "PHP over the end of code": ("php", "<?php /* ?> HERE */"),
    "Dockerfile": ("dockerfile", "FROM a\n# HERE"),
    "Ruby": ("ruby", "a = b % c # HERE"),
    "C macro": ("c", "#define A(b) b // HERE"),
    "C line that goes on": ("c", "// a\\\nHERE"),
    "Rust comment in a comment": ("rust", "/* a /* b */ HERE */"),
    "Kotlin": ("kotlin", 'val a = "$b" // HERE'),
    "Go right behind a bracket": ("go", "a(b)// HERE"),
    "HTML right behind a word": ("html", "<p>a<!-- HERE -->"),
    "HTML script": ("html", "<script>\n// HERE\n</script>"),
}


@pytest.mark.parametrize(("language", "text"), SURE.values(), ids=SURE)
def test_a_comment_where_comments_usually_stand_is_one(language: str, text: str) -> None:
    assert parts(text, language) == {COMMENTS}


def test_a_comment_that_may_be_none_does_not_take_back_the_code_before_it() -> None:
    text = "HERE a#do not"
    assert structure_of(text, "powershell").masked_sentence(0, 4)[0] == "HERE X#XX XXX"


ODD_BEGINNINGS = ["<br/>\nx = 1", "<div a={{b: c}} />", "<T>(x) => x", "<<<<<<< HEAD", "</a>", "<", "<a><b></a>"]


@pytest.mark.parametrize("language", ["javascript", "typescript"])
@pytest.mark.parametrize("text", ODD_BEGINNINGS)
def test_a_lexer_does_not_stand_still_where_an_element_may_begin(text: str, language: str) -> None:
    # Where it does, its time is over and nobody knows what the rest is.
    assert parts(f"{text}\n;HERE", language) == {CODE}
