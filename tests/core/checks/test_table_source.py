"""Checks from Markdown tables: which tables count, what their cells mean, and the lines they stand on."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table_words import ALONE, CLAUDE, of_claude, of_rules, patterns, with_header

from review_gate.checks.markdown_tables import Table, tables_and_loose_rows
from review_gate.checks.rule import Rule
from review_gate.errors import ConfigError

LOST = "more cells than the header, and those are lost; write \\| for a | inside a cell"
ODD_START = "the character {} before the first | makes a cell of its own, so this row is not a check; take it out"
CUT = "a | cuts the pattern in two, so this row is not a check; write \\| inside a cell"


# The two forms, as they are documented


def test_the_table_of_a_claude_file_becomes_numbered_literal_checks() -> None:
    rules, warnings = of_claude(
        "## Anti-Patterns Table\n\n| If you write... | STOP because... |\n|-----------------|-----------------|\n"
        "| `eval()` | Security risk — use JSON.parse or safer alternatives |\n"
        "| `SELECT *` | Performance issue — specify columns explicitly |\n"
    )
    assert [rule.plain() for rule in rules] == [
        Rule(
            f"anti_pattern_{number}",
            pattern,
            match_rule="literal",
            fix=None,
            reason=reason,
            reject_if_persists=False,
            severity="major",
            source="CLAUDE.md",
            line=line,
        ).plain()
        for number, pattern, reason, line in (
            (1, "eval()", "Security risk — use JSON.parse or safer alternatives", 5),
            (2, "SELECT *", "Performance issue — specify columns explicitly", 6),
        )
    ]
    assert warnings == []


def test_the_table_of_a_rules_file_has_its_heading_and_its_hint_in_the_reason() -> None:
    (rule,), warnings = of_rules(
        "## Loop Diagram / Feynman Diagram Triggers\n| Code Pattern | Problem | Fix |\n|---|---|---|\n"
        "| `G(p+q)` | Two propagators = loop diagram | See §GATEKEEPER.7 |\n",
        "physics-antipatterns",
    )
    assert (rule.id, rule.pattern, rule.match_rule, rule.fix) == ("physics_antipatterns_1", "G(p+q)", "literal", None)
    assert rule.reason == ("Loop Diagram / Feynman Diagram Triggers: Two propagators = loop diagram. See §GATEKEEPER.7")
    assert (rule.origin, warnings) == ("rules/physics-antipatterns.md:4", [])


def test_numbers_run_through_the_whole_file() -> None:
    rules, _ = of_claude(f"# A\n\n{CLAUDE}| a | b |\n\ntext\n\n{CLAUDE}| c | d |\n| e | f |\n")
    assert [(rule.id, rule.pattern, rule.line) for rule in rules] == [
        ("anti_pattern_1", "a", 5),
        ("anti_pattern_2", "c", 11),
        ("anti_pattern_3", "e", 12),
    ]


# Cells

CELLS = {
    "tag of code": ("<code>foo</code>", ["foo"]),
    "code": ("`eval()`", ["eval()"]),
    "plain": ("eval()", ["eval()"]),
    "two backticks": ("`` a`b ``", ["a`b"]),
    "escaped pipe": (r"a \| b", ["a | b"]),
    "escaped pipe in code": (r"`a \|\| b`", ["a || b"]),
    "backslash in code": (r"`\d+`", [r"\d+"]),
    "entity": ("x &lt; y", ["x < y"]),
    "bold": ("  **should work**  ", ["should work"]),
    "struck out": ("~~foo()~~", ["foo()"]),
    "homes": ("~/.ssh, ~/.aws", ["~/.ssh, ~/.aws"]),
    "code in a link": ("[`foo`](http://x)", ["foo"]),
    "no emphasis": ("SELECT * FROM a_b_c", ["SELECT * FROM a_b_c"]),
    "quotes": ('"should work"', ['"should work"']),
    "comma": ("`eval()`, `exec()`", ["eval()", "exec()"]),
    "slash": ("`a`/`b` / `c`", ["a", "b", "c"]),
    "line break": ("`a`<br>`b`", ["a", "b"]),
}


@pytest.mark.parametrize(("cell", "expected"), CELLS.values(), ids=CELLS)
def test_the_pattern_is_what_the_author_wrote_in_the_cell(cell: str, expected: list[str]) -> None:
    rules, warnings = of_claude(f"{CLAUDE}| {cell} | why |\n")
    assert ([rule.pattern for rule in rules], {rule.reason for rule in rules}) == (expected, {"why"})
    ids = ["anti_pattern_1", *(f"anti_pattern_1_{n}" for n in range(2, len(expected) + 1))]
    assert ([rule.id for rule in rules], warnings) == (ids, [])


MIXED_CELLS = {
    "code in a sentence": ("calling `eval` twice", ["calling eval twice"]),
    "code, an escaped backtick and code": (r"`a` \` `b`", ["a ` b"]),
    "a sentence is no list": ("`a` without `b`", ["a without b"]),
    "word behind code": ("`console.log` statements", ["console.log statements"]),
}


@pytest.mark.parametrize(("cell", "expected"), MIXED_CELLS.values(), ids=MIXED_CELLS)
def test_words_beside_code_belong_to_the_pattern_and_are_named(cell: str, expected: list[str]) -> None:
    told = f"words beside code in the first cell, and the check looks for both; {ALONE}"
    for rules, warnings in (of_claude(f"{CLAUDE}| {cell} | why |\n"), of_rules(f"{CLAUDE}| {cell} | why |\n")):
        assert patterns(rules) == expected
        assert [warning.partition(": ")[2] for warning in warnings] == [told]


MARKED = "emphasis or a link in a part of the first cell, and the check looks for its marks too"
UNDERSCORED = "underscores around the first cell are emphasis in Markdown, and the check looks for {} alone"
DOUBTFUL_CELLS = {
    "half bold": ("**never** this", "**never** this", MARKED),
    "emphasis by chance": ("a*b*c", "a*b*c", MARKED),
    "link": ("[this](http://x)", "[this](http://x)", MARKED),
    "name between underscores": ("__init__", "init", UNDERSCORED.format("init")),
}


@pytest.mark.parametrize(("cell", "pattern", "told"), DOUBTFUL_CELLS.values(), ids=DOUBTFUL_CELLS)
def test_emphasis_that_may_not_be_meant_as_it_is_read_is_named(cell: str, pattern: str, told: str) -> None:
    rules, warnings = of_claude(f"{CLAUDE}| {cell} | why |\n")
    assert (patterns(rules), warnings) == ([pattern], [f"CLAUDE.md:3: {told}; {ALONE}"])


REASONS = {
    "reason only": ("| Pattern | Why |", "| a | b |", "b"),
    "hint": ("| Pattern | Why | Fix |", "| a | b | c |", "b. c"),
    "hint alone": ("| Pattern | Why | Fix |", "| a | | c |", "c"),
    "missing cells": ("| Pattern | Why | Fix |", "| a |", ""),
    "escapes": ("| Pattern | Why |", r"| a | b\_c &lt; `d\_e &gt;` |", r"b_c < `d\_e &gt;`"),
    "old and new": ("| Old | New |", "| `a()` | `b()` |", "Use b() instead"),
    "legacy and modern": ("| Legacy | Modern |", "| `a()` | `b()` |", "Use b() instead"),
    "old and why": ("| Old | Why |", "| a | b |", "b"),
}


@pytest.mark.parametrize(("header", "row", "reason"), REASONS.values(), ids=REASONS)
def test_the_reason_is_made_of_the_other_cells(header: str, row: str, reason: str) -> None:
    (rule,), _ = of_rules(with_header(header, row))
    assert (rule.pattern in ("a", "a()"), rule.reason) == (True, reason)


HEADINGS = {
    "none": ("", "why"),
    "nearest": ("# Style\n\n## Names\n\ntext\n", "Names: why"),
    "with markup": ("## The `eval` *family*\n", "The eval family: why"),
    "front matter": ("---\npaths: src/**\nx: y\n---\n", "why"),
    "in a fence": ("# Style\n\n```\n# Other\n```\n", "Style: why"),
}


@pytest.mark.parametrize(("before", "reason"), HEADINGS.values(), ids=HEADINGS)
def test_rules_are_told_under_the_heading_above_their_table(before: str, reason: str) -> None:
    (rule,), _ = of_rules(f"{before}\n| Pattern | Why |\n|---|---|\n| a | why |\n")
    assert (rule.reason, rule.line) == (reason, before.count("\n") + 4)


STEMS = {
    "physics-antipatterns": "physics_antipatterns_1",
    "a.b c": "a_b_c_1",
    "é": "rules_4a99557e_1",
}


@pytest.mark.parametrize(("stem", "name"), STEMS.items(), ids=STEMS)
def test_ids_of_rules_are_made_of_the_file_name(stem: str, name: str) -> None:
    assert of_rules(f"{CLAUDE}| a | b |\n", stem)[0][0].id == name


# Rows that are not what they seem

ODD_ROWS = {
    "pipe in code": ("| `x||y` | why |", [], CUT),
    "more cells": ("| a || b | c |", [], CUT),
    "pipe in a reason": ("| `a` | b | or c |", ["a"], LOST),
    "no pattern": ("| | why |", [], "no pattern in the first cell, so this row is not a check"),
    "odd blank before the row": ("\u00a0| a | why |", [], ODD_START.format("U+00A0")),
    "long": (f"| {'a' * 2_001} | b |", [], "a pattern of more than 2000 characters, so this row is not a check"),
}


@pytest.mark.parametrize(("row", "expected", "warning"), ODD_ROWS.values(), ids=ODD_ROWS)
def test_an_odd_row_is_named_with_its_line(row: str, expected: list[str], warning: str) -> None:
    rules, warnings = of_claude(f"{CLAUDE}| first | why |\n{row}\n| last | why |\n")
    assert patterns(rules) == ["first", *expected, "last"]
    assert warnings == [f"CLAUDE.md:4: {warning}"]
    assert [rule.id for rule in rules] == [f"anti_pattern_{n + 1}" for n in range(len(rules))]


@pytest.mark.parametrize("row", ["| | |", "|  |", "| a | b | |", "| a | b ||", "| a |", "| a | b |\u00a0"])
def test_empty_and_missing_cells_are_nothing_odd(row: str) -> None:
    assert of_claude(f"{CLAUDE}{row}\n| z | why |\n")[1] == []


def test_a_flood_of_warnings_is_cut_short() -> None:
    _, warnings = of_claude(CLAUDE + "| | why |\n" * 500)
    assert (len(warnings), warnings[-1]) == (21, "CLAUDE.md: 480 more like these")


def test_more_checks_than_a_file_may_have_are_refused() -> None:
    with pytest.raises(ConfigError) as caught:
        of_claude(CLAUDE + "| a | b |\n" * 5_001)
    assert caught.value.what == "CLAUDE.md:5003: more than 5000 checks in one file"


def test_a_table_with_a_hundred_thousand_columns_is_read_in_bounded_memory() -> None:
    (table,) = tables_and_loose_rows("|a" * 100_000 + "|\n" + "|-" * 100_000 + "|\n" + "|x\n" * 3)
    assert isinstance(table, Table)
    assert [len(row.cells) for row in (table.header, *table.rows)] == [3] * 4


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("|`\\-\n\r# >abé\ud800\0") | st.characters(), max_size=80))
def test_any_text_at_all_gives_checks_with_a_pattern_and_a_line(text: str) -> None:
    rules, warnings = of_claude(CLAUDE + text)
    lines = (CLAUDE + text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert all(rule.pattern.strip() and 3 <= rule.line <= len(lines) for rule in rules)
    assert all(warning.startswith("CLAUDE.md:") for warning in warnings)
