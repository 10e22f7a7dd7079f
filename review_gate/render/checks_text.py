"""Checks, where they came from and how their examples came out, as text for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from review_gate.checks.alarm import fix_of
from review_gate.checks.applies import is_for_messages
from review_gate.checks.examples import WrongExample
from review_gate.checks.merge import Shadowed
from review_gate.checks.rule import Rule
from review_gate.checks.schema import Examples
from review_gate.checks.suppress import ABOUT, CATEGORY
from review_gate.embedded import CHECKS, LOOP_OF
from review_gate.reviewers.text import visible

WIDEST_ID = 40
WIDEST_PATTERN = 36
WIDEST_REASON = 80
_PLACE_WORDS = {
    "added_lines": "added lines",
    "whole_file": "whole files",
    "commit_message": "commit messages",
    "plan": "plans",
    "prompt": "prompts",
}
_FIELDS = (
    *("id", "pattern", "match_rule", "reason", "severity", "category", "scope", "include", "exclude", "languages"),
    *("reject_if_persists", "docs", "source", "line"),
)


# The list


def list_text(rules: Sequence[Rule], shadowed: Sequence[Shadowed], *, with_shadowed: bool) -> str:
    """Every check under the file it came from, and how many there are."""
    widths = _widths([*rules, *(lost.rule for lost in shadowed if with_shadowed)])
    lines = []
    for source, group in groupby(rules, key=lambda rule: rule.source):
        lines += [visible(source), *(_list_line(rule, widths) for rule in group), ""]
    if with_shadowed and shadowed:
        lines += ["shadowed: an earlier source has the same id", *_shadowed_lines(shadowed, widths), ""]
    return "\n".join([*lines, _count_line(rules, shadowed, with_shadowed=with_shadowed)]) + "\n"


def list_json(
    rules: Sequence[Rule], shadowed: Sequence[Shadowed], warnings: Sequence[str], examples: Mapping[str, Examples]
) -> str:
    """The same for programs."""
    document = {
        "version": 1,
        "checks": [_whole_check(rule, examples.get(rule.id, Examples())) for rule in rules],
        "shadowed": [_shadowed_data(lost) for lost in shadowed],
        "warnings": list(warnings),
    }
    return json.dumps(document, indent=2) + "\n"


def check_data(rule: Rule) -> dict[str, object]:
    """A check as JSON has it, its fix as its author would write it."""
    data: dict[str, object] = {name: getattr(rule, name) for name in _FIELDS}
    action, text = rule.fix or ("", "")
    data["fix"] = None if rule.fix is None else {"action": action, **({"with": text} if action == "replace" else {})}
    return data


def _whole_check(rule: Rule, examples: Examples) -> dict[str, object]:
    return check_data(rule) | {"examples": {"bad": examples.bad, "good": examples.good}}


def _shadowed_data(lost: Shadowed) -> dict[str, object]:
    return {**check_data(lost.rule), "shadowed_by": lost.winner.origin}


def _widths(rules: Sequence[Rule]) -> tuple[int, int]:
    longest_id = max((len(rule.id) for rule in rules), default=0)
    longest_pattern = max((len(_cut(rule.pattern, WIDEST_PATTERN)) for rule in rules), default=0)
    return min(longest_id, WIDEST_ID), longest_pattern


def _list_line(rule: Rule, widths: tuple[int, int]) -> str:
    name, pattern = f"{rule.id:<{widths[0]}}", f"{_cut(rule.pattern, WIDEST_PATTERN):<{widths[1]}}"
    reason = _cut(rule.reason, WIDEST_REASON)
    return f"  {name}  {rule.severity:<8}  {rule.match_rule:<14}  {pattern}  {reason}".rstrip()


def _shadowed_lines(shadowed: Sequence[Shadowed], widths: tuple[int, int]) -> Iterator[str]:
    for lost in shadowed:
        places = f"{visible(lost.rule.origin)}, by {visible(lost.winner.origin)}"
        yield f"  {lost.rule.id:<{widths[0]}}  {_cut(lost.rule.pattern, WIDEST_PATTERN):<{widths[1]}}  {places}"


def _count_line(rules: Sequence[Rule], shadowed: Sequence[Shadowed], *, with_shadowed: bool) -> str:
    sources = len({rule.source for rule in rules})
    counted = f"{_some(len(rules), 'check')} from {_some(sources, 'source')}" if rules else "no checks are in force"
    if not shadowed:
        return counted
    return f"{counted}, {len(shadowed)} shadowed" + ("" if with_shadowed else " (--shadowed shows them)")


def _some(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _cut(text: str, width: int) -> str:
    shown = visible(text[: width + 1]).replace("\t", "<U+0009>")
    return shown if len(shown) <= width else shown[: width - 1] + "…"


# One check explained


def explain_text(rule: Rule, examples: Examples, shadowed: Sequence[Shadowed], *, is_off: bool = False) -> str:
    """All that is known about a check."""
    rows = [
        ("finds", f"{visible(rule.pattern)} ({rule.match_rule})"),
        ("where", where_words(rule)),
        ("in force", "no, checks.disable in the configuration names it" if is_off else ""),
        ("severity", f"{rule.severity}, category {rule.category}, loop {rule.loop}"),
        ("fix", visible(fix_of(rule) or "none, a person decides")),
        *(("bad", visible_block(text)) for text in examples.bad),
        *(("good", visible_block(text)) for text in examples.good),
        ("docs", visible(rule.docs)),
        ("source", visible(rule.origin)),
        *(("not used", f"{visible(lost.rule.origin)} has the same id and comes later") for lost in shadowed),
        ("suppress", suppression_words(rule)),
    ]
    told = [f"  {name:<10}{value}".replace("\n", "\n" + " " * 12) for name, value in rows if value]
    return "\n".join([f"{rule.id}: {visible(rule.reason) or 'its author gives no reason'}", *told]) + "\n"


def explain_json(rule: Rule, examples: Examples, shadowed: Sequence[Shadowed], *, is_off: bool = False) -> str:
    """The same for programs."""
    document = {
        "version": 1,
        "check": _whole_check(rule, examples),
        "in_force": not is_off,
        "suppression": None if rule.reject_if_persists else _suppression(rule),
        "shadowed": [_shadowed_data(lost) for lost in shadowed],
    }
    return json.dumps(document, indent=2) + "\n"


def explain_suppression_text(name: str) -> str:
    """The same of a finding about suppressions, which is no check: nobody wrote a pattern for it."""
    severity, reason = ABOUT[name]
    rows = [
        ("finds", "a comment with review-gate: ignore that is not as it should be"),
        ("where", "every text that a scan looks at"),
        ("severity", f"{severity}, category {CATEGORY}, loop {LOOP_OF[CHECKS]}"),
        ("fix", "none, a person decides"),
        ("source", "review-gate itself"),
        ("suppress", "not possible; correct the comment, or delete it"),
    ]
    return "\n".join([f"{name}: {reason}", *(f"  {word:<10}{value}" for word, value in rows)]) + "\n"


def explain_suppression_json(name: str) -> str:
    """The same for programs."""
    severity, reason = ABOUT[name]
    check = {"id": name, "reason": reason, "severity": severity, "category": CATEGORY}
    return (
        json.dumps({"version": 1, "check": check, "in_force": True, "suppression": None, "shadowed": []}, indent=2)
        + "\n"
    )


def where_words(rule: Rule) -> str:
    """The texts that a check looks at, in words."""
    places = [_PLACE_WORDS[word] for word in rule.places]
    said = [_listed(places) or ("every text" if is_for_messages(rule) else "every text but commit messages")]
    if rule.parts:
        said.append(f"only {_listed(rule.parts)} there")
    if rule.languages:
        said.append(f"files in {_listed(rule.languages)}")
    if rule.include:
        said.append(f"files that match {visible(_listed(rule.include))}")
    if rule.exclude:
        said.append(f"no file that matches {visible(_listed(rule.exclude))}")
    return "; ".join(said)


def suppression_words(rule: Rule) -> str:
    """How a single finding is let through."""
    if rule.reject_if_persists:
        return "not possible, because reject_if_persists is set"
    return f"with {_suppression(rule)} in a comment on the line or right above it"


def _suppression(rule: Rule) -> str:
    return f"review-gate: ignore[{rule.id}] REASON"


def visible_block(text: str) -> str:
    """A text of several lines that is safe to show."""
    return "\n".join(visible(line) for line in text.rstrip("\n").split("\n"))


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words)


# Examples tried


def tried_text(wrong: Sequence[WrongExample], examples: Mapping[str, Examples], checks: int) -> str:
    """Each example that came out wrong, and how many were tried."""
    lines = [
        f"failed: {one.rule.id} ({visible(one.rule.origin)}) {visible(one.what)} in {one.kind} example {one.number}:"
        f" {_cut(one.text, WIDEST_REASON)}"
        for one in wrong
    ]
    return "\n".join([*lines, _tried_line(wrong, examples, checks)]) + "\n"


def tried_json(wrong: Sequence[WrongExample], examples: Mapping[str, Examples], checks: int) -> str:
    """The same for programs."""
    failures = [
        {
            "id": one.rule.id,
            "source": one.rule.source,
            "line": one.rule.line,
            "kind": one.kind,
            "number": one.number,
            "text": one.text,
            "message": one.what,
        }
        for one in wrong
    ]
    tried = _tried(examples)
    document = {
        "version": 1,
        "checks": checks,
        "examples": sum(tried),
        "without_examples": checks - len(tried),
        "failures": failures,
    }
    return json.dumps(document, indent=2) + "\n"


def _tried(examples: Mapping[str, Examples]) -> list[int]:
    """How many examples each check has that has any."""
    return [count for one in examples.values() if (count := len(one.bad) + len(one.good))]


def _tried_line(wrong: Sequence[WrongExample], examples: Mapping[str, Examples], checks: int) -> str:
    tried = _tried(examples)
    if not tried:
        return f"no check has examples, so none was tried; {_some(checks, 'check')} without examples"
    without = checks - len(tried)
    silent = f"; {_some(without, 'check')} without examples" if without else ""
    outcome = f"{_some(len(wrong), 'example')} came out wrong" if wrong else "all came out right"
    return f"{_some(len(tried), 'check')} tried on {_some(sum(tried), 'example')}, {outcome}{silent}"
