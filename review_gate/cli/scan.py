"""Look for the checks in force in files, in what is staged, or in a range of commits."""

from __future__ import annotations

import gc
import sys

from review_gate.checks.applies import FILE
from review_gate.checks.rule import COMMIT_MESSAGE, PLAN, PROMPT
from review_gate.cli.output import add_format, is_terminal, print_pieces, print_result
from review_gate.errors import BLOCKED, PASS, MisuseError
from review_gate.severity import RANKS
from review_gate.shell.counter import counter
from review_gate.workflows.scan_options import ScanJob, ScanOptions
from review_gate.workflows.scan_repository import plan_file, repository_here, scan_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from review_gate.checks.alarm import ScanResult

PLACES = {"file": FILE, "commit-message": COMMIT_MESSAGE, "plan": PLAN, "prompt": PROMPT}
_MANY_OBJECTS = 50_000
ALL = "review-gate scan --all --update-baseline"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of scan."""
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="files and folders (default: this folder; -: standard input)"
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--staged", action="store_true", help="what is staged, added lines only")
    what.add_argument("--diff", metavar="RANGE", help="what A..B or A...B changes, added lines only")
    what.add_argument("--all", action="store_true", help="every file of the repository")
    what.add_argument("--plan", metavar="DIR", help="plan.md in this folder (or PATH), by the checks for that folder")
    parser.add_argument("--checks", metavar="FILE", action="append", default=[], help="only the checks of this file")
    parser.add_argument("--as", dest="place", choices=tuple(PLACES), help="what kind of text it is")
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


class UsualArguments:
    """What the parser makes of a command line that says nothing but what to look at."""

    def __init__(self, paths: list[str], *, staged: bool = False, all: bool = False, jobs: int = 0) -> None:
        self.paths = paths
        self.staged = staged
        self.all = all
        self.jobs = jobs
        self.diff = self.plan = self.place = self.baseline = None
        self.checks: list[str] = []
        self.stdin_filename = ""
        self.fix = self.dry_run = self.no_baseline = self.update_baseline = False
        self.fail_on = RANKS[-1]
        self.max_findings = 50
        self.format = "text"


def usual_arguments(arguments: list[str]) -> argparse.Namespace | None:
    """The options of the scans that hooks and people start most, None for all others.

    The parser takes longer to import than such a scan takes to look.
    """
    what, rest = arguments[:1], arguments[1:]
    jobs = 0
    if rest[:1] == ["--jobs"] and "".join(rest[1:2]).isdecimal() and rest[1].isascii():
        jobs, rest = int(rest[1]), rest[2:]
    if what not in (["--staged"], ["--all"]) or any(path.startswith("-") or not path for path in rest):
        return None
    is_staged = what == ["--staged"]
    return UsualArguments(rest, staged=is_staged, all=not is_staged, jobs=jobs)  # type: ignore[return-value]  # it has all that the parser's has


def exact_arguments(arguments: list[str]) -> list[str]:
    """Arguments of which the parser takes none behind -- for standard input: there a file may be called so."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    return [*arguments[:at], *("./-" if word == "-" else word for word in arguments[at:])]


def run(arguments: argparse.Namespace) -> int:
    """Scan, print, and exit 0 when nothing was found."""
    _refuse_nonsense(arguments)
    # Many small things come and go for every file, and hardly any of them in circles.
    gc.set_threshold(_MANY_OBJECTS)
    with counter() as progress:
        result = scan_here(_job(arguments), progress)
    result.fail_on = arguments.fail_on
    if arguments.format == "text":
        _print_text(result, arguments)
    else:
        print_pieces(_formatted(result, arguments.format))
    return PASS if result.has_passed else BLOCKED


def _refuse_nonsense(arguments: argparse.Namespace) -> None:
    for is_wrong, what, next_step in (*_wrong_inputs(arguments), *_wrong_pairs(arguments)):
        if is_wrong:
            raise MisuseError(what, why="these options do not go together", next_step=next_step)
    for name, value, usual in (("--max-findings", arguments.max_findings, 50), ("--jobs", arguments.jobs, 2)):
        if value < 0:
            raise MisuseError(f"{name} is below 0", why="it counts", next_step=f"review-gate scan {name} {usual}")


def _wrong_inputs(arguments: argparse.Namespace) -> Iterator[tuple[bool, str, str]]:
    """What does not go together with standard input."""
    is_input, is_other = "-" in arguments.paths, arguments.staged or arguments.diff is not None or arguments.all
    is_alone = len(arguments.paths) == 1 and not is_other
    yield is_input and not is_alone, "- stands alone", "review-gate scan - < FILE"
    yield is_input and arguments.fix, "standard input cannot be fixed", "review-gate scan --fix FILE"
    is_named = bool(arguments.stdin_filename)
    yield is_named and not is_input, "--stdin-filename goes with -", "review-gate scan - --stdin-filename NAME"
    yield is_input and sys.stdin is None, "standard input is closed", "review-gate scan - < FILE"


