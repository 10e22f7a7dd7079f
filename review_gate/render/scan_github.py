"""What a scan found, as GitHub workflow commands: one annotation a line, the counts last."""

from __future__ import annotations

from review_gate.checks.alarm import Alarm, ScanResult, worst_first
from review_gate.render.github_command import COMMANDS, command
from review_gate.render.scan_text import count_line


def scan_github(result: ScanResult) -> str:
    """Every finding worst first, since GitHub shows only the first ten of a step, then what could not be looked at."""
    lines = [_annotation(alarm) for alarm in worst_first(result.alarms)]
    lines += [command("error", f"could not look at {failure}", title="could not scan") for failure in result.failures]
    lines += [command("notice", note, title="review-gate") for note in result.notes]
    level = "notice" if result.has_passed else "error"
    return "\n".join([*lines, command(level, count_line(result), title="review-gate scan")]) + "\n"


def _annotation(alarm: Alarm) -> str:
    message = f"{alarm.message}\nfix: {alarm.fix}" if alarm.fix is not None else alarm.message
    return command(
        COMMANDS[alarm.severity], message, file=alarm.file, line=alarm.line, col=alarm.column, title=alarm.rule
    )
