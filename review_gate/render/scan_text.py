"""What a scan found, for a terminal; the commit hook prints it too, so it imports nothing slow."""

from __future__ import annotations

from review_gate.checks.alarm import in_order, worst_first
from review_gate.render.cells import width
from review_gate.safe_text import safe, safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from review_gate.checks.alarm import Alarm, ScanResult

SHOWN = 50
TAB = "    "
INDENT = "    "


def scan_text(
    result: ScanResult, *, shown: int = SHOWN, next_step: str = "", source_options: str = "", is_diff_raw: bool = False
) -> str:
    """The worst problems by place with their lines, what could not be looked at, the counts and the next command.

    A raw diff is one that git applies; for a terminal it is made harmless. `source_options` are those with which other
    commands find the same checks.
    """
    lines = [
        *_fix_lines(result, shown, is_diff_raw=is_diff_raw),
        *_problem_lines(result, shown),
        *_failure_lines(result, shown),
        count_line(result),
    ]
    if result.alarms or result.failures:
        lines.append(f"  next:  {safe_line(next_step or _next_step(result, source_options))}")
    return "\n".join(lines) + "\n"


def count_line(result: ScanResult) -> str:
    """How much was found, in how much, and what was left out."""
    parts = [_found(result), f"{_count(result.files, 'file')}, {_count(result.checks, 'check')}"]
    if result.failures:
        parts.append(f"{result.not_looked_at} could not be looked at")
    left_out = [f"{result.suppressed} suppressed"] if result.suppressed else []
    stale = f" ({_count(result.stale, 'stale entry', 'stale entries')})" if result.stale else ""
    left_out += [f"{result.baselined} in the baseline{stale}"] if result.baselined or stale else []
    if result.fixed:
        parts.append(f"{_count(len(result.fixed), 'fix', 'fixes')} {'shown' if result.diff else 'made'}")
    return "; ".join([*parts, ", ".join(left_out)] if left_out else parts)


def _found(result: ScanResult) -> str:
    if not result.alarms:
        return "no problems"
    by_severity = ", ".join(f"{count} {severity}" for severity, count in result.counts().items() if count)
    files = _count(len({alarm.file for alarm in result.alarms}), "file")
    return f"{_count(len(result.alarms), 'problem')} in {files} ({by_severity})"


def _count(number: int, noun: str, nouns: str = "") -> str:
    return f"{number} {noun if number == 1 else nouns or noun + 's'}"


def _problem_lines(result: ScanResult, shown: int) -> Iterator[str]:
    file = None
    for alarm in in_order(worst_first(result.alarms)[:shown]):
        if file is not None and alarm.file != file:
            yield ""
        file = alarm.file
        yield from _lines(alarm)
    if len(result.alarms) > shown:
        yield f"... and {_count(len(result.alarms) - shown, 'more problem')}; --format json has them all"
    if result.alarms:
        yield ""


def _fix_lines(result: ScanResult, shown: int, *, is_diff_raw: bool) -> Iterator[str]:
    """The diff of a dry run, or what was fixed, and which fixes were not made."""
    if result.diff:
        diff = result.diff.removesuffix("\n")
        yield diff if is_diff_raw else safe(diff)
    else:
        for one in result.fixed[:shown]:
            yield f"fixed {safe_line(one.file)}:{one.line}  {safe_line(one.rule)}"
        if len(result.fixed) > shown:
            yield f"... and {_count(len(result.fixed) - shown, 'more fix', 'more fixes')}"
    yield from _few("not fixed: ", result.not_fixed, shown, "... and {} more not fixed")
    if result.fixed or result.not_fixed:
        yield ""


def _failure_lines(result: ScanResult, shown: int) -> Iterator[str]:
    yield from _few("could not look at ", result.failures, shown, "... and could not look at {} more")
    more = "... and {} more note" if len(result.notes) - max(shown, SHOWN) == 1 else "... and {} more notes"
    yield from _few("note: ", result.notes, shown, more)


def _few(before: str, told: Sequence[str], shown: int, more: str) -> Iterator[str]:
    """What is no finding, so that a small number of findings to show does not hide it."""
    most = max(shown, SHOWN)
    for one in told[:most]:
        yield f"{before}{safe_line(one)}"
    if len(told) > most:
        yield more.format(len(told) - most)


def _lines(alarm: Alarm) -> Iterator[str]:
    place = f"{safe_line(alarm.file)}:{alarm.line}:{alarm.column}"
    yield f"{place}  {alarm.severity}  {safe_line(alarm.rule)}  {safe_line(alarm.message)}"
    yield from _quoted(alarm)
    if alarm.fix is not None:
        yield f"{INDENT}fix: {safe_line(alarm.fix)}"


def _quoted(alarm: Alarm) -> Iterator[str]:
    """The line, and under it a mark below what matched."""
    if not alarm.evidence:
        return
    start, end = alarm.mark or (0, 0)
    before, matched, after = (_shown(alarm.evidence[slice(*span)]) for span in ((0, start), (start, end), (end, None)))
    yield f"{INDENT}{before}{matched}{after}"
    if alarm.mark is not None:
        yield f"{INDENT}{' ' * width(before)}{'^' * max(1, width(matched))}"


def _shown(text: str) -> str:
    """A tab takes the same room wherever it stands, or nothing below it could be put in its place."""
    return safe_line(text.replace("\t", TAB))


def _next_step(result: ScanResult, source_options: str) -> str:
    """What helps most: the reason for the worst."""
    found = [alarm for alarm in worst_first(result.alarms) if alarm.hit is not None]
    if found:
        return f"review-gate checks explain {found[0].rule}{source_options}"
    return "mend what is named above, then the same scan again"
