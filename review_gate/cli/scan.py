"""Look for the checks in force in files, in what is staged, or in a range of commits."""

from __future__ import annotations

import argparse
import sys

from review_gate.checks.applies import FILE
from review_gate.checks.rule import COMMIT_MESSAGE, PLAN, PROMPT
from review_gate.cli.output import add_format, print_result
from review_gate.errors import BLOCKED, PASS, MisuseError
from review_gate.severity import RANKS
from review_gate.shell.counter import counter
from review_gate.workflows.scan import ScanOptions
from review_gate.workflows.scan_repository import ScanJob, repository_here, scan_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.checks.alarm import ScanResult

PLACES = {"file": FILE, "commit-message": COMMIT_MESSAGE, "plan": PLAN, "prompt": PROMPT}
MAX_INPUT_BYTES = 20_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of scan."""
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="files and folders (default: this folder; -: standard input)"
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--staged", action="store_true", help="what is staged, added lines only")
    what.add_argument("--diff", metavar="RANGE", help="what A..B or A...B changes, added lines only")
    what.add_argument("--all", action="store_true", help="every file of the repository")
    parser.add_argument("--checks", metavar="FILE", action="append", default=[], help="only the checks of this file")
    parser.add_argument("--as", dest="place", choices=tuple(PLACES), default="file", help="what kind of text it is")
    parser.add_argument("--stdin-filename", metavar="NAME", default="", help="what standard input is called")
    parser.add_argument("--fix", action="store_true", help="apply the fixes of checks that have one")
    parser.add_argument("--dry-run", action="store_true", help="with --fix: show the changes and make none")
    parser.add_argument("--baseline", metavar="FILE", help="the file with old findings, which are not reported")
    parser.add_argument("--no-baseline", action="store_true", help="report old findings too")
    parser.add_argument("--update-baseline", action="store_true", help="take every present finding for known")
    parser.add_argument("--fail-on", choices=RANKS, default=RANKS[-1], help="the mildest finding that fails the scan")
    parser.add_argument("--max-findings", metavar="N", type=int, default=50, help="how many the text form shows")
    parser.add_argument(
        "--jobs", metavar="N", type=int, default=0, help="processes for many files (default: as many as useful)"
    )
    add_format(parser, "sarif", "junit", "github")


def run(arguments: argparse.Namespace) -> int:
    """Scan, print, and exit 0 when nothing was found."""
    _refuse_nonsense(arguments)
    with counter() as progress:
        result = scan_here(_job(arguments), progress)
    print_result(_formatted(result, arguments))
    return PASS if _has_passed(result, arguments.fail_on) else BLOCKED


def _refuse_nonsense(arguments: argparse.Namespace) -> None:
    is_input = "-" in arguments.paths
    for is_wrong, what, next_step in (
        (arguments.dry_run and not arguments.fix, "--dry-run goes with --fix", "review-gate scan --fix --dry-run"),
        (is_input and len(arguments.paths) > 1, "- stands alone", "review-gate scan - < FILE"),
        (
            is_input and (arguments.staged or arguments.diff or arguments.all),
            "- stands alone",
            "review-gate scan - < FILE",
        ),
        (is_input and arguments.fix, "standard input cannot be fixed", "review-gate scan --fix FILE"),
        (
            arguments.all and arguments.paths,
            "--all means every file, so no path goes with it",
            "review-gate scan --all",
        ),
        (arguments.baseline and arguments.no_baseline, "--baseline and --no-baseline contradict", "give one of them"),
    ):
        if is_wrong:
            raise MisuseError(what, why="these options do not go together", next_step=next_step)


def _job(arguments: argparse.Namespace) -> ScanJob:
    is_input = arguments.paths == ["-"]
    is_change = arguments.staged or arguments.diff is not None
    options = ScanOptions(
        paths=_paths(arguments, is_change=is_change),
        is_staged=arguments.staged,
        range=arguments.diff,
        text=sys.stdin.buffer.read(MAX_INPUT_BYTES + 1) if is_input else None,
        text_name=arguments.stdin_filename,
        only=arguments.checks,
        place=PLACES[arguments.place],
    )
    return ScanJob(
        options,
        baseline=arguments.baseline,
        has_baseline=not arguments.no_baseline,
        updates_baseline=arguments.update_baseline,
        is_fixing=arguments.fix,
        is_dry_run=arguments.dry_run,
        jobs=arguments.jobs,
    )


def _paths(arguments: argparse.Namespace, *, is_change: bool) -> list[str]:
    if arguments.all:
        repository = repository_here()
        return [repository.top if repository else "."]
    return list(arguments.paths) if arguments.paths or is_change else ["."]


def _formatted(result: ScanResult, arguments: argparse.Namespace) -> str:
    if arguments.format == "text":
        from review_gate.render.scan_text import scan_text

        return scan_text(result, shown=arguments.max_findings)
    from importlib import import_module

    module = import_module(f"review_gate.render.scan_{arguments.format}")
    text: str = getattr(module, f"scan_{arguments.format}")(result)
    return text


def _has_passed(result: ScanResult, fail_on: str) -> bool:
    worst = RANKS.index(fail_on)
    return not result.failures and not any(alarm.rank() <= worst for alarm in result.alarms)
