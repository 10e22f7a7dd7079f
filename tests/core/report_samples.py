"""Runs as a pull request or a page shows them: one with everything in it, and one with nothing to say."""

from __future__ import annotations

from builders import NO, YES, finding, loop_result, reviewer_result, run_report

from review_gate.loops.report import LOOPS, RunReport, not_run
from review_gate.loops.run import judge_loop
from review_gate.models import Snippet
from review_gate.ports import ModelPart, NotShown, Usage
from review_gate.render.report_view import ReportView

SHOWN = 500
MODEL = ModelPart(
    provider="anthropic",
    model="claude-large",
    asked=2,
    from_cache=1,
    usage=Usage(input_tokens=48_210, cached_tokens=32_000, output_tokens=1_904),
    usd=0.0731,
    files_shown=6,
    files_read=5,
    cut=("src/tables.py",),
    unread=("docs/notes.md",),
    not_shown=(NotShown(path="uv.lock", because="a lock file"),),
)
UNPRICED = ModelPart(provider="codex", model="", asked=1, files_shown=6, files_read=6)
SNIPPETS = (
    Snippet(
        file="src/load.py",
        line=14,
        first=11,
        lines=(
            "def load(name: str, connection: Connection) -> Row | None:",
            '    """The row of a user."""',
            "    cursor = connection.cursor()",
            "    cursor.execute(f\"SELECT * FROM users WHERE name = '{name}'\")",
            "    return cursor.fetchone()",
            "",
            "",
        ),
    ),
    Snippet(file="src/app.py", line=1, first=1, lines=("import os  \t# <b>&amp;</b>", "\u202eprint(os.environ)")),
)


def rich_report() -> RunReport:
    """Findings of each severity, models with and without a price, reviewers that could not run, files nobody read."""
    first = judge_loop(1, (reviewer_result(), reviewer_result(id="hygiene", detail="2 files were left out")))
    second = judge_loop(
        2,
        (
            reviewer_result(
                id="design",
                model=UNPRICED,
                seconds=12.04,
                findings=(
                    finding(
                        rule="long-name",
                        severity="info",
                        category="style",
                        message="`a_very_long_name` says what `name` would say",
                        file="src/app.py",
                        line=1,
                        reviewer="design",
                        confidence=0.4,
                    ),
                ),
            ),
            reviewer_result(
                id="hygiene",
                findings=(
                    finding(
                        rule="not-reviewed-binary",
                        severity="warning",
                        category="hygiene",
                        message="not reviewed: binary",
                        file="logo.png",
                        line=None,
                        reviewer="hygiene",
                    ),
                ),
            ),
        ),
    )
    third = judge_loop(
        3,
        (
            reviewer_result(
                id="security",
                status="failed",
                model=MODEL,
                seconds=31.5,
                findings=(
                    finding(
                        rule="sql-injection",
                        severity="critical",
                        category="security",
                        message="The name of the user becomes part of the statement",
                        file="src/load.py",
                        line=14,
                        column=20,
                        reviewer="security",
                        evidence="cursor.execute(f\"SELECT * FROM users WHERE name = '{name}'\")",
                        recommendation='Pass the name as a parameter: execute("... WHERE name = ?", (name,))',
                        confidence=0.9,
                    ),
                ),
            ),
            reviewer_result(
                id="tests",
                status="failed",
                seconds=4.2,
                findings=(
                    finding(
                        rule="command-failed",
                        category="command",
                        message="tests failed with exit code 1",
                        file=None,
                        line=None,
                        reviewer="tests",
                        evidence="E  assert 1 == 2\n1 failed in 0.12s",
                    ),
                ),
            ),
            reviewer_result(id="types", status="could_not_run", detail="mypy was not found", seconds=0),
            reviewer_result(id="style", status="could_not_run", is_required=False, detail="it took too long"),
        ),
    )
    return run_report(
        loops=(first, second, third, not_run(4, "not run: loop 3 did not pass")),
        file_count=7,
        weakened=("checks.disable leaves out no-eval",),
    )


def rich() -> ReportView:
    """The same with the source around two findings."""
    return ReportView(report=rich_report(), decision=NO, snippets=SNIPPETS, shown=SHOWN)


def clean() -> ReportView:
    """A run that passed and found nothing."""
    return ReportView(report=run_report(), decision=YES, shown=SHOWN)


def crowded(count: int) -> ReportView:
    """A run with so many findings, over a tenth as many files."""
    severities = ("critical", "major", "warning", "info")
    findings = tuple(
        finding(severity=severities[number % 4], file=f"src/module_{number % 50}.py", line=number + 1)
        for number in range(count)
    )
    reviewer = reviewer_result(status="failed", findings=findings)
    loops = (loop_result(status="failed", reviewers=(reviewer,)), *(not_run(number, "") for number in LOOPS[1:]))
    return ReportView(report=run_report(loops=loops), decision=NO, shown=SHOWN)
