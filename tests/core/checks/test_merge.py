"""Checks of several sources: the earlier id wins, and nothing is lost from sight."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from review_gate.checks.merge import in_the_way, merge
from review_gate.checks.rule import Rule


def rule(name: str, source: str) -> Rule:
    return Rule(name, "x", source=source, line=1)


def test_the_earlier_source_wins_and_the_later_is_remembered_with_the_winner() -> None:
    mine, project, user = rule("a", "session"), rule("a", "project"), rule("a", "user")
    other = rule("b", "user")
    merged = merge([[mine], [project], [user, other]])
    assert merged.rules == (mine, other)
    assert [(lost.rule, lost.winner) for lost in merged.shadowed] == [(project, mine), (user, mine)]


def test_within_one_source_the_first_wins() -> None:
    first, second = rule("a", "x"), rule("a", "x")
    merged = merge([[first, second]])
    assert (merged.rules, merged.shadowed[0].rule) == ((first,), second)


def test_files_of_rules_that_take_each_others_ids_are_named() -> None:
    first = [rule("a_b_1", "rules/a-b.md"), rule("a_b_2", "rules/a-b.md")]
    second = [rule(f"a_b_{number}", "rules/a_b.md") for number in (1, 2, 3)]
    third = [rule("a_b_3", "rules/a.b.md"), rule("a_b_4", "rules/a.b.md")]
    files = ["rules/a-b.md", "rules/a_b.md", "rules/a.b.md"]
    assert in_the_way(merge([first, second, third]).shadowed, files) == [
        "rules/a_b.md: 2 checks are not in force, because rules/a-b.md has the same ids",
        "rules/a.b.md: 1 check is not in force, because rules/a_b.md has the same id",
    ]


def test_a_check_that_takes_the_place_of_a_rule_on_purpose_is_not_in_its_way() -> None:
    written, derived = rule("a_1", "checks/a.yaml"), rule("a_1", "rules/a.md")
    assert in_the_way(merge([[written], [derived]]).shadowed, ["rules/a.md"]) == []
    assert in_the_way(merge([[derived], [rule("a_1", "rules/a.md")]]).shadowed, ["rules/a.md"]) == []


@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=4), max_size=4))
def test_each_id_is_in_force_once_and_every_check_is_somewhere(layers: list[list[str]]) -> None:
    given_rules = [
        [rule(name, f"{number}.{place}") for place, name in enumerate(names)] for number, names in enumerate(layers)
    ]
    merged = merge(given_rules)
    flat = [one for layer in given_rules for one in layer]
    assert len({one.id for one in merged.rules}) == len(merged.rules)
    assert sorted(map(id, flat)) == sorted(map(id, [*merged.rules, *(lost.rule for lost in merged.shadowed)]))
    assert all(flat.index(lost.winner) < flat.index(lost.rule) for lost in merged.shadowed)
    assert all(lost.winner.id == lost.rule.id and lost.winner in merged.rules for lost in merged.shadowed)


def test_a_file_of_rules_that_takes_an_id_of_a_claude_file_is_told_and_a_claude_file_is_not() -> None:
    taken = rule("anti_pattern_3_2", "rules/anti-pattern-3.md")
    ours, own = rule("anti_pattern_3_2", "CLAUDE.md"), rule("anti_pattern_3_2", "~/.claude/CLAUDE.md")
    files = ["rules/anti-pattern-3.md"], ["CLAUDE.md", "~/.claude/CLAUDE.md"]
    assert in_the_way(merge([[ours], [own]]).shadowed, *files) == []
    assert in_the_way(merge([[taken], [ours]]).shadowed, *files) == [
        "CLAUDE.md: 1 check is not in force, because rules/anti-pattern-3.md has the same id"
    ]
