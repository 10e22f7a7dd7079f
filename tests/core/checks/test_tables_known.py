"""Which tables of a Markdown file are checks, and which only look like it."""

from __future__ import annotations

import pytest
from table_words import ALONE, CLAUDE, of_claude, of_rules, patterns, with_header

CLAUDE_HEADERS = {
    "as documented": "| If you write... | STOP because... |",
    "one character for the dots": "| If you write… | STOP because… |",
    "other case": "| IF YOU WRITE... | stop because... |",
    "no outer pipes": "If you write... | STOP because...",
    "bold": "| **If you write...** | **STOP because...** |",
    "a comma": "| If you write, | STOP, because... |",
}
OTHER_HEADERS = {
    "other words": "| If you read... | STOP because... |",
    "form of rules files": "| Code Pattern | Problem |",
}
RULES_HEADERS = {
    "if you write": "| If you write... | STOP because... |",
    "code": "| Code Pattern | Problem |",
    "pattern": "| PATTERN | Why |",
    "old": "| Old | Why |",
}


@pytest.mark.parametrize("header", CLAUDE_HEADERS.values(), ids=CLAUDE_HEADERS)
def test_a_claude_table_is_known_by_its_header(header: str) -> None:
    assert patterns(of_claude(with_header(header, "| a | b |"))[0]) == ["a"]


@pytest.mark.parametrize("header", OTHER_HEADERS.values(), ids=OTHER_HEADERS)
def test_other_tables_of_a_claude_file_are_left_alone(header: str) -> None:
    assert of_claude(with_header(header, "| `a` | b |")) == ([], [])


@pytest.mark.parametrize("header", RULES_HEADERS.values(), ids=RULES_HEADERS)
def test_a_rules_table_is_known_by_its_first_column(header: str) -> None:
    (rule,), _ = of_rules(with_header(header, "| a | b |"))
    assert (rule.pattern, rule.reason) == ("a", "b")


@pytest.mark.parametrize(
    "header",
    [
        "Pattern to avoid",
        "Anti-Patterns",
    ],
)
def test_in_a_rules_table_with_the_word_pattern_in_its_first_header_every_row_is_a_check(header: str) -> None:
    rules, warnings = of_rules(with_header(f"| {header} | Why |", "| a b | why |", "| `c` | why |"))
    assert ([(rule.pattern, rule.reason) for rule in rules], warnings) == ([("a b", "why"), ("c", "why")], [])


WITH_KEYWORD = [
    "| Avoid | Why |",
    "| Never do this | Why |",
    "| Incorrect | Correct |",
    "| Don\u2019t | Do |",
    "| Rather than | Prefer |",
    "| ❌ Before | ✅ Now |",
]


@pytest.mark.parametrize("header", WITH_KEYWORD)
def test_a_header_with_a_word_for_patterns_counts_when_its_cells_are_code(header: str) -> None:
    assert patterns(of_rules(with_header(header, "| `a` | b |", "| `c`, `d` | e |"))[0]) == ["a", "c", "d"]
    assert of_rules(with_header(header, "| a | b |", "| c | e |")) == ([], [])
    assert of_rules(with_header(header)) == ([], [])


def test_a_row_without_code_is_named_where_only_the_others_make_the_table_one_of_patterns() -> None:
    rules, warnings = of_rules(with_header("| Old name | Why |", "| `a` | b |", "| c | e |"))
    assert patterns(rules) == ["a"]
    assert warnings == [f"rules/style.md:4: no code in the first cell, so this row is not a check; {ALONE}"]


LATER = "the patterns are not in the first column, so this table has no checks"


def test_a_table_with_another_column_in_front_is_named() -> None:
    rows = "|---|---|---|\n| 1 | `a` | b |\n"
    assert of_rules(f"| # | Code Pattern | Why |\n{rows}") == ([], [f"rules/style.md:1: {LATER}"])
    for header in ("| # | If you write... | STOP because... |", "| # | If you write, | Why |"):
        assert of_claude(f"{header}\n{rows}") == ([], [f"CLAUDE.md:1: {LATER}"])
    assert of_claude("| STOP because... | If you write... |\n|---|---|\n| a | b |\n")[1] == [f"CLAUDE.md:1: {LATER}"]


FORM = "write | If you write... | STOP because... | and below it |---|---|"
NO_TABLE = f"so this is no table and has no checks; {FORM}"
BROKEN = {
    "no row of dashes": (
        "| If you write... | STOP because... |\n| a | b |\n",
        f"no row of dashes below this header, {NO_TABLE}",
    ),
    "dashes of another width": (
        "| \u274c If you write... | STOP because... |\n|---|\n| a | b |\n",
        f"the header has 2 columns and the row of dashes below it 1, {NO_TABLE}",
    ),
    "one column": ("| If you write... |\n|---|\n| a |\n", f"only one column ({FORM}), so this table has no checks"),
    "another first column": (
        "| If you write tests | Do |\n|---|---|\n| a | b |\n",
        f"the first column is not called If you write ({FORM}), so this table has no checks",
    ),
}


