"""What a command's exit code and output mean: findings by exit code, by line pattern, or from SARIF."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterator
from typing import Any
from urllib.parse import unquote

from review_gate.fingerprint import fingerprint_of
from review_gate.models import Finding, Severity, severity_from, verdict_of

TAIL_LINES = 20
LINE_CHARACTERS = 2000
PATTERN_SECONDS = 5.0
# Kinds of SARIF results that report something else than a failure.
NO_FAILURE = ("pass", "notApplicable", "informational")
ENDED_WELL = (0,)


class UnusableOutputError(Exception):
    """The output is not what the configuration says it is, so the reviewer has not voted."""


def from_exit_code(
    name: str, exit_code: int, output: str, severity: Severity, *, ok: Collection[int] = ENDED_WELL
) -> tuple[Finding, ...]:
    """One finding for a failing command, with the end of what it printed."""
    if exit_code in ok:
        return ()
    tail = "\n".join(output.strip().splitlines()[-TAIL_LINES:])
    message = f"exit code {exit_code}" + (f": {_last_line(output)}" if tail else "")
    return (_finding(name, "command-failed", severity, message, evidence=tail),)


def _last_line(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1][:300] if lines else ""


def from_pattern(
    name: str, pattern: str, exit_code: int, output: str, severity: Severity, *, ok: Collection[int] = ENDED_WELL
) -> tuple[Finding, ...]:
    """One finding for each line that the pattern matches; a failure that none of these explains is one too."""
    # Few commands are read by a pattern, and every review would pay for the import.
    import regex

    compiled = regex.compile(pattern)
    findings = []
    deadline = time.monotonic() + PATTERN_SECONDS
    for line in output.splitlines():
        try:
            match = compiled.search(line[:LINE_CHARACTERS], timeout=max(deadline - time.monotonic(), 0.001))
        except TimeoutError:
            raise UnusableOutputError(
                f"its pattern took more than {PATTERN_SECONDS:g} seconds on this output"
            ) from None
        if match:
            findings.append(_from_match(name, match.groupdict(), line, severity))
    if _is_blocking(findings):
        return tuple(findings)
    return (*findings, *from_exit_code(name, exit_code, output, severity, ok=ok))


def _is_blocking(findings: Collection[Finding]) -> bool:
    """Whether the findings explain a failure; a mild one must not hide that the command crashed after it."""
    return not verdict_of(finding.severity for finding in findings).is_passing


def _from_match(name: str, groups: dict[str, str | None], line: str, severity: Severity) -> Finding:
    return _finding(
        name,
        groups.get("rule") or name,
        severity_from(groups.get("severity") or "", severity),
        groups.get("message") or line.strip(),
        file=groups.get("file"),
        line=_positive(groups.get("line")),
        column=_positive(groups.get("column")),
        evidence=line.strip(),
    )


def from_sarif(
    name: str, exit_code: int, text: str, severity: Severity, *, ok: Collection[int] = ENDED_WELL
) -> tuple[Finding, ...]:
    """The results of a SARIF log; a failure that none of these explains is a finding too."""
    try:
        log = json.loads(text)
        results = list(_sarif_results(log))
        broken_off = list(_broken_off(log))
    except KeyError:
        raise UnusableOutputError("its output is not SARIF: it has no runs") from None
    except (ValueError, RecursionError, TypeError, AttributeError) as error:
        raise UnusableOutputError(f"its output is not SARIF: {str(error)[:100]}") from None
    findings = tuple(_from_sarif_result(name, result, severity) for result in results)
    if _is_blocking(findings):
        return findings
    if broken_off:
        raise UnusableOutputError(broken_off[0])
    if exit_code in ok:
        return findings
    message = f"exit code {exit_code}, and its SARIF reports nothing{' that blocks' if findings else ''}"
    return (*findings, _finding(name, "command-failed", severity, message))


def _sarif_results(log: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(log["runs"], list):
        raise TypeError("runs is not a list")
    if not log["runs"]:
        raise ValueError("it tells of no run, so nothing was looked at")
    for run in log["runs"]:
        for result in run.get("results") or ():
            if not isinstance(result, dict):
                raise TypeError("a result is not an object")
            yield result


def _broken_off(log: Any) -> Iterator[str]:
    """What the log says of runs that were not successful: what they did not report says nothing."""
    for run in log["runs"]:
        tool = _mapping(_mapping(run.get("tool")).get("driver")).get("name") or "its tool"
        for invocation in run.get("invocations") or ():
            # Tools that leave it out claim nothing; anything but true is no success.
            if invocation.get("executionSuccessful", True) is not True:
                yield f"its SARIF says that {str(tool)[:100]} was not successful (executionSuccessful: false)"


def _from_sarif_result(name: str, result: dict[str, Any], severity: Severity) -> Finding:
    place = _first_place(result)
    region = _mapping(place.get("region"))
    uri = _mapping(place.get("artifactLocation")).get("uri")
    message = _mapping(result.get("message")).get("text")
    return _finding(
        name,
        str(result.get("ruleId") or name),
        Severity.INFO if result.get("kind") in NO_FAILURE else severity_from(str(result.get("level") or ""), severity),
        str(message or "no message"),
        file=_path_of(str(uri)) if uri else None,
        line=_positive(region.get("startLine")),
        column=_positive(region.get("startColumn")),
        evidence=str(_mapping(region.get("snippet")).get("text") or message or ""),
    )


def _path_of(uri: str) -> str | None:
    """The path a SARIF location names; the root of the tree is no file."""
    path = unquote(uri).removeprefix("file://")
    return None if path in ("", ".", "./") else path


def _first_place(result: dict[str, Any]) -> dict[str, Any]:
    locations = result.get("locations")
    first = locations[0] if isinstance(locations, list) and locations else None
    return _mapping(_mapping(first).get("physicalLocation"))


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _positive(value: Any) -> int | None:
    """A line or column number, or None for what cannot be one."""
    try:
        number = int(str(value))
    except ValueError:
        return None
    return number if 0 < number < 10**9 else None


def _finding(
    name: str,
    rule: str,
    severity: Severity,
    message: str,
    *,
    file: str | None = None,
    line: int | None = None,
    column: int | None = None,
    evidence: str = "",
) -> Finding:
    fingerprint = fingerprint_of(rule, file, evidence or message)
    return Finding(
        id=f"{name}-{fingerprint[:8]}",
        rule=rule,
        severity=severity,
        category="command",
        message=message,
        file=file,
        line=line,
        column=column,
        evidence=evidence,
        reviewer=name,
        fingerprint=fingerprint,
    )
