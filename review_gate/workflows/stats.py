"""review-gate stats: the audit log of prompt review and the ledger of the repository around, in figures."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from difflib import get_close_matches
from shlex import quote
from typing import NamedTuple

from review_gate.errors import MisuseError, ReviewGateError
from review_gate.prompts.history.period import Period
from review_gate.prompts.history.stats import CommitHistory, Stats
from review_gate.prompts.history.tally import Tally
from review_gate.safe_text import safe_line
from review_gate.shell.audit_log import LogFile, log_files, log_lines, plugin_folder
from review_gate.shell.counter import counter

PROGRESS = "read {} of {} days of the log"
SHOWN = 5


class StatsRequest(NamedTuple):
    """Which part of the history; no project means all."""

    period: Period
    today: date
    project: str | None = None

    def is_to_come(self, day: str) -> bool:
        """Whether it is a day from a clock that was wrong, which would stretch the history into years to come."""
        # A clock may be ahead of ours, or ours behind.
        return self.period.until is None and day > (self.today + timedelta(days=1)).isoformat()


def gather(request: StatsRequest, environ: Mapping[str, str]) -> Stats:
    """Read the logs of the period, and what the ledger says of it."""
    tally = Tally(request.project)
    found = log_files(plugin_folder(environ), *request.period)
    unreadable = _read([file for file in found if not request.is_to_come(file.day)], tally)
    stats = tally.result(*request.period)
    if request.project is not None and not stats.reviews and tally.projects:
        raise _no_such_project(request.project, list(tally.projects))
    commits = _commits(request.period)
    return stats.model_copy(update={"unreadable_files": tuple(unreadable)} | _left_out(request, found, commits))


def _left_out(request: StatsRequest, files: list[LogFile], commits: CommitHistory | None) -> dict[str, object]:
    """The reviews of commits without those of days to come, and all of these days."""
    days = () if commits is None else commits.days
    seen = {day for day in [*(file.day for file in files), *(one.day for one in days)] if request.is_to_come(day)}
    kept = tuple(one for one in days if one.day not in seen)
    return {"commits": commits and commits.model_copy(update={"days": kept}), "days_to_come": tuple(sorted(seen))}


def _read(files: list[LogFile], tally: Tally) -> list[str]:
    """Count all lines; the names of files that cannot be read."""
    unreadable = []
    with counter(PROGRESS) as count:
        for number, file in enumerate(files):
            count(number, len(files))
            try:
                tally.add(file.day, log_lines(file.path))
            except OSError:
                unreadable.append(f"{file.day}.jsonl")
    return unreadable


def _commits(period: Period) -> CommitHistory | None:
    """The reviews of commits of the repository around, None where there is none that git can read."""
    from review_gate.shell.ledger_history import commit_history
    from review_gate.shell.repository import open_repository

    try:
        return commit_history(open_repository("."), *period)
    except ReviewGateError:
        return None


def _no_such_project(name: str, known: list[str]) -> MisuseError:
    near = get_close_matches(name, known, n=SHOWN) or known[:SHOWN]
    listed = ", ".join(map(safe_line, near))
    return MisuseError(
        f"no review of a project called {name!r} is in this part of the log",
        why=f"reviews are there of {listed}{' and others' if len(known) > len(near) else ''}",
        next_step=f"review-gate stats --project {quote(safe_line(near[0]))}",
    )
