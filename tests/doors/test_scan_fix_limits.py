"""Fixes within limits of time and memory: what cannot be worked out is left as it is and said."""

from __future__ import annotations

import pytest
from conftest import Repo
from scanning import places, ready, report, scan

from review_gate.checks.judge import MOST_SLOW_SECONDS
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
