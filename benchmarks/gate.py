"""The pre-push hook alone, fed with the lines that git really sends, in repositories small and large."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence

from benchmarks.bench import Bench
from benchmarks.ledger import add_old_records, review_like
from benchmarks.repositories import Repo, imported_repository
from benchmarks.results import Comparison, Measured
from benchmarks.timing import Case

FEW, REFS, RECORDS, MANY = 10, 100, 10_000, 100_000
LIMIT = 1.5
INTERPRETER = "`python -I -S -c pass`"
CAPTURE_HOOK = "#!/bin/sh\ncat > {file}\nexit 1\n"


def measure(bench: Bench) -> Measured:
    """Pairs of a small and a large case; the hook's cost should not follow the size of anything."""
    pairs = [*_branches(bench), *_histories(bench), *_trees(bench), *_ledgers(bench)]
    cases = [_interpreter(bench), *(case for pair in pairs for case in pair)]
    targets = tuple(Comparison(large.name, small.name, LIMIT) for small, large in pairs)
    return Measured("The gate alone, small against large", bench.time("gate", cases), INTERPRETER, targets)


def _interpreter(bench: Bench) -> Case:
    return Case(INTERPRETER, (sys.executable, "-I", "-S", "-c", "pass"), bench.world.work, bench.world.environ)