@pytest.mark.parametrize(("text", "told"), BROKEN.values(), ids=BROKEN)
def test_a_broken_table_of_a_claude_file_is_named_with_what_it_should_look_like(text: str, told: str) -> None:
    assert of_claude(f"# Rules\n\n{text}") == ([], [f"CLAUDE.md:3: {told}"])


def test_a_broken_table_of_a_rules_file_is_named_too() -> None:
    told = "no row of dashes below this header, so this is no table and has no checks"
    form = "write | Code Pattern | Problem | and below it |---|---|"
    for header in ("| Code Pattern | Problem |", "If you write... | STOP because...", "| Prohibited | Why |"):
        assert of_rules(f"text\n\n- {header}\n  | a | b |\n") == ([], [f"rules/style.md:3: {told}; {form}"])


NO_HEADERS = {
    "a sentence": "If you write a | b, it is an or.\n",
    "a row": "| Command | Does |\n| If you write... | STOP |\n",
    "another table": "| Command | Does |\n| a | b |\n",
}


@pytest.mark.parametrize("text", NO_HEADERS.values(), ids=NO_HEADERS)
def test_a_line_that_nobody_meant_as_the_header_of_a_table_is_left_alone(text: str) -> None:
    assert of_claude(text) == ([], [])


def test_a_line_of_text_right_below_a_table_is_no_row() -> None:
    rules, warnings = of_claude(f"{CLAUDE}| `a` | b |\nSee the wiki.\nAnd more.\n")
    assert (patterns(rules), warnings) == (["a"], [])


UNSAID = (
    "the first column is code, and its name does not say whether that must not be written "
    "(call it Avoid if it must not, Allowed if it may), so this table has no checks"
)
UNKNOWN = [
    *(f"| {name} | Why |" for name in ("Function", "Golden rule", "❌")),
    "| Function | Description |",
    "| Before | Why |",
]


@pytest.mark.parametrize("header", UNKNOWN)
def test_a_column_of_code_is_named_where_its_header_does_not_say_what_it_is(header: str) -> None:
    text = with_header(header, "| `a` | b |", "| `c`, `d` | e |", "| words | f |", "| | |")
    assert of_rules(f"# Style\n\n{text}") == ([], [f"rules/style.md:3: {UNSAID}"])
    assert of_claude(text) == ([], [])


NO_BANS = [
    *(f"| {name} | Why |" for name in ("Allowed", "✅ Good", "New name")),
    "| Use instead of eval | Why |",
    "| Function | Meaning |",
    "| File | Description |",
]


@pytest.mark.parametrize("header", NO_BANS)
def test_code_that_is_said_to_be_allowed_or_only_explained_is_left_alone(header: str) -> None:
    assert of_rules(with_header(header, "| `a` | b |")) == ([], [])


@pytest.mark.parametrize("header", ["| Good | Bad |", "| Use | Instead of |", "| Function | Deprecated |"])
def test_code_that_must_not_be_written_is_named_where_it_is_in_the_second_column(header: str) -> None:
    assert of_rules(with_header(header, "| `a` | `b` |")) == ([], [f"rules/style.md:1: {LATER}"])
    assert of_rules(with_header(header, "| words | b |")) == ([], [])


HIDDEN = {
    "fence": f"```\n{CLAUDE}| a | b |\n```\n",
    "comment": f"<!--\n{CLAUDE}| a | b |\n-->\n",
}
SHOWN = {
    "quote": "".join(f"> {line}\n" for line in [*CLAUDE.splitlines(), "| a | b |"]),
    "list": "- item\n\n" + "".join(f"  {line}\n" for line in [*CLAUDE.splitlines(), "| a | b |"]),
    "after a paragraph": f"text\n{CLAUDE}| a | b |\n",
    "windows line ends": f"{CLAUDE}| a | b |\n".replace("\n", "\r\n"),
    "no newline at the end": f"{CLAUDE}| a | b |",
}


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_what_is_no_table_for_a_reader_is_none_here(text: str) -> None:
    assert of_claude(text) == ([], [])


@pytest.mark.parametrize("text", SHOWN.values(), ids=SHOWN)
def test_tables_count_wherever_they_stand(text: str) -> None:
    (rule,), warnings = of_claude(text)
    line = (
        text.replace("\r\n", "\n")
        .replace("\r", "\n")
        .split("\n")
        .index(next(line for line in text.replace("\r", "\n").split("\n") if line.endswith("| a | b |")))
    )
    assert (rule.pattern, rule.reason, rule.line, warnings) == ("a", "b", line + 1, [])
