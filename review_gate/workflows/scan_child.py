"""The scan of a run, in a process of its own: what changed between two trees, and what its commits say and drop."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence, Set

from review_gate.checks.alarm import Alarm, ScanResult
from review_gate.checks.plan import CheckPlan, plan_of
from review_gate.checks.rule import rule_from_plain
from review_gate.checks.strictness import checks_strictness
from review_gate.embedded import CHECKS, LOOP_OF
from review_gate.errors import ReviewGateError
from review_gate.render.scan_rules import category_of, sound
from review_gate.shell.check_sources import PACK, CheckSource
from review_gate.shell.pack_cache import cached_pack, keep_pack
from review_gate.shell.policy_cache import Policy
from review_gate.shell.repository import Repository
from review_gate.workflows.baseline import new_alarms, read_known
from review_gate.workflows.check_plan import plan_in_force
from review_gate.workflows.message_scan import scan_messages
from review_gate.workflows.passing_secrets import passing_secrets
from review_gate.workflows.policy import settings_in_force
from review_gate.workflows.scan import Scanner
from review_gate.workflows.scan_options import ScanOptions

MOST_FINDINGS = 10_000
RULES, RULES_LABEL = "rules", "rules-of-reviewers"


def main() -> None:
    """Scan and print the result as JSON; a mistake that the user can mend is said on standard error."""
    question = sys.stdin.buffer.read()
    if not question:
        # It was started ahead of time, and then nobody wanted to know.
        return
    base, tree, commit, policy, rules = json.loads(question)
    try:
        result, of_commits = _scanned(Repository(*sys.argv[2:5]), (base, tree, commit), policy, rules)
    except ReviewGateError as error:
        sys.stderr.write(f"{error.what} ({error.why}; next: {error.next_step})")
        sys.exit(error.exit_code)
    sys.stdout.write(json.dumps(_document(result, {*map(id, of_commits)})))


def _scanned(
    repository: Repository, ends: tuple[str, str, str], policy: str, rules: Sequence[dict[str, object]]
) -> tuple[ScanResult, Sequence[Alarm]]:
    """What the scan says, and which alarms are about what the commits hold and their result does not."""
    base, tree, commit = ends
    compiled = settings_in_force(repository)
    settings = compiled.section("checks")
    plan, known = plan_in_force(repository, settings), read_known(repository.top, settings)
    _refuse_other_checks(policy, Policy(compiled, checks_strictness(plan.rules, known)))
    # Of two with the same id the project's own wins.
    plan = plan.with_more(_plan_of_rules(rules))
    scanner = Scanner(repository, settings, plan, ScanOptions(trees=(base, tree)))
    result = scanner.run(keeps_old=known is not None)
    of_commits: list[Alarm] = []
    if commit:
        of_commits += _added(result, passing_secrets(repository, settings, plan, (base, commit)))
    if known is not None:
        new_alarms(scanner.renamed(known, result.alarms), result, old=scanner.old)
    if commit:
        # After the baseline, which knows no message: those on the remote are not looked at again.
        of_commits += _added(result, scan_messages(repository, settings, plan, (base, commit)))
    return result, of_commits


def _plan_of_rules(rules: Sequence[dict[str, object]]) -> CheckPlan:
    """The checks that the reviewers of a run bring along; how each is looked for takes long and is kept."""
    source = CheckSource(RULES, PACK, RULES_LABEL, json.dumps(rules).encode("ascii"))
    plan = cached_pack(source, os.environ)
    if plan is None:
        plan = plan_of([rule_from_plain(fields) for fields in rules])
        keep_pack(source, plan, os.environ)
    return plan


def _added(result: ScanResult, more: ScanResult) -> list[Alarm]:
    result.alarms += more.alarms
    result.take_failures(more)
    return more.alarms


def _refuse_other_checks(policy: str, used: Policy) -> None:
    """The result will be written down under the policy that the run began with, so it has to be made under that."""
    if used.policy != policy:
        raise ReviewGateError(
            "the checks or their settings changed while the review was going on",
            why="the review is written down as one made with the checks that it began with",
            next_step="review-gate run",
        )


def _document(result: ScanResult, of_commits: Set[int]) -> dict[str, object]:
    failures = list(result.failures)
    if len(result.alarms) > MOST_FINDINGS:
        failures.append(f"{len(result.alarms)} findings are more than a review can hold")
    return {
        "findings": [
            {**_fields(alarm), "of_commits": id(alarm) in of_commits} for alarm in result.alarms[:MOST_FINDINGS]
        ],
        "failures": [sound(failure) for failure in failures],
        "notes": [sound(note) for note in (*_left_out(result), *result.notes)],
    }


def _left_out(result: ScanResult) -> list[str]:
    """What the report has to say besides findings: that some of them may stay."""
    told = [f"{result.suppressed} suppressed by comments"] if result.suppressed else []
    return [*told, f"{result.baselined} in the baseline"] if result.baselined else told


def _fields(alarm: Alarm) -> dict[str, object]:
    fields = {
        "rule": alarm.rule,
        "severity": alarm.severity,
        "category": category_of(alarm),
        "file": alarm.file or None,
        "line": alarm.line if alarm.file else None,
        "column": alarm.column if alarm.file else None,
        "message": alarm.message,
        "evidence": alarm.evidence,
        "fix": alarm.fix,
        "fingerprint": alarm.fingerprint(),
        "loop": alarm.hit.rule.loop if alarm.hit is not None else LOOP_OF[CHECKS],
    }
    return {name: sound(value) if isinstance(value, str) else value for name, value in fields.items()}
