"""What a scan says: one alarm for each place that a check does not like, and what could not be looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from review_gate.checks.evidence import Span, shown_match, shown_place, spans_of_secrets
from review_gate.checks.match import BYTE_ORDER_MARK
from review_gate.checks.rule import REPLACE, Hit, Rule
from review_gate.reviewers.text import split_lines, visible
from review_gate.severity import RANKS

SHOWN_PATTERN = 200
# A change far away on the same line, as in a file without line ends, does not make an old finding a new one.
LONG_LINE = 1_000
KEPT_AROUND = 200


class Alarm:
    """One match in one file, ready to be shown; `hit` is None for what no check found.

    `evidence` is its line as it may be shown, `mark` the part of that which matched, `source_line` the line as it is,
    of a very long one the part around the match, `tail` what follows on the last line of a match that spans several:
    these may hold a secret, so only digests of them leave this process.
    """

    def __init__(
        self,
        rule: str,
        severity: str,
        message: str,
        *,
        file: str,
        line: int,
        column: int = 1,
        match: str = "",
        evidence: str = "",
        mark: Span | None = None,
        source_line: str = "",
        tail: str = "",
        fix: str | None = None,
        hit: Hit | None = None,
    ) -> None:
        self.rule = rule
        self.severity = severity
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.match = match
        self.evidence = evidence
        self.mark = mark
        self.source_line = source_line
        self.tail = tail
        self.fix = fix
        self.hit = hit

    def place(self) -> tuple[str, int, int, str]:
        """What reports sort by."""
        return self.file, self.line, self.column, self.rule

    def rank(self) -> int:
        """Its position from worst to mildest."""
        return RANKS.index(self.severity)

    def fingerprint(self) -> str:
        """An identity made from the line itself, so that it survives a shift of lines."""
        from review_gate.fingerprint import fingerprint_of

        return fingerprint_of(self.rule, self.file, self.content())

    def content(self) -> str:
        """What the finding is about: its line, and all lines that it spans."""
        line, hit = self.source_line, self.hit
        return f"{line}\n{hit.text}{self.tail}" if hit and hit.end_line > hit.line else line

    def __repr__(self) -> str:
        return f"Alarm({self.rule}, {self.file}:{self.line}:{self.column}, {self.severity}: {self.message})"


def alarms_of(hits: Sequence[Hit], file: str, line_at: Callable[[int], str]) -> list[Alarm]:
    """The alarms for all matches in one file; a secret is shown by none of them, whatever check its line is shown for.

    `line_at` gives the line of a number, from 1.
    """
    secrets = spans_of_secrets(hits, line_at)
    alarms = [
        alarm_of(hit, file, line_at(hit.line), secrets.get(hit.line, ()), hides_rest=bool(secrets)) for hit in hits
    ]
    for alarm, hit in zip(alarms, hits, strict=True):
        if hit.end_line > hit.line:
            alarm.tail = _behind(hit, line_at(hit.end_line))
    return alarms


def _behind(hit: Hit, last_line: str) -> str:
    """What follows on a match on its last line: keys begin alike, so it takes whole lines to tell them apart."""
    end = len(last_line) if hit.text.endswith(("\n", "\r")) else len(split_lines(hit.text)[-1])
    return last_line[end : end + KEPT_AROUND]


def reader_of_lines(text: str, hits: Sequence[Hit]) -> Callable[[int], str]:
    """What the lines with hits say; as most texts have few of them, those are cut out where that is easy."""
    if text.startswith(BYTE_ORDER_MARK) or "\r" in text or any(hit.end_line > hit.line for hit in hits):
        lines = split_lines(text.removeprefix(BYTE_ORDER_MARK))
        return lambda number: lines[number - 1]
    found: dict[int, str] = {}
    for hit in hits:
        if hit.line not in found:
            end = text.find("\n", hit.start)
            found[hit.line] = text[text.rfind("\n", 0, hit.start) + 1 : len(text) if end < 0 else end]
    return found.__getitem__


def alarm_of(hit: Hit, file: str, line: str, secrets: Sequence[Span] = (), *, hides_rest: bool = False) -> Alarm:
    """The alarm for a match in a file, given the line that it begins on and where secrets are on that."""
    secrets = secrets or spans_of_secrets([hit], lambda _: line).get(hit.line, ())
    evidence, mark = shown_place(hit, line, secrets)
    rule = hit.rule
    return Alarm(
        rule.id,
        rule.severity,
        message_of(rule, is_hidden=hit.is_hidden),
        file=file,
        line=hit.line,
        column=hit.column,
        match=shown_match(hit, line, secrets, hides_rest=hides_rest),
        evidence=evidence,
        mark=mark,
        source_line=_kept_of(line, hit),
        fix=fix_of(rule),
        hit=hit,
    )


def _kept_of(line: str, hit: Hit) -> str:
    """A line as far as it tells one finding from another; many very long ones would fill the memory."""
    if len(line) <= LONG_LINE:
        return line
    start = hit.column - 1
    return line[max(0, start - KEPT_AROUND) : start + hit.end - hit.start + KEPT_AROUND]


def message_of(rule: Rule, *, is_hidden: bool) -> str:
    """Why the match is a problem, or what was found where the check does not say why."""
    # A reason may be a block of several lines in its file.
    reason = visible(" ".join(rule.reason.split()))
    said = reason or f'"{visible(rule.pattern[:SHOWN_PATTERN])}" is not wanted here'
    return f"{said} (written with look-alike or unseen characters)" if is_hidden else said


def fix_of(rule: Rule) -> str | None:
    """What `scan --fix` would do, in words."""
    if rule.fix is None:
        return None
    action, text = rule.fix
    if action != REPLACE:
        return action.replace("_", " the ", 1)
    return f"replace with {visible(text)}" if text else "remove it"


def in_order(alarms: Iterable[Alarm]) -> list[Alarm]:
    """Alarms by place."""
    return sorted(alarms, key=Alarm.place)


def worst_first(alarms: Iterable[Alarm]) -> list[Alarm]:
    """Alarms by severity, then by place."""
    return sorted(alarms, key=lambda alarm: (alarm.rank(), alarm.place()))


class FixedPlace(NamedTuple):
    """One fix that was made, or that would be."""

    file: str
    line: int
    rule: str
    before: str
    after: str


class ScanResult:
    """All that a scan found; `failures` name what could not be looked at, and a scan with one has not passed."""

    def __init__(self) -> None:
        self.alarms: list[Alarm] = []
        self.failures: list[str] = []
        # The files that these are about, and how many of them are about files.
        self.failed: dict[str, None] = {}
        self.of_files = 0
        self.notes: list[str] = []
        self.files = 0
        self.checks = 0
        self.suppressed = 0
        self.binary: list[str] = []
        # The texts that were left alone because more was found than is kept, or too much time was lost.
        self.unseen: dict[str, None] = {}
        self.given_up: list[str] = []
        self.baselined = 0
        # Entries of the baseline that no longer occur.
        self.stale = 0
        # What was fixed, what a dry run would change, and which fixes were not made and why.
        self.fixed: list[FixedPlace] = []
        self.not_fixed: list[str] = []
        self.diff = ""
        self.is_dry_run = False
        # The mildest severity that fails the scan.
        self.fail_on = RANKS[-1]

    def fail(self, what: str, *paths: str) -> None:
        """Note what could not be looked at, and the files that this is about, if it can be told."""
        self.failures.append(what)
        self.failed.update(dict.fromkeys(paths))
        self.of_files += bool(paths)

    def take_failures(self, other: ScanResult) -> None:
        """Add what another scan could not look at."""
        self.failures += other.failures
        self.failed.update(other.failed)
        self.of_files += other.of_files

    @property
    def not_looked_at(self) -> int:
        """How many files no check, or not every check, has looked at; what is about no certain file counts as one."""
        return len(self.failed) + len(self.failures) - self.of_files

    @property
    def has_passed(self) -> bool:
        """Whether nothing as bad as `fail_on` was found and nothing was left unseen."""
        return not self.failures and not any(map(self.fails, self.alarms))

    def fails(self, alarm: Alarm) -> bool:
        """Whether a scan with this alarm has not passed."""
        return alarm.rank() <= RANKS.index(self.fail_on)

    def counts(self) -> dict[str, int]:
        """How many alarms of each severity, worst first."""
        found = dict.fromkeys(RANKS, 0)
        for alarm in self.alarms:
            found[alarm.severity] += 1
        return found
