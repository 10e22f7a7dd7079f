"""Stage 2: domains, risk with its reasons, type and scope of a change, from its facts alone.

Messages of commits are no facts about content: a change that calls itself a fix of the documentation gets no milder
look for that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from review_gate.pipeline.config_schema import ChangeType, DomainMapping, RiskLevel
from review_gate.pipeline.schema import PRClassification, PRFacts, RiskReason, Scope

# From so many points on a change is of that level.
MEDIUM_RISK, HIGH_RISK = 25, 50
MOST_RISK = 100
# (at least so many, points, what it is called)
_LINES = ((2_000, 30), (500, 20), (150, 10))
_FILES = ((200, 30), (50, 20), (15, 10))
_SCOPES: tuple[tuple[int, int, Scope], ...] = ((2_000, 200, "huge"), (500, 50, "large"), (100, 10, "medium"))
# Beside the riskiest domain each further risky one adds this.
_FURTHER_DOMAIN = 5
_DELETED_TESTS = 15
_UNSEEN = 10
# Changes of nothing but such files are of a type of their own.
_TYPES: tuple[tuple[str, ChangeType], ...] = (
    ("docs", "docs"),
    ("tests", "tests"),
    ("dependencies", "dependencies"),
    ("ci", "configuration"),
    ("infrastructure", "configuration"),
    ("configuration", "configuration"),
)
_TESTS, _SOURCE = "tests", "source"
# A change that takes away about as much as it brings moves things around; a smaller one mends something.
_LEAST_REWRITTEN, _MOST_MENDED = 40, 60


class _Part(NamedTuple):
    """Files of a change that are alike: how many there are, and what was counted in them."""

    domains: tuple[str, ...]
    status: str
    files: int
    added: int
    deleted: int
    # Neither text nor deleted.
    unseen: int


def classify(facts: PRFacts, mappings: Sequence[DomainMapping]) -> PRClassification:
    """The same facts always give the same answer."""
    parts = _parts(facts)
    domains: Counter[str] = Counter()
    for part in parts:
        domains.update(dict.fromkeys(part.domains, part.files))
    reasons = tuple(_reasons(facts, parts, domains, mappings))
    risk = min(sum(reason.points for reason in reasons), MOST_RISK)
    return PRClassification(
        domains={mapping.domain: domains[mapping.domain] for mapping in mappings if domains[mapping.domain]},
        risk=risk,
        risk_level=_level(risk),
        risk_reasons=reasons,
        change_type=_type(parts),
        scope=_scope(parts),
    )


def _parts(facts: PRFacts) -> list[_Part]:
    """One pass over the files, of which there may be very many."""
    found: dict[tuple[tuple[str, ...], str], list[int]] = {}
    for _, status, added, deleted, domains in facts.files:
        key = domains, status
        count = found.get(key)
        if count is None:
            count = found[key] = [0, 0, 0, 0]
        count[0] += 1
        if added is None or deleted is None:
            count[3] += status != "D"
        else:
            count[1] += added
            count[2] += deleted
    return [_Part(*key, *count) for key, count in found.items()]


def _level(risk: int) -> RiskLevel:
    return "high" if risk >= HIGH_RISK else "medium" if risk >= MEDIUM_RISK else "low"


def _lines_and_files(parts: Sequence[_Part]) -> tuple[int, int]:
    return sum(part.added + part.deleted for part in parts), sum(part.files for part in parts)


def _reasons(
    facts: PRFacts, parts: Sequence[_Part], domains: Counter[str], mappings: Sequence[DomainMapping]
) -> Iterator[RiskReason]:
    lines, files = _lines_and_files(parts)
    if not facts.are_lines_counted:
        yield RiskReason(points=_LINES[0][1], because=f"{files} files are too many to count their lines")
    yield from _first_reached(_LINES, lines, "lines changed")
    yield from _first_reached(_FILES, files, "files changed")
    yield from _domain_reasons(domains, mappings)
    gone = sum(part.files for part in parts if part.status == "D" and _TESTS in part.domains)
    if gone:
        yield RiskReason(points=_DELETED_TESTS, because=f"{gone} {_files(gone)} with tests deleted")
    unseen = sum(part.unseen for part in parts) if facts.are_lines_counted else 0
    if unseen:
        yield RiskReason(points=_UNSEEN, because=f"{unseen} binary {_files(unseen)}, which nobody can read")


def _files(count: int) -> str:
    return "file" if count == 1 else "files"


def _first_reached(steps: Sequence[tuple[int, int]], count: int, what: str) -> Iterator[RiskReason]:
    for least, points in steps:
        if count >= least:
            yield RiskReason(points=points, because=f"{count} {what}")
            return


def _domain_reasons(domains: Counter[str], mappings: Sequence[DomainMapping]) -> Iterator[RiskReason]:
    weights = {mapping.domain: mapping.risk for mapping in mappings if mapping.risk and domains[mapping.domain]}
    ordered = sorted(weights, key=lambda domain: -weights[domain])
    for number, domain in enumerate(ordered):
        points = weights[domain] if number == 0 else min(_FURTHER_DOMAIN, weights[domain])
        yield RiskReason(points=points, because=f"{domains[domain]} {_files(domains[domain])} in {domain}")


def _type(parts: Sequence[_Part]) -> ChangeType:
    kinds = {_kind(part.domains) for part in parts}
    if len(kinds) == 1:
        return kinds.pop() or _type_of_code(parts)
    # Tests and documents that come with code do not make it another type.
    return _type_of_code(parts) if None in kinds else "mixed"


def _kind(domains: Sequence[str]) -> ChangeType | None:
    """The type of a change of nothing but such files, None for code."""
    if _SOURCE in domains and _TESTS not in domains:
        return None
    return next((kind for domain, kind in _TYPES if domain in domains), None)


def _type_of_code(parts: Sequence[_Part]) -> ChangeType:
    code = [part for part in parts if _kind(part.domains) is None]
    added, deleted = sum(part.added for part in code), sum(part.deleted for part in code)
    if any(part.status == "A" for part in code) and added >= deleted:
        return "feature"
    if min(added, deleted) * 2 >= max(added, deleted) and added + deleted >= _LEAST_REWRITTEN:
        return "refactor"
    return "fix" if added + deleted <= _MOST_MENDED else "feature"


def _scope(parts: Sequence[_Part]) -> Scope:
    lines, files = _lines_and_files(parts)
    return next((name for least, many, name in _SCOPES if lines >= least or files >= many), "small")
