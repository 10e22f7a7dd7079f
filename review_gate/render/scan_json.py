"""What a scan found, as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from review_gate.checks.alarm import Alarm, FixedPlace, ScanResult, in_order
from review_gate.render.json_pieces import document_pieces
from review_gate.render.scan_rules import category_of, origin_of, sound

VERSION = 1


def scan_json(result: ScanResult) -> Iterator[str]:
    """Every finding by place, what could not be looked at, and the counts; in pieces of ASCII, for any pipe."""
    document = {
        "version": VERSION,
        "findings": [],
        "failures": [sound(failure) for failure in result.failures],
        "not_looked_at": sorted(map(sound, result.failed)),
        "notes": [sound(note) for note in result.notes],
        "dry_run": result.is_dry_run,
        "fixed": [_fix(place) for place in result.fixed],
        "not_fixed": [sound(why) for why in result.not_fixed],
        "diff": sound(result.diff),
        "summary": _summary(result),
    }
    return document_pieces(document, "findings", map(_finding, in_order(result.alarms)), depth=1)


def _finding(alarm: Alarm) -> dict[str, Any]:
    fields = {
        "rule": alarm.rule,
        "severity": alarm.severity,
        "file": alarm.file,
        "line": alarm.line,
        "column": alarm.column,
        "message": alarm.message,
        "match": alarm.match,
        "fingerprint": alarm.fingerprint(),
        "fix": alarm.fix,
        "category": category_of(alarm),
        "evidence": alarm.evidence,
        "source": origin_of(alarm),
    }
    return {name: sound(value) if isinstance(value, str) else value for name, value in fields.items()}


def _fix(place: FixedPlace) -> dict[str, Any]:
    return {
        "file": sound(place.file),
        "line": place.line,
        "rule": place.rule,
        "before": sound(place.before),
        "after": sound(place.after),
    }


def _summary(result: ScanResult) -> dict[str, Any]:
    return {
        "files": result.files,
        "checks": result.checks,
        "not_looked_at": result.not_looked_at,
        "findings": result.counts(),
        "suppressed": result.suppressed,
        "baselined": result.baselined,
        "stale": result.stale,
        "passed": result.has_passed,
    }
