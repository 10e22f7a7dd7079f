"""Logged gaps: grouped and counted, each with a recommendation and an issue text that hostile words cannot escape."""

from __future__ import annotations

from review_gate.pipeline.gap_report import LoggedGap, report_gaps

HOSTILE = "see\x1b[2J ```\n@everyone\u202e ![x](http://evil.example/p.png) </pre> fixes #1"


def gap(concern: str = "rounding of shares", agent: str = "banker", *files: str, **fields: object) -> LoggedGap:
    usual = {"when": "2026-01-02T03:04:05Z", "run": "r1", "commit": "c" * 40, "is_added": True}
    return LoggedGap.model_validate({**usual, "agent": agent, "concern": concern, "files": files, **fields})


def test_the_most_frequent_concern_comes_first_whatever_its_case_and_blanks() -> None:
    groups = report_gaps(
        [
            gap("Rounding  of shares", "banker", "src/a.py", when="1", commit="1" * 40),
            gap("a race", "tester", when="2"),
            gap("rounding of\nSHARES ", "banker", "src/b.py", when="3", commit="3" * 40),
            gap("rounding of shares", "tester", when="4"),
        ]
    )
    told = [(group.agent, group.concern, group.count, group.first, group.last) for group in groups]
    assert told == [
        ("banker", "rounding of\nSHARES ", 2, "1", "3"),
        ("tester", "rounding of shares", 1, "4", "4"),
        ("tester", "a race", 1, "2", "2"),
    ]
    assert groups[0].commits == ("3" * 40, "1" * 40)
    assert groups[0].files == ("src/b.py", "src/a.py")


def test_another_run_over_the_same_commit_sees_nothing_new() -> None:
    (group,) = report_gaps([gap(run="r1"), gap(run="r2")])
    assert group.count == 1


def test_a_policy_is_recommended_when_the_reviewer_was_missing_once() -> None:
    (missing,) = report_gaps([gap(is_added=False), gap(commit="d" * 40)])
    (present,) = report_gaps([gap(is_added=False)])
    assert missing.recommendation == "a policy that sends banker to such files"
    assert present.recommendation == "a rule of banker about this"


def test_an_issue_can_be_filed_as_it_is() -> None:
    (group,) = report_gaps([gap("Rounding of shares", "banker", "lib/ledger/a.py")])
    assert group.issue.title == "Review gap: banker: Rounding of shares"
    assert group.issue.body == (
        "The reviewer `banker` was not sent (once, last at 2026-01-02T03:04:05Z). The concern:\n\n"
        f"```text\nRounding of shares\n```\n\nCommits:\n\n- `{'c' * 40}`\n\nFiles:\n\n- `lib/ledger/a.py`\n\n"
        "Recommended: `a policy that sends banker to such files`.\n"
    )


def test_hostile_text_can_end_no_block_and_reaches_no_terminal() -> None:
    for group in report_gaps([gap(HOSTILE, "banker", "a`b``\x1b[0m.cob"), gap(HOSTILE, "watcher", is_added=False)]):
        text = group.issue.title + group.issue.body
        assert all(letter.isprintable() or letter == "\n" for letter in text)
        assert "````text\nsee\\x1b[2J ```\n@everyone<U+202E>" in group.issue.body
        assert "@" not in group.issue.body.split("````")[0] + group.issue.body.split("````")[2]
