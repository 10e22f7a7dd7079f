"""Fixes within limits of time and memory: what cannot be worked out is left as it is and said."""

from __future__ import annotations

import pytest
from alarming import rule
from conftest import Repo
from scanning import places, ready, report, scan

from review_gate.checks.engine import find
from review_gate.checks.fix_rounds import fix_until_stable
from review_gate.checks.judge import MOST_SLOW_SECONDS
from review_gate.checks.search import too_much
from review_gate.checks.watch import TooSlowError, Watch
from review_gate.workflows.scan_options import ScanJob, ScanOptions
from review_gate.workflows.scan_repository import scan_here

pytestmark = pytest.mark.usefixtures("same_world")
STRIP = {"id": "strip", "pattern": "zz", "fix": {"action": "replace", "with": ""}}
BAD = "zz = 1\n"


class Ending(Watch):
    """Lets the work begin, then ends it, after so many rounds."""

    seconds = 2.0

    def __init__(self, error: Exception, after: int) -> None:
        self.error = error
        self.after = after
        self.spent = 0.0

    def used(self) -> float:
        self.spent += MOST_SLOW_SECONDS
        return self.spent

    def __exit__(self, *_: object) -> None:
        self.after -= 1
        if self.after < 0:
            raise self.error


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        (Ending(TooSlowError(2), 0), "took longer than 2 seconds"),
        (Ending(MemoryError(), 1), "needs too much memory"),
        (Watch(), ""),
    ],
    ids=["time", "memory", "no limit"],
)
def test_fixes_are_worked_out_within_limits(limit: Watch, said: str) -> None:
    check = rule("no-hype", "blazing", fix=("remove_sentence", ""))
    text = "It works. It is blazing fast. It ends.\n"

    def mended() -> str:
        return fix_until_stable(text, lambda new, _: find(check, new, "markdown"), within=limit).text

    if not said:
        assert mended() == "It works. It ends.\n"
        return
    with pytest.raises((TooSlowError, MemoryError)) as caught:
        mended()
    assert too_much(caught.value) == said


def test_what_takes_too_long_to_fix_is_left_as_it_is_and_after_a_while_nothing_is_tried(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready(repo, STRIP)
    for name in "abc":
        repo.write(f"{name}.py", BAD)
    monkeypatch.chdir(repo.path)
    result = scan_here(ScanJob(ScanOptions(paths=["."]), is_fixing=True, is_dry_run=True))
    assert result.not_fixed == []
    # The rounds begin, and the clock of these files runs fast.
    monkeypatch.setattr("review_gate.workflows.fix_file.watch", lambda _: Ending(TooSlowError(2), 99))
    result = scan_here(ScanJob(ScanOptions(paths=["."]), is_fixing=True))
    assert result.not_fixed == [
        "a.py: what its fixes do cannot be told: to work it out took longer than 20 seconds",
        "b.py: given up, because the fixes of other files took too long",
        "c.py: given up, because the fixes of other files took too long",
    ]
    assert {(repo.path / f"{name}.py").read_text() for name in "abc"} == {BAD}
    assert [alarm.file for alarm in result.alarms] == ["a.py", "b.py", "c.py"]


SLOW = {"id": "slow", "pattern": r"^(a|aa)+c$|token=\w+", "match_rule": "regex", "severity": "critical"}
TOKEN = "token=abc\n"


def test_nothing_is_fixed_where_a_check_is_too_slow_for_the_fixed_text(repo: Repo) -> None:
    ready(repo, SLOW, STRIP, seconds_per_file=0.2)
    text = TOKEN + "zz" + "a" * 60 + "bc\n"
    repo.write("bad.txt", text)
    found = report(repo, "--fix", "bad.txt")
    why = "what its fixes do cannot be told, because a scan of it fails: the check slow took longer than 0.2 seconds"
    assert (found["not_fixed"], found["fixed"]) == ([f"bad.txt: {why}"], [])
    assert places(found) == ["bad.txt:1 slow", "bad.txt:2 strip"]
    assert scan(repo, "--fix", "bad.txt").returncode == 1
    assert (repo.path / "bad.txt").read_text() == text


def test_what_could_not_be_looked_at_is_still_said_after_a_fix(repo: Repo) -> None:
    ready(repo, SLOW, STRIP, seconds_per_file=0.2)
    repo.write("slow.txt", "zz\n" + "a" * 60 + "bc\n")
    repo.write("quick.txt", "a zz b\n")
    found = report(repo, "--fix", "slow.txt", "quick.txt")
    assert found["failures"] == ["slow.txt: the check slow took longer than 0.2 seconds"]
    assert [one["file"] for one in found["fixed"]] == ["quick.txt"]
    assert places(found) == ["slow.txt:1 strip"]
    assert (repo.path / "quick.txt").read_bytes() == b"a  b\n"


def test_a_link_whose_file_was_fixed_and_cannot_be_looked_at_then_fails_the_scan(repo: Repo) -> None:
    ready(repo, SLOW | {"include": ["*.md"]}, STRIP, seconds_per_file=0.2)
    repo.write("real.txt", "zz" + "a" * 60 + "bc\n")
    (repo.path / "link.md").symlink_to("real.txt")
    found = report(repo, "--fix", "real.txt", "link.md")
    assert [one["file"] for one in found["fixed"]] == ["real.txt"]
    assert found["failures"] == ["link.md: the check slow took longer than 0.2 seconds"]
    assert found["summary"]["passed"] is False
