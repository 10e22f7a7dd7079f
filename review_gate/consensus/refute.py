"""How long the refutation of a finding holds: as long as the quoted code and the line of evidence are as they were."""

from __future__ import annotations

from collections.abc import Sequence

from review_gate.consensus.ballot import ISSUE
from review_gate.consensus.schema import Refutation, Request
from review_gate.consensus.shown import remain, shown_in
from review_gate.fingerprint import fingerprint_of


def still_holds(refutation: Refutation, before: Request, now: Request, evidence: Sequence[str]) -> bool:
    """Whether a refutation goes with a round; `before` is the last one, and `evidence` the lines of its file now."""
    return renewed(refutation, before, now, evidence) is not None


def renewed(refutation: Refutation, before: Request, now: Request, evidence: Sequence[str]) -> Refutation | None:
    """The refutation with the number that its line has now, None where it does not hold any more."""
    if refutation.made < before.began and refutation.fingerprint not in {one.fingerprint for one in before.refutations}:
        # What did not go with the last round has expired, and does not come back with its code.
        return None
    words = refutation.evidence.split()
    numbers = [number for number, line in enumerate(evidence, start=1) if words and line.split() == words]
    was, is_now = shown_in(before), shown_in(now)
    file = _file(refutation, (*was.paths, *is_now.paths))
    if not numbers or not remain(refutation.quote, file, was, is_now):
        return None
    return refutation.model_copy(update={"line": min(numbers, key=lambda number: abs(number - refutation.line))})


def _file(refutation: Refutation, paths: Sequence[str]) -> str | None:
    """The file that the finding is about, which its fingerprint tells."""
    names = (path for path in paths if fingerprint_of(ISSUE, path, refutation.quote) == refutation.fingerprint)
    return next(names, None)
