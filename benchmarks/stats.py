"""`review-gate stats` over a million reviews in the audit log, against a plain loop that parses the same lines."""

from __future__ import annotations

import json
import random
import sys
from datetime import date, timedelta
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.memory import peak_memory
from benchmarks.results import Comparison, Figure, Measured
from benchmarks.timing import Case
from benchmarks.world import FailedToRunError, run_checked

LINES, DAYS = 1_000_000, 500
LOOP = "a plain loop: read every line, json.loads"
STATS = "review-gate stats, the whole program"
MOST_TIMES = 3
MOST_MEGABYTES = 96
# Both take seconds.
EVERY = 6
PLAIN_LOOP = """
import glob, json, sys
count = 0
for path in sorted(glob.glob(sys.argv[1] + "/*.jsonl")):
    with open(path, "rb") as file:
        for line in file:
            json.loads(line)
            count += 1
print(count)
"""
ROLES = ("domain_sme", "security", "clarity", "testing", "frontend_ux", "documentation")
WEIGHTS = ("blocker", "major", "minor", "nit")


def measure(bench: Bench) -> Measured:
    """Both read files that are in memory by then, so what is compared is the work on the lines."""
    bench.say("stats: writing a log")
    home = bench.world.work / "stats"
    logs = home / ".claude/plugins/prompt-review/logs"
    _write_log(logs)
    environ = bench.world.environ | {"HOME": str(home)}
    command = str(Path(sys.executable).with_name("review-gate"))
    stats = Case(STATS, (command, "stats"), home, environ, every=EVERY)
    loop = Case(LOOP, (sys.executable, "-I", "-c", PLAIN_LOOP, str(logs)), home, environ, every=EVERY)
    _prove((*stats.argv, "--format", "json"), stats, loop)
    figures = (Figure(f"{STATS}: peak MB of the largest process", peak_memory(stats)[0], MOST_MEGABYTES),)
    title = f"The history of {LINES:,} reviews"
    comparisons = (Comparison(STATS, LOOP, MOST_TIMES),)
    return Measured(title, bench.time("stats", (loop, stats)), LOOP, comparisons, figures=figures)


def _prove(argv: tuple[str, ...], stats: Case, loop: Case) -> None:
    """Both have seen every line."""
    seen = json.loads(run_checked(argv, stats.folder, stats.environ))
    looped = int(run_checked(loop.argv, loop.folder, loop.environ))
    if (seen["reviews"], seen["damaged_lines"], looped) != (LINES, 0, LINES):
        raise FailedToRunError(f"stats saw {seen['reviews']} reviews, the loop {looped} lines")


def _write_log(logs: Path) -> None:
    logs.mkdir(parents=True, mode=0o700)
    random_numbers = random.Random(7)
    for number in range(DAYS):
        day = date(2025, 1, 1) + timedelta(days=number)
        lines = [json.dumps(_entry(random_numbers, day), separators=(",", ":")) for _ in range(LINES // DAYS)]
        (logs / f"{day}.jsonl").write_text("\n".join(lines) + "\n")


def _entry(numbers: random.Random, day: date) -> dict[str, object]:
    active = ROLES[: numbers.randint(4, 6)]
    findings = {
        role: {weight: numbers.randint(1, 3) for weight in numbers.sample(WEIGHTS, numbers.randint(1, 3))}
        for role in active
        if numbers.random() < 0.5
    }
    return {
        "timestamp": f"{day}T{numbers.randint(0, 23):02}:{numbers.randint(0, 59):02}:07Z",
        "project": f"project-{numbers.randint(1, 40)}",
        "trigger": numbers.choice(("!!!", "/prompt-review", "cli", "ci")),
        "mode": numbers.choice(("subscription", "api")),
        "original_prompt_hash": f"{numbers.getrandbits(128):032x}",
        "reviewers_active": active,
        "findings_count": sum(sum(found.values()) for found in findings.values()),
        "severity_max": min((weight for found in findings.values() for weight in found), default=None),
        "conflicts": int(numbers.random() < 0.05),
        "outcome": numbers.choice(("approved", "approved", "approved", "edited", "rejected", "unchanged")),
        "cost": {"input_tokens": numbers.randint(4_000, 9_000), "output_tokens": 2_100, "usd": numbers.random() / 10},
        "duration_ms": numbers.randint(900, 12_000),
        "version": 1,
        "findings": findings,
        "reviewers_failed": [],
        "dropped": 0,
        "is_cached": numbers.random() < 0.1,
        "reason": "",
    }