def _wrong_pairs(arguments: argparse.Namespace) -> Iterator[tuple[bool, str, str]]:
    """What else does not go together."""
    updates = arguments.update_baseline
    yield arguments.dry_run and not arguments.fix, "--dry-run goes with --fix", "review-gate scan --fix --dry-run"
    is_too_much = arguments.all and bool(arguments.paths)
    yield is_too_much, "--all means every file, so no path goes with it", "review-gate scan --all"
    is_both = arguments.baseline is not None and arguments.no_baseline
    yield is_both, "--baseline and --no-baseline contradict", "give one of them"
    is_both = updates and arguments.fix
    yield is_both, "--update-baseline takes findings for known, --fix mends them", f"review-gate scan --fix, then {ALL}"
    # What was not looked for would vanish from the baseline.
    is_part = bool(arguments.checks) or _place(arguments) != FILE
    yield updates and is_part, "--update-baseline needs all checks", ALL
    is_plan, by_itself = arguments.plan is not None, f"review-gate scan --plan {arguments.plan}"
    yield is_plan and bool(arguments.checks), "--plan and --checks contradict", by_itself
    yield is_plan and arguments.place not in (None, "plan"), "--plan means --as plan", by_itself


def _place(arguments: argparse.Namespace) -> str:
    return PLACES[arguments.place or ("file" if arguments.plan is None else "plan")]


def _job(arguments: argparse.Namespace) -> ScanJob:
    is_input = arguments.paths == ["-"]
    is_change = arguments.staged or arguments.diff is not None
    options = ScanOptions(
        paths=_paths(arguments, is_change=is_change),
        is_staged=arguments.staged,
        range=arguments.diff,
        read_text=sys.stdin.buffer.read if is_input else None,
        text_name=arguments.stdin_filename,
        only=arguments.checks,
        place=_place(arguments),
    )
    return ScanJob(
        options,
        baseline=arguments.baseline,
        has_baseline=not arguments.no_baseline,
        updates_baseline=arguments.update_baseline,
        is_fixing=arguments.fix,
        is_dry_run=arguments.dry_run,
        jobs=arguments.jobs,
        plan_folder=arguments.plan,
    )


def _paths(arguments: argparse.Namespace, *, is_change: bool) -> list[str]:
    if arguments.all:
        repository = repository_here()
        return [repository.top if repository else "."]
    if arguments.plan is not None and not arguments.paths:
        return [plan_file(arguments.plan)]
    return list(arguments.paths) if arguments.paths or is_change else ["."]


def _print_text(result: ScanResult, arguments: argparse.Namespace) -> None:
    from review_gate.render.scan_text import scan_text

    # In a file or a pipe it is for git apply, which needs every byte.
    is_diff_raw = bool(result.diff) and not is_terminal()
    text = scan_text(
        result,
        shown=arguments.max_findings,
        next_step=_fixing_step(result, arguments),
        source_options=_source_options(arguments),
        is_diff_raw=is_diff_raw,
    )
    print_result(text, is_raw=is_diff_raw)


def _formatted(result: ScanResult, form: str) -> Iterable[str]:
    """The result for programs; the forms that say most of each finding come in pieces."""
    from importlib import import_module

    module = import_module(f"review_gate.render.scan_{form}")
    text: str | Iterable[str] = getattr(module, f"scan_{form}")(result)
    return [text] if isinstance(text, str) else text


def _source_options(arguments: argparse.Namespace) -> str:
    if not arguments.checks and arguments.plan is None:
        return ""
    from review_gate.workflows.look_again import source_options

    return source_options(arguments.checks, arguments.plan)


def _fixing_step(result: ScanResult, arguments: argparse.Namespace) -> str:
    """The same scan with fixes shown, or after that with fixes made; nothing where none is left to make."""
    if result.fixed and not result.diff and (arguments.staged or arguments.diff is not None):
        return f"git {'add' if arguments.staged else 'commit'} what was fixed, then the same scan again"
    fixable = sum(1 for alarm in result.alarms if alarm.fix is not None)
    # With --fix: a dry run that shows nothing leaves nothing to make, and what was left once is left again.
    is_over = arguments.fix and not (arguments.dry_run and result.diff)
    if not fixable or arguments.paths == ["-"] or is_over:
        return ""
    from shlex import join

    problems = "1 problem" if fixable == 1 else f"{fixable} problems"
    # What was typed, without the options that are about to change.
    options = [word for word in sys.argv[2:] if word not in ("--fix", "--dry-run")]
    if arguments.dry_run:
        return f"{join(['review-gate', 'scan', '--fix', *options])} (makes these changes)"
    return f"{join(['review-gate', 'scan', '--fix', '--dry-run', *options])} (shows how {problems} can be fixed)"
