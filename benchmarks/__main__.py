"""python -m benchmarks: run the measures, print their tables, and write them into the documentation if asked to."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import (
    agents,
    anatomy,
    commit,
    gate,
    pipeline,
    prompts,
    push,
    rounds,
    run,
    scan_commit,
    scan_growth,
    scan_tree,
    startup,
    stats,
)
from benchmarks.bench import Bench
from benchmarks.document import MisplacedError, replace_results
from benchmarks.report import report_text, section_text
from benchmarks.results import Failed, Measured
from benchmarks.world import FailedToRunError, World, run_checked

MEASURES: dict[str, Callable[[Bench], Measured]] = {
    "push": push.measure,
    "commit": commit.measure,
    "commit-yaml": commit.measure_with_yaml,
    "gate": gate.measure,
    "startup": startup.measure,
    "anatomy": anatomy.measure,
    "run": run.measure,
    "run-models": run.measure_with_models,
    "rounds": rounds.measure,
    "prompts": prompts.measure,
    "agents": agents.measure,
    "pipeline": pipeline.measure,
    "stats": stats.measure,
    "scan-commit": scan_commit.measure,
    "scan-tree": scan_tree.measure,
    "scan-growth": scan_growth.measure,
}
ROUNDS = 30
# Scans keep every processor busy themselves, and they come last.
BUSY_BEFORE, BUSY_AFTER = 0.7, (os.cpu_count() or 1) + 0.3
PROJECT = Path(__file__).resolve().parent.parent


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when everything ran, whatever the figures say."""
    options = _parser().parse_args(arguments)
    if options.write and options.only:
        _parser().error("--write needs all measures; leave out --only")
    load_before = _load()
    world = World(PROJECT / ".benchmarks")
    world.open()
    try:
        bench = Bench(world, options.rounds)
        results = [_run(bench, name) for name in options.only or MEASURES]
        machine = machine_text(bench, options.rounds) + _busy_text(load_before, _load())
    finally:
        world.close()
    print(machine)
    if options.write:
        _write(options.write, report_text(machine, results))
    return 1 if any(isinstance(result, Failed) for result in results) else 0


def _load() -> float:
    """Processes that wanted the processor in the last minute; Windows cannot tell."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def _busy_text(before: float, after: float) -> str:
    """A warning that stays with the tables: on a busy machine even the ratios bend, in our favour too."""
    if before <= BUSY_BEFORE and after <= BUSY_AFTER:
        return ""
    return f" **The machine was busy** (load {before:.1f} before, {after:.1f} after): not figures to rely on."


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=_rounds, default=ROUNDS, metavar="N", help=f"default: {ROUNDS}")
    parser.add_argument("--only", action="append", choices=MEASURES, metavar="NAME", help=", ".join(MEASURES))
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the tables between the marks of this document")
    return parser


def _rounds(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError("a number of rounds is at least 1")
    return int(text)


def _run(bench: Bench, name: str) -> Measured | Failed:
    """One measure, printed as soon as it is done; the others go on when it fails."""
    result: Measured | Failed
    try:
        result = MEASURES[name](bench)
    except FailedToRunError as error:
        result = Failed(name, str(error))
    bench.say("")
    print(section_text(result), end="\n\n", flush=True)
    return result


def machine_text(bench: Bench, rounds: int) -> str:
    """What the figures depend on: the kind of machine and the versions, and nothing that names it."""
    git = run_checked(("git", "--version"), PROJECT, bench.world.environ).decode().split()[2]
    versions = [f"git {git}", f"Python {platform.python_version()}"]
    versions += [f"{name} {version}" for name, version in bench.versions.items()]
    return f"{os.cpu_count()} cores, {platform.system()}; {', '.join(versions)}; {rounds} rounds."


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(replace_results(path.read_text(encoding="utf-8"), text), encoding="utf-8")
    except (OSError, MisplacedError) as error:
        sys.exit(f"{path}: {error}")


if __name__ == "__main__":
    sys.exit(main())
