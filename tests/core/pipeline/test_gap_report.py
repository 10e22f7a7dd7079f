"""Logged gaps: grouped, told, and turned into entries that make the policies send the reviewer."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from composing import FILES, config, facts_of
from hypothesis import given
from hypothesis import strategies as st

from review_gate.pipeline.classify import classify
from review_gate.pipeline.compose import compose
from review_gate.pipeline.config import Layer, load_pipeline
from review_gate.pipeline.config_schema import PipelineConfig
from review_gate.pipeline.gap_report import GapReport, fenced, in_code, report_gaps
from review_gate.pipeline.logged_gap import LoggedGap

HOSTILE = "see\x1b[2J ```\n@everyone\u202e ![x](http://evil.example/p.png) </pre> fixes #1"


def gap(concern: str = "rounding of shares", agent: str = "banker", *files: str, **fields: object) -> LoggedGap:
    return LoggedGap.model_validate(
        {
            "when": "2026-01-02T03:04:05Z",
            "run": "r1",
            "commit": "c" * 40,
            "agent": agent,
            "concern": concern,
            "files": files,
            "file_count": len(files),
            "is_added": True,
        }
        | fields
    )


def extended(report: GapReport) -> PipelineConfig:
    """The configuration with everything that a report suggests in .review-gate/."""
    shipped = {name: json.dumps(entries).encode() for name, entries in FILES.items()}
    added = {name: json.dumps(entries).encode() for name, entries in report.suggestion.files().items()}
    return load_pipeline([Layer("built-in", shipped), Layer(".review-gate", added)])


def files_seen_by(agent: str, files: Sequence[str], chosen: PipelineConfig) -> set[str]:
    """The files to which policies send a reviewer in a change of these and one more."""
    found = facts_of(chosen, *((path, "M", 1, 1) for path in (*files, "elsewhere.txt")))
    entry = compose(found, classify(found, chosen.domains), chosen).entry(agent)
    assert entry is not None, "the reviewer is not chosen"
    return set(found.paths if entry.files is None else entry.files)


def test_case_and_blanks_make_no_other_concern_and_the_most_frequent_comes_first() -> None:
    report = report_gaps(
        [
            gap("Rounding  of shares", "banker", "src/a.py", when="1", commit="1" * 40),
            gap("a race", "tester", when="2"),
            gap("rounding of\nSHARES ", "banker", "src/b.py", when="3", commit="3" * 40),
            gap("rounding of shares", "tester", when="4"),
        ],
        config(),
    )
    told = [(group.agent, group.concern, group.count, group.first, group.last) for group in report.groups]
    assert told == [
        ("banker", "rounding of\nSHARES ", 2, "1", "3"),
        ("tester", "rounding of shares", 1, "4", "4"),
        ("tester", "a race", 1, "2", "2"),
    ]
    assert report.groups[0].commits == ("3" * 40, "1" * 40)
    assert report.groups[0].files == ("src/b.py", "src/a.py")


# The files of a gap, and the globs of the domain that is suggested for them, or the domains that there are.
PLACES: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "one folder": (("lib/ledger/a.py", "lib/ledger/sub/b.txt"), ("lib/ledger/**",), ("ledger",)),
    "one file": (("lib/ledger/a.py",), ("lib/ledger/**",), ("ledger",)),
    "one file at the top": (("ledger.py",), ("ledger.py",), ("ledger",)),
    "one ending": (("a/x.cob", "b/y.cob"), ("*.cob",), ("cob-files",)),
    "nothing in common": (("a/x.cob", "b/y.txt", "z"), ("a/**", "b/**", "z"), ("cob-files",)),
    "a strange name": (("a*{b}/[x]\\\udcff\n!.py",), ("a[*][{]b[}]/**",), ("a-b",)),
    "a name that is taken": (("docs2/money/x.cob",), ("docs2/money/**",), ("money-2",)),
    "a known domain": (("docs/a.txt", "README.md"), (), ("docs",)),
    "two known domains": (("docs/a.txt", ".github/x"), (), ("docs", "ci")),
}


@pytest.mark.parametrize(("files", "globs", "domains"), PLACES.values(), ids=PLACES)
def test_what_is_suggested_sends_the_reviewer_to_these_files(
    files: tuple[str, ...], globs: tuple[str, ...], domains: tuple[str, ...]
) -> None:
    report = report_gaps([gap("rounding", "banker", *files)], config())
    (policy,) = report.suggestion.composition
    assert policy.trigger.model_dump()["domains"] == domains
    assert [mapping.globs for mapping in report.suggestion.domains] == ([globs] if globs else [])
    assert files_seen_by("banker", files, extended(report)) == set(files)
    assert (policy.dispatch.agent, policy.dispatch.scope, policy.priority) == ("banker", "domain", 50)


@given(st.lists(st.text(st.characters(exclude_characters="\0/"), min_size=1, max_size=12), min_size=1, max_size=6))
def test_whatever_files_are_called_the_reviewer_is_sent_to_them(names: list[str]) -> None:
    files = tuple({f"{'/'.join(names[:number])}/{name}" if number % 2 else name for number, name in enumerate(names)})
    kept = tuple(path for path in files if not {".", ".."} & set(path.split("/")))
    report = report_gaps([gap("x", "banker", *kept)], config())
    if kept:
        assert set(kept) <= files_seen_by("banker", kept, extended(report))


def test_a_concern_about_all_files_suggests_a_policy_for_every_change() -> None:
    report = report_gaps([gap("a race", "tester"), gap("a race", "tester", "src/a.py")], config())
    (policy,) = report.suggestion.composition
    assert (policy.id, policy.trigger.type) == ("gap-tester-all", "always")
    assert files_seen_by("tester", ["src/a.py"], extended(report)) == {"src/a.py", "elsewhere.txt"}


def test_a_reviewer_that_was_there_gets_a_rule() -> None:
    report = report_gaps([gap("Clocks go back: 2 times a year", "watcher", "src/a.py", is_added=False)], config())
    (rule,) = report.suggestion.rules
    assert (rule.id, rule.agent, rule.severity.value) == ("gap-clocks-go-back-2-times-a-year", "watcher", "warning")
    again = extended(report)
    assert rule in again.rules_of("watcher")
    later = report_gaps([gap("clocks go back: 2 times a year", "watcher", is_added=False)], config())
    assert later.groups[0].was_there
    same = report_gaps([gap("Clocks go back: 2 times a year", "watcher", is_added=False)], again)
    assert same.groups[0].suggestion.about == "a rule of watcher says so by now, so there is nothing to add"


def test_a_concern_without_letters_makes_a_rule_too() -> None:
    report = report_gaps([gap("…", "watcher", is_added=False), gap("!", "watcher", is_added=False)], config())
    assert [rule.id for rule in report.suggestion.rules] == ["gap-more", "gap-more-2"]
    assert len(extended(report).rules) == 4


def test_suggestions_for_several_gaps_can_be_added_together() -> None:
    report = report_gaps(
        [
            gap("one", "banker", "lib/x/a.cob"),
            gap("two", "banker", "lib/x/b.cob"),
            gap("three", "tester", "lib/x/b.cob"),
            gap("four", "tester", "src/x/b.cob"),
        ],
        config(),
    )
    assert [mapping.domain for mapping in report.suggestion.domains] == ["x", "x-2"]
    assert [policy.id for policy in report.suggestion.composition] == [
        "gap-tester-x",
        "gap-tester-x-2",
        "gap-banker-x-2",
    ]
    assert files_seen_by("tester", ["src/x/q"], extended(report)) == {"src/x/q"}


def test_what_a_policy_covers_by_now_and_a_reviewer_that_is_gone_leave_nothing_to_add() -> None:
    report = report_gaps([gap("a", "banker", "src/billing/x.py"), gap("b", "ghost"), gap("c", "watcher")], config())
    assert [group.suggestion.about for group in report.groups] == [
        "a policy sends watcher there by now, so there is nothing to add",
        "there is no reviewer ghost any more, so there is nothing to add",
        "a policy sends banker there by now, so there is nothing to add",
    ]
    assert report.suggestion.files() == {}


def test_an_issue_can_be_filed_as_it_is() -> None:
    (group,) = report_gaps([gap("Rounding of shares", "banker", "lib/ledger/a.py")], config()).groups
    assert group.issue.title == "Review gap: banker: Rounding of shares"
    assert group.issue.body.startswith(
        "The reviewer `banker` was not sent where somebody saw a reason for it (once, last at 2026-01-02T03:04:05Z). "
        "The concern:\n\n```text\nRounding of shares\n```\n\n"
        f"Commits:\n\n- `{'c' * 40}`\n\nFiles:\n\n- `lib/ledger/a.py`\n\n"
        "Suggested: `a domain for lib/ledger/** and a policy that sends banker there`.\n\n"
        "In `.review-gate/domains.json`:\n\n```json\n[\n  {\n"
    )


def test_hostile_text_can_end_no_block_and_reaches_no_terminal() -> None:
    report = report_gaps(
        [gap(HOSTILE, "banker", "a`b``\x1b[0m.cob"), gap(HOSTILE, "watcher", is_added=False)], config()
    )
    for group in report.groups:
        text = group.issue.title + group.issue.body + json.dumps(group.suggestion.files(), ensure_ascii=False)
        assert all(letter.isprintable() or letter == "\n" for letter in text)
        assert "````text\nsee\\x1b[2J ```\n@everyone<U+202E>" in group.issue.body
        assert "@" not in group.issue.body.split("````")[0] + group.issue.body.split("````")[2]
    extended(report)


def test_code_in_markdown_is_longer_than_what_it_holds() -> None:
    assert (in_code("a"), in_code("`a``")) == ("`a`", "``` `a`` ```")
    assert fenced("a````") == "`````text\na````\n`````"
