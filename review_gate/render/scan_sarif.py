"""What a scan found, as a SARIF 2.1.0 log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from review_gate.checks.alarm import Alarm, ScanResult, in_order, worst_first
from review_gate.checks.rule import LOOP_3_CATEGORIES, REDACTED_CATEGORIES, REGEX, REPLACE, Rule
from review_gate.render.sarif_parts import LEVELS, Json, artifact, frame, log_pieces, message
from review_gate.render.scan_rules import category_of, origin_of, reason_of
from review_gate.reviewers.text import split_lines
from review_gate.safe_text import safe_line

# GitHub sorts security findings by this number, of the scale of CVSS.
SECURITY_SEVERITY = {"critical": "9.5", "major": "8.0", "warning": "5.0", "info": "2.0"}
SECURITY_CATEGORIES = tuple(name for name in LOOP_3_CATEGORIES if name != "performance")
_LETTERS = r"[A-Za-z0-9._~!$&'()*+,;=:@/-]"
_ADDRESS = re.compile(rf"https?://[A-Za-z0-9.-]+(:[0-9]+)?(/{_LETTERS}*)?(\?{_LETTERS}*)?(#{_LETTERS}*)?")


def scan_sarif(result: ScanResult) -> Iterator[str]:
    """The scan as one SARIF log, in pieces; suppressed and known findings are counted, not listed."""
    rules = _rules(result.alarms)
    places = {rule["id"]: index for index, rule in enumerate(rules)}
    run = {
        # GitHub takes what is before the last slash for the name, and an upload replaces the last of its name.
        **frame("review-gate-scan/", rules, _invocation(result)),
        "results": [],
        "properties": {
            "files": result.files,
            "checks": result.checks,
            "suppressed": result.suppressed,
            "baselined": result.baselined,
            "passed": result.has_passed,
        },
    }
    return log_pieces(run, (_result(alarm, places[safe_line(alarm.rule)]) for alarm in in_order(result.alarms)))


def _invocation(result: ScanResult) -> Json:
    failures = [{"level": "error", "message": message(f"could not look at {text}")} for text in result.failures]
    notes = [{"level": "note", "message": message(text)} for text in result.notes]
    return {"executionSuccessful": not failures, "toolExecutionNotifications": failures + notes}


def _rules(alarms: Iterable[Alarm]) -> list[Json]:
    """Each check once, with the level of its worst finding."""
    first: dict[str, Alarm] = {}
    for alarm in worst_first(alarms):
        first.setdefault(safe_line(alarm.rule), alarm)
    return [_rule(name, alarm) for name, alarm in first.items()]


def _rule(name: str, alarm: Alarm) -> Json:
    category = category_of(alarm)
    described: Json = {
        "id": name,
        "shortDescription": message(reason_of(alarm) or f"{name} ({category})"),
        "help": message(_help(name, alarm)),
        "defaultConfiguration": {"level": LEVELS[alarm.severity]},
        "properties": {"category": category, "source": origin_of(alarm), "tags": [category]},
    }
    docs = alarm.hit.rule.docs if alarm.hit else ""
    if _ADDRESS.fullmatch(docs):
        described["helpUri"] = docs
    if category in SECURITY_CATEGORIES:
        # Without this tag GitHub does not take it for a finding of security.
        described["properties"]["tags"] = list(dict.fromkeys(["security", category]))
        described["properties"]["security-severity"] = SECURITY_SEVERITY[alarm.severity]
    return described


def _help(name: str, alarm: Alarm) -> str:
    if alarm.hit is None:
        return reason_of(alarm) or name
    rule = alarm.hit.rule
    lines = [rule.reason, rule.docs, f"Fix: {alarm.fix}." if alarm.fix is not None else ""]
    lines.append(f"The check is in {rule.origin}." if rule.origin else "")
    lines.append(_way_out(rule))
    return "\n".join(line for line in lines if line)


def _way_out(rule: Rule) -> str:
    if rule.reject_if_persists:
        return "It cannot be suppressed."
    return f"Where it is wrong, a comment suppresses it: review-gate: ignore[{rule.id}] and a reason."


def _result(alarm: Alarm, rule_index: int) -> Json:
    place = {"artifactLocation": artifact(alarm.file), "region": {**_region(alarm), **_snippet(alarm)}}
    result: Json = {
        "ruleId": safe_line(alarm.rule),
        "ruleIndex": rule_index,
        "level": LEVELS[alarm.severity],
        "message": message(alarm.message),
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"reviewGate/v1": alarm.fingerprint()},
        "properties": {"severity": alarm.severity, "category": category_of(alarm), "match": alarm.match},
    }
    if alarm.fix is not None:
        result["properties"]["fix"] = alarm.fix
    return {**result, **_exact_fix(alarm)}


def _region(alarm: Alarm) -> Json:
    """Where it is, and where it ends when a check matched; the end column is the one after the last."""
    region: Json = {"startLine": alarm.line, "startColumn": alarm.column}
    hit = alarm.hit
    if hit is not None and hit.end_line > hit.line:
        region |= {"endLine": hit.end_line, "endColumn": len(split_lines(hit.text)[-1]) + 1}
    elif hit is not None:
        region |= {"endLine": hit.line, "endColumn": alarm.column + hit.end - hit.start}
    return region


def _snippet(alarm: Alarm) -> Json:
    return {"snippet": {"text": alarm.evidence}} if alarm.evidence else {}


def _exact_fix(alarm: Alarm) -> Json:
    """The fix, where it is a plain text for a plain text: groups of a regex and line ends are up to the file."""
    hit = alarm.hit
    if hit is None or hit.rule.fix is None or hit.rule.match_rule == REGEX or hit.is_hidden:
        return {}
    action, text = hit.rule.fix
    is_secret = hit.rule.category in REDACTED_CATEGORIES
    if action != REPLACE or safe_line(text) != text or hit.end_line > hit.line or is_secret:
        return {}
    replacement = {"deletedRegion": _region(alarm), "insertedContent": {"text": text}}
    change = {"artifactLocation": artifact(alarm.file), "replacements": [replacement]}
    return {"fixes": [{"description": message(str(alarm.fix)), "artifactChanges": [change]}]}
