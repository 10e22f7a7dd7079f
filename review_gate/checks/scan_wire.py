"""What one process found, as bytes for another that knows the same checks."""

from __future__ import annotations

import marshal
from _operator import attrgetter

from review_gate.checks.alarm import Alarm, ScanResult
from review_gate.checks.rule import Hit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeVar

    from review_gate.checks.rule import Rule

    Filled = TypeVar("Filled", Alarm, Hit)

_PLAIN = tuple(name for name in Alarm.__slots__ if name != "hit")
_HIT = tuple(name for name in Hit.__slots__ if name != "rule")
_of_alarm, _of_hit = attrgetter(*_PLAIN), attrgetter(*_HIT)


def packed(result: ScanResult, unread: Sequence[str], rules: Sequence[Rule]) -> bytes:
    """A result and the files that were not read; checks are told by their place among all."""
    numbers = {id(rule): number for number, rule in enumerate(rules)}
    alarms = [
        (_of_alarm(alarm), alarm.hit and (numbers[id(alarm.hit.rule)], _of_hit(alarm.hit))) for alarm in result.alarms
    ]
    failed = (result.failures, result.failed, result.of_files)
    counts = (result.files, result.suppressed, result.unseen, result.given_up, result.binary)
    return marshal.dumps((alarms, failed, counts, list(unread)))


def unpack_into(result: ScanResult, unread: set[str], data: bytes, rules: Sequence[Rule]) -> None:
    """Add to a result what another process has packed."""
    alarms, failed, counts, paths = marshal.loads(data)  # noqa: S302 - from our own child
    for fields, hit in alarms:
        alarm = _filled(Alarm.__new__(Alarm), _PLAIN, fields)
        alarm.hit = None
        if hit is not None:
            number, places = hit
            alarm.hit = _filled(Hit.__new__(Hit), _HIT, places)
            alarm.hit.rule = rules[number]
        result.alarms.append(alarm)
    other = ScanResult()
    other.failures, other.failed, other.of_files = failed
    result.take_failures(other)
    files, suppressed, unseen, given_up, binary = counts
    result.files += files
    result.suppressed += suppressed
    result.unseen.update(unseen)
    result.given_up += given_up
    result.binary += binary
    unread.update(paths)


def _filled(empty: Filled, names: Sequence[str], values: Sequence[object]) -> Filled:
    """A value with its fields put back, which takes half as long as making it anew."""
    for name, value in zip(names, values, strict=True):
        setattr(empty, name, value)
    return empty
