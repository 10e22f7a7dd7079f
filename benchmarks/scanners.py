"""Programs that look for the same rules in the same files: review-gate, ripgrep, semgrep, pre-commit."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.peers import RIPGREP, SEMGREP
from benchmarks.rule_sets import BenchRule, literal_lines, regex_lines, semgrep_file
from benchmarks.world import FailedToRunError, run_checked

COMMAND = str(Path(sys.executable).with_name("review-gate"))
FOUND = 1
# (file, line) of everything that was found.
Places = set[tuple[str, int]]
# Nothing is fetched, nothing is sent, no file is left out for its size.
SEMGREP_OPTIONS = ("scan", "--quiet", "--metrics=off", "--disable-version-check", "--max-target-bytes=0")
# Without such a file semgrep leaves out tests and some more by itself.
SEMGREP_IGNORE = {".semgrepignore": ""}


def ripgrep(bench: Bench, rules: Sequence[BenchRule], *, is_literal: bool) -> tuple[str, ...]:
    """The command line that looks through the current folder; hidden files too, as we do."""
    name, text = ("literals", literal_lines(rules)) if is_literal else ("regexes", regex_lines(rules))
    file = bench.world.work / f"ripgrep-{name}"
    file.write_text(text, encoding="utf-8")
    options = ("--no-config", "--hidden", "--no-ignore", "--line-number", "--no-heading", "--null")
    fixed = ("--fixed-strings",) if is_literal else ()
    return bench.searchers.program(RIPGREP), *options, *fixed, "--file", str(file), "."


def semgrep(bench: Bench, rules: Sequence[BenchRule], *paths: str) -> tuple[str, ...]:
    """The command line that looks through files or folders."""
    file = bench.world.work / "semgrep.yaml"
    file.write_text(semgrep_file(rules), encoding="utf-8")
    return bench.searchers.program(SEMGREP), *SEMGREP_OPTIONS, "--config", str(file), *paths


def scan_places(folder: Path, environ: Mapping[str, str], what: str = "--all") -> Places:
    """What review-gate finds, once it looked at everything; the kept plan is made on the way."""
    output = run_checked((COMMAND, "scan", what, "--format", "json"), folder, environ, expected=FOUND)
    report = json.loads(output)
    if report["failures"]:
        raise FailedToRunError(f"review-gate scan: {report['failures'][0]}")
    return {(finding["file"], finding["line"]) for finding in report["findings"]}


def ripgrep_places(argv: Sequence[str], folder: Path, environ: Mapping[str, str]) -> Places:
    """What ripgrep finds."""
    places = set()
    for line in run_checked(argv, folder, environ).decode("utf-8", "replace").splitlines():
        name, has_place, rest = line.partition("\0")
        if has_place:
            places.add((name.removeprefix("./"), int(rest.partition(":")[0])))
    return places


def prove_semgrep(argv: Sequence[str], folder: Path, environ: Mapping[str, str], *, least: int) -> None:
    """See that semgrep really looks at so many files and finds something in them."""
    report = json.loads(run_checked((*argv, "--json"), folder, environ))
    if len(report["paths"]["scanned"]) < least or not report["results"]:
        raise FailedToRunError(f"semgrep looked at {len(report['paths']['scanned'])} files: {report['errors'][:1]}")
